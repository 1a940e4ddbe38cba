//===- PassesTest.cpp - passes must not change what is computed -----------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprets every function of the lit tests of the passes before and after
// each of them, for random arguments.
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

#include "hyena/Dialect/Hyena/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

using namespace hyena::interp;
using mlir::func::FuncOp;
namespace dialect = mlir::hyena;

namespace {

using Pipeline = std::function<void(mlir::OpPassManager &)>;

/// The programs of a file, which lines of dashes separate.
std::vector<std::string> readPrograms(const std::filesystem::path &path) {
  std::ifstream stream(path);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::vector<std::string> programs;
  for (size_t begin = 0; begin != std::string::npos;) {
    size_t end = text.find("\n// -----", begin);
    programs.push_back(text.substr(begin, end - begin));
    begin = end == std::string::npos ? end : text.find('\n', end + 1);
  }
  return programs;
}

/// Calls `fn` with the type of every tensor of `function`.
void forEachTensor(FuncOp function,
                   llvm::function_ref<void(mlir::RankedTensorType)> fn) {
  auto visit = [&](mlir::TypeRange types) {
    for (mlir::Type type : types)
      if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type))
        fn(tensor);
  };
  visit(function.getArgumentTypes());
  function.walk([&](mlir::Operation *op) { visit(op->getResultTypes()); });
}

/// Whether `function` has a dynamic extent that is no batch: such convolutions
/// cannot be planned.
bool hasDynamicLength(FuncOp function) {
  bool found = false;
  forEachTensor(function, [&](mlir::RankedTensorType type) {
    unsigned batches = type.getRank() > 0 && type.isDynamicDim(0) ? 1 : 0;
    found |= type.getNumDynamicDims() > batches;
  });
  return found;
}

/// Whether direct sums over the tensors of `function` would take long.
bool isLarge(FuncOp function) {
  constexpr int64_t manyElements = 20000;
  bool found = false;
  forEachTensor(function, [&](mlir::RankedTensorType type) {
    found |= type.hasStaticShape() && type.getNumElements() > manyElements;
  });
  return found;
}

/// The results of `entry`, or an empty list with a failed expectation.
std::vector<Value> call(Session &session, mlir::ModuleOp module,
                        llvm::StringRef entry, const std::vector<Value> &args) {
  session.error.clear();
  auto results = interpret(module, entry, args);
  if (mlir::succeeded(results))
    return {results->begin(), results->end()};
  ADD_FAILURE() << session.error;
  return {};
}

void expectSame(const std::vector<Value> &actual,
                const std::vector<Value> &expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(actual[i].shape, expected[i].shape);
    EXPECT_LE(compare(actual[i], expected[i]).relativeL2, 1e-13);
    // Two NaN are no agreement.
    for (double element : expected[i].reals)
      ASSERT_TRUE(std::isfinite(element));
  }
}

/// Calls what `hyena-hoist-params` has made of the function `entry`: @prepare,
/// then @forward with its results.
std::vector<Value> callSplit(Session &session, mlir::ModuleOp module,
                             llvm::StringRef entry,
                             const std::vector<Value> &args) {
  FuncOp prepare, forward;
  for (auto function : module.getOps<FuncOp>()) {
    auto from = function->getAttrOfType<mlir::StringAttr>("hyena.entry");
    auto role = function->getAttrOfType<mlir::StringAttr>("hyena.role");
    if (from && role && from.getValue() == entry)
      (role.getValue() == "prepare" ? prepare : forward) = function;
  }
  if (!prepare || !forward)
    return call(session, module, entry, args);
  std::vector<Value> packed;
  auto argumentsOf = [&](FuncOp function) {
    std::vector<Value> result;
    auto sources =
        function->getAttrOfType<mlir::DenseI64ArrayAttr>("hyena.sources");
    for (int64_t source : sources.asArrayRef())
      result.push_back(source >= 0 ? args[source] : packed[-1 - source]);
    return result;
  };
  packed = call(session, module, prepare.getName(), argumentsOf(prepare));
  if (packed.size() != prepare.getNumResults())
    return {};
  return call(session, module, forward.getName(), argumentsOf(forward));
}

