//===- KernelRunner.cpp - compiles and calls kernels in tests -------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"

#include <chrono>

using namespace mlir;
using namespace mlir::hyena;

static constexpr const char *pipeline =
    "canonicalize,cse,lower-affine,convert-scf-to-cf,"
    "convert-vector-to-llvm,finalize-memref-to-llvm,convert-math-to-llvm,"
    "convert-math-to-libm,convert-func-to-llvm,convert-arith-to-llvm,"
    "convert-index-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts";

KernelRunner::KernelRunner(const std::string &text,
                           const CPUKernelOptions &options) {
  static bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    registerConversionPasses();
    registerTransformsPasses();
    return true;
  }();
  (void)initialized;

  DialectRegistry registry;
  registry.insert<HyenaDialect, affine::AffineDialect, arith::ArithDialect,
                  func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect,
                  vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    error += diagnostic.str() + "\n";
    return success();
  });

  module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return;
  SmallVector<Operation *> planned;
  module->walk([&](Operation *op) {
    if (isa<PackFilterOp, FusedConvOp>(op))
      planned.push_back(op);
  });
  for (Operation *op : planned) {
    bool isPack = isa<PackFilterOp>(op);
    std::vector<CPUKernel> &kernels = isPack ? packs : convolutions;
    std::string name =
        (isPack ? "pack" : "conv") + std::to_string(kernels.size());
    FailureOr<CPUKernel> kernel =
        isPack ? emitPackFilterKernel(*module, cast<PackFilterOp>(op), name,
                                      options)
               : emitFusedConvKernel(*module, cast<FusedConvOp>(op), name,
                                     options);
    if (failed(kernel))
      return;
    kernels.push_back(*kernel);
  }
  for (func::FuncOp function :
       llvm::make_early_inc_range(module->getOps<func::FuncOp>())) {
    if (function.isPublic()) {
      function.erase();
      continue;
    }
    function.setPublic();
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      UnitAttr::get(&context));
  }
  llvm::raw_string_ostream(emitted) << *module;
  if (const char *path = getenv("HYENA_TEST_DUMP")) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << emitted;
  }
  if (failed(verify(*module)))
    return;

  PassManager manager(&context);
  if (failed(parsePassPipeline(pipeline, manager)) ||
      failed(manager.run(*module)))
    return;
  for (std::vector<CPUKernel> *kernels : {&packs, &convolutions})
    for (CPUKernel &kernel : *kernels)
      kernel.function = {};

  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder) {
    error += llvm::toString(builder.takeError());
    return;
  }
  auto machine = builder->createTargetMachine();
  if (!machine) {
    error += llvm::toString(machine.takeError());
    return;
  }
  ExecutionEngineOptions engineOptions;
  auto transformer = makeOptimizingTransformer(3, 0, machine->get());
  engineOptions.transformer = transformer;
  engineOptions.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  engineOptions.enableObjectDump = getenv("HYENA_TEST_OBJECT") != nullptr;
  auto created = ExecutionEngine::create(*module, engineOptions);
  if (!created) {
    error += llvm::toString(created.takeError());
    return;
  }
  engine = std::move(*created);
  engine->initialize();
}

/// The packed call of `_mlir_ciface_NAME`: every entry points to an argument.
static std::vector<void *> packArguments(int64_t *item, void **scratch,
                                         std::vector<void *> &arguments) {
  std::vector<void *> packed = {item, scratch};
  for (void *&argument : arguments)
    packed.push_back(&argument);
  return packed;
}

void KernelRunner::run(const std::string &name, const CPUKernel &kernel,
                       int64_t items, std::vector<void *> arguments) {
  Buffer<char> scratch({kernel.scratchBytes});
  for (int64_t item = 0; item < items; ++item) {
    // NaNs in every format.
    std::fill(scratch.begin(), scratch.end(), static_cast<char>(0xff));
    void *scratchArgument = scratch.argument();
    std::vector<void *> packed =
        packArguments(&item, &scratchArgument, arguments);
    if (llvm::Error failure =
            engine->invokePacked("_mlir_ciface_" + name, packed)) {
      error += llvm::toString(std::move(failure));
      return;
    }
  }
  if (!scratch.intact())
    error += name + " wrote outside its scratch\n";
}

double KernelRunner::time(const std::string &name, const CPUKernel &kernel,
                          int64_t items, std::vector<void *> arguments) {
  auto function = engine->lookupPacked("_mlir_ciface_" + name);
  if (!function) {
    error += llvm::toString(function.takeError());
    return 0;
  }
  Buffer<char> scratch({kernel.scratchBytes});
  double best = 1e9;
  for (int round = 0; round < 15; ++round) {
    auto start = std::chrono::steady_clock::now();
    for (int64_t item = 0; item < items; ++item) {
      void *scratchArgument = scratch.argument();
      std::vector<void *> packed =
          packArguments(&item, &scratchArgument, arguments);
      (*function)(packed.data());
    }
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, seconds.count());
  }
  return best;
}
