//===- ShrinkDomain.cpp - cut in front of a convolution -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first L' results of a causal convolution need the first L' samples of its
// input alone. So a cut behind the convolution moves in front of it, through
// whatever elementwise operations stand between.
//
//===----------------------------------------------------------------------===//

#include "ShrinkDomain.h"
#include "FusionGraph.h"
#include "FusionRemarks.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::fusion;

namespace {

/// Moves one cut, which keeps elements 0 ... length-1 of a dimension.
class CutMover {
public:
  CutMover(OpBuilder &builder, int64_t length)
      : builder(builder), length(length) {}

  /// Whether the cut of dimension `dim` of `value` can become one in front of
  /// a convolution, and none of what lies between is needed in full.
  bool canMove(Value value, int64_t dim, unsigned depth = 0) const;

  /// The first elements of `value`, where canMove() holds.
  Value move(Value value, int64_t dim);

private:
  Value cut(Value value, int64_t dim);
  RankedTensorType cutType(Value value, int64_t dim) const;

  OpBuilder &builder;
  int64_t length;
};

} // namespace

/// An operation that does the same to every element.
static bool isPointwise(Operation *op) {
  return isa<GateOp>(op) ||
         (op->getNumResults() == 1 && op->getNumRegions() == 0 &&
          OpTrait::hasElementwiseMappableTraits(op) && isMemoryEffectFree(op));
}

bool CutMover::canMove(Value value, int64_t dim, unsigned depth) const {
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse() || depth > maxDepth)
    return false;
  if (auto conv = dyn_cast<FFTConvOp>(op))
    return conv.getMode() == ConvMode::Causal && conv.getTimeDim() == dim;
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    int64_t from = dim < rank - 2 ? dim : 2 * rank - 3 - dim;
    return canMove(transpose.getInput(), from, depth + 1);
  }
  return isPointwise(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
           return canMove(operand, dim, depth + 1);
         });
}

RankedTensorType CutMover::cutType(Value value, int64_t dim) const {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = length;
  return RankedTensorType::get(shape, type.getElementType());
}

Value CutMover::cut(Value value, int64_t dim) {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  return TruncateOp::create(builder, value.getLoc(), cutType(value, dim), value,
                            dim, /*offset=*/0, length);
}

Value CutMover::move(Value value, int64_t dim) {
  Operation *op = value.getDefiningOp();
  IRMapping mapping;
  if (auto conv = dyn_cast<FFTConvOp>(op)) {
    mapping.map(conv.getInput(), cut(conv.getInput(), dim));
  } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    int64_t from = dim < rank - 2 ? dim : 2 * rank - 3 - dim;
    mapping.map(transpose.getInput(), move(transpose.getInput(), from));
  } else {
    for (Value operand : op->getOperands())
      if (!mapping.contains(operand))
        mapping.map(operand, canMove(operand, dim) ? move(operand, dim)
                                                   : cut(operand, dim));
  }
  Operation *clone = builder.clone(*op, mapping);
  clone->getResult(0).setType(cutType(value, dim));
  return clone->getResult(0);
}

void mlir::hyena::fusion::shrinkDomains(Block &block) {
  SmallVector<TruncateOp> cuts(block.getOps<TruncateOp>());
  for (TruncateOp op : cuts) {
    OpBuilder builder(op);
    CutMover mover(builder, op.getLength());
    if (op.getOffset() != 0 || !mover.canMove(op.getInput(), op.getDim())) {
      if (op.getInput().getDefiningOp<FFTConvOp>())
        remarkCutKept(op);
      continue;
    }
    Value moved = mover.move(op.getInput(), op.getDim());
    if (moved.getType() != op.getType())
      moved = tensor::CastOp::create(builder, op.getLoc(), op.getType(), moved);
    op.replaceAllUsesWith(moved);
    op.erase();
  }
}

/// A value of the shape of `value` that is there earlier.
static Value shapeSource(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    Value source;
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      source = broadcast.getLike();
    else if (isa<ShortConvOp, FFTConvOp>(op) || isPointwise(op))
      source = op->getNumOperands() ? op->getOperand(0) : Value();
    if (!source || !isa<RankedTensorType>(source.getType()) ||
        cast<RankedTensorType>(source.getType()).getShape() !=
            cast<RankedTensorType>(value.getType()).getShape())
      return value;
    // The padding may change a length that is not known.
    if (auto conv = dyn_cast<ShortConvOp>(op);
        conv && conv.getPadding() == Padding::Explicit)
      return value;
    value = source;
  }
  return value;
}

void mlir::hyena::fusion::forwardShapes(Block &block) {
  for (auto broadcast : block.getOps<BroadcastOp>())
    broadcast.getLikeMutable().assign(shapeSource(broadcast.getLike()));
  SmallVector<tensor::DimOp> pending(block.getOps<tensor::DimOp>());
  while (!pending.empty()) {
    tensor::DimOp dim = pending.pop_back_val();
    auto source = dyn_cast<OpResult>(dim.getSource());
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!source || !index || source.getOwner()->getBlock() != &block ||
        !(isFusable(source.getOwner()) || isa<FFTConvOp>(source.getOwner())))
      continue;
    // Beside the definition, as its operands are there.
    Operation *op = source.getOwner();
    OpBuilder builder(op);
    Operation *before = op->getPrevNode();
    Value extent;
    if (auto shaped = dyn_cast<ReifyRankedShapedTypeOpInterface>(op)) {
      ReifiedRankedShapedTypeDims dims;
      if (succeeded(shaped.reifyResultShapes(builder, dims)))
        extent = getValueOrCreateConstantIndexOp(
            builder, dim.getLoc(), dims[source.getResultNumber()][*index]);
    } else if (op->hasTrait<OpTrait::Elementwise>()) {
      extent = tensor::DimOp::create(builder, dim.getLoc(), op->getOperand(0),
                                     *index);
    }
    if (!extent)
      continue;
    dim.replaceAllUsesWith(extent);
    dim.erase();
    for (Operation *made = before ? before->getNextNode() : &block.front();
         made != op; made = made->getNextNode())
      if (auto next = dyn_cast<tensor::DimOp>(made))
        pending.push_back(next);
  }
}
