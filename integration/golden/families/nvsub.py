# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvSubquadratic in one dimension: README section 6.9."""

from hyena_mlir.safetensors import from_float

from .common import linear_grid

FILTER = "mixer.global_conv."
GATES = {"id": lambda g, x: x, "silu": lambda g, x: g.silu(x),
         "sigmoid": lambda g, x: g.sigmoid(x)}


def grid(b, points):
    """The middle 2 * points - 1 positions, (2 * points - 1)."""
    name = FILTER + "kernel.positional_embedding.grid_cache"
    stored = max(b.shape(name))
    if stored < 2 * points - 1:  # longer inputs continue with the same step
        step = 1.0 / (b.config["L_cache"] - 1)
        b.tensors["w." + name] = from_float(linear_grid(points, step), "f64")
        stored = 2 * points - 1
    return b.g.truncate(b.vector(name), 0, 2 * points - 1, (stored - 2 * points + 1) // 2)


def long_filter(b, points):
    """All 2 * points - 1 taps, (taps, D), lag 0 in the middle."""
    g, kernel = b.g, FILTER + "kernel."
    position = grid(b, points)
    a = g.expand(position, 0, (2 * points - 1, 1))
    embedded = b.linear(a, kernel + "positional_embedding.linear")
    if b.graph["filter"] == "siren":
        a, layer = g.sin(embedded), 0
        while b.has(f"{kernel}hidden_linears.{layer}.weight"):
            a = g.sin(b.linear(a, f"{kernel}hidden_linears.{layer}"))
            layer += 1
        h = b.linear(a, kernel + "out_linear")
    else:
        # [cos z, sin z] W^T: the two halves of the weight, added.
        name, half = kernel + "kernel_network.0", embedded.shape[1]
        weight = b.weight(name + ".weight")
        a = g.project(g.cos(embedded), g.truncate(weight, 1, half),
                      b.vector(name + ".bias")) \
            + g.project(g.sin(embedded), g.truncate(weight, 1, half, half))
        a = g.gelu(b.linear(g.gelu(a), kernel + "kernel_network.2"))
        h = b.linear(a, kernel + "out_linear")
    mask = b.graph["mask"]
    if mask == "none":
        return h
    t = g.broadcast(position, h, [0])
    if mask == "exp":
        rate = g.abs(b.vector(FILTER + "mask.weight"))
        return h * g.exp(-(g.abs(t) * g.broadcast(rate, h, [1])))
    if mask == "gauss":
        width = b.vector(FILTER + "mask.std_param")
        variance = g.broadcast(width * width * 2.0, h, [1])
        return h * g.exp(-(t * t / variance))
    raise ValueError(f"filter mask {mask!r} is not one of none, exp, gauss")


def mixer(b, x):
    g, conv, length = b.g, b.graph["conv"][0], x.shape[1]
    p = g.transpose(b.linear(x, "qkv_proj", b.graph["proj_bias"]))
    q, k, v = b.streams(b.short(p, "mixer.short_conv.weight", "mixer.short_conv.bias"))
    first, second = b.graph["gates"]
    u = g.gate(q, GATES[first](g, k))
    points = (length + 1) // 2 if conv["mode"] == "circular" else length
    h, lag0 = g.transpose(long_filter(b, points)), conv["lag0_index"]
    if conv["mode"] == "causal":
        h, lag0 = g.truncate(h, 1, points, points - 1), None
    skip = b.vector(FILTER + "shortcut") if conv["skip"] else None
    c = g.fftconv(u, h, skip=skip, mode=conv["mode"], lag0=lag0)
    y = g.gate(c, GATES[second](g, v))
    return b.linear(g.transpose(y), "out_proj", b.graph["out_bias"])
