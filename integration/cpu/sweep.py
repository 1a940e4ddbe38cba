# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of the sweep, the operator that it runs, and its expected values."""

from __future__ import annotations

import zlib

import numpy as np
from covering import all_cases, covering_cases
from direct import long_convolution, short_convolution, tap_matrix
from hyena_mlir import Graph

AXES = {
    "length": (1, 2, 3, 7, 63, 64, 101, 127, 128, 129, 1000, 1026, 2048),
    "taps": ("1", "3", "L-1", "L", "L+5"),
    "width": (1, 3, 8, 17, 64),
    "mode": ("causal", "bidirectional", "noncausal", "circular"),
    "dtype": ("f32", "f64"),
}
BATCHES = (1, 3)
# (relative L2 error, largest error over the root mean square of the values)
BOUNDS = {"f32": (2e-6, 1e-4), "f64": (1e-12, 1e-10)}


def tap_count(length: int, taps: str) -> int:
    return {"1": 1, "3": 3, "L-1": length - 1, "L": length, "L+5": length + 5}[taps]


def is_legal(length, taps, mode, **_) -> bool:
    count = tap_count(length, taps)
    return count >= 1 and (mode != "circular" or count <= length)


def sweep_cases(full: bool) -> list:
    """All legal cases, or a set in which every pair of values occurs; about half
    of them, always the same ones, have a skip."""
    cases = all_cases(AXES, is_legal) if full else covering_cases(AXES, is_legal)
    return [{**case, "skip": zlib.crc32(repr(sorted(case.items())).encode()) % 2 == 1}
            for case in cases]


def illegal_cases() -> list:
    """One width and type of each combination that a verifier refuses."""
    axes = {**AXES, "width": (3,), "dtype": ("f32",)}
    return [{**case, "skip": False}
            for case in all_cases(axes, lambda **case: not is_legal(**case))]


def case_name(case: dict) -> str:
    skip = "-skip" if case["skip"] else ""
    return (f"{case['mode']}-L{case['length']}-K{case['taps']}-D{case['width']}"
            f"{skip}-{case['dtype']}")


class SweepOperator:
    """`y = conv(v * s) * s (+ skip)`, s a causal short convolution of the gate;
    v and the gate are the two streams of one (batch, time, channel) input whose
    batch is dynamic."""

    SHORT_TAPS = 3

    def __init__(self, length, taps, width, mode, skip, dtype):
        self.length, self.width, self.mode, self.dtype = length, width, mode, dtype
        self.skip, self.taps = skip, tap_count(length, taps)
        # Off the middle, so that a lag that is off by one shows.
        self.lag0 = self.taps // 3 if mode in ("noncausal", "circular") else None

    def graph(self) -> Graph:
        g = Graph("sweep", self.dtype)
        d = self.width
        p = g.input("p", (None, self.length, 2 * d))
        h = g.param("h", (d, self.taps))
        r = g.param("r", (d, self.taps)) if self.mode == "bidirectional" else None
        skip = g.param("skip", (d,)) if self.skip else None
        w, b = g.param("w", (d, self.SHORT_TAPS)), g.param("b", (d,))
        v, gate = (g.transpose(stream) for stream in g.chunk(p, 2))
        s = g.shortconv(gate, w, b)
        y = g.fftconv(g.gate(v, s), h, reverse=r, skip=skip, mode=self.mode,
                      lag0=self.lag0)
        g.output(g.transpose(g.gate(y, s)))
        return g

    def random(self) -> np.random.Generator:
        text = f"{self.mode} {self.length} {self.taps} {self.width} {self.skip}"
        return np.random.default_rng(zlib.crc32(text.encode()))

    def array(self, values: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(values, {"f32": np.float32, "f64": np.float64}[self.dtype])

    def weights(self, rng) -> dict:
        d, k = self.width, self.taps
        values = {"h": rng.standard_normal((d, k)) / np.sqrt(k),
                  "w": rng.standard_normal((d, self.SHORT_TAPS)),
                  "b": rng.standard_normal(d)}
        if self.mode == "bidirectional":
            values["r"] = rng.standard_normal((d, k)) / np.sqrt(k)
        if self.skip:
            values["skip"] = rng.standard_normal(d)
        return {name: self.array(value) for name, value in values.items()}

    def expected(self, p: np.ndarray, weights: dict) -> np.ndarray:
        p = p.astype(np.float64).transpose(0, 2, 1)
        weights = {name: value.astype(np.float64) for name, value in weights.items()}
        v, gate = p[:, :self.width], p[:, self.width:]
        s = short_convolution(gate, weights["w"], weights["b"], self.SHORT_TAPS - 1)
        y = long_convolution(v * s, weights["h"], self.mode, weights.get("r"),
                             self.lag0 or 0)
        if self.skip:
            y += weights["skip"][None, :, None] * (v * s)
        return (y * s).transpose(0, 2, 1)

    def impulse(self, position: int, weights: dict):
        """(input, weights, expected) with an impulse in v and gates of one."""
        p = np.zeros((1, self.length, 2 * self.width))
        p[0, position, :self.width] = 1
        ones = {**weights, "w": np.zeros_like(weights["w"]),
                "b": np.ones_like(weights["b"])}
        rows = np.stack([
            tap_matrix(self.length, self.mode, ones["h"][c].astype(np.float64),
                       ones["r"][c].astype(np.float64) if "r" in ones else None,
                       self.lag0 or 0)[:, position] for c in range(self.width)], 1)
        if self.skip:
            rows[position] += ones["skip"]
        return self.array(p), ones, rows[None]


def errors(found: np.ndarray, expected: np.ndarray) -> tuple:
    """(relative L2 error, largest error over the root mean square)"""
    difference = found.astype(np.float64) - expected
    norm = np.linalg.norm(expected)
    rms = norm / np.sqrt(max(expected.size, 1))
    if norm == 0:
        return float(np.abs(difference).max(initial=0)), float(np.abs(difference).max(initial=0))
    return float(np.linalg.norm(difference) / norm), float(np.abs(difference).max() / rms)
