# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Covering sets: few combinations in which every pair of values still occurs."""

from __future__ import annotations

import itertools
import random
from typing import Callable, Dict, List, Sequence, Tuple

Case = Tuple[object, ...]


def all_cases(axes: Dict[str, Sequence], legal: Callable[..., bool]) -> List[dict]:
    """Every legal combination of the axes' values."""
    names = list(axes)
    return [case for values in itertools.product(*axes.values())
            if legal(**(case := dict(zip(names, values))))]


def _pairs(case: dict):
    return itertools.combinations(sorted(case.items(), key=lambda item: item[0]), 2)


def covering_cases(axes: Dict[str, Sequence], legal: Callable[..., bool],
                   seed: int = 0) -> List[dict]:
    """Legal combinations that hold every pair of values that any legal
    combination holds; found greedily, the same for the same seed."""
    cases = all_cases(axes, legal)
    random.Random(seed).shuffle(cases)
    open_pairs = {pair for case in cases for pair in _pairs(case)}
    chosen: List[dict] = []
    while open_pairs:
        best = max(cases, key=lambda case: sum(p in open_pairs for p in _pairs(case)))
        chosen.append(best)
        open_pairs.difference_update(_pairs(best))
    return chosen
