# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graph of every case means what the upstream computes.

NumPy evaluates the graphs in float64, so that a failure here is a failure of a
builder, not of the compiler.
"""

import families
from cases import bounds, distances, reference
from evaluate import evaluate


def test_graph_reproduces_case(case):
    """A builder that mixes up streams, filters or skips would differ by 0.03."""
    tensors = case.tensors()
    graph, arguments = families.build(case, tensors, "f64")
    (y,) = evaluate(graph, {name: t.float64() for name, t in arguments.items()})
    rel, peak = distances(y, reference(case, tensors))
    assert rel <= 1e-11 and peak <= 1e-9, (rel, peak)


def test_graph_keeps_its_shape_with_dynamic_batch(case):
    """A dynamic batch would change what the graph computes."""
    tensors = case.tensors()
    graph, _ = families.build(case, tensors, "f32", batch="dynamic")
    shape = list(tensors["y"].shape)
    assert list(graph.results[0].shape) == [None] + shape[1:]


def test_bounds_are_those_of_the_readme(case):
    """Bounds that are too wide would let a wrong result pass."""
    tensors = case.tensors()
    rel, peak = bounds(case, tensors, "f32")
    assert rel <= 2e-2 and peak <= 0.2 if case.bfloat16 else rel <= 1e-4
