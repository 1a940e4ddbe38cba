//===- LayerOps.cpp - hyena operations on streams -------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Indexing.h"
#include "Parallel.h"
#include "Sums.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

namespace hyena::interp {

using namespace mlir;
using mlir::failure;
using mlir::success;
namespace dialect = mlir::hyena;

/// `value` with its last two dimensions swapped.
static Value swapLast(const Value &value) {
  Value result = value;
  int64_t rank = value.rank();
  std::swap(result.shape[rank - 1], result.shape[rank - 2]);
  gather(value, result, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    std::swap(from[rank - 1], from[rank - 2]);
    return offsetIn(value.shape, from);
  });
  return result;
}

static LogicalResult evaluateTranspose(Evaluator &evaluator,
                                       dialect::TransposeOp op) {
  return evaluator.set(op.getResult(), swapLast(*evaluator.get(op.getInput())));
}

static LogicalResult evaluateProject(Evaluator &evaluator,
                                     dialect::ProjectOp op) {
  Value input = *evaluator.get(op.getInput());
  ValueRef weight = evaluator.get(op.getWeight());
  ValueRef bias = op.getBias() ? evaluator.get(op.getBias()) : nullptr;
  if (op.getInputLayout() == dialect::Layout::ChannelsFirst)
    input = swapLast(input);
  int64_t outputs = weight->shape[0], channels = weight->shape[1];
  if (input.shape.back() != channels)
    return op.emitOpError() << "the input has " << input.shape.back()
                            << " channels at run time, expected " << channels;
  SmallVector<int64_t> shape = llvm::to_vector(input.shape);
  shape.back() = outputs;
  FailureOr<Value> result = evaluator.allocate(op, op.getType(), shape);
  if (failed(result))
    return failure();

  // Column j of the weight is added with the factor x[j].
  std::vector<double> columns(outputs * channels);
  std::vector<const double *> sources(channels);
  for (int64_t j = 0; j < channels; ++j) {
    sources[j] = columns.data() + j * outputs;
    for (int64_t i = 0; i < outputs; ++i)
      columns[j * outputs + i] = weight->reals[i * channels + j];
  }
  int64_t rows = 1;
  for (int64_t extent : ArrayRef(shape).drop_back())
    rows *= extent;
  parallelFor(evaluator.threads(), rows,
              static_cast<double>(outputs) * channels, [&] {
                return [&](int64_t row) {
                  double *y = result->reals.data() + row * outputs;
                  if (bias)
                    std::copy(bias->reals.begin(), bias->reals.end(), y);
                  accumulate(y, outputs, sources.data(),
                             input.reals.data() + row * channels, channels);
                };
              });
  if (op.getResultLayout() == dialect::Layout::ChannelsFirst)
    result = swapLast(*result);
  return evaluator.set(op.getResult(), std::move(*result));
}

static LogicalResult evaluateChunk(Evaluator &evaluator, dialect::ChunkOp op) {
  ValueRef input = evaluator.get(op.getInput());
  int64_t dim = op.getLayout() == dialect::Layout::ChannelsLast ? 2 : 1;
  int64_t streams = op.getNumResults();
  int64_t width = input->shape[dim] / streams;
  int64_t headWidth = width / std::max<int64_t>(1, op.getHeads().value_or(1));
  for (int64_t s = 0; s < streams; ++s) {
    auto channelOf = [&](int64_t c) {
      switch (op.getArrangement()) {
      case dialect::Arrangement::Blocks:
        return s * width + c;
      case dialect::Arrangement::PerHead:
        return c / headWidth * streams * headWidth + s * headWidth +
               c % headWidth;
      case dialect::Arrangement::Interleaved:
        return streams * c + s;
      }
      return int64_t(0);
    };
    SmallVector<int64_t> shape = llvm::to_vector(input->shape);
    shape[dim] = width;
    FailureOr<Value> result =
        evaluator.allocate(op, op.getResult(s).getType(), shape);
    if (failed(result))
      return failure();
    gather(*input, *result, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> from(index);
      from[dim] = channelOf(index[dim]);
      return offsetIn(input->shape, from);
    });
    if (failed(evaluator.set(op.getResult(s), std::move(*result))))
      return failure();
  }
  return success();
}

