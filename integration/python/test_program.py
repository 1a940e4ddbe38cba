# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled programs: results, parameters, shapes, what they show of themselves."""

import threading

import numpy as np
import pytest
from operators import expected, inputs, random_arguments, rel_l2, small, weights

import hyena_mlir as hm

TARGETS = ["interpret", "cpu"]


@pytest.fixture(scope="module")
def graph():
    return small()


@pytest.fixture(scope="module")
def program(graph):
    """A compiled program with its weights prepared. Tests leave it as it is."""
    arguments = random_arguments(graph)
    return hm.compile(graph, threads=2).prepare(weights(graph, arguments))


@pytest.mark.parametrize("dtype, bound", [("f32", 2e-6), ("f64", 1e-12)])
@pytest.mark.parametrize("target", TARGETS)
def test_result(target, dtype, bound):
    """A program that computes something else than its graph says."""
    graph = small(dtype)
    arguments = random_arguments(graph)
    program = hm.compile(graph, target=target).prepare(weights(graph, arguments))
    (want,) = expected(graph, arguments)
    got = program(arguments["x"])
    assert got.dtype == arguments["x"].dtype
    assert rel_l2(got, want) <= bound


def test_text_and_file(tmp_path, graph):
    """Text, a path and a graph that lead to different programs."""
    file = tmp_path / "small.mlir"
    file.write_text(str(graph))
    arguments = random_arguments(graph)
    results = [hm.compile(source).prepare(weights(graph, arguments))(arguments["x"])
               for source in (graph, str(graph), file, str(file))]
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])


def test_all_arguments_at_once(graph, program):
    """Weights that are given in a call and not used, or kept for the next."""
    first, second = random_arguments(graph, 0), random_arguments(graph, 1)
    kept = program(first["x"])
    whole = program(*second.values())
    assert rel_l2(whole, expected(graph, second)[0]) <= 2e-6
    np.testing.assert_array_equal(program(first["x"]), kept)


def test_prepare_again(graph):
    """Weights of the first preparation that stay, or a change that leaks in."""
    arguments = random_arguments(graph)
    program = hm.compile(graph).prepare(weights(graph, arguments))
    before = program(arguments["x"])
    arguments["out_proj.weight"] *= 2.0
    arguments["out_proj.bias"] *= 2.0
    np.testing.assert_array_equal(program(arguments["x"]), before)
    program.prepare(weights(graph, arguments))
    assert rel_l2(program(arguments["x"]), 2.0 * before) <= 1e-6


def test_parameters_in_order_and_by_name(graph):
    """Parameters that land in each other's place."""
    arguments = random_arguments(graph)
    given = weights(graph, arguments)
    underscored = {name.replace(".", "_"): value for name, value in given.items()}
    results = [hm.compile(graph).prepare(*given.values())(arguments["x"]),
               hm.compile(graph).prepare(given)(x=arguments["x"]),
               hm.compile(graph).prepare(**underscored)(arguments["x"])]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_out(graph, program):
    """`out` that is not written, or not what is returned."""
    x = random_arguments(graph)["x"]
    out = np.full((2, 48, 8), np.nan, np.float32)
    assert program(x, out=out) is out
    np.testing.assert_array_equal(out, program(x))


def test_inputs_are_not_written(graph, program):
    """Results that are computed in the memory of an input."""
    arguments = random_arguments(graph)
    x = arguments["x"].copy()
    x.flags.writeable = False
    program(x)
    np.testing.assert_array_equal(x, arguments["x"])


def test_several_results():
    """Results in the wrong order."""
    g = hm.Graph("two")
    u, h = g.input("u", (2, 4, 16)), g.param("h", (4, 16))
    c = g.fftconv(u, h)
    g.output(c, g.gate(c, u))
    arguments = random_arguments(g)
    program = hm.compile(g).prepare(arguments["h"])
    outs = [np.empty((2, 4, 16), np.float32) for _ in range(2)]
    assert [a is b for a, b in zip(program(arguments["u"], out=outs), outs)] == [True] * 2
    for got, want in zip(outs, expected(g, arguments)):
        assert rel_l2(got, want) <= 2e-6


