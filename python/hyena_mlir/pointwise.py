# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise operations of a graph: arith and math on whole tensors."""

from __future__ import annotations

import math

from .ir import Op, Value, format_float
from .types import DTYPES, FLOATS, GraphError, TensorType, dtype_name, same_dim, show_shape

_BINARY = {"add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf",
           "div": "arith.divf", "max": "arith.maximumf", "min": "arith.minimumf",
           "pow": "math.powf"}
_UNARY = {"neg": "arith.negf", "abs": "math.absf", "exp": "math.exp",
          "log": "math.log", "sin": "math.sin", "cos": "math.cos", "erf": "math.erf",
          "tanh": "math.tanh", "sqrt": "math.sqrt", "rsqrt": "math.rsqrt"}


def _splat(value) -> str:
    """The text inside dense<...>: a number or nested lists of numbers."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_splat(v) for v in value) + "]"
    return format_float(float(value))


class PointwiseOps:
    """Mixed into Graph."""

    def _check_same(self, op: str, *values: Value) -> None:
        """All values have one shape (where it is known) and one element type."""
        first = values[0]
        for value in values:
            self._own(op, value)
            if value.rank != first.rank or not all(
                    same_dim(a, b) for a, b in zip(value.shape, first.shape)):
                raise GraphError(
                    f"{op}: operand {value} has shape {show_shape(value.shape)}, {first} "
                    f"has {show_shape(first.shape)}; they must be equal (broadcast one)")
        self._check_dtype(op, *values)

    def constant(self, value, shape=(), dtype=None) -> Value:
        """A constant: one number for every element, or nested lists of numbers."""
        type = TensorType.of(shape, dtype or self.dtype)
        if None in type.shape:
            raise GraphError(f"constant: shape {show_shape(type.shape)} is dynamic; make "
                             "a constant of shape () and broadcast it")
        result = self._new(type)
        text = f"{result} = arith.constant dense<{_splat(value)}> : {type}"
        result.op = Op("arith.constant", (), (result,), {"value": value}, text=[text])
        self.ops.append(result.op)
        return result

    def full_like(self, value: float, like: Value) -> Value:
        """One number in the shape and element type of `like`."""
        if None not in like.shape:
            return self.constant(value, like.shape, like.dtype)
        return self.broadcast(self.constant(value, (), like.dtype), like, [])

    def binary(self, kind: str, a, b) -> Value:
        """a kind b for add, sub, mul, div, max, min, pow; either may be a number."""
        if kind not in _BINARY:
            raise GraphError(f"binary: kind {kind!r} is not one of {', '.join(_BINARY)}")
        if not isinstance(a, Value):
            a = self.full_like(a, self._own(_BINARY[kind], b))
        if not isinstance(b, Value):
            b = self.full_like(b, a)
        self._check_same(_BINARY[kind], a, b)
        self._check_float(_BINARY[kind], a)
        return self._emit(_BINARY[kind], (a, b), [a.type], style="same")

    def unary(self, kind: str, x: Value) -> Value:
        """neg, abs, exp, log, sin, cos, erf, tanh, sqrt or rsqrt of every element."""
        if kind not in _UNARY:
            raise GraphError(f"unary: kind {kind!r} is not one of {', '.join(_UNARY)}")
        self._check_float(_UNARY[kind], x)
        return self._emit(_UNARY[kind], (x,), [x.type], style="same")

    def _check_float(self, op: str, x: Value) -> None:
        self._own(op, x)
        if x.dtype not in FLOATS:
            raise GraphError(f"{op}: operand {x} has elements of {DTYPES[x.dtype]}; one "
                             f"of {', '.join(FLOATS)} is needed")

    def exp(self, x: Value) -> Value:
        return self.unary("exp", x)

    def sin(self, x: Value) -> Value:
        return self.unary("sin", x)

    def cos(self, x: Value) -> Value:
        return self.unary("cos", x)

    def abs(self, x: Value) -> Value:
        return self.unary("abs", x)

    def sqrt(self, x: Value) -> Value:
        return self.unary("sqrt", x)

    def sigmoid(self, x: Value) -> Value:
        """1 / (1 + exp(-x))"""
        return 1.0 / (self.exp(-x) + 1.0)

    def silu(self, x: Value) -> Value:
        """x / (1 + exp(-x))"""
        return x / (self.exp(-x) + 1.0)

    def gelu(self, x: Value, approximate: str = "none") -> Value:
        """x times the normal distribution function, or its tanh approximation."""
        if approximate == "tanh":
            inner = (x + x * x * x * 0.044715) * math.sqrt(2.0 / math.pi)
            return x * 0.5 * (self.unary("tanh", inner) + 1.0)
        if approximate != "none":
            raise GraphError(f"gelu: approximate is {approximate!r}; allowed: none, tanh")
        return x * 0.5 * (self.unary("erf", x * math.sqrt(0.5)) + 1.0)
