//===- FusedOpsTest.cpp - tests of the fused-level operations -------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

#include <cmath>

using namespace hyena::interp;

namespace {

/// A fused convolution that only convolves x (B, L, C), with the filter clause
/// and the attributes given.
std::string plainConvolution(int64_t batch, int64_t length, int64_t channels,
                             const std::string &clause,
                             const std::string &attributes) {
  std::string type = "tensor<" + std::to_string(batch) + "x" +
                     std::to_string(length) + "x" + std::to_string(channels) +
                     "xf64>";
  return "hyena.fused_conv ins(%x : " + type + ") " + clause +
         R"(
      accesses [#hyena.access<0, (b, c, l) -> (b, l, c)>]
      results [affine_map<(b, c, l) -> (b, l, c)>] )" +
         attributes + R"(
      prologue {
      ^bb0(%a: f64):
        hyena.yield %a : f64
      } epilogue {
      ^bb0(%y: f64, %u: f64, %a: f64):
        hyena.yield %y : f64
      } : )" +
         type + "\n";
}

} // namespace

// Would fail if an access read another element.
TEST(FusedConv, ShortConvolutionOnTheGate) {
  std::string text = R"(
func.func @f(%p: tensor<2x64x32xf32>, %w: tensor<16x2xf32>,
             %h: tensor<16x64xf32>) -> tensor<2x64x16xf32> {
  %y = hyena.fused_conv ins(%p, %w : tensor<2x64x32xf32>, tensor<16x2xf32>)
      filter(%h : tensor<16x64xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, l, c)>,
                #hyena.access<0, (b, c, l) -> (b, l - 1, c + 16)>,
                #hyena.access<0, (b, c, l) -> (b, l, c + 16)>,
                #hyena.access<1, (b, c, l) -> (c, 0)>,
                #hyena.access<1, (b, c, l) -> (c, 1)>]
      results [affine_map<(b, c, l) -> (b, l, c)>]
      prologue {
      ^bb0(%v: f32, %g1: f32, %g0: f32, %w0: f32, %w1: f32):
        hyena.yield %v : f32
      } epilogue {
      ^bb0(%c: f32, %u: f32,
           %v: f32, %g1: f32, %g0: f32, %w0: f32, %w1: f32):
        %0 = arith.mulf %w0, %g1 : f32
        %1 = arith.mulf %w1, %g0 : f32
        %2 = arith.addf %0, %1 : f32
        %3 = arith.mulf %c, %2 : f32
        hyena.yield %3 : f32
      } : tensor<2x64x16xf32>
  return %y : tensor<2x64x16xf32>
})";
  std::vector<Value> args = randomArguments(text);
  Outcome outcome = run(text, args);
  const Value &p = args[0], &w = args[1], &h = args[2];
  Value expected = Value::real({2, 64, 16}, {});
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t l = 0; l < 64; ++l)
      for (int64_t c = 0; c < 16; ++c) {
        double y = 0;
        for (int64_t m = 0; m <= l; ++m)
          y += at(h, {c, l - m}) * at(p, {b, m, c});
        double gate = at(w, {c, 0}) * at(p, {b, l - 1, c + 16}) +
                      at(w, {c, 1}) * at(p, {b, l, c + 16});
        expected.reals.push_back(y * gate);
      }
  expectClose(outcome.only(), expected);
}

