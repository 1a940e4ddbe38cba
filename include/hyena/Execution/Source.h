//===- Source.h - A module of text and the function to run ----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_EXECUTION_SOURCE_H
#define HYENA_EXECUTION_SOURCE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::hyena {

/// What a caller has to know of an argument or a result.
struct ValueInfo {
  /// The argument's name in the text, without `%`; for results `result0`, ...
  std::string name;
  RankedTensorType type;
  /// Whether the argument is a parameter of the model (`hyena.param`).
  bool isParam = false;
};

/// A parsed and verified module with one function chosen as the entry.
class Source {
public:
  /// Parses `text`, keeps the function `entry` and those that it calls, and
  /// nothing else. `name` stands for the file in messages. An empty entry means
  /// the module's only public function. On failure returns null and puts one
  /// message with a location into `error`.
  static std::unique_ptr<Source> parse(StringRef text, StringRef name,
                                       StringRef entry, std::string &error);

  /// The same for a file.
  static std::unique_ptr<Source> parseFile(StringRef path, StringRef entry,
                                           std::string &error);

  MLIRContext &getContext() { return *context; }
  ModuleOp getModule() { return *module; }
  func::FuncOp getEntry() { return entry; }
  ArrayRef<ValueInfo> getArguments() const { return arguments; }
  ArrayRef<ValueInfo> getResults() const { return results; }

private:
  Source();

  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp entry;
  std::vector<ValueInfo> arguments, results;
};

/// Keeps the first error of a context while it lives, as one text:
/// `file:line:column: error: message`, and its notes on lines of their own.
class ErrorCollector {
public:
  explicit ErrorCollector(MLIRContext &context);
  ~ErrorCollector();
  ErrorCollector(const ErrorCollector &) = delete;
  ErrorCollector &operator=(const ErrorCollector &) = delete;

  /// The first error, or `fallback` if there was none.
  std::string getText(StringRef fallback) const;

private:
  MLIRContext &context;
  DiagnosticEngine::HandlerID handler;
  std::string text;
};

} // namespace mlir::hyena

#endif // HYENA_EXECUTION_SOURCE_H
