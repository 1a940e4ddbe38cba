# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""H3: README section 6.8."""


def shift_filter(b, rows):
    """s[c,t] = sum_i B[c,i] C[c,i+t]: a correlation, as a short convolution."""
    g = b.g
    taps = b.shape("ssm_k_kernel.kernel.B")[-1]
    width = b.config["D"]
    signal = b.weight("ssm_k_kernel.kernel.C", (1, width, taps))
    s = g.shortconv(signal, b.weight("ssm_k_kernel.kernel.B", (width, taps)),
                    padding="explicit", pad_low=0, pad_high=taps - 1)
    return g.truncate(g.collapse(s, 0, 2), 1, min(taps, rows))


def diagonal_filter(b, rows):
    """2 Re sum_n b_n a_n^t per head, (H, rows)."""
    g, kernel = b.g, "kernel.kernel."
    zoh = b.config["disc"] == "zoh"
    dt = b.vector(kernel + "log_dt")
    a_real, a_imag = b.weight(kernel + "inv_A_real"), b.weight(kernel + "A_imag")

    def step(body, inv_real, imag, log_dt):
        """(A, dt * A) of one state."""
        delta = body.unary("exp", log_dt)
        real = -body.unary("exp", inv_real)
        return body.complex(real, imag), body.complex(real * delta, imag * delta), delta

    def pole(body, inv_real, imag, log_dt):
        _, da, _ = step(body, inv_real, imag, log_dt)
        if zoh:
            return body.unary("exp", da)
        half = da * 0.5
        return (1.0 + half) / (1.0 - half)

    def residue(body, inv_real, imag, log_dt, b_re, b_im, c_re, c_im):
        a, da, delta = step(body, inv_real, imag, log_dt)
        bc = body.complex(b_re, b_im) * body.complex(c_re, c_im) * 2.0
        if zoh:
            return bc * (body.unary("exp", da) - 1.0) / a
        return bc * body.complex(delta, 0.0) / (1.0 - da * 0.5)

    parts = b.complex_parts(kernel + "B") + b.complex_parts(kernel + "C")
    poles = g.generic("hn,hn,h->hn", [a_real, a_imag, dt], pole)
    residues = g.generic("hn,hn,h,hn,hn,hn,hn->hn", [a_real, a_imag, dt, *parts], residue)
    return g.modal_filter(poles, residues, rows)


def mixer(b, x):
    g, config = b.g, b.config
    rows = min(x.shape[1], config["l_max"] or x.shape[1])
    q, k, v = (g.transpose(b.linear(x, name, b.graph["proj_bias"]))
               for name in ("q_proj", "k_proj", "v_proj"))
    k = g.fftconv(k, shift_filter(b, rows), skip=b.vector("ssm_k_D"))
    h, skip = diagonal_filter(b, rows), b.vector("D")
    heads, d = b.graph["heads"], config["head_dim"]
    if d == 1:
        y = g.gate(g.fftconv(g.gate(k, v), h, skip=skip), q)
    else:
        # Channel h*d*d + i*d + j of u is k[h,i] v[h,j]: filter h serves d*d of them.
        q, k, v = (g.expand(s, 1, (heads, d)) for s in (q, k, v))
        u = g.collapse(g.einsum("bhil,bhjl->bhijl", k, v), 1, 3)
        c = g.expand(g.fftconv(u, h, skip=skip), 1, (heads, d, d))
        merged = "bjhl" if config["head_merge"] == "(d h)" else "bhjl"
        y = g.collapse(g.einsum(f"bhil,bhijl->{merged}", q, c), 1, 2)
    return b.linear(g.transpose(y), "output_linear", b.graph["out_bias"])
