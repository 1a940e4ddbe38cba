# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The code of the tutorial and the examples runs and prints what they say."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/Tutorial/Python.md"


def blocks():
    return re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(), re.S | re.M)


def test_tutorial():
    """Code on the page that no longer runs, or prints something else."""
    names, printed = {}, ""
    for language, text in blocks():
        if language == "python":
            if "import torch" in text:
                pytest.importorskip("torch")
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(text, str(PAGE), "exec"), names)
            printed = out.getvalue()
        elif language == "mlir":
            assert str(names["g"]) == text
        else:
            assert printed == text


def environment():
    import os
    return {**os.environ, "PYTHONPATH": str(Path(sys.modules["hyena_mlir"].__file__).parents[1])}


def test_build_graph():
    """The example that shows the builder does not build the operator."""
    import hyena_mlir
    done = subprocess.run([sys.executable, ROOT / "examples/build_graph.py"],
                          capture_output=True, text=True, env=environment(), check=True)
    kinds = re.findall(r"= ([a-z]+\.\w+)", done.stdout)
    assert kinds == re.findall(r"= ([a-z]+\.\w+)", str(hyena_mlir.hyena()))


def test_run_hyena():
    """The example that shows how to run a file does not run."""
    done = subprocess.run([sys.executable, ROOT / "examples/run_hyena.py", "2"],
                          capture_output=True, text=True, env=environment(), check=True)
    distance = float(re.search(r"relative L2 distance (\S+)", done.stdout)[1])
    assert distance <= 1e-6
