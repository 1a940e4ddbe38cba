//===- ConvCanonicalization.cpp - Canonical forms of convolutions -*- C++
//-*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hyena;

namespace {

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

void ShortConvOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                              MLIRContext *context) {
  results.add<NamePadding, PadIntoShortConv,
              SingleTapOrder<ShortConvOp, TapOrder::NewestLast>>(context);
}

void FFTConvOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                            MLIRContext *context) {
  results.add<SimplifyMode, SingleTapOrder<FFTConvOp, TapOrder::Lag0First>>(
      context);
}

void FusedConvOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                              MLIRContext *context) {
  results.add<CompactAccesses>(context);
}
