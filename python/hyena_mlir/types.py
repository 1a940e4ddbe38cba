# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor types of a graph: element types, shapes, and how they are spelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Tuple, Union

#: Element types of a graph and their spelling in MLIR.
DTYPES = {
    "f32": "f32",
    "f64": "f64",
    "bf16": "bf16",
    "f16": "f16",
    "c64": "complex<f32>",
    "c128": "complex<f64>",
    "i1": "i1",
    "i32": "i32",
    "i64": "i64",
}

_ALIASES = {
    "float32": "f32",
    "float64": "f64",
    "bfloat16": "bf16",
    "float16": "f16",
    "complex64": "c64",
    "complex128": "c128",
}

#: Floating-point types, narrowest first.
FLOATS = ("f16", "bf16", "f32", "f64")

#: Complex types and the type of their parts.
COMPLEX_PARTS = {"c64": "f32", "c128": "f64"}

#: A dimension: a size, or None where it is known only at run time.
Dim = Optional[int]


class GraphError(ValueError):
    """A graph that has no meaning: names the operation, the operand, what was
    found and what is allowed."""


def dtype_name(dtype) -> str:
    """The graph's name of an element type given by that name, by NumPy's or by
    PyTorch's (``"f32"``, ``numpy.float32``, ``"torch.float32"``)."""
    name = dtype if isinstance(dtype, str) else getattr(dtype, "__name__", str(dtype))
    name = name.rsplit(".", 1)[-1]
    name = _ALIASES.get(name, name)
    if name not in DTYPES:
        raise GraphError(
            f"element type {dtype!r} is not one of {', '.join(DTYPES)}")
    return name


@dataclass(frozen=True)
class TensorType:
    """A ranked tensor: its shape (None for a dynamic dimension) and dtype."""

    shape: Tuple[Dim, ...]
    dtype: str

    @staticmethod
    def of(shape: Union[int, Sequence[Dim]], dtype) -> "TensorType":
        """Checks and makes a type."""
        dims = (shape,) if isinstance(shape, int) else tuple(shape)
        for dim in dims:
            if dim is not None and (not isinstance(dim, int) or dim < 0):
                raise GraphError(f"dimension {dim!r} of shape {dims} is neither a "
                                 "non-negative integer nor None (dynamic)")
        return TensorType(dims, dtype_name(dtype))

    @property
    def rank(self) -> int:
        return len(self.shape)

    def with_dim(self, dim: int, size: Dim) -> "TensorType":
        """This type with another size in one dimension."""
        shape = list(self.shape)
        shape[dim] = size
        return TensorType(tuple(shape), self.dtype)

    def with_shape(self, shape: Sequence[Dim]) -> "TensorType":
        return TensorType(tuple(shape), self.dtype)

    def with_dtype(self, dtype: str) -> "TensorType":
        return TensorType(self.shape, dtype)

    def __str__(self) -> str:
        dims = "".join(("?" if d is None else str(d)) + "x" for d in self.shape)
        return f"tensor<{dims}{DTYPES[self.dtype]}>"


def show_shape(shape: Sequence[Dim]) -> str:
    """A shape as messages show it: ``(?, 2048, 256)``."""
    dims = ", ".join("?" if d is None else str(d) for d in shape)
    return f"({dims},)" if len(shape) == 1 else f"({dims})"


def same_dim(a: Dim, b: Dim) -> bool:
    """Whether two sizes can be equal at run time."""
    return a is None or b is None or a == b
