//===- Access.cpp - vectors of channels out of any operand ----------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hyena;

/// Positions of the dimensions in an access map.
static constexpr unsigned batchPosition = 0, channelPosition = 1,
                          timePosition = 2;

/// The value of `expr` at batch 0, `channel` and `time`.
static int64_t evaluate(AffineExpr expr, int64_t channel, int64_t time) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    switch (dim.getPosition()) {
    case channelPosition:
      return channel;
    case timePosition:
      return time;
    default:
      return 0;
    }
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = evaluate(binary.getLHS(), channel, time);
  int64_t right = evaluate(binary.getRHS(), channel, time);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::Mod:
    return left - right * llvm::divideFloorSigned(left, right);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(left, right);
  default:
    return llvm::divideCeilSigned(left, right);
  }
}

Access::Access(AffineMap map, Value memref, const AccessDomain &domain,
               VectorBuilder &vectors)
    : map(map), memref(memref), type(cast<MemRefType>(memref.getType())),
      domain(domain), vectors(vectors) {
  int64_t lanes = vectors.getLanes();
  bool uniform = true;
  bool contiguous = true;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    AffineExpr expr = map.getResult(dim);
    int64_t extent = type.getDimSize(dim);
    if (expr.isFunctionOfDim(timePosition)) {
      int64_t origin = evaluate(expr, 0, 0);
      timeDims.push_back({dim, evaluate(expr, 0, 1) - origin, origin});
      continue;
    }
    if (expr.isFunctionOfDim(batchPosition)) {
      needsCheck |=
          !ShapedType::isDynamic(extent) &&
          (ShapedType::isDynamic(domain.batches) || extent < domain.batches);
      continue;
    }
    // The index of every channel, compared inside each group.
    int64_t groupStart = 0;
    for (int64_t channel = 0; channel < domain.channels; ++channel) {
      int64_t index = evaluate(expr, channel, 0);
      if (channel % lanes == 0)
        groupStart = index;
      int64_t distance = index - groupStart;
      uniform &= distance == 0;
      bool isLast = dim + 1 == map.getNumResults();
      contiguous &= distance == (isLast ? channel % lanes : 0);
      needsCheck |=
          ShapedType::isDynamic(extent) || index < 0 || index >= extent;
      if (!expr.isFunctionOfDim(channelPosition))
        break;
    }
  }
  bool lastIsChannel =
      map.getNumResults() > 0 &&
      map.getResult(map.getNumResults() - 1).isFunctionOfDim(channelPosition);
  // A vector of i1 is a bit string in memory, a memref of i1 is not.
  if (uniform)
    pattern = LanePattern::Uniform;
  else if (contiguous && lastIsChannel && !needsCheck &&
           !type.getElementType().isInteger(1))
    pattern = LanePattern::Contiguous;
}

VectorType Access::vectorType() const {
  return VectorType::get({vectors.getLanes()}, type.getElementType());
}

Value Access::extent(OpBuilder &builder, Location loc, unsigned dim) {
  if (!type.isDynamicDim(dim))
    return vectors.index(type.getDimSize(dim));
  return memref::DimOp::create(builder, loc, memref, dim);
}

Value Access::clamp(OpBuilder &builder, Location loc, Value index, unsigned dim,
                    Value &inside) {
  // One unsigned comparison: a negative index is a large one.
  Value size = extent(builder, loc, dim);
  Value within = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       index, size);
  inside = inside
               ? arith::AndIOp::create(builder, loc, inside, within).getResult()
               : within;
  return arith::SelectOp::create(builder, loc, within, index, vectors.index(0));
}

