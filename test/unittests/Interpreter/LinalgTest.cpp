//===- LinalgTest.cpp - tests of linalg operations ------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

#include <cmath>

using namespace hyena::interp;

// Would fail if a matrix product summed over the wrong index, at an extent
// beyond one column and on several threads.
TEST(Linalg, Matmul) {
  const int64_t m = 5, k = 37, n = 300;
  Value a = randomReal({m, k}, 1), b = randomReal({k, n}, 2),
        c = randomReal({m, n}, 3);
  Value expected = c;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t l = 0; l < k; ++l)
        expected.reals[i * n + j] += at(a, {i, l}) * at(b, {l, j});
  Options options;
  options.threads = 3;
  Outcome outcome = runBody(
      "(%a: tensor<?x?xf32>, %b: tensor<?x300xf32>, %c: tensor<?x300xf32>) -> "
      "tensor<?x300xf32>",
      R"(%0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x300xf32>)
        outs(%c : tensor<?x300xf32>) -> tensor<?x300xf32>
    return %0 : tensor<?x300xf32>)",
      {a, b, c}, options);
  expectClose(outcome.only(), expected);
}

// Would fail if a named operation were not what its name says.
TEST(Linalg, NamedOperations) {
  Value x = Value::real({2, 3}, {1, 2, 3, 4, 5, 6});
  Outcome outcome = runBody(
      "(%x: tensor<2x3xf32>, %v: f32) -> (tensor<2x2xf32>, tensor<3x2xf32>, "
      "tensor<2x4x3xf32>, tensor<2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, "
      "tensor<2x3xf32>)",
      R"(%e0 = tensor.empty() : tensor<2x2xf32>
    %0 = linalg.fill ins(%v : f32) outs(%e0 : tensor<2x2xf32>)
        -> tensor<2x2xf32>
    %e1 = tensor.empty() : tensor<3x2xf32>
    %1 = linalg.transpose ins(%x : tensor<2x3xf32>)
        outs(%e1 : tensor<3x2xf32>) permutation = [1, 0]
    %e2 = tensor.empty() : tensor<2x4x3xf32>
    %2 = linalg.broadcast ins(%x : tensor<2x3xf32>)
        outs(%e2 : tensor<2x4x3xf32>) dimensions = [1]
    %z3 = arith.constant dense<10.0> : tensor<2xf32>
    %3 = linalg.reduce { arith.addf } ins(%x : tensor<2x3xf32>)
        outs(%z3 : tensor<2xf32>) dimensions = [1]
    %e4 = tensor.empty() : tensor<2x3xf32>
    %4 = linalg.map { math.exp } ins(%x : tensor<2x3xf32>)
        outs(%e4 : tensor<2x3xf32>)
    %5 = linalg.softmax dimension(1) ins(%x : tensor<2x3xf32>)
        outs(%e4 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %6 = linalg.add ins(%x, %x : tensor<2x3xf32>, tensor<2x3xf32>)
        outs(%e4 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0, %1, %2, %3, %4, %5, %6 : tensor<2x2xf32>, tensor<3x2xf32>,
      tensor<2x4x3xf32>, tensor<2xf32>, tensor<2x3xf32>, tensor<2x3xf32>,
      tensor<2x3xf32>)",
      {x, scalar(7.0)});
  ASSERT_EQ(outcome.results.size(), 7u) << outcome.error;
  expectClose(outcome.results[0], Value::real({2, 2}, {7, 7, 7, 7}), 0);
  expectClose(outcome.results[1], Value::real({3, 2}, {1, 4, 2, 5, 3, 6}), 0);
  Value repeated = Value::real({2, 4, 3}, {});
  for (int64_t i = 0; i < 24; ++i)
    repeated.reals.push_back(x.reals[i / 12 * 3 + i % 3]);
  expectClose(outcome.results[2], repeated, 0);
  expectClose(outcome.results[3], Value::real({2}, {16, 25}), 0);
  Value exponentials = x, softmax = x, doubled = x;
  const double sum = 1 + std::exp(1) + std::exp(2);
  for (int64_t i = 0; i < 6; ++i) {
    exponentials.reals[i] = std::exp(x.reals[i]);
    softmax.reals[i] = std::exp(i % 3) / sum;
    doubled.reals[i] = 2 * x.reals[i];
  }
  expectClose(outcome.results[4], exponentials, 0);
  expectClose(outcome.results[5], softmax);
  expectClose(outcome.results[6], doubled, 0);
}

// Would fail if an index that is a sum of loops were off by one.
TEST(Linalg, DepthwiseConvolution) {
  const int64_t channels = 3, length = 10, taps = 4;
  Value x = randomReal({2, channels, length}, 1),
        w = randomReal({channels, taps}, 2);
  Value expected = Value::real({2, channels, length - taps + 1}, {});
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t n = 0; n + taps <= length; ++n) {
        double sum = 0;
        for (int64_t k = 0; k < taps; ++k)
          sum += at(x, {b, c, n + k}) * at(w, {c, k});
        expected.reals.push_back(sum);
      }
  Outcome outcome = runBody(
      "(%x: tensor<2x3x10xf32>, %w: tensor<3x4xf32>) -> tensor<2x3x7xf32>",
      R"(%z = arith.constant dense<0.0> : tensor<2x3x7xf32>
    %0 = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : vector<1xi64>,
        strides = dense<1> : vector<1xi64>}
        ins(%x, %w : tensor<2x3x10xf32>, tensor<3x4xf32>)
        outs(%z : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
    return %0 : tensor<2x3x7xf32>)",
      {x, w});
  expectClose(outcome.only(), expected);
}

