# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library beside other users of LLVM: what it shows, and that both work."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LLVM = Path(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22")) / "bin"
OURS = """
import hyena_mlir
from operators import random_arguments, small, weights
graph = small()
arguments = random_arguments(graph)
program = hyena_mlir.compile(graph).prepare(weights(graph, arguments))
"""
TORCH = """
import torch
assert torch.fft.rfft(torch.ones(8)).real[0] == 8
"""
# Triton's library holds an LLVM of its own; this makes it use it.
TRITON = """
from triton._C.libtriton import llvm
llvm.init_targets()
context = llvm.context()
"""


@pytest.fixture
def library(build_dir):
    path = build_dir / "lib" / "libHyenaCompiler.so"
    assert path.exists(), f"{path} does not exist: build the project"
    return path


def lines(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def test_symbols(library):
    """A symbol of LLVM's that is visible could be bound to another LLVM's."""
    names = [line.split()[-1] for line in lines(LLVM / "llvm-nm", "-D", "--defined-only", library)]
    assert names
    assert [name for name in names if not name.startswith("hyena")] == []


def test_needs(library):
    """A self-contained library that needs libLLVM.so is not."""
    needed = [line.split("[")[1].rstrip("]") for line in
              lines(LLVM / "llvm-readelf", "-d", library) if "(NEEDED)" in line]
    if any(name.startswith("libMLIR") for name in needed):
        pytest.skip("this build shares the distribution's libMLIR.so")
    allowed = ("libHyenaRuntime", "libstdc++", "libgcc_s", "libm.", "libc.", "libz.", "libzstd.",
               "libdl.", "libpthread.", "ld-linux")
    assert [name for name in needed if not name.startswith(allowed)] == []
    assert library.stat().st_size < 150e6


@pytest.mark.parametrize("order", [(TORCH, TRITON, OURS), (OURS, TORCH, TRITON)],
                         ids=["torch first", "torch last"])
def test_torch_and_triton(order, library):
    """Two LLVMs in one process would use each other's symbols and crash."""
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    run = """
y = program(torch.from_numpy(arguments["x"]))
print("finite", bool(torch.isfinite(y).all()))
"""
    source = "\n".join(order) + run
    path = os.pathsep.join(sys.path)
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": path}, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "finite True"
