//===- RaiseLinear.cpp - linalg contractions to project, shortconv -*- C++ ===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "RaisePatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hyena;

/// The vector that `init` repeats along every dimension but `dim`, or null.
static Value getRepeatedVector(Value init, int64_t dim) {
  auto broadcast = init.getDefiningOp<BroadcastOp>();
  return broadcast && broadcast.getDims() == ArrayRef<int64_t>{dim}
             ? broadcast.getInput()
             : Value();
}

/// Whether a block computes `out + a * b` of its arguments a, b and out.
static bool isMultiplyAccumulate(Block *body) {
  auto add =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add || body->getNumArguments() != 3)
    return false;
  for (auto [sum, product] :
       {std::pair<Value, Value>{add.getLhs(), add.getRhs()},
        std::pair<Value, Value>{add.getRhs(), add.getLhs()}}) {
    auto mul = product.getDefiningOp<arith::MulFOp>();
    if (sum != body->getArgument(2) || !mul)
      continue;
    Value a = body->getArgument(0), b = body->getArgument(1);
    if ((mul.getLhs() == a && mul.getRhs() == b) ||
        (mul.getLhs() == b && mul.getRhs() == a))
      return true;
  }
  return false;
}

namespace {

/// A contraction of the last dimension of an activation with a static matrix
/// -> project. What the sum begins with is the bias, zero, or is added.
struct ContractionToProject : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  /// Whether the weight is stored (C_out, C_in) or (C_in, C_out); nothing if
  /// `input` and `weight` are not read as a linear layer reads them.
  static std::optional<bool> isTransposedWeight(AffineMap input,
                                                AffineMap weight, AffineMap out,
                                                AffineExpr reduced) {
    int64_t rank = out.getNumResults();
    if (rank < 2 || input.getNumResults() != rank ||
        weight.getNumResults() != 2 || input.getResult(rank - 1) != reduced)
      return std::nullopt;
    for (int64_t i = 0; i + 1 < rank; ++i)
      if (input.getResult(i) != out.getResult(i))
        return std::nullopt;
    AffineExpr channel = out.getResult(rank - 1);
    if (weight.getResult(0) == channel && weight.getResult(1) == reduced)
      return false;
    if (weight.getResult(0) == reduced && weight.getResult(1) == channel)
      return true;
    return std::nullopt;
  }

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op.getNumDpsInputs() != 2 ||
        op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 1 ||
        op.getNumParallelLoops() + 1 != op.getNumLoops() ||
        !isMultiplyAccumulate(op.getBlock()))
      return rewriter.notifyMatchFailure(op, "not a contraction of one index");
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type ||
        !(type.getElementType().isF32() || type.getElementType().isF64()))
      return rewriter.notifyMatchFailure(
          op, "the sum is rounded to a narrow type at each step");
    SmallVector<unsigned> reductions;
    op.getReductionDims(reductions);
    AffineExpr reduced = rewriter.getAffineDimExpr(reductions.front());
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (!out.isProjectedPermutation())
      return rewriter.notifyMatchFailure(op, "not a plain result");
    for (int64_t x : {0, 1}) {
      Value input = op.getDpsInputs()[x], weight = op.getDpsInputs()[1 - x];
      AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(1 - x));
      // A matrix that is repeated for the batch.
      if (auto broadcast = weight.getDefiningOp<BroadcastOp>()) {
        SmallVector<unsigned> dims(broadcast.getDims().begin(),
                                   broadcast.getDims().end());
        map = map.getSubMap(dims);
        weight = broadcast.getInput();
      }
      std::optional<bool> transposed = isTransposedWeight(
          op.getMatchingIndexingMap(op.getDpsInputOperand(x)), map, out,
          reduced);
      if (!transposed)
        continue;
      RankedTensorType weightType = tensorOf(weight);
      if (!weightType.hasStaticShape() || weightType.getNumElements() == 0)
        return rewriter.notifyMatchFailure(op, "the weight is not static");
      int64_t rank = type.getRank();
      Value init = op.getDpsInits()[0];
      Value bias = getRepeatedVector(init, rank - 1);
      if (bias && tensorOf(bias).isDynamicDim(0))
        return rewriter.notifyMatchFailure(op, "the bias is not static");
      Location loc = op.getLoc();
      if (*transposed)
        weight = createTranspose(rewriter, loc, weight);
      Value result =
          ProjectOp::create(rewriter, loc, type, input, weight, bias,
                            Layout::ChannelsLast, Layout::ChannelsLast);
      if (!bias && !isZeroTensor(init))
        result = arith::AddFOp::create(rewriter, loc, result, init);
      rewriter.replaceOp(op, result);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no factor is a matrix of weights");
  }
};

