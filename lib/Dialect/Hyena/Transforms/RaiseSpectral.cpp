//===- RaiseSpectral.cpp - Products of transforms to fftconv -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of transforms of n points is a circular convolution of n points:
// index p of the linear one, of L + K - 1 values for L samples and K taps, is
// added to index p mod n. Values o, o + 1, ... of the circular convolution are
// those of the linear one exactly if o + n >= L + K - 1; then the lag of tap k
// is k - o (values that begin beyond the last tap are a cut of those that begin
// there, values of which all belong to a sample a cut of the causal ones).
// Otherwise the convolution is meant to wrap around if n = L, and is
// an error of the program, or an approximation, that is left alone if not.
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "RaisePatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::hyena;

using llvm::formatv;

/// `v` without zeros at the end of dimension `dim` that a static extent leaves.
static Value stripZeros(Value v, int64_t dim) {
  while (auto pad = v.getDefiningOp<PadOp>()) {
    if ((int64_t)pad.getDim() != dim || pad.getLow() != 0 ||
        tensorOf(pad.getInput()).isDynamicDim(dim) ||
        tensorOf(pad.getInput()).getDimSize(dim) < 1)
      break;
    v = pad.getInput();
  }
  return v;
}

namespace {

/// irfft(rfft(signal, n) * rfft(filter, n), n).
struct Product {
  Value signal;
  Value filter;
  int64_t n;

  int64_t numSamples() const {
    return std::min(n, tensorOf(signal).getDimSize(2));
  }
  int64_t numTaps() const {
    return std::min(n, tensorOf(filter).getDimSize(1));
  }
  /// Whether values `offset` and later have nothing wrapped around onto them.
  bool isLinearFrom(int64_t offset) const {
    return offset + n >= numSamples() + numTaps() - 1;
  }
  /// The product of what is padded with zeros, implicitly then.
  Product stripped() const {
    return {stripZeros(signal, 2), stripZeros(filter, 1), n};
  }
  /// Whether the convolution wraps around the end of the signal. Zeros that
  /// are written count as samples if something but them does wrap around.
  bool isCircular() const {
    return n == tensorOf(signal).getDimSize(2) && !stripped().isLinearFrom(0);
  }
};

/// A filter laid on a circle: `filter` from the front, `reverse` backwards from
/// the end.
struct TwoSided {
  Value filter;
  Value reverse;
};

/// A transform as a factor of a product, with the dimensions of the product
/// along which it runs if it is repeated.
struct Factor {
  RFFTOp transform;
  SmallVector<int64_t> dims;
};

} // namespace

static std::optional<Factor> matchFactor(Value v) {
  Factor factor;
  if (auto broadcast = v.getDefiningOp<BroadcastOp>()) {
    factor.dims.assign(broadcast.getDims().begin(), broadcast.getDims().end());
    v = broadcast.getInput();
  }
  factor.transform = v.getDefiningOp<RFFTOp>();
  if (!factor.transform)
    return std::nullopt;
  return factor;
}

/// The (G, K) filter of a factor, or null.
static Value getFilter(Factor &factor) {
  Value input = factor.transform.getInput();
  if (!factor.dims.empty())
    return tensorOf(input).getRank() == 2 &&
                   ArrayRef<int64_t>(factor.dims) == ArrayRef<int64_t>{1, 2}
               ? input
               : Value();
  if (auto broadcast = input.getDefiningOp<BroadcastOp>())
    return tensorOf(broadcast.getInput()).getRank() == 2 &&
                   broadcast.getDims() == ArrayRef<int64_t>{1, 2}
               ? broadcast.getInput()
               : Value();
  return tensorOf(input).getRank() == 2 ? input : Value();
}

