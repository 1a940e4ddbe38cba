# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the dialect has no name for: linalg.generic and reshapes.

Outer products, contractions, reductions and arithmetic on complex elements.
"""

from __future__ import annotations

from typing import Callable, Dict, List, Optional, Sequence

from .ir import Body, Op, Value
from .types import COMPLEX_PARTS, DTYPES, GraphError, TensorType, same_dim, show_shape


def _split(op: str, subscripts: str, count: int):
    """("bhil,bhjl->bhijl", 2) to (["bhil", "bhjl"], "bhijl")."""
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if not arrow or len(terms) != count:
        raise GraphError(f"{op}: subscripts {subscripts!r} do not name {count} operands "
                         "and, behind ->, the result")
    for term in (*terms, output):
        if len(set(term)) != len(term) or not all(c.isalpha() for c in term):
            raise GraphError(f"{op}: term {term!r} of {subscripts!r} is not a list of "
                             "different letters")
    return terms, output


class LinalgOps:
    """Mixed into Graph."""

    def _size(self, value: Value, dim: int) -> str:
        """The text of a dimension's size: a number, or a value made for it."""
        if value.shape[dim] is not None:
            return str(value.shape[dim])
        index, size = self._new(None), self._new(None)
        lines = [f"{index} = arith.constant {dim} : index",
                 f"{size} = tensor.dim {value}, {index} : {value.type}"]
        self.ops.append(Op("tensor.dim", (value,), (size,), {"dim": dim}, text=lines))
        return size.name

    def _empty(self, type: TensorType, sizes: Sequence[str]) -> Value:
        result = self._new(type)
        dynamic = ", ".join(s for s, d in zip(sizes, type.shape) if d is None)
        self.ops.append(Op("tensor.empty", (), (result,), text=[
            f"{result} = tensor.empty({dynamic}) : {type}"]))
        return result

    def generic(self, subscripts: str, values: Sequence[Value],
                body: Callable[..., object], dtype: Optional[str] = None,
                reduce: bool = False) -> Value:
        """`body(b, *elements)` for every combination of the letters.

        b makes elements: `b.unary("exp", x)`, `b.complex(re, im)`; + - * / work
        on elements. Letters that the result lacks are summed over, with `reduce`.

            g.generic("cs,c->cs", [a, dt], lambda b, a, dt: a * dt)
        """
        op = "linalg.generic"
        terms, output = _split(op, subscripts, len(values))
        sizes: Dict[str, object] = {}
        where: Dict[str, tuple] = {}
        for term, value in zip(terms, values):
            self._check_rank(op, value, len(term))
            for dim, letter in enumerate(term):
                size = value.shape[dim]
                if not same_dim(size, sizes.get(letter, size)):
                    raise GraphError(
                        f"{op}: {letter} of {subscripts!r} is {size} in operand {value} "
                        f"{show_shape(value.shape)} and {sizes[letter]} before it")
                if sizes.get(letter) is None:
                    sizes[letter], where[letter] = size, (value, dim)
        unknown = [c for c in output if c not in sizes]
        summed = [c for c in sizes if c not in output]
        if unknown or bool(summed) != reduce:
            raise GraphError(
                f"{op}: in {subscripts!r} the result has {unknown or 'no'} letters of its "
                f"own and lacks {summed or 'none'}; reduce is {reduce}")

        region = Body()
        elements = [region.arg(v.dtype, f"%in{i}") for i, v in enumerate(values)]
        result = body(region, *elements)
        dtype = dtype or result.dtype
        accumulator = region.arg(dtype, "%out")
        if result.dtype != dtype:
            raise GraphError(f"{op}: the body makes {DTYPES[result.dtype]}, the result "
                             f"has elements of {DTYPES[dtype]}")
        if reduce:
            if dtype in ("f16", "bf16"):
                raise GraphError(f"{op}: a sum in {DTYPES[dtype]} loses its digits; cast "
                                 "the operands to f32")
            result = region.binary("add", accumulator, result)
        region.result = result

        type = TensorType(tuple(sizes[c] for c in output), dtype)
        init = self._empty(type, [self._size(*where[c]) for c in output])
        if reduce:
            init = self._zero(init)
        return self._generic(terms, output, list(output) + summed, values, init, region)

    def _zero(self, init: Value) -> Value:
        """`init` filled with zeros."""
        of, dtype = DTYPES[init.dtype], init.dtype
        zero, result = self._new(None), self._new(init.type)
        constant, value = "arith.constant", "0.0"
        if dtype in COMPLEX_PARTS:
            part = COMPLEX_PARTS[dtype]
            constant, value = "complex.constant", f"[0.0 : {part}, 0.0 : {part}]"
        self.ops.append(Op("linalg.fill", (init,), (result,), {"value": 0.0}, text=[
            f"{zero} = {constant} {value} : {of}",
            f"{result} = linalg.fill ins({zero} : {of}) outs({init} : {init.type}) "
            f"-> {init.type}"]))
        return result

    def _generic(self, terms: List[str], output: str, loops: List[str],
                 values: Sequence[Value], init: Value, region: Body) -> Value:
        dims = {letter: f"d{i}" for i, letter in enumerate(loops)}
        space = "(" + ", ".join(dims.values()) + ")"
        maps = ", ".join(
            f"affine_map<{space} -> ({', '.join(dims[c] for c in term)})>"
            for term in (*terms, output))
        kinds = ", ".join('"parallel"' if c in output else '"reduction"' for c in loops)
        ins = ", ".join(v.name for v in values)
        types = ", ".join(str(v.type) for v in values)
        result = self._new(init.type)
        arguments = ", ".join(f"{a}: {DTYPES[a.dtype]}" for a in region.args)
        text = [
            f"{result} = linalg.generic {{",
            f"    indexing_maps = [{maps}],",
            f"    iterator_types = [{kinds}]}}",
            f"    ins({ins} : {types}) outs({init} : {init.type}) {{",
            f"^bb0({arguments}):",
            *("  " + str(op) for op in region.ops),
            f"  linalg.yield {region.result} : {DTYPES[region.result.dtype]}",
            f"}} -> {init.type}",
        ]
        result.op = Op("linalg.generic", (*values, init), (result,),
                       {"terms": terms, "output": output}, body=region, text=text)
        self.ops.append(result.op)
        return result

    def einsum(self, subscripts: str, *values: Value) -> Value:
        """Products of the operands, summed over the letters that the result lacks.

            g.einsum("bhil,bhjl->bhijl", k, v)      # outer product per head
        """
        terms, output = _split("einsum", subscripts, len(values))
        self._check_dtype("einsum", *values)

        def product(_, first, *rest):
            for factor in rest:
                first = first * factor
            return first
        return self.generic(subscripts, values, product,
                            reduce=any(c not in output for t in terms for c in t))

    def expand(self, x: Value, dim: int, sizes: Sequence[int]) -> Value:
        """Splits one dimension into several, the last of them the fastest."""
        op = "tensor.expand_shape"
        dim, sizes = self._dim(op, x, dim), list(sizes)
        total = 1
        for size in sizes:
            total *= size
        if x.shape[dim] != total:
            raise GraphError(f"{op}: dimension {dim} of {x} is {x.shape[dim]}, the sizes "
                             f"{sizes} have the product {total}")
        type = x.type.with_shape((*x.shape[:dim], *sizes, *x.shape[dim + 1:]))
        before = [self._size(x, d) for d in range(dim)]
        after = [self._size(x, d) for d in range(dim + 1, x.rank)]
        shape = ", ".join([*before, *(str(s) for s in sizes), *after])
        return self._reshape(op, x, type, dim, len(sizes), f" output_shape [{shape}]")

    def collapse(self, x: Value, dim: int, count: int) -> Value:
        """Merges `count` dimensions, from `dim` on, into one."""
        op = "tensor.collapse_shape"
        dim = self._dim(op, x, dim)
        merged = x.shape[dim:dim + count]
        if len(merged) != count or None in merged:
            raise GraphError(f"{op}: dimensions {dim} to {dim + count - 1} of {x} "
                             f"{show_shape(x.shape)} are not {count} static dimensions")
        total = 1
        for size in merged:
            total *= size
        type = x.type.with_shape((*x.shape[:dim], total, *x.shape[dim + count:]))
        return self._reshape(op, x, type, dim, count, "")

    def _reshape(self, op: str, x: Value, type: TensorType, dim: int, count: int,
                 tail: str) -> Value:
        wide = max(x.rank, type.rank)
        groups, at = [], 0
        while at < wide:
            step = count if len(groups) == dim else 1
            groups.append("[" + ", ".join(map(str, range(at, at + step))) + "]")
            at += step
        result = self._new(type)
        result.op = Op(op, (x,), (result,), text=[
            f"{result} = {op} {x} [{', '.join(groups)}]{tail} : {x.type} into {type}"])
        self.ops.append(result.op)
        return result

    def slice(self, x: Value, dim: int, offset: int, length: int,
              stride: int = 1) -> Value:
        """Elements offset, offset + stride, ... of one dimension."""
        op = "tensor.extract_slice"
        dim = self._dim(op, x, dim)
        size = x.shape[dim]
        if offset < 0 or length < 1 or stride < 1 or (
                size is not None and offset + (length - 1) * stride >= size):
            raise GraphError(f"{op}: {length} elements from {offset} on with stride "
                             f"{stride} do not lie within the {size} of dimension {dim}")
        type = x.type.with_dim(dim, length)
        offsets = ", ".join(str(offset if d == dim else 0) for d in range(x.rank))
        sizes = ", ".join(str(length) if d == dim else self._size(x, d)
                          for d in range(x.rank))
        strides = ", ".join(str(stride if d == dim else 1) for d in range(x.rank))
        result = self._new(type)
        result.op = Op(op, (x,), (result,), {
            "dim": dim, "offset": offset, "length": length, "stride": stride}, text=[
            f"{result} = {op} {x}[{offsets}] [{sizes}] [{strides}] : {x.type} to {type}"])
        self.ops.append(result.op)
        return result
