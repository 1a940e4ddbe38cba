//===- Sampling.cpp - which convolutions may be sampled -------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows time from each long convolution to the results of the function. As
// long as every operation on the way computes its result at time n from its
// operands at time n, the convolution is needed at the sampled times only. An
// operation that is not known to do so makes all convolutions that it depends
// on be evaluated in full; then the others are looked at anew.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace hyena::interp {

using namespace mlir;
namespace dialect = mlir::hyena;

std::vector<int64_t> sampleTimes(int64_t length, int64_t samples) {
  std::vector<int64_t> times;
  if (samples <= 0 || samples >= length)
    samples = length;
  times.reserve(samples);
  for (int64_t i = 0; i < samples; ++i)
    times.push_back(samples == 1 ? length - 1
                                 : i * (length - 1) / (samples - 1));
  return times;
}

int64_t SamplingPlan::timeDim(mlir::Value value) const {
  auto entry = timeDims.find(value);
  return entry == timeDims.end() ? -1 : entry->second;
}

/// The dimension of the results that is time if operand `number` has its time
/// in dimension `dim`; nothing if the operation mixes times.
static std::optional<int64_t> followTime(OpOperand &operand, int64_t dim);

/// A dimension that an operation of a layout attribute swaps with its neighbour
/// where the layout is channels_first.
static int64_t swapTimeAndChannel(int64_t dim) { return 3 - dim; }

static std::optional<int64_t> followReshape(ArrayRef<ReassociationIndices> map,
                                            int64_t dim, bool expands) {
  for (auto [i, group] : llvm::enumerate(map)) {
    if (expands ? static_cast<int64_t>(i) != dim
                : !llvm::is_contained(group, dim))
      continue;
    if (group.size() != 1)
      return std::nullopt;
    return expands ? group[0] : static_cast<int64_t>(i);
  }
  return std::nullopt;
}

static std::optional<int64_t> followLinalg(linalg::LinalgOp op,
                                           OpOperand &operand, int64_t dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
  if (!loop || op.getIteratorTypesArray()[loop.getPosition()] !=
                   utils::IteratorType::parallel)
    return std::nullopt;
  // The loop must be a plain index of every result, at one position.
  std::optional<int64_t> found;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap resultMap = op.getMatchingIndexingMap(&init);
    for (auto [position, expr] : llvm::enumerate(resultMap.getResults()))
      if (expr == loop) {
        if (found && *found != static_cast<int64_t>(position))
          return std::nullopt;
        found = position;
      }
    if (!found || resultMap.getResult(*found) != loop)
      return std::nullopt;
  }
  return found;
}

static std::optional<int64_t> followTime(OpOperand &operand, int64_t dim) {
  Operation *op = operand.getOwner();
  if (isa<dialect::GateOp, tensor::CastOp>(op))
    return dim;
  if (op->hasTrait<OpTrait::Elementwise>() && op->getNumRegions() == 0 &&
      findKernel(op))
    return dim;
  if (auto project = dyn_cast<dialect::ProjectOp>(op)) {
    if (operand.getOperandNumber() != 0)
      return std::nullopt;
    int64_t rank = cast<RankedTensorType>(operand.get().getType()).getRank();
    bool swapsIn = project.getInputLayout() == dialect::Layout::ChannelsFirst;
    bool swapsOut = project.getResultLayout() == dialect::Layout::ChannelsFirst;
    if (swapsIn && dim > 0)
      dim = swapTimeAndChannel(dim);
    if (dim == rank - 1)
      return std::nullopt;
    return swapsOut && dim > 0 ? swapTimeAndChannel(dim) : dim;
  }
  if (isa<dialect::TransposeOp>(op)) {
    int64_t rank = cast<RankedTensorType>(operand.get().getType()).getRank();
    return dim == rank - 1 ? rank - 2 : dim == rank - 2 ? rank - 1 : dim;
  }
  if (auto chunk = dyn_cast<dialect::ChunkOp>(op)) {
    int64_t channels =
        chunk.getLayout() == dialect::Layout::ChannelsLast ? 2 : 1;
    return dim == channels ? std::nullopt : std::optional(dim);
  }
  if (auto broadcast = dyn_cast<dialect::BroadcastOp>(op))
    return operand.getOperandNumber() == 0
               ? std::optional(broadcast.getDims()[dim])
               : std::nullopt;
  if (isa<dialect::PadOp, dialect::TruncateOp, dialect::FlipOp>(op)) {
    int64_t along = cast<IntegerAttr>(op->getAttr("dim")).getInt();
    return along == dim ? std::nullopt : std::optional(dim);
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return followReshape(expand.getReassociationIndices(), dim, true);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return followReshape(collapse.getReassociationIndices(), dim, false);
  if (auto loops = dyn_cast<linalg::LinalgOp>(op))
    return followLinalg(loops, operand, dim);
  return std::nullopt;
}

/// Whether the operation reads no element of the operand, only its shape.
static bool readsShapeOnly(OpOperand &operand) {
  Operation *op = operand.getOwner();
  return isa<tensor::DimOp, tensor::RankOp>(op) ||
         (isa<dialect::BroadcastOp>(op) && operand.getOperandNumber() == 1);
}

SamplingPlan::SamplingPlan(FunctionOpInterface function) {
  if (function.getFunctionBody().empty())
    return;
  Block &body = function.getFunctionBody().front();
  for (Operation &op : body)
    if (isa<dialect::FFTConvOp, dialect::FusedConvOp>(op))
      sampled.insert(&op);

  // The convolutions that a value depends on.
  DenseMap<mlir::Value, SmallPtrSet<Operation *, 4>> sources;
  bool changed = true;
  while (changed) {
    changed = false;
    sources.clear();
    timeDims.clear();
    for (Operation &op : body) {
      std::optional<int64_t> dim;
      SmallPtrSet<Operation *, 4> from;
      bool mixes = false;
      // Values that a region takes from outside are operands, too.
      op.walk([&](Operation *inner) {
        for (OpOperand &operand : inner->getOpOperands()) {
          int64_t time = timeDim(operand.get());
          if (time < 0 || op.hasTrait<OpTrait::IsTerminator>() ||
              readsShapeOnly(operand))
            continue;
          const auto &operandSources = sources[operand.get()];
          from.insert(operandSources.begin(), operandSources.end());
          std::optional<int64_t> next;
          if (inner == &op)
            next = followTime(operand, time);
          mixes |= !next || (dim && *dim != *next);
          dim = next;
        }
      });
      if (mixes) {
        for (Operation *source : from)
          sampled.erase(source);
        changed = true;
        break;
      }
      bool isSource = sampled.contains(&op);
      if (!dim && !isSource)
        continue;
      for (auto [i, result] : llvm::enumerate(op.getResults())) {
        if (auto conv = dyn_cast<dialect::FFTConvOp>(op))
          timeDims[result] = conv.getTimeDim();
        else if (auto fused = dyn_cast<dialect::FusedConvOp>(op))
          timeDims[result] = *fused.getResultMap(i).getResultPosition(
              getAffineDimExpr(2, op.getContext()));
        else
          timeDims[result] = *dim;
        sources[result] = from;
        if (isSource)
          sources[result].insert(&op);
      }
    }
  }
}

} // namespace hyena::interp
