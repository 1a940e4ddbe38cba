//===- RaiseOperands.cpp - What stands around an op into the op -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "RaisePatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hyena;

/// The narrower value that `v` extends, or null.
static Value getExtended(Value v) {
  auto ext = v ? v.getDefiningOp<arith::ExtFOp>() : arith::ExtFOp();
  return ext && isReal(ext.getIn()) ? ext.getIn() : Value();
}

/// The vector that `v` repeats along every dimension but `dim`, or null.
static Value getChannelVector(Value v, int64_t dim) {
  auto broadcast = v.getDefiningOp<BroadcastOp>();
  return broadcast && broadcast.getDims() == ArrayRef<int64_t>{dim}
             ? broadcast.getInput()
             : Value();
}

static bool isWide(Value v) {
  Type element = tensorOf(v).getElementType();
  return element.isF32() || element.isF64();
}

/// Whether `user` alone reads the elements of the result of `producer`. A
/// broadcast to its shape does not.
static bool onlyFeeds(Operation *producer, Operation *user) {
  return llvm::all_of(producer->getUses(), [&](OpOperand &use) {
    if (use.getOwner() == user)
      return true;
    auto broadcast = dyn_cast<BroadcastOp>(use.getOwner());
    return broadcast && use.get() == broadcast.getLike() &&
           use.get() != broadcast.getInput() && broadcast->hasOneUse();
  });
}

/// The (G, K) matrix of which `v` repeats every row, as `repeat_interleave` is
/// spelled: collapse(broadcast(h like (G, n, K))); or null.
static Value getRepeatedRows(Value v) {
  auto collapse = v ? v.getDefiningOp<tensor::CollapseShapeOp>()
                    : tensor::CollapseShapeOp();
  if (!collapse || tensorOf(v).getRank() != 2 ||
      collapse.getReassociationIndices() !=
          SmallVector<ReassociationIndices>{{0, 1}, {2}})
    return {};
  auto rows = collapse.getSrc().getDefiningOp<BroadcastOp>();
  if (!rows || rows.getDims() != ArrayRef<int64_t>{0, 2} ||
      !tensorOf(rows.getInput()).hasStaticShape() ||
      tensorOf(rows.getInput()).getNumElements() == 0)
    return {};
  return rows.getInput();
}

/// The factors of a product of two, or nothing.
static std::optional<std::pair<Value, Value>> matchProduct(Value v) {
  if (auto mul = v.getDefiningOp<arith::MulFOp>())
    return std::pair(mul.getLhs(), mul.getRhs());
  if (auto gate = v.getDefiningOp<GateOp>())
    if (gate.getInputs().size() == 2)
      return std::pair(gate.getInputs()[0], gate.getInputs()[1]);
  return std::nullopt;
}

namespace {

/// addf(fftconv(u, h), d * u) with d repeated over batch and time -> skip.
struct SkipIntoFFTConv : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The vector d of which `term` is the product with the input of `conv`.
  static Value matchSkip(FFTConvOp conv, Value term) {
    auto factors = matchProduct(term);
    if (!factors)
      return {};
    for (auto [d, u] : {*factors, std::pair(factors->second, factors->first)}) {
      if (u != conv.getInput())
        continue;
      Value skip = getChannelVector(d, conv.getChannelDim());
      if (!skip)
        continue;
      skip = getRepeated(skip);
      // The filter's cast may have been folded already.
      Type element = tensorOf(conv.getFilter()).getElementType();
      if (tensorOf(skip).getElementType() != element)
        skip = getExtended(skip);
      if (skip && tensorOf(skip).getElementType() == element &&
          tensorOf(skip).hasStaticShape())
        return skip;
    }
    return {};
  }

  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    for (auto [sum, term] : {std::pair(op.getLhs(), op.getRhs()),
                             std::pair(op.getRhs(), op.getLhs())}) {
      auto conv = sum.getDefiningOp<FFTConvOp>();
      if (!conv || conv.getSkip())
        continue;
      Value skip = matchSkip(conv, term);
      if (!skip)
        continue;
      if (!onlyFeeds(conv, op))
        return rewriter.notifyMatchFailure(
            op, "the convolution without the skip is used elsewhere");
      if (!isWide(conv.getResult()))
        return rewriter.notifyMatchFailure(
            op, "the convolution is rounded before the skip is added");
      rewriter.replaceOpWithNewOp<FFTConvOp>(
          op, conv.getType(), conv.getInput(), conv.getFilter(),
          conv.getReverse(), skip, conv.getMode(), conv.getLag0Attr(),
          conv.getTapOrder(), conv.getLayout());
      return success();
    }
    return rewriter.notifyMatchFailure(
        op, "not a convolution and a multiple of its input");
  }
};

