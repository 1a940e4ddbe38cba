//===- TensorOpsTest.cpp - tests of tensors and control flow --------------===//
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

Value index(int64_t value) { return scalar(value); }

/// 0, 1, 2, ... in this shape.
Value iota(std::vector<int64_t> shape) {
  Value value = Value::real(std::move(shape), {});
  for (int64_t i = 0, e = value.numElements(); i < e; ++i)
    value.reals.push_back(static_cast<double>(i));
  return value;
}

} // namespace

// Would fail if a constant were read wrongly in any of its forms.
TEST(TensorOps, Constants) {
  Outcome outcome = run(R"(
func.func @f() -> (tensor<2xf16>, tensor<2x2xf64>, tensor<3xi8>, tensor<2xi1>,
                   tensor<1xcomplex<f32>>, tensor<2xf32>, tensor<0xf32>, i1) {
  %0 = arith.constant dense<0.5> : tensor<2xf16>
  %1 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %2 = arith.constant dense<[1, -1, 127]> : tensor<3xi8>
  %3 = arith.constant dense<[true, false]> : tensor<2xi1>
  %4 = arith.constant dense<(1.0, -2.0)> : tensor<1xcomplex<f32>>
  %5 = arith.constant dense_resource<blob> : tensor<2xf32>
  %6 = arith.constant dense<> : tensor<0xf32>
  %7 = arith.constant true
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf16>, tensor<2x2xf64>,
    tensor<3xi8>, tensor<2xi1>, tensor<1xcomplex<f32>>, tensor<2xf32>,
    tensor<0xf32>, i1
}
{-#
  dialect_resources: { builtin: { blob: "0x040000000000803F000000C0" } }
#-})");
  ASSERT_EQ(outcome.results.size(), 8u) << outcome.error;
  EXPECT_EQ(outcome.results[0].reals, Reals({0.5, 0.5}));
  EXPECT_EQ(outcome.results[1].reals, Reals({1, 2, 3, 4}));
  EXPECT_EQ(outcome.results[2].integers, Integers({1, -1, 127}));
  EXPECT_EQ(outcome.results[3].integers, Integers({1, 0}));
  EXPECT_EQ(outcome.results[4].complexes, Complexes({{1, -2}}));
  EXPECT_EQ(outcome.results[5].reals, Reals({1, -2}));
  EXPECT_EQ(outcome.results[6].reals, Reals());
  EXPECT_EQ(outcome.results[7].integers, Integers({1}));
}

// Would fail if elements went to other places when tensors are made of them.
TEST(TensorOps, MakesTensors) {
  Outcome outcome = runBody(
      "(%a: f32, %b: f32, %n: index) -> (tensor<2x1xf32>, tensor<?x2xf32>, "
      "tensor<?x3xindex>, tensor<?xf32>)",
      R"(%0 = tensor.from_elements %a, %b : tensor<2x1xf32>
    %1 = tensor.splat %a[%n] : tensor<?x2xf32>
    %2 = tensor.generate %n {
    ^bb0(%i: index, %j: index):
      %c10 = arith.constant 10 : index
      %m = arith.muli %i, %c10 : index
      %s = arith.addi %m, %j : index
      tensor.yield %s : index
    } : tensor<?x3xindex>
    %3 = tensor.empty(%n) : tensor<?xf32>
    return %0, %1, %2, %3 : tensor<2x1xf32>, tensor<?x2xf32>,
      tensor<?x3xindex>, tensor<?xf32>)",
      {scalar(1.0), scalar(2.0), index(2)});
  ASSERT_EQ(outcome.results.size(), 4u) << outcome.error;
  expectClose(outcome.results[0], Value::real({2, 1}, {1, 2}), 0);
  expectClose(outcome.results[1], Value::real({2, 2}, {1, 1, 1, 1}), 0);
  expectClose(outcome.results[2], Value::integer({2, 3}, {0, 1, 2, 10, 11, 12}),
              0);
  // What nobody has written is no number.
  EXPECT_TRUE(std::isnan(outcome.results[3].reals.at(1)));
}

// Would fail if single elements, extents or ranks were taken from elsewhere.
TEST(TensorOps, ElementsAndExtents) {
  Outcome outcome =
      runBody("(%t: tensor<?x3xf32>, %i: index, %j: index, %v: f32) -> "
              "(f32, tensor<?x3xf32>, index, index, tensor<2x3xf32>)",
              R"(%0 = tensor.extract %t[%i, %j] : tensor<?x3xf32>
    %1 = tensor.insert %v into %t[%i, %j] : tensor<?x3xf32>
    %c0 = arith.constant 0 : index
    %2 = tensor.dim %t, %c0 : tensor<?x3xf32>
    %3 = tensor.rank %t : tensor<?x3xf32>
    %4 = tensor.cast %t : tensor<?x3xf32> to tensor<2x3xf32>
    return %0, %1, %2, %3, %4 : f32, tensor<?x3xf32>, index, index,
      tensor<2x3xf32>)",
              {iota({2, 3}), index(1), index(2), scalar(9.0)});
  ASSERT_EQ(outcome.results.size(), 5u) << outcome.error;
  EXPECT_EQ(outcome.results[0].reals[0], 5);
  EXPECT_EQ(outcome.results[1].reals, Reals({0, 1, 2, 3, 4, 9}));
  EXPECT_EQ(outcome.results[2].integers[0], 2);
  EXPECT_EQ(outcome.results[3].integers[0], 2);
  expectClose(outcome.results[4], iota({2, 3}), 0);
}

