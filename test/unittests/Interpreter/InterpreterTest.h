//===- InterpreterTest.h - runs small pieces of IR --------------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_TEST_UNITTESTS_INTERPRETER_INTERPRETERTEST_H
#define HYENA_TEST_UNITTESTS_INTERPRETER_INTERPRETERTEST_H

#include "hyena/Interpreter/Interpreter.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "gtest/gtest.h"

#include <functional>
#include <string>
#include <vector>

namespace hyena::interp {

using Reals = std::vector<double>;
using Integers = std::vector<int64_t>;
using Complexes = std::vector<std::complex<double>>;

/// A context with the dialects that the interpreter knows, and a module in it;
/// diagnostics go to `error` as `line:column: text`, on a line each.
class Session {
public:
  explicit Session(const std::string &text);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string error;
};

/// Results, or the diagnostics as `line:column: text` on a line each.
struct Outcome {
  std::vector<Value> results;
  std::string error;

  /// The result if it is the only one, else an empty value.
  Value only() const;
};

/// Parses `text` and calls `entry` in it.
Outcome run(const std::string &text, const std::vector<Value> &args = {},
            const Options &options = {}, const std::string &entry = "f");

/// As above, for the body of a function with these arguments and result types:
/// `(%x: f64) -> f64`, `%0 = ... return %0 : f64`.
Outcome runBody(const std::string &signature, const std::string &body,
                const std::vector<Value> &args = {},
                const Options &options = {});

/// Numbers between -1 and 1 that depend on `seed` and their index alone.
Value randomReal(std::vector<int64_t> shape, unsigned seed);
Value randomComplex(std::vector<int64_t> shape, unsigned seed);

Value scalar(double value);
Value scalar(int64_t value);

/// The element at `index`; `outside` where an index is out of bounds.
double at(const Value &value, std::vector<int64_t> index, double outside = 0);

/// Expects equal shapes and elements that differ by `tolerance` at most.
void expectClose(const Value &actual, const Value &expected,
                 double tolerance = 1e-13);

/// As many random arguments as `function` has, of its types; dynamic extents
/// are `extent`, but the first one, a batch, is 2.
std::vector<Value> randomArguments(mlir::FunctionOpInterface function,
                                   int64_t extent = 2);
/// As above, for the function @f of `text`.
std::vector<Value> randomArguments(const std::string &text);

/// The tensor of this shape whose elements are `fn(index)`.
Value make(std::vector<int64_t> shape,
           const std::function<double(const std::vector<int64_t> &)> &fn);

/// Runs the function @f of a module with random arguments.
struct Example {
  explicit Example(const std::string &text)
      : args(randomArguments(text)), outcome(run(text, args)) {}

  std::vector<Value> args;
  Outcome outcome;
};

/// Calls `%r = hyena.NAME OPERANDS {ATTRIBUTES}` for f64 tensors; `operands` is
/// all that stands before the attributes, with %a0, %a1, ... for the arguments.
Outcome callOp(const std::string &name, const std::string &operands,
               const std::string &attributes, const std::vector<Value> &args,
               const std::vector<int64_t> &resultShape);

} // namespace hyena::interp

#endif // HYENA_TEST_UNITTESTS_INTERPRETER_INTERPRETERTEST_H
