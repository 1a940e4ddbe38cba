//===- Float16Test.cpp - tests of 16-bit floats ---------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Support/Float16.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace hyena::support;

namespace {

const double infinity = std::numeric_limits<double>::infinity();

/// Every finite 16-bit number must survive the way to double and back, and a
/// value half-way to the next one must go to the even one.
template <typename Widen, typename Narrow>
void checkAll(Widen widen, Narrow narrow, uint16_t infinityBits) {
  for (uint16_t bits = 0; bits < infinityBits; ++bits) {
    double value = widen(bits);
    ASSERT_EQ(narrow(value), bits);
    ASSERT_EQ(narrow(-value), bits | 0x8000);
    if (bits + 1 == infinityBits)
      continue;
    double next = widen(bits + 1);
    double middle = (value + next) / 2;
    ASSERT_EQ(narrow(middle), bits % 2 == 0 ? bits : bits + 1);
    ASSERT_EQ(narrow(std::nextafter(middle, 0.0)), bits);
    ASSERT_EQ(narrow(std::nextafter(middle, infinity)), bits + 1);
  }
  EXPECT_EQ(widen(infinityBits), infinity);
  EXPECT_EQ(narrow(infinity), infinityBits);
  EXPECT_EQ(narrow(-infinity), infinityBits | 0x8000);
  EXPECT_EQ(narrow(1e300), infinityBits);
  EXPECT_EQ(narrow(1e-300), 0);
  EXPECT_TRUE(std::isnan(widen(narrow(std::nan("")))));
}

} // namespace

// Would fail if a half were rounded to anything but nearest even.
TEST(Float16, HalfRoundsToNearestEven) {
  checkAll(halfToDouble, doubleToHalf, 0x7c00);
  EXPECT_EQ(halfToDouble(0x3c00), 1.0);
  EXPECT_EQ(halfToDouble(0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(halfToDouble(0x7bff), 65504.0);
  EXPECT_EQ(doubleToHalf(65519.99), 0x7bff);
  EXPECT_EQ(doubleToHalf(65520.0), 0x7c00);
}

// Would fail if a bfloat16 were truncated, or rounded through a float.
TEST(Float16, BfloatRoundsToNearestEven) {
  checkAll(bfloatToDouble, doubleToBfloat, 0x7f80);
  EXPECT_EQ(bfloatToDouble(0x3f80), 1.0);
  EXPECT_EQ(bfloatToDouble(0x4049), 3.140625);
  // A float would round this to the middle first, and then to even.
  EXPECT_EQ(doubleToBfloat(1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40)),
            0x3f81);
}
