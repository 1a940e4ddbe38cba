# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A graph of long-convolution operators, built in Python and written as MLIR.

    g = Graph("mix")
    u = g.input("u", (2, 16, 64))
    h = g.param("h", (16, 64))
    g.output(g.fftconv(u, h))
    print(g)

Shapes are inferred and checked as the graph grows, so that the text is valid
IR by construction. Nothing is computed here and nothing else is imported.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Tuple

from .ir import EnumAttr, Op, Value
from .linalg import LinalgOps
from .pointwise import PointwiseOps
from .types import (COMPLEX_PARTS, DTYPES, FLOATS, Dim, GraphError, TensorType,
                    dtype_name, same_dim, show_shape)

_LAYOUTS = ("channels_last", "channels_first")
_COMPLEX_OF = {part: name for name, part in COMPLEX_PARTS.items()}


def _pick(op: str, what: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise GraphError(f"{op}: {what} is {value!r}; allowed: {', '.join(allowed)}")
    return value


class Graph(PointwiseOps, LinalgOps):
    """One function. `dtype` is the element type where none is given."""

    def __init__(self, name: str = "main", dtype="f32"):
        self.name, self.dtype = name, dtype_name(dtype)
        self.arguments: List[Value] = []
        self.params: Dict[str, Value] = {}
        self.ops: List[Op] = []
        self.results: Tuple[Value, ...] = ()
        self._names = set()

    # --- The function ------------------------------------------------------

    def _argument(self, name: str, shape, dtype) -> Value:
        if not name or not all(c.isalnum() or c in "_.-$" for c in name) \
                or not (name[0].isalpha() or name[0] == "_"):
            raise GraphError(f"argument name {name!r} is not a letter or _ followed "
                             "by letters, digits, _, ., - or $")
        if name in self._names:
            raise GraphError(f"argument {name!r} is declared twice")
        self._names.add(name)
        value = Value(self, TensorType.of(shape, dtype or self.dtype), "%" + name)
        self.arguments.append(value)
        return value

    def input(self, name: str, shape, dtype=None) -> Value:
        """An argument that is new in every call; None is a dynamic dimension."""
        return self._argument(name, shape, dtype)

    def param(self, name: str, shape, dtype=None) -> Value:
        """An argument that is a weight: work on weights alone is done once."""
        value = self._argument(name, shape, dtype)
        if None in value.shape:
            raise GraphError(f"parameter {name!r} has shape {show_shape(value.shape)}; "
                             "the shape of a parameter is static")
        self.params[name] = value
        return value

    def output(self, *values: Value) -> None:
        """Sets what the function returns."""
        for value in values:
            self._own("output", value)
        if not values:
            raise GraphError("output: there is one result at least")
        self.results = values

    # --- Making operations ---------------------------------------------------

    def _own(self, op: str, value) -> Value:
        if not isinstance(value, Value):
            raise GraphError(f"{op}: operand {value!r} is not a value of a graph")
        if value.graph is not self:
            raise GraphError(f"{op}: operand {value} belongs to graph "
                             f"{value.graph.name!r}, not to {self.name!r}")
        return value

    def _new(self, type: TensorType) -> Value:
        self._count = getattr(self, "_count", -1) + 1
        return Value(self, type, f"%{self._count}")

    def _emit(self, name: str, operands, types: Sequence[TensorType], attrs=None,
              groups=None, style: str = "function", **kwargs):
        """Appends an operation; returns its result, or its results if several."""
        groups = {k: v for k, v in (groups or {}).items() if v is not None}
        attrs = {k: v for k, v in (attrs or {}).items() if v is not None}
        for value in (*operands, *groups.values()):
            self._own(name, value)
        results = tuple(self._new(t) for t in types)
        op = Op(name, tuple(operands), results, attrs, groups, style=style, **kwargs)
        for result in results:
            result.op = op
        self.ops.append(op)
        return results[0] if len(results) == 1 else results

    def _check_dtype(self, op: str, *values: Optional[Value]) -> None:
        present = [v for v in values if v is not None]
        for value in present:
            self._own(op, value)
            if value.dtype != present[0].dtype:
                raise GraphError(f"{op}: operand {value} has elements of "
                                 f"{DTYPES[value.dtype]}, {present[0]} of "
                                 f"{DTYPES[present[0].dtype]}; cast one")

    def _check_rank(self, op: str, value: Value, rank: int, at_least=False) -> None:
        self._own(op, value)
        if value.rank < rank or (value.rank > rank and not at_least):
            raise GraphError(
                f"{op}: operand {value} has shape {show_shape(value.shape)} of rank "
                f"{value.rank}; rank {rank}{' at least' if at_least else ''} is needed")

    def _dim(self, op: str, value: Value, dim: int) -> int:
        self._own(op, value)
        if not -value.rank <= dim < value.rank:
            raise GraphError(f"{op}: dim {dim} is outside the rank {value.rank} of "
                             f"operand {value}")
        return dim % value.rank

    def _axes(self, op: str, layout: str) -> Tuple[int, int]:
        """(channel dimension, time dimension) of a rank-3 activation."""
        _pick(op, "layout", layout, _LAYOUTS)
        return (2, 1) if layout == "channels_last" else (1, 2)

    @staticmethod
    def _enum(kind: str, value: str, default: str) -> Optional[EnumAttr]:
        return None if value == default else EnumAttr(kind, value)

    # --- Linear layer and streams --------------------------------------------

    def project(self, x: Value, weight: Value, bias: Optional[Value] = None, *,
                input_layout="channels_last", result_layout="channels_last") -> Value:
        """Linear layer on the channels: x (..., C_in), weight (C_out, C_in)."""
        op = "hyena.project"
        self._check_rank(op, x, 2, at_least=True)
        self._check_rank(op, weight, 2)
        self._check_dtype(op, x, weight, bias)
        for layout in (input_layout, result_layout):
            _pick(op, "layout", layout, _LAYOUTS)
            if layout == "channels_first":
                self._check_rank(op, x, 3)
        shape = list(x.shape)
        if input_layout == "channels_first":
            shape[1], shape[2] = shape[2], shape[1]
        if not same_dim(shape[-1], weight.shape[1]):
            raise GraphError(f"{op}: operand {x} has {shape[-1]} channels, the weight "
                             f"{weight} {show_shape(weight.shape)} takes {weight.shape[1]}")
        if bias is not None and bias.shape != (weight.shape[0],):
            raise GraphError(f"{op}: bias {bias} has shape {show_shape(bias.shape)}; "
                             f"({weight.shape[0]},) is needed")
        shape[-1] = weight.shape[0]
        if result_layout == "channels_first":
            shape[1], shape[2] = shape[2], shape[1]
        attrs = {
            "input_layout": self._enum("layout", input_layout, "channels_last"),
            "result_layout": self._enum("layout", result_layout, "channels_last"),
        }
        return self._emit(op, (x, weight), [x.type.with_shape(shape)], attrs,
                          {"bias": bias})

    def linear(self, x: Value, name: str, features: int, bias: bool = True) -> Value:
        """`project` with new parameters `name.weight` and `name.bias`."""
        weight = self.param(f"{name}.weight", (features, x.shape[-1]), x.dtype)
        return self.project(x, weight,
                            self.param(f"{name}.bias", (features,), x.dtype)
                            if bias else None)

    def chunk(self, x: Value, streams: int, *, arrangement="blocks",
              heads: Optional[int] = None, layout="channels_last") -> Tuple[Value, ...]:
        """Splits the channels into `streams` streams."""
        op = "hyena.chunk"
        self._check_rank(op, x, 3)
        _pick(op, "arrangement", arrangement, ("blocks", "per_head", "interleaved"))
        channel, _ = self._axes(op, layout)
        if streams < 1 or x.shape[channel] is None or x.shape[channel] % streams:
            raise GraphError(f"{op}: {streams} streams do not divide the "
                             f"{x.shape[channel]} channels of operand {x}")
        width = x.shape[channel] // streams
        if (heads is not None) != (arrangement == "per_head"):
            raise GraphError(f"{op}: heads is {heads} with arrangement {arrangement}; "
                             "it is given with per_head and with it alone")
        if heads is not None and (heads < 1 or width % heads):
            raise GraphError(f"{op}: {heads} heads do not divide {width} channels")
        result = self._emit(
            op, (x,), [x.type.with_dim(channel, width)] * streams, {
                "arrangement": self._enum("arrangement", arrangement, "blocks"),
                "heads": heads,
                "layout": self._enum("layout", layout, "channels_last")})
        return result if isinstance(result, tuple) else (result,)

    def transpose(self, x: Value) -> Value:
        """Swaps the last two dimensions."""
        self._check_rank("hyena.transpose", x, 2, at_least=True)
        shape = (*x.shape[:-2], x.shape[-1], x.shape[-2])
        return self._emit("hyena.transpose", (x,), [x.type.with_shape(shape)])

    def gate(self, *factors: Value) -> Value:
        """Elementwise product of two or more tensors of one shape."""
        op = "hyena.gate"
        if len(factors) < 2:
            raise GraphError(f"{op}: {len(factors)} factors; two at least are needed")
        self._check_same(op, *factors)
        return self._emit(op, factors, [factors[0].type])

    def broadcast(self, x: Value, like: Value, dims: Sequence[int]) -> Value:
        """x over the shape of `like`; dimension i of x runs along dims[i]."""
        op = "hyena.broadcast"
        self._own(op, x), self._own(op, like)
        dims = list(dims)
        if len(dims) != x.rank:
            raise GraphError(f"{op}: dims {dims} has {len(dims)} entries, operand {x} "
                             f"has rank {x.rank}")
        if any(not 0 <= d < like.rank for d in dims) or sorted(set(dims)) != dims:
            raise GraphError(f"{op}: dims {dims} do not increase within the rank "
                             f"{like.rank} of {like}")
        for i, d in enumerate(dims):
            if not same_dim(x.shape[i], like.shape[d]):
                raise GraphError(
                    f"{op}: dimension {i} of {x} is {x.shape[i]}, dimension {d} of "
                    f"{like} is {like.shape[d]}; they must be equal")
        return self._emit(op, (x,), [like.type.with_dtype(x.dtype)], {"dims": dims},
                          {"like": like})

    # --- Convolutions and filters --------------------------------------------

    def _groups(self, op: str, what: str, value: Value, x: Value, channel: int) -> None:
        if not value.shape[0] or x.shape[channel] is None \
                or x.shape[channel] % value.shape[0]:
            raise GraphError(f"{op}: {what} {value} {show_shape(value.shape)} has "
                             f"{value.shape[0]} channels, which do not divide the "
                             f"{x.shape[channel]} channels of {x}")

    def shortconv(self, x: Value, weight: Value, bias: Optional[Value] = None, *,
                  padding="causal", pad_low: Optional[int] = None,
                  pad_high: Optional[int] = None, tap_order="newest_last",
                  layout="channels_first") -> Value:
        """Depthwise convolution with a few taps: weight (G, K), bias (C)."""
        op = "hyena.shortconv"
        self._check_rank(op, x, 3)
        self._check_rank(op, weight, 2)
        self._check_dtype(op, x, weight, bias)
        _pick(op, "padding", padding, ("causal", "same", "explicit"))
        _pick(op, "tap_order", tap_order, ("newest_last", "lag0_first"))
        channel, time = self._axes(op, layout)
        self._groups(op, "weight", weight, x, channel)
        if bias is not None and bias.shape != (x.shape[channel],):
            raise GraphError(f"{op}: bias {bias} has shape {show_shape(bias.shape)}; "
                             f"({x.shape[channel]},) is needed")
        explicit = padding == "explicit"
        for what, pad in (("pad_low", pad_low), ("pad_high", pad_high)):
            if (pad is not None) != explicit or (explicit and pad < 0):
                raise GraphError(f"{op}: {what} is {pad} with padding {padding}; it is "
                                 "a non-negative number with explicit, else absent")
        length = x.shape[time]
        if explicit and length is not None:
            length += pad_low + pad_high - weight.shape[1] + 1
        if length is not None and length < 1:
            raise GraphError(f"{op}: the result has length {length}; 1 at least is needed")
        return self._emit(op, (x, weight), [x.type.with_dim(time, length)], {
            "padding": self._enum("padding", padding, "causal"),
            "pad_low": pad_low, "pad_high": pad_high,
            "tap_order": self._enum("tap_order", tap_order, "newest_last"),
            "layout": self._enum("layout", layout, "channels_first")}, {"bias": bias})

    def fftconv(self, u: Value, h: Value, *, skip: Optional[Value] = None,
                reverse: Optional[Value] = None, mode="causal",
                lag0: Optional[int] = None, tap_order="lag0_first",
                layout="channels_first") -> Value:
        """Long depthwise convolution of u with filter h (G, K), plus skip * u."""
        op = "hyena.fftconv"
        self._check_rank(op, u, 3)
        self._check_rank(op, h, 2)
        self._check_dtype(op, h, reverse, skip)
        _pick(op, "mode", mode, ("causal", "bidirectional", "noncausal", "circular"))
        _pick(op, "tap_order", tap_order, ("lag0_first", "newest_last"))
        channel, time = self._axes(op, layout)
        self._groups(op, "filter", h, u, channel)
        if (reverse is not None) != (mode == "bidirectional"):
            raise GraphError(f"{op}: reverse is {reverse} with mode {mode}; it is given "
                             "with bidirectional and with it alone")
        if reverse is not None and (reverse.rank != 2 or reverse.shape[0] != h.shape[0]):
            raise GraphError(f"{op}: reverse {reverse} has shape "
                             f"{show_shape(reverse.shape)}; ({h.shape[0]}, J) is needed")
        if skip is not None:
            self._check_rank(op, skip, 1)
            self._groups(op, "skip", skip, u, channel)
        if lag0 is not None and (mode not in ("noncausal", "circular")
                                 or not 0 <= lag0 < h.shape[1]):
            raise GraphError(f"{op}: lag0 is {lag0} with mode {mode}; it is an index of "
                             f"the {h.shape[1]} taps with noncausal or circular")
        if tap_order != "lag0_first" and mode != "causal":
            raise GraphError(f"{op}: tap_order {tap_order} with mode {mode}; it is for "
                             "causal filters")
        length = u.shape[time]
        if mode == "circular" and length is not None and h.shape[1] > length:
            raise GraphError(f"{op}: a circular filter of {h.shape[1]} taps on a signal "
                             f"of {length} samples; no more taps than samples")
        return self._emit(op, (u, h), [u.type], {
            "mode": self._enum("conv_mode", mode, "causal"), "lag0": lag0,
            "tap_order": self._enum("tap_order", tap_order, "lag0_first"),
            "layout": self._enum("layout", layout, "channels_first")},
            {"reverse": reverse, "skip": skip})

    def modal_filter(self, poles: Value, residues: Value, length: int,
                     form="pole") -> Value:
        """Filter (C, length): Re sum_s residues * poles^t, or exp(poles)^t."""
        op = "hyena.modal_filter"
        _pick(op, "form", form, ("pole", "log_pole"))
        self._check_rank(op, poles, 2)
        self._check_same(op, poles, residues)
        if length < 1:
            raise GraphError(f"{op}: length is {length}; 1 at least is needed")
        dtype = COMPLEX_PARTS.get(poles.dtype, poles.dtype)
        return self._emit(op, (poles, residues),
                          [TensorType((poles.shape[0], length), dtype)],
                          {"length": length,
                           "form": self._enum("modal_form", form, "pole")})

    # --- Decomposed forms ------------------------------------------------------

    def pad(self, x: Value, dim: int, low: int, high: int) -> Value:
        """Zeros before and after one dimension."""
        dim = self._dim("hyena.pad", x, dim)
        if low < 0 or high < 0:
            raise GraphError(f"hyena.pad: low {low} and high {high} are not negative")
        size: Dim = x.shape[dim]
        return self._emit("hyena.pad", (x,),
                          [x.type.with_dim(dim, None if size is None else size + low + high)],
                          {"dim": dim, "low": low, "high": high})

    def truncate(self, x: Value, dim: int, length: int, offset: int = 0) -> Value:
        """Elements offset ... offset + length - 1 of one dimension."""
        op = "hyena.truncate"
        dim = self._dim(op, x, dim)
        size = x.shape[dim]
        if offset < 0 or length < 1 or (size is not None and offset + length > size):
            raise GraphError(f"{op}: elements {offset} to {offset + length - 1} of "
                             f"dimension {dim} of {x}, which has {size}")
        if offset == 0 and length == size:
            return x
        return self._emit(op, (x,), [x.type.with_dim(dim, length)],
                          {"dim": dim, "offset": offset or None, "length": length})

    def flip(self, x: Value, dim: int) -> Value:
        """Reverses one dimension."""
        dim = self._dim("hyena.flip", x, dim)
        return self._emit("hyena.flip", (x,), [x.type], {"dim": dim})

    def rfft(self, x: Value, n: int) -> Value:
        """Spectrum of the last dimension, cut or padded with zeros to n."""
        op = "hyena.rfft"
        self._check_rank(op, x, 1, at_least=True)
        if x.dtype not in _COMPLEX_OF or n < 1:
            raise GraphError(f"{op}: operand {x} of {DTYPES[x.dtype]} and n = {n}; f32 "
                             "or f64 and 1 at least are needed")
        return self._emit(op, (x,), [TensorType((*x.shape[:-1], n // 2 + 1),
                                                _COMPLEX_OF[x.dtype])], {"n": n})

    def spectral_mul(self, a: Value, b: Value) -> Value:
        """Product of spectra: one shape, or (G, F) against (B, C, F)."""
        op = "hyena.spectral_mul"
        self._check_dtype(op, a, b)
        if a.shape != b.shape:
            self._check_rank(op, a, 3)
            self._check_rank(op, b, 2)
            self._groups(op, "operand", b, a, 1)
        return self._emit(op, (a, b), [a.type])

    def irfft(self, x: Value, n: int) -> Value:
        """Inverse of rfft, with factor 1/n."""
        op = "hyena.irfft"
        self._check_rank(op, x, 1, at_least=True)
        if x.dtype not in COMPLEX_PARTS or not same_dim(x.shape[-1], n // 2 + 1):
            raise GraphError(f"{op}: operand {x} is {x.type} and n = {n}; a complex "
                             f"spectrum of {n // 2 + 1} values is needed")
        return self._emit(op, (x,), [TensorType((*x.shape[:-1], n),
                                                COMPLEX_PARTS[x.dtype])], {"n": n})

    def cast(self, x: Value, dtype) -> Value:
        """Another float type; the value itself if it has that type already."""
        to = dtype_name(dtype)
        self._own("cast", x)
        if to == x.dtype:
            return x
        if to not in FLOATS or x.dtype not in FLOATS \
                or {to, x.dtype} == {"f16", "bf16"}:
            raise GraphError(f"cast: {DTYPES[x.dtype]} to {DTYPES[to]} of {x}; a wider "
                             "or narrower float type is needed")
        name = "arith.extf" if FLOATS.index(to) > FLOATS.index(x.dtype) else "arith.truncf"
        return self._emit(name, (x,), [x.type.with_dtype(to)], style="cast")

    # --- Text ----------------------------------------------------------------

    def function(self) -> str:
        """The function alone."""
        if not self.results:
            raise GraphError(f"graph {self.name!r} has no output; call output()")
        params = {id(v) for v in self.params.values()}
        arguments = ",\n    ".join(
            f"{v}: {v.type}" + (" {hyena.param}" if id(v) in params else "")
            for v in self.arguments)
        types = [str(v.type) for v in self.results]
        result = types[0] if len(types) == 1 else "(" + ", ".join(types) + ")"
        lines = [f"func.func @{self.name}(", f"    {arguments})", f"    -> {result} {{"]
        for op in self.ops:
            lines += ["  " + line for line in op.lines()]
        names = ", ".join(v.name for v in self.results)
        return "\n".join(lines + [f"  return {names} : {', '.join(types)}", "}"]) + "\n"

    def __str__(self) -> str:
        return self.function()
