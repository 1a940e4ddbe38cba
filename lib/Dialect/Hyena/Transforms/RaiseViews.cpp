//===- RaiseViews.cpp - Slices, pads and copies to hyena ops -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "RaisePatterns.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::hyena;

bool mlir::hyena::isZeroTensor(Value v) {
  if (matchPattern(v, m_AnyZeroFloat()))
    return true;
  auto fill = v.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
}

namespace {

/// How a tensor is read through an affine map: dimensions of extent 1 that are
/// read at 0 are dropped, the others run along `dims` of the space.
struct View {
  SmallVector<int64_t> dims;
  SmallVector<int64_t> extents;
  SmallVector<ReassociationIndices> groups;

  bool increases() const {
    for (size_t i = 1; i < dims.size(); ++i)
      if (dims[i - 1] >= dims[i])
        return false;
    return true;
  }
  /// Whether the last two of `rank` dimensions are swapped.
  bool isTransposed(int64_t rank) const {
    if (rank < 2)
      return false;
    auto swapped = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(swapped[rank - 2], swapped[rank - 1]);
    return dims == swapped;
  }
};

} // namespace

static std::optional<View> analyseView(Value v, AffineMap map, Value like) {
  RankedTensorType type = tensorOf(v), target = tensorOf(like);
  if (map.getNumSymbols() || map.getNumDims() != target.getRank() ||
      map.getNumResults() != type.getRank())
    return std::nullopt;
  View view;
  ReassociationIndices group;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    group.push_back(i);
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      int64_t extent = type.getDimSize(i);
      int64_t wanted = target.getDimSize(dim.getPosition());
      if (extent != wanted && !ShapedType::isDynamic(extent) &&
          !ShapedType::isDynamic(wanted))
        return std::nullopt;
      view.dims.push_back(dim.getPosition());
      view.extents.push_back(extent);
      view.groups.push_back(group);
      group.clear();
      continue;
    }
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!constant || constant.getValue() != 0 || type.getDimSize(i) != 1)
      return std::nullopt;
  }
  // Dropped dimensions at the end belong to the last one that is kept.
  if (!view.groups.empty())
    llvm::append_range(view.groups.back(), group);
  if (!view.increases() && !view.isTransposed(target.getRank()))
    return std::nullopt;
  return view;
}

bool mlir::hyena::hasView(Value v, AffineMap map, Value like) {
  return analyseView(v, map, like).has_value();
}

Value mlir::hyena::createView(OpBuilder &b, Location loc, Value v,
                              AffineMap map, Value like) {
  std::optional<View> view = analyseView(v, map, like);
  RankedTensorType type = tensorOf(v);
  if ((int64_t)view->extents.size() != type.getRank())
    v = tensor::CollapseShapeOp::create(
        b, loc, RankedTensorType::get(view->extents, type.getElementType()), v,
        view->groups);
  if (!view->increases())
    return createTranspose(b, loc, v);
  if ((int64_t)view->dims.size() == tensorOf(like).getRank())
    return v;
  return createBroadcast(b, loc, v, like, view->dims);
}

