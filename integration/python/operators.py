# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs, arguments and expected results that the tests share."""

import numpy as np
from evaluate import evaluate

import hyena_mlir as hm

NUMPY = {"f32": np.float32, "f64": np.float64}


def small(dtype="f32", batch=2, length=48, **options):
    """The reference operator, small enough to compile in a moment."""
    return hm.hyena(batch, length, width=8, hidden=8, dtype=dtype, **options)


def random_arguments(graph, seed=0, batch=2):
    """One array for every argument, by name; dynamic extents become `batch`."""
    rng = np.random.default_rng(seed)
    return {
        v.name[1:]: rng.standard_normal(
            [batch if n is None else n for n in v.shape]).astype(NUMPY[v.dtype])
        for v in graph.arguments}


def expected(graph, arguments):
    """What the graph computes, in float64."""
    return evaluate(graph, {k: np.asarray(v, np.float64) for k, v in arguments.items()})


def weights(graph, arguments):
    return {name: arguments[name] for name in graph.params}


def inputs(graph, arguments):
    return [a for name, a in arguments.items() if name not in graph.params]


def rel_l2(a, b):
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    assert a.shape == b.shape
    return np.linalg.norm(a - b) / (np.linalg.norm(b) or 1.0)
