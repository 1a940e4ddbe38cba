# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of other libraries: PyTorch and JAX."""

import numpy as np
import pytest
from operators import expected, random_arguments, rel_l2, small, weights

import hyena_mlir as hm


@pytest.fixture(scope="module")
def arguments():
    return random_arguments(small())


@pytest.fixture(scope="module")
def program(arguments):
    return hm.compile(small()).prepare(weights(small(), arguments))


def test_torch(program, arguments):
    """Tensors that are refused, or results that are not tensors."""
    torch = pytest.importorskip("torch")
    x = torch.from_numpy(arguments["x"])
    y = program(x)
    assert isinstance(y, torch.Tensor) and y.dtype == torch.float32
    np.testing.assert_array_equal(y.numpy(), program(arguments["x"]))
    out = torch.empty_like(y)
    assert program(x, out=out) is out and torch.equal(out, y)


def test_torch_state(arguments):
    """A state_dict as the parameters."""
    torch = pytest.importorskip("torch")
    state = {k: torch.from_numpy(v) for k, v in weights(small(), arguments).items()}
    y = hm.compile(small()).prepare(state)(torch.from_numpy(arguments["x"]))
    assert rel_l2(y.numpy(), expected(small(), arguments)[0]) <= 2e-6


def test_torch_gradient(program, arguments):
    """A tensor of an autograd graph: what is computed here has no gradient."""
    torch = pytest.importorskip("torch")
    x = torch.from_numpy(arguments["x"]).requires_grad_()
    with pytest.raises(TypeError, match="argument 'x' requires grad"):
        program(x)
    with torch.no_grad():
        assert torch.equal(program(x), program(x.detach()))


def test_torch_bfloat16():
    """bfloat16 that is taken for float16."""
    torch = pytest.importorskip("torch")
    g = hm.Graph("f")
    a, b = g.input("a", (2, 4, 16), "bf16"), g.input("b", (2, 4, 16), "bf16")
    g.output(g.gate(a, b))
    x = torch.randn(2, 4, 16).to(torch.bfloat16)
    for target in ("interpret", "cpu"):
        y = hm.compile(g, target=target)(x, x)
        assert y.dtype == torch.bfloat16
        assert rel_l2(y.double().numpy(), (x.double() ** 2).numpy()) <= 2 ** -8
    with pytest.raises(TypeError, match="argument 'a' has elements of f16; bf16 is needed"):
        hm.compile(g)(x.half(), x)


def test_torch_other_device(program):
    """A tensor without host memory."""
    torch = pytest.importorskip("torch")
    with pytest.raises((TypeError, ValueError), match="argument 'x' is o[nf]"):
        program(torch.empty((2, 48, 8), device="meta"))


def test_jax(program, arguments):
    """JAX arrays, which cannot be written."""
    jax = pytest.importorskip("jax")
    y = program(jax.numpy.asarray(arguments["x"]))
    assert isinstance(y, jax.Array)
    np.testing.assert_array_equal(np.asarray(y), program(arguments["x"]))


def test_memoryview(program, arguments):
    """A plain buffer."""
    np.testing.assert_array_equal(program(memoryview(arguments["x"])),
                                  program(arguments["x"]))
