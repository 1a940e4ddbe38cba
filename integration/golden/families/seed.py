# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference operator: README section 6.1 of the golden data."""


def mixer(b, x):
    g, config = b.g, b.config
    p = b.linear(x, "in_proj", b.graph["proj_bias"])
    v, *gates = [g.transpose(s) for s in g.chunk(p, len(b.graph["streams"]),
                                                 arrangement=b.graph["arrangement"])]
    gates = [b.short(s, f"short_convs.{i}.weight", f"short_convs.{i}.bias")
             for i, s in enumerate(gates)]
    a = g.gelu(b.linear(b.weight("pos", (-1, 1)), "filter_mlp.0"))
    h = g.transpose(b.linear(a, "filter_mlp.2"))
    y = g.gate(g.fftconv(v, h, mode=b.graph["conv"][0]["mode"]), *gates)
    return b.linear(g.transpose(y), "out_proj", b.graph["out_bias"])
