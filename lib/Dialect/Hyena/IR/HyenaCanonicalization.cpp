//===- HyenaCanonicalization.cpp - Folders and canonical forms -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::hyena;

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  auto inner = getInput().getDefiningOp<TransposeOp>();
  if (inner && inner.getInput().getType() == getType())
    return inner.getInput();
  return {};
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  // Equal ranks make the dimensions a plain enumeration.
  if (getInput().getType() == getType() &&
      (getInput() == getLike() ||
       cast<RankedTensorType>(getType()).hasStaticShape()))
    return getInput();
  return {};
}

OpFoldResult FlipOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getInput().getType());
  if (type.getDimSize(getDim()) == 1 && type == getType())
    return getInput();
  auto inner = getInput().getDefiningOp<FlipOp>();
  if (inner && inner.getDim() == getDim() &&
      inner.getInput().getType() == getType())
    return inner.getInput();
  return {};
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  if (getLow() == 0 && getHigh() == 0 && getInput().getType() == getType())
    return getInput();
  return {};
}

OpFoldResult TruncateOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getInput().getType());
  if (getOffset() == 0 && getInput().getType() == getType() &&
      type.getDimSize(getDim()) == (int64_t)getLength())
    return getInput();
  return {};
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

/// gate(gate(a, b), c) -> gate(a, b, c), where the inner product has no other
/// use. Only a leading product keeps the order of the multiplications, and only
/// f32 and f64 have no rounding of the inner product that would be lost.
struct FlattenGate : OpRewritePattern<GateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GateOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInputs().front().getDefiningOp<GateOp>();
    if (!inner || !inner->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no leading gate of single use");
    if (getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth() < 32)
      return rewriter.notifyMatchFailure(op, "the inner product is rounded");
    SmallVector<Value> inputs(inner.getInputs());
    llvm::append_range(inputs, op.getInputs().drop_front());
    rewriter.replaceOpWithNewOp<GateOp>(op, op.getType(), inputs);
    return success();
  }
};

/// broadcast x like f(y) -> broadcast x like y, where f keeps the shape: the
/// broadcast does not have to wait for f, nor keep it.
struct LikeInput : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    Operation *producer = op.getLike().getDefiningOp();
    bool keepsShape = isa_and_present<FFTConvOp, GateOp, FlipOp>(producer) ||
                      (producer && producer->hasTrait<OpTrait::Elementwise>() &&
                       producer->getNumOperands() > 0);
    if (auto conv = dyn_cast_or_null<ShortConvOp>(producer))
      keepsShape = conv.getPadding() != Padding::Explicit;
    if (!keepsShape)
      return rewriter.notifyMatchFailure(op, "the shape is made here");
    auto like = dyn_cast<RankedTensorType>(producer->getOperand(0).getType());
    if (!like || like.getShape() !=
                     cast<RankedTensorType>(op.getLike().getType()).getShape())
      return rewriter.notifyMatchFailure(op, "less is known of the input");
    rewriter.modifyOpInPlace(
        op, [&] { op.getLikeMutable().assign(producer->getOperand(0)); });
    return success();
  }
};

/// A chunk into one stream is the input.
struct SingleStream : OpRewritePattern<ChunkOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ChunkOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "more than one stream");
    if (op.getInput().getType() != op.getResult(0).getType())
      return rewriter.notifyMatchFailure(op, "the stream has another type");
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};

/// chunk(project(x)) of which the leading or trailing streams are not used:
/// the projection computes the used ones alone.
struct NarrowProjection : OpRewritePattern<ChunkOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ChunkOp op,
                                PatternRewriter &rewriter) const override {
    auto project = op.getInput().getDefiningOp<ProjectOp>();
    if (!project || !project->hasOneUse() ||
        op.getArrangement() != Arrangement::Blocks)
      return rewriter.notifyMatchFailure(op, "no projection of single use");
    // A projection of (B, L, C) may be split along L, which is not its affair.
    auto inputType = cast<RankedTensorType>(op.getInput().getType());
    if (project.getResultLayout() != op.getLayout())
      return rewriter.notifyMatchFailure(
          op, "the channels of the projection are not those that are split");
    int64_t first = 0, last = op.getNumResults();
    while (first < last && op.getResult(first).use_empty())
      ++first;
    while (last > first && op.getResult(last - 1).use_empty())
      --last;
    if (first == last || last - first == (int64_t)op.getNumResults())
      return rewriter.notifyMatchFailure(op, "no unused stream at either end");
    Location loc = project.getLoc();
    int64_t width =
        inputType.getDimSize(op.getChannelDim()) / op.getNumResults();
    int64_t rows = (last - first) * width;
    auto slice = [&](Value v) -> Value {
      if (!v)
        return {};
      auto type = cast<RankedTensorType>(v.getType());
      SmallVector<OpFoldResult> offsets(type.getRank(),
                                        rewriter.getIndexAttr(0));
      SmallVector<OpFoldResult> strides(type.getRank(),
                                        rewriter.getIndexAttr(1));
      SmallVector<OpFoldResult> sizes;
      for (int64_t extent : type.getShape())
        sizes.push_back(rewriter.getIndexAttr(extent));
      offsets[0] = rewriter.getIndexAttr(first * width);
      sizes[0] = rewriter.getIndexAttr(rows);
      return tensor::ExtractSliceOp::create(rewriter, loc, v, offsets, sizes,
                                            strides);
    };
    SmallVector<int64_t> shape(inputType.getShape());
    shape[op.getChannelDim()] = rows;
    auto narrow = ProjectOp::create(
        rewriter, loc, RankedTensorType::get(shape, inputType.getElementType()),
        project.getInput(), slice(project.getWeight()),
        slice(project.getBias()), project.getInputLayout(),
        project.getResultLayout());
    SmallVector<Type> types(op->result_type_begin() + first,
                            op->result_type_begin() + last);
    auto chunk =
        ChunkOp::create(rewriter, op.getLoc(), types, narrow,
                        op.getArrangement(), op.getHeadsAttr(), op.getLayout());
    for (int64_t i = first; i < last; ++i)
      rewriter.replaceAllUsesWith(op.getResult(i), chunk.getResult(i - first));
    rewriter.eraseOp(op);
    return success();
  }
};

