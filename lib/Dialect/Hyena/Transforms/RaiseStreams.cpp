//===- RaiseStreams.cpp - Slices of channels to chunk -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "RaisePatterns.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::hyena;

/// Whether `size` is all of dimension `dim` of `v`.
static bool isWholeExtent(OpFoldResult size, Value v, int64_t dim) {
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return *known == tensorOf(v).getDimSize(dim);
  auto dimOp = cast<Value>(size).getDefiningOp<tensor::DimOp>();
  if (!dimOp)
    return false;
  std::optional<int64_t> index = dimOp.getConstantIndex();
  if (dimOp.getSource() == v)
    return index == std::optional<int64_t>(dim);
  // A dimension that a reshape leaves as it is.
  auto expand = v.getDefiningOp<tensor::ExpandShapeOp>();
  if (!expand || dimOp.getSource() != expand.getSrc() || !index)
    return false;
  ReassociationIndices group = expand.getReassociationIndices()[*index];
  return group == ReassociationIndices{dim};
}

std::optional<SmallVector<Cut>>
mlir::hyena::getCuts(tensor::ExtractSliceOp op) {
  Value source = op.getSource();
  SmallVector<Cut> cuts;
  for (int64_t dim = 0, e = tensorOf(source).getRank(); dim < e; ++dim) {
    std::optional<int64_t> offset =
        getConstantIntValue(op.getMixedOffsets()[dim]);
    std::optional<int64_t> stride =
        getConstantIntValue(op.getMixedStrides()[dim]);
    OpFoldResult size = op.getMixedSizes()[dim];
    if (!offset || !stride)
      return std::nullopt;
    if (*offset == 0 && *stride == 1 && isWholeExtent(size, source, dim))
      continue;
    std::optional<int64_t> length = getConstantIntValue(size);
    if (!length || *length < 1)
      return std::nullopt;
    cuts.push_back({dim, *offset, *length, *stride});
  }
  return cuts;
}

/// The single cut that `op` makes, if it is a slice or a truncate of a tensor.
static std::optional<Cut> getSingleCut(Operation *op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    std::optional<SmallVector<Cut>> cuts = getCuts(slice);
    if (cuts && cuts->size() == 1)
      return cuts->front();
  }
  if (auto truncate = dyn_cast<TruncateOp>(op))
    return Cut{(int64_t)truncate.getDim(), (int64_t)truncate.getOffset(),
               (int64_t)truncate.getLength(), 1};
  return std::nullopt;
}

namespace {

/// How the channels of an activation are split into streams.
struct Split {
  Arrangement arrangement = Arrangement::Blocks;
  IntegerAttr heads;
  /// The dimension that holds the channels.
  int64_t channelDim = 0;
  /// For each stream the values that hold it.
  SmallVector<SmallVector<Value>> streams;
};

} // namespace

/// Replaces the streams of `split` by those of a chunk of `source`; does
/// nothing and says why if one is not there or has another type.
static LogicalResult replaceByChunk(PatternRewriter &rewriter, Operation *op,
                                    Value source, const Split &split) {
  int64_t channels = tensorOf(source).getDimSize(split.channelDim);
  int64_t width = channels / (int64_t)split.streams.size();
  RankedTensorType type = withExtent(source, split.channelDim, width);
  for (const auto &of : split.streams) {
    if (of.empty())
      return rewriter.notifyMatchFailure(op, "a stream is not read");
    for (Value stream : of)
      if (stream.getType() != type)
        return rewriter.notifyMatchFailure(op, "a stream has another type");
  }
  rewriter.setInsertionPointAfterValue(source);
  SmallVector<Type> types(split.streams.size(), type);
  auto chunk = ChunkOp::create(
      rewriter, op->getLoc(), types, source, split.arrangement, split.heads,
      split.channelDim == 2 ? Layout::ChannelsLast : Layout::ChannelsFirst);
  for (auto [i, of] : llvm::enumerate(split.streams))
    for (Value stream : of)
      rewriter.replaceOp(stream.getDefiningOp(), chunk.getResult(i));
  return success();
}

