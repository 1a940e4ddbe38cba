# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StripedHyena 1 and 2: README sections 6.6 and 6.7."""


def skip_after_rounding(b, c, u, skip):
    """c + skip * u in the type of the activations."""
    g = b.g
    return c + g.broadcast(g.cast(skip, u.dtype), u, [1]) * u


def convolve(b, u, h, skip, round_first):
    """The long convolution with its skip.

    In bfloat16 some upstreams round the convolution's result before the skip is
    added; elsewhere the convolution does both.
    """
    if skip is None or not (b.case.bfloat16 and round_first):
        skip = skip and b.g.cast(skip, b.wide)
        return b.g.fftconv(u, h, skip=skip)
    return skip_after_rounding(b, b.g.fftconv(u, h), u, skip)


def streams(b, x):
    """The short-convolved streams post, pre and v."""
    g = b.g
    p = b.times_mask(g.transpose(b.linear(x, "projections", b.graph["proj_bias"])))
    s = b.short(p, "filter.short_filter_weight", "filter.short_filter_bias")
    parts = b.streams(b.times_mask(s))
    return [b.role(parts, role) for role in ("post", "pre", "v")]


def mixer1(b, x):
    g = b.g
    post, pre, v = streams(b, x)
    u = g.gate(pre, v)

    def as_complex(name):
        return g.generic("cs,cs->cs", b.complex_parts(name),
                         lambda body, re, im: body.complex(re, im))
    h = g.modal_filter(as_complex("filter.poles"), as_complex("filter.residues"),
                       x.shape[1])
    c = convolve(b, u, h, b.vector("filter.D"), round_first=True)
    return b.linear(g.transpose(g.gate(c, post)), "out_filter_dense", b.graph["out_bias"])


def mixer2(b, x):
    g, conv, variant = b.g, b.graph["conv"][0], b.graph["variant"]
    post, pre, v = streams(b, x)
    u = g.gate(pre, v)
    skip = b.vector("filter.D") if conv["skip"] else None
    if variant == "hcl":
        width, state = b.config["D"], b.graph["state"]
        h = g.modal_filter(b.weight("filter.log_poles", (width, state)),
                           b.weight("filter.residues", (width, state)), x.shape[1],
                           "log_pole")
        c = convolve(b, u, h, skip, round_first=True)
    else:
        h = g.cast(b.weight("filter.h", (conv["groups"], conv["taps"])), b.wide)
        if conv["tap_order"] == "newest_last":
            c = g.fftconv(u, h, tap_order="newest_last",
                          skip=skip and g.cast(skip, b.wide))
        else:
            c = convolve(b, u, h, skip, round_first=False)
        c = b.times_mask(c)
    return b.linear(g.transpose(g.gate(c, post)), "out_filter_dense", b.graph["out_bias"])
