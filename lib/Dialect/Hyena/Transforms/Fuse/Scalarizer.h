//===- Scalarizer.h - one element of a tensor as a scalar -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the definition of a tensor back to stored tensors, at an element
// whose indices are expressions of batch b, channel c and time l of a
// convolution.
//
// What makes this more than substitution are boundaries. A tap of a short
// convolution, or a pad, reads beyond the ends of its operand, where it has to
// see zeros. A stored tensor gives them (an access outside of it reads 0), a
// computed one does not: a bias is not 0 there, and a cut signal goes on. So
// each position carries how far its indices may lie outside, and each scalar
// whether it is zero there.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_SCALARIZER_H
#define HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_SCALARIZER_H

#include "FusionGraph.h"
#include "FusionRemarks.h"
#include "ScalarExpr.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::hyena::fusion {

/// How far an index may lie before element 0 and behind the last element; none
/// of them may be the case if both are 0 or negative.
struct Slack {
  int64_t low = 0;
  int64_t high = 0;
  /// The index runs exactly over -low ... extent-1+high.
  bool isExact = true;

  bool isOutside() const { return low > 0 || high > 0; }
  bool isWhole() const { return isExact && low == 0 && high == 0; }
};

/// An element of a tensor: for each dimension an index and its slack.
struct Position {
  SmallVector<AffineExpr, 4> index;
  SmallVector<Slack, 4> slack;

  bool isOutside() const;
  /// Every dimension is covered exactly.
  bool isWhole() const;
  void push(AffineExpr expr, Slack range) {
    index.push_back(expr);
    slack.push_back(range);
  }
};

/// A scalar and what is known of it where the position lies outside.
struct Element {
  /// Null if the element cannot be expressed.
  const Scalar *scalar = nullptr;
  bool isZeroOutside = true;
  /// No infinity or NaN arises outside that is not inside too, so that a
  /// product with zero is zero.
  bool isFiniteOutside = true;

  explicit operator bool() const { return scalar; }
};

/// The extents of b, c and l; b and l may be dynamic.
using Domain = std::array<int64_t, 3>;

/// Evaluates elements for one region of one convolution.
class Scalarizer {
public:
  /// Whether a computed value is kept in memory and read from there.
  using IsStored = std::function<bool(Value)>;

  /// With `inEpilogue` the convolution's own result and input are known at
  /// (b, c, l) itself.
  Scalarizer(const FusionGraph &graph, int64_t convIndex, ScalarArena &arena,
             IsStored isStored, bool inEpilogue);

  const Domain &getDomain() const { return domain; }
  /// The type in which the convolution works.
  Type getComputeType() const { return computeType; }

  /// u of the convolution; null if it cannot be expressed. With `asStored` the
  /// input is read as it is.
  const Scalar *evaluateInput(bool asStored);

  /// `value` as a result whose dimensions `map`, (b, c, l) -> indices, names;
  /// null if it is not one. The last step, at least, is computed. Unless
  /// `isCovered` says that the value has the extents of the domain, it must be
  /// made of the convolution's own result, from which that follows.
  const Scalar *evaluateResult(Value value, AffineMap map, bool isCovered);

  /// Computed values that were met at a position that covers them exactly.
  bool isCovered(Value value, AffineMap map) const {
    return covered.contains({value, map});
  }
  /// Every computed value that was met.
  const llvm::SetVector<Value> &getMet() const { return met; }
  /// Why `value` was read from memory.
  Refusal getRefusal(Value value) const { return refusals.lookup(value); }
  /// Why evaluateResult() failed.
  Refusal getLastRefusal() const { return lastRefusal; }

private:
  Element evaluate(Value value, const Position &at);
  Element evaluateAfresh(Value value, const Position &at);
  /// `value` with zeros outside.
  Element evaluateZeroExtended(Value value, const Position &at);
  Element readStored(Value value, const Position &at);
  Element readFilteredSignal(const Position &at);
  Element expand(OpResult value, const Position &at);
  void refuse(Value value, Refusal refusal);

  Element expandHyena(OpResult value, const Position &at);
  Element expandChunk(ChunkOp op, unsigned stream, const Position &at);
  Element expandBroadcast(BroadcastOp op, const Position &at);
  Element expandGate(GateOp op, const Position &at);
  Element expandPad(Value input, unsigned dim, int64_t low, int64_t high,
                    const Position &at);
  Element expandTruncate(TruncateOp op, const Position &at);
  Element expandFlip(FlipOp op, const Position &at);
  Element expandShortConv(ShortConvOp op, const Position &at);

  Element expandElementwise(Operation *op, const Position &at);
  Element expandReshape(Value input, RankedTensorType wide,
                        ArrayRef<ReassociationIndices> groups, bool collapses,
                        const Position &at);
  Element expandSlice(tensor::ExtractSliceOp op, const Position &at);
  Element expandLinalg(linalg::LinalgOp op, OpResult value, const Position &at);
  Element expandBody(linalg::LinalgOp op, Value value,
                     ArrayRef<AffineExpr> loops, ArrayRef<Slack> slack,
                     const Position &at, llvm::DenseMap<Value, Element> &known);
  /// A constant that every element of `value` equals, or null.
  Element constantOf(Value value);
  /// `op` applied to elements.
  Element apply(Operation *op, ArrayRef<Element> operands, Type type);

  AffineExpr simplify(AffineExpr expr) const;
  AffineMap mapOf(const Position &at) const;
  /// The position (b, c, l) of a signal in the convolution's layout.
  Position signalPosition();

  const FusionGraph &graph;
  FFTConvOp conv;
  int64_t convIndex;
  ScalarArena &arena;
  IsStored isStored;
  bool inEpilogue;
  Domain domain;
  Type computeType;
  MLIRContext *context;

  struct Known {
    SmallVector<std::array<int64_t, 3>, 4> slack;
    Element element;
  };
  llvm::DenseMap<std::pair<Value, AffineMap>, SmallVector<Known, 1>> memo;
  llvm::DenseSet<std::pair<Value, AffineMap>> covered;
  llvm::SetVector<Value> met;
  llvm::DenseMap<Value, Refusal> refusals;
  Refusal lastRefusal = Refusal::None;
  /// Operations that are being expanded.
  unsigned depth = 0;
};

/// Whether `fused_conv` can have an access with this index.
bool isLegalIndex(AffineExpr expr);

} // namespace mlir::hyena::fusion

#endif // HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_SCALARIZER_H
