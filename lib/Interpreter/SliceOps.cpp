//===- SliceOps.cpp - parts of tensors ------------------------------------===//
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

LogicalResult generate(Evaluator &evaluator, Operation *op, Block &block,
                       Value &result,
                       function_ref<bool(ArrayRef<int64_t>)> wanted) {
  FailureOr<ScalarProgram> program = ScalarProgram::compile(
      block, [&](mlir::Value value) { return evaluator.find(value); });
  if (failed(program))
    return failure();
  Registers registers(*program);
  forEachIndex(result.shape, [&](ArrayRef<int64_t> index, int64_t offset) {
    if (registers.failedOp() || !wanted(index))
      return;
    for (auto [i, position] : llvm::enumerate(index))
      registers[program->input(i)].integers[0] = position;
    registers.run(1);
    store(registers[program->getOutputs()[0]], result, offset, 1, 1);
  });
  ErrorCollector errors;
  errors.collect(registers);
  return errors.report();
}

/// Offsets, sizes and strides of a slice of a tensor.
struct Slice {
  SmallVector<int64_t> offsets, sizes, strides;

  /// Reads them from `op` and checks that they lie within `shape`.
  template <typename OpTy>
  static FailureOr<Slice> get(Evaluator &evaluator, OpTy op,
                              ArrayRef<int64_t> shape) {
    Slice slice = {evaluator.integers(op.getMixedOffsets()),
                   evaluator.integers(op.getMixedSizes()),
                   evaluator.integers(op.getMixedStrides())};
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      int64_t offset = slice.offsets[dim], size = slice.sizes[dim];
      int64_t last = offset + (size - 1) * slice.strides[dim];
      if (size < 0 || (size > 0 && (std::min(offset, last) < 0 ||
                                    std::max(offset, last) >= extent)))
        return op.emitOpError() << "takes " << size << " elements from "
                                << offset << " to " << last << " of dimension "
                                << dim << ", expected 0 to " << extent - 1;
    }
    return slice;
  }

  /// The offset of an element of the slice in a tensor of this shape.
  int64_t locate(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) const {
    int64_t result = 0;
    for (auto [dim, extent] : llvm::enumerate(shape))
      result = result * extent + offsets[dim] + index[dim] * strides[dim];
    return result;
  }
};

