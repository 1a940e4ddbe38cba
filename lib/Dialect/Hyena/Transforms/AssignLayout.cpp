//===- AssignLayout.cpp - the pass hyena-assign-layout -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor between projections and fused convolutions may have any layout, as
// both can read and write each. The pass gives it the one that the target
// wants: channels next to one another where the lanes of a vector are channels,
// samples next to one another where they are samples.
//
//===----------------------------------------------------------------------===//

#include "Fuse/ChannelIndex.h"
#include "Fuse/FusionRemarks.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"
#include "hyena/Dialect/Hyena/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::hyena {
#define GEN_PASS_DEF_HYENAASSIGNLAYOUT
#include "hyena/Dialect/Hyena/Transforms/Passes.h.inc"
} // namespace mlir::hyena

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::fusion;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Whether `use` is one of the tensors that accesses of a fused convolution
/// read.
static bool isAccessed(OpOperand &use) {
  auto fused = dyn_cast<FusedConvOp>(use.getOwner());
  return fused && use.getOperandNumber() < fused.getInputs().size();
}

/// Whether `use` can be told another layout.
static bool isFlexible(OpOperand &use) {
  auto project = dyn_cast<ProjectOp>(use.getOwner());
  return isAccessed(use) || (project && use.getOperandNumber() == 0);
}

static AffineMap swapLastTwo(AffineMap map) {
  SmallVector<AffineExpr> results(map.getResults());
  std::swap(results[results.size() - 2], results[results.size() - 1]);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

static Layout other(Layout layout) {
  return layout == Layout::ChannelsLast ? Layout::ChannelsFirst
                                        : Layout::ChannelsLast;
}

/// Replaces the map of every access of operand `operand` of `op`.
static void updateAccesses(FusedConvOp op, unsigned operand,
                           llvm::function_ref<AffineMap(AffineMap)> update) {
  SmallVector<Attribute> accesses;
  for (int64_t i = 0, e = op.getNumAccesses(); i < e; ++i) {
    AccessAttr access = op.getAccess(i);
    if (access.getOperand() == operand)
      access =
          AccessAttr::get(op.getContext(), operand, update(access.getMap()));
    accesses.push_back(access);
  }
  op.setAccessesAttr(ArrayAttr::get(op.getContext(), accesses));
}

/// The layout of a result of rank 3, if it has one.
static std::optional<Layout> layoutOf(OpResult result) {
  if (auto project = dyn_cast<ProjectOp>(result.getOwner()))
    return project.getResultLayout();
  auto fused = cast<FusedConvOp>(result.getOwner());
  AffineMap map = fused.getResultMap(result.getResultNumber());
  if (map.getDimPosition(0) != 0)
    return std::nullopt;
  return map.getDimPosition(1) == 1 ? Layout::ChannelsFirst
                                    : Layout::ChannelsLast;
}

/// Swaps the last two dimensions of `result`; every use must be flexible.
static void swapLayout(OpResult result) {
  MLIRContext *context = result.getContext();
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[1], shape[2]);
  result.setType(RankedTensorType::get(shape, type.getElementType()));
  if (auto project = dyn_cast<ProjectOp>(result.getOwner())) {
    project.setResultLayout(other(project.getResultLayout()));
  } else {
    auto fused = cast<FusedConvOp>(result.getOwner());
    SmallVector<Attribute> maps(fused.getResultMaps().getValue());
    maps[result.getResultNumber()] = AffineMapAttr::get(
        swapLastTwo(fused.getResultMap(result.getResultNumber())));
    fused.setResultMapsAttr(ArrayAttr::get(context, maps));
  }
  for (OpOperand &use : result.getUses()) {
    if (auto project = dyn_cast<ProjectOp>(use.getOwner()))
      project.setInputLayout(other(project.getInputLayout()));
    else
      updateAccesses(cast<FusedConvOp>(use.getOwner()), use.getOperandNumber(),
                     swapLastTwo);
  }
}

//===----------------------------------------------------------------------===//
// Order of the channels
//===----------------------------------------------------------------------===//

namespace {

/// A projection whose channels are S streams of D channels, stored by heads:
/// channel c of stream s is `(c div width) * S * width + s * width + c mod
/// width`. An interleaved arrangement has heads of width 1.
struct Heads {
  int64_t streams;
  int64_t channels;
  int64_t width;

  int64_t storedAt(int64_t stream, int64_t channel) const {
    return channel / width * streams * width + stream * width + channel % width;
  }
};

} // namespace

/// The stream that `expr` reads in the arrangement `heads`, or -1.
static int64_t streamOf(AffineExpr expr, const Heads &heads) {
  int64_t first = evaluateAt(expr, 0);
  if (first % heads.width != 0)
    return -1;
  int64_t stream = first / heads.width;
  if (stream < 0 || stream >= heads.streams)
    return -1;
  for (int64_t c = 0; c < heads.channels; ++c)
    if (evaluateAt(expr, c) != heads.storedAt(stream, c))
      return -1;
  return stream;
}

/// c plus a constant.
static bool isContiguous(AffineExpr expr) {
  AffineExpr c = getAffineDimExpr(1, expr.getContext());
  return isa<AffineConstantExpr>(simplifyAffineExpr(expr - c, 3, 0));
}

