# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the reports of hyena-run, or the result of the impulse test."""

import json
import struct
import sys

if sys.argv[1] == "--impulse":
    raw = open(sys.argv[2], "rb").read()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8:8 + length])
    assert header["result0"]["shape"] == [1, 8, 64], header
    values = struct.unpack("<512f", raw[8 + length:])
    expected = [2.5 if i == 5 * 64 + 3 else 0.0 for i in range(512)]
    assert max(abs(v - e) for v, e in zip(values, expected)) < 1e-6
    sys.exit()

for path, target in zip(sys.argv[1:], ("cpu", "interpret")):
    (report,) = [json.loads(line) for line in open(path)]
    assert report["entry"] == "gated" and report["target"] == target, report
    assert 0 <= report["rel_l2"] < 1e-6 and 0 <= report["max_abs"] < 1e-5, report
    assert report["median_us"] > 0, report
    assert isinstance(report["workspace_bytes"], int), report
    kinds = [kernel["kind"] for kernel in report["kernels"]]
    assert kinds == (["fused_conv"] if target == "cpu" else []), report
    assert all(kernel["name"] for kernel in report["kernels"]), report
