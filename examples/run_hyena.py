# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles examples/hyena.mlir, runs it, and compares it with the interpreter.

    python examples/run_hyena.py [threads]
"""

import sys
import time
from pathlib import Path

import numpy as np

import hyena_mlir

threads = int(sys.argv[1]) if len(sys.argv) > 1 else None
source = Path(__file__).with_name("hyena.mlir")
program = hyena_mlir.compile(source, entry="hyena", threads=threads)

rng = np.random.default_rng(0)
weights = {a.name: (0.1 * rng.standard_normal(a.shape)).astype(np.float32)
           for a in program.params}
x = rng.standard_normal(program.inputs[0].shape).astype(np.float32)

program.prepare(weights)
y = program(x)
times = []
for _ in range(10):
    start = time.perf_counter()
    program(x, out=y)
    times.append(time.perf_counter() - start)
print(f"median {1e3 * np.median(times):.1f} ms, workspace "
      f"{program.workspace_bytes / 2**20:.1f} MiB")
for remark in program.remarks:
    print(remark)

reference = hyena_mlir.compile(source, entry="hyena", target="interpret").prepare(weights)
exact = reference(x).astype(np.float64)
print(f"relative L2 distance {np.linalg.norm(y - exact) / np.linalg.norm(exact):.1e}")