namespace {

/// extract_slice without strides, of an activation or of a transform's result
/// -> truncate of each dimension that it cuts.
struct SliceToTruncate : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    Value source = op.getSource();
    if (tensorOf(source).getRank() != op.getType().getRank())
      return rewriter.notifyMatchFailure(op, "the rank is reduced");
    if (tensorOf(source).getRank() != 3 &&
        !isa_and_present<IRFFTOp>(source.getDefiningOp()))
      return rewriter.notifyMatchFailure(op, "not an activation");
    std::optional<SmallVector<Cut>> cuts = getCuts(op);
    if (!cuts)
      return rewriter.notifyMatchFailure(op,
                                         "an offset or a length is dynamic");
    for (const Cut &cut : *cuts)
      if (cut.stride != 1 || cut.offset > kMaxExtent || cut.length > kMaxExtent)
        return rewriter.notifyMatchFailure(op, "the slice has strides");
    RankedTensorType type = tensorOf(source);
    SmallVector<int64_t> shape(type.getShape());
    for (const Cut &cut : *cuts)
      shape[cut.dim] = cut.length;
    if (RankedTensorType::get(shape, type.getElementType()) != op.getType())
      return rewriter.notifyMatchFailure(op, "the slice has another type");
    Value result = source;
    for (const Cut &cut : *cuts)
      result = createTruncate(rewriter, op.getLoc(), result, cut.dim,
                              cut.offset, cut.length);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// tensor.pad with static amounts of zeros -> pad of each dimension.
struct TensorPadToPad : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    Value padding = op.getConstantPaddingValue();
    if (!padding || !matchPattern(padding, m_AnyZeroFloat()))
      return rewriter.notifyMatchFailure(op, "not padded with 0.0");
    RankedTensorType type = op.getSourceType();
    SmallVector<int64_t> shape(type.getShape());
    SmallVector<std::pair<int64_t, int64_t>> amounts;
    for (auto [low, high, extent] :
         llvm::zip_equal(op.getMixedLowPad(), op.getMixedHighPad(), shape)) {
      std::optional<int64_t> l = getConstantIntValue(low);
      std::optional<int64_t> h = getConstantIntValue(high);
      if (!l || !h || *l < 0 || *h < 0 || *l > kMaxExtent || *h > kMaxExtent ||
          extent > kMaxExtent)
        return rewriter.notifyMatchFailure(op, "an amount is dynamic");
      amounts.push_back({*l, *h});
      if (!ShapedType::isDynamic(extent))
        extent += *l + *h;
    }
    if (RankedTensorType::get(shape, type.getElementType()) !=
        op.getResultType())
      return rewriter.notifyMatchFailure(op, "the result has another type");
    Value result = op.getSource();
    for (auto [dim, amount] : llvm::enumerate(amounts))
      result = createPad(rewriter, op.getLoc(), result, dim, amount.first,
                         amount.second);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// concat of one tensor and zeros before or after it -> pad.
struct ConcatToPad : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    int64_t dim = op.getDim(), low = 0, high = 0;
    Value signal;
    for (Value input : op.getInputs()) {
      if (!isZeroTensor(input)) {
        if (signal)
          return rewriter.notifyMatchFailure(op, "two parts are not zero");
        signal = input;
        continue;
      }
      int64_t extent = tensorOf(input).getDimSize(dim);
      if (ShapedType::isDynamic(extent) || extent > kMaxExtent - low - high)
        return rewriter.notifyMatchFailure(op, "an extent is dynamic");
      (signal ? high : low) += extent;
    }
    if (!signal)
      return rewriter.notifyMatchFailure(op, "every part is zero");
    int64_t extent = tensorOf(signal).getDimSize(dim);
    if (!ShapedType::isDynamic(extent))
      extent += low + high;
    if (withExtent(signal, dim, extent) != op.getType())
      return rewriter.notifyMatchFailure(op, "the result has another type");
    rewriter.replaceOp(
        op, createPad(rewriter, op.getLoc(), signal, dim, low, high));
    return success();
  }
};

/// A linalg operation that only moves elements (copy, transpose, broadcast, or
/// a generic that yields its input) -> the input, transpose or broadcast.
struct MoveToView : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op.getNumDpsInputs() != 1 ||
        op.getNumDpsInits() != 1)
      return rewriter.notifyMatchFailure(op, "not one input and one result");
    Value input = op.getDpsInputs()[0], init = op.getDpsInits()[0];
    auto type = dyn_cast<RankedTensorType>(input.getType());
    auto target = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !target || type.getEncoding() || target.getEncoding() ||
        op.getNumParallelLoops() != op.getNumLoops() ||
        type.getElementType() != target.getElementType())
      return rewriter.notifyMatchFailure(op, "not a move of tensor elements");
    Block *body = op.getBlock();
    if (!llvm::hasSingleElement(*body) ||
        body->getTerminator()->getOperand(0) != body->getArgument(0))
      return rewriter.notifyMatchFailure(op, "the body computes");
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (!out.isPermutation())
      return rewriter.notifyMatchFailure(op, "the result is not a permutation");
    map = map.compose(inversePermutation(out));
    if (!hasView(input, map, init))
      return rewriter.notifyMatchFailure(
          op, "neither a copy, nor a transposition of the last two dimensions, "
              "nor a broadcast");
    Value view = createView(rewriter, op.getLoc(), input, map, init);
    if (view.getType() != target)
      view = tensor::CastOp::create(rewriter, op.getLoc(), target, view);
    rewriter.replaceOp(op, view);
    return success();
  }
};

} // namespace

void mlir::hyena::populateRaiseViewPatterns(RewritePatternSet &patterns) {
  patterns.add<SliceToTruncate, TensorPadToPad, ConcatToPad, MoveToView>(
      patterns.getContext());
}
