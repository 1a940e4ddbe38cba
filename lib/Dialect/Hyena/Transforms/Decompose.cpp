//===- Decompose.cpp - Turns convolutions into transforms -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"

#include "hyena/Dialect/Hyena/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::hyena {
#define GEN_PASS_DEF_HYENADECOMPOSE
#include "hyena/Dialect/Hyena/Transforms/Passes.h.inc"
} // namespace mlir::hyena

using namespace mlir;
using namespace mlir::hyena;

/// Why a long convolution cannot be written with transforms; empty if it can.
static std::string whyNotDecomposed(FFTConvOp op) {
  int64_t length = tensorOf(op.getInput()).getDimSize(op.getTimeDim());
  if (ShapedType::isDynamic(length))
    return "the length of the signal is dynamic, so the size of the transform "
           "is not known";
  FilterSpec spec = FilterSpec::get(op);
  if (length + std::max(spec.taps, spec.reverseTaps) > kMaxExtent)
    return "the transform would be larger than 2^40";
  return "";
}

namespace {

/// fftconv -> irfft(rfft(input, n) * rfft(filter, n), n), cut to the signal.
///
/// With L samples and K taps (J in the reversed filter) n is
/// - L + K for causal and noncausal, where nothing wraps around: the result is
///   what begins at index `lag0` of the product;
/// - L + max(K, J) for bidirectional: r[j] is put at position n - 1 - j;
/// - L for circular, where wrapping around is meant: the result is rotated by
///   `lag0`.
struct DecomposeFFTConv : OpRewritePattern<FFTConvOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The filter laid on the circle of n points, as far as `rfft` does not.
  Value layFilter(OpBuilder &b, FFTConvOp op, int64_t n, Type element) const {
    Location loc = op.getLoc();
    Value filter = createFloatCast(b, loc, op.getFilter(), element);
    if (op.getTapOrder() == TapOrder::NewestLast)
      filter = createFlip(b, loc, filter, 1);
    if (!op.getReverse())
      return filter;
    Value reverse = createFloatCast(b, loc, op.getReverse(), element);
    reverse = createFlip(b, loc, reverse, 1);
    FilterSpec spec = FilterSpec::get(op);
    filter = createPad(b, loc, filter, 1, 0, n - spec.taps);
    reverse = createPad(b, loc, reverse, 1, n - spec.reverseTaps, 0);
    return arith::AddFOp::create(b, loc, filter, reverse);
  }

  LogicalResult matchAndRewrite(FFTConvOp op,
                                PatternRewriter &rewriter) const override {
    std::string why = whyNotDecomposed(op);
    if (!why.empty())
      return rewriter.notifyMatchFailure(op, why);
    Location loc = op.getLoc();
    Type compute = getComputeType(
        op.getContext(), {op.getInput(), op.getFilter(), op.getReverse()});
    Value signal = createFloatCast(rewriter, loc, op.getInput(), compute);
    bool last = op.getLayout() == Layout::ChannelsLast;
    if (last)
      signal = createTranspose(rewriter, loc, signal);

    int64_t length = tensorOf(signal).getDimSize(2);
    FilterSpec spec = FilterSpec::get(op);
    bool circular = spec.mode == ConvMode::Circular;
    int64_t n =
        circular ? length : length + std::max(spec.taps, spec.reverseTaps);
    Value filter = layFilter(rewriter, op, n, compute);
    Value product =
        createSpectralMul(rewriter, loc, createRFFT(rewriter, loc, signal, n),
                          createRFFT(rewriter, loc, filter, n));
    Value whole = createIRFFT(rewriter, loc, product, n);
    Value result;
    if (circular && spec.lag0 != 0) {
      Value front = createTruncate(rewriter, loc, whole, 2, spec.lag0,
                                   length - spec.lag0);
      Value back = createTruncate(rewriter, loc, whole, 2, 0, spec.lag0);
      result = tensor::ConcatOp::create(rewriter, loc, signal.getType(), 2,
                                        ValueRange{front, back});
    } else {
      result = createTruncate(rewriter, loc, whole, 2, spec.lag0, length);
    }

    if (Value skip = op.getSkip()) {
      skip = createFloatCast(rewriter, loc, skip, compute);
      int64_t channels = tensorOf(signal).getDimSize(1);
      skip = createRepeat(rewriter, loc, skip,
                          channels / tensorOf(skip).getDimSize(0));
      skip = createBroadcast(rewriter, loc, skip, signal, {1});
      skip = arith::MulFOp::create(rewriter, loc, skip, signal);
      result = arith::AddFOp::create(rewriter, loc, result, skip);
    }
    if (last)
      result = createTranspose(rewriter, loc, result);
    result = createFloatCast(rewriter, loc, result,
                             tensorOf(op.getResult()).getElementType());
    if (result.getType() != op.getType())
      result = tensor::CastOp::create(rewriter, loc, op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// shortconv -> shortconv of a padded signal without padding of its own, the
/// last tap on the newest sample.
struct DecomposeShortConv : OpRewritePattern<ShortConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ShortConvOp op,
                                PatternRewriter &rewriter) const override {
    int64_t low = op.getLowPadding();
    int64_t high = op.getPadding() == Padding::Explicit
                       ? (int64_t)*op.getPadHigh()
                       : op.getNumTaps() - 1 - low;
    bool reversed = op.getTapOrder() == TapOrder::Lag0First;
    if (low == 0 && high == 0 && !reversed &&
        op.getPadding() == Padding::Explicit)
      return rewriter.notifyMatchFailure(op, "there is nothing to write out");
    Location loc = op.getLoc();
    Value signal =
        createPad(rewriter, loc, op.getInput(), op.getTimeDim(), low, high);
    Value weight = op.getWeight();
    if (reversed)
      weight = createFlip(rewriter, loc, weight, 1);
    rewriter.replaceOpWithNewOp<ShortConvOp>(
        op, op.getType(), signal, weight, op.getBias(), Padding::Explicit,
        rewriter.getI64IntegerAttr(0), rewriter.getI64IntegerAttr(0),
        TapOrder::NewestLast, op.getLayout());
    return success();
  }
};

struct DecomposePass : hyena::impl::HyenaDecomposeBase<DecomposePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DecomposeFFTConv, DecomposeShortConv>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    getOperation()->walk([](FFTConvOp op) {
      remark::missed(
          op.getLoc(),
          remark::RemarkOpts::name("decompose").category("hyena-decompose"))
          << remark::reason("{0}", whyNotDecomposed(op))
          << remark::suggest("give the signal a static length");
    });
  }
};

} // namespace