/// Checks `pipeline` on all functions of the lit tests.
void checkPipeline(const Pipeline &pipeline, bool plans, bool hoists) {
  int64_t functions = 0;
  std::filesystem::path folder(HYENA_LIT_TESTS);
  for (const auto &file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".mlir" ||
        file.path().filename().string().rfind("invalid", 0) == 0)
      continue;
    for (const std::string &program : readPrograms(file)) {
      SCOPED_TRACE(file.path().filename().string() + "\n" + program);
      Session session(program);
      ASSERT_TRUE(session.module) << session.error;
      if (plans)
        for (auto function :
             llvm::make_early_inc_range(session.module->getOps<FuncOp>()))
          if (hasDynamicLength(function))
            function.erase();
      if (hoists)
        for (auto function : session.module->getOps<FuncOp>())
          for (unsigned i = 1; i < function.getNumArguments(); ++i)
            function.setArgAttr(i, dialect::kParamAttrName,
                                mlir::UnitAttr::get(&session.context));
      mlir::OwningOpRef<mlir::ModuleOp> transformed = session.module->clone();
      mlir::PassManager passes(&session.context);
      pipeline(passes);
      if (mlir::failed(passes.run(*transformed))) {
        // Some programs are there to be refused.
        EXPECT_NE(file.path().filename().string().find("refused"),
                  std::string::npos)
            << session.error;
        continue;
      }
      for (auto function : session.module->getOps<FuncOp>()) {
        // Functions without a body may do anything.
        bool opaque = false;
        function.walk([&](mlir::func::CallOp call) {
          auto callee = session.module->lookupSymbol<FuncOp>(call.getCallee());
          opaque |= !callee || callee.isExternal();
        });
        if (function.isExternal() || opaque || isLarge(function) ||
            !function.getBody().hasOneBlock())
          continue;
        std::vector<Value> args = randomArguments(function, /*extent=*/64);
        // A program that has no result, as its extents do not fit at run time,
        // has nothing to keep.
        auto expected = interpret(*session.module, function.getName(), args);
        if (mlir::failed(expected))
          continue;
        std::vector<Value> actual =
            hoists ? callSplit(session, *transformed, function.getName(), args)
                   : call(session, *transformed, function.getName(), args);
        expectSame(actual, {expected->begin(), expected->end()});
        ++functions;
      }
    }
  }
  EXPECT_GT(functions, 90);
}

} // namespace

// Each of these would fail if a pass changed what a function computes.

TEST(Passes, Raise) {
  checkPipeline(
      [](auto &passes) { passes.addPass(dialect::createHyenaRaise()); }, false,
      false);
}

TEST(Passes, Decompose) {
  checkPipeline(
      [](auto &passes) { passes.addPass(dialect::createHyenaDecompose()); },
      false, false);
}

TEST(Passes, Fuse) {
  checkPipeline(
      [](auto &passes) { passes.addPass(dialect::createHyenaFuse()); }, false,
      false);
}

TEST(Passes, Isolate) {
  checkPipeline(
      [](auto &passes) { passes.addPass(dialect::createHyenaIsolate()); },
      false, false);
}

TEST(Passes, PlanAndLayout) {
  checkPipeline(
      [](auto &passes) {
        passes.addPass(dialect::createHyenaRaise());
        passes.addPass(dialect::createHyenaFuse());
        passes.addPass(dialect::createHyenaPlanConv());
        passes.addPass(dialect::createHyenaAssignLayout());
        passes.addPass(mlir::createCanonicalizerPass());
      },
      true, false);
}

TEST(Passes, HoistParams) {
  checkPipeline(
      [](auto &passes) {
        passes.addPass(dialect::createHyenaFuse());
        passes.addPass(dialect::createHyenaPlanConv());
        passes.addPass(dialect::createHyenaAssignLayout());
        passes.addPass(dialect::createHyenaHoistParams());
        passes.addPass(mlir::createCanonicalizerPass());
      },
      true, true);
}
