//===- Filter.cpp - where a filter's taps stand in the fold ---------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/FFT/Filter.h"

#include "hyena/FFT/Plan.h"

#include <algorithm>

using namespace hyena::fft;

namespace {

/// A run of taps at consecutive lags `lag`, `lag + 1`, ...
struct LagRun {
  bool fromReverse;
  int64_t tap;
  int64_t step;
  int64_t lag;
  int64_t count;
};

int64_t floorMod(int64_t value, int64_t modulus) {
  int64_t rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

/// The filter as runs of consecutive lags, before lags are cut off.
std::vector<LagRun> lagRuns(const FilterShape &shape, int64_t length) {
  switch (shape.mode) {
  case FilterMode::Causal:
    if (shape.newestLast)
      return {{false, shape.taps - 1, -1, 0, shape.taps}};
    return {{false, 0, 1, 0, shape.taps}};
  case FilterMode::Bidirectional: {
    std::vector<LagRun> runs = {{false, 0, 1, 0, shape.taps}};
    // Lags rise from -J to -1, so the taps of the reverse filter fall.
    if (shape.reverseTaps > 0)
      runs.push_back({true, shape.reverseTaps - 1, -1, -shape.reverseTaps,
                      shape.reverseTaps});
    return runs;
  }
  case FilterMode::Noncausal:
    return {{false, 0, 1, -shape.lag0, shape.taps}};
  case FilterMode::Circular: {
    // A circular lag d in 0..L-1 is the pair of plain lags d and d - L.
    std::vector<LagRun> runs;
    for (int64_t tap = 0; tap < shape.taps;) {
      int64_t lag = floorMod(tap - shape.lag0, length);
      int64_t count = std::min(length - lag, shape.taps - tap);
      runs.push_back({false, tap, 1, lag, count});
      runs.push_back({false, tap, 1, lag - length, count});
      tap += count;
    }
    return runs;
  }
  }
  return {};
}

/// Cuts `run` to lags `low`..`high`.
LagRun clip(LagRun run, int64_t low, int64_t high) {
  int64_t skip = std::max<int64_t>(0, low - run.lag);
  run.lag += skip;
  run.tap += skip * run.step;
  run.count = std::min(run.count - skip, high - run.lag + 1);
  return run;
}

} // namespace

LagExtent hyena::fft::lagExtent(const FilterShape &shape, int64_t length) {
  // Whatever lags it has, a circular filter counts as one of every lag, so that
  // the size of its transform does not hang on where lag 0 stands.
  if (shape.mode == FilterMode::Circular)
    return {length, length - 1};
  LagExtent extent = {0, 0};
  for (const LagRun &whole : lagRuns(shape, length)) {
    LagRun run = clip(whole, -(length - 1), length - 1);
    if (run.count <= 0)
      continue;
    extent.past = std::max(extent.past, run.lag + run.count);
    extent.future = std::max(extent.future, -run.lag);
  }
  return extent;
}

int64_t hyena::fft::minimalSize(const FilterShape &shape, int64_t length) {
  LagExtent extent = lagExtent(shape, length);
  return minimalSize(length, extent.past, extent.future);
}

std::vector<TapRun> hyena::fft::tapRuns(const FilterShape &shape,
                                        int64_t length, int64_t size) {
  std::vector<TapRun> result;
  auto append = [&](LagRun run) {
    if (run.count <= 0)
      return;
    bool future = run.lag < 0;
    result.push_back({run.fromReverse, run.tap, run.step,
                      future ? run.lag + 2 * size : run.lag, run.count,
                      future ? -1 : 1});
  };
  for (const LagRun &run : lagRuns(shape, length)) {
    append(clip(run, -(length - 1), -1));
    append(clip(run, 0, length - 1));
  }
  return result;
}
