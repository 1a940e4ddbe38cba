# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled programs: `compile` makes one, calling it runs it.

    program = hyena_mlir.compile("examples/hyena.mlir", threads=4)
    program.prepare(weights)        # once; again when weights change
    y = program(x)

Arguments are anything with DLPack: NumPy, PyTorch and JAX arrays in host
memory. They are read in place.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from .arrays import check_no_gradient, empty_like_framework, finish
from .graph import Graph
from .types import show_shape

TARGETS = ("cpu", "interpret")
STAGES = ("graph", "fused", "exec", "llvm")


class CompileError(ValueError):
    """Text that does not compile: operation, operand, location, and what is
    allowed."""


class Argument(NamedTuple):
    """An argument or a result of a program."""

    name: str
    dtype: str
    shape: Tuple[Optional[int], ...]
    is_param: bool

    def __str__(self) -> str:
        kind = " (parameter)" if self.is_param else ""
        return f"{self.name}: {self.dtype} {show_shape(self.shape)}{kind}"


def _extension():
    try:
        from . import _core
    except ImportError as error:
        raise ImportError(
            "hyena_mlir is used without its compiled part, hyena_mlir._core "
            f"({error}); build the project and put build/python on PYTHONPATH, or "
            "install the package") from error
    return _core


def compile(source: Union[str, os.PathLike, Graph], entry: Optional[str] = None,
            target: str = "cpu", threads: Optional[int] = None) -> "Program":
    """Compiles one function.

    `source` is a `Graph`, MLIR text, or the path of a file (a `PathLike`, or a
    string without a line break that ends in .mlir). `entry` names the function
    and may be left out if there is one. `target` is "cpu", or "interpret" for
    the slow reference in double precision. `threads` is how many threads a call
    works on; None takes HYENA_NUM_THREADS, or every processor.
    """
    if target not in TARGETS:
        raise ValueError(f"target is {target!r}; allowed: {', '.join(TARGETS)}")
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int)
                                or not 1 <= threads <= 4096):
        raise ValueError(f"threads is {threads!r}; allowed: 1 to 4096, or None")
    core = _extension()
    text, name = _read(source)
    try:
        program = core.Program(text, name, entry, target, threads or 0)
    except ValueError as error:
        raise CompileError(str(error)) from None
    return Program(program, target)


def _read(source) -> Tuple[str, str]:
    """(text, what locations call it)"""
    if isinstance(source, Graph):
        return str(source), f"<graph {source.name}>"
    if isinstance(source, str) and ("\n" in source or not source.endswith(".mlir")):
        return source, "<text>"
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"source is of type {type(source).__name__}; a Graph, MLIR text "
                        "or a path is needed")
    path = os.fspath(source)
    with open(path, encoding="utf-8") as file:
        return file.read(), path


