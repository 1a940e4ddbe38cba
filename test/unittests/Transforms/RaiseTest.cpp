//===- RaiseTest.cpp - raising and decomposing keep every value -----------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"
#include "hyena/Dialect/Hyena/Transforms/Passes.h"
#include "hyena/Interpreter/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace mlir;
using Array = ::hyena::interp::Value;
using Results = llvm::SmallVector<Array>;

namespace {

class RaiseTest : public ::testing::Test {
protected:
  RaiseTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        mlir::hyena::HyenaDialect, linalg::LinalgDialect,
                        math::MathDialect, tensor::TensorDialect>();
  }

  /// The results of `f`, or nothing and a failure of the test.
  Results interpret(ModuleOp module, ArrayRef<Array> arguments) {
    auto results = ::hyena::interp::interpret(module, "f", arguments);
    EXPECT_TRUE(succeeded(results)) << print(module);
    return failed(results) ? Results() : Results(*results);
  }

  void expectValues(ModuleOp module, ArrayRef<Array> arguments,
                    const Results &expected, const std::string &what) {
    Results actual = interpret(module, arguments);
    ASSERT_EQ(actual.size(), expected.size()) << what;
    for (size_t i = 0; i < actual.size(); ++i) {
      auto difference = ::hyena::interp::compare(actual[i], expected[i]);
      // A sum that is zero is not zero where a transform has formed it.
      EXPECT_LE(std::min(difference.relativeL2, difference.maxAbs), 1e-10)
          << what << ", result " << i << "\n"
          << print(module);
    }
  }

  LogicalResult run(ModuleOp module, std::unique_ptr<Pass> pass) {
    PassManager passes(&context);
    passes.addPass(std::move(pass));
    passes.addPass(createCanonicalizerPass());
    return passes.run(module);
  }

  template <typename OpTy> static int64_t count(ModuleOp module) {
    int64_t found = 0;
    module.walk([&](OpTy) { ++found; });
    return found;
  }

  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream);
    return text;
  }

  MLIRContext context;
};

/// A tensor of random numbers.
Array randomValue(Random &random, std::vector<int64_t> shape) {
  std::vector<double> elements;
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  elements.reserve(size);
  for (int64_t i = 0; i < size; ++i)
    elements.push_back(random.number());
  return Array::real(std::move(shape), std::move(elements));
}

} // namespace

// Would fail if a decomposed convolution had other values, or if raising it did
// not give the convolution back.
TEST_F(RaiseTest, RandomGraphsKeepTheirValues) {
  constexpr uint64_t numGraphs = 500;
  int64_t convolutions = 0;
  for (uint64_t seed = 0; seed < numGraphs && !HasFailure(); ++seed) {
    RandomGraph graph = makeRandomGraph(seed);
    std::string what = "seed " + std::to_string(seed) + "\n" + graph.text;
    auto module = parseSourceString<ModuleOp>(graph.text, &context);
    ASSERT_TRUE(module) << what;
    Results expected = interpret(*module, graph.arguments);

    ASSERT_TRUE(succeeded(run(*module, mlir::hyena::createHyenaRaise())))
        << what;
    expectValues(*module, graph.arguments, expected, "raised, " + what);
    std::string raised = print(*module);
    int64_t before = count<mlir::hyena::FFTConvOp>(*module);

    ASSERT_TRUE(succeeded(run(*module, mlir::hyena::createHyenaDecompose())))
        << what;
    expectValues(*module, graph.arguments, expected, "decomposed, " + what);
    if (!graph.hasDynamicLength) {
      EXPECT_EQ(count<mlir::hyena::FFTConvOp>(*module), 0) << what;
    }

    ASSERT_TRUE(succeeded(run(*module, mlir::hyena::createHyenaRaise())))
        << what;
    expectValues(*module, graph.arguments, expected, "raised again, " + what);
    EXPECT_EQ(count<mlir::hyena::FFTConvOp>(*module), before)
        << what << raised << print(*module);
    EXPECT_EQ(count<mlir::hyena::IRFFTOp>(*module), 0) << what;
    convolutions += before;
  }
  EXPECT_GT(convolutions, static_cast<int64_t>(numGraphs) / 2);
}