/// Finds the product of which `op` is the inverse transform; says why not.
static std::optional<Product> matchProduct(IRFFTOp op, std::string &why) {
  auto mul = op.getInput().getDefiningOp<SpectralMulOp>();
  if (!mul) {
    why = "the spectrum is not a product of two";
    return std::nullopt;
  }
  std::optional<Factor> lhs = matchFactor(mul.getLhs());
  std::optional<Factor> rhs = matchFactor(mul.getRhs());
  if (!lhs || !rhs) {
    why = formatv("the {0} factor of the product is not the transform of a "
                  "real signal",
                  lhs ? "right" : "left");
    return std::nullopt;
  }
  Product product;
  product.n = op.getN();
  product.filter = getFilter(*rhs);
  Factor *signal = &*lhs;
  if (!product.filter) {
    product.filter = getFilter(*lhs);
    signal = &*rhs;
  }
  if (!product.filter) {
    why = "neither factor is the transform of a (G, K) filter that is the same "
          "for the whole batch";
    return std::nullopt;
  }
  product.signal = signal->transform.getInput();
  if (!signal->dims.empty() || tensorOf(product.signal).getRank() != 3) {
    why = formatv("the signal is {0}, expected (B, C, L)",
                  product.signal.getType());
    return std::nullopt;
  }
  for (Factor factor : {*lhs, *rhs})
    if (int64_t n = factor.transform.getN(); n != product.n) {
      why = formatv("the transforms have sizes {0} and {1}, expected one", n,
                    product.n);
      return std::nullopt;
    }
  if (tensorOf(product.signal).isDynamicDim(2) ||
      tensorOf(product.signal).isDynamicDim(1) ||
      !tensorOf(product.filter).hasStaticShape()) {
    why = formatv("the length of the signal {0} or of the filter {1} is "
                  "dynamic, so that it is not known whether it wraps around",
                  product.signal.getType(), product.filter.getType());
    return std::nullopt;
  }
  if (tensorOf(product.signal).getDimSize(2) < 1 ||
      tensorOf(product.signal).getDimSize(1) < 1 ||
      tensorOf(product.filter).getDimSize(0) < 1 ||
      tensorOf(product.filter).getDimSize(1) < 1) {
    why = formatv("the signal {0} or the filter {1} is empty",
                  product.signal.getType(), product.filter.getType());
    return std::nullopt;
  }
  return product;
}

/// The filter that occupies the first values of `v`, padded with zeros.
static Value getFront(Value v) {
  auto pad = v.getDefiningOp<PadOp>();
  if (!pad)
    return v;
  return pad.getDim() == 1 && pad.getLow() == 0 ? pad.getInput() : Value();
}

/// The filter that occupies the last values of `v` backwards.
static Value getBackwards(Value v) {
  if (auto flip = v.getDefiningOp<FlipOp>())
    return flip.getDim() == 1 ? getFront(flip.getInput()) : Value();
  auto pad = v.getDefiningOp<PadOp>();
  if (!pad || pad.getDim() != 1 || pad.getHigh() != 0)
    return {};
  // A single value is its own reversal.
  if (tensorOf(pad.getInput()).getDimSize(1) == 1)
    return pad.getInput();
  auto flip = pad.getInput().getDefiningOp<FlipOp>();
  return flip && flip.getDim() == 1 ? flip.getInput() : Value();
}

/// Both filters, if they are static and have taps.
static std::optional<TwoSided> makeTwoSided(Value filter, Value reverse) {
  for (Value v : {filter, reverse})
    if (!v || !tensorOf(v).hasStaticShape() || tensorOf(v).getDimSize(1) < 1)
      return std::nullopt;
  return TwoSided{filter, reverse};
}

/// Matches pad(h) + pad(flip(r)), or concat(h, flip(r)), on a circle of n.
static std::optional<TwoSided> matchTwoSided(Value v, int64_t n) {
  if (tensorOf(v).getDimSize(1) != n)
    return std::nullopt;
  if (auto add = v.getDefiningOp<arith::AddFOp>()) {
    for (auto [first, second] :
         {std::pair<Value, Value>{add.getLhs(), add.getRhs()},
          std::pair<Value, Value>{add.getRhs(), add.getLhs()}})
      if (auto sides = makeTwoSided(getFront(first), getBackwards(second)))
        return sides;
    return std::nullopt;
  }
  auto concat = v.getDefiningOp<tensor::ConcatOp>();
  if (!concat || concat.getDim() != 1 || concat.getInputs().size() != 2)
    return std::nullopt;
  return makeTwoSided(getFront(concat.getInputs()[0]),
                      getBackwards(concat.getInputs()[1]));
}