/// addf(op(x, w), b) with b repeated over all but the channels -> bias of a
/// linear layer or of a short convolution that has none.
template <typename OpTy> struct BiasInto : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;

  static int64_t getChannelDim(ShortConvOp op) { return op.getChannelDim(); }
  static int64_t getChannelDim(ProjectOp op) {
    int64_t rank = tensorOf(op.getResult()).getRank();
    return op.getResultLayout() == Layout::ChannelsLast ? rank - 1 : rank - 2;
  }

  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    for (auto [sum, term] : {std::pair(op.getLhs(), op.getRhs()),
                             std::pair(op.getRhs(), op.getLhs())}) {
      auto producer = sum.template getDefiningOp<OpTy>();
      if (!producer || producer.getBias())
        continue;
      Value bias = getChannelVector(term, getChannelDim(producer));
      if (!bias || !tensorOf(bias).hasStaticShape())
        continue;
      if (!onlyFeeds(producer, op))
        return rewriter.notifyMatchFailure(
            op, "the result without the bias is used elsewhere");
      if (!isWide(producer.getResult()))
        return rewriter.notifyMatchFailure(
            op, "the result is rounded before the bias is added");
      // Made anew here: the vector may be defined after the producer.
      auto biased = cast<OpTy>(rewriter.clone(*producer));
      biased.getBiasMutable().assign(bias);
      rewriter.replaceOp(op, biased.getResult());
      return success();
    }
    return rewriter.notifyMatchFailure(op, "not a bias");
  }
};

/// op(x, flip(w)) -> op(x, w) with the other tap order.
template <typename OpTy> struct FlipIntoTapOrder : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  static OpOperand &getTaps(ShortConvOp op) { return op.getWeightMutable(); }
  static OpOperand &getTaps(FFTConvOp op) { return op.getFilterMutable(); }

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto flip = getTaps(op).get().template getDefiningOp<FlipOp>();
    if (!flip || flip.getDim() != 1)
      return rewriter.notifyMatchFailure(op, "the taps are not reversed");
    if constexpr (std::is_same_v<OpTy, FFTConvOp>)
      if (op.getMode() != ConvMode::Causal)
        return rewriter.notifyMatchFailure(
            op, "the tap order of a filter that is not causal is fixed");
    rewriter.modifyOpInPlace(op, [&] {
      getTaps(op).set(flip.getInput());
      op.setTapOrder(op.getTapOrder() == TapOrder::NewestLast
                         ? TapOrder::Lag0First
                         : TapOrder::NewestLast);
    });
    return success();
  }
};

/// transpose(fftconv(transpose(u))) -> fftconv of the other layout.
struct TransposeIntoLayout : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto conv = op.getInput().getDefiningOp<FFTConvOp>();
    if (!conv || !conv->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no convolution of single use");
    auto inner = conv.getInput().getDefiningOp<TransposeOp>();
    if (!inner || inner.getInput().getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "the input is not transposed");
    rewriter.replaceOpWithNewOp<FFTConvOp>(
        op, op.getType(), inner.getInput(), conv.getFilter(), conv.getReverse(),
        conv.getSkip(), conv.getMode(), conv.getLag0Attr(), conv.getTapOrder(),
        conv.getLayout() == Layout::ChannelsFirst ? Layout::ChannelsLast
                                                  : Layout::ChannelsFirst);
    return success();
  }
};

/// op(x, repeated rows) -> op(x, rows): groups of channels share a filter.
template <typename OpTy> struct RowsIntoGroups : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  static OpOperand &getTaps(ShortConvOp op) { return op.getWeightMutable(); }
  static OpOperand &getTaps(FFTConvOp op) { return op.getFilterMutable(); }

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Value taps = getRepeatedRows(getTaps(op).get());
    if (!taps)
      return rewriter.notifyMatchFailure(op, "no row is repeated");
    Value reverse;
    if constexpr (std::is_same_v<OpTy, FFTConvOp>) {
      reverse = getRepeatedRows(op.getReverse());
      if (op.getReverse() && (!reverse || tensorOf(reverse).getDimSize(0) !=
                                              tensorOf(taps).getDimSize(0)))
        return rewriter.notifyMatchFailure(
            op, "the rows of 'reverse' are not repeated alike");
    }
    rewriter.modifyOpInPlace(op, [&] {
      getTaps(op).set(taps);
      if constexpr (std::is_same_v<OpTy, FFTConvOp>)
        if (reverse)
          op.getReverseMutable().assign(reverse);
    });
    return success();
  }
};

