//===- Spectra.cpp - Lowers transforms that were not raised ---------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"

#include "hyena/Conversion/Passes.h"
#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hyena;

/// exp(2 pi i j / n) for j = 0 ... n-1, in complex<f64>.
static Value createRoots(PatternRewriter &rewriter, Location loc, int64_t n) {
  auto type = ComplexType::get(rewriter.getF64Type());
  Value destination =
      tensor::EmptyOp::create(rewriter, loc, ArrayRef<int64_t>{n}, type);
  return createGeneric(
      rewriter, loc, {}, {}, destination, 0,
      [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
        const Type f64 = builder.getF64Type();
        Value j = arith::IndexCastOp::create(
            builder, loc, builder.getI64Type(),
            linalg::IndexOp::create(builder, loc, 0));
        Value angle = arith::MulFOp::create(
            builder, loc, arith::SIToFPOp::create(builder, loc, f64, j),
            arith::ConstantOp::create(
                builder, loc,
                builder.getF64FloatAttr(2.0 * llvm::numbers::pi / n)));
        return complex::CreateOp::create(
            builder, loc, type, math::CosOp::create(builder, loc, angle),
            math::SinOp::create(builder, loc, angle));
      });
}

/// The root with index (k * m) mod n.
static Value readRoot(OpBuilder &builder, Location loc, Value roots, Value k,
                      Value m, int64_t n) {
  Value index = arith::RemUIOp::create(
      builder, loc, arith::MulIOp::create(builder, loc, k, m),
      createIndex(builder, loc, n));
  return tensor::ExtractOp::create(builder, loc, roots, index);
}

/// A zero-filled tensor of the shape of `like`.
static Value createSums(PatternRewriter &rewriter, Location loc, Value like,
                        Type elementType) {
  Value sums = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, like), elementType);
  return createZero(rewriter, loc, sums);
}

/// The map of an operand whose last dimension is the reduction of a generic
/// over a result of rank `rank`.
static AffineMap getReducedMap(Builder &builder, int64_t rank) {
  SmallVector<AffineExpr> dims;
  for (int64_t i = 0; i + 1 < rank; ++i)
    dims.push_back(builder.getAffineDimExpr(i));
  dims.push_back(builder.getAffineDimExpr(rank));
  return AffineMap::get(rank + 1, 0, dims, builder.getContext());
}

namespace {

struct LowerRFFT : OpRewritePattern<RFFTOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RFFTOp op,
                                PatternRewriter &rewriter) const override {
    const Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    FailureOr<Value> destination = createDestination(rewriter, op, type);
    if (failed(destination))
      return failure();
    const int64_t n = op.getN(), rank = type.getRank();
    // Samples beyond n do not count.
    SmallVector<OpFoldResult> extents =
        tensor::getMixedSizes(rewriter, loc, op.getInput());
    SmallVector<OpFoldResult> zeros(rank, rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(rank, rewriter.getIndexAttr(1));
    const AffineExpr length = rewriter.getAffineSymbolExpr(0);
    extents.back() = affine::makeComposedFoldedAffineMin(
        rewriter, loc,
        AffineMap::get(0, 1, {length, rewriter.getAffineConstantExpr(n)},
                       rewriter.getContext()),
        {extents.back()});
    Value input = tensor::ExtractSliceOp::create(rewriter, loc, op.getInput(),
                                                 zeros, extents, ones);
    Value roots = createRoots(rewriter, loc, n);
    auto wide = ComplexType::get(rewriter.getF64Type());
    Value sums = createSums(rewriter, loc, *destination, wide);
    sums = createGeneric(
        rewriter, loc, input, getReducedMap(rewriter, rank), sums, 1,
        [&](OpBuilder &builder, Location loc, ValueRange scalars) -> Value {
          Value root = readRoot(builder, loc, roots,
                                linalg::IndexOp::create(builder, loc, rank - 1),
                                linalg::IndexOp::create(builder, loc, rank), n);
          Value x =
              convertFloat(builder, loc, scalars[0], builder.getF64Type());
          Value re = arith::MulFOp::create(
              builder, loc, x, complex::ReOp::create(builder, loc, root));
          Value im = arith::MulFOp::create(
              builder, loc, x, complex::ImOp::create(builder, loc, root));
          // The forward transform has the conjugate roots.
          return complex::CreateOp::create(
              builder, loc, wide,
              arith::AddFOp::create(
                  builder, loc, complex::ReOp::create(builder, loc, scalars[1]),
                  re),
              arith::SubFOp::create(
                  builder, loc, complex::ImOp::create(builder, loc, scalars[1]),
                  im));
        });
    auto resultType = cast<ComplexType>(type.getElementType());
    rewriter.replaceOp(
        op,
        createGeneric(
            rewriter, loc, sums, rewriter.getMultiDimIdentityMap(rank),
            *destination, 0,
            [&](OpBuilder &builder, Location loc, ValueRange scalars) -> Value {
              const Type part = resultType.getElementType();
              return complex::CreateOp::create(
                  builder, loc, resultType,
                  convertFloat(builder, loc,
                               complex::ReOp::create(builder, loc, scalars[0]),
                               part),
                  convertFloat(builder, loc,
                               complex::ImOp::create(builder, loc, scalars[0]),
                               part));
            }));
    return success();
  }
};

