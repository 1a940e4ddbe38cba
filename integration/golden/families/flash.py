# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of FlashFFTConv: README section 6.5."""

from .m2 import long_filter


def mixer(b, x):
    g, config = b.g, b.config
    proj, out = ("in_proj", "out_proj") if b.has("in_proj.weight") \
        else ("in_linear", "out_linear")
    short = "short_filter" if b.has("short_filter.weights") else "flash_short_filter"
    rows = min(x.shape[1], config["l_max"])
    p = g.transpose(b.linear(x, proj, b.graph["proj_bias"]))
    streams = b.streams(b.short(p, short + ".weights", short + ".bias"))
    pre, post, v = (b.role(streams, role) for role in ("pre", "post", "v"))
    u, convs = g.gate(pre, v), b.graph["conv"]
    if b.graph["filter"] == "stored":
        stored = "filter_fn.k_ones" if b.has("filter_fn.k_ones") else "filter"
        c = g.fftconv(u, b.weight(stored, (config["D"], -1)), mode=convs[0]["mode"])
    else:
        c = long_filter(b, "filter_fn", u, rows, convs[0], "filter_bias")
    y = g.gate(c, post)
    if b.graph.get("residual_conv", False):
        # Unlike Monarch Mixer's, this one acts on the short-convolved v.
        y = y + long_filter(b, "filter_fn2", v, rows, convs[1], "filter2_bias")
    return b.linear(g.transpose(y), out, b.graph["out_bias"])
