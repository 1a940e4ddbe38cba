#!/usr/bin/env python3
# ===- check_style.py - formatting and licence headers ---------------------===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Checks every tracked source file; --fix formats the C++ ones in place.

- C and C++ are as clang-format 22 leaves them.
- Every source file names the licence in its first lines.
- No trailing blanks, no tabs outside Makefiles, one newline at the end.
- The generated pages under docs/ are what the .td files say.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import generate_docs

ROOT = Path(__file__).resolve().parent.parent
CXX = {".c", ".h", ".cpp"}
SOURCE = CXX | {".td", ".py", ".sh", ".cmake"}
TEXT = SOURCE | {".md", ".mlir", ".test", ".txt", ".toml", ".in", ".json"}
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


def clang_format() -> str:
    """Version 22, since another version formats differently."""
    for name in ("clang-format-22", "/usr/lib/llvm-22/bin/clang-format"):
        path = shutil.which(name)
        if path:
            return path
    sys.exit("check_style.py: clang-format 22 is not installed")


def problems_of(path: Path):
    """The problems of one file that need no other program."""
    text = (ROOT / path).read_text(encoding="utf-8")
    is_list_file = path.name == "CMakeLists.txt"
    if path.suffix in SOURCE or is_list_file or path.name == "Makefile":
        if LICENCE not in text[:1000] and text.strip():
            # A list file with nothing but add_subdirectory needs no header.
            if not (is_list_file and len(text.splitlines()) < 25):
                yield f"{path}:1: no '{LICENCE}' in the first lines"
    for number, line in enumerate(text.splitlines(), 1):
        if line != line.rstrip():
            yield f"{path}:{number}: blanks at the end of the line"
        if "\t" in line and path.suffix in SOURCE:
            yield f"{path}:{number}: a tab"
    if text and (not text.endswith("\n") or text.endswith("\n\n")):
        yield f"{path}: does not end with exactly one newline"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fix", action="store_true", help="format C and C++ in place")
    options = parser.parse_args()

    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    files = [Path(name) for name in listing.split("\0") if name]
    files = [path for path in files if (ROOT / path).is_file()]
    files = [path for path in files if "data" not in path.parts]

    problems = []
    for path in files:
        if path.suffix in TEXT or path.name in ("Makefile", "run"):
            problems.extend(problems_of(path))
    sources = [str(path) for path in files if path.suffix in CXX]
    mode = ["-i"] if options.fix else ["--dry-run", "-Werror", "--ferror-limit=3"]
    formatted = 0
    if sources:
        formatted = subprocess.call([clang_format(), *mode, *sources], cwd=ROOT)
    if not options.fix:
        stale = generate_docs.stale_pages()
        problems.extend(f"{name}: out of date, run `make docs`" for name in stale)
    print("\n".join(problems + [f"{len(files)} files, {len(problems)} problems"]))
    if formatted != 0:
        print("Some files are not as clang-format leaves them: run `make format`")
    return 1 if problems or formatted != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
