//===- Filters.cpp - Lowers short convolutions and modal filters ----------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"

#include "hyena/Conversion/Passes.h"
#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

using namespace mlir;
using namespace mlir::hyena;

namespace {

/// More taps than this are summed in a loop rather than written out.
constexpr int64_t maxUnrolledTaps = 8;

/// Pads the signal, then sums the taps of one element in registers.
struct LowerShortConv : OpRewritePattern<ShortConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ShortConvOp op,
                                PatternRewriter &rewriter) const override {
    const Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    FailureOr<Value> destination = createDestination(rewriter, op, type);
    if (failed(destination))
      return failure();
    const int64_t taps = op.getNumTaps(), low = op.getLowPadding();
    const int64_t high = op.getPadding() == Padding::Explicit
                             ? static_cast<int64_t>(*op.getPadHigh())
                             : taps - 1 - low;
    const int64_t channelDim = op.getChannelDim(), timeDim = op.getTimeDim();
    Value padded = op.getInput();
    if (low || high) {
      auto inputType = cast<RankedTensorType>(padded.getType());
      SmallVector<OpFoldResult> lows(3, rewriter.getIndexAttr(0));
      SmallVector<OpFoldResult> highs = lows;
      lows[timeDim] = rewriter.getIndexAttr(low);
      highs[timeDim] = rewriter.getIndexAttr(high);
      Value zero = arith::ConstantOp::create(
          rewriter, loc, rewriter.getZeroAttr(inputType.getElementType()));
      padded = tensor::PadOp::create(rewriter, loc, Type(), padded, lows, highs,
                                     zero);
    }
    const int64_t group =
        type.getDimSize(channelDim) /
        cast<RankedTensorType>(op.getWeight().getType()).getDimSize(0);
    const Type wide = getWideType(type.getElementType());
    const bool newestLast = op.getTapOrder() == TapOrder::NewestLast;

    auto body = [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
      SmallVector<Value> indices;
      for (int64_t i = 0; i < 3; ++i)
        indices.push_back(linalg::IndexOp::create(builder, loc, i));
      const Value channel = indices[channelDim];
      Value row = channel;
      if (group != 1)
        row = arith::DivUIOp::create(builder, loc, row,
                                     createIndex(builder, loc, group));
      /// sum + w[row, k] * padded[..., n + k]
      auto addTap = [&](OpBuilder &builder, Value sum, Value k) -> Value {
        Value stored = k;
        if (!newestLast)
          stored = arith::SubIOp::create(
              builder, loc, createIndex(builder, loc, taps - 1), k);
        SmallVector<Value> at = indices;
        at[timeDim] = arith::AddIOp::create(builder, loc, at[timeDim], k);
        Value sample = tensor::ExtractOp::create(builder, loc, padded, at);
        Value weight = tensor::ExtractOp::create(builder, loc, op.getWeight(),
                                                 ValueRange{row, stored});
        Value product = arith::MulFOp::create(
            builder, loc, convertFloat(builder, loc, sample, wide),
            convertFloat(builder, loc, weight, wide));
        return arith::AddFOp::create(builder, loc, sum, product);
      };
      Value sum = arith::ConstantOp::create(builder, loc,
                                            builder.getFloatAttr(wide, 0.0));
      if (op.getBias())
        sum = convertFloat(
            builder, loc,
            tensor::ExtractOp::create(builder, loc, op.getBias(), channel),
            wide);
      if (taps <= maxUnrolledTaps) {
        for (int64_t k = 0; k < taps; ++k)
          sum = addTap(builder, sum, createIndex(builder, loc, k));
      } else {
        sum =
            scf::ForOp::create(builder, loc, createIndex(builder, loc, 0),
                               createIndex(builder, loc, taps),
                               createIndex(builder, loc, 1), sum,
                               [&](OpBuilder &builder, Location loc, Value k,
                                   ValueRange sums) {
                                 scf::YieldOp::create(
                                     builder, loc, addTap(builder, sums[0], k));
                               })
                .getResult(0);
      }
      return convertFloat(builder, loc, sum, type.getElementType());
    };
    rewriter.replaceOp(
        op, createGeneric(rewriter, loc, {}, {}, *destination, 0, body));
    return success();
  }
};

