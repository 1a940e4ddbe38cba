//===- Compile.cpp - From a source to machine code ------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target.h"

#include "hyena/Dialect/Exec/IR/Exec.h"
#include "hyena/Dialect/Exec/Transforms/Passes.h"
#include "hyena/Execution/Program.h"
#include "hyena/Pipelines/Pipelines.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::hyena;

/// Names of the functions that `hyena-hoist-params` makes of one entry.
static constexpr llvm::StringLiteral kPrepareName = "prepare";
static constexpr llvm::StringLiteral kForwardName = "forward";
/// Prefix of a function that takes all its arguments as an array of pointers.
static constexpr llvm::StringLiteral kPackedPrefix = "_mlir_";

std::optional<Stage> mlir::hyena::parseStage(StringRef name) {
  if (name == "graph")
    return Stage::Graph;
  if (name == "fused")
    return Stage::Fused;
  if (name == "exec")
    return Stage::Exec;
  if (name == "llvm")
    return Stage::LLVM;
  return std::nullopt;
}

/// Runs one pipeline over a module.
template <typename BuildFn>
static LogicalResult runPipeline(ModuleOp module, BuildFn build) {
  PassManager passes(module.getContext());
  build(passes);
  return passes.run(module);
}

/// Runs all pipelines up to a stage.
static LogicalResult lowerTo(ModuleOp module, Stage stage) {
  CPUPipelineOptions options;
  setHostOptions(options);
  if (stage >= Stage::Fused && failed(runPipeline(module, [&](auto &passes) {
        buildFusePipeline(passes, options);
      })))
    return failure();
  if (stage >= Stage::Exec && failed(runPipeline(module, [&](auto &passes) {
        buildExecPipeline(passes, options);
      })))
    return failure();
  if (stage >= Stage::LLVM && failed(runPipeline(module, [&](auto &passes) {
        buildLLVMPipeline(passes);
      })))
    return failure();
  return success();
}

LogicalResult mlir::hyena::printStage(Source &source, Stage stage,
                                      llvm::raw_ostream &os,
                                      std::string &error) {
  ErrorCollector errors(source.getContext());
  OwningOpRef<ModuleOp> module = source.getModule().clone();
  if (failed(lowerTo(*module, stage))) {
    error = errors.getText("the program cannot be lowered");
    return failure();
  }
  module->print(os);
  return success();
}

/// What a function launches, in the order of the text.
static std::vector<Program::Kernel> collectKernels(func::FuncOp function) {
  std::vector<Program::Kernel> kernels;
  int64_t products = 0;
  function.walk([&](Operation *op) {
    if (isa<exec::GemmOp>(op)) {
      kernels.push_back(
          {(function.getName() + "_gemm_" + Twine(products++)).str(), "gemm"});
    } else if (auto launch = dyn_cast<exec::LaunchOp>(op)) {
      kernels.push_back(
          {launch.getKernel().str(), launch.getKind().value_or("loop").str()});
    }
  });
  return kernels;
}

/// Keeps nothing of a module but what the program calls: everything else can
/// then be inlined.
static void internalize(llvm::Module &module, const llvm::StringSet<> &called) {
  SmallVector<llvm::Function *> unused;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || called.contains(function.getName()))
      continue;
    if (function.getName().starts_with(kPackedPrefix))
      unused.push_back(&function);
    else
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  for (llvm::Function *function : unused)
    if (function->use_empty())
      function->eraseFromParent();
}

bool Program::createEngine(std::string &error) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> target =
      createHostMachine();
  if (!target) {
    error = "no code can be generated for this processor: " +
            llvm::toString(target.takeError());
    return false;
  }
  llvm::StringSet<> called;
  for (StringRef name : {StringRef(kPrepareName), StringRef(kForwardName),
                         StringRef(source->getEntry().getName())})
    for (StringRef suffix : {StringRef(), StringRef(exec::kQuerySuffix)})
      called.insert((kPackedPrefix + name + suffix).str());
  auto optimize = makeOptimizingTransformer(3, 0, target->get());
  auto transform = [&](llvm::Module *module) {
    internalize(*module, called);
    return optimize(module);
  };
  ExecutionEngineOptions options;
  options.transformer = transform;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  llvm::Expected<std::unique_ptr<ExecutionEngine>> created =
      ExecutionEngine::create(source->getModule(), options, std::move(*target));
  if (!created) {
    error = "machine code could not be made: " +
            llvm::toString(created.takeError());
    return false;
  }
  engine = std::move(*created);
  engine->registerSymbols([](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
    auto add = [&](StringRef name, auto *function) {
      symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                 llvm::JITSymbolFlags::Exported |
                                     llvm::JITSymbolFlags::Callable};
    };
    add("hyenaParallelFor", &hyenaParallelFor);
    add("hyenaGemm", &hyenaGemm);
    return symbols;
  });
  return true;
}

