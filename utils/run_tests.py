#!/usr/bin/env python3
# ===- run_tests.py - run every test suite and add up the results ----------===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs the suites one after another, all of them even if one fails.

The last line is `N passed, N failed, N skipped` over all suites. The exit
status is 1 if any suite's command failed or if a suite ran no test at all.
"""

import argparse
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Without effect on what is not instrumented. LLVM's allocators, which are not,
# must not poison memory for what is; its singletons are no leaks.
SANITIZERS = {
    "ASAN_OPTIONS": "allow_user_poisoning=0:detect_leaks=0:detect_odr_violation=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


@dataclass
class Suite:
    """One command. `junit` is the JUnit XML file that it writes; a suite
    without one counts as a single test."""

    name: str
    command: list
    junit: Path = None
    environment: dict = None
    may_be_empty: bool = False


@dataclass
class Result:
    """What a suite did, in numbers of tests."""

    name: str
    passed: int
    failed: int
    skipped: int
    seconds: float


def suites(build: Path, jobs: int, full: bool):
    """Every suite, cheapest first."""
    python = sys.executable
    reports = build / "test-reports"
    lit = cached(build, "LLVM_EXTERNAL_LIT")

    def lit_suite(name, *parameters):
        report = reports / f"{name}.xml"
        return Suite(
            name,
            [lit, "-q", f"-j{jobs}", f"--xunit-xml-output={report}"]
            + [f"-D{parameter}" for parameter in parameters]
            + [str(build / "test")],
            report,
        )

    yield Suite("style", [python, "utils/check_style.py"])
    yield Suite("tidy", [python, "utils/tidy.py", "--build", str(build), "--changed"])
    yield Suite(
        "unit",
        ["ctest", "--test-dir", str(build), "-j", str(jobs)]
        + ["--output-on-failure", "--no-tests=error"]
        + ["--output-junit", str(reports / "unit.xml")],
        reports / "unit.xml",
    )
    if full:
        for program in sorted((build / "unittests").glob("*Tests")):
            report = reports / f"{program.name}.xml"
            yield Suite(
                program.name,
                [str(program), "--gtest_also_run_disabled_tests"]
                + ["--gtest_filter=*DISABLED_*Sweep*", f"--gtest_output=xml:{report}"],
                report,
                may_be_empty=True,
            )
    yield lit_suite("lit")
    yield lit_suite("lit-roundtrip", "verify_roundtrip=1")
    yield lit_suite("lit-plugin", "use_plugin=1")
    yield Suite(
        "pytest",
        [python, "-m", "pytest", "-q", f"--junitxml={reports / 'pytest.xml'}"],
        reports / "pytest.xml",
        {
            "HYENA_BUILD_DIR": str(build),
            "HYENA_TEST_FULL": "1" if full else "",
            # Python is not instrumented, so it has to load the runtime first.
            "LD_PRELOAD": cached(build, "HYENA_ASAN_RUNTIME"),
        },
    )


def cached(build: Path, name: str) -> str:
    """A variable of CMake's cache, empty if it is not there."""
    cache = build / "CMakeCache.txt"
    if not cache.exists():
        sys.exit(f"run_tests.py: {build} is not configured")
    found = re.search(rf"^{name}:\w+=(.*)$", cache.read_text(), flags=re.M)
    return found.group(1) if found else ""


def count(junit: Path):
    """(passed, failed, skipped) in a JUnit XML file; (0, 0, 0) without one."""
    if not junit.exists():
        return 0, 0, 0
    cases = list(ElementTree.parse(junit).getroot().iter("testcase"))
    failed = sum(
        case.find("failure") is not None or case.find("error") is not None
        for case in cases
    )
    # GoogleTest's DISABLED_ tests have a status of their own in CTest's file.
    skipped = sum(
        case.find("skipped") is not None or case.get("status") in ("disabled", "notrun")
        for case in cases
    )
    return len(cases) - failed - skipped, failed, skipped


def run(suite: Suite) -> Result:
    """Runs one suite, its output shown as it comes."""
    print(f"\n==> {suite.name}: {' '.join(map(str, suite.command))}", flush=True)
    if suite.junit:
        suite.junit.parent.mkdir(parents=True, exist_ok=True)
        suite.junit.unlink(missing_ok=True)
    start = time.monotonic()
    environment = {**os.environ, **SANITIZERS, **(suite.environment or {})}
    status = subprocess.call(suite.command, cwd=ROOT, env=environment)
    seconds = time.monotonic() - start
    if suite.junit:
        passed, failed, skipped = count(suite.junit)
    else:
        passed, failed, skipped = int(status == 0), int(status != 0), 0
    if failed == 0 and (status != 0 or (passed == 0 and not suite.may_be_empty)):
        # A crash of the runner, or a suite that ran nothing, must not pass.
        print(f"==> {suite.name}: exit status {status}, {passed} tests passed")
        failed = 1
    return Result(suite.name, passed, failed, skipped, seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--full", action="store_true", help="also the long sweeps")
    parser.add_argument("--skip", nargs="*", default=[], help="suites to leave out")
    parser.add_argument("names", nargs="*", metavar="SUITE", help="default: all")
    options = parser.parse_args()

    chosen = list(suites(options.build.resolve(), options.jobs, options.full))
    known = [suite.name for suite in chosen]
    for name in options.names + options.skip:
        if name not in known:
            parser.error(f"no suite '{name}'; there are: {', '.join(known)}")
    results = [
        run(suite)
        for suite in chosen
        if suite.name not in options.skip
        and (not options.names or suite.name in options.names)
    ]

    print()
    for result in results:
        print(
            f"{result.name:20} {result.passed:6} passed {result.failed:4} failed"
            f" {result.skipped:4} skipped {result.seconds:7.1f} s"
        )
    failed = sum(result.failed for result in results)
    print(
        f"\n{sum(result.passed for result in results)} passed, {failed} failed, "
        f"{sum(result.skipped for result in results)} skipped"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
