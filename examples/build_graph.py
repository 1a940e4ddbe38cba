# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the reference operator as a graph and prints it.

    python examples/build_graph.py > operator.mlir
    hyena-opt operator.mlir --hyena-fuse
"""

from hyena_mlir import Graph

B, L, D, ORDER = 2, 2048, 256, 2

g = Graph("hyena")
x, pos = g.input("x", (B, L, D)), g.param("pos", (L, 1))
v, *gates = g.chunk(g.linear(x, "in_proj", (ORDER + 1) * D), ORDER + 1)
for i, gate in enumerate(gates):
    weight, bias = g.param(f"short.{i}.weight", (D, 3)), g.param(f"short.{i}.bias", (D,))
    gates[i] = g.shortconv(g.transpose(gate), weight, bias, padding="same")
h = g.transpose(g.linear(g.gelu(g.linear(pos, "filter.0", 64)), "filter.2", D))
y = g.gate(g.fftconv(g.transpose(v), h), *gates)
g.output(g.linear(g.transpose(y), "out_proj", D))

if __name__ == "__main__":
    print(g, end="")
