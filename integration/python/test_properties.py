# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random operators against NumPy in float64."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from operators import expected, random_arguments, rel_l2, weights

import hyena_mlir as hm

FEW = settings(max_examples=12, deadline=None, derandomize=True, database=None,
               suppress_health_check=list(HealthCheck))


@FEW
@given(batch=st.integers(1, 3), length=st.integers(1, 70), width=st.integers(1, 20),
       order=st.integers(1, 3), short=st.integers(1, 5),
       padding=st.sampled_from(["same", "causal"]), dynamic=st.booleans())
@pytest.mark.parametrize("target, dtype, bound", [("interpret", "f64", 1e-12),
                                                  ("cpu", "f32", 4e-6),
                                                  ("cpu", "f64", 1e-12)])
def test_operator(target, dtype, bound, batch, length, width, order, short, padding,
                  dynamic):
    """Sizes at which loads, stores or lanes run over."""
    graph = hm.hyena(None if dynamic else batch, length, width, order, short, 4, padding,
                     dtype)
    arguments = random_arguments(graph, length, batch)
    program = hm.compile(graph, target=target).prepare(weights(graph, arguments))
    assert rel_l2(program(arguments["x"]), expected(graph, arguments)[0]) <= bound


@FEW
@given(length=st.integers(1, 40), taps=st.integers(1, 45), groups=st.sampled_from([1, 2, 4]),
       mode=st.sampled_from(["causal", "bidirectional", "noncausal", "circular"]),
       skip=st.booleans(), data=st.data())
@pytest.mark.parametrize("target", ["interpret", "cpu"])
def test_convolution(target, length, taps, groups, mode, skip, data):
    """A lag, a group or a mode that is taken for another."""
    if mode == "circular":
        taps = min(taps, length)
    g = hm.Graph("conv", "f64")
    u, h = g.input("u", (2, 4, length)), g.param("h", (groups, taps))
    options = {"skip": g.param("d", (4,))} if skip else {}
    if mode == "bidirectional":
        options["reverse"] = g.param("r", (groups, data.draw(st.integers(1, 45))))
    if mode in ("noncausal", "circular"):
        options["lag0"] = data.draw(st.integers(0, taps - 1))
    g.output(g.fftconv(u, h, mode=mode, **options))
    arguments = random_arguments(g, taps)
    program = hm.compile(g, target=target).prepare(weights(g, arguments))
    assert rel_l2(program(arguments["u"]), expected(g, arguments)[0]) <= 1e-12


@FEW
@given(shape=st.lists(st.integers(0, 5), max_size=4).map(tuple),
       dtype=st.sampled_from([np.float32, np.float64, np.int64, np.complex64, np.float16]))
def test_any_other_array_is_refused(shape, dtype):
    """An array of another shape or type that gets through."""
    program = test_any_other_array_is_refused.program
    if shape == (2, 4, 3) and dtype == np.float32:
        return
    with pytest.raises((TypeError, ValueError), match="argument 'u' has"):
        program(np.zeros(shape, dtype))


@pytest.fixture(scope="module", autouse=True)
def _program():
    g = hm.Graph("gate")
    u = g.input("u", (2, 4, 3))
    g.output(g.gate(u, u))
    test_any_other_array_is_refused.program = hm.compile(g)