namespace {

/// Slices of one tensor that together are all of its channels -> chunk.
struct SlicesToChunk : OpRewritePattern<tensor::ExtractSliceOp> {
  SlicesToChunk(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    Value source = op.getSource();
    RankedTensorType type = tensorOf(source);
    std::optional<Cut> cut = getSingleCut(op);
    if (type.getRank() != 3 || !isReal(source) || !cut || cut->dim == 0)
      return rewriter.notifyMatchFailure(op, "not a slice of channels");
    int64_t channels = type.getDimSize(cut->dim), width = cut->length;
    if (ShapedType::isDynamic(channels) || channels % width != 0)
      return rewriter.notifyMatchFailure(op, "streams of unequal width");
    int64_t streams = channels / width;
    bool interleaved = cut->stride == streams && streams > 1;
    if (streams < 2 || (cut->stride != 1 && !interleaved))
      return rewriter.notifyMatchFailure(op, "neither blocks nor interleaved");
    Split split;
    split.channelDim = cut->dim;
    if (interleaved)
      split.arrangement = Arrangement::Interleaved;
    split.streams.resize(streams);
    for (Operation *user : source.getUsers()) {
      std::optional<Cut> other = getSingleCut(user);
      if (!other || other->dim != cut->dim || other->length != width ||
          other->stride != cut->stride)
        continue;
      int64_t stream = interleaved ? other->offset : other->offset / width;
      if (stream < streams && (interleaved || other->offset % width == 0))
        split.streams[stream].push_back(user->getResult(0));
    }
    return replaceByChunk(rewriter, op, source, split);
  }
};

/// collapse(extract_slice(expand(x))), where the channels are expanded to
/// several dimensions of which the slices divide one -> chunk.
struct ReshapedSlicesToChunk : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The slice that `op` reshapes, and its only cut.
  static std::optional<std::pair<tensor::ExtractSliceOp, Cut>>
  matchSlice(tensor::CollapseShapeOp op) {
    auto slice = op.getSrc().getDefiningOp<tensor::ExtractSliceOp>();
    std::optional<SmallVector<Cut>> cuts =
        slice ? getCuts(slice) : std::nullopt;
    if (!cuts || cuts->size() != 1 || cuts->front().stride != 1)
      return std::nullopt;
    return std::pair(slice, cuts->front());
  }

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto matched = matchSlice(op);
    if (!matched)
      return rewriter.notifyMatchFailure(op, "not a slice of one dimension");
    auto [slice, cut] = *matched;
    auto expand = slice.getSource().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || !isReal(expand.getSrc()) ||
        expand.getSrcType().getRank() != 3 || op.getType().getRank() != 3)
      return rewriter.notifyMatchFailure(op, "no expanded activation");
    // The group of dimensions that the slices divide.
    RankedTensorType type = expand.getResultType();
    int64_t channelDim = -1, outer = 1, inner = 1;
    for (auto [i, group] : llvm::enumerate(expand.getReassociationIndices())) {
      if (group.size() == 1)
        continue;
      if (channelDim != -1 || i == 0 || !llvm::is_contained(group, cut.dim))
        return rewriter.notifyMatchFailure(op, "not the channels alone");
      channelDim = i;
      for (int64_t dim : group) {
        if (type.isDynamicDim(dim))
          return rewriter.notifyMatchFailure(op, "a dynamic extent");
        if (dim != cut.dim)
          (dim < cut.dim ? outer : inner) *= type.getDimSize(dim);
      }
    }
    int64_t extent = type.getDimSize(cut.dim);
    if (channelDim == -1 || extent % cut.length != 0 || extent == cut.length ||
        outer == 0 || inner == 0)
      return rewriter.notifyMatchFailure(op, "streams of unequal width");
    // Channel c of stream s is found at (c div w) * S * w + s * w + c mod w
    // with w = length * inner: one head for each index of the outer dimensions.
    Split split;
    split.channelDim = channelDim;
    if (cut.length * inner == 1) {
      split.arrangement = Arrangement::Interleaved;
    } else if (outer != 1) {
      split.arrangement = Arrangement::PerHead;
      split.heads = rewriter.getI64IntegerAttr(outer);
    }
    split.streams.resize(extent / cut.length);
    for (Operation *reader : expand->getUsers())
      for (Operation *user : reader->getUsers()) {
        auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
        auto other = collapse ? matchSlice(collapse) : std::nullopt;
        if (other && other->first == reader && other->second.dim == cut.dim &&
            other->second.length == cut.length &&
            other->second.offset % cut.length == 0 &&
            other->second.offset < extent && collapse.getType() == op.getType())
          split.streams[other->second.offset / cut.length].push_back(
              collapse.getResult());
      }
    return replaceByChunk(rewriter, op, expand.getSrc(), split);
  }
};

} // namespace

void mlir::hyena::populateRaiseStreamPatterns(RewritePatternSet &patterns) {
  patterns.add<SlicesToChunk, ReshapedSlicesToChunk>(patterns.getContext());
}