static LogicalResult evaluateGate(Evaluator &evaluator, dialect::GateOp op) {
  Value result = *evaluator.get(op.getInputs()[0]);
  for (auto [i, operand] : llvm::enumerate(op.getInputs().drop_front())) {
    ValueRef factor = evaluator.get(operand);
    if (factor->shape != result.shape)
      return op.emitOpError()
             << "operand " << i + 1 << " has the shape "
             << shapeText(factor->shape) << " at run time, expected "
             << shapeText(result.shape);
    for (auto [element, other] : llvm::zip(result.reals, factor->reals))
      element *= other;
  }
  return evaluator.set(op.getResult(), std::move(result));
}

static LogicalResult evaluateBroadcast(Evaluator &evaluator,
                                       dialect::BroadcastOp op) {
  ValueRef input = evaluator.get(op.getInput());
  ValueRef like = evaluator.get(op.getLike());
  ArrayRef<int64_t> dims = op.getDims();
  for (auto [i, dim] : llvm::enumerate(dims))
    if (input->shape[i] != like->shape[dim])
      return op.emitOpError()
             << "the input has the shape " << shapeText(input->shape)
             << " at run time, expected " << like->shape[dim]
             << " in dimension " << i;
  FailureOr<Value> result = evaluator.allocate(op, op.getType(), like->shape);
  if (failed(result))
    return failure();
  gather(*input, *result, [&](ArrayRef<int64_t> index) {
    int64_t offset = 0;
    for (auto [i, dim] : llvm::enumerate(dims))
      offset = offset * input->shape[i] + index[dim];
    return offset;
  });
  return evaluator.set(op.getResult(), std::move(*result));
}

/// The part of dimension `dim` that begins at `offset` and has `length`
/// elements, zero where that is outside of the input.
static LogicalResult window(Evaluator &evaluator, Operation *op, int64_t dim,
                            int64_t offset, int64_t length) {
  ValueRef input = evaluator.get(op->getOperand(0));
  SmallVector<int64_t> shape = llvm::to_vector(input->shape);
  shape[dim] = length;
  FailureOr<Value> result =
      evaluator.allocate(op, op->getResult(0).getType(), shape);
  if (failed(result))
    return failure();
  gather(*input, *result, [&](ArrayRef<int64_t> index) -> int64_t {
    SmallVector<int64_t> from(index);
    from[dim] += offset;
    bool inside = from[dim] >= 0 && from[dim] < input->shape[dim];
    return inside ? offsetIn(input->shape, from) : -1;
  });
  return evaluator.set(op->getResult(0), std::move(*result));
}

static LogicalResult evaluatePad(Evaluator &evaluator, dialect::PadOp op) {
  int64_t dim = op.getDim(), low = op.getLow();
  int64_t extent = evaluator.get(op.getInput())->shape[dim];
  return window(evaluator, op, dim, -low, low + extent + op.getHigh());
}

static LogicalResult evaluateTruncate(Evaluator &evaluator,
                                      dialect::TruncateOp op) {
  int64_t dim = op.getDim(), offset = op.getOffset(), length = op.getLength();
  int64_t extent = evaluator.get(op.getInput())->shape[dim];
  if (offset + length > extent)
    return op.emitOpError()
           << "keeps elements " << offset << " to " << offset + length - 1
           << " of dimension " << dim << ", expected 0 to " << extent - 1;
  return window(evaluator, op, dim, offset, length);
}

static LogicalResult evaluateFlip(Evaluator &evaluator, dialect::FlipOp op) {
  ValueRef input = evaluator.get(op.getInput());
  int64_t dim = op.getDim();
  Value result = *input;
  gather(*input, result, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    from[dim] = input->shape[dim] - 1 - index[dim];
    return offsetIn(input->shape, from);
  });
  return evaluator.set(op.getResult(), std::move(result));
}

void addLayerHandlers(HandlerTable &table) {
  table.add<dialect::TransposeOp>(evaluateTranspose);
  table.add<dialect::ProjectOp>(evaluateProject);
  table.add<dialect::ChunkOp>(evaluateChunk);
  table.add<dialect::GateOp>(evaluateGate);
  table.add<dialect::BroadcastOp>(evaluateBroadcast);
  table.add<dialect::PadOp>(evaluatePad);
  table.add<dialect::TruncateOp>(evaluateTruncate);
  table.add<dialect::FlipOp>(evaluateFlip);
}

} // namespace hyena::interp
