//===- FusionGraph.h - what fusion needs to know of a block -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_FUSIONGRAPH_H
#define HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_FUSIONGRAPH_H

#include "ChannelIndex.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "llvm/ADT/BitVector.h"

namespace mlir::hyena::fusion {

/// Whether `op` only renames elements of its operands: a view, a copy, a
/// repetition, a pad.
bool isView(Operation *op);

/// A longer chain of operations is not taken into a region: it would overflow
/// the stack here, and registers later.
constexpr unsigned maxDepth = 256;

/// Whether fusion knows how to compute one element of the result of `op`.
bool isFusable(Operation *op);

/// Sets of long convolutions of `block` that anything fusable connects. What is
/// decided for one set does not touch another.
std::vector<SmallVector<FFTConvOp>> connectedConvolutions(Block &block);

/// Dependences of one block. Everything that is defined elsewhere is there
/// before the block runs.
class FusionGraph {
public:
  /// `convs` are the convolutions to be fused, in the order of the block; any
  /// others are operations that do not fuse.
  FusionGraph(Block &block, ArrayRef<FFTConvOp> convs);

  Block &getBlock() const { return block; }

  /// The long convolutions to be fused, in the order of the block.
  ArrayRef<FFTConvOp> convolutions() const { return convs; }

  /// The index of the convolution that defines `value`, or -1.
  int64_t convolutionOf(Value value) const;

  /// Whether `op` can become part of a convolution, or is one to be fused.
  bool isPart(Operation *op) const;

  /// The operation of this block that defines `value`, or null.
  Operation *definition(Value value) const;

  /// The fusable operation of this block that defines `value`, or null.
  Operation *fusableDefinition(Value value) const;

  /// The convolutions that `value` depends on, through anything.
  const llvm::BitVector &dependences(Value value) const;

  /// Whether `value` follows from parameters and constants alone, so that it is
  /// computed once and for all.
  bool isParameter(Value value) const;

  /// What `op` reads, operations nested in it included. An operation with side
  /// effects also waits for the one before it, which `previousEffect` gives.
  SmallVector<Value> operandsOf(Operation *op) const;
  Operation *previousEffect(Operation *op) const;

  /// What must exist in memory, as operations that do not fuse read it, of the
  /// values that have to do with the convolutions.
  ArrayRef<Value> demands() const { return demanded; }

  /// The length of the longest chain of fusable operations that ends in
  /// `value`.
  unsigned heightOf(Value value) const;

  IndexSimplifier &getIndexSimplifier() const { return indexSimplifier; }

private:
  bool computeIsParameter(Operation *op) const;
  void collectDemands();

  Block &block;
  SmallVector<FFTConvOp> convs;
  llvm::DenseMap<Operation *, llvm::BitVector> dependencesOf;
  llvm::DenseSet<Operation *> parameters;
  llvm::DenseMap<Operation *, unsigned> heights;
  llvm::DenseMap<Operation *, Operation *> effectBefore;
  llvm::BitVector none;
  SmallVector<Value> demanded;
  mutable IndexSimplifier indexSimplifier;
};

/// Puts every operation of `block` behind the ones that it uses, changes the
/// order as little as possible and keeps the order of side effects.
void sortBlock(Block &block);

} // namespace mlir::hyena::fusion

#endif // HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_FUSIONGRAPH_H
