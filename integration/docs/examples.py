# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the examples in the documentation and makes programs of them.

An operation's example is a snippet. Comments say what goes in and what comes
out, in any order, each value as nested lists (a complex number is a pair):

    // %u = [[[1, 2, 3]]], %h = [[1, 10]]
    %y = hyena.fftconv %u, %h
        : (tensor<1x1x3xf32>, tensor<1x2xf32>) -> tensor<1x1x3xf32>
    // %y = [[[1, 12, 23]]]

or a function that states the values that it returns.

A pass's examples come in pairs, the program before and after the pass. Words in
backquotes that begin with `--`, between the two, are the flags of the pass.

A console block holds commands after `$ ` and what they print; a line `...`
stands for any lines, and `[...]` for anything within one.
"""

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Tuple

FENCE = re.compile(r"^ *```(\w*) *$")


@dataclass
class Block:
    """A fenced block: its language, text, first line, and what stands above."""

    page: Path
    line: int
    language: str
    text: str
    heading: str  # the nearest heading above
    lead: str  # the text between the previous block or heading and this block

    def __str__(self):
        return f"{self.page.name}:{self.line} {self.heading.split(' ')[0].strip('`')}"


def read_blocks(page: Path) -> List[Block]:
    """Every fenced block of a page."""
    blocks, heading, lead, current = [], "", [], None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if current is not None:
            if fence:
                current.text = "\n".join(current.text) + "\n"
                blocks.append(current)
                current, lead = None, []
            else:
                current.text.append(line)
        elif fence:
            current = Block(page, number, fence.group(1), [], heading, "\n".join(lead))
        elif line.startswith("#"):
            heading, lead = line.lstrip("# "), []
        else:
            lead.append(line)
    return blocks


def split_outside(text: str, separator: str = ",") -> List[str]:
    """Splits at separators that no bracket encloses."""
    parts, depth, current = [], 0, ""
    for previous, character in zip(" " + text, text):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and previous != "-"):
            depth -= 1
        if character == separator and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return [part for part in [*parts, current.strip()] if part]


def literal(text: str) -> str:
    """The number or the bracketed value that a text begins with."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if depth == 0 and character in ")]":
            return text[: position + 1]
        if depth == 0 and character in ", ":
            return text[:position]
    return text


def stated_values(text: str) -> Dict[str, object]:
    """{name: nested lists} of the comments; a comment may span lines."""
    comments = " ".join(line.split("//", 1)[1] for line in text.splitlines() if "//" in line)
    return {
        match.group(1): ast.literal_eval(literal(comments[match.end():]))
        for match in re.finditer(r"%(\w+) = (?=[\[(\d-])", comments)
    }


def without_comments(text: str) -> str:
    return "\n".join(line.split("//", 1)[0].rstrip() for line in text.splitlines())


def statements(code: str) -> List[str]:
    """The operations that begin in the first column, each with what it spans."""
    found = []
    for line in code.splitlines():
        if re.match(r"[%a-z]", line):
            found.append(line)
        elif found:
            found[-1] += "\n" + line
    return found


def value_types(code: str) -> Dict[str, str]:
    """{name: type} of the values that a snippet's operations use and define."""
    types = {}
    for statement in statements(code):
        defined, body = [], statement
        if statement.startswith("%"):
            left, body = statement.split("=", 1)
            defined = [name.strip().lstrip("%") for name in left.split(",")]
        # ins(%a, %b : T, U) and its like
        for names, listed in re.findall(r"\((%[^():]*) : ((?:[^()]|\([^()]*\))*)\)", body):
            names = [name.strip().lstrip("%") for name in names.split(",")]
            types.update(zip(names, split_outside(listed)))
        flat = re.sub(r"\{.*\}", "{}", body, flags=re.S)
        function = re.search(r":\s*\(([^()]*)\)\s*->\s*(.+)$", flat, flags=re.S)
        last = split_outside(flat, ":")[-1]
        if function:
            used = re.findall(r"%(\w+)", flat[: function.start()])
            types.update(zip(used, split_outside(function.group(1))))
            types.update(zip(defined, split_outside(function.group(2).strip("() \n"))))
        else:  # one type for all, or those of the results after groups
            kinds = split_outside(last)
            for index, name in enumerate(defined):
                types[name] = kinds[min(index, len(kinds) - 1)]
            for name in re.findall(r"%(\w+)", flat):
                types.setdefault(name, kinds[0])
    return types


def element_type(kind: str) -> str:
    """The element type of a tensor type."""
    return re.sub(r"^tensor<(?:[\d?]+x)*|>$", "", kind)


def dense(value, kind: str) -> str:
    """A literal of this type, floats written as such."""
    if isinstance(value, list):
        return "[" + ", ".join(dense(item, kind) for item in value) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(dense(item, kind) for item in value) + ")"
    return repr(float(value)) if "f" in element_type(kind) else repr(value)


@dataclass
class Program:
    """A module whose function takes nothing and returns what the example states."""

    text: str
    entry: str
    expected: List[Tuple[str, object]] = field(default_factory=list)


