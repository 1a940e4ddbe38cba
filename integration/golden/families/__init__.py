# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a case's `graph` and `config` to a graph of the compiler.

There is one builder per family. None of them names a case.
"""

from __future__ import annotations

from typing import Dict, Tuple

from hyena_mlir import Graph
from hyena_mlir.safetensors import Tensor

from . import blocks, flash, h3, m2, nvsub, safari, seed, striped
from .common import Builder

MIXERS = {
    "seed": seed.mixer,
    "safari": safari.mixer,
    "hyenadna": safari.mixer,
    "m2": m2.mixer,
    "flashfftconv_example": flash.mixer,
    "stripedhyena1": striped.mixer1,
    "stripedhyena2": striped.mixer2,
    "h3": h3.mixer,
    "nvsubquadratic": nvsub.mixer,
}

ENTRY = "forward_all"


def build(case, tensors: Dict[str, Tensor], dtype: str,
          batch="static") -> Tuple[Graph, Dict[str, Tensor]]:
    """The graph of a case and its arguments by name, in their order.

    `dtype` is what the graph computes in, f32 or f64; bfloat16 cases have
    bfloat16 where the upstream rounds to it.
    """
    family = case.graph["family"]
    if family not in MIXERS:
        raise ValueError(f"{case.id}: family {family!r} has no builder; there "
                                  f"are {', '.join(MIXERS)}")
    b = Builder(case, tensors, dtype, batch, ENTRY)
    mixer = MIXERS[family]
    if case.kind in ("mixer", "decode"):
        y = mixer(b, b.input("x"))
    elif case.kind == "block":
        y = blocks.gated_block(b, b.input("x"), mixer)
    elif case.kind == "model":
        y = blocks.model(b, mixer)
    else:
        raise ValueError(f"{case.id}: kind {case.kind!r} is not one of mixer, "
                                  "decode, block, model")
    b.g.output(y)
    return b.g, b.arguments