/// expand(project(collapse(x))) -> project(x), where the reshapes merge and
/// split the dimensions in front of the channels alike.
struct ProjectUnmerged : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto project = op.getSrc().getDefiningOp<ProjectOp>();
    if (!project || !project->hasOneUse() ||
        project.getInputLayout() != Layout::ChannelsLast ||
        project.getResultLayout() != Layout::ChannelsLast)
      return rewriter.notifyMatchFailure(
          op, "no linear layer of single use on the last dimension");
    auto collapse = project.getInput().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse ||
        collapse.getReassociationIndices() != op.getReassociationIndices() ||
        op.getReassociationIndices().back().size() != 1)
      return rewriter.notifyMatchFailure(
          op, "the input is not merged as the result is split");
    ArrayRef<int64_t> before = collapse.getSrcType().getShape();
    ArrayRef<int64_t> after = op.getType().getShape();
    if (before.drop_back() != after.drop_back())
      return rewriter.notifyMatchFailure(op, "the extents differ");
    // Two dynamic extents of one group could be divided in another way.
    for (const ReassociationIndices &group : op.getReassociationIndices())
      if (llvm::count_if(group, [&](int64_t dim) {
            return ShapedType::isDynamic(before[dim]);
          }) > 1)
        return rewriter.notifyMatchFailure(op, "several dynamic extents");
    rewriter.replaceOpWithNewOp<ProjectOp>(
        op, op.getType(), collapse.getSrc(), project.getWeight(),
        project.getBias(), Layout::ChannelsLast, Layout::ChannelsLast);
    return success();
  }
};

/// linalg.depthwise_conv_1d_* of stride and dilation 1 -> shortconv without
/// padding.
template <typename OpTy, bool channelsLast>
struct DepthwiseToShortConv : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto isOne = [](DenseIntElementsAttr attr) {
      return llvm::all_of(attr, [](const APInt &v) { return v.isOne(); });
    };
    if (!isOne(op.getStrides()) || !isOne(op.getDilations()))
      return rewriter.notifyMatchFailure(op, "stride or dilation is not 1");
    if (op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Value input = op.getInputs()[0], weight = op.getInputs()[1];
    Value init = op.getOutputs()[0];
    RankedTensorType type = tensorOf(op->getResult(0));
    Type element = type.getElementType();
    if (!(element.isF32() || element.isF64()) ||
        tensorOf(input).getElementType() != element ||
        tensorOf(weight).getElementType() != element)
      return rewriter.notifyMatchFailure(op, "not f32 or f64 throughout");
    constexpr int64_t channelDim = channelsLast ? 2 : 1;
    if (!tensorOf(weight).hasStaticShape() ||
        tensorOf(weight).getNumElements() == 0 ||
        tensorOf(input).isDynamicDim(channelDim))
      return rewriter.notifyMatchFailure(op, "channels or taps are not static");
    for (Value v : {input, Value(op->getResult(0))})
      if (tensorOf(v).getDimSize(3 - channelDim) == 0)
        return rewriter.notifyMatchFailure(op, "the signal is empty");
    Value bias = getRepeatedVector(init, channelDim);
    Location loc = op.getLoc();
    if (channelsLast)
      weight = createTranspose(rewriter, loc, weight);
    Value result = ShortConvOp::create(
        rewriter, loc, type, input, weight, bias, Padding::Explicit,
        rewriter.getI64IntegerAttr(0), rewriter.getI64IntegerAttr(0),
        TapOrder::NewestLast,
        channelsLast ? Layout::ChannelsLast : Layout::ChannelsFirst);
    if (!bias && !isZeroTensor(init))
      result = arith::AddFOp::create(rewriter, loc, result, init);
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void mlir::hyena::populateRaiseLinearPatterns(RewritePatternSet &patterns) {
  patterns.add<ContractionToProject, ProjectUnmerged,
               DepthwiseToShortConv<linalg::DepthwiseConv1DNcwCwOp, false>,
               DepthwiseToShortConv<linalg::DepthwiseConv1DNwcWcOp, true>>(
      patterns.getContext());
}
