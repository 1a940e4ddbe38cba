# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The summary of the sweep."""

import json
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


class SweepErrors:
    """The largest errors seen, per element type and kind of check."""

    def __init__(self):
        self.worst, self.checks = {}, 0

    def __call__(self, what, rel, largest, dtype):
        self.checks += 1
        kind = what.split()[0]
        known = self.worst.setdefault(f"{dtype} {kind}", {"rel_l2": 0.0, "max_over_rms": 0.0})
        known["rel_l2"] = max(known["rel_l2"], rel)
        known["max_over_rms"] = max(known["max_over_rms"], largest)


@pytest.fixture(scope="session")
def sweep_errors(request):
    seen = SweepErrors()
    yield seen
    path = request.config.getoption("--sweep-summary")
    if path is None:
        return
    summary = {"full": request.config.getoption("--full-sweep"),
               "tests": request.session.testscollected,
               "failed": request.session.testsfailed,
               "checks": seen.checks, "largest_errors": seen.worst}
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    os.replace(partial, path)


@pytest.fixture
def sweep_record(sweep_errors):
    return sweep_errors
