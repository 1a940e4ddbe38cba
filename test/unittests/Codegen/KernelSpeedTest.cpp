//===- KernelSpeedTest.cpp - time of one work item ------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints times; run with --gtest_also_run_disabled_tests. Nothing is expected
// of them here, as test machines are shared.
//
//===----------------------------------------------------------------------===//

#include "ConvolutionCase.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstdio>

using namespace mlir::hyena;

namespace {

/// The convolution stage of the reference operator of order 2: two short
/// convolutions of three taps, two gates. Reads (B, L, 3D) rows, or blocks of
/// one vector if `blocked`.
std::string operatorText(int64_t length, int64_t channels, int64_t rowChannels,
                         const hyena::fft::Plan &plan, int64_t lanes) {
  std::string factors;
  for (int64_t factor : plan.factors())
    factors += (factors.empty() ? "" : ", ") + std::to_string(factor);
  std::string accesses = "#hyena.access<0, (b, c, l) -> (b, l, c)>";
  std::string arguments = "%a: f32";
  for (int64_t gate : {1, 2})
    for (int64_t tap : {-1, 0, 1}) {
      accesses +=
          llvm::formatv(", #hyena.access<{0}, (b, c, l) -> (b, l + {1}, "
                        "c)>, #hyena.access<3, (b, c, l) -> (c, {2})>",
                        gate, tap, tap + 1);
      arguments +=
          llvm::formatv(", %g{0}{1}: f32, %w{0}{1}: f32", gate, tap + 1);
    }
  return llvm::formatv(
      R"(
func.func @c(%v: {0}, %g1: {0}, %g2: {0}, %w: tensor<{1}x3xf32>, %s: {2}) {{
  %y = hyena.fused_conv ins(%v, %g1, %g2, %w : {0}, {0}, {0}, tensor<{1}x3xf32>)
    spectrum(%s : {2}) accesses [{3}]
    results [affine_map<(b, c, l) -> (b, l, c)>]
    {{plan = #hyena.fft_plan<length = {4}, factors = [{5}], lanes = {6}>}
    prologue {{
    ^bb0({7}):
      hyena.yield %a : f32
    } epilogue {{
    ^bb0(%conv: f32, %u: f32, {7}):
      %0 = arith.mulf %g10, %w10 : f32
      %1 = arith.mulf %g11, %w11 : f32
      %2 = arith.mulf %g12, %w12 : f32
      %3 = arith.addf %0, %1 : f32
      %4 = arith.addf %3, %2 : f32
      %5 = arith.mulf %g20, %w20 : f32
      %6 = arith.mulf %g21, %w21 : f32
      %7 = arith.mulf %g22, %w22 : f32
      %8 = arith.addf %5, %6 : f32
      %9 = arith.addf %8, %7 : f32
      %10 = arith.mulf %conv, %4 : f32
      %11 = arith.mulf %10, %9 : f32
      hyena.yield %11 : f32
    } : tensor<1x{8}x{1}xf32>
  return
}
)",
      llvm::formatv("tensor<1x{0}x{1}xf32>", length, rowChannels).str(),
      channels,
      llvm::formatv("tensor<{0}x{1}x2x{2}xf32>", channels / lanes, plan.size(),
                    lanes)
          .str(),
      accesses, plan.size(), factors, lanes, arguments, length);
}

void measure(int64_t length, int64_t rowChannels, const hyena::fft::Plan &plan,
             int64_t lanes = 16) {
  int64_t channels = lanes;
  KernelRunner runner(operatorText(length, channels, rowChannels, plan, lanes));
  ASSERT_EQ(runner.error, "");
  Buffer<float> v({1, length, rowChannels}, 0.5f),
      g1({1, length, rowChannels}, 0.25f), g2({1, length, rowChannels}, 0.5f),
      w({channels, 3}, 0.3f), s({1, plan.size(), 2, lanes}, 0.1f),
      y({1, length, channels});
  double seconds = runner.time("conv0", runner.convolutions[0], 1,
                               {v.argument(), g1.argument(), g2.argument(),
                                w.argument(), s.argument(), y.argument()});
  EXPECT_EQ(runner.error, "");
  double points = static_cast<double>(length);
  std::printf("length %6ld row %4ld %s: %8.1f us, %6.1f nominal GFLOP/s\n",
              static_cast<long>(length), static_cast<long>(rowChannels),
              plan.str().c_str(), seconds * 1e6,
              10 * points * std::log2(points) * lanes / seconds * 1e-9);
}

// Wrong if the generated code became slower than the laboratory's.
TEST(KernelSpeedTest, DISABLED_OperatorOfOrderTwo) {
  for (int64_t rowChannels : {16, 768})
    for (int64_t length : {1024, 2048, 8192, 32768})
      measure(length, rowChannels, *hyena::fft::Plan::forSize(length));
}

// Wrong if another order of factors is better than the default one.
TEST(KernelSpeedTest, DISABLED_FactorOrders) {
  for (const std::vector<int64_t> &factors :
       std::vector<std::vector<int64_t>>{{8, 4, 8, 8},
                                         {8, 8, 4, 8},
                                         {4, 8, 8, 8},
                                         {8, 16, 16},
                                         {16, 8, 16},
                                         {8, 8, 16, 8},
                                         {8, 8, 8, 4, 4},
                                         {4, 4, 8, 8, 8},
                                         {16, 8, 8, 8},
                                         {8, 4, 4, 8, 8}})
    measure(hyena::fft::Plan::fromFactors(factors)->size(), 16,
            *hyena::fft::Plan::fromFactors(factors));
}

// Wrong if smaller vectors are slower per channel than they have to be.
TEST(KernelSpeedTest, DISABLED_Lanes) {
  for (int64_t lanes : {4, 8})
    for (int64_t maxRadix : {4, 8})
      measure(2048, lanes, *hyena::fft::Plan::forSize(2048, maxRadix), lanes);
}

// Wrong if rows of channels, which need a transposition, cost much more than
// rows of times; and what packing a filter costs.
TEST(KernelSpeedTest, DISABLED_Layouts) {
  for (int64_t length : {2048, 8192}) {
    for (bool channelsFirst : {false, true}) {
      Case c = {1, length, 16, length, 16};
      c.shape.taps = length;
      c.channelsFirst = channelsFirst;
      hyena::fft::Plan plan = *hyena::fft::Plan::forSize(length);
      KernelRunner runner(packText(c, plan, "f32") + bareText(c, plan, "f32"));
      ASSERT_EQ(runner.error, "");
      std::vector<int64_t> shape = {1, length, 16};
      if (channelsFirst)
        shape = {1, 16, length};
      Buffer<float> x(shape, 0.5f), y(shape), h({16, length}, 0.5f),
          s({1, plan.size(), 2, 16}, 0.1f);
      double convolution =
          runner.time("conv0", runner.convolutions[0], 1,
                      {x.argument(), s.argument(), y.argument()});
      double packing = runner.time("pack0", runner.packs[0], 1,
                                   {h.argument(), s.argument()});
      std::printf("length %5ld channels %s: %7.1f us, packing %7.1f us\n",
                  static_cast<long>(length), channelsFirst ? "first" : "last",
                  convolution * 1e6, packing * 1e6);
    }
  }
}

} // namespace