def snippet_program(text: str) -> Program:
    """Wraps a snippet; ValueError says what keeps it from being run."""
    code, stated = without_comments(text).strip("\n"), stated_values(text)
    types = value_types(code)
    defined = set()
    for statement in statements(code):
        if statement.startswith("%"):
            defined.update(re.findall(r"%(\w+)", statement.split("=", 1)[0]))
    used = set(re.findall(r"%(\w+)", re.sub(r"\{.*\}", "", code, flags=re.S))) - defined
    unknown = sorted(name for name in used if name not in stated)
    if unknown:
        raise ValueError(f"the example gives no value for %{', %'.join(unknown)}")
    expected = [(name, value) for name, value in stated.items() if name in defined]
    if not expected:
        raise ValueError("the example states no result")
    lines = [
        f"%{name} = arith.constant dense<{dense(stated[name], types[name])}> : {types[name]}"
        for name in sorted(used)
    ]
    lines.append(code)
    results, kinds, parts = [], [], []
    for name, value in expected:
        kind = types[name]
        if element_type(kind).startswith("complex"):
            lines += complex_parts(name, kind)
            real = re.sub(r"complex<(\w+)>", r"\1", kind)
            results += [f"%{name}_re", f"%{name}_im"]
            kinds += [real, real]
            parts += [(f"{name}.re", pick(value, 0)), (f"{name}.im", pick(value, 1))]
        else:
            results.append(f"%{name}")
            kinds.append(kind)
            parts.append((name, value))
    lines.append(f"return {', '.join(results)} : {', '.join(kinds)}")
    body = "\n".join("  " + line for line in "\n".join(lines).splitlines())
    return Program(
        f"func.func @example() -> ({', '.join(kinds)}) {{\n{body}\n}}\n", "example", parts
    )


def function_program(text: str) -> Program:
    """An example that is a function: its values are those that it returns."""
    entry = re.search(r"func\.func @(\w+)", text).group(1)
    returned = re.search(r"return ((?:%\w+(?:, )?)+)", text[text.index(f"@{entry}"):])
    names = re.findall(r"%(\w+)", returned.group(1))
    stated = stated_values(text)
    return Program(text, entry, [(name, stated[name]) for name in names if name in stated])


def pick(value, part: int):
    """The real or imaginary parts of nested lists of pairs."""
    if isinstance(value, list):
        return [pick(item, part) for item in value]
    return value[part] if isinstance(value, tuple) else (value, 0)[part]


def complex_parts(name: str, kind: str) -> List[str]:
    """Operations that define %name_re and %name_im."""
    real = re.sub(r"complex<(\w+)>", r"\1", kind)
    scalar = element_type(real)
    rank = kind.count("x", 0, kind.index("complex"))
    dims = ", ".join(f"d{i}" for i in range(rank))
    same = f"affine_map<({dims}) -> ({dims})>"
    loops = ", ".join(['"parallel"'] * rank)
    lines = []
    for part in ("re", "im"):
        result = f"%{name}_{part}"
        lines += [
            f"{result}_init = tensor.empty() : {real}",
            f"{result} = linalg.generic {{indexing_maps = [{same}, {same}], "
            f"iterator_types = [{loops}]}} ins(%{name} : {kind}) "
            f"outs({result}_init : {real}) {{",
            f"^bb0(%z: complex<{scalar}>, %o: {scalar}):",
            f"  %p = complex.{part} %z : complex<{scalar}>",
            f"  linalg.yield %p : {scalar}",
            f"}} -> {real}",
        ]
    return lines


@dataclass
class PassExample:
    """The program before a pass, and after it."""

    before: Block
    after: Block
    flags: List[str]

    def __str__(self):
        return f"{self.before}{self.flags[0]}"


def pass_examples(page: Path) -> List[PassExample]:
    """The pairs of a page of passes. A block without a partner is an error."""
    found = []
    blocks = [block for block in read_blocks(page) if block.language == "mlir"]
    while blocks:
        before = blocks.pop(0)
        name = re.match(r"`-([\w-]+)`", before.heading).group(1)
        if not blocks or blocks[0].heading != before.heading:
            raise ValueError(f"{before}: no program follows that shows what becomes of it")
        after = blocks.pop(0)
        flags = re.findall(r"`(--[^`]+)`", after.lead) or [f"--{name}"]
        found.append(PassExample(before, after, flags))
    return found


@dataclass
class Command:
    """A command of a console block and the pattern of what it prints."""

    block: Block
    line: str
    printed: List[str]

    def __str__(self):
        return f"{self.block} {self.line}"

    def matches(self, output: str) -> bool:
        pattern = ""
        for line in self.printed:
            if line.strip() == "...":
                pattern += r"(?:.*\n)*?"
            else:
                pieces = [re.escape(piece) for piece in line.rstrip().split("[...]")]
                pattern += ".*?".join(pieces) + r"[ ]*\n"
        return re.fullmatch(pattern, output) is not None


def commands(page: Path) -> List[Command]:
    """Every command of a page's console blocks; `\\` continues a line."""
    found = []
    for block in read_blocks(page):
        if block.language != "console":
            continue
        for line in block.text.splitlines():
            if found and found[-1].block is block and found[-1].line.endswith("\\"):
                found[-1].line = found[-1].line[:-1] + line.strip()
            elif line.startswith("$ "):
                found.append(Command(block, line[2:], []))
            else:
                found[-1].printed.append(line)
    return found
