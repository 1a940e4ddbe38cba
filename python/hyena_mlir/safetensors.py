# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes safetensors files with NumPy, bfloat16 included.

A file is an 8-byte little-endian header length, a JSON header that maps names
to dtype, shape and offsets, and the tensors' row-major bytes.
"""

from __future__ import annotations

import json
import os
import struct
import tempfile
from dataclasses import dataclass
from typing import Dict, Mapping, Union

import numpy as np

#: Name in the file: (name in a graph, how the elements are held).
_KINDS = {
    "F64": ("f64", np.float64), "F32": ("f32", np.float32), "F16": ("f16", np.float16),
    "BF16": ("bf16", np.uint16), "C64": ("c64", np.complex64), "I64": ("i64", np.int64),
    "I32": ("i32", np.int32), "U8": ("u8", np.uint8), "BOOL": ("i1", np.bool_),
}
_FILE_NAMES = {name: kind for kind, (name, _) in _KINDS.items()}


@dataclass
class Tensor:
    """A tensor of a file. bf16 elements are held as their 16 bits."""

    dtype: str
    data: np.ndarray

    @property
    def shape(self):
        return self.data.shape

    def float64(self) -> np.ndarray:
        """The values, widened."""
        if self.dtype == "bf16":
            bits = self.data.astype(np.uint32) << 16
            return bits.view(np.float32).astype(np.float64)
        return self.data.astype(np.float64)

    def cast(self, dtype: str) -> "Tensor":
        """Another float type, rounded to nearest even."""
        return self if dtype == self.dtype else from_float(self.float64(), dtype)


def from_float(values: np.ndarray, dtype: str) -> Tensor:
    """A tensor of the given float type, rounded to nearest even."""
    if dtype != "bf16":
        return Tensor(dtype, np.ascontiguousarray(values, _KINDS[_FILE_NAMES[dtype]][1]))
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    quiet = (bits >> 16) | 0x40
    return Tensor("bf16", np.where(np.isnan(values), quiet, rounded).astype(np.uint16))


def load(path: Union[str, os.PathLike]) -> Dict[str, Tensor]:
    """All tensors of a file. ValueError says what is wrong with a bad one."""
    with open(path, "rb") as file:
        raw = file.read()
    if len(raw) < 8:
        raise ValueError(f"{path}: {len(raw)} bytes; a safetensors file has 8 at least")
    (size,) = struct.unpack_from("<Q", raw)
    if size > len(raw) - 8:
        raise ValueError(f"{path}: header of {size} bytes in a file of {len(raw)}")
    try:
        header = json.loads(raw[8:8 + size])
    except ValueError as error:
        raise ValueError(f"{path}: the header is not JSON: {error}") from None
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        if entry["dtype"] not in _KINDS:
            raise ValueError(f"{path}: tensor {name!r} has dtype {entry['dtype']}; "
                             f"allowed: {', '.join(_KINDS)}")
        dtype, kind = _KINDS[entry["dtype"]]
        begin, end = entry["data_offsets"]
        want = int(np.prod(entry["shape"], dtype=np.int64)) * np.dtype(kind).itemsize
        if not 0 <= begin <= end <= len(raw) - 8 - size or end - begin != want:
            raise ValueError(f"{path}: tensor {name!r} of {want} bytes at offsets "
                             f"{begin} to {end} of {len(raw) - 8 - size}")
        data = np.frombuffer(raw, kind, offset=8 + size + begin,
                             count=want // np.dtype(kind).itemsize)
        tensors[name] = Tensor(dtype, data.reshape(entry["shape"]))
    return tensors


def save(path: Union[str, os.PathLike],
         tensors: Mapping[str, Union[Tensor, np.ndarray]]) -> None:
    """Writes a file; a file of that name is replaced whole or not at all."""
    header, chunks, offset = {}, [], 0
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            names = {np.dtype(kind): dtype for dtype, kind in _KINDS.values()
                     if dtype != "bf16"}
            array = np.asarray(tensor)
            if array.dtype not in names:
                raise ValueError(f"tensor {name!r} has dtype {array.dtype}; allowed: "
                                 f"{', '.join(map(str, names))}")
            tensor = Tensor(names[array.dtype], array)
        data = np.ascontiguousarray(tensor.data).tobytes()
        header[name] = {"dtype": _FILE_NAMES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [offset, offset + len(data)]}
        chunks.append(data)
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(path)))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text + b"".join(chunks))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
