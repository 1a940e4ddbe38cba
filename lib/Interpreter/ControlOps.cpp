//===- ControlOps.cpp - calls and structured control flow -----------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace hyena::interp {

using namespace mlir;
using mlir::failure;
using mlir::success;

static LogicalResult setAll(Evaluator &evaluator, ValueRange targets,
                            ArrayRef<ValueRef> values) {
  for (auto [target, value] : llvm::zip(targets, values))
    if (failed(evaluator.set(target, value)))
      return failure();
  return success();
}

static LogicalResult evaluateCall(Evaluator &evaluator, func::CallOp op) {
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      SymbolTable::lookupSymbolIn(evaluator.getModule(), op.getCalleeAttr()));
  if (!function)
    return op.emitOpError() << "calls '" << op.getCallee()
                            << "', which is no function of the module";
  SmallVector<ValueRef> args;
  for (mlir::Value operand : op.getOperands())
    args.push_back(evaluator.get(operand));
  FailureOr<SmallVector<ValueRef>> results = evaluator.call(function, args, op);
  if (failed(results))
    return failure();
  return setAll(evaluator, op.getResults(), *results);
}

static LogicalResult evaluateIf(Evaluator &evaluator, scf::IfOp op) {
  Region &region = evaluator.integer(op.getCondition()) ? op.getThenRegion()
                                                        : op.getElseRegion();
  if (region.empty())
    return success();
  FailureOr<SmallVector<ValueRef>> results =
      evaluator.evaluateBlock(region.front());
  if (failed(results))
    return failure();
  return setAll(evaluator, op.getResults(), *results);
}

static LogicalResult evaluateFor(Evaluator &evaluator, scf::ForOp op) {
  int64_t low = evaluator.integer(op.getLowerBound());
  int64_t high = evaluator.integer(op.getUpperBound());
  int64_t step = evaluator.integer(op.getStep());
  if (step <= 0)
    return op.emitOpError()
           << "has the step " << step << ", expected a positive one";
  SmallVector<ValueRef> carried;
  for (mlir::Value init : op.getInitArgs())
    carried.push_back(evaluator.get(init));
  for (int64_t i = low; i < high;) {
    if (failed(evaluator.set(op.getInductionVar(), Value::integer({}, {i}))) ||
        failed(setAll(evaluator, op.getRegionIterArgs(), carried)))
      return failure();
    FailureOr<SmallVector<ValueRef>> next =
        evaluator.evaluateBlock(*op.getBody());
    if (failed(next))
      return failure();
    carried = std::move(*next);
    if (llvm::AddOverflow(i, step, i))
      break;
  }
  return setAll(evaluator, op.getResults(), carried);
}

void addControlHandlers(HandlerTable &table) {
  table.add<func::CallOp>(evaluateCall);
  table.add<scf::IfOp>(evaluateIf);
  table.add<scf::ForOp>(evaluateFor);
}

} // namespace hyena::interp
