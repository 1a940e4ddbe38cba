# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions by their definition, in float64: one product of a matrix of taps
with the signal per channel, no transform, nothing of the project."""

from __future__ import annotations

import numpy as np


def tap_matrix(length: int, mode: str, h: np.ndarray, r: np.ndarray | None = None,
               lag0: int = 0) -> np.ndarray:
    """M with y = M u: M[n, m] is the tap that acts on sample m for output n."""
    lag = np.arange(-(length - 1), length)

    def take(taps, index):
        inside = (index >= 0) & (index < len(taps))
        return np.where(inside, taps[np.clip(index, 0, len(taps) - 1)], 0.0)

    if mode == "causal":
        acting = take(h, lag)
    elif mode == "bidirectional":
        acting = take(h, lag) + take(r, -lag - 1)
    elif mode == "noncausal":
        acting = take(h, lag + lag0)
    elif mode == "circular":
        # At most one tap acts on a sample: there are no more taps than samples.
        acting = take(h, (lag + lag0) % length)
    else:
        raise ValueError(f"mode is {mode!r}")
    # Row n holds the taps of lags n, n-1, ..., n-L+1.
    return np.lib.stride_tricks.sliding_window_view(acting[::-1], length)[::-1]


def long_convolution(u: np.ndarray, h: np.ndarray, mode: str,
                     r: np.ndarray | None = None, lag0: int = 0) -> np.ndarray:
    """u (B, D, L), h (D, K), r (D, J) -> (B, D, L)."""
    y = np.empty_like(u, dtype=np.float64)
    for c in range(u.shape[1]):
        matrix = tap_matrix(u.shape[2], mode, h[c], None if r is None else r[c], lag0)
        y[:, c] = u[:, c] @ matrix.T
    return y


def short_convolution(x: np.ndarray, w: np.ndarray, bias: np.ndarray,
                      low: int) -> np.ndarray:
    """x (B, D, L), w (D, K), bias (D) -> sum_k w[k] x[n - low + k] + bias."""
    length, taps = x.shape[2], w.shape[1]
    padded = np.zeros((*x.shape[:2], length + 2 * taps))
    padded[:, :, taps:taps + length] = x
    y = np.repeat(bias[None, :, None].astype(np.float64), x.shape[0], 0)
    y = np.repeat(y, length, 2)
    for k in range(taps):
        start = taps - low + k
        y += w[None, :, k:k + 1] * padded[:, :, start:start + length]
    return y
