//===- FusedConvKernelTest.cpp - kernels against direct sums --------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvolutionCase.h"

#include "gtest/gtest.h"

using namespace mlir::hyena;
using hyena::fft::FilterMode;

namespace {

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

// Wrong if the number of batches is taken from anywhere but the buffers.
TEST(FusedConvKernelTest, DynamicBatch) {
  for (bool channelsFirst : {false, true}) {
    Case c = {3, 40, 20, 40, 16};
    c.channelsFirst = channelsFirst;
    c.dynamicBatch = true;
    checkBare<float>(c);
  }
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