/// h[c, t] = Re sum_s R[c, s] p[c, s]^t with p^t from its modulus and its angle
/// in f64, so that no error grows with t. The sum over s is the reduction.
struct LowerModalFilter : OpRewritePattern<ModalFilterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ModalFilterOp op,
                                PatternRewriter &rewriter) const override {
    const Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    FailureOr<Value> destination = createDestination(rewriter, op, type);
    if (failed(destination))
      return failure();
    const Type f64 = rewriter.getF64Type();
    Value sums = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, *destination), f64);
    sums = createZero(rewriter, loc, sums);
    const AffineExpr c = rewriter.getAffineDimExpr(0),
                     s = rewriter.getAffineDimExpr(2);
    const AffineMap map = AffineMap::get(3, 0, {c, s}, rewriter.getContext());
    sums = createGeneric(
        rewriter, loc, {op.getPoles(), op.getResidues()}, {map, map}, sums, 1,
        [&](OpBuilder &builder, Location loc, ValueRange scalars) -> Value {
          Value t = arith::IndexCastOp::create(
              builder, loc, builder.getI64Type(),
              linalg::IndexOp::create(builder, loc, 1));
          t = arith::SIToFPOp::create(builder, loc, f64, t);
          return arith::AddFOp::create(
              builder, loc, scalars[2],
              buildTerm(builder, loc, op.getForm() == ModalForm::LogPole,
                        scalars[0], scalars[1], t));
        });
    rewriter.replaceOp(
        op, createGeneric(
                rewriter, loc, sums, rewriter.getMultiDimIdentityMap(2),
                *destination, 0,
                [&](OpBuilder &builder, Location loc, ValueRange scalars) {
                  return convertFloat(builder, loc, scalars[0],
                                      type.getElementType());
                }));
    return success();
  }

  /// Re(residue * p^t).
  static Value buildTerm(OpBuilder &builder, Location loc, bool logarithm,
                         Value pole, Value residue, Value t) {
    const Type f64 = builder.getF64Type();
    if (!isa<ComplexType>(pole.getType())) {
      pole = convertFloat(builder, loc, pole, f64);
      residue = convertFloat(builder, loc, residue, f64);
      Value power =
          logarithm
              ? Value(math::ExpOp::create(
                    builder, loc, arith::MulFOp::create(builder, loc, pole, t)))
              : Value(math::PowFOp::create(builder, loc, pole, t));
      return arith::MulFOp::create(builder, loc, residue, power);
    }
    auto part = [&](Value value, bool imaginary) {
      return convertFloat(
          builder, loc,
          imaginary ? Value(complex::ImOp::create(builder, loc, value))
                    : Value(complex::ReOp::create(builder, loc, value)),
          f64);
    };
    const Value re = part(pole, false), im = part(pole, true);
    Value modulus, angle;
    if (logarithm) {
      modulus = math::ExpOp::create(builder, loc,
                                    arith::MulFOp::create(builder, loc, re, t));
      angle = arith::MulFOp::create(builder, loc, im, t);
    } else {
      Value square = arith::AddFOp::create(
          builder, loc, arith::MulFOp::create(builder, loc, re, re),
          arith::MulFOp::create(builder, loc, im, im));
      modulus = math::PowFOp::create(
          builder, loc, math::SqrtOp::create(builder, loc, square), t);
      angle = arith::MulFOp::create(
          builder, loc, math::Atan2Op::create(builder, loc, im, re), t);
    }
    Value rotated = arith::SubFOp::create(
        builder, loc,
        arith::MulFOp::create(builder, loc, part(residue, false),
                              math::CosOp::create(builder, loc, angle)),
        arith::MulFOp::create(builder, loc, part(residue, true),
                              math::SinOp::create(builder, loc, angle)));
    return arith::MulFOp::create(builder, loc, modulus, rotated);
  }
};

} // namespace

void mlir::hyena::populateFilterPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerShortConv, LowerModalFilter>(patterns.getContext());
}