// Would fail if a product of transforms were raised although it wraps around
// onto the result, or left although it does not.
TEST_F(RaiseTest, ProductsOfTransforms) {
  Random random(1);
  int64_t raised = 0, left = 0;
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    int64_t samples = 1 + random.below(9), taps = 1 + random.below(11);
    int64_t n = 1 + random.below(20), offset = random.below(n);
    if (random.chance(60))
      offset = 0;
    int64_t length = 1 + random.below(n - offset), points = n / 2 + 1;
    std::string text = llvm::formatv(
        R"(
func.func @f(%u: tensor<2x4x{0}xf64>, %h: tensor<2x{1}xf64>) -> tensor<2x4x{4}xf64> {{
  %0 = hyena.rfft %u {{n = {2} : i64} : (tensor<2x4x{0}xf64>) -> tensor<2x4x{5}xcomplex<f64>>
  %1 = hyena.rfft %h {{n = {2} : i64} : (tensor<2x{1}xf64>) -> tensor<2x{5}xcomplex<f64>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x{5}xcomplex<f64>>, tensor<2x{5}xcomplex<f64>>) -> tensor<2x4x{5}xcomplex<f64>>
  %3 = hyena.irfft %2 {{n = {2} : i64} : (tensor<2x4x{5}xcomplex<f64>>) -> tensor<2x4x{2}xf64>
  %4 = hyena.truncate %3 {{dim = 2 : i64, offset = {3} : i64, length = {4} : i64}
      : (tensor<2x4x{2}xf64>) -> tensor<2x4x{4}xf64>
  return %4 : tensor<2x4x{4}xf64>
})",
        samples, taps, n, offset, length, points);
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    std::vector<Array> arguments = {randomValue(random, {2, 4, samples}),
                                    randomValue(random, {2, taps})};
    Results expected = interpret(*module, arguments);
    ASSERT_TRUE(succeeded(run(*module, mlir::hyena::createHyenaRaise())))
        << text;
    expectValues(*module, arguments, expected, text);

    int64_t usedSamples = std::min(samples, n), usedTaps = std::min(taps, n);
    bool isLinear = offset + n >= usedSamples + usedTaps - 1;
    bool isCircular = n == samples && n < usedSamples + usedTaps - 1;
    // All that is computed for each sample, of which the cut is a part.
    bool isPart =
        offset + length <= usedSamples && n >= usedSamples + usedTaps - 1;
    bool expectRaised = isCircular || isPart || isLinear;
    EXPECT_EQ(count<mlir::hyena::IRFFTOp>(*module), expectRaised ? 0 : 1)
        << text << print(*module);
    ++(expectRaised ? raised : left);
  }
  EXPECT_GT(raised, 100);
  EXPECT_GT(left, 100);
}

// Would fail if a filter of both directions were taken for one although one of
// its halves is reached from the other side.
TEST_F(RaiseTest, TwoSidedProducts) {
  Random random(2);
  int64_t bidirectional = 0;
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    int64_t samples = 1 + random.below(8), taps = 1 + random.below(8);
    int64_t reverse = 1 + random.below(8);
    int64_t n = std::max(taps, reverse) + random.below(14);
    int64_t length = 1 + random.below(std::min(n, samples + 2));
    std::string text = llvm::formatv(
        R"(
func.func @f(%u: tensor<2x2x{0}xf64>, %h: tensor<2x{1}xf64>, %r: tensor<2x{2}xf64>)
    -> tensor<2x2x{4}xf64> {{
  %flip = hyena.flip %r {{dim = 1 : i64} : (tensor<2x{2}xf64>) -> tensor<2x{2}xf64>
  %back = hyena.pad %flip {{dim = 1 : i64, low = {6} : i64, high = 0 : i64}
      : (tensor<2x{2}xf64>) -> tensor<2x{3}xf64>
  %front = hyena.pad %h {{dim = 1 : i64, low = 0 : i64, high = {7} : i64}
      : (tensor<2x{1}xf64>) -> tensor<2x{3}xf64>
  %both = arith.addf %front, %back : tensor<2x{3}xf64>
  %0 = hyena.rfft %u {{n = {3} : i64} : (tensor<2x2x{0}xf64>) -> tensor<2x2x{5}xcomplex<f64>>
  %1 = hyena.rfft %both {{n = {3} : i64} : (tensor<2x{3}xf64>) -> tensor<2x{5}xcomplex<f64>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x2x{5}xcomplex<f64>>, tensor<2x{5}xcomplex<f64>>) -> tensor<2x2x{5}xcomplex<f64>>
  %3 = hyena.irfft %2 {{n = {3} : i64} : (tensor<2x2x{5}xcomplex<f64>>) -> tensor<2x2x{3}xf64>
  %4 = hyena.truncate %3 {{dim = 2 : i64, length = {4} : i64}
      : (tensor<2x2x{3}xf64>) -> tensor<2x2x{4}xf64>
  return %4 : tensor<2x2x{4}xf64>
})",
        samples, taps, reverse, n, length, n / 2 + 1, n - reverse, n - taps);
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    std::vector<Array> arguments = {randomValue(random, {2, 2, samples}),
                                    randomValue(random, {2, taps}),
                                    randomValue(random, {2, reverse})};
    Results expected = interpret(*module, arguments);
    ASSERT_TRUE(succeeded(run(*module, mlir::hyena::createHyenaRaise())))
        << text;
    expectValues(*module, arguments, expected, text);
    module->walk([&](mlir::hyena::FFTConvOp op) {
      bidirectional += op.getMode() == mlir::hyena::ConvMode::Bidirectional;
    });
  }
  EXPECT_GT(bidirectional, 50);
}
