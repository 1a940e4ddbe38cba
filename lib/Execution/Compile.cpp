//===- Compile.cpp - From a source to machine code ------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeClasses.h"
#include "Target.h"

#include "hyena/Dialect/Exec/IR/Exec.h"
#include "hyena/Dialect/Exec/Transforms/Passes.h"
#include "hyena/Execution/Program.h"
#include "hyena/Pipelines/Pipelines.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::hyena;

/// Attributes that `hyena-hoist-params` puts on the functions that it makes.
static constexpr llvm::StringLiteral kRoleAttr = "hyena.role";
static constexpr llvm::StringLiteral kSourcesAttr = "hyena.sources";
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
static LogicalResult lowerTo(ModuleOp module, Stage stage, bool fuse) {
  CPUPipelineOptions options;
  setHostOptions(options);
  options.fuse = fuse;
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

LogicalResult mlir::hyena::printStage(Source &source, Stage stage, bool fuse,
                                      llvm::raw_ostream &os,
                                      std::string &error) {
  ErrorCollector errors(source.getContext());
  OwningOpRef<ModuleOp> module = source.getModule().clone();
  if (failed(lowerTo(*module, stage, fuse))) {
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

bool Program::createEngine(ArrayRef<std::string> names, std::string &error) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> target =
      createHostMachine();
  if (!target) {
    error = "no code can be generated for this processor: " +
            llvm::toString(target.takeError());
    return false;
  }
  llvm::StringSet<> called;
  for (StringRef name : names)
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

/// Remembers what a function is called with, before it is bufferized.
void Program::describe(func::FuncOp operation, Function &function) const {
  for (Type type : operation.getResultTypes())
    function.results.push_back(cast<RankedTensorType>(type));
  if (auto sources = operation->getAttrOfType<DenseI64ArrayAttr>(kSourcesAttr))
    function.sources.assign(sources.asArrayRef().begin(),
                            sources.asArrayRef().end());
  else
    llvm::append_range(function.sources,
                       llvm::seq<int64_t>(0, operation.getNumArguments()));
}

/// The function that has this role, or null.
static func::FuncOp findRole(ModuleOp module, StringRef role) {
  for (auto function : module.getOps<func::FuncOp>())
    if (auto attr = function->getAttrOfType<StringAttr>(kRoleAttr))
      if (attr.getValue() == role)
        return function;
  return {};
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
  pipelineOptions.fuse = options.fuse;
  const std::string entryName = source->getEntry().getName().str();
  if (failed(runPipeline(
          module, [](auto &passes) { passes.addPass(createInlinerPass()); })))
    return fail();
  shapeClasses = findShapeClasses(source->getEntry());
  if (failed(runPipeline(module, [&](auto &passes) {
        buildFusePipeline(passes, pipelineOptions);
      })))
    return fail();

  func::FuncOp prepare = findRole(module, "prepare");
  func::FuncOp forward = findRole(module, "forward");
  if (!forward)
    forward = module.lookupSymbol<func::FuncOp>(entryName);
  SmallVector<std::string> names = {forward.getName().str()};
  describe(forward, forwardFunction);
  hasPrepare = prepare != nullptr;
  if (prepare) {
    names.push_back(prepare.getName().str());
    describe(prepare, prepareFunction);
  }
  if (failed(runPipeline(module, [&](auto &passes) {
        buildExecPipeline(passes, pipelineOptions);
      })))
    return fail();
  kernels = collectKernels(module.lookupSymbol<func::FuncOp>(names[0]));
  if (failed(runPipeline(module,
                         [&](auto &passes) { buildLLVMPipeline(passes); })))
    return fail();
  return createEngine(names, error) &&
         lookup(names[0], forwardFunction, error) &&
         (!hasPrepare || lookup(names[1], prepareFunction, error));
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

Program::Program() = default;

Program::~Program() {
  for (auto [memory, bytes] : freeWorkspaces)
    hyenaFree(runtime, memory);
  hyenaContextDestroy(runtime);
}

ArrayRef<ValueInfo> Program::getArguments() const {
  return source->getArguments();
}

ArrayRef<ValueInfo> Program::getResults() const { return source->getResults(); }
