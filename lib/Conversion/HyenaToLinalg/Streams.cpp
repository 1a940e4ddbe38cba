//===- Streams.cpp - Lowers chunks, gates, pads and the like --------------===//
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

/// A chunk of whole or evenly spaced channels is a view, else a gather.
struct LowerChunk : OpRewritePattern<ChunkOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ChunkOp op,
                                PatternRewriter &rewriter) const override {
    const Location loc = op.getLoc();
    auto inputType = cast<RankedTensorType>(op.getInput().getType());
    const int64_t dim = op.getChannelDim();
    const int64_t streams = op.getNumResults();
    const bool isView = op.getArrangement() != Arrangement::PerHead;
    SmallVector<OpFoldResult> extents =
        tensor::getMixedSizes(rewriter, loc, op.getInput());
    SmallVector<Value> results;
    for (int64_t stream = 0; stream < streams; ++stream) {
      auto type = cast<RankedTensorType>(op.getResult(stream).getType());
      extents[dim] = rewriter.getIndexAttr(type.getDimSize(dim));
      if (isView) {
        const bool blocks = op.getArrangement() == Arrangement::Blocks;
        SmallVector<OpFoldResult> offsets(3, rewriter.getIndexAttr(0));
        SmallVector<OpFoldResult> strides(3, rewriter.getIndexAttr(1));
        offsets[dim] = rewriter.getIndexAttr(
            blocks ? stream * type.getDimSize(dim) : stream);
        if (!blocks)
          strides[dim] = rewriter.getIndexAttr(streams);
        Value slice = tensor::ExtractSliceOp::create(
            rewriter, loc, op.getInput(), offsets, extents, strides);
        results.push_back(tensor::CastOp::create(rewriter, loc, type, slice));
        continue;
      }
      SmallVector<Value> dynamic;
      for (int64_t i = 0; i < 3; ++i)
        if (type.isDynamicDim(i))
          dynamic.push_back(
              getValueOrCreateConstantIndexOp(rewriter, loc, extents[i]));
      Value destination = tensor::EmptyOp::create(rewriter, loc, type, dynamic);
      const AffineMap channel = op.getChannelMap(stream);
      results.push_back(createGeneric(
          rewriter, loc, {}, {}, destination, 0,
          [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
            SmallVector<Value> indices;
            for (int64_t i = 0; i < inputType.getRank(); ++i)
              indices.push_back(linalg::IndexOp::create(builder, loc, i));
            indices[dim] = affine::AffineApplyOp::create(builder, loc, channel,
                                                         indices[dim]);
            return tensor::ExtractOp::create(builder, loc, op.getInput(),
                                             indices);
          }));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct LowerTranspose : OpRewritePattern<hyena::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(hyena::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    FailureOr<Value> destination = createDestination(rewriter, op, type);
    if (failed(destination))
      return failure();
    SmallVector<unsigned> permutation(
        llvm::to_vector(llvm::seq<unsigned>(0, type.getRank())));
    std::swap(permutation[type.getRank() - 1], permutation[type.getRank() - 2]);
    rewriter.replaceOp(
        op,
        createGeneric(
            rewriter, op.getLoc(), op.getInput(),
            AffineMap::getPermutationMap(permutation, rewriter.getContext()),
            *destination, 0, [](OpBuilder &, Location, ValueRange scalars) {
              return scalars[0];
            }));
    return success();
  }
};

/// The product is formed in the wide type and rounded once.
struct LowerGate : OpRewritePattern<GateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GateOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    FailureOr<Value> destination = createDestination(rewriter, op, type);
    if (failed(destination))
      return failure();
    const Type elementType = type.getElementType();
    SmallVector<AffineMap> maps(
        op.getInputs().size(), rewriter.getMultiDimIdentityMap(type.getRank()));
    rewriter.replaceOp(
        op,
        createGeneric(
            rewriter, op.getLoc(), op.getInputs(), maps, *destination, 0,
            [&](OpBuilder &builder, Location loc, ValueRange scalars) -> Value {
              const Type wide = getWideType(elementType);
              Value product = convertFloat(builder, loc, scalars[0], wide);
              for (Value scalar : scalars.drop_front().drop_back())
                product = arith::MulFOp::create(
                    builder, loc, product,
                    convertFloat(builder, loc, scalar, wide));
              return convertFloat(builder, loc, product, elementType);
            }));
    return success();
  }
};