// Would fail if a generic operation with index operations, captured values, two
// results, a reduction and a division in a map were wrong in any of them.
TEST(Linalg, GenericWithEverything) {
  Value x = randomReal({4, 6}, 1);
  // sums[i] = sum_j s x[i, j] w[j div 2] + i; last[j] = 10 i + j of the last i.
  Value w = randomReal({3}, 2);
  Outcome outcome = runBody(
      "(%x: tensor<4x6xf32>, %w: tensor<3xf32>, %s: f32) -> tensor<4xf32>",
      R"(%z = arith.constant dense<0.0> : tensor<4xf32>
    %0 = linalg.generic {indexing_maps = [
          affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j floordiv 2)>,
          affine_map<(i, j) -> (i)>],
        iterator_types = ["parallel", "reduction"]}
        ins(%x, %w : tensor<4x6xf32>, tensor<3xf32>)
        outs(%z : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %i = linalg.index 0 : index
      %k = arith.index_cast %i : index to i64
      %r = arith.sitofp %k : i64 to f32
      %p = arith.mulf %a, %b : f32
      %q = arith.mulf %p, %s : f32
      %t = arith.addf %q, %r : f32
      %u = arith.addf %acc, %t : f32
      linalg.yield %u : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>)",
      {x, w, scalar(0.5)});
  Value expected = Value::real({4}, {});
  for (int64_t i = 0; i < 4; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < 6; ++j)
      sum += 0.5 * at(x, {i, j}) * at(w, {j / 2}) + static_cast<double>(i);
    expected.reals.push_back(sum);
  }
  expectClose(outcome.only(), expected);
}

