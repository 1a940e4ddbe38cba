# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the integration tests share: the build folder and the command line."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BUILD = Path(os.environ.get("HYENA_BUILD_DIR") or ROOT / "build")

# The package beside its extension where that is built, else its source.
PACKAGE = BUILD / "python" if (BUILD / "python/hyena_mlir").exists() else ROOT / "python"
sys.path.insert(0, str(PACKAGE))


def pytest_addoption(parser):
    group = parser.getgroup("hyena")
    group.addoption("--golden-dir", type=Path, default=ROOT / "integration/golden/data",
                    help="golden cases: a directory with index.json (default: the copy "
                    "kept in integration/golden/data)")
    group.addoption("--target", choices=("interpret", "cpu"), default=None,
                    help="what runs the golden cases (default: one after the other)")
    group.addoption("--hyena-run", type=Path, default=BUILD / "bin/hyena-run",
                    help="the tool that runs them (default: that of the build folder)")
    group.addoption("--keep", type=Path, default=None,
                    help="directory in which their graphs and arguments are left")
    group.addoption("--full-sweep", action="store_true",
                    default=bool(os.environ.get("HYENA_TEST_FULL")),
                    help="run every combination of the sweep, not a covering set "
                    "(default: if HYENA_TEST_FULL is set)")
    group.addoption("--sweep-summary", type=Path, default=None,
                    help="file that gets the largest errors of the sweep, as JSON")


@pytest.fixture(scope="session")
def build_dir():
    return BUILD


@pytest.fixture(scope="session")
def hyena_run(request):
    """The path of hyena-run; a test that needs it fails without it."""
    tool = request.config.getoption("--hyena-run")
    if not tool.exists():
        pytest.fail(f"{tool} does not exist: build the project, or name another with "
                    "--hyena-run")
    return tool.resolve()
