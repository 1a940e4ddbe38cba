//===- InterpreterTest.cpp - runs small pieces of IR ----------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

#include "hyena/Dialect/Hyena/IR/HyenaDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Parser/Parser.h"

#include <cmath>

namespace hyena::interp {

Session::Session(const std::string &text) {
  context.loadDialect<mlir::arith::ArithDialect, mlir::complex::ComplexDialect,
                      mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                      mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                      mlir::scf::SCFDialect, mlir::tensor::TensorDialect,
                      mlir::hyena::HyenaDialect>();
  context.getDiagEngine().registerHandler([this](mlir::Diagnostic &diag) {
    if (auto loc = mlir::dyn_cast<mlir::FileLineColLoc>(diag.getLocation()))
      error += std::to_string(loc.getLine()) + ":" +
               std::to_string(loc.getColumn()) + ": ";
    error += diag.str() + "\n";
  });
  module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
}

Value Outcome::only() const {

  EXPECT_EQ(results.size(), 1u) << error;
  return results.size() == 1 ? results[0] : Value();
}

Outcome run(const std::string &text, const std::vector<Value> &args,
            const Options &options, const std::string &entry) {
  Session session(text);
  Outcome outcome;
  if (session.module) {
    auto results = interpret(*session.module, entry, args, options);
    if (mlir::succeeded(results))
      outcome.results.assign(results->begin(), results->end());
    else
      EXPECT_NE(session.error, "") << text;
  } else {
    ADD_FAILURE() << session.error << text;
  }
  outcome.error = session.error;
  return outcome;
}

Outcome runBody(const std::string &signature, const std::string &body,
                const std::vector<Value> &args, const Options &options) {
  return run("func.func @f" + signature + " {\n" + body + "\n}\n", args,
             options);
}

static double randomNumber(unsigned seed, size_t index) {
  // A sine of large angles is random enough, and needs no state.
  double x = std::sin(12.9898 * (index + 1) + 78.233 * (seed + 1)) * 43758.5453;
  return 2 * (x - std::floor(x)) - 1;
}

Value randomReal(std::vector<int64_t> shape, unsigned seed) {
  Value value = Value::real(std::move(shape), {});
  value.reals.resize(value.numElements());
  for (size_t i = 0; i < value.reals.size(); ++i)
    value.reals[i] = randomNumber(seed, i);
  return value;
}

Value randomComplex(std::vector<int64_t> shape, unsigned seed) {
  Value value = Value::complex(std::move(shape), {});
  value.complexes.resize(value.numElements());
  for (size_t i = 0; i < value.complexes.size(); ++i)
    value.complexes[i] = {randomNumber(seed, 2 * i),
                          randomNumber(seed, 2 * i + 1)};
  return value;
}

Value scalar(double value) { return Value::real({}, {value}); }
Value scalar(int64_t value) { return Value::integer({}, {value}); }

double at(const Value &value, std::vector<int64_t> index, double outside) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0 || index[d] >= value.shape[d])
      return outside;
    offset = offset * value.shape[d] + index[d];
  }
  return value.reals[offset];
}

void expectClose(const Value &actual, const Value &expected, double tolerance) {
  ASSERT_EQ(actual.kind, expected.kind);
  ASSERT_EQ(actual.shape, expected.shape);
  EXPECT_LE(compare(actual, expected).maxAbs, tolerance);
}

std::vector<Value> randomArguments(mlir::FunctionOpInterface function,
                                   int64_t extent) {
  std::vector<Value> args;
  for (mlir::Type type : function.getArgumentTypes()) {
    std::vector<int64_t> shape;
    if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type))
      shape = tensor.getShape().vec();
    for (size_t d = 0; d < shape.size(); ++d)
      if (mlir::ShapedType::isDynamic(shape[d]))
        shape[d] = d == 0 ? 2 : extent;
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    unsigned seed = args.size();
    if (mlir::isa<mlir::ComplexType>(element)) {
      args.push_back(randomComplex(shape, seed));
      continue;
    }
    args.push_back(randomReal(shape, seed));
    if (element.isIntOrIndex()) {
      Value &value = args.back();
      value.kind = Kind::Integer;
      for (double number : value.reals)
        value.integers.push_back(element.isIndex() ? 2 : number > 0);
      value.reals.clear();
    }
  }
  return args;
}

std::vector<Value> randomArguments(const std::string &text) {
  Session session(text);
  if (session.module)
    return randomArguments(
        session.module->lookupSymbol<mlir::func::FuncOp>("f"));
  ADD_FAILURE() << session.error << text;
  return {};
}

Value make(std::vector<int64_t> shape,
           const std::function<double(const std::vector<int64_t> &)> &fn) {
  Value value = Value::real(std::move(shape), {});
  std::vector<int64_t> index(value.shape.size(), 0);
  for (int64_t i = 0, e = value.numElements(); i < e; ++i) {
    value.reals.push_back(fn(index));
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < value.shape[d])
        break;
      index[d] = 0;
    }
  }
  return value;
}

static std::string typeOf(const std::vector<int64_t> &shape) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + "f64>";
}

Outcome callOp(const std::string &name, const std::string &operands,
               const std::string &attributes, const std::vector<Value> &args,
               const std::vector<int64_t> &resultShape) {
  std::string signature, types;
  for (size_t i = 0; i < args.size(); ++i) {
    std::string separator = i ? ", " : "";
    signature +=
        separator + "%a" + std::to_string(i) + ": " + typeOf(args[i].shape);
    types += separator + typeOf(args[i].shape);
  }
  std::string result = typeOf(resultShape);
  return runBody("(" + signature + ") -> " + result,
                 "%r = hyena." + name + " " + operands + " {" + attributes +
                     "} : (" + types + ") -> " + result +
                     "\nreturn %r : " + result,
                 args);
}

} // namespace hyena::interp
