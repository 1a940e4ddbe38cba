# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Monarch Mixer: README section 6.4."""


def long_filter(b, prefix, u, rows, conv, skip):
    """u convolved with the implicit filter of one prefix."""
    g = b.g
    h = g.transpose(b.implicit(prefix, rows))
    reverse = None
    if conv["mode"] == "bidirectional":
        reverse = g.transpose(b.implicit(prefix, rows, "implicit_filter_rev"))
    return g.fftconv(u, h, reverse=reverse, mode=conv["mode"],
                     skip=b.vector(skip) if conv["skip"] else None)


def mixer(b, x):
    g, config = b.g, b.config
    rows = min(x.shape[1], config["l_max"])
    convs = b.graph["conv"]
    if config.get("layernorm", False):
        x = b.layer_norm(x, "layernorm", 1e-5)
    p = g.transpose(b.linear(x, "in_linear", b.graph["proj_bias"]))
    streams = b.streams(b.short(p, "short_filter.weight", "short_filter.bias"))
    pre, post, v = (b.role(streams, role) for role in ("pre", "post", "v"))
    c = long_filter(b, "filter_fn", g.gate(v, pre), rows, convs[0], "filter_fn.bias")
    y = g.gate(c, post)
    if b.graph["residual_conv"]:
        # The second filter acts on the module's input and is not gated.
        y = y + long_filter(b, "filter_fn2", g.transpose(x), rows, convs[1],
                            "filter_fn2.bias")
    return b.linear(g.transpose(y), "out_linear", b.graph["out_bias"])
