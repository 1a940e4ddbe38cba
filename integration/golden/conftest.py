# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of the golden tests, and one test per case of the chosen directory."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "python")]

import pytest  # noqa: E402

from cases import read_cases  # noqa: E402


def pytest_addoption(parser):
    group = parser.getgroup("golden")
    group.addoption("--golden-dir", type=Path, default=HERE / "data",
                    help="directory with index.json (default: the copy kept here)")
    group.addoption("--target", choices=("interpret", "cpu"), default="interpret",
                    help="what runs the graphs (default: interpret)")
    group.addoption("--hyena-run", type=Path, default=ROOT / "build/bin/hyena-run",
                    help="the tool that runs them (default: build/bin/hyena-run)")
    group.addoption("--keep", type=Path, default=None,
                    help="directory in which the graphs and arguments are left")


def pytest_generate_tests(metafunc):
    if "case" in metafunc.fixturenames:
        cases = read_cases(metafunc.config.getoption("--golden-dir"))
        metafunc.parametrize("case", cases, ids=[case.id for case in cases])


@pytest.fixture
def target(request):
    return request.config.getoption("--target")


@pytest.fixture
def hyena_run(request):
    tool = request.config.getoption("--hyena-run")
    if not tool.exists():
        pytest.fail(f"{tool} does not exist: build the project, or name another with "
                    "--hyena-run")
    return tool.resolve()


@pytest.fixture
def workdir(request, tmp_path):
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
        terminalreporter.section("distance from the golden values (rel_l2, max / rms)")
        for line in _LINES:
            terminalreporter.write_line(line)
