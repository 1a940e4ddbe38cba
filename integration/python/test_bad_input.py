# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every mistake is one exception that names the argument, what was found and
what is allowed."""

import numpy as np
import pytest
from operators import random_arguments, small, weights

import hyena_mlir as hm


@pytest.fixture(scope="module")
def arguments():
    return random_arguments(small())


@pytest.fixture(scope="module")
def program(arguments):
    return hm.compile(small()).prepare(weights(small(), arguments))


@pytest.mark.parametrize("x, error, message", [
    (np.zeros((48, 8), np.float32), ValueError,
     r"argument 'x' has shape \(48, 8\); \(2, 48, 8\) is needed"),
    (np.zeros((2, 48, 9), np.float32), ValueError,
     r"argument 'x' has shape \(2, 48, 9\); \(2, 48, 8\) is needed"),
    (np.zeros((0, 48, 8), np.float32), ValueError,
     r"argument 'x' has shape \(0, 48, 8\); \(2, 48, 8\) is needed"),
    (np.zeros((2, 48, 8)), TypeError, r"argument 'x' has elements of f64; f32 is needed"),
    (np.zeros((2, 48, 8), np.uint16), TypeError,
     r"argument 'x' has elements of uint16; f32 is needed"),
    (np.zeros((2, 48, 16), np.float32)[:, :, ::2], ValueError,
     r"argument 'x' is not contiguous in row-major order"),
    (np.zeros((2, 8, 48), np.float32).transpose(0, 2, 1), ValueError,
     r"argument 'x' is not contiguous in row-major order"),
    (np.zeros((2, 48, 8), np.float32)[::-1], ValueError,
     r"argument 'x' is not contiguous in row-major order"),
    ([1.0, 2.0], TypeError, r"argument 'x' is of type list: it has neither __dlpack__"),
    (None, TypeError, r"argument 'x' is of type NoneType"),
], ids=["rank", "extent", "empty", "dtype", "uint16", "strided", "transposed", "reversed",
        "list", "none"])
def test_wrong_input(program, x, error, message):
    """An array that is read as if it were another."""
    with pytest.raises(error, match=message):
        program(x)


def test_misaligned(program):
    """An array whose elements lie across their natural boundary."""
    raw = np.zeros(2 * 48 * 8 * 4 + 1, np.uint8)
    x = raw[1:].view(np.float32).reshape(2, 48, 8)
    with pytest.raises(ValueError, match="argument 'x' is not aligned to its elements"):
        program(x)


@pytest.mark.parametrize("out, error, message", [
    (np.zeros((2, 48, 7), np.float32), ValueError, r"out 'result0' has shape \(2, 48, 7\)"),
    (np.zeros((2, 48, 8)), TypeError, r"out 'result0' has elements of f64; f32 is needed"),
    (np.zeros((2, 8, 48), np.float32).transpose(0, 2, 1), ValueError,
     r"out 'result0' is not contiguous"),
    ((np.zeros(1, np.float32),) * 2, ValueError, r"out: 2 arrays, the program has 1 result"),
], ids=["shape", "dtype", "transposed", "count"])
def test_wrong_out(program, arguments, out, error, message):
    """A result that is written past the end of its array."""
    with pytest.raises(error, match=message):
        program(arguments["x"], out=out)


def test_read_only_out(program, arguments):
    """Memory that its owner protects, written."""
    out = np.zeros((2, 48, 8), np.float32)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out 'result0' is read-only"):
        program(arguments["x"], out=out)


def test_out_overlaps_input():
    """A result over its own input: what is read late is already overwritten."""
    g = hm.Graph("f")
    u, h = g.input("u", (2, 4, 16)), g.input("h", (4, 16))
    g.output(g.fftconv(u, h))
    u, h = np.ones((2, 4, 16), np.float32), np.ones((4, 16), np.float32)
    with pytest.raises(ValueError, match="result0.* overlaps .*u"):
        hm.compile(g)(u, h, out=u)


def test_wrong_parameters(arguments):
    """A filter of another size, a missing one, one too many."""
    program, given = hm.compile(small()), weights(small(), arguments)
    with pytest.raises(RuntimeError, match=r"the 13 parameters \(pos, ...\) are not prepared"):
        program(arguments["x"])
    with pytest.raises(ValueError, match=r"parameter 'pos' has shape \(47, 1\); \(48, 1\)"):
        program.prepare({**given, "pos": np.zeros((47, 1), np.float32)})
    with pytest.raises(TypeError, match="prepare: parameter 'pos' is missing"):
        program.prepare({k: v for k, v in given.items() if k != "pos"})
    with pytest.raises(TypeError, match="prepare: there is no parameter 'scale'"):
        program.prepare({**given, "scale": given["pos"]})
    with pytest.raises(TypeError, match="prepare: 14 parameters given, 13 are needed"):
        program.prepare(*given.values(), given["pos"])


def test_wrong_call(program, arguments):
    """Arguments that go nowhere."""
    with pytest.raises(TypeError, match="call: argument 'x' is missing"):
        program()
    with pytest.raises(TypeError, match="call: there is no argument 'y'"):
        program(arguments["x"], y=1)
    with pytest.raises(TypeError, match="call: argument 'x' is given twice"):
        program(arguments["x"], x=arguments["x"])
    with pytest.raises(TypeError, match="call: 2 arguments given, 1 are needed"):
        program(arguments["x"], arguments["x"])


@pytest.mark.parametrize("threads", [0, -1, 4097, 1.5, True, "2"])
def test_wrong_threads(threads):
    """A number of threads that no machine has."""
    with pytest.raises(ValueError, match="threads is .*; allowed: 1 to 4096, or None"):
        hm.compile(small(), threads=threads)


def test_wrong_target():
    """A target that falls back to another in silence."""
    with pytest.raises(ValueError, match="target is 'tpu'; allowed: cpu, interpret"):
        hm.compile(small(), target="tpu")


def test_unknown_entry():
    """A function that is not there."""
    with pytest.raises(hm.CompileError, match="(?s)missing.*hyena"):
        hm.compile(small(), entry="missing")


def test_several_functions():
    """One of two functions, chosen by chance."""
    text = str(small(name="a")) + str(small(name="b"))
    with pytest.raises(hm.CompileError, match="(?s)a.*b"):
        hm.compile(text)
    assert [a.name for a in hm.compile(text, entry="b").inputs] == ["x"]


@pytest.mark.parametrize("text, message", [
    ("func.func @f(", r"<text>:1:"),
    ("", r"functions are: none"),
    ("func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<3x3xf32>) -> tensor<2x4x8xf32> {\n"
     "  %0 = hyena.shortconv %x, %w : (tensor<2x4x8xf32>, tensor<3x3xf32>)\n"
     "      -> tensor<2x4x8xf32>\n  return %0 : tensor<2x4x8xf32>\n}",
     r"<text>:2:.*hyena\.shortconv.*3.*4"),
    ("func.func @f(%x: tensor<2x4x0xf32>, %w: tensor<4x3xf32>) -> tensor<2x4x0xf32> {\n"
     "  %0 = hyena.shortconv %x, %w : (tensor<2x4x0xf32>, tensor<4x3xf32>)\n"
     "      -> tensor<2x4x0xf32>\n  return %0 : tensor<2x4x0xf32>\n}", r"<text>:2:.*1"),
], ids=["syntax", "empty", "channels", "length"])
def test_wrong_text(text, message):
    """A mistake in a graph that is reported without its place."""
    with pytest.raises(hm.CompileError, match="(?s)" + message):
        hm.compile(text)


def test_wrong_source(tmp_path):
    """A path that does not exist; something that is no source."""
    with pytest.raises(FileNotFoundError):
        hm.compile(tmp_path / "absent.mlir")
    with pytest.raises(TypeError, match="source is of type int"):
        hm.compile(3)