struct LowerBroadcast : OpRewritePattern<hyena::BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(hyena::BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    FailureOr<Value> destination = createDestination(rewriter, op, type);
    if (failed(destination))
      return failure();
    SmallVector<AffineExpr> dims;
    for (int64_t dim : op.getDims())
      dims.push_back(rewriter.getAffineDimExpr(dim));
    rewriter.replaceOp(
        op, createGeneric(
                rewriter, op.getLoc(), op.getInput(),
                AffineMap::get(type.getRank(), 0, dims, rewriter.getContext()),
                *destination, 0, [](OpBuilder &, Location, ValueRange scalars) {
                  return scalars[0];
                }));
    return success();
  }
};

struct LowerPad : OpRewritePattern<hyena::PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(hyena::PadOp op,
                                PatternRewriter &rewriter) const override {
    const Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    const Type elementType = type.getElementType();
    SmallVector<OpFoldResult> low(type.getRank(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> high = low;
    low[op.getDim()] = rewriter.getIndexAttr(op.getLow());
    high[op.getDim()] = rewriter.getIndexAttr(op.getHigh());
    Value zero;
    if (auto complexType = dyn_cast<ComplexType>(elementType)) {
      const Attribute part =
          rewriter.getFloatAttr(complexType.getElementType(), 0.0);
      zero = complex::ConstantOp::create(rewriter, loc, complexType,
                                         rewriter.getArrayAttr({part, part}));
    } else {
      zero = arith::ConstantOp::create(rewriter, loc,
                                       rewriter.getZeroAttr(elementType));
    }
    rewriter.replaceOpWithNewOp<tensor::PadOp>(op, type, op.getInput(), low,
                                               high, zero);
    return success();
  }
};

struct LowerTruncate : OpRewritePattern<TruncateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TruncateOp op,
                                PatternRewriter &rewriter) const override {
    const Location loc = op.getLoc();
    const int64_t dim = op.getDim();
    SmallVector<OpFoldResult> extents =
        tensor::getMixedSizes(rewriter, loc, op.getInput());
    SmallVector<OpFoldResult> offsets(extents.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(extents.size(), rewriter.getIndexAttr(1));
    offsets[dim] = rewriter.getIndexAttr(op.getOffset());
    extents[dim] = rewriter.getIndexAttr(op.getLength());
    Value slice = tensor::ExtractSliceOp::create(rewriter, loc, op.getInput(),
                                                 offsets, extents, strides);
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, op.getType(), slice);
    return success();
  }
};

struct LowerFlip : OpRewritePattern<FlipOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(FlipOp op,
                                PatternRewriter &rewriter) const override {
    const Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    FailureOr<Value> destination = createDestination(rewriter, op, type);
    if (failed(destination))
      return failure();
    const int64_t dim = op.getDim();
    Value last = arith::SubIOp::create(
        rewriter, loc, createExtent(rewriter, loc, op.getInput(), dim),
        createIndex(rewriter, loc, 1));
    rewriter.replaceOp(
        op, createGeneric(
                rewriter, loc, {}, {}, *destination, 0,
                [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
                  SmallVector<Value> indices;
                  for (int64_t i = 0; i < type.getRank(); ++i)
                    indices.push_back(linalg::IndexOp::create(builder, loc, i));
                  indices[dim] =
                      arith::SubIOp::create(builder, loc, last, indices[dim]);
                  return tensor::ExtractOp::create(builder, loc, op.getInput(),
                                                   indices);
                }));
    return success();
  }
};

} // namespace

void mlir::hyena::populateStreamPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerChunk, LowerTranspose, LowerGate, LowerBroadcast, LowerPad,
               LowerTruncate, LowerFlip>(patterns.getContext());
}
