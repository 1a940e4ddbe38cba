# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example of the documentation is run, and what it states is compared."""

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from examples import (
    commands,
    function_program,
    pass_examples,
    read_blocks,
    snippet_program,
)

from hyena_mlir.safetensors import load

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TOLERANCE = 1e-5  # what an example prints is rounded for the reader

SNIPPETS = [
    block
    for page in sorted((DOCS / "Dialects").glob("*.md"))
    for block in read_blocks(page)
    if block.language == "mlir"
]
PASSES = pass_examples(DOCS / "Passes.md")
COMMANDS = [
    command
    for page in [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
    if page.exists()
    for command in commands(page)
]


def check_output(command, **arguments):
    """What a command prints; a failure shows its error."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, **arguments)
    assert done.returncode == 0, f"{command}\nexit code {done.returncode}\n{done.stderr}"
    return done.stdout


def compute(tool, program, entry, directory, target="interpret"):
    """The results of a function."""
    source, out = directory / "example.mlir", directory / "out.safetensors"
    source.write_text(program)
    check_output([tool, source, f"--entry={entry}", f"--target={target}", f"--out={out}"])
    return [tensor.float64() for tensor in load(out).values()]


def signatures(program):
    """{function: its types} of printed IR."""
    found = re.findall(r"func\.func @(\w+)\((.*?)\) -> (.*?) (?:attributes .*?)?\{\n", program)
    return {
        name: re.sub(r"%\w+: ", "", arguments) + " -> " + results
        for name, arguments, results in found
    }


@pytest.mark.parametrize("block", SNIPPETS, ids=str)
def test_operation(block, build_dir, hyena_run, tmp_path):
    """An example that does not parse, or whose numbers are wrong, misleads."""
    is_runtime = block.heading.startswith("`exec.")
    program = (function_program if is_runtime else snippet_program)(block.text)
    check_output([build_dir / "bin" / "hyena-opt"], input=program.text)
    if is_runtime and "memref<" in program.text.split("return")[-1]:
        return  # no value that a program could be asked for
    target = "cpu" if is_runtime else "interpret"
    results = compute(hyena_run, program.text, program.entry, tmp_path, target)
    assert len(results) == len(program.expected)
    for found, (name, value) in zip(results, program.expected):
        np.testing.assert_allclose(
            found, np.array(value, float), atol=TOLERANCE, rtol=TOLERANCE, err_msg=f"%{name}"
        )


@pytest.mark.parametrize("example", PASSES, ids=str)
def test_pass(example, build_dir, hyena_run, tmp_path):
    """The page would show what the pass does not do, or what changes the values."""
    opt = build_dir / "bin" / "hyena-opt"
    before = check_output([opt], input=example.before.text)
    after = check_output([opt], input=example.after.text)
    made = check_output([opt, *example.flags], input=example.before.text)
    assert made == after
    if "exec." in after and "hyena." not in before:
        return  # below the level of values
    shared = {name for name, kind in signatures(before).items() if signatures(after).get(name) == kind}
    for name in sorted(shared):
        first, second = (
            compute(hyena_run, text, name, tmp_path, "cpu" if "exec." in text else "interpret")
            for text in (before, after)
        )
        for one, other in zip(first, second):
            scale = max(float(np.abs(one).max(initial=0)), 1.0)
            np.testing.assert_allclose(other, one, atol=TOLERANCE * scale, rtol=0)


def test_every_pass_is_listed(build_dir):
    """A pass that registerAllPasses() knows but getPassNames() does not has no flag
    in mlir-opt, and hyena-opt's help leaves it out."""
    documented = re.findall(r"^### `-([\w-]+)`", (DOCS / "Passes.md").read_text(), flags=re.M)
    listed = re.findall(r"^  --([\w-]+) ", check_output([build_dir / "bin/hyena-opt", "--help"]),
                        flags=re.M)
    assert set(documented) - set(listed) == set()


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_command(command, build_dir):
    """A reader who types what a page shows would see something else."""
    path = f"{build_dir / 'bin'}:{os.environ['PATH']}"
    printed = check_output(
        command.line, shell=True, cwd=ROOT, env={**os.environ, "PATH": path}
    )
    assert command.matches(printed), f"$ {command.line}\n{printed}"
