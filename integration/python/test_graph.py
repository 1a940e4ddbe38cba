# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graph builder: its text, its shapes and its errors."""

import re

import pytest

from hyena_mlir import Graph, GraphError, hyena


def text_of(graph):
    """The text, one space for every run of white space."""
    return re.sub(r"\s+", " ", str(graph)).strip()


def one_op(build, *arguments, dtype="f32"):
    """The single operation that `build` adds, as text."""
    g = Graph("f", dtype)
    values = [g.input(f"a{i}", shape) for i, shape in enumerate(arguments)]
    result = build(g, *values)
    g.output(*(result if isinstance(result, tuple) else (result,)))
    body = text_of(g).split(" { ", 1)[1]
    return body[:body.rindex(" return ")]


CASES = [
    (lambda g, x, w: g.project(x, w), [(2, 8, 4), (6, 4)],
     "%0 = hyena.project %a0, %a1 : (tensor<2x8x4xf32>, tensor<6x4xf32>) "
     "-> tensor<2x8x6xf32>"),
    (lambda g, x, w, b: g.project(x, w, b, result_layout="channels_first"),
     [(None, None, 4), (6, 4), (6,)],
     "%0 = hyena.project %a0, %a1 bias(%a2) "
     "{result_layout = #hyena.layout<channels_first>} : (tensor<?x?x4xf32>, "
     "tensor<6x4xf32>, tensor<6xf32>) -> tensor<?x6x?xf32>"),
    (lambda g, x: g.chunk(x, 2, arrangement="per_head", heads=2), [(1, 3, 8)],
     "%0, %1 = hyena.chunk %a0 {arrangement = #hyena.arrangement<per_head>, heads = 2} "
     ": (tensor<1x3x8xf32>) -> (tensor<1x3x4xf32>, tensor<1x3x4xf32>)"),
    (lambda g, x: g.chunk(x, 3, layout="channels_first"), [(1, 3, 8)],
     "%0, %1, %2 = hyena.chunk %a0 {layout = #hyena.layout<channels_first>} : "
     "(tensor<1x3x8xf32>) -> (tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>)"),
    (lambda g, x: g.transpose(x), [(2, 8, None)],
     "%0 = hyena.transpose %a0 : (tensor<2x8x?xf32>) -> tensor<2x?x8xf32>"),
    (lambda g, x, w, b: g.shortconv(x, w, b, padding="same"), [(2, 4, 8), (2, 3), (4,)],
     "%0 = hyena.shortconv %a0, %a1 bias(%a2) {padding = #hyena.padding<same>} : "
     "(tensor<2x4x8xf32>, tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x4x8xf32>"),
    (lambda g, x, w: g.shortconv(x, w, padding="explicit", pad_low=0, pad_high=4,
                                 tap_order="lag0_first"), [(1, 4, 5), (4, 5)],
     "%0 = hyena.shortconv %a0, %a1 {padding = #hyena.padding<explicit>, pad_low = 0, "
     "pad_high = 4, tap_order = #hyena.tap_order<lag0_first>} : (tensor<1x4x5xf32>, "
     "tensor<4x5xf32>) -> tensor<1x4x5xf32>"),
    (lambda g, u, h, d: g.fftconv(u, h, skip=d), [(2, 4, 8), (2, 9), (4,)],
     "%0 = hyena.fftconv %a0, %a1 skip(%a2) : (tensor<2x4x8xf32>, tensor<2x9xf32>, "
     "tensor<4xf32>) -> tensor<2x4x8xf32>"),
    (lambda g, u, h, r: g.fftconv(u, h, reverse=r, mode="bidirectional"),
     [(2, 4, 8), (4, 8), (4, 8)],
     "%0 = hyena.fftconv %a0, %a1 reverse(%a2) {mode = #hyena.conv_mode<bidirectional>} "
     ": (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>"),
    (lambda g, u, h: g.fftconv(u, h, mode="circular", lag0=2), [(2, 4, 8), (4, 5)],
     "%0 = hyena.fftconv %a0, %a1 {mode = #hyena.conv_mode<circular>, lag0 = 2} : "
     "(tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>"),
    (lambda g, a, b: g.gate(a, b), [(2, 4), (2, 4)],
     "%0 = hyena.gate %a0, %a1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>"),
    (lambda g, v, x: g.broadcast(v, x, [1]), [(4,), (2, 4, None)],
     "%0 = hyena.broadcast %a0 like %a1 {dims = array<i64: 1>} : (tensor<4xf32>, "
     "tensor<2x4x?xf32>) -> tensor<2x4x?xf32>"),
    (lambda g, p, r: g.modal_filter(p, r, 16, "log_pole"), [(4, 2), (4, 2)],
     "%0 = hyena.modal_filter %a0, %a1 {length = 16, form = #hyena.modal_form<log_pole>} "
     ": (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x16xf32>"),
    (lambda g, x: g.pad(x, -1, 0, 8), [(2, 8)],
     "%0 = hyena.pad %a0 {dim = 1, low = 0, high = 8} : (tensor<2x8xf32>) "
     "-> tensor<2x16xf32>"),
    (lambda g, x: g.truncate(x, 1, 5, 2), [(2, 8)],
     "%0 = hyena.truncate %a0 {dim = 1, offset = 2, length = 5} : (tensor<2x8xf32>) "
     "-> tensor<2x5xf32>"),
    (lambda g, x: g.flip(x, 1), [(2, 8)],
     "%0 = hyena.flip %a0 {dim = 1} : (tensor<2x8xf32>) -> tensor<2x8xf32>"),
    (lambda g, x: g.irfft(g.rfft(x, 16), 16), [(2, 8)],
     "%0 = hyena.rfft %a0 {n = 16} : (tensor<2x8xf32>) -> tensor<2x9xcomplex<f32>> "
     "%1 = hyena.irfft %0 {n = 16} : (tensor<2x9xcomplex<f32>>) -> tensor<2x16xf32>"),
    (lambda g, x: x * 2.0 - x, [(2,)],
     "%0 = arith.constant dense<2.0> : tensor<2xf32> %1 = arith.mulf %a0, %0 : "
     "tensor<2xf32> %2 = arith.subf %1, %a0 : tensor<2xf32>"),
    (lambda g, x: x + 1e-5, [(None,)],
     "%0 = arith.constant dense<1.0e-05> : tensor<f32> %1 = hyena.broadcast %0 like %a0 "
     "{dims = array<i64>} : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32> "
     "%2 = arith.addf %a0, %1 : tensor<?xf32>"),
    (lambda g, x: g.cast(g.cast(x, "bf16"), "f32"), [(2,)],
     "%0 = arith.truncf %a0 : tensor<2xf32> to tensor<2xbf16> "
     "%1 = arith.extf %0 : tensor<2xbf16> to tensor<2xf32>"),
    (lambda g, x: g.slice(x, 1, 1, 2, 3), [(2, 8)],
     "%0 = tensor.extract_slice %a0[0, 1] [2, 2] [1, 3] : tensor<2x8xf32> "
     "to tensor<2x2xf32>"),
    (lambda g, x: g.collapse(g.expand(x, 1, (2, 4)), 1, 2), [(3, 8)],
     "%0 = tensor.expand_shape %a0 [[0], [1, 2]] output_shape [3, 2, 4] : "
     "tensor<3x8xf32> into tensor<3x2x4xf32> %1 = tensor.collapse_shape %0 "
     "[[0], [1, 2]] : tensor<3x2x4xf32> into tensor<3x8xf32>"),
    (lambda g, a, b: g.einsum("ik,jk->ij", a, b), [(2, 3), (4, 3)],
     "%0 = tensor.empty() : tensor<2x4xf32> %1 = arith.constant 0.0 : f32 "
     "%2 = linalg.fill ins(%1 : f32) outs(%0 : tensor<2x4xf32>) -> tensor<2x4xf32> "
     "%3 = linalg.generic { indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, "
     "affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], "
     'iterator_types = ["parallel", "parallel", "reduction"]} '
     "ins(%a0, %a1 : tensor<2x3xf32>, tensor<4x3xf32>) outs(%2 : tensor<2x4xf32>) { "
     "^bb0(%in0: f32, %in1: f32, %out: f32): %s0 = arith.mulf %in0, %in1 : f32 "
     "%s1 = arith.addf %out, %s0 : f32 linalg.yield %s1 : f32 } -> tensor<2x4xf32>"),
    (lambda g, a, b: g.generic("i,i->i", [a, b], lambda e, x, y: e.complex(x, y) * 2.0),
     [(3,), (3,)],
     "%0 = tensor.empty() : tensor<3xcomplex<f32>> %1 = linalg.generic { indexing_maps = "
     "[affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], "
     'iterator_types = ["parallel"]} ins(%a0, %a1 : tensor<3xf32>, tensor<3xf32>) '
     "outs(%0 : tensor<3xcomplex<f32>>) { ^bb0(%in0: f32, %in1: f32, %out: complex<f32>): "
     "%s0 = complex.create %in0, %in1 : complex<f32> "
     "%s1 = complex.constant [2.0 : f32, 0.0 : f32] : complex<f32> "
     "%s2 = complex.mul %s0, %s1 : complex<f32> linalg.yield %s2 : complex<f32> } "
     "-> tensor<3xcomplex<f32>>"),
]


