//===- TensorOps.cpp - tensors made of elements or of whole tensors -------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Indexing.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace hyena::interp {

using namespace mlir;
using mlir::failure;

/// The run-time shape of a result whose dynamic extents are operands.
static SmallVector<int64_t> shapeOf(Evaluator &evaluator, Type type,
                                    ValueRange dynamicExtents) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(type).getShape());
  int64_t used = 0;
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = evaluator.integer(dynamicExtents[used++]);
  return shape;
}

static LogicalResult evaluateEmpty(Evaluator &evaluator, tensor::EmptyOp op) {
  // NaN where nothing has been written shows who reads it.
  FailureOr<Value> result = evaluator.allocate(
      op, op.getType(), shapeOf(evaluator, op.getType(), op.getDynamicSizes()),
      /*unset=*/true);
  if (failed(result))
    return failure();
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateSplat(Evaluator &evaluator, tensor::SplatOp op) {
  FailureOr<Value> result = evaluator.allocate(
      op, op.getType(), shapeOf(evaluator, op.getType(), op.getDynamicSizes()));
  if (failed(result))
    return failure();
  ValueRef input = evaluator.get(op.getInput());
  for (int64_t i = 0, e = result->numElements(); i < e; ++i)
    copyElement(*input, 0, *result, i);
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateFromElements(Evaluator &evaluator,
                                          tensor::FromElementsOp op) {
  FailureOr<Value> result =
      evaluator.allocate(op, op.getType(), op.getType().getShape());
  if (failed(result))
    return failure();
  for (auto [i, element] : llvm::enumerate(op.getElements()))
    copyElement(*evaluator.get(element), 0, *result, i);
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateGenerate(Evaluator &evaluator,
                                      tensor::GenerateOp op) {
  FailureOr<Value> result = evaluator.allocate(
      op, op.getType(),
      shapeOf(evaluator, op.getType(), op.getDynamicExtents()));
  if (failed(result) || failed(generate(evaluator, op, op.getBody().front(),
                                        *result, [](auto) { return true; })))
    return failure();
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateDim(Evaluator &evaluator, tensor::DimOp op) {
  ValueRef source = evaluator.get(op.getSource());
  int64_t dim = evaluator.integer(op.getIndex());
  if (dim < 0 || dim >= source->rank())
    return op.emitOpError() << "asks for dimension " << dim
                            << ", expected 0 to " << source->rank() - 1;
  return evaluator.set(op.getResult(),
                       Value::integer({}, {source->shape[dim]}));
}

static LogicalResult evaluateRank(Evaluator &evaluator, tensor::RankOp op) {
  return evaluator.set(
      op.getResult(),
      Value::integer({}, {evaluator.get(op.getTensor())->rank()}));
}

static LogicalResult evaluateCast(Evaluator &evaluator, tensor::CastOp op) {
  return evaluator.set(op.getResult(), evaluator.get(op.getSource()));
}

/// The indices that operands give, or failure and an error if they lie outside.
static FailureOr<int64_t> offsetOf(Evaluator &evaluator, Operation *op,
                                   const Value &value, ValueRange indices) {
  int64_t offset = 0;
  for (auto [dim, operand] : llvm::enumerate(indices)) {
    int64_t index = evaluator.integer(operand), extent = value.shape[dim];
    if (index < 0 || index >= extent)
      return op->emitOpError()
             << "index " << index << " of dimension " << dim
             << " is out of bounds, expected 0 to " << extent - 1;
    offset = offset * extent + index;
  }
  return offset;
}

static LogicalResult evaluateExtract(Evaluator &evaluator,
                                     tensor::ExtractOp op) {
  ValueRef source = evaluator.get(op.getTensor());
  FailureOr<int64_t> offset = offsetOf(evaluator, op, *source, op.getIndices());
  if (failed(offset))
    return failure();
  FailureOr<Value> result = evaluator.allocate(op, op.getType(), {});
  if (failed(result))
    return failure();
  copyElement(*source, *offset, *result, 0);
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateInsert(Evaluator &evaluator, tensor::InsertOp op) {
  Value result = *evaluator.get(op.getDest());
  FailureOr<int64_t> offset = offsetOf(evaluator, op, result, op.getIndices());
  if (failed(offset))
    return failure();
  copyElement(*evaluator.get(op.getScalar()), 0, result, *offset);
  return evaluator.set(op.getResult(), std::move(result));
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// The elements of `source` in another shape.
static LogicalResult reshape(Evaluator &evaluator, Operation *op,
                             const Value &source, ArrayRef<int64_t> shape) {
  Value result = source;
  result.shape.assign(shape.begin(), shape.end());
  bool negative =
      llvm::any_of(shape, [](int64_t extent) { return extent < 0; });
  if (negative || result.numElements() != source.numElements())
    return op->emitOpError() << "gives the shape " << shapeText(shape) << " to "
                             << source.numElements() << " elements of shape "
                             << shapeText(source.shape);
  return evaluator.set(op->getResult(0), std::move(result));
}

static LogicalResult evaluateExpandShape(Evaluator &evaluator,
                                         tensor::ExpandShapeOp op) {
  return reshape(evaluator, op, *evaluator.get(op.getSrc()),
                 evaluator.integers(op.getMixedOutputShape()));
}

static LogicalResult evaluateCollapseShape(Evaluator &evaluator,
                                           tensor::CollapseShapeOp op) {
  ValueRef source = evaluator.get(op.getSrc());
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    shape.push_back(1);
    for (int64_t dim : group)
      shape.back() *= source->shape[dim];
  }
  return reshape(evaluator, op, *source, shape);
}

static LogicalResult evaluateReshape(Evaluator &evaluator,
                                     tensor::ReshapeOp op) {
  return reshape(evaluator, op, *evaluator.get(op.getSource()),
                 evaluator.get(op.getShape())->integers);
}

void addTensorHandlers(HandlerTable &table) {
  table.add<tensor::EmptyOp>(evaluateEmpty);
  table.add<tensor::SplatOp>(evaluateSplat);
  table.add<tensor::FromElementsOp>(evaluateFromElements);
  table.add<tensor::GenerateOp>(evaluateGenerate);
  table.add<tensor::DimOp>(evaluateDim);
  table.add<tensor::RankOp>(evaluateRank);
  table.add<tensor::CastOp>(evaluateCast);
  table.add<tensor::ExtractOp>(evaluateExtract);
  table.add<tensor::InsertOp>(evaluateInsert);
  table.add<tensor::ExpandShapeOp>(evaluateExpandShape);
  table.add<tensor::CollapseShapeOp>(evaluateCollapseShape);
  table.add<tensor::ReshapeOp>(evaluateReshape);
}

} // namespace hyena::interp
