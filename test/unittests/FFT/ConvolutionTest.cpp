//===- ConvolutionTest.cpp - the emitter against direct sums --------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlainBuilder.h"

#include "gtest/gtest.h"

#include <complex>
#include <random>

using namespace hyena::fft;

namespace {

std::vector<double> randomValues(int64_t count, uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double &value : values)
    value = normal(engine);
  return values;
}

/// y[n] = sum_m weight(n - m) u[m], with the lags that `shape` gives.
std::vector<double> directSum(const FilterShape &shape,
                              const std::vector<double> &u,
                              const std::vector<double> &h,
                              const std::vector<double> &r) {
  int64_t length = static_cast<int64_t>(u.size());
  std::vector<double> y(length);
  for (int64_t n = 0; n < length; ++n) {
    for (int64_t k = 0; k < shape.taps; ++k) {
      int64_t tap = shape.newestLast ? shape.taps - 1 - k : k;
      int64_t lag0 = shape.mode == FilterMode::Noncausal ||
                             shape.mode == FilterMode::Circular
                         ? shape.lag0
                         : 0;
      int64_t m = n - (k - lag0);
      if (shape.mode == FilterMode::Circular)
        m = ((m % length) + length) % length;
      if (m >= 0 && m < length)
        y[n] += h[tap] * u[m];
    }
    if (shape.mode == FilterMode::Bidirectional)
      for (int64_t j = 0; j < shape.reverseTaps; ++j)
        if (n + j + 1 < length)
          y[n] += r[j] * u[n + j + 1];
  }
  return y;
}

/// Largest difference over the root mean square of the expected values.
double error(const std::vector<double> &found,
             const std::vector<double> &expected) {
  double worst = 0, power = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    worst = std::max(worst, std::fabs(found[i] - expected[i]));
    power += expected[i] * expected[i];
  }
  return worst /
         std::sqrt(power / static_cast<double>(expected.size()) + 1e-30);
}

double errorOf(const Plan &plan, const FilterShape &shape, int64_t length) {
  std::vector<double> u = randomValues(length, 1);
  std::vector<double> h = randomValues(shape.taps, 2);
  std::vector<double> r = randomValues(shape.reverseTaps, 3);
  return error(convolve<double>(plan, shape, u, h, r),
               directSum(shape, u, h, r));
}

std::vector<int64_t> plannedSizes(int64_t limit) {
  std::vector<int64_t> sizes;
  for (int64_t odd : {1, 3, 5, 7, 9, 15})
    for (int64_t size = odd; size <= limit; size *= 2)
      sizes.push_back(size);
  return sizes;
}

// Wrong if any planned size computes a wrong full-length causal convolution.
TEST(ConvolutionTest, EveryPlannedSizeCausal) {
  for (int64_t size : plannedSizes(640)) {
    for (int64_t maxRadix : {4, 8}) {
      FilterShape shape;
      shape.taps = size;
      EXPECT_LT(errorOf(*Plan::forSize(size, maxRadix), shape, size), 1e-12)
          << Plan::forSize(size, maxRadix)->str();
    }
  }
}

// Wrong if the imaginary half (L > M) or the bounded ends are mishandled.
TEST(ConvolutionTest, ShortFiltersUseBothHalves) {
  for (int64_t size : plannedSizes(160)) {
    for (int64_t taps : {1, 3, 7}) {
      int64_t length = 2 * size - taps + 1;
      if (length < 1)
        continue;
      for (int64_t cut : {0, 1}) {
        FilterShape shape;
        shape.taps = taps;
        if (length - cut < 1)
          continue;
        EXPECT_LT(errorOf(*Plan::forSize(size), shape, length - cut), 1e-12)
            << "size " << size << " taps " << taps << " cut " << cut;
      }
    }
  }
}

// Wrong if a mode puts a tap at another lag, for lengths of every kind.
TEST(ConvolutionTest, EveryModeAndLength) {
  for (int64_t length : {1, 2, 3, 7, 16, 31, 63, 64, 101, 129}) {
    for (int64_t taps :
         {int64_t(1), int64_t(3), length - 1, length, length + 5}) {
      if (taps < 1)
        continue;
      std::vector<FilterShape> shapes;
      shapes.push_back({FilterMode::Causal, taps, 0, 0, false});
      shapes.push_back({FilterMode::Causal, taps, 0, 0, true});
      for (int64_t reverse : {int64_t(0), int64_t(1), taps, length + 2})
        shapes.push_back({FilterMode::Bidirectional, taps, reverse, 0, false});
      for (int64_t lag0 : {int64_t(0), (taps - 1) / 2, taps - 1}) {
        shapes.push_back({FilterMode::Noncausal, taps, 0, lag0, false});
        shapes.push_back({FilterMode::Circular, taps, 0, lag0, false});
      }
      for (const FilterShape &shape : shapes) {
        Plan plan = choosePlan(minimalSize(shape, length));
        EXPECT_LT(errorOf(plan, shape, length), 1e-12)
            << plan.str() << " mode " << static_cast<int>(shape.mode)
            << " length " << length << " taps " << taps << " reverse "
            << shape.reverseTaps << " lag0 " << shape.lag0;
      }
    }
  }
}