/// Makes the convolution of which values `offset` ... `offset + length - 1` of
/// the product are the result; null, and why, where there is none. `reads` is
/// the operation that the result replaces.
static Value raiseProduct(OpBuilder &b, Location loc, const Product &written,
                          int64_t offset, int64_t length, Operation *reads,
                          std::string &why) {
  Product product = written.isCircular() ? written : written.stripped();
  int64_t samples = product.numSamples(), taps = product.numTaps();
  // A part of what is computed for each sample: cut after the convolution.
  if (offset != 0 && offset + length <= samples)
    if (Value whole = raiseProduct(b, loc, product, 0, samples, reads, why))
      return createTruncate(b, loc, whole, 2, offset, length);
  Value filter = product.filter, reverse;
  ConvMode mode = ConvMode::Causal;
  IntegerAttr lag0;
  // The value of the convolution with which the result begins.
  int64_t first = 0;
  std::optional<TwoSided> sides = matchTwoSided(product.filter, product.n);
  auto tapsOf = [](Value v) { return tensorOf(v).getDimSize(1); };
  // Positions from `length` on must not hold taps of `reverse` that a positive
  // lag reaches, positions below n - samples + 1 none of `filter` that a
  // negative one reaches.
  if (sides && offset == 0 && product.n >= length + tapsOf(sides->reverse) &&
      product.n >= samples + tapsOf(sides->filter) - 1) {
    mode = ConvMode::Bidirectional;
    filter = sides->filter;
    reverse = sides->reverse;
  } else if (product.isLinearFrom(offset)) {
    // Lag 0 is a tap: what is cut beyond the last one is cut afterwards.
    int64_t origin = std::min(offset, taps - 1);
    if (origin != 0) {
      mode = ConvMode::NonCausal;
      if (origin != (taps - 1) / 2)
        lag0 = b.getI64IntegerAttr(origin);
    }
    first = offset - origin;
  } else if (product.isCircular() && offset == 0 && length == product.n) {
    mode = ConvMode::Circular;
    if ((taps - 1) / 2 != 0)
      lag0 = b.getI64IntegerAttr(0);
  } else {
    why =
        formatv("a transform of {0} points wraps around onto the result: {1} "
                "samples and {2} taps, cut from value {3} on, need {4} points",
                product.n, samples, taps, offset, samples + taps - 1 - offset);
    return {};
  }
  // What the transform cuts off; a result longer than the signal.
  Value signal = createTruncate(b, loc, product.signal, 2, 0, samples);
  if (!reverse)
    filter = createTruncate(b, loc, filter, 1, 0, taps);
  if (first + length > samples)
    signal = createPad(b, loc, signal, 2, 0, first + length - samples);
  // Another cut of the same product may have made it.
  for (Operation *user : signal.getUsers()) {
    auto known = dyn_cast<FFTConvOp>(user);
    if (!known || known.getInput() != signal || known.getFilter() != filter ||
        known.getReverse() != reverse || known.getSkip() ||
        known.getMode() != mode || known.getLag0Attr() != lag0 ||
        known.getTapOrder() != TapOrder::Lag0First ||
        known.getLayout() != Layout::ChannelsFirst ||
        known.getType() != signal.getType())
      continue;
    Operation *reader =
        reads ? known->getBlock()->findAncestorOpInBlock(*reads) : nullptr;
    if (!reader || !known->isBeforeInBlock(reader))
      continue;
    b.setInsertionPointAfter(known);
    return createTruncate(b, loc, known.getResult(), 2, first, length);
  }
  auto conv = FFTConvOp::create(b, loc, signal.getType(), signal, filter,
                                reverse, /*skip=*/Value(), mode, lag0,
                                TapOrder::Lag0First, Layout::ChannelsFirst);
  return createTruncate(b, loc, conv.getResult(), 2, first, length);
}

/// Whether `user` cuts the last dimension.
static bool isCut(Operation *user) {
  auto truncate = dyn_cast<TruncateOp>(user);
  return truncate && truncate.getDim() == 2;
}

std::string mlir::hyena::whyNotRaised(IRFFTOp op) {
  std::string why;
  std::optional<Product> product = matchProduct(op, why);
  if (!product)
    return why;
  // The operations that this makes are erased with the block.
  Block block;
  OpBuilder b(op.getContext());
  b.setInsertionPointToEnd(&block);
  int64_t offset = 0, length = product->n;
  for (Operation *user : op->getUsers())
    if (isCut(user)) {
      offset = cast<TruncateOp>(user).getOffset();
      length = cast<TruncateOp>(user).getLength();
    }
  raiseProduct(b, op.getLoc(), *product, offset, length, /*reads=*/nullptr,
               why);
  return why;
}

