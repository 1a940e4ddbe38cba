# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One test per case of the chosen directory and target."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cases import read_cases  # noqa: E402


def pytest_generate_tests(metafunc):
    config = metafunc.config
    if "target" in metafunc.fixturenames:
        target = config.getoption("--target")
        metafunc.parametrize("target", [target] if target else ["interpret", "cpu"])
    if "case" in metafunc.fixturenames:
        cases = read_cases(config.getoption("--golden-dir"))
        metafunc.parametrize("case", cases, ids=[case.id for case in cases])


@pytest.fixture
def workdir(request, tmp_path):
    """Where graphs, arguments and results are written."""
    keep = request.config.getoption("--keep")
    if keep is None:
        return tmp_path
    keep.mkdir(parents=True, exist_ok=True)
    return keep.resolve()


_LINES = []


@pytest.fixture
def report():
    """Keeps a line for the summary."""
    return _LINES.append


def pytest_terminal_summary(terminalreporter):
    if _LINES:
        terminalreporter.section("distance from the golden values: rel_l2, max / rms")
        for line in _LINES:
            terminalreporter.write_line(line)
