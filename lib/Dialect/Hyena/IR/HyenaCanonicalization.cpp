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

/// truncate(truncate(x)) along one dimension -> truncate(x).
struct TruncateOfTruncate : OpRewritePattern<TruncateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TruncateOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<TruncateOp>();
    if (!inner || inner.getDim() != op.getDim())
      return rewriter.notifyMatchFailure(op, "no truncate of this dimension");
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

/// An explicit padding that is the causal or the same one.
struct NamePadding : OpRewritePattern<ShortConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ShortConvOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getPadding() != Padding::Explicit)
      return rewriter.notifyMatchFailure(op, "the padding has a name");
    int64_t taps = op.getNumTaps(), low = *op.getPadLow();
    if (low + (int64_t)*op.getPadHigh() != taps - 1)
      return rewriter.notifyMatchFailure(op, "the length changes");
    Padding padding = low == taps - 1 ? Padding::Causal : Padding::Same;
    if (padding == Padding::Same && low != taps / 2)
      return rewriter.notifyMatchFailure(op, "neither causal nor same");
    rewriter.modifyOpInPlace(op, [&] {
      op.setPadding(padding);
      op.removePadLowAttr();
      op.removePadHighAttr();
    });
    return success();
  }
};

/// pad along time in front of a short convolution -> explicit padding.
struct PadIntoShortConv : OpRewritePattern<ShortConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ShortConvOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getInput().getDefiningOp<PadOp>();
    if (!pad || (int64_t)pad.getDim() != op.getTimeDim())
      return rewriter.notifyMatchFailure(op, "no pad along time");
    int64_t low = op.getLowPadding();
    int64_t high = op.getPadding() == Padding::Explicit
                       ? (int64_t)*op.getPadHigh()
                       : op.getNumTaps() - 1 - low;
    low += pad.getLow();
    high += pad.getHigh();
    if (low > kMaxExtent || high > kMaxExtent)
      return rewriter.notifyMatchFailure(op, "the sum is too large");
    rewriter.modifyOpInPlace(op, [&] {
      op.setPadding(Padding::Explicit);
      op.setPadLow(low);
      op.setPadHigh(high);
      op.getInputMutable().assign(pad.getInput());
    });
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

/// The tap order of a single tap is the default one.
template <typename OpTy, TapOrder order>
struct SingleTapOrder : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumTaps() != 1 || op.getTapOrder() == order)
      return rewriter.notifyMatchFailure(op, "the tap order has a meaning");
    rewriter.modifyOpInPlace(op, [&] { op.setTapOrder(order); });
    return success();
  }
};

/// A noncausal or circular filter of which no tap acts ahead or beyond the end
/// is causal; a `lag0` that is the default one is left out.
struct SimplifyMode : OpRewritePattern<FFTConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(FFTConvOp op,
                                PatternRewriter &rewriter) const override {
    int64_t taps = op.getNumTaps(), lag0 = op.getLag0Index();
    bool causal =
        lag0 == 0 && (op.getMode() == ConvMode::NonCausal ||
                      (op.getMode() == ConvMode::Circular && taps == 1));
    if (!causal && (!op.getLag0() || lag0 != (taps - 1) / 2))
      return rewriter.notifyMatchFailure(op, "mode and lag 0 have a meaning");
    rewriter.modifyOpInPlace(op, [&] {
      op.removeLag0Attr();
      if (causal)
        op.setMode(ConvMode::Causal);
    });
    return success();
  }
};

/// rfft(pad(x)) with zeros at the end alone, or rfft(truncate(x)) that keeps
/// what the transform reads -> rfft(x), which pads and cuts itself.
struct ImplicitSize : OpRewritePattern<RFFTOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RFFTOp op,
                                PatternRewriter &rewriter) const override {
    Operation *inner = op.getInput().getDefiningOp();
    int64_t last = cast<RankedTensorType>(op.getType()).getRank() - 1;
    Value signal;
    if (auto pad = dyn_cast_or_null<PadOp>(inner)) {
      if ((int64_t)pad.getDim() == last && pad.getLow() == 0)
        signal = pad.getInput();
    } else if (auto truncate = dyn_cast_or_null<TruncateOp>(inner)) {
      if ((int64_t)truncate.getDim() == last && truncate.getOffset() == 0 &&
          truncate.getLength() >= op.getN())
        signal = truncate.getInput();
    }
    if (!signal)
      return rewriter.notifyMatchFailure(
          op, "the input is not padded or cut at its end");
    rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(signal); });
    return success();
  }
};