namespace {

/// truncate(irfft(...)) along time -> fftconv.
struct RaiseCutProduct : OpRewritePattern<TruncateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TruncateOp op,
                                PatternRewriter &rewriter) const override {
    auto inverse = op.getInput().getDefiningOp<IRFFTOp>();
    if (!inverse || !isCut(op))
      return rewriter.notifyMatchFailure(op, "not a cut inverse transform");
    std::string why;
    std::optional<Product> product = matchProduct(inverse, why);
    if (!product)
      return rewriter.notifyMatchFailure(op, why);
    if (product->isCircular())
      return rewriter.notifyMatchFailure(op, "the whole is raised: circular");
    // Where every cut of the product can use it.
    rewriter.setInsertionPointAfter(inverse);
    Value result = raiseProduct(rewriter, op.getLoc(), *product, op.getOffset(),
                                op.getLength(), op, why);
    if (!result)
      return rewriter.notifyMatchFailure(op, why);
    if (result.getType() != op.getType())
      result =
          tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// irfft(...) that wraps around, or is used uncut -> fftconv.
struct RaiseWholeProduct : OpRewritePattern<IRFFTOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IRFFTOp op,
                                PatternRewriter &rewriter) const override {
    std::string why;
    std::optional<Product> product = matchProduct(op, why);
    if (!product)
      return rewriter.notifyMatchFailure(op, why);
    if (!product->isCircular() && llvm::all_of(op->getUsers(), isCut))
      return rewriter.notifyMatchFailure(op, "every use cuts the result");
    Value result =
        raiseProduct(rewriter, op.getLoc(), *product, 0, product->n, op, why);
    if (!result)
      return rewriter.notifyMatchFailure(op, why);
    if (result.getType() != op.getType())
      result =
          tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// concat(y[o:], y[:o]) of a circular convolution y: another index of lag 0.
struct RotateIntoLag0 : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 2)
      return rewriter.notifyMatchFailure(op, "not two parts");
    auto front = op.getInputs()[0].getDefiningOp<TruncateOp>();
    auto back = op.getInputs()[1].getDefiningOp<TruncateOp>();
    if (!front || !back || front.getInput() != back.getInput())
      return rewriter.notifyMatchFailure(op, "not two parts of one signal");
    auto conv = front.getInput().getDefiningOp<FFTConvOp>();
    if (!conv || conv.getMode() != ConvMode::Circular || conv.getSkip())
      return rewriter.notifyMatchFailure(
          op, "not a circular convolution without a skip");
    int64_t dim = conv.getTimeDim();
    int64_t length = tensorOf(conv.getResult()).getDimSize(dim);
    int64_t offset = front.getOffset();
    if ((int64_t)op.getDim() != dim || (int64_t)front.getDim() != dim ||
        (int64_t)back.getDim() != dim || back.getOffset() != 0 ||
        (int64_t)back.getLength() != offset ||
        offset + (int64_t)front.getLength() != length ||
        op.getType() != conv.getType())
      return rewriter.notifyMatchFailure(op, "the parts are not a rotation");
    if (llvm::any_of(conv->getUsers(), [&](Operation *user) {
          return user != front && user != back;
        }))
      return rewriter.notifyMatchFailure(op, "the convolution is used itself");
    int64_t lag0 = (conv.getLag0Index() + offset) % length;
    if (lag0 >= conv.getNumTaps())
      return rewriter.notifyMatchFailure(op, "lag 0 lies beyond the filter");
    IntegerAttr attr;
    if (lag0 != (conv.getNumTaps() - 1) / 2)
      attr = rewriter.getI64IntegerAttr(lag0);
    rewriter.replaceOpWithNewOp<FFTConvOp>(
        op, conv.getType(), conv.getInput(), conv.getFilter(),
        /*reverse=*/Value(), /*skip=*/Value(), ConvMode::Circular, attr,
        conv.getTapOrder(), conv.getLayout());
    return success();
  }
};

} // namespace

void mlir::hyena::populateRaiseSpectralPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseCutProduct, RaiseWholeProduct, RotateIntoLag0>(
      patterns.getContext());
}