// Wrong if an impulse does not return the filter itself: relative errors would
// hide a single wrong tap.
TEST(ConvolutionTest, ImpulseReturnsTheFilter) {
  int64_t length = 96;
  std::vector<double> h = randomValues(length, 5);
  std::vector<double> u(length);
  u[0] = 1;
  FilterShape shape;
  shape.taps = length;
  std::vector<double> y =
      convolve<double>(choosePlan(minimalSize(shape, length)), shape, u, h);
  for (int64_t n = 0; n < length; ++n)
    EXPECT_NEAR(y[n], h[n], 1e-14) << n;
}

// Wrong if single precision loses more than rounding should take.
TEST(ConvolutionTest, SinglePrecision) {
  for (int64_t length : {64, 1000, 1024}) {
    std::vector<double> u = randomValues(length, 1);
    std::vector<double> h = randomValues(length, 2);
    FilterShape shape;
    shape.taps = length;
    Plan plan = choosePlan(minimalSize(shape, length));
    std::vector<float> y =
        convolve<float>(plan, shape, std::vector<float>(u.begin(), u.end()),
                        std::vector<float>(h.begin(), h.end()));
    std::vector<double> expected = directSum(shape, u, h, {});
    EXPECT_LT(error(std::vector<double>(y.begin(), y.end()), expected), 3e-6);
  }
}

// Wrong if any order of factors that a plan may spell out is not supported.
TEST(ConvolutionTest, UnusualFactorOrders) {
  for (const std::vector<int64_t> &factors :
       std::vector<std::vector<int64_t>>{{2, 2, 2, 2},
                                         {1, 8},
                                         {8, 1, 8},
                                         {3, 5, 7},
                                         {7, 9},
                                         {15, 2},
                                         {16, 16},
                                         {6, 10},
                                         {12, 14}}) {
    std::optional<Plan> plan = Plan::fromFactors(factors);
    ASSERT_TRUE(plan);
    FilterShape shape;
    shape.taps = plan->size();
    EXPECT_LT(errorOf(*plan, shape, plan->size()), 1e-12) << plan->str();
  }
}

// Wrong if the spectrum stands in another order than the plan says: H of a
// delayed impulse is a known phase.
TEST(ConvolutionTest, SpectrumOrder) {
  Plan plan = *Plan::forSize(60);
  PlainBuilder<double> builder(plan);
  TransformEmitter<PlainBuilder<double>> emitter(builder, plan);
  builder.input[7] = 1;
  emitter.transform(8, 1.0);
  for (int64_t position = 0; position < 60; ++position) {
    Root root = unitRoot(-7 * (4 * plan.frequencyAt(position) - 1), 4 * 60);
    EXPECT_NEAR(builder.spectrum[position].re, root.cosine, 1e-14);
    EXPECT_NEAR(builder.spectrum[position].im, root.sine, 1e-14);
  }
}

template <int64_t Radix> PlainBuilder<double> countDft() {
  PlainBuilder<double> builder(*Plan::forSize(1));
  Codelets<PlainBuilder<double>> codelets(builder);
  std::vector<ComplexTerm<double>> x(Radix);
  std::vector<double> values = randomValues(2 * Radix, Radix);
  for (int64_t i = 0; i < Radix; ++i)
    x[i] = {{values[2 * i], 1.0}, {values[2 * i + 1], 1.0}};
  codelets.dft(x, /*inverse=*/false);
  for (int64_t k = 0; k < Radix; ++k) {
    std::complex<double> expected = 0;
    for (int64_t n = 0; n < Radix; ++n)
      expected += std::complex<double>(values[2 * n], values[2 * n + 1]) *
                  std::polar(1.0, -2 * M_PI * static_cast<double>(n * k) /
                                      static_cast<double>(Radix));
    ComplexLane<double> found = codelets.materialize(x[k]);
    EXPECT_NEAR(found.re, expected.real(), 1e-13);
    EXPECT_NEAR(found.im, expected.imag(), 1e-13);
  }
  return builder;
}

// Wrong if a codelet emits more arithmetic than it did when it was measured.
TEST(ConvolutionTest, CodeletOperationCounts) {
  EXPECT_EQ(countDft<2>().operations(), 4);
  EXPECT_EQ(countDft<3>().operations(), 12);
  EXPECT_EQ(countDft<4>().operations(), 16);
  EXPECT_EQ(countDft<5>().operations(), 32);
  EXPECT_EQ(countDft<7>().operations(), 60);
  EXPECT_EQ(countDft<8>().operations(), 52);
  EXPECT_EQ(countDft<9>().operations(), 80);
  EXPECT_EQ(countDft<16>().operations(), 148);
  EXPECT_EQ(countDft<8>().negations, 0);
}

// Wrong if real input is not used: the first pass would do complex work.
TEST(ConvolutionTest, RealInputCostsLess) {
  Plan plan = *Plan::forSize(1024);
  auto firstPassOperations = [&](int64_t inputs) {
    PlainBuilder<double> builder(plan);
    TransformEmitter<PlainBuilder<double>> emitter(builder, plan);
    emitter.firstPass(inputs);
    EXPECT_EQ(builder.loads, inputs);
    return builder.operations();
  };
  EXPECT_LT(firstPassOperations(1024), firstPassOperations(2048));
  EXPECT_LT(firstPassOperations(512), firstPassOperations(1024));
}

} // namespace