/// x[m] = 1/n sum_k w_k Re(X[k] exp(2 pi i k m / n)) over the stored half;
/// w_k = 1 for k = 0 and for k = n/2, whose imaginary parts do not count,
/// else 2.
struct LowerIRFFT : OpRewritePattern<IRFFTOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IRFFTOp op,
                                PatternRewriter &rewriter) const override {
    const Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    FailureOr<Value> destination = createDestination(rewriter, op, type);
    if (failed(destination))
      return failure();
    const int64_t n = op.getN(), rank = type.getRank();
    const Type f64 = rewriter.getF64Type();
    Value roots = createRoots(rewriter, loc, n);
    Value sums = createSums(rewriter, loc, *destination, f64);
    sums = createGeneric(
        rewriter, loc, op.getInput(), getReducedMap(rewriter, rank), sums, 1,
        [&](OpBuilder &builder, Location loc, ValueRange scalars) -> Value {
          Value k = linalg::IndexOp::create(builder, loc, rank);
          Value root =
              readRoot(builder, loc, roots, k,
                       linalg::IndexOp::create(builder, loc, rank - 1), n);
          auto isIndex = [&](int64_t index) -> Value {
            return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         k, createIndex(builder, loc, index));
          };
          Value single = isIndex(0);
          if (n % 2 == 0)
            single = arith::OrIOp::create(builder, loc, single, isIndex(n / 2));
          auto constant = [&](double value) -> Value {
            return arith::ConstantOp::create(builder, loc,
                                             builder.getF64FloatAttr(value));
          };
          Value re = convertFloat(
              builder, loc, complex::ReOp::create(builder, loc, scalars[0]),
              f64);
          Value im = convertFloat(
              builder, loc, complex::ImOp::create(builder, loc, scalars[0]),
              f64);
          im = arith::SelectOp::create(builder, loc, single, constant(0), im);
          Value weight = arith::SelectOp::create(
              builder, loc, single, constant(1.0 / n), constant(2.0 / n));
          Value real = arith::SubFOp::create(
              builder, loc,
              arith::MulFOp::create(builder, loc, re,
                                    complex::ReOp::create(builder, loc, root)),
              arith::MulFOp::create(builder, loc, im,
                                    complex::ImOp::create(builder, loc, root)));
          return arith::AddFOp::create(
              builder, loc, scalars[1],
              arith::MulFOp::create(builder, loc, weight, real));
        });
    rewriter.replaceOp(
        op, createGeneric(
                rewriter, loc, sums, rewriter.getMultiDimIdentityMap(rank),
                *destination, 0,
                [&](OpBuilder &builder, Location loc, ValueRange scalars) {
                  return convertFloat(builder, loc, scalars[0],
                                      type.getElementType());
                }));
    return success();
  }
};

struct LowerSpectralMul : OpRewritePattern<SpectralMulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SpectralMulOp op,
                                PatternRewriter &rewriter) const override {
    const Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    FailureOr<Value> destination = createDestination(rewriter, op, type);
    if (failed(destination))
      return failure();
    auto rhsType = cast<RankedTensorType>(op.getRhs().getType());
    const int64_t rank = type.getRank();
    const AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
    if (rhsType.getRank() == rank) {
      rewriter.replaceOp(
          op, createGeneric(rewriter, loc, {op.getLhs(), op.getRhs()},
                            {identity, identity}, *destination, 0,
                            [](OpBuilder &builder, Location loc,
                               ValueRange scalars) -> Value {
                              return complex::MulOp::create(
                                  builder, loc, scalars[0], scalars[1]);
                            }));
      return success();
    }
    if (type.isDynamicDim(1) || rhsType.isDynamicDim(0))
      return rewriter.notifyMatchFailure(op, "channel counts must be static");
    const int64_t group = type.getDimSize(1) / rhsType.getDimSize(0);
    rewriter.replaceOp(
        op,
        createGeneric(
            rewriter, loc, op.getLhs(), identity, *destination, 0,
            [&](OpBuilder &builder, Location loc, ValueRange scalars) -> Value {
              Value row = arith::DivUIOp::create(
                  builder, loc, linalg::IndexOp::create(builder, loc, 1),
                  createIndex(builder, loc, group));
              Value factor = tensor::ExtractOp::create(
                  builder, loc, op.getRhs(),
                  ValueRange{row, linalg::IndexOp::create(builder, loc, 2)});
              return complex::MulOp::create(builder, loc, scalars[0], factor);
            }));
    return success();
  }
};

} // namespace

void mlir::hyena::populateSpectrumPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerRFFT, LowerIRFFT, LowerSpectralMul>(patterns.getContext());
}
