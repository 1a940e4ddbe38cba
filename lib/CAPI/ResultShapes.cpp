//===- ResultShapes.cpp - Extents of results from extents of inputs -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResultShapes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace ::hyena::capi;

/// The value of an affine expression, symbols behind dimensions in \p values.
/// MLIR's own evaluation makes attributes in the context, which calls from
/// several threads share.
static int64_t evaluateAffine(AffineExpr expr, unsigned dims,
                              const std::vector<int64_t> &values) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return values[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return values[dims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t a = evaluateAffine(binary.getLHS(), dims, values);
  int64_t b = evaluateAffine(binary.getRHS(), dims, values);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return a + b;
  case AffineExprKind::Mul:
    return a * b;
  case AffineExprKind::FloorDiv:
    return b > 0 ? llvm::divideFloorSigned(a, b) : 0;
  case AffineExprKind::CeilDiv:
    return b > 0 ? llvm::divideCeilSigned(a, b) : 0;
  default:
    return b > 0 ? llvm::mod(a, b) : 0;
  }
}

bool ResultShapes::analyse(func::FuncOp function, std::string &message) {
  // Operations that tell the shape of a result build the expression for it, so
  // they work on a copy.
  OwningOpRef<func::FuncOp> copy(function.clone());
  if (!llvm::hasSingleElement(copy->getBody())) {
    message = "function '" + function.getName().str() + "' has several blocks";
    return false;
  }
  Operation *terminator = copy->getBody().front().getTerminator();
  OpBuilder builder(terminator);
  for (auto [index, value] : llvm::enumerate(terminator->getOperands())) {
    auto type = cast<RankedTensorType>(value.getType());
    std::vector<Extent> shape;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      shape.push_back(extentOf(value, dim, builder));
      if (!shape.back()) {
        message = "dimension " + std::to_string(dim) + " of result " +
                  std::to_string(index) + " of function '" +
                  function.getName().str() +
                  "' does not follow from the shapes of its arguments";
        return false;
      }
    }
    extents.push_back(std::move(shape));
  }
  return true;
}

std::vector<std::vector<int64_t>>
ResultShapes::get(const Shapes &shapes) const {
  std::vector<std::vector<int64_t>> results;
  for (const std::vector<Extent> &result : extents) {
    results.emplace_back();
    for (const Extent &extent : result)
      results.back().push_back(extent(shapes));
  }
  return results;
}

ResultShapes::Extent ResultShapes::extentOf(Value value, int64_t dim,
                                            OpBuilder &builder) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.isDynamicDim(dim)) {
    int64_t size = type.getDimSize(dim);
    return [size](const Shapes &) { return size; };
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned number = argument.getArgNumber();
    return [number, dim](const Shapes &shapes) { return shapes[number][dim]; };
  }
  Operation *op = value.getDefiningOp();
  if (OpTrait::hasElementwiseMappableTraits(op))
    return extentOf(op->getOperand(0), dim, builder);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return extentOf(cast.getSource(), dim, builder);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return evaluate(empty.getDynamicSize(dim), builder);
  if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
    return extentOf(style.getTiedOpOperand(cast<OpResult>(value))->get(), dim,
                    builder);
  FailureOr<OpFoldResult> size = reifyDimOfResult(
      builder, op, cast<OpResult>(value).getResultNumber(), dim);
  return failed(size) ? Extent() : evaluate(*size, builder);
}

ResultShapes::Extent ResultShapes::evaluate(OpFoldResult index,
                                            OpBuilder &builder) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return [value = *constant](const Shapes &) { return value; };
  return evaluate(cast<Value>(index), builder);
}

ResultShapes::Extent ResultShapes::evaluate(Value index, OpBuilder &builder) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return [value = *constant](const Shapes &) { return value; };
  Operation *op = index.getDefiningOp();
  if (!op)
    return {};
  if (auto size = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> dim = size.getConstantIndex();
    return dim ? extentOf(size.getSource(), *dim, builder) : Extent();
  }
  std::vector<Extent> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(evaluate(operand, builder));
    if (!operands.back())
      return {};
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    return [map, operands](const Shapes &shapes) {
      std::vector<int64_t> values;
      for (const Extent &operand : operands)
        values.push_back(operand(shapes));
      return evaluateAffine(map.getResult(0), map.getNumDims(), values);
    };
  }
  if (operands.size() != 2)
    return {};
  auto binary = [&](auto function) -> Extent {
    return [function, a = operands[0], b = operands[1]](const Shapes &shapes) {
      return function(a(shapes), b(shapes));
    };
  };
  if (isa<arith::AddIOp>(op))
    return binary([](int64_t a, int64_t b) { return a + b; });
  if (isa<arith::SubIOp>(op))
    return binary([](int64_t a, int64_t b) { return a - b; });
  if (isa<arith::MulIOp>(op))
    return binary([](int64_t a, int64_t b) { return a * b; });
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op))
    return binary([](int64_t a, int64_t b) { return b ? a / b : 0; });
  if (isa<arith::MaxSIOp>(op))
    return binary([](int64_t a, int64_t b) { return std::max(a, b); });
  if (isa<arith::MinSIOp>(op))
    return binary([](int64_t a, int64_t b) { return std::min(a, b); });
  return {};
}
