//===- Filter.h - where a filter's taps stand in the fold -------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A filter becomes a real sequence of length 2M before it is transformed: the
// tap of lag d >= 0 stands at position d, the tap of lag -j at position 2M - j
// with its sign changed, as x^2M = -1. Every mode is a list of runs of taps.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_FFT_FILTER_H
#define HYENA_FFT_FILTER_H

#include <cstdint>
#include <vector>

namespace hyena::fft {

/// How the index of a tap maps to its lag.
enum class FilterMode {
  /// h[k] at lag k.
  Causal,
  /// h[k] at lag k, and r[j] of a second filter at lag -(j + 1).
  Bidirectional,
  /// h[k] at lag k - lag0.
  Noncausal,
  /// h[k] at lag k - lag0 modulo the length.
  Circular,
};

/// Everything about a filter except its values.
struct FilterShape {
  FilterMode mode = FilterMode::Causal;
  /// Taps of the filter, >= 1.
  int64_t taps = 1;
  /// Taps of the second filter (bidirectional only).
  int64_t reverseTaps = 0;
  /// Index of lag 0 (noncausal and circular only).
  int64_t lag0 = 0;
  /// Lag 0 is the last tap instead of the first (causal only).
  bool newestLast = false;
};

/// `count` taps in a row: tap `tap + i * step` of the filter (or of the reverse
/// filter) is added at `position + i`, with `sign`.
struct TapRun {
  bool fromReverse;
  int64_t tap;
  int64_t step;
  int64_t position;
  int64_t count;
  int64_t sign;
};

/// Numbers of taps at lags 0, 1, ... and at lags -1, -2, ... that reach any of
/// `length` outputs.
struct LagExtent {
  int64_t past;
  int64_t future;
};

/// The extent of `shape` for signals of `length` >= 1 samples.
LagExtent lagExtent(const FilterShape &shape, int64_t length);

/// Smallest transform for `shape` and `length`; minimalSize() of its extent.
int64_t minimalSize(const FilterShape &shape, int64_t length);

/// The runs that place the taps in 2 * `size` positions. Taps whose lag reaches
/// no output are left out. Positions of different runs meet only if a circular
/// filter is longer than the signal, so values are to be added.
std::vector<TapRun> tapRuns(const FilterShape &shape, int64_t length,
                            int64_t size);

} // namespace hyena::fft

#endif // HYENA_FFT_FILTER_H
