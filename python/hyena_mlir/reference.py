# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference operator: order N, short convolutions on the gates."""

from __future__ import annotations

from .graph import Graph


def hyena(batch=2, length=2048, width=256, order=2, short=3, hidden=64,
          padding="same", dtype="f32", name="hyena") -> Graph:
    """x (B, L, D) to y (B, L, D), with an MLP on positions as the filter.

    `batch` None makes the batch dynamic. Parameters have PyTorch's names.
    """
    g = Graph(name, dtype)
    x, pos = g.input("x", (batch, length, width)), g.param("pos", (length, 1))
    v, *gates = g.chunk(g.linear(x, "in_proj", (order + 1) * width), order + 1)
    for i, gate in enumerate(gates):
        weight = g.param(f"short_convs.{i}.weight", (width, short))
        bias = g.param(f"short_convs.{i}.bias", (width,))
        gates[i] = g.shortconv(g.transpose(gate), weight, bias, padding=padding)
    mlp = g.gelu(g.linear(pos, "filter_mlp.0", hidden))
    h = g.transpose(g.linear(mlp, "filter_mlp.2", width))
    y = g.gate(g.fftconv(g.transpose(v), h), *gates)
    g.output(g.linear(g.transpose(y), "out_proj", width))
    return g
