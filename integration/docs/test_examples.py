# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the example finder: a mistake in it would let wrong examples pass."""

import pytest
from examples import Command, commands, pass_examples, read_blocks, snippet_program

SNIPPET = """\
// %u = [[[1, 2, -3]]], %h = [[1,
//   10]]
%y = hyena.fftconv %u, %h
    : (tensor<1x1x3xf32>, tensor<1x2xf32>) -> tensor<1x1x3xf32>
// %y = [[[1, 12, 17]]]
"""


def test_snippet_becomes_a_function():
    """A value that is not passed on would be compared with nothing."""
    program = snippet_program(SNIPPET)
    assert program.expected == [("y", [[[1, 12, 17]]])]
    assert "%h = arith.constant dense<[[1.0, 10.0]]> : tensor<1x2xf32>" in program.text
    assert "return %y : tensor<1x1x3xf32>" in program.text


def test_regions_and_groups():
    """Block arguments would be taken for operands, or a group's types swapped."""
    program = snippet_program(
        "// %x = [1, 2], %w = [[3], [4]]\n"
        "%y = hyena.fused_conv ins(%x, %w : tensor<2xf32>, tensor<2x1xf64>) prologue {\n"
        "^bb0(%a: f32):\n  hyena.yield %a : f32\n} : tensor<2xf32>\n// %y = [1, 2]\n"
    )
    assert "%w = arith.constant dense<[[3.0], [4.0]]> : tensor<2x1xf64>" in program.text
    assert "%a = arith" not in program.text


def test_complex_results_come_in_two_parts():
    """Only real numbers can be compared."""
    program = snippet_program(
        "// %x = [1, 2]\n%y = hyena.rfft %x {n = 2 : i64} "
        ": (tensor<2xf32>) -> tensor<2xcomplex<f32>>\n// %y = [(3, 0), (-1, 0)]\n"
    )
    assert program.expected == [("y.re", [3, -1]), ("y.im", [0, 0])]
    assert "return %y_re, %y_im : tensor<2xf32>, tensor<2xf32>" in program.text


@pytest.mark.parametrize(
    "text, message",
    [
        (SNIPPET.replace("%y = [", "%z = ["), "states no result"),
        (SNIPPET.replace("%u = [", "%v = ["), "no value for %u"),
    ],
)
def test_what_cannot_be_run_is_an_error(text, message):
    """An example without values would be skipped in silence."""
    with pytest.raises(ValueError, match=message):
        snippet_program(text)


def test_pages(tmp_path):
    """A block under another heading would be taken for a pair's second half."""
    page = tmp_path / "page.md"
    page.write_text(
        "# P\n### `-a-pass`\n```mlir\none\n```\nafter `--a-pass=x=1`:\n```mlir\ntwo\n```\n"
        "```console\n$ echo a \\\n  b\na b\n$ true\n```\n"
    )
    (example,) = pass_examples(page)
    assert (example.before.text, example.after.text) == ("one\n", "two\n")
    assert example.flags == ["--a-pass=x=1"]
    assert [(c.line, c.printed) for c in commands(page)] == [("echo a b", ["a b"]), ("true", [])]
    page.write_text("### `-a`\n```mlir\none\n```\n### `-b`\n```mlir\ntwo\n```\n")
    with pytest.raises(ValueError, match="page.md:2"):
        pass_examples(page)
    assert [block.heading for block in read_blocks(page)] == ["`-a`", "`-b`"]


def test_patterns():
    """`...` would match too little, or everything."""
    command = Command(None, "", ["first", "...", "x = [...];", "last"])
    assert command.matches("first\nx = 1;\nlast\n")
    assert command.matches("first\na\nb\nx = 12;\nlast\n")
    assert not command.matches("first\nx = 12;\nlast\nmore\n")
    assert not command.matches("first\nlast\n")
