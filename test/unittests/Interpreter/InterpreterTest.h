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
#include "llvm/ADT/StringMap.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace hyena::interp {

using Reals = std::vector<double>;
using Integers = std::vector<int64_t>;
using Complexes = std::vector<std::complex<double>>;

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

/// As many random arguments as the function @f of `text` has, of its types.
std::vector<Value> randomArguments(const std::string &text);

} // namespace hyena::interp

#endif // HYENA_TEST_UNITTESTS_INTERPRETER_INTERPRETERTEST_H