@pytest.mark.parametrize("build, arguments, expected", CASES)
def test_text(build, arguments, expected):
    """Text that does not parse, or a wrong inferred type."""
    assert one_op(build, *arguments) == expected


ERRORS = [
    (lambda g, x, w: g.project(x, w), [(2, 8, 4), (6, 5)],
     "hyena.project: operand %a0 has 4 channels, the weight %a1 (6, 5) takes 5"),
    (lambda g, x, w, b: g.project(x, w, b), [(8, 4), (6, 4), (4,)],
     "hyena.project: bias %a2 has shape (4,); (6,) is needed"),
    (lambda g, x: g.chunk(x, 3), [(1, 4, 8)],
     "hyena.chunk: 3 streams do not divide the 8 channels of operand %a0"),
    (lambda g, x: g.chunk(x, 2), [(4, 8)],
     "hyena.chunk: operand %a0 has shape (4, 8) of rank 2; rank 3 is needed"),
    (lambda g, x: g.chunk(x, 2, heads=2), [(1, 4, 8)],
     "hyena.chunk: heads is 2 with arrangement blocks"),
    (lambda g, x, w: g.shortconv(x, w), [(1, 4, 8), (3, 3)],
     "hyena.shortconv: weight %a1 (3, 3) has 3 channels, which do not divide the 4"),
    (lambda g, x, w: g.shortconv(x, w, padding="valid"), [(1, 4, 8), (4, 3)],
     "hyena.shortconv: padding is 'valid'; allowed: causal, same, explicit"),
    (lambda g, x, w: g.shortconv(x, w, padding="explicit", pad_low=-1, pad_high=0),
     [(1, 4, 8), (4, 3)], "hyena.shortconv: pad_low is -1"),
    (lambda g, u, h: g.fftconv(u, h, mode="circular"), [(1, 4, 8), (4, 9)],
     "hyena.fftconv: a circular filter of 9 taps on a signal of 8 samples"),
    (lambda g, u, h: g.fftconv(u, h, mode="bidirectional"), [(1, 4, 8), (4, 8)],
     "hyena.fftconv: reverse is None with mode bidirectional"),
    (lambda g, u, h: g.fftconv(u, h, lag0=1), [(1, 4, 8), (4, 8)],
     "hyena.fftconv: lag0 is 1 with mode causal"),
    (lambda g, a, b: a * b, [(2, 3), (3,)],
     "arith.mulf: operand %a1 has shape (3,), %a0 has (2, 3); they must be equal"),
    (lambda g, x: g.gate(x), [(2,)], "hyena.gate: 1 factors; two at least are needed"),
    (lambda g, v, x: g.broadcast(v, x, [1]), [(4,), (2, 5)],
     "hyena.broadcast: dimension 0 of %a0 is 4, dimension 1 of %a1 is 5"),
    (lambda g, x: g.pad(x, 0, -1, 0), [(2,)],
     "hyena.pad: low -1 and high 0 are not negative"),
    (lambda g, x: g.truncate(x, 0, 5), [(4,)],
     "hyena.truncate: elements 0 to 4 of dimension 0 of %a0, which has 4"),
    (lambda g, x: g.irfft(x, 8), [(4,)], "hyena.irfft: operand %a0 is tensor<4xf32>"),
    (lambda g, a, b: g.einsum("ij,jk->ik", a, b), [(2, 3), (4, 5)],
     "linalg.generic: j of 'ij,jk->ik' is 4 in operand %a1 (4, 5) and 3 before it"),
    (lambda g, x: g.cast(x, "i64"), [(2,)], "cast: f32 to i64 of %a0"),
    (lambda g, x: g.expand(x, 0, (2, 3)), [(8,)],
     "tensor.expand_shape: dimension 0 of %a0 is 8, the sizes [2, 3]"),
]


