//===- SamplingTest.cpp - tests of sampled times --------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

using namespace hyena::interp;

namespace {

/// Compares an evaluation at 5 times with the full one. Result i must be known
/// at 5 times of dimension `dims[i]`, or everywhere if that is -1.
void checkSampling(const std::string &text, const std::vector<int64_t> &dims) {
  std::vector<Value> args = randomArguments(text);
  Outcome full = run(text, args);
  Options options;
  options.timeSamples = 5;
  Outcome sampled = run(text, args, options);
  ASSERT_EQ(full.results.size(), dims.size()) << full.error;
  ASSERT_EQ(sampled.results.size(), dims.size()) << sampled.error;
  for (size_t i = 0; i < dims.size(); ++i) {
    const Value &value = sampled.results[i];
    EXPECT_EQ(value.sampledDim, dims[i]) << "result " << i;
    ASSERT_EQ(value.shape, full.results[i].shape);
    Difference difference = compare(full.results[i], value);
    EXPECT_LE(difference.maxAbs, 1e-13) << "result " << i;
    if (dims[i] < 0) {
      EXPECT_EQ(difference.elements, value.numElements());
      continue;
    }
    EXPECT_EQ(value.sampledIndices, Integers({0, 7, 15, 23, 31}));
    EXPECT_EQ(difference.elements, value.numElements() / 32 * 5);
  }
}

} // namespace

// Would fail if time were lost, or followed into another dimension, on the way
// through layouts, gates, pointwise operations and reshapes.
TEST(Sampling, FollowsTime) {
  checkSampling(R"(
func.func @f(%u: tensor<2x6x32xf64>, %h: tensor<6x32xf64>,
             %w: tensor<4x6xf64>, %s: tensor<6xf64>)
    -> (tensor<2x32x4xf64>, tensor<2x3x2x32xf64>, tensor<2x32xf64>,
        tensor<2x6x32xf64>, tensor<2x4x32xf64>) {
  %y = hyena.fftconv %u, %h : (tensor<2x6x32xf64>, tensor<6x32xf64>)
      -> tensor<2x6x32xf64>
  %b = hyena.broadcast %s like %y {dims = array<i64: 1>}
      : (tensor<6xf64>, tensor<2x6x32xf64>) -> tensor<2x6x32xf64>
  %g = hyena.gate %y, %b, %u : (tensor<2x6x32xf64>, tensor<2x6x32xf64>,
      tensor<2x6x32xf64>) -> tensor<2x6x32xf64>
  %e = math.tanh %g : tensor<2x6x32xf64>
  %t = hyena.transpose %e : (tensor<2x6x32xf64>) -> tensor<2x32x6xf64>
  %0 = hyena.project %t, %w : (tensor<2x32x6xf64>, tensor<4x6xf64>)
      -> tensor<2x32x4xf64>
  %1 = tensor.expand_shape %e [[0], [1, 2], [3]] output_shape [2, 3, 2, 32]
      : tensor<2x6x32xf64> into tensor<2x3x2x32xf64>
  %z = arith.constant dense<0.0> : tensor<2x32xf64>
  %2 = linalg.reduce { arith.addf } ins(%e : tensor<2x6x32xf64>)
      outs(%z : tensor<2x32xf64>) dimensions = [1]
  %4 = hyena.project %t, %w {result_layout = #hyena.layout<channels_first>}
      : (tensor<2x32x6xf64>, tensor<4x6xf64>) -> tensor<2x4x32xf64>
  return %0, %1, %2, %b, %4 : tensor<2x32x4xf64>, tensor<2x3x2x32xf64>,
      tensor<2x32xf64>, tensor<2x6x32xf64>, tensor<2x4x32xf64>
})",
                {1, 3, 1, -1, 2});
}