void Access::prepare(OpBuilder &builder, Location loc) {
  unsigned count = pattern == LanePattern::Scattered ? vectors.getLanes() : 1;
  indices.assign(count, SmallVector<Value>(map.getNumResults()));
  insides.assign(count, Value());
  for (unsigned lane = 0; lane < count; ++lane) {
    Value channel = domain.firstChannel;
    if (lane > 0)
      channel = vectors.addIndex(channel, vectors.index(lane));
    // Lanes behind the last channel read the last channel's element.
    if (lane > 0 && domain.laneCount)
      channel = arith::MinSIOp::create(builder, loc, channel,
                                       vectors.index(domain.channels - 1));
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
      AffineExpr expr = map.getResult(dim);
      if (expr.isFunctionOfDim(timePosition))
        continue;
      Value dims[] = {domain.batch, channel, vectors.index(0)};
      Value index;
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        index = vectors.index(constant.getValue());
      else
        index = affine::expandAffineExpr(builder, loc, expr, dims, {});
      if (needsCheck)
        index = clamp(builder, loc, index, dim, insides[lane]);
      indices[lane][dim] = index;
    }
  }
  if (!dependsOnTime())
    invariant = loadVector(builder, loc, Value(), /*checked=*/false);
}

TimeRange Access::uncheckedTimes() const {
  TimeRange range = {0, domain.length};
  for (const TimeDim &timeDim : timeDims) {
    int64_t extent = type.getDimSize(timeDim.dim);
    // A map such as (L - 1) - l is affine too, but no loop is peeled for it.
    if (ShapedType::isDynamic(extent) || timeDim.scale != 1)
      return {0, 0};
    range.lower = std::max(range.lower, -timeDim.offset);
    range.upper = std::min(range.upper, extent - timeDim.offset);
  }
  return range;
}

Value Access::timeIndex(OpBuilder &builder, Location loc,
                        const TimeDim &timeDim, Value time, bool checked,
                        Value &inside) {
  Value index = time;
  if (timeDim.scale != 1)
    index = vectors.mulIndex(index, timeDim.scale);
  if (timeDim.offset != 0)
    index = vectors.addIndex(index, vectors.index(timeDim.offset));
  if (!checked)
    return index;
  return clamp(builder, loc, index, timeDim.dim, inside);
}

SmallVector<Value> Access::laneIndices(unsigned lane,
                                       ArrayRef<Value> times) const {
  SmallVector<Value> result = indices[lane];
  for (auto [timeDim, value] : llvm::zip_equal(timeDims, times))
    result[timeDim.dim] = value;
  return result;
}

Value Access::load(OpBuilder &builder, Location loc, Value time, bool checked) {
  return invariant ? invariant : loadVector(builder, loc, time, checked);
}

Value Access::loadVector(OpBuilder &builder, Location loc, Value time,
                         bool checked) {
  Value inside;
  SmallVector<Value> times;
  for (const TimeDim &timeDim : timeDims)
    times.push_back(timeIndex(builder, loc, timeDim, time, checked, inside));
  VectorType resultType = vectorType();
  Value zeros =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(resultType));

  Value result;
  switch (pattern) {
  case LanePattern::Uniform: {
    Value scalar =
        memref::LoadOp::create(builder, loc, memref, laneIndices(0, times));
    result = vector::BroadcastOp::create(builder, loc, resultType, scalar);
    if (insides[0])
      result = arith::SelectOp::create(builder, loc, insides[0], result, zeros);
    break;
  }
  case LanePattern::Contiguous:
    if (domain.laneMask)
      result = vector::MaskedLoadOp::create(builder, loc, resultType, memref,
                                            laneIndices(0, times),
                                            domain.laneMask, zeros);
    else
      result = vector::LoadOp::create(builder, loc, resultType, memref,
                                      laneIndices(0, times));
    break;
  case LanePattern::Scattered:
    result = zeros;
    for (int64_t lane = 0; lane < vectors.getLanes(); ++lane) {
      Value scalar = memref::LoadOp::create(builder, loc, memref,
                                            laneIndices(lane, times));
      if (insides[lane]) {
        Value zero = arith::ConstantOp::create(
            builder, loc, builder.getZeroAttr(type.getElementType()));
        scalar =
            arith::SelectOp::create(builder, loc, insides[lane], scalar, zero);
      }
      result = vector::InsertOp::create(builder, loc, scalar, result, lane);
    }
    break;
  }
  if (inside)
    result = arith::SelectOp::create(builder, loc, inside, result, zeros);
  return result;
}