/// fftconv with filters that are extended -> fftconv with the narrow ones,
/// where the type in which the sum is formed stays the same.
struct CastIntoFilters : OpRewritePattern<FFTConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(FFTConvOp op,
                                PatternRewriter &rewriter) const override {
    Value filter = getExtended(op.getFilter());
    if (!filter)
      return rewriter.notifyMatchFailure(op, "the filter is not extended");
    Type element = tensorOf(filter).getElementType();
    auto narrow = [&](Value v) {
      Value n = getExtended(v);
      return n && tensorOf(n).getElementType() == element ? n : Value();
    };
    Value reverse = narrow(op.getReverse()), skip = narrow(op.getSkip());
    if ((op.getReverse() && !reverse) || (op.getSkip() && !skip))
      return rewriter.notifyMatchFailure(
          op, "filter, reverse and skip do not come from one type");
    if (getComputeType(op.getContext(), {op.getInput(), filter}) !=
        getComputeType(op.getContext(), {op.getInput(), op.getFilter()}))
      return rewriter.notifyMatchFailure(
          op, "the sum would be formed in a narrower type");
    rewriter.modifyOpInPlace(op, [&] {
      op.getFilterMutable().assign(filter);
      if (reverse)
        op.getReverseMutable().assign(reverse);
      if (skip)
        op.getSkipMutable().assign(skip);
    });
    return success();
  }
};

/// truncf(fftconv(extf(u), h)) -> fftconv(u, h), where the type in which the
/// sum is formed stays the same.
struct CastIntoSignal : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto conv = op.getIn().getDefiningOp<FFTConvOp>();
    if (!conv || !conv->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no convolution of single use");
    Value signal = getExtended(conv.getInput());
    if (!signal || signal.getType() != op.getType())
      return rewriter.notifyMatchFailure(
          op, "the signal is not extended from the type of the result");
    if (op.getRoundingmodeAttr())
      return rewriter.notifyMatchFailure(op, "the rounding mode is chosen");
    if (getComputeType(op.getContext(), {signal, conv.getFilter()}) !=
        tensorOf(conv.getResult()).getElementType())
      return rewriter.notifyMatchFailure(
          op, "the sum would be formed in a narrower type");
    rewriter.replaceOpWithNewOp<FFTConvOp>(
        op, op.getType(), signal, conv.getFilter(), conv.getReverse(),
        conv.getSkip(), conv.getMode(), conv.getLag0Attr(), conv.getTapOrder(),
        conv.getLayout());
    return success();
  }
};

/// mulf of two activations next to a long convolution -> gate.
struct ProductToGate : OpRewritePattern<arith::MulFOp> {
  using OpRewritePattern::OpRewritePattern;

  /// Whether `v` is a long convolution, gated or transposed.
  static bool isConvolved(Value v) {
    while (Operation *op = v.getDefiningOp()) {
      if (isa<FFTConvOp>(op))
        return true;
      if (!isa<GateOp, TransposeOp>(op))
        return false;
      v = op->getOperand(0);
    }
    return false;
  }

  LogicalResult matchAndRewrite(arith::MulFOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!isReal(op.getResult()) || type.getRank() != 3)
      return rewriter.notifyMatchFailure(op, "not a product of activations");
    bool feeds = llvm::any_of(op->getUses(), [](OpOperand &use) {
      auto conv = dyn_cast<FFTConvOp>(use.getOwner());
      return conv && use.get() == conv.getInput();
    });
    if (!feeds && !isConvolved(op.getLhs()) && !isConvolved(op.getRhs()))
      return rewriter.notifyMatchFailure(op, "no convolution is next to it");
    rewriter.replaceOpWithNewOp<GateOp>(op, type,
                                        ValueRange{op.getLhs(), op.getRhs()});
    return success();
  }
};

} // namespace

void mlir::hyena::populateRaiseOperandPatterns(RewritePatternSet &patterns) {
  patterns
      .add<SkipIntoFFTConv, BiasInto<ShortConvOp>, BiasInto<ProjectOp>,
           FlipIntoTapOrder<ShortConvOp>, FlipIntoTapOrder<FFTConvOp>,
           RowsIntoGroups<ShortConvOp>, RowsIntoGroups<FFTConvOp>,
           TransposeIntoLayout, CastIntoFilters, CastIntoSignal, ProductToGate>(
          patterns.getContext());
}