/// pad(pad(x)) along one dimension -> pad(x).
struct PadOfPad : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<PadOp>();
    if (!inner || inner.getDim() != op.getDim())
      return rewriter.notifyMatchFailure(op, "no pad of the same dimension");
    int64_t low = op.getLow() + inner.getLow();
    int64_t high = op.getHigh() + inner.getHigh();
    if (low > kMaxExtent || high > kMaxExtent)
      return rewriter.notifyMatchFailure(op, "the sum is too large");
    rewriter.replaceOpWithNewOp<PadOp>(op, op.getType(), inner.getInput(),
                                       op.getDim(), low, high);
    return success();
  }
};

/// truncate(truncate(x)) along one dimension -> truncate(x), where the inner
/// cut has no other use.
struct TruncateOfTruncate : OpRewritePattern<TruncateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TruncateOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<TruncateOp>();
    if (!inner || inner.getDim() != op.getDim())
      return rewriter.notifyMatchFailure(op, "no truncate of this dimension");
    if (!inner->hasOneUse())
      return rewriter.notifyMatchFailure(op, "the inner cut is used elsewhere");
    int64_t offset = op.getOffset() + inner.getOffset();
    if (offset > kMaxExtent)
      return rewriter.notifyMatchFailure(op, "the sum is too large");
    rewriter.replaceOpWithNewOp<TruncateOp>(op, op.getType(), inner.getInput(),
                                            op.getDim(), offset,
                                            op.getLength());
    return success();
  }
};

/// truncate(pad(x)) that keeps at least one sample of x -> the samples of x
/// that are kept, with the zeros that are kept around them.
struct TruncateOfPad : OpRewritePattern<TruncateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TruncateOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getInput().getDefiningOp<PadOp>();
    if (!pad || pad.getDim() != op.getDim())
      return rewriter.notifyMatchFailure(op, "no pad of the same dimension");
    auto type = cast<RankedTensorType>(pad.getInput().getType());
    int64_t dim = op.getDim(), extent = type.getDimSize(dim);
    if (ShapedType::isDynamic(extent))
      return rewriter.notifyMatchFailure(op, "the extent is dynamic");
    // Kept samples, as indices of x.
    int64_t begin = (int64_t)op.getOffset() - (int64_t)pad.getLow();
    int64_t end = begin + (int64_t)op.getLength();
    int64_t from = std::max<int64_t>(begin, 0), to = std::min(end, extent);
    if (from >= to)
      return rewriter.notifyMatchFailure(op, "zeros alone are kept");
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = to - from;
    auto part =
        TruncateOp::create(rewriter, op.getLoc(),
                           RankedTensorType::get(shape, type.getElementType()),
                           pad.getInput(), dim, from, to - from);
    rewriter.replaceOpWithNewOp<PadOp>(op, op.getType(), part, dim,
                                       from - begin, end - to);
    return success();
  }
};

/// truncate along time of an explicitly padded short convolution: the samples
/// that are cut off need no padding.
struct TruncateOfShortConv : OpRewritePattern<TruncateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TruncateOp op,
                                PatternRewriter &rewriter) const override {
    auto conv = op.getInput().getDefiningOp<ShortConvOp>();
    if (!conv || conv.getPadding() != Padding::Explicit || !conv->hasOneUse())
      return rewriter.notifyMatchFailure(
          op, "no explicit short convolution of single use");
    if ((int64_t)op.getDim() != conv.getTimeDim())
      return rewriter.notifyMatchFailure(op, "the cut is not along time");
    auto type = cast<RankedTensorType>(conv.getType());
    int64_t extent = type.getDimSize(op.getDim());
    if (ShapedType::isDynamic(extent))
      return rewriter.notifyMatchFailure(op, "the length is dynamic");
    int64_t front = op.getOffset();
    int64_t back = extent - front - (int64_t)op.getLength();
    int64_t low = (int64_t)*conv.getPadLow() - front;
    int64_t high = (int64_t)*conv.getPadHigh() - back;
    if (low < 0 || high < 0 || (front == 0 && back == 0))
      return rewriter.notifyMatchFailure(op, "samples of the signal are cut");
    rewriter.replaceOpWithNewOp<ShortConvOp>(
        op, op.getType(), conv.getInput(), conv.getWeight(), conv.getBias(),
        Padding::Explicit, rewriter.getI64IntegerAttr(low),
        rewriter.getI64IntegerAttr(high), conv.getTapOrder(), conv.getLayout());
    return success();
  }
};

} // namespace

void GateOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                         MLIRContext *context) {
  results.add<FlattenGate>(context);
}

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                              MLIRContext *context) {
  results.add<LikeInput>(context);
}

void ChunkOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                          MLIRContext *context) {
  results.add<SingleStream, NarrowProjection>(context);
}

void PadOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                        MLIRContext *context) {
  results.add<PadOfPad>(context);
}

void TruncateOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                             MLIRContext *context) {
  results.add<TruncateOfTruncate, TruncateOfPad, TruncateOfShortConv>(context);
}
