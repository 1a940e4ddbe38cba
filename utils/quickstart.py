#!/usr/bin/env python3
# ===- quickstart.py - run the reference operator and say what happened ----===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs the reference operator on the CPU at two sizes.

Each result is compared with the interpreter, which computes direct sums in
double precision; an error above 1e-6 ends this program with status 1. The time
stands beside that of the same graph without fusion.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

from hyena_mlir.reference import hyena  # noqa: E402

SIZES = [(2, 2048, 256), (1, 8192, 256)]
BOUND = 1e-6

WHERE_NEXT = """\
Where to look next
  docs/Tour.md                    this operator from the graph to LLVM IR
  build/bin/hyena-opt --help      the passes, to try them on a file of your own
  build/bin/hyena-run --help      run, check and time any function of a file
  examples/                       the graphs of this page
  make test                       every test of the project
"""


def run(tool: Path, source: Path, *flags: str) -> dict:
    """hyena-run's report; its error ends this program."""
    command = [str(tool), str(source), "--entry=hyena", "--target=cpu", "--json", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--calls", type=int, default=10, help="calls to time")
    options = parser.parse_args()
    tool = options.build / "bin" / "hyena-run"

    good = True
    for batch, length, width in SIZES:
        print(f"\nReference operator, batch {batch}, length {length}, width {width}, float32")
        with tempfile.TemporaryDirectory() as directory:
            source = Path(directory) / "hyena.mlir"
            source.write_text(str(hyena(batch, length, width)))
            bench = f"--bench={options.calls}"
            fused = run(tool, source, bench, "--check=interpret")
            unfused = run(tool, source, bench, "--unfused")
        error = fused["rel_l2"]
        verdict = "good" if error <= BOUND else f"more than the {BOUND:.0e} allowed"
        good = good and error <= BOUND
        print(f"  relative L2 error against float64: {error:.2e} ({verdict})")
        print("  kernels of one run:")
        for kernel in fused["kernels"]:
            print(f"    {kernel['kind']:12} {kernel['name']}")
        print(f"  fused {fused['median_us'] / 1000:.1f} ms, unfused"
              f" {unfused['median_us'] / 1000:.1f} ms (median of {options.calls})")
    print(f"\n{WHERE_NEXT}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