@pytest.mark.parametrize("build, arguments, message", ERRORS)
def test_error(build, arguments, message):
    """A graph without meaning that goes through, or an error that names nothing."""
    with pytest.raises(GraphError) as error:
        one_op(build, *arguments)
    assert message in str(error.value)


def test_values_of_two_graphs_do_not_mix():
    """An operand of another graph would be an undefined name in the text."""
    a, b = Graph("a"), Graph("b")
    x, y = a.input("x", (2,)), b.input("y", (2,))
    with pytest.raises(GraphError, match="operand %y belongs to graph 'b', not to 'a'"):
        x + y


def test_dtypes_do_not_mix():
    """An addition of f32 and f64 would not verify."""
    g = Graph("f")
    x, y = g.input("x", (2,)), g.input("y", (2,), "f64")
    with pytest.raises(GraphError, match="%y has elements of f64, %x of f32; cast one"):
        x + y


def test_names_are_unique_and_spelled_as_mlir_allows():
    """Two arguments of one name, or a name that the parser refuses."""
    g = Graph("f")
    g.input("x", (2,))
    with pytest.raises(GraphError, match="'x' is declared twice"):
        g.param("x", (2,))
    with pytest.raises(GraphError, match="argument name '0x'"):
        g.input("0x", (2,))
    with pytest.raises(GraphError, match="parameter 'w' has shape"):
        g.param("w", (None,))


def test_no_output():
    """A function without a result."""
    with pytest.raises(GraphError, match="has no output"):
        str(Graph("f"))


def test_reference_operator():
    """The operator of the documentation, other than its text says."""
    text = text_of(hyena())
    assert text.startswith(
        "func.func @hyena( %x: tensor<2x2048x256xf32>, "
        "%pos: tensor<2048x1xf32> {hyena.param},")
    assert re.findall(r"hyena\.(\w+) %", text) == [
        "project", "chunk", "transpose", "shortconv", "transpose", "shortconv",
        "project", "project", "transpose", "transpose", "fftconv", "gate", "transpose",
        "project"]
    assert "arith.constant dense<0.7071067811865476> : tensor<2048x64xf32>" in text
    assert text.endswith("return %23 : tensor<2x2048x256xf32> }")


def test_dynamic_batch():
    """A batch that is fixed where it should not be."""
    assert "-> tensor<?x64x8xf64> {" in text_of(hyena(None, 64, 8, dtype="f64"))
