# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled convolution is wrong at some length, filter, width or mode.

Every case is compiled once, with a dynamic batch, and compared with direct sums
in float64. By default a covering set runs (every pair of values occurs); with
--full-sweep every combination does, and a summary is written.
"""

import hyena_mlir
import numpy as np
import pytest
from sweep import (BATCHES, BOUNDS, SweepOperator, case_name, errors, illegal_cases,
                   sweep_cases)

# The oracle sums directly and in double precision: long cases cost seconds.
INTERPRETED_LENGTH = 129


def has_prefix(case) -> bool:
    return case["mode"] == "causal" and case["length"] > 1


def is_interpreted(case) -> bool:
    return case["length"] <= INTERPRETED_LENGTH


def pytest_generate_tests(metafunc):
    if "case" in metafunc.fixturenames:
        cases = sweep_cases(metafunc.config.getoption("--full-sweep"))
        wanted = {"test_prefix": has_prefix, "test_interpreter": is_interpreted}
        keep = wanted.get(metafunc.function.__name__, lambda case: True)
        metafunc.parametrize("case", [c for c in cases if keep(c)], ids=case_name)


def assert_close(what, found, expected, dtype, record):
    assert found.shape == expected.shape
    rel, largest = errors(found, expected)
    record(what, rel, largest, dtype)
    bound, bound_largest = BOUNDS[dtype]
    assert rel <= bound, f"{what}: relative error {rel:.3g}, allowed {bound}"
    assert largest <= bound_largest, \
        f"{what}: largest error {largest:.3g} of the rms, allowed {bound_largest}"


def run(program, weights, p):
    # A result that is not written must show.
    out = np.full((p.shape[0], p.shape[1], p.shape[2] // 2), np.nan, p.dtype)
    program.prepare(weights)
    return program(p, out=out)


def test_cpu(case, sweep_record):
    """The fused program on the CPU differs from direct sums."""
    operator = SweepOperator(**case)
    rng = operator.random()
    weights = operator.weights(rng)
    program = hyena_mlir.compile(operator.graph(), threads=2)
    for batch in BATCHES:
        p = operator.array(rng.standard_normal((batch, operator.length,
                                                2 * operator.width)))
        found = run(program, weights, p)
        assert_close(f"batch {batch}", found, operator.expected(p, weights),
                     operator.dtype, sweep_record)

    position = (operator.length - 1) // 2
    p, ones, expected = operator.impulse(position, weights)
    assert_close("impulse", run(program, ones, p), expected, operator.dtype,
                 sweep_record)

    if has_prefix(case):
        # What comes later must not change what came before.
        prefix = operator.length // 2
        p = operator.array(rng.standard_normal((1, operator.length, 2 * operator.width)))
        changed = p.copy()
        changed[:, prefix:] = rng.standard_normal(changed[:, prefix:].shape)
        full, other = run(program, weights, p), run(program, weights, changed)
        assert_close("prefix of a changed signal", other[:, :prefix],
                     full[:, :prefix].astype(np.float64), operator.dtype, sweep_record)


def test_prefix(case, sweep_record):
    """The result of a prefix, compiled for its length, is no prefix of the result."""
    operator = SweepOperator(**case)
    rng = operator.random()
    weights = operator.weights(rng)
    p = operator.array(rng.standard_normal((1, operator.length, 2 * operator.width)))
    prefix = SweepOperator(**case)
    prefix.length = max(1, operator.length * 2 // 3)
    found = run(hyena_mlir.compile(prefix.graph(), threads=1), weights,
                np.ascontiguousarray(p[:, :prefix.length]))
    expected = operator.expected(p, weights)[:, :prefix.length]
    assert_close("prefix", found, expected, operator.dtype, sweep_record)


def test_interpreter(case, sweep_record):
    """The oracle differs from direct sums."""
    operator = SweepOperator(**{**case, "dtype": "f64"})
    rng = operator.random()
    weights = operator.weights(rng)
    program = hyena_mlir.compile(operator.graph(), target="interpret")
    p = operator.array(rng.standard_normal((3, operator.length, 2 * operator.width)))
    assert_close("oracle", run(program, weights, p), operator.expected(p, weights),
                 "f64", sweep_record)


@pytest.mark.parametrize("illegal", illegal_cases(), ids=case_name)
def test_refused(illegal):
    """A filter without taps, or a circular one longer than the signal, compiles."""
    operator = SweepOperator(**illegal)
    d, k = operator.width, operator.taps
    length = operator.length
    lag0 = "" if operator.lag0 is None else f", lag0 = {operator.lag0} : i64"
    reverse = " reverse(%h)" if operator.mode == "bidirectional" else ""
    operands = f"tensor<1x{d}x{length}xf32>, tensor<{d}x{k}xf32>"
    if reverse:
        operands += f", tensor<{d}x{k}xf32>"
    text = f"""
        func.func @f(%u: tensor<1x{d}x{length}xf32>, %h: tensor<{d}x{k}xf32>)
            -> tensor<1x{d}x{length}xf32> {{
          %y = hyena.fftconv %u, %h{reverse} {{mode = #hyena.conv_mode<{operator.mode}>{lag0}}}
              : ({operands}) -> tensor<1x{d}x{length}xf32>
          return %y : tensor<1x{d}x{length}xf32>
        }}"""
    constraint = "C2: the filter" if k < 1 else "C7: the circular filter"
    with pytest.raises(hyena_mlir.CompileError, match=constraint):
        hyena_mlir.compile(text)
