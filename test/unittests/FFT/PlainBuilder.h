//===- PlainBuilder.h - a builder that computes at once ---------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the builder of hyena/FFT/Emitter.h on plain numbers, and counts
// operations. Negations are counted apart: a vector unit folds them.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_UNITTESTS_FFT_PLAINBUILDER_H
#define HYENA_UNITTESTS_FFT_PLAINBUILDER_H

#include "hyena/FFT/Emitter.h"
#include "hyena/FFT/Filter.h"

#include <cmath>
#include <vector>

namespace hyena::fft {

template <typename Real> struct PlainBuilder {
  using Lane = Real;
  using Index = int64_t;

  explicit PlainBuilder(const Plan &plan) {
    size_t size = static_cast<size_t>(plan.size());
    input.resize(2 * size);
    output.resize(2 * size);
    state.resize(size);
    spectrum.resize(size);
    for (int64_t pass = 0; pass < plan.passes(); ++pass)
      tables.push_back(plan.twiddles(pass));
  }

  Lane add(Lane a, Lane b) { return ++adds, a + b; }
  Lane sub(Lane a, Lane b) { return ++adds, a - b; }
  Lane mul(Lane a, Lane b) { return ++muls, a * b; }
  Lane fma(Lane a, Lane b, Lane c) { return ++fmas, std::fma(a, b, c); }
  Lane neg(Lane a) { return ++negations, -a; }
  Lane constant(double value) { return static_cast<Real>(value); }

  Index index(int64_t value) { return value; }
  Index addIndex(Index a, Index b) { return a + b; }
  Index mulIndex(Index a, int64_t b) { return a * b; }
  template <typename F> void forLoop(int64_t lower, int64_t upper, F body) {
    for (int64_t i = lower; i < upper; ++i)
      body(i);
  }

  Lane loadInput(Index row) { return ++loads, input.at(row); }
  void storeOutput(Index row, Lane value) {
    ++stores;
    output.at(row) = value;
  }
  ComplexLane<Lane> loadState(Index at) { return state.at(at); }
  void storeState(Index at, ComplexLane<Lane> value) { state.at(at) = value; }
  ComplexLane<Lane> loadTwiddle(int64_t pass, Index entry) {
    const std::vector<double> &table = tables[pass];
    return {static_cast<Real>(table.at(2 * entry)),
            static_cast<Real>(table.at(2 * entry + 1))};
  }
  ComplexLane<Lane> loadSpectrum(Index at) { return spectrum.at(at); }
  void storeSpectrum(Index at, ComplexLane<Lane> value) {
    spectrum.at(at) = value;
  }

  int64_t operations() const { return adds + muls + fmas; }

  std::vector<Real> input, output;
  std::vector<ComplexLane<Real>> state, spectrum;
  std::vector<std::vector<double>> tables;
  int64_t adds = 0, muls = 0, fmas = 0, negations = 0, loads = 0, stores = 0;
};

/// The whole right-angle convolution of one channel by the emitter.
template <typename Real>
std::vector<Real> convolve(const Plan &plan, const FilterShape &shape,
                           const std::vector<Real> &signal,
                           const std::vector<Real> &filter,
                           const std::vector<Real> &reverse = {}) {
  int64_t length = static_cast<int64_t>(signal.size());
  int64_t size = plan.size();
  PlainBuilder<Real> builder(plan);
  TransformEmitter<PlainBuilder<Real>> emitter(builder, plan);
  int64_t used = 0;
  for (const TapRun &run : tapRuns(shape, length, size)) {
    const std::vector<Real> &taps = run.fromReverse ? reverse : filter;
    for (int64_t i = 0; i < run.count; ++i)
      builder.input.at(run.position + i) +=
          static_cast<Real>(run.sign) * taps.at(run.tap + i * run.step);
    used = std::max(used, run.position + run.count);
  }
  emitter.transform(used, 1.0 / static_cast<double>(size));
  builder.input.assign(2 * size, 0);
  for (int64_t i = 0; i < length; ++i)
    builder.input.at(i) = signal[i];
  emitter.convolve(length, length);
  return {builder.output.begin(), builder.output.begin() + length};
}

} // namespace hyena::fft

#endif // HYENA_UNITTESTS_FFT_PLAINBUILDER_H