// Would fail if one of several results went to the place of another.
TEST(Linalg, SeveralResults) {
  Value x = randomReal({3, 200}, 1);
  Outcome outcome = runBody(
      "(%x: tensor<3x200xf32>) -> (tensor<200x3xf32>, tensor<3x200xindex>)",
      R"(%e = tensor.empty() : tensor<200x3xf32>
    %f = tensor.empty() : tensor<3x200xindex>
    %0, %1 = linalg.generic {indexing_maps = [
          affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>,
          affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<3x200xf32>)
        outs(%e, %f : tensor<200x3xf32>, tensor<3x200xindex>) {
    ^bb0(%a: f32, %b: f32, %c: index):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c1000 = arith.constant 1000 : index
      %m = arith.muli %i, %c1000 : index
      %s = arith.addi %m, %j : index
      %n = arith.negf %a : f32
      linalg.yield %n, %s : f32, index
    } -> (tensor<200x3xf32>, tensor<3x200xindex>)
    return %0, %1 : tensor<200x3xf32>, tensor<3x200xindex>)",
      {x});
  ASSERT_EQ(outcome.results.size(), 2u) << outcome.error;
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 200; ++j) {
      ASSERT_EQ(outcome.results[0].reals[j * 3 + i], -at(x, {i, j}));
      ASSERT_EQ(outcome.results[1].integers[i * 200 + j], 1000 * i + j);
    }
}

// Would fail if sums over complex elements, or a reduction to a scalar, or a
// look-up in the body, were wrong.
TEST(Linalg, ComplexSumAndLookup) {
  Value z = randomComplex({7}, 1);
  Value indices = Value::integer({3}, {2, 0, 1});
  Value table = Value::real({3, 2}, {1, 2, 3, 4, 5, 6});
  Outcome outcome = runBody(
      "(%z: tensor<7xcomplex<f64>>, %i: tensor<3xi64>, %t: tensor<3x2xf32>) -> "
      "(tensor<complex<f64>>, tensor<3x2xf32>)",
      R"(%zero = complex.constant [0.0 : f64, 0.0 : f64] : complex<f64>
    %e = tensor.empty() : tensor<complex<f64>>
    %init = linalg.fill ins(%zero : complex<f64>)
        outs(%e : tensor<complex<f64>>) -> tensor<complex<f64>>
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
          affine_map<(i) -> ()>], iterator_types = ["reduction"]}
        ins(%z : tensor<7xcomplex<f64>>) outs(%init : tensor<complex<f64>>) {
    ^bb0(%a: complex<f64>, %acc: complex<f64>):
      %s = complex.add %a, %acc : complex<f64>
      linalg.yield %s : complex<f64>
    } -> tensor<complex<f64>>
    %f = tensor.empty() : tensor<3x2xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>,
          affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%i : tensor<3xi64>) outs(%f : tensor<3x2xf32>) {
    ^bb0(%a: i64, %out: f32):
      %row = arith.index_cast %a : i64 to index
      %column = linalg.index 1 : index
      %v = tensor.extract %t[%row, %column] : tensor<3x2xf32>
      linalg.yield %v : f32
    } -> tensor<3x2xf32>
    return %0, %1 : tensor<complex<f64>>, tensor<3x2xf32>)",
      {z, indices, table});
  ASSERT_EQ(outcome.results.size(), 2u) << outcome.error;
  std::complex<double> sum = 0;
  for (std::complex<double> element : z.complexes)
    sum += element;
  expectClose(outcome.results[0], Value::complex({}, {sum}));
  expectClose(outcome.results[1], Value::real({3, 2}, {5, 6, 1, 2, 3, 4}), 0);
}

// Would fail if B = 0 were no empty result.
TEST(Linalg, EmptyTensors) {
  Outcome outcome = runBody(
      "(%a: tensor<?x3xf32>, %b: tensor<3x4xf32>, %c: tensor<?x4xf32>) -> "
      "tensor<?x4xf32>",
      R"(%0 = linalg.matmul ins(%a, %b : tensor<?x3xf32>, tensor<3x4xf32>)
        outs(%c : tensor<?x4xf32>) -> tensor<?x4xf32>
    return %0 : tensor<?x4xf32>)",
      {Value::real({0, 3}, {}), randomReal({3, 4}, 1),
       Value::real({0, 4}, {})});
  EXPECT_EQ(outcome.only().shape, std::vector<int64_t>({0, 4}));
}
