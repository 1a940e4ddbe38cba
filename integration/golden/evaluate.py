# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates a graph in float64 with NumPy, for tests of the builders.

It shares nothing with the compiler: a wrong graph shows here before any of the
compiled code runs. Long convolutions go through NumPy's FFT.
"""

from __future__ import annotations

from math import erf
from typing import Dict, List

import numpy as np

from hyena_mlir import Graph
from hyena_mlir.ir import Op

BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
          "maximum": np.maximum, "minimum": np.minimum}
UNARY = {"neg": np.negative, "abs": np.abs, "exp": np.exp, "log": np.log, "sin": np.sin,
         "cos": np.cos, "tanh": np.tanh, "sqrt": np.sqrt, "erf": np.vectorize(erf),
         "rsqrt": lambda x: 1 / np.sqrt(x), "re": np.real, "im": np.imag,
         "extf": lambda x: x, "truncf": lambda x: x}


def pointwise(name: str, operands):
    """arith, math and complex operations, on arrays of one shape or on elements."""
    kind = name.split(".")[1]
    if kind == "create":
        return operands[0] + 1j * operands[1]
    if kind in ("re", "im", "extf", "truncf", "erf"):
        return UNARY[kind](*operands)
    kind = {"negf": "neg", "absf": "abs"}.get(kind, kind)
    if kind in UNARY:
        return UNARY[kind](*operands)
    return BINARY[kind.rstrip("f")](*operands)


def attr(op: Op, name: str, default):
    value = op.attrs.get(name, default)
    return getattr(value, "value", value)


def last(x: np.ndarray, op: Op) -> np.ndarray:
    """The activation with time last."""
    return x if attr(op, "layout", "channels_first") == "channels_first" \
        else np.swapaxes(x, 1, 2)


def project(op, x, w, bias=0.0):
    if attr(op, "input_layout", "channels_last") == "channels_first":
        x = np.swapaxes(x, 1, 2)
    y = x @ w.T + bias
    first = attr(op, "result_layout", "channels_last") == "channels_first"
    return np.swapaxes(y, 1, 2) if first else y


def chunk(op, x):
    streams = len(op.results)
    axis = 2 if attr(op, "layout", "channels_last") == "channels_last" else 1
    width = x.shape[axis] // streams
    arrangement, c = attr(op, "arrangement", "blocks"), np.arange(width)
    hd = width // op.attrs.get("heads", 1)
    at = {"blocks": lambda s: s * width + c, "interleaved": lambda s: streams * c + s,
          "per_head": lambda s: c // hd * streams * hd + s * hd + c % hd}[arrangement]
    return [np.take(x, at(s), axis) for s in range(streams)]


def shortconv(op, x, w, bias=None):
    x, taps = last(x, op), w.shape[1]
    w = np.repeat(w, x.shape[1] // w.shape[0], 0)
    if attr(op, "tap_order", "newest_last") == "lag0_first":
        w = w[:, ::-1]
    kind = attr(op, "padding", "causal")
    low = {"causal": taps - 1, "same": taps // 2}.get(kind, op.attrs.get("pad_low"))
    length = x.shape[2] if kind != "explicit" \
        else x.shape[2] + low + op.attrs["pad_high"] - taps + 1
    padded = np.pad(x, ((0, 0), (0, 0), (low, length + taps)))
    y = sum(w[:, k, None] * padded[:, :, k:k + length] for k in range(taps))
    return last(y if bias is None else y + bias[:, None], op)


def fftconv(op, u, h, reverse=None, skip=None):
    u = last(u, op)
    length, channels = u.shape[2], u.shape[1]
    if attr(op, "tap_order", "lag0_first") == "newest_last":
        h = h[:, ::-1]
    mode, taps = attr(op, "mode", "causal"), h.shape[1]
    lag0 = op.attrs.get("lag0", (taps - 1) // 2) if mode in ("noncausal", "circular") else 0
    n = length if mode == "circular" else 2 * (length + taps)
    ring = np.zeros((channels, n))
    h = np.repeat(h, channels // h.shape[0], 0)
    for i in range(taps):
        if mode == "circular" or -length < i - lag0 < length:
            ring[:, (i - lag0) % n] += h[:, i]
    if reverse is not None:
        for j in range(min(reverse.shape[1], length - 1)):
            ring[:, -1 - j] += np.repeat(reverse, channels // reverse.shape[0], 0)[:, j]
    y = np.fft.irfft(np.fft.rfft(u, n) * np.fft.rfft(ring), n)[..., :length]
    if skip is not None:
        y = y + np.repeat(skip, channels // len(skip))[:, None] * u
    return last(y, op)


def modal(op, poles, residues):
    t = np.arange(op.attrs["length"])
    log = poles if attr(op, "form", "pole") == "log_pole" else np.log(poles + 0j)
    return np.einsum("cs,cst->ct", residues, np.exp(log[..., None] * t)).real


def broadcast(op, x, like):
    shape = [1] * like.ndim
    for i, d in enumerate(op.attrs["dims"]):
        shape[d] = x.shape[i]
    return np.broadcast_to(x.reshape(shape), like.shape)


def generic(op, *values):
    """One axis per letter, then the body on whole arrays, then the sum."""
    terms, output = op.attrs["terms"], op.attrs["output"]
    loops = list(output) + sorted({c for t in terms for c in t} - set(output))
    known = {}
    for term, value, arg in zip(terms, values, op.body.args):
        order = sorted(range(len(term)), key=lambda d: loops.index(term[d]))
        shape = [1] * len(loops)
        for d in order:
            shape[loops.index(term[d])] = value.shape[d]
        known[arg.name] = value.transpose(order).reshape(shape)
    known[op.body.args[-1].name] = 0.0
    for element in op.body.ops:
        known[element.result.name] = np.float64(element.value) \
            if element.name.endswith(".constant") else pointwise(
                element.name, [known[o.name] for o in element.operands])
    result = known[op.body.result.name]
    sizes = {c: v.shape[d] for t, v in zip(terms, values) for d, c in enumerate(t)}
    result = np.broadcast_to(result, [sizes[c] for c in loops])
    return result.sum(axis=tuple(range(len(output), len(loops))))


def evaluate(graph: Graph, arguments: Dict[str, np.ndarray]) -> List[np.ndarray]:
    """The values of all results, in their order."""
    env = {v.name: arguments[v.name[1:]] for v in graph.arguments}
    for op in graph.ops:
        if op.name in ("tensor.empty", "tensor.dim"):
            for result in op.results:
                env[result.name] = None
            continue
        x = [env[v.name] for v in op.operands]
        groups = {k: env[v.name] for k, v in op.groups.items()}
        name = op.name
        if name == "arith.constant":
            y = np.broadcast_to(np.float64(op.attrs["value"]), op.results[0].shape)
        elif name == "linalg.fill":
            y = np.zeros(op.results[0].shape)
        elif name == "linalg.generic":
            y = generic(op, *x[:-1])
        elif name in ("tensor.expand_shape", "tensor.collapse_shape"):
            y = x[0].reshape(op.results[0].shape)
        elif name in ("tensor.extract_slice", "hyena.truncate"):
            start, step = op.attrs.get("offset", 0), op.attrs.get("stride", 1)
            index = [slice(None)] * x[0].ndim
            index[op.attrs["dim"]] = slice(
                start, start + (op.attrs["length"] - 1) * step + 1, step)
            y = x[0][tuple(index)]
        elif name == "hyena.pad":
            pads = [(0, 0)] * x[0].ndim
            pads[op.attrs["dim"]] = (op.attrs["low"], op.attrs["high"])
            y = np.pad(x[0], pads)
        elif name == "hyena.chunk":
            for result, part in zip(op.results, chunk(op, x[0])):
                env[result.name] = part
            continue
        elif name.startswith("hyena."):
            y = HYENA[name[6:]](op, *x, **groups)
        else:
            y = pointwise(name, x)
        env[op.results[0].name] = y
    return [env[v.name] for v in graph.results]


def gate(op, *factors):
    return np.prod(np.stack(factors), axis=0)


def spectral_mul(op, a, b):
    return a * (np.repeat(b, a.shape[1] // b.shape[0], 0) if b.ndim < a.ndim else b)


HYENA = {
    "project": project, "shortconv": shortconv, "fftconv": fftconv, "gate": gate,
    "modal_filter": modal, "broadcast": broadcast, "spectral_mul": spectral_mul,
    "transpose": lambda op, x: np.swapaxes(x, -1, -2),
    "flip": lambda op, x: np.flip(x, op.attrs["dim"]),
    "rfft": lambda op, x: np.fft.rfft(x, op.attrs["n"]),
    "irfft": lambda op, x: np.fft.irfft(x, op.attrs["n"]),
}
