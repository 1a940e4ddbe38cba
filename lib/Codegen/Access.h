//===- Access.h - vectors of channels out of any operand --------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access reads one element of an operand at each (batch, channel, time). For
// a group of channels this is one vector load, one scalar, or a scalar for each
// lane, which is found out from the map and the shape when code is generated.
// What does not depend on time is computed once, before the loop over time.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_CODEGEN_ACCESS_H
#define HYENA_LIB_CODEGEN_ACCESS_H

#include "VectorBuilder.h"

#include "mlir/IR/AffineMap.h"

namespace mlir::hyena {

/// The work item and the domain that accesses refer to.
struct AccessDomain {
  /// Number of channels C and samples L.
  int64_t channels;
  int64_t length;
  /// Number of batches or ShapedType::kDynamic.
  int64_t batches;
  /// The item's batch and its first channel, as index values.
  Value batch;
  Value firstChannel;
  /// vector<lanes x i1>: lanes that are channels; null if all are.
  Value laneMask;
  /// Number of lanes that are channels, as an index value; null if all are.
  Value laneCount;
};

/// How the channels of one group lie in an operand.
enum class LanePattern {
  /// Every lane reads the same element.
  Uniform,
  /// Lane i reads i elements behind lane 0, in the last dimension.
  Contiguous,
  /// Every lane has its own indices.
  Scattered,
};

/// The times at which something is inside its operand: lower <= l < upper.
struct TimeRange {
  int64_t lower;
  int64_t upper;
};

/// Reads or writes the elements that `map`, (b, c, l) -> indices, names in
/// `memref`.
class Access {
public:
  /// Analyses the access. Nothing is emitted.
  Access(AffineMap map, Value memref, const AccessDomain &domain,
         VectorBuilder &vectors);

  /// Emits what does not depend on time, at `builder`.
  void prepare(OpBuilder &builder, Location loc);

  bool dependsOnTime() const { return !timeDims.empty(); }

  /// Times at which no check is needed in any dimension that depends on time.
  TimeRange uncheckedTimes() const;

  /// The vector at `time`, which must be in uncheckedTimes() unless `checked`;
  /// then an element outside the operand reads as zero. Lanes that are no
  /// channels hold anything.
  Value load(OpBuilder &builder, Location loc, Value time, bool checked);

  /// Stores the lanes that are channels at `time`. The access must not be
  /// Uniform in a group of several channels and must be inside its operand.
  void store(OpBuilder &builder, Location loc, Value time, Value vector);

  /// Fetches the element of lane 0 at `distance` samples behind `time` (the
  /// last sample's at most) into the cache. Contiguous accesses only.
  void prefetch(OpBuilder &builder, Location loc, Value time, int64_t distance);

  /// True if the rows that follow one another in time lie so far apart that the
  /// processor does not fetch them ahead by itself.
  bool hasDistantRows() const;

  /// True if both read the same elements at times that differ by a constant.
  bool isSameStream(const Access &other) const;

  /// True if each lane's times lie side by side in the operand, so that blocks
  /// of it can be transposed: the lanes are Scattered, time is the last index
  /// plus a constant, and every channel is inside the operand.
  bool isTransposable() const;
  /// Of a transposable access: the operand's extent in time, and the index that
  /// time 0 has in it.
  int64_t timeExtent() const;
  int64_t timeOffset() const { return timeDims.front().offset; }
  /// Of a transposable access: the vector of `lanes` elements of lane `lane`
  /// that begins at `index` in time.
  Value loadTimes(OpBuilder &builder, Location loc, unsigned lane, Value index);
  /// Stores such a vector, if the lane is a channel.
  void storeTimes(OpBuilder &builder, Location loc, unsigned lane, Value index,
                  Value vector);

  LanePattern getPattern() const { return pattern; }
  int64_t getLength() const { return domain.length; }
  Type getElementType() const { return type.getElementType(); }

private:
  struct TimeDim {
    unsigned dim;
    int64_t scale;
    int64_t offset;
  };

  /// The elements' type as a vector of lanes.
  VectorType vectorType() const;
  /// An index value for `dim` at `time`, kept inside the operand if `checked`;
  /// `inside` then gains the condition that it was inside already.
  Value timeIndex(OpBuilder &builder, Location loc, const TimeDim &timeDim,
                  Value time, bool checked, Value &inside);
  /// The extent of `dim` as a value.
  Value extent(OpBuilder &builder, Location loc, unsigned dim);
  /// Clamps `index` to the operand and adds to `inside` that it was within.
  Value clamp(OpBuilder &builder, Location loc, Value index, unsigned dim,
              Value &inside);
  Value loadVector(OpBuilder &builder, Location loc, Value time, bool checked);
  /// Calls `body` with `builder` inside a condition that `lane` is a channel.
  void ifChannel(OpBuilder &builder, Location loc, unsigned lane,
                 llvm::function_ref<void()> body);
  /// The indices of lane `lane`, with those of `time` filled in.
  SmallVector<Value> laneIndices(unsigned lane, ArrayRef<Value> times) const;

  AffineMap map;
  Value memref;
  MemRefType type;
  AccessDomain domain;
  VectorBuilder &vectors;
  LanePattern pattern = LanePattern::Scattered;
  SmallVector<TimeDim> timeDims;
  /// Some index that does not depend on time may be outside the operand.
  bool needsCheck = false;
  /// Indices of each lane (of lane 0 only unless Scattered); null where they
  /// depend on time.
  SmallVector<SmallVector<Value>> indices;
  /// Per lane as above: inside the operand, null if certain.
  SmallVector<Value> insides;
  /// The vector, where it does not depend on time.
  Value invariant;
};

} // namespace mlir::hyena

#endif // HYENA_LIB_CODEGEN_ACCESS_H