// Would fail if a convolution whose result feeds another one were sampled.
TEST(Sampling, EvaluatesInnerConvolutions) {
  checkSampling(R"(
func.func @f(%u: tensor<2x32x3xf64>, %h: tensor<3x32xf64>)
    -> tensor<2x32x3xf64> {
  %0 = hyena.fftconv %u, %h {layout = #hyena.layout<channels_last>}
      : (tensor<2x32x3xf64>, tensor<3x32xf64>) -> tensor<2x32x3xf64>
  %1 = math.sin %0 : tensor<2x32x3xf64>
  %2 = hyena.fftconv %1, %h {layout = #hyena.layout<channels_last>}
      : (tensor<2x32x3xf64>, tensor<3x32xf64>) -> tensor<2x32x3xf64>
  %3 = hyena.gate %1, %2 : (tensor<2x32x3xf64>, tensor<2x32x3xf64>)
      -> tensor<2x32x3xf64>
  return %3 : tensor<2x32x3xf64>
})",
                {1});
}

// Would fail if something that mixes times saw unknown elements: a sum over
// time, a short convolution, a flip of time, a call.
TEST(Sampling, EvaluatesWhatMixesTimes) {
  checkSampling(R"(
func.func @f(%u: tensor<2x3x32xf64>, %h: tensor<3x32xf64>, %w: tensor<3x3xf64>)
    -> (tensor<2x3xf64>, tensor<2x3x32xf64>, tensor<2x3x32xf64>,
        tensor<2x3x32xf64>, tensor<2x3x32xf64>) {
  %y0 = hyena.fftconv %u, %h : (tensor<2x3x32xf64>, tensor<3x32xf64>)
      -> tensor<2x3x32xf64>
  %z = arith.constant dense<0.0> : tensor<2x3xf64>
  %0 = linalg.reduce { arith.addf } ins(%y0 : tensor<2x3x32xf64>)
      outs(%z : tensor<2x3xf64>) dimensions = [2]
  %y1 = hyena.fftconv %u, %h : (tensor<2x3x32xf64>, tensor<3x32xf64>)
      -> tensor<2x3x32xf64>
  %1 = hyena.shortconv %y1, %w : (tensor<2x3x32xf64>, tensor<3x3xf64>)
      -> tensor<2x3x32xf64>
  %y2 = hyena.fftconv %u, %h : (tensor<2x3x32xf64>, tensor<3x32xf64>)
      -> tensor<2x3x32xf64>
  %2 = hyena.flip %y2 {dim = 2 : i64} : (tensor<2x3x32xf64>)
      -> tensor<2x3x32xf64>
  %y3 = hyena.fftconv %u, %h : (tensor<2x3x32xf64>, tensor<3x32xf64>)
      -> tensor<2x3x32xf64>
  %3 = func.call @g(%y3) : (tensor<2x3x32xf64>) -> tensor<2x3x32xf64>
  %y4 = hyena.fftconv %u, %h : (tensor<2x3x32xf64>, tensor<3x32xf64>)
      -> tensor<2x3x32xf64>
  return %0, %1, %2, %3, %y4 : tensor<2x3xf64>, tensor<2x3x32xf64>,
      tensor<2x3x32xf64>, tensor<2x3x32xf64>, tensor<2x3x32xf64>
}
func.func private @g(%x: tensor<2x3x32xf64>) -> tensor<2x3x32xf64> {
  return %x : tensor<2x3x32xf64>
})",
                {-1, -1, -1, -1, 2});
}

// Would fail if a fused convolution were evaluated at other times, or if one
// that feeds another were not evaluated in full.
TEST(Sampling, FusedConvolutions) {
  std::string conv = R"( filter(%h : tensor<3x32xf64>)
      accesses [#hyena.access<0, (b, c, l) -> (b, l, c)>]
      results [affine_map<(b, c, l) -> (b, l, c)>,
               affine_map<(b, c, l) -> (b, c, l)>]
      prologue {
      ^bb0(%a: f64):
        hyena.yield %a : f64
      } epilogue {
      ^bb0(%y: f64, %u: f64, %a: f64):
        %s = arith.addf %y, %u : f64
        hyena.yield %s, %y : f64, f64
      } : tensor<2x32x3xf64>, tensor<2x3x32xf64>
)";
  checkSampling("func.func @f(%x: tensor<2x32x3xf64>, %h: tensor<3x32xf64>) -> "
                "(tensor<2x3x32xf64>, tensor<2x32x3xf64>, tensor<2x3x32xf64>) "
                "{\n%0, %1 = hyena.fused_conv ins(%x : tensor<2x32x3xf64>)" +
                    conv +
                    "%2, %3 = hyena.fused_conv ins(%0 : tensor<2x32x3xf64>)" +
                    conv +
                    "return %1, %2, %3 : tensor<2x3x32xf64>, "
                    "tensor<2x32x3xf64>, tensor<2x3x32xf64>\n}\n",
                {-1, 1, 2});
}

// Would fail if one tensor with time in two dimensions at once were taken for
// a sampled one.
TEST(Sampling, ConflictingDimensions) {
  checkSampling(R"(
func.func @f(%u: tensor<1x32x32xf64>, %h: tensor<32x32xf64>)
    -> tensor<1x32x32xf64> {
  %0 = hyena.fftconv %u, %h : (tensor<1x32x32xf64>, tensor<32x32xf64>)
      -> tensor<1x32x32xf64>
  %1 = hyena.transpose %0 : (tensor<1x32x32xf64>) -> tensor<1x32x32xf64>
  %2 = arith.addf %0, %1 : tensor<1x32x32xf64>
  return %2 : tensor<1x32x32xf64>
})",
                {-1});
}
