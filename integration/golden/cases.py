# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of a golden directory, and how close a result has to come to one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Tuple

import numpy as np

from hyena_mlir.safetensors import Tensor, load

HERE = Path(__file__).resolve().parent


@dataclass
class Case:
    """One entry of index.json; the tensors are read when they are asked for."""

    path: Path
    entry: dict

    @property
    def id(self) -> str:
        return self.path.stem

    @property
    def kind(self) -> str:
        return self.entry["kind"]

    @property
    def config(self) -> dict:
        return self.entry["config"]

    @property
    def graph(self) -> dict:
        return self.entry["graph"]

    @property
    def bfloat16(self) -> bool:
        return self.entry["dtype"] == "bfloat16"

    def tensors(self) -> Dict[str, Tensor]:
        return load(self.path)


def read_cases(directory: Path) -> List[Case]:
    """Every case of a directory, in the order of its index."""
    index = json.loads((directory / "index.json").read_text())
    if index.get("format") != 1:
        raise ValueError(f"{directory}/index.json has format {index.get('format')!r}; 1 "
                         "is the one known here")
    return [Case(directory / entry["file"], entry) for entry in index["cases"]]


def distances(a: np.ndarray, b: np.ndarray) -> Tuple[float, float]:
    """(relative L2 distance, largest distance over the root mean square of b)."""
    if a.shape != b.shape:
        raise AssertionError(f"the result has shape {a.shape}, the golden value {b.shape}")
    if not b.size:
        return 0.0, 0.0
    norm = np.linalg.norm(b)
    return (float(np.linalg.norm(a - b) / norm),
            float(np.abs(a - b).max() / (norm / np.sqrt(b.size))))


def reference(case: Case, tensors: Dict[str, Tensor]) -> np.ndarray:
    """What a result is compared with."""
    return tensors["mid.y64" if case.bfloat16 else "y"].float64()


def bounds(case: Case, tensors: Dict[str, Tensor], dtype: str) -> Tuple[float, float]:
    """The bounds on the two distances for a result computed in `dtype`."""
    if case.bfloat16:
        if case.graph["family"] == "safari":
            # The upstream rounds its filter MLP to bfloat16 as well, we do not.
            return 2e-2, 0.2
        upstream = distances(tensors["y"].float64(), reference(case, tensors))
        return 2 * upstream[0], 2 * upstream[1]
    if dtype == "f64":
        return 1e-11, 1e-9
    rel = max(2e-6, 4 * case.entry["upstream_float32_error"]["rel_l2"])
    return rel, 50 * rel