void Access::store(OpBuilder &builder, Location loc, Value time, Value vector) {
  Value inside;
  SmallVector<Value> times;
  for (const TimeDim &timeDim : timeDims)
    times.push_back(
        timeIndex(builder, loc, timeDim, time, /*checked=*/false, inside));
  switch (pattern) {
  case LanePattern::Contiguous:
    if (domain.laneMask)
      vector::MaskedStoreOp::create(builder, loc, memref, laneIndices(0, times),
                                    domain.laneMask, vector);
    else
      vector::StoreOp::create(builder, loc, vector, memref,
                              laneIndices(0, times));
    return;
  case LanePattern::Uniform:
  case LanePattern::Scattered:
    for (unsigned lane = 0; lane < indices.size(); ++lane)
      ifChannel(builder, loc, lane, [&] {
        Value scalar =
            vector::ExtractOp::create(builder, loc, vector, int64_t(lane));
        memref::StoreOp::create(builder, loc, scalar, memref,
                                laneIndices(lane, times));
      });
    return;
  }
}

void Access::ifChannel(OpBuilder &builder, Location loc, unsigned lane,
                       llvm::function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(builder);
  // Lane 0 always is one.
  if (lane > 0 && domain.laneCount) {
    Value valid = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        vectors.index(lane), domain.laneCount);
    scf::IfOp branch =
        scf::IfOp::create(builder, loc, valid, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  body();
}

bool Access::isTransposable() const {
  return pattern == LanePattern::Scattered && !needsCheck &&
         timeDims.size() == 1 && timeDims[0].scale == 1 &&
         timeDims[0].dim + 1 == type.getRank() &&
         !type.isDynamicDim(timeDims[0].dim) &&
         !type.getElementType().isInteger(1);
}

int64_t Access::timeExtent() const {
  return type.getDimSize(timeDims.front().dim);
}

Value Access::loadTimes(OpBuilder &builder, Location loc, unsigned lane,
                        Value index) {
  return vector::LoadOp::create(builder, loc, vectorType(), memref,
                                laneIndices(lane, index));
}

void Access::storeTimes(OpBuilder &builder, Location loc, unsigned lane,
                        Value index, Value vector) {
  ifChannel(builder, loc, lane, [&] {
    vector::StoreOp::create(builder, loc, vector, memref,
                            laneIndices(lane, index));
  });
}

void Access::prefetch(OpBuilder &builder, Location loc, Value time,
                      int64_t distance) {
  Value ahead = vectors.addIndex(time, vectors.index(distance));
  SmallVector<Value> times;
  for (const TimeDim &timeDim : timeDims) {
    Value index = ahead;
    if (timeDim.offset != 0)
      index = vectors.addIndex(index, vectors.index(timeDim.offset));
    Value last = vectors.index(type.getDimSize(timeDim.dim) - 1);
    times.push_back(arith::MinSIOp::create(builder, loc, index, last));
  }
  memref::PrefetchOp::create(builder, loc, memref, laneIndices(0, times),
                             /*isWrite=*/false, /*localityHint=*/3,
                             /*isDataCache=*/true);
}

bool Access::hasDistantRows() const {
  if (pattern != LanePattern::Contiguous || timeDims.size() != 1 ||
      timeDims[0].scale != 1 || type.isDynamicDim(timeDims[0].dim))
    return false;
  int64_t stride = type.getElementTypeBitWidth() / 8;
  for (unsigned dim = timeDims[0].dim + 1; dim < type.getRank(); ++dim) {
    if (type.isDynamicDim(dim))
      return true;
    stride *= type.getDimSize(dim);
  }
  constexpr int64_t nearBytes = 256;
  return stride > nearBytes;
}

bool Access::isSameStream(const Access &other) const {
  if (memref != other.memref)
    return false;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
    if (!map.getResult(dim).isFunctionOfDim(timePosition) &&
        map.getResult(dim) != other.map.getResult(dim))
      return false;
  return true;
}
