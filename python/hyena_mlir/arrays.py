# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""New arrays in the library of an argument: NumPy, PyTorch or JAX.

None of them is imported before it is needed.
"""

from __future__ import annotations

import sys

_NUMPY = {"f32": "float32", "f64": "float64", "f16": "float16", "c64": "complex64",
          "c128": "complex128", "i64": "int64", "i32": "int32", "i1": "bool"}
_TORCH = {**_NUMPY, "bf16": "bfloat16"}


def numpy_dtype(dtype: str):
    """NumPy's dtype of an element type; bfloat16 where ml_dtypes is installed."""
    import numpy as np
    if dtype != "bf16":
        return np.dtype(_NUMPY[dtype])
    try:
        import ml_dtypes
    except ImportError:
        raise TypeError("NumPy has no bfloat16 of its own: pass PyTorch tensors, or "
                        "install ml_dtypes") from None
    return np.dtype(ml_dtypes.bfloat16)


def _library(array) -> str:
    """The name of the library that an array comes from."""
    return type(array).__module__.partition(".")[0]


def check_no_gradient(name: str, array) -> None:
    """Refuses a tensor that PyTorch would expect a gradient for."""
    if _library(array) == "torch" and getattr(array, "requires_grad", False) \
            and sys.modules["torch"].is_grad_enabled():
        raise TypeError(f"argument '{name}' requires grad, and what is computed here has "
                        "no gradient; pass its detach(), or call under torch.no_grad()")


def empty_like_framework(like, shape, dtype: str):
    """Uninitialised memory for a result, in the library of `like` if it can be
    written there, else in NumPy."""
    if _library(like) == "torch":
        torch = sys.modules["torch"]
        return torch.empty(shape, dtype=getattr(torch, _TORCH[dtype]))
    import numpy as np
    return np.empty(shape, numpy_dtype(dtype))


def finish(like, array, dtype: str):
    """The array as the caller gets it: JAX arrays cannot be written, so they are
    made from the filled memory."""
    if _library(like) in ("jax", "jaxlib"):
        return sys.modules["jax"].numpy.asarray(array)
    return array
