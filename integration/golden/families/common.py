# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the families share: weights by name, streams, filters, norms."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence

import numpy as np

from hyena_mlir import Graph
from hyena_mlir.ir import Value
from hyena_mlir.safetensors import Tensor


class Builder:
    """A graph under construction with the arguments that it takes."""

    def __init__(self, case, tensors: Dict[str, Tensor], dtype: str, batch: str,
                 entry: str):
        self.case, self.tensors = case, tensors
        self.config, self.graph = case.config, case.graph
        #: What filters are made in, and activations unless they are bfloat16.
        self.wide = "f32" if case.bfloat16 else dtype
        self.g = Graph(entry, self.wide)
        self.arguments: Dict[str, Tensor] = {}
        self.batch, self.prefix = batch, ""
        self._values: Dict[str, Value] = {}

    # --- Arguments ---------------------------------------------------------

    def input(self, name: str, tensor: Optional[Tensor] = None,
              dtype: Optional[str] = None) -> Value:
        """An input of the case, (B, L, ...). Masks and token rows too."""
        if name not in self._values:
            tensor = tensor or self.tensors[name]
            if tensor.dtype != "bf16":
                tensor = tensor.cast(dtype or self.wide)
            self.arguments[name] = tensor
            shape = list(tensor.shape)
            if self.batch == "dynamic":
                shape[0] = None
            self._values[name] = self.g.input(name, shape, tensor.dtype)
        return self._values[name]

    def has(self, name: str) -> bool:
        return "w." + self.prefix + name in self.tensors

    def shape(self, name: str) -> Sequence[int]:
        return self.tensors["w." + self.prefix + name].shape

    def weight(self, name: str, shape: Optional[Sequence[int]] = None) -> Value:
        """A parameter under its upstream name. `shape` drops dimensions of 1.

        It has the wide type, or bfloat16 where the file stores that.
        """
        name = self.prefix + name
        if name not in self._values:
            tensor = self.tensors["w." + name]
            if tensor.dtype != "bf16":
                tensor = tensor.cast(self.wide)
            if shape is not None:
                tensor = Tensor(tensor.dtype, tensor.data.reshape(shape))
            self.arguments[name] = tensor
            self._values[name] = self.g.param(name, tensor.shape, tensor.dtype)
        return self._values[name]

    def vector(self, name: str) -> Value:
        return self.weight(name, (-1,))

    def wide_vector(self, name: str) -> Value:
        return self.g.cast(self.vector(name), self.wide)

    # --- Layers --------------------------------------------------------------

    def linear(self, x: Value, name: str, bias: bool = True) -> Value:
        """A linear layer in x's type."""
        g = self.g
        beta = g.cast(self.vector(name + ".bias"), x.dtype) if bias else None
        return g.project(x, g.cast(self.weight(name + ".weight"), x.dtype), beta)

    def short(self, p: Value, weight: str, bias: Optional[str]) -> Value:
        """The short convolution of all streams, (B, C, L)."""
        g, short = self.g, self.graph["short"]
        taps = g.cast(self.weight(weight, (-1, short["taps"])), p.dtype)
        beta = g.cast(self.vector(bias), p.dtype) if short["bias"] else None
        return g.shortconv(p, taps, beta, padding=short["pad"],
                           tap_order=short["tap_order"])

    def streams(self, s: Value) -> List[Value]:
        """The streams of (B, S*D, L) in storage order."""
        arrangement = self.graph["arrangement"]
        heads = self.graph["heads"] if arrangement == "per_head" else None
        return list(self.g.chunk(s, len(self.graph["streams"]), arrangement=arrangement,
                                 heads=heads, layout="channels_first"))

    def role(self, streams: Sequence[Value], role: str) -> Value:
        """The stream with a role that one stream has."""
        (at,) = [i for i, r in enumerate(self.graph["streams"]) if r == role]
        return streams[at]

    def times_mask(self, x: Value) -> Value:
        """(B, C, L) times the case's mask (B, L), if it has one."""
        if "mask" not in self.tensors:
            return x
        mask = self.g.cast(self.input("mask"), x.dtype)
        return self.g.gate(x, self.g.broadcast(mask, x, [0, 2]))

    def per_channel(self, vector: Value, like: Value, dim: int) -> Value:
        return self.g.broadcast(vector, like, [dim])

    # --- Filters ---------------------------------------------------------------

    def implicit(self, prefix: str, rows: int, mlp: str = "implicit_filter") -> Value:
        """The implicit filter of `rows` taps, (rows, channels)."""
        g, config = self.g, self.config
        z, t = prefix + ".pos_emb.z", prefix + ".pos_emb.t"
        a = g.truncate(self.weight(z, self.shape(z)[-2:]), 0, rows)
        freq = self.vector(f"{prefix}.implicit_filter.1.freq")
        start = f"w.{self.prefix}{prefix}.{mlp}."
        layers = sorted(int(name[len(start):-len(".weight")]) for name in self.tensors
                        if name.startswith(start) and name.endswith(".weight"))
        for layer in layers[:-1]:
            a = self.linear(a, f"{prefix}.{mlp}.{layer}")
            a = a * self.per_channel(freq, a, 1)
            w_mod = config.get("w_mod", 1)
            a = g.sin(a if w_mod == 1 else a * float(w_mod))
        a = self.linear(a, f"{prefix}.{mlp}.{layers[-1]}", bias=False)
        time = g.broadcast(g.truncate(self.vector(t), 0, rows), a, [0])
        rate = self.per_channel(g.abs(self.vector(prefix + ".modulation.deltas")), a, 1)
        decay = g.exp(-(time * rate))
        if config.get("shift", 0.0):
            decay = decay + float(config["shift"])
        h = a * decay
        if config.get("normalized", False):
            total = g.generic("tc->t", [h], lambda b, x: b.unary("abs", x), reduce=True)
            h = h / g.broadcast(total, h, [0])
        return h

    def complex_parts(self, name: str):
        """(..., 2) as the real and the imaginary parts, both (channels, states)."""
        g = self.g
        channels = [n for n in self.shape(name) if n != 1][0] \
            if self.shape(name)[0] == 1 else self.shape(name)[0]
        v = self.weight(name, (channels, -1, 2))
        return [g.collapse(g.slice(v, 2, part, 1), 1, 2) for part in (0, 1)]

    # --- Norms -----------------------------------------------------------------

    def rms_norm(self, x: Value, scale: str, eps: float) -> Value:
        """scale * x / (norm(x) / sqrt(D) + eps)"""
        g, width = self.g, x.shape[-1]
        root = g.sqrt(g.einsum("blc,blc->bl", x, x) * (1.0 / width)) + eps
        return x / g.broadcast(root, x, [0, 1]) * self.per_channel(self.vector(scale), x, 2)

    def layer_norm(self, x: Value, name: str, eps: float) -> Value:
        """The usual LayerNorm on the last dimension."""
        g, width = self.g, x.shape[-1]
        x = x - g.broadcast(g.einsum("blc->bl", x) * (1.0 / width), x, [0, 1])
        variance = g.einsum("blc,blc->bl", x, x) * (1.0 / width)
        x = x / g.broadcast(g.sqrt(variance + eps), x, [0, 1])
        return x * self.per_channel(self.vector(name + ".weight"), x, 2) \
            + self.per_channel(self.vector(name + ".bias"), x, 2)


def linear_grid(points: int, step: float) -> np.ndarray:
    """The 2 * points - 1 positions around 0 that lie `step` apart."""
    return np.arange(-(points - 1), points) * step
