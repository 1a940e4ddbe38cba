//===- Source.cpp - A module of text and the function to run --------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Execution/Source.h"

#include "hyena/Dialect/Hyena/IR/HyenaDialect.h"
#include "hyena/InitAll.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::hyena;

//===----------------------------------------------------------------------===//
// ErrorCollector
//===----------------------------------------------------------------------===//

/// `file:line:column`, or what the location prints as.
static void printLocation(llvm::raw_ostream &os, Location loc) {
  if (auto fileLoc = loc->findInstanceOf<FileLineColLoc>())
    os << fileLoc.getFilename().getValue() << ':' << fileLoc.getLine() << ':'
       << fileLoc.getColumn();
  else
    os << loc;
}

ErrorCollector::ErrorCollector(MLIRContext &context) : context(context) {
  handler =
      context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return success();
        if (!text.empty())
          return success();
        llvm::raw_string_ostream os(text);
        printLocation(os, diagnostic.getLocation());
        os << ": error: " << diagnostic;
        for (Diagnostic &note : diagnostic.getNotes()) {
          // An operation printed in full says less than its name and place.
          std::string noteText = note.str();
          if (StringRef(noteText).starts_with("see current operation"))
            continue;
          os << "\n  ";
          printLocation(os, note.getLocation());
          os << ": note: " << noteText;
        }
        return success();
      });
}

ErrorCollector::~ErrorCollector() {
  context.getDiagEngine().eraseHandler(handler);
}

std::string ErrorCollector::getText(StringRef fallback) const {
  return text.empty() ? fallback.str() : text;
}

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

Source::Source() {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  hyena::registerAllDialects(registry);
  // One thread: compilations are short, and a process that forks or has many
  // of them keeps control of its threads.
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
}

/// Public functions with a body, for messages.
static std::string listFunctions(ModuleOp module) {
  std::string names;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && function.isPublic())
      names += (names.empty() ? "@" : ", @") + function.getName().str();
  return names.empty() ? "none" : names;
}

static func::FuncOp findEntry(ModuleOp module, StringRef name,
                              StringRef sourceName, std::string &error) {
  SmallVector<func::FuncOp> candidates;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() &&
        (name.empty() ? function.isPublic() : function.getName() == name))
      candidates.push_back(function);
  if (candidates.size() == 1)
    return candidates.front();
  error = (sourceName + ": error: " +
           (name.empty() ? Twine("the entry must be named, unless there is one "
                                 "function alone")
                         : Twine("there is no function @") + name) +
           "; the functions are: " + listFunctions(module))
              .str();
  return {};
}

/// Erases all functions that the entry does not reach, and hides those that it
/// calls or launches.
static void keepReachable(ModuleOp module, func::FuncOp entry) {
  DenseSet<Operation *> reached = {entry};
  SmallVector<Operation *> worklist = {entry};
  while (!worklist.empty()) {
    auto uses = SymbolTable::getSymbolUses(worklist.pop_back_val());
    if (!uses)
      return; // An unknown operation may refer to anything.
    for (SymbolTable::SymbolUse use : *uses) {
      Operation *used =
          module.lookupSymbol(use.getSymbolRef().getRootReference());
      if (used && reached.insert(used).second)
        worklist.push_back(used);
    }
  }
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions) {
    if (!reached.contains(function))
      function.erase();
    else if (function != entry)
      function.setPrivate();
  }
  entry.setPublic();
}

/// The names of a function's arguments as the text spells them.
static std::vector<std::string> getArgumentNames(func::FuncOp function,
                                                 const AsmParserState &state) {
  std::vector<std::string> names;
  const auto *block = state.getBlockDef(&function.getBody().front());
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    std::string name = "arg" + std::to_string(i);
    if (block && i < block->arguments.size()) {
      const llvm::SMRange range = block->arguments[i].loc;
      StringRef text(range.Start.getPointer(),
                     range.End.getPointer() - range.Start.getPointer());
      if (text.consume_front("%") && !text.empty())
        name = text.str();
    }
    names.push_back(name);
  }
  return names;
}

std::unique_ptr<Source> Source::parse(StringRef text, StringRef name,
                                      StringRef entryName, std::string &error) {
  std::unique_ptr<Source> source(new Source);
  MLIRContext &context = source->getContext();
  ErrorCollector errors(context);
  llvm::SourceMgr sourceManager;
  sourceManager.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, name), llvm::SMLoc());
  source->module = ModuleOp::create(FileLineColLoc::get(&context, name, 1, 1));
  AsmParserState state;
  Block *body = source->module->getBody();
  ParserConfig config(&context);
  if (failed(parseAsmSourceFile(sourceManager, body, config, &state))) {
    error = errors.getText((name + ": error: the text is no MLIR").str());
    return nullptr;
  }
  // The text may spell out the module itself.
  if (llvm::hasSingleElement(*body))
    if (auto inner = dyn_cast<ModuleOp>(body->front())) {
      inner->remove();
      source->module = inner;
    }
  ModuleOp module = source->getModule();
  if (failed(verify(module))) {
    error = errors.getText((name + ": error: the module is invalid").str());
    return nullptr;
  }
  source->entry = findEntry(module, entryName, name, error);
  if (!source->entry)
    return nullptr;
  keepReachable(module, source->entry);

  auto addInfo = [&](std::vector<ValueInfo> &infos, std::string valueName,
                     Type type, bool isParam) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      source->entry.emitError()
          << "'" << valueName << "' of @" << source->entry.getName()
          << " has the type " << type
          << "; arguments and results of an entry must be ranked tensors";
    infos.push_back({std::move(valueName), tensor, isParam});
    return tensor != nullptr;
  };
  bool fine = true;
  std::vector<std::string> names = getArgumentNames(source->entry, state);
  for (auto [i, type] : llvm::enumerate(source->entry.getArgumentTypes()))
    fine &= addInfo(source->arguments, names[i], type,
                    source->entry.getArgAttr(i, kParamAttrName) != nullptr);
  for (auto [i, type] : llvm::enumerate(source->entry.getResultTypes()))
    fine &= addInfo(source->results, "result" + std::to_string(i), type, false);
  if (!fine) {
    error = errors.getText("");
    return nullptr;
  }
  return source;
}

std::unique_ptr<Source> Source::parseFile(StringRef path, StringRef entry,
                                          std::string &error) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer) {
    error = (path +
             ": error: the file cannot be read: " + buffer.getError().message())
                .str();
    return nullptr;
  }
  return parse((*buffer)->getBuffer(), path == "-" ? "<stdin>" : path, entry,
               error);
}
