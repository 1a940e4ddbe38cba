#!/usr/bin/env python3
# ===- tidy.py - clang-tidy over the project or what changed ---------------===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs clang-tidy 22 over the files that the build compiles.

With --changed only over those that differ from the branch point with the
upstream branch or, where there is none or nothing differs, from the last
commit's parent. A changed header counts through the files that include it by
name.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def git(*arguments):
    """The lines that git prints, or None if it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else None


def changed_files():
    """Paths relative to the root; every path where there is no history."""
    head = git("rev-parse", "HEAD")
    base = git("merge-base", "HEAD", "@{upstream}")
    if not base or base == head:
        base = git("rev-parse", "--verify", "--quiet", "HEAD~1")
    if not base:
        return set(git("ls-files"))
    return set(git("diff", "--name-only", base[0])) | set(
        git("ls-files", "--others", "--exclude-standard")
    )


def compiled_files(build: Path):
    """The project's own files in the compilation database."""
    entries = json.loads((build / "compile_commands.json").read_text())
    files = {Path(entry["file"]).resolve() for entry in entries}
    return sorted(
        file.relative_to(ROOT)
        for file in files
        if file.is_relative_to(ROOT)
        and not file.is_relative_to(build.resolve())
        and ".venv" not in file.parts
    )


def affected(files, changed):
    """Those of `files` that changed or include a changed header directly."""
    headers = {
        re.sub(r"^(include|lib)/", "", path) for path in changed if path.endswith(".h")
    } | {Path(path).name for path in changed if path.endswith(".h")}
    for file in files:
        includes = re.findall(r'#include "([^"]+)"', (ROOT / file).read_text())
        if str(file) in changed or headers.intersection(includes):
            yield file


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("--fix", action="store_true")
    options = parser.parse_args()

    tidy = shutil.which("clang-tidy-22") or "/usr/lib/llvm-22/bin/clang-tidy"
    files = compiled_files(options.build)
    if options.changed:
        files = list(affected(files, changed_files()))

    def check(file):
        command = [tidy, "-p", str(options.build), "--quiet"]
        command += ["--fix"] if options.fix else []
        done = subprocess.run(
            [*command, str(file)], cwd=ROOT, capture_output=True, text=True
        )
        if done.returncode != 0:
            print(done.stdout + done.stderr, flush=True)
        return done.returncode == 0

    # Two files may share a header, so fixes are made one file at a time.
    jobs = 1 if options.fix else os.cpu_count()
    with ThreadPoolExecutor(jobs) as pool:
        good = sum(pool.map(check, files))
    print(f"clang-tidy: {good} of {len(files)} files without a finding")
    return 0 if good == len(files) else 1


if __name__ == "__main__":
    sys.exit(main())