// Would fail if a slice had another offset, stride or rank.
TEST(TensorOps, Slices) {
  Outcome outcome = runBody(
      "(%t: tensor<4x5xf32>, %i: index) -> (tensor<2x3xf32>, tensor<2xf32>, "
      "tensor<4x5xf32>)",
      R"(%0 = tensor.extract_slice %t[%i, 0] [2, 3] [2, 2]
        : tensor<4x5xf32> to tensor<2x3xf32>
    %1 = tensor.extract_slice %t[%i, 3] [1, 2] [1, 1]
        : tensor<4x5xf32> to tensor<2xf32>
    %2 = tensor.insert_slice %1 into %t[0, %i] [2, 1] [3, 1]
        : tensor<2xf32> into tensor<4x5xf32>
    return %0, %1, %2 : tensor<2x3xf32>, tensor<2xf32>, tensor<4x5xf32>)",
      {iota({4, 5}), index(1)});
  ASSERT_EQ(outcome.results.size(), 3u) << outcome.error;
  expectClose(outcome.results[0], Value::real({2, 3}, {5, 7, 9, 15, 17, 19}),
              0);
  expectClose(outcome.results[1], Value::real({2}, {8, 9}), 0);
  Value expected = iota({4, 5});
  expected.reals[1] = 8;
  expected.reals[16] = 9;
  expectClose(outcome.results[2], expected, 0);
}

// Would fail if elements were put elsewhere by pad, concat or gather.
TEST(TensorOps, PadConcatGather) {
  Outcome outcome = runBody(
      "(%t: tensor<2x2xf32>, %n: index, %v: f32, %i: tensor<2x1xi32>) -> "
      "(tensor<?x3xf32>, tensor<2x4xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>)",
      R"(%0 = tensor.pad %t low[%n, 0] high[0, 1] {
    ^bb0(%a: index, %b: index):
      tensor.yield %v : f32
    } : tensor<2x2xf32> to tensor<?x3xf32>
    %1 = tensor.concat dim(1) %t, %t
        : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    %2 = tensor.gather %t[%i] gather_dims([0])
        : (tensor<2x2xf32>, tensor<2x1xi32>) -> tensor<2x1x2xf32>
    %3 = tensor.gather %t[%i] gather_dims([0])
        : (tensor<2x2xf32>, tensor<2x1xi32>) -> tensor<2x2xf32>
    return %0, %1, %2, %3 : tensor<?x3xf32>, tensor<2x4xf32>,
      tensor<2x1x2xf32>, tensor<2x2xf32>)",
      {iota({2, 2}), index(1), scalar(7.0), Value::integer({2, 1}, {1, 0})});
  ASSERT_EQ(outcome.results.size(), 4u) << outcome.error;
  expectClose(outcome.results[0],
              Value::real({3, 3}, {7, 7, 7, 0, 1, 7, 2, 3, 7}), 0);
  expectClose(outcome.results[1], Value::real({2, 4}, {0, 1, 0, 1, 2, 3, 2, 3}),
              0);
  expectClose(outcome.results[2], Value::real({2, 1, 2}, {2, 3, 0, 1}), 0);
  expectClose(outcome.results[3], Value::real({2, 2}, {2, 3, 0, 1}), 0);
}