class Program:
    """A compiled function. Calls from several threads may overlap."""

    def __init__(self, core, target: str):
        self._core, self.target = core, target
        #: All arguments in the order of the function.
        self.arguments: List[Argument] = [Argument(*a) for a in core.arguments()]
        #: The results.
        self.results: List[Argument] = [Argument(*r) for r in core.results()]
        #: Arguments that are new in every call.
        self.inputs = [a for a in self.arguments if not a.is_param]
        #: Arguments with `hyena.param`: weights.
        self.params = [a for a in self.arguments if a.is_param]
        self._prepared = None if self.params else core.prepare([])

    def __repr__(self) -> str:
        return (f"<Program for {self.target}: "
                f"({', '.join(map(str, self.inputs))}) -> "
                f"({', '.join(map(str, self.results))}), {len(self.params)} parameters>")

    # --- Running -----------------------------------------------------------

    def prepare(self, *values, **named) -> "Program":
        """Does the work on parameters alone, and keeps its result for calls.

        Takes all parameters in order, by name, or one mapping from names. They
        are not kept: after changing one, call this again. Returns the program.
        """
        if len(values) == 1 and isinstance(values[0], Mapping):
            named, values = {**values[0], **named}, ()
        arrays = _bind("prepare", "parameter", self.params, values, named)
        self._prepared = self._core.prepare(arrays)
        return self

    def __call__(self, *values, out=None, **named):
        """Runs the program on its inputs; returns its result, or a tuple.

        Inputs are given in order or by name. With every argument of the function
        given in order, weights included, the weights are prepared for this call
        alone. `out` is an array, or a sequence of one for each result, that is
        written and returned. Results are otherwise new arrays of the first
        input's library.
        """
        prepared = self._prepared
        if self.params and len(values) == len(self.arguments):
            weights = [v for v, a in zip(values, self.arguments) if a.is_param]
            values = [v for v, a in zip(values, self.arguments) if not a.is_param]
            prepared = self._core.prepare(weights)
        elif prepared is None:
            raise RuntimeError(
                f"the {len(self.params)} parameters ({self.params[0].name}, ...) are not "
                "prepared; call prepare() first, or pass all "
                f"{len(self.arguments)} arguments")
        arrays = _bind("call", "argument", self.inputs, values, named)
        for argument, array in zip(self.inputs, arrays):
            check_no_gradient(argument.name, array)
        if out is None:
            shapes = self._core.result_shapes(arrays)
            like = arrays[0] if arrays else None
            outs = [empty_like_framework(like, shape, result.dtype)
                    for shape, result in zip(shapes, self.results)]
            self._core.run(prepared, arrays, outs)
            outs = [finish(like, array, r.dtype) for array, r in zip(outs, self.results)]
        else:
            outs = list(out) if isinstance(out, (tuple, list)) else [out]
            if len(outs) != len(self.results):
                raise ValueError(f"out: {len(outs)} arrays, the program has "
                                 f"{len(self.results)} results")
            self._core.run(prepared, arrays, outs)
        return outs[0] if len(outs) == 1 else tuple(outs)

    # --- Looking inside ------------------------------------------------------

    def ir(self, stage: str = "fused") -> str:
        """The program as text: "graph", "fused", "exec" or "llvm"."""
        if stage not in STAGES:
            raise ValueError(f"stage is {stage!r}; allowed: {', '.join(STAGES)}")
        return self._core.text(stage)

    @property
    def remarks(self) -> List[str]:
        """What was fused, and what was not and why."""
        return [line for line in self._core.remarks().split("\n") if line]

    @property
    def workspace_bytes(self) -> int:
        """Bytes of working memory of a call; for programs of static shape."""
        for argument in self.inputs:
            if None in argument.shape:
                raise ValueError(f"argument '{argument.name}' has the dynamic shape "
                                 f"{show_shape(argument.shape)}; use "
                                 "workspace_bytes_for(...)")
        return self.workspace_bytes_for(*(a.shape for a in self.inputs))

    def workspace_bytes_for(self, *shapes: Sequence[int]) -> int:
        """Bytes of working memory of a call on inputs of these shapes."""
        if len(shapes) != len(self.inputs):
            raise ValueError(f"workspace_bytes_for: {len(shapes)} shapes, the program has "
                             f"{len(self.inputs)} inputs")
        return self._core.workspace_bytes([tuple(shape) for shape in shapes])


def _bind(function: str, role: str, arguments: Sequence[Argument], values: Sequence,
          named: Dict[str, object]) -> list:
    """The values in order. Names may be given with _ in place of a dot."""
    if len(values) > len(arguments):
        raise TypeError(f"{function}: {len(values)} {role}s given, {len(arguments)} are "
                        f"needed ({', '.join(a.name for a in arguments) or 'none'})")
    bound = dict(zip((a.name for a in arguments), values))
    spellings = {spelling: a.name for a in arguments
                 for spelling in (a.name.replace(".", "_"), a.name)}
    for name, value in named.items():
        if name not in spellings:
            raise TypeError(f"{function}: there is no {role} {name!r}; there are "
                            f"{', '.join(a.name for a in arguments) or 'none'}")
        if spellings[name] in bound:
            raise TypeError(f"{function}: {role} '{spellings[name]}' is given twice")
        bound[spellings[name]] = value
    missing = [a.name for a in arguments if a.name not in bound]
    if missing:
        raise TypeError(f"{function}: {role} '{missing[0]}' is missing"
                        + (f", and {len(missing) - 1} more" if missing[1:] else ""))
    return [bound[a.name] for a in arguments]
