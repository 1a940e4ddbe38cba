//===- FusedRegionsTest.cpp - what stands around a convolution ------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvolutionCase.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace mlir::hyena;

namespace {

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
  int64_t batches = c.batch, length = c.length, channels = c.channels;
  int64_t vectors = (channels + c.lanes - 1) / c.lanes;
  Buffer<float> p({batches, length, 3 * channels}), w({channels, 2}),
      bias({channels}), scale({}), h({channels, c.taps}),
      s({vectors, plan.size(), 2, c.lanes}), y({batches, length, channels});
  Buffer<char> mask({batches, length});
  Buffer<uint16_t> g({batches, channels, length}),
      narrowU({batches, channels, length});
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
  runner.run("conv0", runner.convolutions[0], vectors * batches,
             {p.argument(), w.argument(), bias.argument(), mask.argument(),
              g.argument(), scale.argument(), s.argument(), y.argument(),
              narrowU.argument()});
  ASSERT_EQ(runner.error, "");
  EXPECT_TRUE(y.intact() && narrowU.intact() && s.intact());
  Difference difference, narrowDifference;
  Buffer<float> none({1});
  for (int64_t b = 0; b < batches; ++b) {
    for (int64_t channel = 0; channel < channels; ++channel) {
      auto u = [&](int64_t l) -> double {
        return mask[b * length + l] ? p.at(b, l, channel) * w[2 * channel] +
                                          p.at(b, l - 1, channel + channels) *
                                              w[2 * channel + 1] +
                                          bias[channel]
                                    : 0;
      };
      for (int64_t l = 0; l < length; ++l) {
        double gate = l + 1 < length
                          ? widen(g[(b * channels + channel) * length + l + 1])
                          : 0;
        double sum = directSum(c, u, h, none, l, channel);
        difference.add(y.at(b, l, channel),
                       (sum + bias[channel] * u(l)) * gate * 0.75 +
                           p.at(b, l, 3 * channel + 1));
        narrowDifference.add(
            widen(narrowU[(b * channels + channel) * length + l]), u(l));
      }
    }
  }
  EXPECT_LT(difference.relative(), 1e-5)
      << "length " << length << " channels " << channels;
  EXPECT_LT(narrowDifference.relative(), 0.03)
      << "length " << length << " channels " << channels;
}

// Wrong if an access, a cast, a mask, the skip or a second result goes wrong.
TEST(FusedRegionsTest, EverythingAround) {
  for (int64_t lanes : {4, 16})
    for (int64_t channels : {1, 8, 17, 32})
      for (int64_t length : {1, 2, 40})
        checkDressed({2, length, channels, length, lanes});
}

// Wrong if a prologue that the first pass computes by itself reads wrong rows
// at either end, or if the epilogue's u differs from it.
TEST(FusedRegionsTest, GateBeforeAndSkipAfter) {
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

} // namespace
