//===- Evaluator.h - evaluates operations -----------------------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_INTERPRETER_EVALUATOR_H
#define HYENA_LIB_INTERPRETER_EVALUATOR_H

#include "ScalarProgram.h"
#include "hyena/Interpreter/Interpreter.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

namespace hyena::interp {

class Evaluator;

/// Evaluates one operation: reads its operands from the evaluator and sets its
/// results. Emits an error at the operation on failure.
using Handler =
    std::function<mlir::LogicalResult(Evaluator &, mlir::Operation *)>;

/// Handlers by the name of the operation.
class HandlerTable {
public:
  /// Adds `fn(Evaluator &, OpTy)`.
  template <typename OpTy, typename Fn> void add(Fn fn) {
    handlers[OpTy::getOperationName()] = [fn](Evaluator &evaluator,
                                              mlir::Operation *op) {
      return fn(evaluator, llvm::cast<OpTy>(op));
    };
  }
  const Handler *find(mlir::Operation *op) const;

private:
  llvm::StringMap<Handler> handlers;
};

void addTensorHandlers(HandlerTable &table);
void addSliceHandlers(HandlerTable &table);
void addControlHandlers(HandlerTable &table);
void addLayerHandlers(HandlerTable &table);
void addConvolutionHandlers(HandlerTable &table);
void addTransformHandlers(HandlerTable &table);
void addFusedHandlers(HandlerTable &table);

/// linalg operations on tensors.
mlir::LogicalResult evaluateLinalg(Evaluator &evaluator, mlir::Operation *op);

/// An operation with a kernel, on scalars or elementwise on tensors.
mlir::LogicalResult evaluateElementwise(Evaluator &evaluator,
                                        mlir::Operation *op);

/// The times out of `length` at which a long convolution is evaluated if
/// `samples` of them are enough: all where there are no more than that.
std::vector<int64_t> sampleTimes(int64_t length, int64_t samples);

/// What Options::timeSamples means for one function.
class SamplingPlan {
public:
  SamplingPlan() = default;
  /// Decides which convolutions of `function` may be sampled.
  explicit SamplingPlan(mlir::FunctionOpInterface function);

  bool isSampled(mlir::Operation *op) const { return sampled.contains(op); }
  /// The dimension of `value` that is time, if it depends on a convolution that
  /// may be sampled, else -1.
  int64_t timeDim(mlir::Value value) const;

private:
  llvm::SmallPtrSet<mlir::Operation *, 4> sampled;
  llvm::DenseMap<mlir::Value, int64_t> timeDims;
};

class Evaluator {
public:
  Evaluator(mlir::ModuleOp module, const Options &options)
      : module(module), options(options) {}

  /// Calls the function `entry` from outside.
  mlir::FailureOr<llvm::SmallVector<Value>>
  evaluateEntry(llvm::StringRef entry, llvm::ArrayRef<Value> args);

  /// Calls a function; `caller` is where errors about arguments are emitted.
  mlir::FailureOr<llvm::SmallVector<ValueRef>>
  call(mlir::FunctionOpInterface function, llvm::ArrayRef<ValueRef> args,
       mlir::Operation *caller);

  /// Evaluates a block whose arguments are set, and returns the values of its
  /// terminator's operands.
  mlir::FailureOr<llvm::SmallVector<ValueRef>>
  evaluateBlock(mlir::Block &block);

  /// The value of `value`, which must be set.
  ValueRef get(mlir::Value value) const { return environment->lookup(value); }
  /// As above, or null.
  ValueRef find(mlir::Value value) const { return environment->lookup(value); }
  /// Sets a value. Fails, with an error at its operation, if the extents are
  /// not those of its type.
  mlir::LogicalResult set(mlir::Value value, ValueRef data);
  mlir::LogicalResult set(mlir::Value value, Value data) {
    return set(value, std::make_shared<Value>(std::move(data)));
  }

  /// The integer in a scalar.
  int64_t integer(mlir::Value value) const { return get(value)->integers[0]; }
  /// A list of static or dynamic indices.
  llvm::SmallVector<int64_t>
  integers(llvm::ArrayRef<mlir::OpFoldResult> values) const;

  /// A tensor for the elements of `type` with zeros in it, or NaN if `type` is
  /// a float type and `unset` is true. Emits an error at `op` if it would be
  /// too large.
  mlir::FailureOr<Value> allocate(mlir::Operation *op, mlir::Type type,
                                  llvm::ArrayRef<int64_t> shape,
                                  bool unset = false) const;

  unsigned threads() const { return options.threads; }
  int64_t timeSamples() const { return options.timeSamples; }
  const SamplingPlan &sampling() const { return plan; }
  mlir::ModuleOp getModule() const { return module; }

private:
  using Environment = llvm::DenseMap<mlir::Value, ValueRef>;

  /// Emits an error at `op` if no tensor may have this shape.
  mlir::LogicalResult checkSize(mlir::Operation *op,
                                llvm::ArrayRef<int64_t> shape) const;
  /// Sets the results of an operation of the function.
  mlir::LogicalResult evaluate(mlir::Operation *op);
  /// As above; throws std::bad_alloc where memory runs out.
  mlir::LogicalResult evaluateKnown(mlir::Operation *op);
  mlir::LogicalResult evaluateConstant(mlir::Operation *op,
                                       mlir::Attribute constant);

  mlir::ModuleOp module;
  Options options;
  Environment *environment = nullptr;
  SamplingPlan plan;
  int64_t depth = 0;
};

/// `[2, 3]`, for messages.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

} // namespace hyena::interp

#endif // HYENA_LIB_INTERPRETER_EVALUATOR_H
