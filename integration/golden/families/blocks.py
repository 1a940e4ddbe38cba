# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks and whole models around a mixer: README sections 6.3, 6.6 and 6.7."""

from hyena_mlir.safetensors import from_float

ACTIVATIONS = {"silu": lambda g, x: g.silu(x), "gelu": lambda g, x: g.gelu(x),
               "identity": lambda g, x: x}


def gated_block(b, x, mixer):
    """Norm, mixer, residual, norm, gated MLP, residual."""
    g, eps = b.g, b.config["eps"]
    z = x + mixer(b, b.rms_norm(x, "pre_norm.scale", eps))
    n = b.rms_norm(z, "post_norm.scale", eps)
    activation = ACTIVATIONS[b.config["mlp"]]
    hidden = g.gate(activation(g, b.linear(n, "mlp.l1", False)),
                    b.linear(n, "mlp.l2", False))
    return z + b.linear(hidden, "mlp.l3", False)


def model(b, mixer):
    """HyenaDNA: rows of the embedding in, the last norm's output out."""
    g, eps = b.g, b.config["layer_norm_epsilon"]
    # Looking rows up is left to the caller: it is no arithmetic.
    table = b.tensors["w.backbone.embeddings.word_embeddings.weight"].float64()
    rows = from_float(table[b.tensors["x"].data], b.wide)
    a, r = b.input("embedded", rows), None
    for layer in range(b.config["n_layer"]):
        start = f"backbone.layers.{layer}."
        b.prefix = start
        r = a if r is None else r + a
        n = b.layer_norm(r, "norm1", eps)
        b.prefix = start + "mixer."
        a = mixer(b, n)
        b.prefix = start
        r = r + a
        n = b.layer_norm(r, "norm2", eps)
        a = b.linear(g.gelu(b.linear(n, "mlp.fc1"), "tanh"), "mlp.fc2")
    b.prefix = "backbone."
    return b.layer_norm(r + a, "ln_f", eps)
