//===- Sums.h - convolutions and transforms as plain sums -------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_INTERPRETER_SUMS_H
#define HYENA_LIB_INTERPRETER_SUMS_H

#include <complex>
#include <cstdint>
#include <vector>

namespace hyena::interp {

/// A filter as weights of consecutive lags: `weights[i]` acts at lag
/// `lowest + i`, so that y[n] = sum_i weights[i] u[n - lowest - i].
struct LagTable {
  int64_t lowest = 0;
  std::vector<double> weights;

  int64_t highest() const {
    return lowest + static_cast<int64_t>(weights.size()) - 1;
  }
  /// Adds `weight` at `lag`, which must be between lowest and highest.
  void add(int64_t lag, double weight) { weights[lag - lowest] += weight; }
};

/// y[n] += sum_i scales[i] * sources[i][n] for n < count, from the first source
/// to the last.
void accumulate(double *y, int64_t count, const double *const *sources,
                const double *scales, int64_t numSources);

/// y[n] += (filter * u)[n] for n < outputs, where u has `length` samples and is
/// zero elsewhere.
void convolve(const double *u, int64_t length, const LagTable &filter,
              double *y, int64_t outputs);

/// (filter * u)[n] for one n.
double convolveAt(const double *u, int64_t length, const LagTable &filter,
                  int64_t n);

/// exp(2 pi i j / period) for j = 0 ... period - 1.
std::vector<std::complex<double>> unitRoots(int64_t period);

/// A batch of complex sequences: element j of sequence `lane` is
/// re[j * lanes + lane] + i im[j * lanes + lane].
struct Lanes {
  int64_t length = 0;
  int64_t lanes = 0;
  std::vector<double> re, im;

  Lanes(int64_t length, int64_t lanes)
      : length(length), lanes(lanes), re(length * lanes), im(length * lanes) {}
};

/// output[k] = sum_j input[j] exp(sign 2 pi i j k / period) for k from `begin`
/// to `end` - 1; `roots` are unitRoots(period). `realInput` says that the
/// imaginary parts of the input are zero.
void transform(const Lanes &input, Lanes &output, int64_t begin, int64_t end,
               const std::vector<std::complex<double>> &roots, bool forward,
               bool realInput);

/// The frequency that stands at each position of a spectrum that passes of the
/// given radices leave: the digits of the position in the mixed radix of the
/// factors, the first factor's digit the most significant one, read backwards.
std::vector<int64_t> spectrumOrder(const std::vector<int64_t> &factors);

} // namespace hyena::interp

#endif // HYENA_LIB_INTERPRETER_SUMS_H