/// Drops what a fused convolution does not need: operands that no access
/// names, operands given twice, accesses made twice or used nowhere.
struct CompactAccesses : OpRewritePattern<FusedConvOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The accesses whose element is used, and those that alone show a dynamic
  /// extent of the domain.
  static llvm::BitVector findNeeded(FusedConvOp op) {
    int64_t numAccesses = op.getNumAccesses();
    llvm::BitVector needed(numAccesses);
    for (int64_t i = 0; i < numAccesses; ++i)
      if (!op.getPrologueBlock().getArgument(i).use_empty() ||
          !op.getEpilogueBlock().getArgument(i + 2).use_empty())
        needed.set(i);
    for (int64_t dim : {0, 2}) {
      if (!ShapedType::isDynamic(op.getDomainExtent(dim)))
        continue;
      auto shows = [&](int64_t i) {
        return llvm::is_contained(op.getAccess(i).getMap().getResults(),
                                  getAffineDimExpr(dim, op.getContext()));
      };
      auto all = llvm::seq<int64_t>(0, numAccesses);
      if (llvm::any_of(all, [&](int64_t i) { return needed[i] && shows(i); }))
        continue;
      auto first = llvm::find_if(all, shows);
      if (first != all.end())
        needed.set(*first);
    }
    return needed;
  }

  LogicalResult matchAndRewrite(FusedConvOp op,
                                PatternRewriter &rewriter) const override {
    int64_t numAccesses = op.getNumAccesses();
    llvm::BitVector needed = findNeeded(op);
    SmallVector<Value> inputs;
    SmallVector<Attribute> accesses;
    // For each old access, the new one, or -1.
    SmallVector<int64_t> renamed(numAccesses, -1);
    for (int64_t i = 0; i < numAccesses; ++i) {
      if (!needed[i])
        continue;
      AccessAttr access = op.getAccess(i);
      Value input = op.getInputs()[access.getOperand()];
      auto *it = llvm::find(inputs, input);
      int64_t operand = std::distance(inputs.begin(), it);
      if (it == inputs.end())
        inputs.push_back(input);
      auto compact = AccessAttr::get(op.getContext(), operand, access.getMap());
      auto *known = llvm::find(accesses, Attribute(compact));
      renamed[i] = std::distance(accesses.begin(), known);
      if (known == accesses.end())
        accesses.push_back(compact);
    }
    if ((int64_t)accesses.size() == numAccesses &&
        inputs.size() == op.getInputs().size())
      return rewriter.notifyMatchFailure(op, "every access is needed");
    rewriter.modifyOpInPlace(op, [&] {
      for (auto [block, leading] :
           {std::pair<Block *, int64_t>{&op.getPrologueBlock(), 0},
            std::pair<Block *, int64_t>{&op.getEpilogueBlock(), 2}}) {
        llvm::BitVector drop(block->getNumArguments());
        SmallVector<int64_t> firstOf(accesses.size(), -1);
        for (int64_t i = 0; i < numAccesses; ++i) {
          BlockArgument arg = block->getArgument(i + leading);
          if (renamed[i] >= 0 && firstOf[renamed[i]] < 0) {
            firstOf[renamed[i]] = i + leading;
            continue;
          }
          if (renamed[i] >= 0)
            arg.replaceAllUsesWith(block->getArgument(firstOf[renamed[i]]));
          drop.set(i + leading);
        }
        block->eraseArguments(drop);
      }
      op.getInputsMutable().assign(inputs);
      op.setAccessesAttr(rewriter.getArrayAttr(accesses));
    });
    return success();
  }
};

} // namespace

void GateOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<FlattenGate>(context);
}

void ChunkOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<SingleStream, NarrowProjection>(context);
}

void PadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<PadOfPad>(context);
}

void TruncateOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *context) {
  patterns.add<TruncateOfTruncate, TruncateOfPad, TruncateOfShortConv>(context);
}

void ShortConvOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<NamePadding, PadIntoShortConv,
               SingleTapOrder<ShortConvOp, TapOrder::NewestLast>>(context);
}

void FFTConvOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<SimplifyMode, SingleTapOrder<FFTConvOp, TapOrder::Lag0First>>(
      context);
}

void RFFTOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<ImplicitSize>(context);
}

void FusedConvOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<CompactAccesses>(context);
}
