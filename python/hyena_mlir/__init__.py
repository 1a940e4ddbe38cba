# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiler for long-convolution operators of the Hyena family."""

from .graph import Graph
from .program import Argument, CompileError, Program, compile
from .reference import hyena
from .types import GraphError

__all__ = ["Argument", "CompileError", "Graph", "GraphError", "Program", "compile",
           "hyena"]
__version__ = "0.1.0"
