//===- ConvolutionCase.h - convolutions as text and as sums -----*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_UNITTESTS_CODEGEN_CONVOLUTIONCASE_H
#define HYENA_UNITTESTS_CODEGEN_CONVOLUTIONCASE_H

#include "KernelRunner.h"

#include "hyena/FFT/Filter.h"
#include "hyena/FFT/Plan.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <random>
#include <string>
#include <type_traits>

namespace mlir::hyena {

/// One convolution with or without everything that may stand around it.
struct Case {
  int64_t batch, length, channels, taps, lanes;
  ::hyena::fft::FilterShape shape = {};
  int64_t groups = 1; // Channels that share a filter.
  bool channelsFirst = false;
  bool dynamicBatch = false;
};

template <typename T> const char *typeName();
template <> inline const char *typeName<float>() { return "f32"; }
template <> inline const char *typeName<double>() { return "f64"; }

template <typename T> void randomize(Buffer<T> &buffer, uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  for (T &value : buffer)
    value = static_cast<T>(normal(engine));
}

inline std::string planText(const Case &c, const ::hyena::fft::Plan &plan) {
  std::string factors;
  for (int64_t factor : plan.factors())
    factors += (factors.empty() ? "" : ", ") + std::to_string(factor);
  return llvm::formatv("#hyena.fft_plan<length = {0}, factors = [{1}], "
                       "lanes = {2}>",
                       plan.size(), factors, c.lanes)
      .str();
}

inline std::string modeText(const ::hyena::fft::FilterShape &shape) {
  switch (shape.mode) {
  case ::hyena::fft::FilterMode::Causal:
    return shape.newestLast ? "tap_order = #hyena.tap_order<newest_last>, "
                            : "";
  case ::hyena::fft::FilterMode::Bidirectional:
    return "mode = #hyena.conv_mode<bidirectional>, ";
  case ::hyena::fft::FilterMode::Noncausal:
    return llvm::formatv(
        "mode = #hyena.conv_mode<noncausal>, lag0 = {0} : i64, ", shape.lag0);
  case ::hyena::fft::FilterMode::Circular:
    return llvm::formatv(
        "mode = #hyena.conv_mode<circular>, lag0 = {0} : i64, ", shape.lag0);
  }
  return "";
}

/// The packing of `c`'s filter.
inline std::string packText(const Case &c, const ::hyena::fft::Plan &plan,
                            const char *type) {
  int64_t rows = c.channels / c.groups;
  int64_t vectors = (c.channels + c.lanes - 1) / c.lanes;
  bool two = c.shape.mode == ::hyena::fft::FilterMode::Bidirectional;
  std::string filter = llvm::formatv("tensor<{0}x{1}x{2}>", rows, c.taps, type);
  std::string reverse =
      llvm::formatv("tensor<{0}x{1}x{2}>", rows, c.shape.reverseTaps, type);
  return llvm::formatv(
      "func.func @p(%h: {0}, %r: {1}) {{\n"
      "  %s = hyena.pack_filter %h {2} {{channels = {3} : i64, "
      "signal_length = {4} : i64, {5}plan = {6}} : ({0}{7}) -> "
      "tensor<{8}x{9}x2x{10}x{11}>\n  return\n}\n",
      filter, two ? reverse : "f32", two ? "reverse(%r)" : "", c.channels,
      c.length, modeText(c.shape), planText(c, plan), two ? ", " + reverse : "",
      vectors, plan.size(), c.lanes, type);
}

inline std::string spectrumType(const Case &c, const ::hyena::fft::Plan &plan,
                                const char *type) {
  return llvm::formatv("tensor<{0}x{1}x2x{2}x{3}>",
                       (c.channels + c.lanes - 1) / c.lanes, plan.size(),
                       c.lanes, type);
}

/// A convolution with nothing around it.
inline std::string bareText(const Case &c, const ::hyena::fft::Plan &plan,
                            const char *type) {
  std::string batch = c.dynamicBatch ? "?" : std::to_string(c.batch);
  std::string signal = c.channelsFirst
                           ? llvm::formatv("tensor<{0}x{1}x{2}x{3}>", batch,
                                           c.channels, c.length, type)
                           : llvm::formatv("tensor<{0}x{1}x{2}x{3}>", batch,
                                           c.length, c.channels, type);
  const char *map = c.channelsFirst ? "(b, c, l)" : "(b, l, c)";
  std::string spectrum = spectrumType(c, plan, type);
  return llvm::formatv(
      "func.func @c(%x: {0}, %s: {1}) {{\n"
      "  %y = hyena.fused_conv ins(%x : {0}) spectrum(%s : {1}) "
      "accesses [#hyena.access<0, (b, c, l) -> {2}>] "
      "results [affine_map<(b, c, l) -> {2}>] {{plan = {3}} "
      "prologue {{\n  ^bb0(%a: {4}):\n  hyena.yield %a : {4}\n  } epilogue {{\n"
      "  ^bb0(%v: {4}, %u: {4}, %a: {4}):\n  hyena.yield %v : {4}\n  } : {0}\n"
      "  return\n}\n",
      signal, spectrum, map, planText(c, plan), type);
}

/// y = sum over the filter's lags, for channel `channel` of batch `b`, of
/// u(time).
template <typename F, typename T>
double directSum(const Case &c, F u, Buffer<T> &h, Buffer<T> &r, int64_t n,
                 int64_t channel) {
  int64_t row = channel / c.groups;
  int64_t lag0 = c.shape.mode == ::hyena::fft::FilterMode::Noncausal ||
                         c.shape.mode == ::hyena::fft::FilterMode::Circular
                     ? c.shape.lag0
                     : 0;
  double sum = 0;
  for (int64_t k = 0; k < c.taps; ++k) {
    int64_t m = n - (k - lag0);
    if (c.shape.mode == ::hyena::fft::FilterMode::Circular)
      m = ((m % c.length) + c.length) % c.length;
    if (m >= 0 && m < c.length)
      sum += h[row * c.taps + (c.shape.newestLast ? c.taps - 1 - k : k)] * u(m);
  }
  if (c.shape.mode == ::hyena::fft::FilterMode::Bidirectional)
    for (int64_t j = 0; j < c.shape.reverseTaps && n + j + 1 < c.length; ++j)
      sum += r[row * c.shape.reverseTaps + j] * u(n + j + 1);
  return sum;
}

/// Worst difference over the root mean square.
struct Difference {
  double worst = 0, power = 0;
  int64_t count = 0;
  void add(double found, double expected) {
    double distance = std::fabs(found - expected);
    if (!(distance <= worst))
      worst = distance;
    power += expected * expected;
    ++count;
  }
  double relative() const {
    return worst / std::sqrt(power / static_cast<double>(count) + 1e-30);
  }
};

template <typename T> double tolerance() {
  return std::is_same_v<T, float> ? 5e-6 : 1e-13;
}

} // namespace mlir::hyena

#endif // HYENA_UNITTESTS_CODEGEN_CONVOLUTIONCASE_H
