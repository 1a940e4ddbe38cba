# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hyena as safari and HyenaDNA have it: README sections 6.2 and 6.3."""


def filters(b, prefix, rows, width, count):
    """The `count` long filters (D, rows) and their skips (D) in order of use."""
    g, config = b.g, b.config
    flat = b.implicit(prefix, rows)
    skip = b.vector(prefix + ".bias") if config.get("use_bias", True) else None

    def pick(x, dim, step):
        if count == 1:
            return x
        if config["order_layout"] == "(o d)":
            return g.truncate(x, dim, width, step * width)
        return g.slice(x, dim, step, width, count)
    return [(g.transpose(pick(flat, 1, o)), skip and pick(skip, 0, o))
            for o in range(count)]


def mixer(b, x):
    g, config = b.g, b.config
    if b.case.bfloat16:
        x = g.cast(x, "bf16")  # as autocast does for linear and convolution layers
    rows = min(x.shape[1], config["l_max"])
    p = g.transpose(b.linear(x, "in_proj", b.graph["proj_bias"]))
    s = g.truncate(b.short(p, "short_filter.weight", "short_filter.bias"), 2, rows)
    post, *gates, u = b.streams(s)
    for gate, (h, skip) in zip(reversed(gates),
                               filters(b, "filter_fn", rows, config["D"], len(gates))):
        u = g.fftconv(g.gate(u, gate), h, skip=skip)
    y = g.gate(u, post)
    if config.get("activation", "id") == "silu":
        y = g.silu(y)
    return b.linear(g.transpose(y), "out_proj", b.graph["out_bias"])
