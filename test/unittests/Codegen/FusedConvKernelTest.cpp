//===- FusedConvKernelTest.cpp - kernels against direct sums --------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

#include "hyena/FFT/Filter.h"
#include "hyena/FFT/Plan.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace mlir::hyena;
using hyena::fft::FilterMode;
using hyena::fft::FilterShape;

namespace {

/// One convolution with or without everything that may stand around it.
struct Case {
  int64_t batch, length, channels, taps, lanes;
  FilterShape shape = {};
  int64_t groups = 1; // Channels that share a filter.
  bool channelsFirst = false;
};

template <typename T> const char *typeName();
template <> const char *typeName<float>() { return "f32"; }
template <> const char *typeName<double>() { return "f64"; }

template <typename T> void randomize(Buffer<T> &buffer, uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  for (T &value : buffer)
    value = static_cast<T>(normal(engine));
}

std::string planText(const Case &c, const hyena::fft::Plan &plan) {
  std::string factors;
  for (int64_t factor : plan.factors())
    factors += (factors.empty() ? "" : ", ") + std::to_string(factor);
  return llvm::formatv("#hyena.fft_plan<length = {0}, factors = [{1}], "
                       "lanes = {2}>",
                       plan.size(), factors, c.lanes)
      .str();
}

std::string modeText(const FilterShape &shape) {
  switch (shape.mode) {
  case FilterMode::Causal:
    return shape.newestLast ? "tap_order = #hyena.tap_order<newest_last>, "
                            : "";
  case FilterMode::Bidirectional:
    return "mode = #hyena.conv_mode<bidirectional>, ";
  case FilterMode::Noncausal:
    return llvm::formatv(
        "mode = #hyena.conv_mode<noncausal>, lag0 = {0} : i64, ", shape.lag0);
  case FilterMode::Circular:
    return llvm::formatv(
        "mode = #hyena.conv_mode<circular>, lag0 = {0} : i64, ", shape.lag0);
  }
  return "";
}

/// The packing of `c`'s filter.
std::string packText(const Case &c, const hyena::fft::Plan &plan,
                     const char *type) {
  int64_t rows = c.channels / c.groups;
  int64_t vectors = (c.channels + c.lanes - 1) / c.lanes;
  bool two = c.shape.mode == FilterMode::Bidirectional;
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

std::string spectrumType(const Case &c, const hyena::fft::Plan &plan,
                         const char *type) {
  return llvm::formatv("tensor<{0}x{1}x2x{2}x{3}>",
                       (c.channels + c.lanes - 1) / c.lanes, plan.size(),
                       c.lanes, type);
}

/// A convolution with nothing around it.
std::string bareText(const Case &c, const hyena::fft::Plan &plan,
                     const char *type) {
  std::string signal = c.channelsFirst
                           ? llvm::formatv("tensor<{0}x{1}x{2}x{3}>", c.batch,
                                           c.channels, c.length, type)
                           : llvm::formatv("tensor<{0}x{1}x{2}x{3}>", c.batch,
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
  int64_t lag0 = c.shape.mode == FilterMode::Noncausal ||
                         c.shape.mode == FilterMode::Circular
                     ? c.shape.lag0
                     : 0;
  double sum = 0;
  for (int64_t k = 0; k < c.taps; ++k) {
    int64_t m = n - (k - lag0);
    if (c.shape.mode == FilterMode::Circular)
      m = ((m % c.length) + c.length) % c.length;
    if (m >= 0 && m < c.length)
      sum += h[row * c.taps + (c.shape.newestLast ? c.taps - 1 - k : k)] * u(m);
  }
  if (c.shape.mode == FilterMode::Bidirectional)
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

template <typename T> void checkBare(Case c) {
  c.shape.taps = c.taps;
  hyena::fft::Plan plan =
      hyena::fft::choosePlan(hyena::fft::minimalSize(c.shape, c.length));
  std::string text =
      packText(c, plan, typeName<T>()) + bareText(c, plan, typeName<T>());
  KernelRunner runner(text);
  ASSERT_EQ(runner.error, "") << text;
  std::vector<int64_t> signal = {c.batch, c.length, c.channels};
  if (c.channelsFirst)
    signal = {c.batch, c.channels, c.length};
  int64_t vectors = (c.channels + c.lanes - 1) / c.lanes;
  Buffer<T> x(signal), y(signal), h({c.channels / c.groups, c.taps}),
      r({c.channels / c.groups, c.shape.reverseTaps}),
      s({vectors, plan.size(), 2, c.lanes});
  randomize(x, 1);
  randomize(h, 2);
  randomize(r, 3);
  std::vector<void *> packing = {h.argument()};
  if (c.shape.mode == FilterMode::Bidirectional)
    packing.push_back(r.argument());
  packing.push_back(s.argument());
  ASSERT_EQ(runner.packs[0].groups, vectors);
  runner.run("pack0", runner.packs[0], vectors, packing);
  runner.run("conv0", runner.convolutions[0], vectors * c.batch,
             {x.argument(), s.argument(), y.argument()});
  ASSERT_EQ(runner.error, "");
  EXPECT_TRUE(y.intact() && s.intact());
  auto at = [&](Buffer<T> &tensor, int64_t b, int64_t channel, int64_t l) {
    return c.channelsFirst ? tensor.at(b, channel, l)
                           : tensor.at(b, l, channel);
  };
  Difference difference;
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t channel = 0; channel < c.channels; ++channel)
      for (int64_t n = 0; n < c.length; ++n)
        difference.add(at(y, b, channel, n),
                       directSum(
                           c, [&](int64_t m) { return at(x, b, channel, m); },
                           h, r, n, channel));
  EXPECT_LT(difference.relative(), tolerance<T>())
      << plan.str() << " length " << c.length << " taps " << c.taps
      << " channels " << c.channels << " lanes " << c.lanes << " mode "
      << static_cast<int>(c.shape.mode) << " groups " << c.groups;
}

// Wrong if channels, tails of lanes or lengths are handled wrongly.
TEST(FusedConvKernelTest, ChannelsAndLengths) {
  for (int64_t channels : {1, 3, 8, 17, 64})
    for (int64_t length : {1, 7, 64, 101})
      checkBare<float>({2, length, channels, length, 16});
}

// Wrong if a vector width is not supported.
TEST(FusedConvKernelTest, Lanes) {
  for (int64_t lanes : {1, 2, 4, 8, 16}) {
    checkBare<float>({2, 130, 19, 3, lanes});
    checkBare<double>({1, 96, 19, 96, lanes});
  }
}

// Wrong if taps are packed at a wrong lag.
TEST(FusedConvKernelTest, Modes) {
  for (int64_t length : {2, 63, 128})
    for (int64_t taps : {int64_t(1), int64_t(3), length, length + 5}) {
      Case c = {1, length, 8, taps, 8};
      c.shape.newestLast = true;
      checkBare<double>(c);
      c.shape = {};
      c.shape.mode = FilterMode::Bidirectional;
      c.shape.reverseTaps = taps;
      checkBare<double>(c);
      c.shape = {};
      c.shape.mode = FilterMode::Noncausal;
      c.shape.lag0 = (taps - 1) / 2;
      checkBare<double>(c);
      if (taps > length)
        continue;
      c.shape.mode = FilterMode::Circular;
      checkBare<double>(c);
    }
}

// Wrong if grouped filters reach other channels, also inside one vector.
TEST(FusedConvKernelTest, GroupedFilters) {
  for (int64_t groups : {1, 2, 4, 16, 48}) {
    Case c = {2, 33, 48, 33, 16};
    c.groups = groups;
    checkBare<float>(c);
  }
}

// Wrong if activations of the other layout are read or written wrongly.
TEST(FusedConvKernelTest, ChannelsFirst) {
  for (int64_t channels : {1, 5, 16, 40}) {
    Case c = {2, 50, channels, 50, 16};
    c.channelsFirst = true;
    checkBare<float>(c);
  }
}

/// A convolution with a short convolution, a mask and a bias before it, a skip,
/// a gate and a scalar after it, and u itself as a second, transposed, narrow
/// result.
std::string dressedText(const Case &c, const hyena::fft::Plan &plan) {
  return llvm::formatv(
             R"(
func.func @c(%p: tensor<{0}x{1}x{2}xf32>, %w: tensor<{3}x2xf32>,
             %bias: tensor<{3}xf32>, %mask: tensor<{0}x{1}xi1>,
             %g: tensor<{0}x{3}x{1}xbf16>, %k: tensor<f32>, %s: {4}) {{
  %y:2 = hyena.fused_conv
    ins(%p, %w, %bias, %mask, %g, %k : tensor<{0}x{1}x{2}xf32>,
        tensor<{3}x2xf32>, tensor<{3}xf32>, tensor<{0}x{1}xi1>,
        tensor<{0}x{3}x{1}xbf16>, tensor<f32>)
    spectrum(%s : {4})
    accesses [#hyena.access<0, (b, c, l) -> (b, l, c)>,
              #hyena.access<0, (b, c, l) -> (b, l - 1, c + {3})>,
              #hyena.access<1, (b, c, l) -> (c, 0)>,
              #hyena.access<1, (b, c, l) -> (c, 1)>,
              #hyena.access<2, (b, c, l) -> (c)>,
              #hyena.access<3, (b, c, l) -> (b, l)>,
              #hyena.access<4, (b, c, l) -> (b, c, l + 1)>,
              #hyena.access<5, (b, c, l) -> ()>,
              #hyena.access<1, (b, c, l) -> (c, 2)>,
              #hyena.access<0, (b, c, l) -> (b, l, c * 3 + 1)>]
    results [affine_map<(b, c, l) -> (b, l, c)>,
             affine_map<(b, c, l) -> (b, c, l)>]
    {{plan = {5}}
    prologue {{
    ^bb0(%v0: f32, %v1: f32, %w0: f32, %w1: f32, %b: f32, %m: i1, %h: bf16,
         %f: f32, %out: f32, %x: f32):
      %zero = arith.constant 0.0 : f32
      %0 = arith.mulf %v0, %w0 : f32
      %1 = arith.mulf %v1, %w1 : f32
      %2 = arith.addf %0, %1 : f32
      %3 = arith.addf %2, %b : f32
      %4 = arith.select %m, %3, %zero : f32
      %5 = arith.addf %4, %out : f32
      hyena.yield %5 : f32
    } epilogue {{
    ^bb0(%y0: f32, %u: f32, %v0: f32, %v1: f32, %w0: f32, %w1: f32, %b: f32,
         %m: i1, %h: bf16, %f: f32, %out: f32, %x: f32):
      %0 = arith.mulf %u, %b : f32
      %1 = arith.addf %y0, %0 : f32
      %2 = arith.extf %h : bf16 to f32
      %3 = arith.mulf %1, %2 : f32
      %4 = arith.mulf %3, %f : f32
      %5 = arith.addf %4, %x : f32
      %6 = arith.truncf %u : f32 to bf16
      hyena.yield %5, %6 : f32, bf16
    } : tensor<{0}x{1}x{3}xf32>, tensor<{0}x{3}x{1}xbf16>
  return
}
)",
             c.batch, c.length, 3 * c.channels, c.channels,
             spectrumType(c, plan, "f32"), planText(c, plan))
      .str();
}

/// A bfloat16 is the upper half of a float.
uint16_t narrow(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
double widen(uint16_t half) {
  uint32_t bits = static_cast<uint32_t>(half) << 16;
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

void checkDressed(Case c) {
  c.shape.taps = c.taps;
  hyena::fft::Plan plan =
      hyena::fft::choosePlan(hyena::fft::minimalSize(c.shape, c.length));
  KernelRunner runner(packText(c, plan, "f32") + dressedText(c, plan));
  ASSERT_EQ(runner.error, "") << dressedText(c, plan);
  int64_t B = c.batch, L = c.length, D = c.channels;
  int64_t vectors = (D + c.lanes - 1) / c.lanes;
  Buffer<float> p({B, L, 3 * D}), w({D, 2}), bias({D}), scale({}),
      h({D, c.taps}), s({vectors, plan.size(), 2, c.lanes}), y({B, L, D});
  Buffer<char> mask({B, L});
  Buffer<uint16_t> g({B, D, L}), narrowU({B, D, L});
  randomize(p, 1);
  randomize(w, 2);
  randomize(bias, 3);
  randomize(h, 4);
  scale[0] = 0.75f;
  for (int64_t i = 0; i < mask.size(); ++i)
    mask[i] = i % 5 != 3;
  for (int64_t i = 0; i < g.size(); ++i)
    g[i] = narrow(std::sin(static_cast<float>(i)));
  runner.run("pack0", runner.packs[0], vectors, {h.argument(), s.argument()});
  runner.run("conv0", runner.convolutions[0], vectors * B,
             {p.argument(), w.argument(), bias.argument(), mask.argument(),
              g.argument(), scale.argument(), s.argument(), y.argument(),
              narrowU.argument()});
  ASSERT_EQ(runner.error, "");
  EXPECT_TRUE(y.intact() && narrowU.intact() && s.intact());
  Difference difference, narrowDifference;
  Buffer<float> none({1});
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t channel = 0; channel < D; ++channel) {
      auto u = [&](int64_t l) -> double {
        return mask[b * L + l]
                   ? p.at(b, l, channel) * w[2 * channel] +
                         p.at(b, l - 1, channel + D) * w[2 * channel + 1] +
                         bias[channel]
                   : 0;
      };
      for (int64_t l = 0; l < L; ++l) {
        double gate = l + 1 < L ? widen(g[(b * D + channel) * L + l + 1]) : 0;
        double sum = directSum(c, u, h, none, l, channel);
        difference.add(y.at(b, l, channel),
                       (sum + bias[channel] * u(l)) * gate * 0.75 +
                           p.at(b, l, 3 * channel + 1));
        narrowDifference.add(widen(narrowU[(b * D + channel) * L + l]), u(l));
      }
    }
  }
  EXPECT_LT(difference.relative(), 1e-5) << "length " << L << " D " << D;
  EXPECT_LT(narrowDifference.relative(), 0.03) << "length " << L << " D " << D;
}

// Wrong if an access, a cast, a mask, the skip or a second result goes wrong.
TEST(FusedConvKernelTest, EverythingAround) {
  for (int64_t lanes : {4, 16})
    for (int64_t channels : {1, 8, 17, 32})
      for (int64_t length : {1, 2, 40})
        checkDressed({2, length, channels, length, lanes});
}

// Wrong if a prologue that the first pass computes by itself reads wrong rows
// at either end, or if the epilogue's u differs from it.
TEST(FusedConvKernelTest, GateBeforeAndSkipAfter) {
  for (int64_t length : {1, 5, 64, 100, 161}) {
    Case c = {2, length, 20, 4, 8};
    hyena::fft::Plan plan =
        hyena::fft::choosePlan(hyena::fft::minimalSize(length, c.taps));
    std::string signal = llvm::formatv("tensor<2x{0}x20xf64>", length).str();
    std::string text = llvm::formatv(
        R"(
func.func @c(%v: {0}, %k: {0}, %d: tensor<20xf64>, %s: {1}) {{
  %y = hyena.fused_conv ins(%v, %k, %d : {0}, {0}, tensor<20xf64>)
    spectrum(%s : {1})
    accesses [#hyena.access<0, (b, c, l) -> (b, l - 3, c)>,
              #hyena.access<1, (b, c, l) -> (b, l + 2, c)>,
              #hyena.access<2, (b, c, l) -> (c)>]
    results [affine_map<(b, c, l) -> (b, l, c)>] {{plan = {2}}
    prologue {{
    ^bb0(%a: f64, %b: f64, %e: f64):
      %one = arith.constant 1.0 : f64
      %0 = arith.mulf %a, %b : f64
      %1 = arith.addf %0, %one : f64
      hyena.yield %1 : f64
    } epilogue {{
    ^bb0(%conv: f64, %u: f64, %a: f64, %b: f64, %e: f64):
      %0 = arith.mulf %u, %e : f64
      %1 = arith.addf %conv, %0 : f64
      hyena.yield %1 : f64
    } : {0}
  return
}
)",
        signal, spectrumType(c, plan, "f64"), planText(c, plan));
    KernelRunner runner(packText(c, plan, "f64") + text);
    ASSERT_EQ(runner.error, "") << text;
    Buffer<double> v({2, length, 20}), k({2, length, 20}), d({20}), h({20, 4}),
        s({3, plan.size(), 2, 8}), y({2, length, 20}), none({1});
    randomize(v, 1);
    randomize(k, 2);
    randomize(d, 3);
    randomize(h, 4);
    runner.run("pack0", runner.packs[0], 3, {h.argument(), s.argument()});
    runner.run(
        "conv0", runner.convolutions[0], 6,
        {v.argument(), k.argument(), d.argument(), s.argument(), y.argument()});
    ASSERT_EQ(runner.error, "");
    EXPECT_TRUE(y.intact());
    Difference difference;
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t channel = 0; channel < 20; ++channel) {
        auto u = [&](int64_t l) {
          return v.at(b, l - 3, channel) * k.at(b, l + 2, channel) + 1;
        };
        for (int64_t l = 0; l < length; ++l)
          difference.add(y.at(b, l, channel),
                         directSum(c, u, h, none, l, channel) +
                             d[channel] * u(l));
      }
    EXPECT_LT(difference.relative(), tolerance<double>()) << length;
  }
}

// Wrong if a kernel without fused multiply-adds computes something else.
TEST(FusedConvKernelTest, WithoutFusedMultiplyAdd) {
  Case c = {1, 64, 16, 64, 16};
  hyena::fft::Plan plan = *hyena::fft::Plan::forSize(64);
  CPUKernelOptions options;
  options.fusedMultiplyAdd = false;
  KernelRunner runner(packText(c, plan, "f32") + bareText(c, plan, "f32"),
                      options);
  ASSERT_EQ(runner.error, "");
  EXPECT_EQ(runner.emitted.find("vector.fma"), std::string::npos);
  EXPECT_NE(runner.emitted.find("arith.mulf"), std::string::npos);
}

// Wrong if any combination of length, taps, channels and mode is. Takes
// minutes, so it runs on request only.
TEST(FusedConvKernelTest, DISABLED_Sweep) {
  std::mt19937_64 engine(7);
  auto pick = [&](std::vector<int64_t> values) {
    return values[engine() % values.size()];
  };
  for (int round = 0; round < 300; ++round) {
    int64_t length =
        pick({1, 2, 3, 7, 63, 64, 101, 127, 128, 129, 1000, 1026, 2048});
    Case c = {pick({1, 3}), length, pick({1, 3, 8, 17, 64}),
              pick({1, 3, length - 1, length, length + 5}),
              pick({2, 4, 8, 16})};
    c.taps = std::max<int64_t>(c.taps, 1);
    c.channelsFirst = pick({0, 1});
    c.shape.mode = static_cast<FilterMode>(pick({0, 1, 2, 3}));
    if (c.shape.mode == FilterMode::Circular)
      c.taps = std::min(c.taps, length);
    if (c.shape.mode == FilterMode::Causal)
      c.shape.newestLast = pick({0, 1});
    else if (c.shape.mode == FilterMode::Bidirectional)
      c.shape.reverseTaps = pick({1, 3, length, length + 5});
    else
      c.shape.lag0 = pick({0, (c.taps - 1) / 2, c.taps - 1});
    if (c.channels % 2 == 0)
      c.groups = pick({1, 2, c.channels});
    if (pick({0, 1}))
      checkBare<float>(c);
    else
      checkBare<double>(c);
    if (HasFatalFailure())
      return;
  }
}

} // namespace
