//===- ValueTest.cpp - tests of comparisons -------------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Interpreter/Value.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace hyena::interp;

// Would fail if a measure of the difference were another one.
TEST(Compare, Measures) {
  Value b = Value::real({4}, {3, 0, 0, 4});
  Difference same = compare(b, b);
  EXPECT_EQ(same.relativeL2, 0);
  EXPECT_EQ(same.maxAbs, 0);
  EXPECT_EQ(same.elements, 4);
  Difference other = compare(Value::real({4}, {3, 0.5, 0, 4}), b);
  EXPECT_DOUBLE_EQ(other.relativeL2, 0.1);
  EXPECT_DOUBLE_EQ(other.maxAbs, 0.5);
  EXPECT_DOUBLE_EQ(other.maxOverRms, 0.5 / 2.5);
  Difference zero = compare(Value::real({2}, {3, 4}), Value::real({2}, {0, 0}));
  EXPECT_DOUBLE_EQ(zero.relativeL2, 5);
  EXPECT_DOUBLE_EQ(zero.maxOverRms, 4);
  Difference complex =
      compare(Value::complex({1}, {{3, 4}}), Value::complex({1}, {{0, 0}}));
  EXPECT_DOUBLE_EQ(complex.maxAbs, 5);
  Difference nothing = compare(Value::real({0}, {}), Value::real({0}, {}));
  EXPECT_EQ(nothing.elements, 0);
  EXPECT_EQ(nothing.relativeL2, 0);
}

// Would fail if a NaN went unnoticed.
TEST(Compare, SeesWhatIsNotFinite) {
  double nan = std::nan("");
  Value good = Value::real({2}, {1, 2});
  for (double bad : {nan, double(INFINITY), -double(INFINITY)}) {
    Value value = Value::real({2}, {1, bad});
    EXPECT_TRUE(std::isinf(compare(value, good).maxAbs));
    EXPECT_TRUE(std::isinf(compare(value, good).relativeL2));
    EXPECT_TRUE(std::isinf(compare(good, value).maxAbs));
    EXPECT_TRUE(std::isinf(compare(good, value).relativeL2));
    EXPECT_EQ(compare(value, value).maxAbs, 0);
  }
}

// Would fail if unknown elements were compared, or known ones were not.
TEST(Compare, SkipsUnknownElements) {
  Value expected =
      Value::real({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  Value actual = expected;
  expected.sampledDim = 1;
  expected.sampledIndices = {0, 2};
  for (int64_t i : {2, 3, 8, 9})
    expected.reals[i] = std::nan("");
  EXPECT_EQ(compare(actual, expected).maxAbs, 0);
  EXPECT_EQ(compare(actual, expected).elements, 8);
  actual.reals[10] += 1;
  EXPECT_EQ(compare(actual, expected).maxAbs, 1);
}
