# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values and operations of a graph, and their text.

An operation keeps its operands, attributes and result types as Python objects;
``str`` of it is MLIR. Nothing here knows what an operation means.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .types import COMPLEX_PARTS, DTYPES, TensorType


@dataclass(frozen=True)
class EnumAttr:
    """An enumeration attribute of the dialect: ``#hyena.conv_mode<causal>``."""

    kind: str
    value: str

    def __str__(self) -> str:
        return f"#hyena.{self.kind}<{self.value}>"


def format_float(value: float) -> str:
    """A float literal that MLIR reads back to the same bits."""
    if math.isnan(value) or math.isinf(value):
        raise ValueError(f"{value} has no decimal spelling in MLIR")
    text = repr(float(value))
    if "e" in text:
        mantissa, exponent = text.split("e")
        if "." not in mantissa:
            mantissa += ".0"
        return f"{mantissa}e{exponent}"
    return text


def format_attr(value: Any) -> str:
    """The spelling of an attribute value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        body = ", ".join(str(v) for v in value)
        return f"array<i64: {body}>" if value else "array<i64>"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


class Value:
    """The result of an operation or an argument of the function.

    ``+ - * /`` and unary minus work on values of one type, and with Python
    numbers; broadcasting is explicit (`Graph.broadcast`).
    """

    __slots__ = ("graph", "type", "name", "op")

    def __init__(self, graph, type: TensorType, name: str, op=None):
        self.graph, self.type, self.name, self.op = graph, type, name, op

    @property
    def shape(self):
        return self.type.shape

    @property
    def dtype(self) -> str:
        return self.type.dtype

    @property
    def rank(self) -> int:
        return self.type.rank

    def __add__(self, other):
        return self.graph.binary("add", self, other)

    def __radd__(self, other):
        return self.graph.binary("add", other, self)

    def __sub__(self, other):
        return self.graph.binary("sub", self, other)

    def __rsub__(self, other):
        return self.graph.binary("sub", other, self)

    def __mul__(self, other):
        return self.graph.binary("mul", self, other)

    def __rmul__(self, other):
        return self.graph.binary("mul", other, self)

    def __truediv__(self, other):
        return self.graph.binary("div", self, other)

    def __rtruediv__(self, other):
        return self.graph.binary("div", other, self)

    def __neg__(self):
        return self.graph.unary("neg", self)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.name} : {self.type}>"


class Scalar:
    """An element inside the body of a `Graph.generic`: its dtype and name."""

    __slots__ = ("body", "dtype", "name")

    def __init__(self, body: "Body", dtype: str, name: str):
        self.body, self.dtype, self.name = body, dtype, name

    def __add__(self, other):
        return self.body.binary("add", self, other)

    def __sub__(self, other):
        return self.body.binary("sub", self, other)

    def __mul__(self, other):
        return self.body.binary("mul", self, other)

    def __truediv__(self, other):
        return self.body.binary("div", self, other)

    def __rsub__(self, other):
        return self.body.binary("sub", other, self)

    def __rtruediv__(self, other):
        return self.body.binary("div", other, self)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self.body.unary("neg", self)

    def __str__(self) -> str:
        return self.name


@dataclass
class ScalarOp:
    """One operation on elements: ``name operands : type``."""

    name: str
    operands: Tuple[Scalar, ...]
    result: Scalar
    value: Optional[float] = None

    def __str__(self) -> str:
        head = f"{self.result.name} = {self.name}"
        of = DTYPES[self.result.dtype]
        if self.name == "arith.constant":
            return f"{head} {format_float(self.value)} : {of}"
        if self.name == "complex.constant":
            part = COMPLEX_PARTS[self.result.dtype]
            return f"{head} [{format_float(self.value)} : {part}, 0.0 : {part}] : {of}"
        args = ", ".join(o.name for o in self.operands)
        source = DTYPES[self.operands[0].dtype]
        if self.name in ("arith.extf", "arith.truncf"):
            return f"{head} {args} : {source} to {of}"
        if self.name in ("complex.re", "complex.im", "complex.abs"):
            return f"{head} {args} : {source}"
        return f"{head} {args} : {of}"


@dataclass
class Body:
    """The region of a linalg.generic: arguments, operations, what is yielded."""

    args: List[Scalar] = field(default_factory=list)
    ops: List[ScalarOp] = field(default_factory=list)
    result: Optional[Scalar] = None

    def arg(self, dtype: str, name: str) -> Scalar:
        self.args.append(Scalar(self, dtype, name))
        return self.args[-1]

    def emit(self, name: str, operands: Sequence[Scalar], dtype: str,
             value: Optional[float] = None) -> Scalar:
        result = Scalar(self, dtype, f"%s{len(self.ops)}")
        self.ops.append(ScalarOp(name, tuple(operands), result, value))
        return result

    def constant(self, value: float, dtype: str) -> Scalar:
        name = "complex.constant" if dtype in COMPLEX_PARTS else "arith.constant"
        return self.emit(name, (), dtype, value)

    def _pair(self, a, b):
        if not isinstance(a, Scalar):
            a = self.constant(a, b.dtype)
        if not isinstance(b, Scalar):
            b = self.constant(b, a.dtype)
        return a, b

    def binary(self, kind: str, a, b) -> Scalar:
        a, b = self._pair(a, b)
        name = f"complex.{kind}" if a.dtype in COMPLEX_PARTS else f"arith.{kind}f"
        return self.emit(name, (a, b), a.dtype)

    def unary(self, kind: str, a: Scalar) -> Scalar:
        """exp, log, sin, cos, abs, neg ... of a real or complex element."""
        if a.dtype in COMPLEX_PARTS:
            real = kind in ("re", "im", "abs")
            return self.emit(f"complex.{kind}", (a,),
                             COMPLEX_PARTS[a.dtype] if real else a.dtype)
        name = {"neg": "arith.negf", "abs": "math.absf"}.get(kind, f"math.{kind}")
        return self.emit(name, (a,), a.dtype)

    def complex(self, re: Scalar, im) -> Scalar:
        re, im = self._pair(re, im)
        return self.emit("complex.create", (re, im),
                         {"f32": "c64", "f64": "c128"}[re.dtype])


@dataclass
class Op:
    """One operation of a graph."""

    name: str
    operands: Tuple[Value, ...]
    results: Tuple[Value, ...]
    attrs: Dict[str, Any] = field(default_factory=dict)
    #: Operands that stand behind a keyword (``bias(%b)``), by keyword, or
    #: before which a word stands (``like %x``).
    groups: Dict[str, Value] = field(default_factory=dict)
    body: Optional[Body] = None
    #: How the types are spelled: "function" (operands to results), "same" (one
    #: type) or "cast" (operand to result).
    style: str = "function"
    #: Lines of text that replace the usual spelling.
    text: Optional[List[str]] = None

    def all_operands(self) -> Tuple[Value, ...]:
        return self.operands + tuple(self.groups.values())

    def lines(self) -> List[str]:
        """The lines of this operation."""
        if self.text is not None:
            return self.text
        head = ", ".join(v.name for v in self.results)
        parts = [f"{head} = {self.name}" if head else self.name]
        if self.operands:
            parts.append(", ".join(v.name for v in self.operands))
        for word, value in self.groups.items():
            parts.append(f"like {value}" if word == "like" else f"{word}({value})")
        if self.attrs:
            body = ", ".join(f"{k} = {format_attr(v)}" for k, v in self.attrs.items())
            parts.append("{" + body + "}")
        if self.style == "same":
            return [" ".join(parts) + f" : {self.results[0].type}"]
        if self.style == "cast":
            return [" ".join(parts) +
                    f" : {self.operands[0].type} to {self.results[0].type}"]
        types = ", ".join(str(v.type) for v in self.all_operands())
        outs = ", ".join(str(v.type) for v in self.results)
        if len(self.results) != 1:
            outs = f"({outs})"
        line = " ".join(parts) + f" : ({types}) -> {outs}"
        if len(line) <= 90:
            return [line]
        return [" ".join(parts), f"    : ({types}) -> {outs}"]