bool Program::lookup(StringRef name, Function &function, std::string &error) {
  auto find = [&](const Twine &symbol, void (*&pointer)(void **)) {
    llvm::Expected<void (*)(void **)> found =
        engine->lookupPacked(symbol.str());
    if (!found) {
      error = "machine code could not be made: " +
              llvm::toString(found.takeError());
      return false;
    }
    pointer = *found;
    return true;
  };
  return find(name, function.run) &&
         find(name + exec::kQuerySuffix, function.query);
}

/// The types of a function's arguments and results before it is bufferized.
static void setTypes(func::FuncOp function,
                     SmallVectorImpl<RankedTensorType> &arguments,
                     SmallVectorImpl<RankedTensorType> &results) {
  for (Type type : function.getArgumentTypes())
    arguments.push_back(cast<RankedTensorType>(type));
  for (Type type : function.getResultTypes())
    results.push_back(cast<RankedTensorType>(type));
}

bool Program::build(const Options &options, std::string &error) {
  const char *message = nullptr;
  if (hyenaContextCreate("cpu", options.threads, &runtime, &message) !=
      HYENA_STATUS_OK) {
    error = message;
    return false;
  }
  ErrorCollector errors(source->getContext());
  ModuleOp module = source->getModule();
  auto fail = [&] {
    error = errors.getText("the program cannot be lowered");
    return false;
  };
  CPUPipelineOptions pipelineOptions;
  setHostOptions(pipelineOptions);
  const std::string entryName = source->getEntry().getName().str();
  if (failed(runPipeline(module, [&](auto &passes) {
        buildFusePipeline(passes, pipelineOptions);
      })))
    return fail();

  auto prepare = module.lookupSymbol<func::FuncOp>(kPrepareName);
  auto forward = module.lookupSymbol<func::FuncOp>(kForwardName);
  hasPrepare = prepare && forward && entryName != kPrepareName;
  std::string forwardName = hasPrepare ? kForwardName.str() : entryName;
  forward = module.lookupSymbol<func::FuncOp>(forwardName);
  if (!forward) {
    error = "the function @" + entryName + " has disappeared while compiling";
    return false;
  }
  setTypes(forward, forwardFunction.arguments, forwardFunction.results);
  if (hasPrepare)
    setTypes(prepare, prepareFunction.arguments, prepareFunction.results);
  if (failed(runPipeline(module, [&](auto &passes) {
        buildExecPipeline(passes, pipelineOptions);
      })))
    return fail();
  kernels = collectKernels(module.lookupSymbol<func::FuncOp>(forwardName));
  if (failed(runPipeline(module,
                         [&](auto &passes) { buildLLVMPipeline(passes); })))
    return fail();
  if (!createEngine(error))
    return false;
  return (!hasPrepare || lookup(kPrepareName, prepareFunction, error)) &&
         lookup(forwardName, forwardFunction, error);
}

std::unique_ptr<Program> Program::compile(std::unique_ptr<Source> source,
                                          const Options &options,
                                          std::string &error) {
  std::unique_ptr<Program> program(new Program);
  program->source = std::move(source);
  if (!program->build(options, error))
    return nullptr;
  return program;
}

Program::~Program() {
  for (auto [memory, bytes] : freeWorkspaces)
    hyenaFree(runtime, memory);
  hyenaContextDestroy(runtime);
}

ArrayRef<ValueInfo> Program::getArguments() const {
  return source->getArguments();
}

ArrayRef<ValueInfo> Program::getResults() const { return source->getResults(); }