/// `value`, whose first dimension is the channels, with stream after stream.
static Value reorder(OpBuilder &builder, Location loc, Value value,
                     const Heads &heads) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t numHeads = heads.channels / heads.width;
  // Heads and streams change places; what lies within them stays.
  SmallVector<int64_t> split = {numHeads, heads.streams};
  SmallVector<int64_t> joined = {heads.streams, numHeads};
  SmallVector<ReassociationIndices> groups = {{0, 1}};
  SmallVector<AffineExpr> from = {builder.getAffineDimExpr(1),
                                  builder.getAffineDimExpr(0)};
  SmallVector<AffineExpr> to = {builder.getAffineDimExpr(0),
                                builder.getAffineDimExpr(1)};
  auto keep = [&](int64_t extent) {
    from.push_back(builder.getAffineDimExpr(split.size()));
    to.push_back(from.back());
    split.push_back(extent);
    joined.push_back(extent);
  };
  if (heads.width > 1) {
    groups.front().push_back(split.size());
    keep(heads.width);
  }
  for (int64_t extent : type.getShape().drop_front()) {
    groups.push_back({static_cast<int64_t>(split.size())});
    keep(extent);
  }
  int64_t rank = split.size();
  Value parts = tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(split, type.getElementType()), value,
      groups);
  Value init =
      tensor::EmptyOp::create(builder, loc, joined, type.getElementType());
  MLIRContext *context = builder.getContext();
  AffineMap maps[] = {AffineMap::get(rank, 0, from, context),
                      AffineMap::get(rank, 0, to, context)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value moved =
      linalg::GenericOp::create(
          builder, loc, init.getType(), parts, init, maps, loops,
          [](OpBuilder &body, Location bodyLoc, ValueRange arguments) {
            linalg::YieldOp::create(body, bodyLoc, arguments.front());
          })
          .getResult(0);
  return tensor::CollapseShapeOp::create(builder, loc, type, moved, groups);
}

/// Makes the channels of each stream neighbours, where every reader is an
/// access: the rows of the weight and the bias are reordered, which is work on
/// parameters.
static void separateStreams(ProjectOp project) {
  auto type = cast<RankedTensorType>(project.getType());
  unsigned channelDim =
      project.getResultLayout() == Layout::ChannelsLast ? 2 : 1;
  int64_t stored = type.getDimSize(channelDim);
  // The channel index of each access, and the channels that it runs over.
  SmallVector<std::pair<AffineExpr, int64_t>> indices;
  for (OpOperand &use : project.getResult().getUses()) {
    auto fused = dyn_cast<FusedConvOp>(use.getOwner());
    if (!fused || !isAccessed(use))
      return;
    for (int64_t i = 0, e = fused.getNumAccesses(); i < e; ++i)
      if (fused.getAccess(i).getOperand() == use.getOperandNumber())
        indices.push_back({fused.getAccess(i).getMap().getResult(channelDim),
                           fused.getNumChannels()});
  }
  if (llvm::all_of(indices,
                   [](auto index) { return isContiguous(index.first); }))
    return;

  int64_t channels = indices.front().second;
  auto fits = [&](const Heads &heads) {
    return llvm::all_of(indices, [&](auto index) {
      return index.second == channels && streamOf(index.first, heads) >= 0;
    });
  };
  std::optional<Heads> heads;
  if (stored % channels == 0)
    for (int64_t width = 1; width < channels && !heads; ++width)
      if (Heads tried{stored / channels, channels, width};
          channels % width == 0 && fits(tried))
        heads = tried;
  if (!heads)
    return remarkLayoutKept(project, LayoutRefusal::Channels);

  OpBuilder builder(project);
  project.getWeightMutable().assign(
      reorder(builder, project.getLoc(), project.getWeight(), *heads));
  if (Value bias = project.getBias())
    project.getBiasMutable().assign(
        reorder(builder, project.getLoc(), bias, *heads));
  AffineExpr c = builder.getAffineDimExpr(1);
  for (OpOperand &use : project.getResult().getUses())
    updateAccesses(cast<FusedConvOp>(use.getOwner()), use.getOperandNumber(),
                   [&](AffineMap map) {
                     SmallVector<AffineExpr> results(map.getResults());
                     results[channelDim] =
                         c + streamOf(results[channelDim], *heads) * channels;
                     return AffineMap::get(3, 0, results, map.getContext());
                   });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct HyenaAssignLayout
    : public mlir::hyena::impl::HyenaAssignLayoutBase<HyenaAssignLayout> {
  using HyenaAssignLayoutBase::HyenaAssignLayoutBase;

  void runOnOperation() override {
    if (target != "cpu" && target != "gpu") {
      emitError(getOperation()->getLoc())
          << "hyena-assign-layout: 'target' is '" << target
          << "', expected 'cpu' or 'gpu'";
      return signalPassFailure();
    }
    Layout wanted =
        target == "cpu" ? Layout::ChannelsLast : Layout::ChannelsFirst;
    SmallVector<OpResult> results;
    SmallVector<ProjectOp> projects;
    getOperation()->walk([&](Operation *op) {
      if (auto project = dyn_cast<ProjectOp>(op))
        projects.push_back(project);
      if (isa<ProjectOp, FusedConvOp>(op))
        for (OpResult result : op->getResults())
          if (cast<RankedTensorType>(result.getType()).getRank() == 3)
            results.push_back(result);
    });
    for (OpResult result : results) {
      std::optional<Layout> layout = layoutOf(result);
      if (!layout || *layout == wanted || result.use_empty())
        continue;
      if (llvm::all_of(result.getUses(), isFlexible))
        swapLayout(result);
      else if (auto project = dyn_cast<ProjectOp>(result.getOwner()))
        remarkLayoutKept(project, LayoutRefusal::OtherUsers);
    }
    if (target != "cpu")
      return;
    for (ProjectOp project : projects)
      if (cast<RankedTensorType>(project.getType()).getRank() == 3 &&
          !project.getResult().use_empty())
        separateStreams(project);
  }
};

} // namespace
