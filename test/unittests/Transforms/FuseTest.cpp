//===- FuseTest.cpp - fused graphs compute what graphs compute ------------===//
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

#include <gtest/gtest.h>

using namespace mlir;
using Results = llvm::SmallVector<::hyena::interp::Value>;

namespace {

class FuseTest : public ::testing::Test {
protected:
  FuseTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        mlir::hyena::HyenaDialect, linalg::LinalgDialect,
                        math::MathDialect, tensor::TensorDialect>();
  }

  /// The results of `f`, or nothing and a failure of the test.
  Results interpret(ModuleOp module, const RandomGraph &graph) {
    auto results = ::hyena::interp::interpret(module, "f", graph.arguments);
    EXPECT_TRUE(succeeded(results)) << graph.text;
    return failed(results) ? Results() : Results(*results);
  }

  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream);
    return text;
  }

  MLIRContext context;
};

} // namespace

// Would fail if fusion changed a value anywhere: at the ends of signals, in any
// layout, between convolutions, or by leaving out a dependence.
TEST_F(FuseTest, RandomGraphsKeepTheirValues) {
  constexpr uint64_t count = 2000;
  int64_t fused = 0;
  for (uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
    RandomGraph graph = makeRandomGraph(seed);
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(graph.text, &context);
    ASSERT_TRUE(module) << seed << "\n" << graph.text;
    Results expected = interpret(*module, graph);

    PassManager passes(&context);
    passes.addPass(mlir::hyena::createHyenaFuse());
    // Half of the graphs also go through what comes next.
    if (seed % 2) {
      passes.addPass(createCanonicalizerPass());
      passes.addPass(createCSEPass());
      if (!graph.hasDynamicLength && seed % 4 == 1)
        passes.addPass(mlir::hyena::createHyenaPlanConv());
      mlir::hyena::HyenaAssignLayoutOptions options;
      options.target = seed % 8 < 4 ? "cpu" : "gpu";
      passes.addPass(mlir::hyena::createHyenaAssignLayout(options));
    }
    ASSERT_TRUE(succeeded(passes.run(*module))) << seed << "\n" << graph.text;
    module->walk([&](Operation *op) {
      fused += isa<mlir::hyena::FusedConvOp>(op);
      EXPECT_FALSE(isa<mlir::hyena::FFTConvOp>(op)) << seed << graph.text;
    });
    Results actual = interpret(*module, graph);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      auto difference = ::hyena::interp::compare(actual[i], expected[i]);
      EXPECT_LE(difference.relativeL2, 1e-10)
          << "seed " << seed << ", result " << i << "\n"
          << graph.text << print(*module);
    }
  }
  EXPECT_GT(fused, static_cast<int64_t>(count));
}
