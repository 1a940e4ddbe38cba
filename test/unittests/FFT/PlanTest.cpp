//===- PlanTest.cpp - plans as data ---------------------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/FFT/Plan.h"
#include "hyena/FFT/Filter.h"

#include "gtest/gtest.h"

#include <cmath>
#include <set>

using namespace hyena::fft;

namespace {

std::vector<int64_t> factorsOf(int64_t size, int64_t maxRadix = 8) {
  std::optional<Plan> plan = Plan::forSize(size, maxRadix);
  return plan ? plan->factors() : std::vector<int64_t>();
}

// Wrong if the transform is too short: outputs would wrap around.
TEST(PlanTest, MinimalSizeCoversEveryLag) {
  EXPECT_EQ(minimalSize(1, 1), 1);
  EXPECT_EQ(minimalSize(2, 2), 2);
  EXPECT_EQ(minimalSize(3, 3), 3);
  EXPECT_EQ(minimalSize(1024, 1024), 1024);
  EXPECT_EQ(minimalSize(1024, 5000), 1024);
  EXPECT_EQ(minimalSize(1000, 3), 501);
  EXPECT_EQ(minimalSize(1000, 1), 500);
  EXPECT_EQ(minimalSize(64, 64, 64), 64);
  EXPECT_EQ(minimalSize(64, 1, 10), 37);
  EXPECT_EQ(minimalSize(64, 1, 63), 64);
}

// Wrong if a mode's lags are miscounted.
TEST(PlanTest, LagExtentOfEveryMode) {
  FilterShape shape;
  shape.taps = 9;
  EXPECT_EQ(lagExtent(shape, 5).past, 5);
  EXPECT_EQ(lagExtent(shape, 5).future, 0);
  shape.mode = FilterMode::Bidirectional;
  shape.reverseTaps = 3;
  EXPECT_EQ(lagExtent(shape, 20).past, 9);
  EXPECT_EQ(lagExtent(shape, 20).future, 3);
  shape.mode = FilterMode::Noncausal;
  shape.lag0 = 4;
  EXPECT_EQ(lagExtent(shape, 20).past, 5);
  EXPECT_EQ(lagExtent(shape, 20).future, 4);
  EXPECT_EQ(lagExtent(shape, 3).past, 3);
  EXPECT_EQ(lagExtent(shape, 3).future, 2);
  shape.mode = FilterMode::Circular;
  EXPECT_EQ(lagExtent(shape, 9).past, 9);
  EXPECT_EQ(lagExtent(shape, 9).future, 8);
  EXPECT_EQ(minimalSize(shape, 9), 9);
}

// Wrong if a size cannot be planned, or if a radix is larger than asked for.
TEST(PlanTest, EverySmoothSizeHasFactors) {
  for (int64_t size = 1; size <= 4096; ++size) {
    int64_t rest = size;
    for (int64_t prime : {2, 3, 5, 7})
      while (rest % prime == 0)
        rest /= prime;
    for (int64_t maxRadix : {4, 8}) {
      std::optional<Plan> plan = Plan::forSize(size, maxRadix);
      ASSERT_EQ(plan.has_value(), rest == 1) << size;
      if (!plan)
        continue;
      EXPECT_EQ(plan->size(), size);
      EXPECT_GE(plan->passes(), 2);
      for (int64_t factor : plan->factors())
        EXPECT_TRUE(factor % 2 ? factor <= 9 : factor <= maxRadix) << size;
    }
  }
  EXPECT_FALSE(Plan::forSize(0));
  EXPECT_FALSE(Plan::forSize(-8));
}

// Wrong if a plan's shape changes without anybody having measured it.
TEST(PlanTest, FactorsAreTheMeasuredOnes) {
  EXPECT_EQ(factorsOf(1), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(factorsOf(8), (std::vector<int64_t>{8, 1}));
  EXPECT_EQ(factorsOf(24), (std::vector<int64_t>{3, 8}));
  EXPECT_EQ(factorsOf(1024), (std::vector<int64_t>{8, 4, 4, 8}));
  EXPECT_EQ(factorsOf(2048), (std::vector<int64_t>{8, 4, 8, 8}));
  EXPECT_EQ(factorsOf(960), (std::vector<int64_t>{8, 5, 3, 8}));
  EXPECT_EQ(factorsOf(512, 4), (std::vector<int64_t>{4, 2, 4, 4, 4}));
}

// Wrong if the chosen size is too small or needlessly large.
TEST(PlanTest, ChoosesTheCheapestSize) {
  EXPECT_EQ(choosePlan(1).size(), 1);
  EXPECT_EQ(choosePlan(3).size(), 3);
  EXPECT_EQ(choosePlan(1024).size(), 1024);
  EXPECT_LT(choosePlan(520).size(), 1024);
  for (int64_t minimum = 1; minimum < 3000; minimum += 7) {
    Plan plan = choosePlan(minimum);
    EXPECT_GE(plan.size(), minimum);
    EXPECT_LE(plan.size(), 2 * minimum);
    int64_t odd = plan.size();
    while (odd % 2 == 0)
      odd /= 2;
    EXPECT_TRUE((std::set<int64_t>{1, 3, 5, 7, 9, 15}).count(odd)) << odd;
  }
}

// Wrong if a plan written into an attribute does not come back the same.
TEST(PlanTest, TextRoundTrip) {
  for (int64_t size : {1, 2, 7, 1024, 960, 8192}) {
    Plan plan = *Plan::forSize(size);
    std::string error;
    std::optional<Plan> again = Plan::parse(plan.str(), error);
    ASSERT_TRUE(again) << error;
    EXPECT_EQ(*again, plan);
    EXPECT_EQ(again->hash(), plan.hash());
  }
  EXPECT_EQ(Plan::forSize(1024)->str(), "size = 1024, factors = [8, 4, 4, 8]");
}

// Wrong if bad text is taken, or refused without saying why.
TEST(PlanTest, ParserNamesTheFault) {
  for (auto [text, message] :
       std::vector<std::pair<const char *, const char *>>{
           {"", "'size = N'"},
           {"size = x", "'size = N'"},
           {"size = 99999999999999999999", "2^40"},
           {"size = 8", "factors"},
           {"size = 8, factors = []", "expected a factor"},
           {"size = 8, factors = [8", "']'"},
           {"size = 8, factors = [8, 1] x", "']'"},
           {"size = 8, factors = [8]", "two factors"},
           {"size = 11, factors = [11, 1]", "prime factor"},
           {"size = 9, factors = [8, 1]", "product of the factors is 8"}}) {
    std::string error;
    EXPECT_FALSE(Plan::parse(text, error)) << text;
    EXPECT_NE(error.find(message), std::string::npos) << error;
  }
}

// Wrong if the spectrum's order is not a permutation of the frequencies.
TEST(PlanTest, SpectrumOrderIsAPermutation) {
  for (int64_t size : {1, 6, 8, 60, 64, 105}) {
    Plan plan = *Plan::forSize(size);
    std::set<int64_t> seen;
    for (int64_t position = 0; position < size; ++position)
      seen.insert(plan.frequencyAt(position));
    EXPECT_EQ(static_cast<int64_t>(seen.size()), size);
    EXPECT_EQ(*seen.rbegin(), size - 1);
  }
}

// Wrong if the roots lose their exact symmetries or their precision.
TEST(PlanTest, UnitRoots) {
  for (int64_t denominator : {1, 2, 3, 4, 5, 8, 12, 32, 28, 1000}) {
    for (int64_t numerator = -2 * denominator; numerator <= 2 * denominator;
         ++numerator) {
      Root root = unitRoot(numerator, denominator);
      double angle = 2 * M_PI * static_cast<double>(numerator) /
                     static_cast<double>(denominator);
      EXPECT_NEAR(root.cosine, std::cos(angle), 4e-15);
      EXPECT_NEAR(root.sine, std::sin(angle), 4e-15);
    }
  }
  EXPECT_EQ(unitRoot(1, 4).cosine, 0);
  EXPECT_EQ(unitRoot(3, 4).sine, -1);
  EXPECT_EQ(unitRoot(3, 8).cosine, -unitRoot(1, 8).sine);
}

} // namespace
