# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the safetensors files of the tests into a directory, by hand."""

import json
import struct
import sys
from pathlib import Path

directory = Path(sys.argv[1])
directory.mkdir(parents=True, exist_ok=True)


def write(name, header, data, cut=None):
    text = json.dumps(header).encode()
    raw = struct.pack("<Q", len(text)) + text + data
    (directory / f"{name}.safetensors").write_bytes(raw[:cut])


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


write("dtype", {"h": tensor("F64", [8, 64], 0, 4096)}, bytes(4096))
write("shape", {"h": tensor("F32", [8, 32], 0, 1024)}, bytes(1024))
write("batch", {"u": tensor("F32", [3, 8, 64], 0, 6144)}, bytes(6144))
write("cut", {"h": tensor("F32", [8, 64], 0, 2048)}, bytes(2048), cut=1000)
write("lie", {"h": tensor("F32", [8, 64], 0, 4096)}, bytes(2048))
write("other", {"nothing": tensor("F32", [1], 0, 4)}, bytes(4))
# An impulse through the identity filter, gated by ones: the impulse.
signal = [0.0] * 512
signal[5 * 64 + 3] = 2.5
taps = [1.0 if i % 64 == 0 else 0.0 for i in range(512)]
write("impulse", {
    "u": tensor("F32", [1, 8, 64], 0, 2048),
    "h": tensor("F32", [8, 64], 2048, 4096),
    "arg2": tensor("F32", [1, 8, 64], 4096, 6144),
}, struct.pack("<512f", *signal) + struct.pack("<512f", *taps) + struct.pack("<512f", *[1.0] * 512))