static LogicalResult evaluateExtractSlice(Evaluator &evaluator,
                                          tensor::ExtractSliceOp op) {
  ValueRef source = evaluator.get(op.getSource());
  FailureOr<Slice> slice = Slice::get(evaluator, op, source->shape);
  if (failed(slice))
    return failure();
  FailureOr<Value> result = evaluator.allocate(op, op.getType(), slice->sizes);
  if (failed(result))
    return failure();
  gather(*source, *result, [&](ArrayRef<int64_t> index) {
    return slice->locate(index, source->shape);
  });
  // Dimensions of extent 1 may be dropped.
  llvm::SmallBitVector dropped = op.getDroppedDims();
  result->shape.clear();
  for (auto [dim, size] : llvm::enumerate(slice->sizes))
    if (!dropped.test(dim))
      result->shape.push_back(size);
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateInsertSlice(Evaluator &evaluator,
                                         tensor::InsertSliceOp op) {
  Value result = *evaluator.get(op.getDest());
  ValueRef source = evaluator.get(op.getSource());
  FailureOr<Slice> slice = Slice::get(evaluator, op, result.shape);
  if (failed(slice))
    return failure();
  int64_t count = 1;
  for (int64_t size : slice->sizes)
    count *= size;
  if (count != source->numElements())
    return op.emitOpError()
           << "inserts a tensor of shape " << shapeText(source->shape)
           << ", expected " << shapeText(slice->sizes);
  forEachIndex(slice->sizes, [&](ArrayRef<int64_t> index, int64_t from) {
    copyElement(*source, from, result, slice->locate(index, result.shape));
  });
  return evaluator.set(op.getResult(), std::move(result));
}

static LogicalResult evaluatePad(Evaluator &evaluator, tensor::PadOp op) {
  ValueRef source = evaluator.get(op.getSource());
  SmallVector<int64_t> low = evaluator.integers(op.getMixedLowPad());
  SmallVector<int64_t> high = evaluator.integers(op.getMixedHighPad());
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(source->shape)) {
    if (low[dim] < 0 || high[dim] < 0)
      return op.emitOpError()
             << "pads dimension " << dim << " by " << low[dim] << " and "
             << high[dim] << ", expected no negative number";
    shape.push_back(low[dim] + extent + high[dim]);
  }
  FailureOr<Value> result = evaluator.allocate(op, op.getType(), shape);
  if (failed(result))
    return failure();
  auto sourceOffset = [&](ArrayRef<int64_t> index) -> int64_t {
    int64_t offset = 0;
    for (auto [dim, extent] : llvm::enumerate(source->shape)) {
      int64_t position = index[dim] - low[dim];
      if (position < 0 || position >= extent)
        return -1;
      offset = offset * extent + position;
    }
    return offset;
  };
  gather(*source, *result, sourceOffset);
  if (failed(generate(
          evaluator, op, op.getRegion().front(), *result,
          [&](ArrayRef<int64_t> index) { return sourceOffset(index) < 0; })))
    return failure();
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateConcat(Evaluator &evaluator, tensor::ConcatOp op) {
  auto dim = static_cast<int64_t>(op.getDim());
  SmallVector<ValueRef> inputs;
  for (mlir::Value input : op.getInputs())
    inputs.push_back(evaluator.get(input));
  SmallVector<int64_t> shape = llvm::to_vector(inputs[0]->shape);
  for (auto [i, input] : llvm::enumerate(inputs)) {
    SmallVector<int64_t> expected(shape);
    expected[dim] = input->shape[dim];
    if (ArrayRef<int64_t>(input->shape) != ArrayRef<int64_t>(expected))
      return op.emitOpError()
             << "operand " << i << " has the shape " << shapeText(input->shape)
             << " at run time, expected " << shapeText(shape) << " except in "
             << "dimension " << dim;
    if (i > 0)
      shape[dim] += input->shape[dim];
  }
  FailureOr<Value> result = evaluator.allocate(op, op.getType(), shape);
  if (failed(result))
    return failure();
  int64_t start = 0;
  for (const ValueRef &input : inputs) {
    forEachIndex(input->shape, [&](ArrayRef<int64_t> index, int64_t from) {
      SmallVector<int64_t> to(index);
      to[dim] += start;
      copyElement(*input, from, *result, offsetIn(shape, to));
    });
    start += input->shape[dim];
  }
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateGather(Evaluator &evaluator, tensor::GatherOp op) {
  ValueRef source = evaluator.get(op.getSource());
  ValueRef indices = evaluator.get(op.getIndices());
  ArrayRef<int64_t> dims = op.getGatherDims();
  // One slice, whose gathered dimensions have extent 1 or are dropped, for each
  // tuple of coordinates.
  SmallVector<int64_t> batch(ArrayRef(indices->shape).drop_back());
  SmallVector<int64_t> shape(batch), sliceShape;
  int64_t reduced = batch.size() + source->rank() - dims.size();
  bool dropped = op.getType().getRank() == reduced;
  for (auto [dim, extent] : llvm::enumerate(source->shape)) {
    bool gathered = llvm::is_contained(dims, static_cast<int64_t>(dim));
    sliceShape.push_back(gathered ? 1 : extent);
    if (!gathered || !dropped)
      shape.push_back(sliceShape.back());
  }
  FailureOr<Value> result = evaluator.allocate(op, op.getType(), shape);
  if (failed(result))
    return failure();
  int64_t to = 0;
  std::string error;
  forEachIndex(batch, [&](ArrayRef<int64_t>, int64_t tuple) {
    SmallVector<int64_t> base(source->rank(), 0);
    for (auto [i, dim] : llvm::enumerate(dims)) {
      base[dim] = indices->integers[tuple * dims.size() + i];
      if (base[dim] < 0 || base[dim] >= source->shape[dim])
        error = "index " + std::to_string(base[dim]) + " of dimension " +
                std::to_string(dim) + " is out of bounds, expected 0 to " +
                std::to_string(source->shape[dim] - 1);
    }
    if (!error.empty())
      return;
    forEachIndex(sliceShape, [&](ArrayRef<int64_t> index, int64_t) {
      SmallVector<int64_t> from(base);
      for (auto [dim, position] : llvm::enumerate(index))
        from[dim] += position;
      copyElement(*source, offsetIn(source->shape, from), *result, to++);
    });
  });
  if (!error.empty())
    return op.emitOpError() << error;
  return evaluator.set(op.getResult(), std::move(*result));
}

void addSliceHandlers(HandlerTable &table) {
  table.add<tensor::ExtractSliceOp>(evaluateExtractSlice);
  table.add<tensor::InsertSliceOp>(evaluateInsertSlice);
  table.add<tensor::PadOp>(evaluatePad);
  table.add<tensor::ConcatOp>(evaluateConcat);
  table.add<tensor::GatherOp>(evaluateGather);
}

} // namespace hyena::interp