def test_no_parameters():
    """A program that asks for parameters that it does not have."""
    g = hm.Graph("plain")
    u, h = g.input("u", (2, 4, 16)), g.input("h", (4, 16))
    g.output(g.fftconv(u, h))
    arguments = random_arguments(g)
    got = hm.compile(g)(*arguments.values())
    assert rel_l2(got, expected(g, arguments)[0]) <= 2e-6


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("batch", [0, 1, 3])
def test_dynamic_batch(target, batch):
    """A dynamic batch that is taken for another; a batch of 0 that is an error."""
    graph = small(batch=None)
    arguments = random_arguments(graph, batch=batch)
    program = hm.compile(graph, target=target).prepare(weights(graph, arguments))
    got = program(arguments["x"])
    assert got.shape == (batch, 48, 8)
    assert rel_l2(got, expected(graph, arguments)[0]) <= 2e-6


def test_threads_do_not_change_bits(graph):
    """Sums whose order depends on the number of threads."""
    arguments = random_arguments(graph)
    results = [hm.compile(graph, threads=n).prepare(weights(graph, arguments))(
        arguments["x"]) for n in (1, 2, 5)]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_calls_from_several_threads(graph, program):
    """A workspace that two calls share."""
    xs = [random_arguments(graph, seed)["x"] for seed in range(8)]
    want = [program(x) for x in xs]
    got, errors = {}, []

    def work(start):
        try:
            for i in range(40):
                at = (start + i) % len(xs)
                got[start, i] = (at, program(xs[at]))
        except Exception as error:  # reported below, in the test's own thread
            errors.append(error)
    threads = [threading.Thread(target=work, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(got) == 160
    for at, result in got.values():
        np.testing.assert_array_equal(result, want[at])


def test_lock_is_released():
    """A call that keeps other Python threads waiting until it is done."""
    graph = hm.hyena(1, 4096, 64, hidden=8)
    arguments = random_arguments(graph)
    program = hm.compile(graph, threads=1).prepare(weights(graph, arguments))
    ticks, done = [0], threading.Event()

    def tick():
        while not done.is_set():
            ticks[0] += 1
    thread = threading.Thread(target=tick)
    thread.start()
    try:
        for _ in range(20):
            program(arguments["x"])
    finally:
        done.set()
        thread.join()
    # With the lock held the other thread gets one turn between two calls.
    assert ticks[0] > 200


def test_description(program):
    """Names, shapes or kinds of arguments that are not those of the function."""
    assert [a.name for a in program.inputs] == ["x"]
    assert program.inputs[0] == ("x", "f32", (2, 48, 8), False)
    assert ("out_proj.bias", "f32", (8,), True) in program.params
    assert [r.shape for r in program.results] == [(2, 48, 8)]
    assert "x: f32 (2, 48, 8)" in repr(program)


def test_stages(program):
    """A stage that is missing, or shows another."""
    assert "hyena.fftconv" in program.ir("graph")
    assert program.ir("fused").count("hyena.fused_conv") == 1
    assert "exec.launch" in program.ir("exec")
    assert "llvm.func" in program.ir("llvm")
    with pytest.raises(ValueError, match="stage is 'ptx'; allowed: graph, fused"):
        program.ir("ptx")


def test_remarks(program):
    """A fusion that nobody is told of."""
    assert any("fuse" in remark.lower() for remark in program.remarks)


def test_workspace(program):
    """Working memory that cannot be known before a call."""
    assert program.workspace_bytes > 0
    assert program.workspace_bytes == program.workspace_bytes_for((2, 48, 8))
    dynamic = hm.compile(small(batch=None))
    with pytest.raises(ValueError, match="'x' has the dynamic shape .*workspace_bytes_for"):
        dynamic.workspace_bytes
    assert dynamic.workspace_bytes_for((4, 48, 8)) >= dynamic.workspace_bytes_for((1, 48, 8))


def test_inputs_in_place(graph, program):
    """Inputs that are copied: a view of other memory must work as well."""
    x = random_arguments(graph)["x"]
    wide = np.zeros((4, 48, 8), np.float32)
    wide[1:3] = x
    np.testing.assert_array_equal(program(wide[1:3]), program(x))
    assert inputs(graph, random_arguments(graph))[0].shape == x.shape