// Would fail if several results, their maps and types, a mask, a grouped
// weight, a scalar, or the zeros outside of an operand were treated wrongly;
// and if u were not zero outside of the signal, which a bias in the prologue
// shows with a filter that looks ahead.
TEST(FusedConv, AccessesAndResults) {
  const int64_t batch = 2, length = 300, channels = 4, taps = 5;
  Value x = randomReal({batch, channels, length + 3}, 1),
        mask = Value::integer({batch, length}, {}),
        w = randomReal({channels / 2, 2}, 2), s = scalar(0.5),
        h = randomReal({2, taps}, 3);
  for (int64_t i = 0; i < batch * length; ++i)
    mask.integers.push_back(i % 3 != 0);
  Outcome outcome = run(R"(
func.func @f(%x: tensor<?x4x303xf32>, %m: tensor<?x300xi1>,
             %w: tensor<2x2xf32>, %s: tensor<f32>, %h: tensor<2x5xf32>)
    -> (tensor<?x300x4xf64>, tensor<4x?x300xi1>) {
  %0, %1 = hyena.fused_conv
      ins(%x, %m, %w, %s : tensor<?x4x303xf32>, tensor<?x300xi1>,
          tensor<2x2xf32>, tensor<f32>)
      filter(%h : tensor<2x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l + 3)>,
                #hyena.access<0, (b, c, l) -> (b, c + 1, l - 2)>,
                #hyena.access<1, (b, c, l) -> (b, l)>,
                #hyena.access<2, (b, c, l) -> (c floordiv 2, 1)>,
                #hyena.access<3, (b, c, l) -> ()>]
      results [affine_map<(b, c, l) -> (b, l, c)>,
               affine_map<(b, c, l) -> (c, b, l)>]
      {mode = #hyena.conv_mode<noncausal>, lag0 = 3 : i64}
      prologue {
      ^bb0(%a: f32, %p: f32, %k: i1, %g: f32, %t: f32):
        %q = arith.addf %a, %t : f32
        hyena.yield %q : f32
      } epilogue {
      ^bb0(%y: f32, %u: f32, %a: f32, %p: f32, %k: i1, %g: f32, %t: f32):
        %zero = arith.constant 0.0 : f32
        %q = arith.select %k, %y, %zero : f32
        %r = arith.mulf %g, %p : f32
        %v = arith.addf %q, %r : f32
        %z = arith.addf %v, %u : f32
        %e = arith.extf %z : f32 to f64
        %o = arith.cmpf ogt, %u, %zero : f32
        hyena.yield %e, %o : f64, i1
      } : tensor<?x300x4xf64>, tensor<4x?x300xi1>
  return %0, %1 : tensor<?x300x4xf64>, tensor<4x?x300xi1>
})",
                        {x, mask, w, s, h});
  ASSERT_EQ(outcome.results.size(), 2u) << outcome.error;
  Value first = Value::real({batch, length, channels}, {}),
        second = Value::integer({channels, batch, length}, {});
  auto u = [&](int64_t b, int64_t c, int64_t n) {
    return n < 0 || n >= length ? 0.0 : at(x, {b, c, n + 3}) + 0.5;
  };
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t l = 0; l < length; ++l)
      for (int64_t c = 0; c < channels; ++c) {
        double y = 0;
        for (int64_t m = 0; m < length; ++m)
          y += at(h, {c / 2, l - m + 3}) * u(b, c, m);
        double value = mask.integers[b * length + l] ? y : 0;
        value += at(w, {c / 2, 1}) * at(x, {b, c + 1, l - 2});
        first.reals.push_back(value + u(b, c, l));
      }
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t l = 0; l < length; ++l)
        second.integers.push_back(u(b, c, l) > 0);
  expectClose(outcome.results[0], first);
  expectClose(outcome.results[1], second, 0);
}

// Would fail if the packed spectrum were not the transform that the
// documentation describes, in the plan's order.
TEST(PackFilter, Definition) {
  std::string text = R"(
func.func @f(%h: tensor<16x64xf32>) -> tensor<1x64x2x16xf32> {
  %s = hyena.pack_filter %h {channels = 16 : i64, signal_length = 64 : i64,
        plan = #hyena.fft_plan<length = 64, factors = [8, 8], lanes = 16>}
      : (tensor<16x64xf32>) -> tensor<1x64x2x16xf32>
  return %s : tensor<1x64x2x16xf32>
})";
  std::vector<Value> args = randomArguments(text);
  const Value &packed = run(text, args).only();
  ASSERT_EQ(packed.shape, std::vector<int64_t>({1, 64, 2, 16}));
  const Value &h = args[0];
  for (int64_t j : {0, 5, 15})
    for (int64_t position = 0; position < 64; ++position) {
      // The factors are 8 and 8: the digits of the position, exchanged.
      int64_t k = position % 8 * 8 + position / 8;
      std::complex<double> sum = 0;
      for (int64_t n = 0; n < 64; ++n)
        sum += at(h, {j, n}) *
               std::polar(1.0, M_PI * static_cast<double>(n) / 128) *
               std::polar(1.0, -2 * M_PI * static_cast<double>(k * n) / 64);
      EXPECT_NEAR(at(packed, {0, position, 0, j}), sum.real() / 64, 1e-14);
      EXPECT_NEAR(at(packed, {0, position, 1, j}), sum.imag() / 64, 1e-14);
    }
}