// Would fail if a reshape moved elements, or if its extents were wrong.
TEST(TensorOps, Reshapes) {
  Outcome outcome = runBody(
      "(%t: tensor<?x6xf32>, %n: index, %s: tensor<2xi64>) -> "
      "(tensor<?x2x3xf32>, tensor<?xf32>, tensor<?x?xf32>)",
      R"(%0 = tensor.expand_shape %t [[0], [1, 2]] output_shape [%n, 2, 3]
        : tensor<?x6xf32> into tensor<?x2x3xf32>
    %1 = tensor.collapse_shape %t [[0, 1]] : tensor<?x6xf32> into tensor<?xf32>
    %2 = tensor.reshape %t(%s)
        : (tensor<?x6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    return %0, %1, %2 : tensor<?x2x3xf32>, tensor<?xf32>, tensor<?x?xf32>)",
      {iota({2, 6}), index(2), Value::integer({2}, {4, 3})});
  ASSERT_EQ(outcome.results.size(), 3u) << outcome.error;
  expectClose(outcome.results[0], iota({2, 2, 3}), 0);
  expectClose(outcome.results[1], iota({12}), 0);
  expectClose(outcome.results[2], iota({4, 3}), 0);
}

// Would fail if a loop ran too often, or a branch was the other one.
TEST(TensorOps, ControlFlow) {
  Outcome outcome = run(R"(
func.func @f(%n: index, %c: i1) -> (i64, tensor<5xi64>, i64) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i64
  %empty = tensor.empty() : tensor<5xi64>
  %sum, %squares = scf.for %i = %c0 to %n step %c2
      iter_args(%s = %one, %t = %empty) -> (i64, tensor<5xi64>) {
    %v = arith.index_cast %i : index to i64
    %s2 = arith.addi %s, %v : i64
    %v2 = func.call @square(%v) : (i64) -> i64
    %t2 = tensor.insert %v2 into %t[%i] : tensor<5xi64>
    scf.yield %s2, %t2 : i64, tensor<5xi64>
  }
  %chosen = scf.if %c -> (i64) {
    scf.yield %one : i64
  } else {
    scf.yield %sum : i64
  }
  return %sum, %squares, %chosen : i64, tensor<5xi64>, i64
}
func.func private @square(%x: i64) -> i64 {
  %0 = arith.muli %x, %x : i64
  return %0 : i64
})",
                        {index(5), scalar(int64_t(0))});
  ASSERT_EQ(outcome.results.size(), 3u) << outcome.error;
  EXPECT_EQ(outcome.results[0].integers, Integers({7}));
  EXPECT_EQ(outcome.results[1].integers, Integers({0, 0, 4, 0, 16}));
  EXPECT_EQ(outcome.results[2].integers, Integers({7}));
}

// Would fail if elementwise operations on tensors mixed up their elements
// where there are many, on several threads.
TEST(TensorOps, ElementwiseOnManyElements) {
  Value x = randomReal({3, 70000}, 1);
  for (unsigned threads : {1u, 3u}) {
    Options options;
    options.threads = threads;
    Outcome outcome = runBody("(%x: tensor<3x?xf32>) -> tensor<3x?xf32>",
                              R"(%0 = math.exp %x : tensor<3x?xf32>
    %1 = arith.addf %0, %x : tensor<3x?xf32>
    return %1 : tensor<3x?xf32>)",
                              {x}, options);
    Value result = outcome.only();
    ASSERT_EQ(result.shape, x.shape) << outcome.error;
    for (size_t i = 0; i < x.reals.size(); ++i)
      ASSERT_EQ(result.reals[i], std::exp(x.reals[i]) + x.reals[i]);
  }
}
