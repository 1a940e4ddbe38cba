//===- Sums.cpp - convolutions and transforms as plain sums ---------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sums.h"

#include <algorithm>
#include <cmath>

using namespace hyena::interp;

// Wider vectors where the processor has them. The choice is made at load time,
// which sanitized programs do not survive; those would spend all their time in
// these loops, so they are not instrumented: their callers know the bounds.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
    __has_feature(undefined_behavior_sanitizer)
#define HYENA_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HYENA_SANITIZED 1
#endif
#if defined(HYENA_SANITIZED)
#define HYENA_WIDE                                                             \
  __attribute__((no_sanitize("address", "thread", "undefined")))
#elif defined(__x86_64__) && defined(__linux__)
#define HYENA_WIDE                                                             \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HYENA_WIDE
#endif

HYENA_WIDE static void addScaled4(double *__restrict y, int64_t count,
                                  const double *x0, const double *x1,
                                  const double *x2, const double *x3, double a0,
                                  double a1, double a2, double a3) {
  for (int64_t n = 0; n < count; ++n)
    y[n] = y[n] + a0 * x0[n] + a1 * x1[n] + a2 * x2[n] + a3 * x3[n];
}

HYENA_WIDE static void addScaled1(double *__restrict y, int64_t count,
                                  const double *x, double a) {
  for (int64_t n = 0; n < count; ++n)
    y[n] = y[n] + a * x[n];
}

void hyena::interp::accumulate(double *y, int64_t count,
                               const double *const *sources,
                               const double *scales, int64_t numSources) {
  int64_t i = 0;
  for (; i + 4 <= numSources; i += 4)
    addScaled4(y, count, sources[i], sources[i + 1], sources[i + 2],
               sources[i + 3], scales[i], scales[i + 1], scales[i + 2],
               scales[i + 3]);
  for (; i < numSources; ++i)
    addScaled1(y, count, sources[i], scales[i]);
}

void hyena::interp::convolve(const double *u, int64_t length,
                             const LagTable &filter, double *y,
                             int64_t outputs) {
  // Four lags at a time share an interval of outputs, so the ends of the signal
  // need up to three zeros around them.
  constexpr int64_t block = 4;
  std::vector<double> padded(length + 2 * block);
  std::copy(u, u + length, padded.begin() + block);
  const double *signal = padded.data() + block;
  auto taps = static_cast<int64_t>(filter.weights.size());
  for (int64_t i = 0; i < taps; i += block) {
    int64_t size = std::min(block, taps - i);
    int64_t lag = filter.lowest + i;
    int64_t begin = std::max<int64_t>(0, lag);
    int64_t end = std::min(outputs, length + lag + size - 1);
    if (begin >= end)
      continue;
    const double *sources[block];
    for (int64_t k = 0; k < size; ++k)
      sources[k] = signal + begin - lag - k;
    accumulate(y + begin, end - begin, sources, &filter.weights[i], size);
  }
}

double hyena::interp::convolveAt(const double *u, int64_t length,
                                 const LagTable &filter, int64_t n) {
  // 0 <= n - lag < length.
  int64_t begin = std::max(filter.lowest, n - length + 1);
  int64_t end = std::min(filter.highest(), n);
  double sum = 0;
  for (int64_t lag = begin; lag <= end; ++lag)
    sum += filter.weights[lag - filter.lowest] * u[n - lag];
  return sum;
}

std::vector<std::complex<double>> hyena::interp::unitRoots(int64_t period) {
  const long double pi = 3.141592653589793238462643383279502884L;
  std::vector<std::complex<double>> roots(period);
  for (int64_t j = 0; j < period; ++j) {
    // Quarter turns are taken out, so that they are exact.
    int64_t quarters = 4 * j / period;
    long double rest = static_cast<long double>(4 * j - quarters * period) /
                       (4 * static_cast<long double>(period));
    auto cosine = static_cast<double>(std::cos(2 * pi * rest));
    auto sine = static_cast<double>(std::sin(2 * pi * rest));
    switch (quarters) {
    case 0:
      roots[j] = {cosine, sine};
      break;
    case 1:
      roots[j] = {-sine, cosine};
      break;
    case 2:
      roots[j] = {-cosine, -sine};
      break;
    default:
      roots[j] = {sine, -cosine};
    }
  }
  return roots;
}

HYENA_WIDE static void addRotated(double *__restrict outRe,
                                  double *__restrict outIm, const double *re,
                                  const double *im, double cosine, double sine,
                                  int64_t lanes) {
  for (int64_t i = 0; i < lanes; ++i) {
    outRe[i] = outRe[i] + re[i] * cosine - im[i] * sine;
    outIm[i] = outIm[i] + re[i] * sine + im[i] * cosine;
  }
}

HYENA_WIDE static void addRotatedReal(double *__restrict outRe,
                                      double *__restrict outIm,
                                      const double *re, double cosine,
                                      double sine, int64_t lanes) {
  for (int64_t i = 0; i < lanes; ++i) {
    outRe[i] = outRe[i] + re[i] * cosine;
    outIm[i] = outIm[i] + re[i] * sine;
  }
}

void hyena::interp::transform(const Lanes &input, Lanes &output, int64_t begin,
                              int64_t end,
                              const std::vector<std::complex<double>> &roots,
                              bool forward, bool realInput) {
  auto period = static_cast<int64_t>(roots.size());
  int64_t lanes = input.lanes;
  for (int64_t k = begin; k < end; ++k) {
    double *outRe = output.re.data() + k * lanes;
    double *outIm = output.im.data() + k * lanes;
    int64_t angle = 0;
    for (int64_t j = 0; j < input.length; ++j) {
      std::complex<double> root = roots[angle];
      double sine = forward ? -root.imag() : root.imag();
      const double *re = input.re.data() + j * lanes;
      if (realInput)
        addRotatedReal(outRe, outIm, re, root.real(), sine, lanes);
      else
        addRotated(outRe, outIm, re, input.im.data() + j * lanes, root.real(),
                   sine, lanes);
      angle += k;
      angle %= period;
    }
  }
}

std::vector<int64_t>
hyena::interp::spectrumOrder(const std::vector<int64_t> &factors) {
  int64_t length = 1;
  for (int64_t factor : factors)
    length *= factor;
  std::vector<int64_t> frequencies(length);
  for (int64_t position = 0; position < length; ++position) {
    int64_t rest = position, frequency = 0;
    // From the least significant digit, the last factor's.
    for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor) {
      frequency = frequency * *factor + rest % *factor;
      rest /= *factor;
    }
    frequencies[position] = frequency;
  }
  return frequencies;
}