// Would fail if the order of a plan with several and with odd factors were
// wrong, or if lanes beyond the channels were not zero.
TEST(PackFilter, MixedFactors) {
  const int64_t size = 30, lanes = 4;
  const int64_t factors[] = {2, 5, 3};
  Value h = randomReal({5, 7}, 1);
  Outcome outcome = runBody(
      "(%h: tensor<5x7xf64>) -> tensor<2x30x2x4xf64>",
      R"(%s = hyena.pack_filter %h {channels = 5 : i64, signal_length = 50 : i64,
        plan = #hyena.fft_plan<length = 30, factors = [2, 5, 3], lanes = 4>}
        : (tensor<5x7xf64>) -> tensor<2x30x2x4xf64>
    return %s : tensor<2x30x2x4xf64>)",
      {h});
  const Value &packed = outcome.only();
  ASSERT_EQ(packed.shape, std::vector<int64_t>({2, size, 2, lanes}));
  for (int64_t c = 0; c < 8; ++c)
    for (int64_t position = 0; position < size; ++position) {
      // position = d0 * 15 + d1 * 3 + d2; frequency = d0 + 2 d1 + 10 d2.
      int64_t d0 = position / 15, d1 = position / 3 % factors[1],
              d2 = position % factors[2];
      int64_t k = d0 + 2 * d1 + 10 * d2;
      std::complex<double> sum = 0;
      for (int64_t n = 0; n < 7; ++n)
        sum += at(h, {c, n}) *
               std::polar(1.0, M_PI * static_cast<double>(n) / 60 -
                                   2 * M_PI * static_cast<double>(k * n) / 30);
      EXPECT_NEAR(at(packed, {c / 4, position, 0, c % 4}), sum.real() / 30,
                  1e-14);
      EXPECT_NEAR(at(packed, {c / 4, position, 1, c % 4}), sum.imag() / 30,
                  1e-14);
    }
}

// Would fail if a convolution with a packed spectrum differed from one with
// taps, in any mode, with plans that fit exactly and with larger ones.
TEST(FusedConv, SpectrumMatchesTaps) {
  struct Case {
    int64_t length, taps, future;
    std::string mode;
    std::string plan;
    int64_t size;
  };
  for (const Case &test : std::vector<Case>{
           {16, 16, 0, "", "length = 16, factors = [4, 4]", 16},
           {15, 40, 0, "", "length = 15, factors = [5, 3]", 15},
           {1, 1, 0, "", "length = 1, factors = [1, 1]", 1},
           {17, 3, 0, "", "length = 10, factors = [2, 5]", 10},
           {17, 3, 0, "tap_order = #hyena.tap_order<newest_last>",
            "length = 12, factors = [3, 4]", 12},
           {16, 9, 20, "mode = #hyena.conv_mode<bidirectional>",
            "length = 16, factors = [4, 4]", 16},
           {16, 9, 0, "mode = #hyena.conv_mode<noncausal>, lag0 = 2 : i64",
            "length = 16, factors = [2, 2, 4]", 16},
           {15, 9, 0, "mode = #hyena.conv_mode<circular>",
            "length = 15, factors = [3, 5]", 15},
           {16, 15, 0, "mode = #hyena.conv_mode<circular>, lag0 = 1 : i64",
            "length = 28, factors = [4, 7]", 28}}) {
    const int64_t channels = 6, lanes = 4, batch = 2;
    Value x = randomReal({batch, test.length, channels}, 1),
          h = randomReal({3, test.taps}, 2),
          r = randomReal({3, test.future}, 3);
    bool hasReverse = test.future > 0;
    auto type = [](const std::vector<int64_t> &shape) {
      std::string text = "tensor<";
      for (int64_t extent : shape)
        text += std::to_string(extent) + "x";
      return text + "f64>";
    };
    std::string typeX = type(x.shape), typeH = type(h.shape),
                typeR = type(r.shape), typeS = type({2, test.size, 2, lanes});
    std::string plan = "plan = #hyena.fft_plan<" + test.plan + ", lanes = 4>";
    std::string mode = test.mode.empty() ? "" : test.mode + ", ";
    std::string text =
        "func.func @f(%x: " + typeX + ", %h: " + typeH +
        (hasReverse ? ", %r: " + typeR : "") + ") -> (" + typeX + ", " + typeX +
        ") {\n%s = hyena.pack_filter %h " + (hasReverse ? "reverse(%r) " : "") +
        "{channels = 6 : i64, signal_length = " + std::to_string(test.length) +
        " : i64, " + mode + plan + "} : (" + typeH +
        (hasReverse ? ", " + typeR : "") + ") -> " + typeS + "\n%0 = " +
        plainConvolution(batch, test.length, channels,
                         "spectrum(%s : " + typeS + ")", "{" + plan + "}") +
        "%1 = " +
        plainConvolution(batch, test.length, channels,
                         "filter(%h : " + typeH + ")" +
                             (hasReverse ? " reverse(%r : " + typeR + ")" : ""),
                         "{" + test.mode + "}") +
        "return %0, %1 : " + typeX + ", " + typeX + "\n}\n";
    std::vector<Value> args = {x, h};
    if (hasReverse)
      args.push_back(r);
    Outcome outcome = run(text, args);
    ASSERT_EQ(outcome.results.size(), 2u) << outcome.error << text;
    expectClose(outcome.results[0], outcome.results[1]);
  }
}
