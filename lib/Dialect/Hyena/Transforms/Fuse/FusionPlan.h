//===- FusionPlan.h - which convolution computes what -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each long convolution becomes one fused convolution, a group. The plan says
// which computed tensors exist in memory and who makes each: a group, as one of
// its results, or the operation that makes it now. Everything else is computed
// where it is read. A few choices are given (what an operation that does not
// fuse reads must exist); the others are decided by the bytes that they move.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_FUSIONPLAN_H
#define HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_FUSIONPLAN_H

#include "FusionGraph.h"
#include "FusionRemarks.h"
#include "ScalarExpr.h"
#include "Scalarizer.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::hyena::fusion {

/// The owner of a tensor that its own operation makes.
constexpr int64_t kUnfused = -1;

/// Tensors that are to exist in memory, and who makes them.
using Decisions = llvm::MapVector<Value, int64_t>;

/// A result of a group.
struct PlannedResult {
  Value value;
  /// (b, c, l) -> indices of `value`.
  AffineMap map;
  const Scalar *scalar;
};

/// A fused convolution.
struct Group {
  const Scalar *input = nullptr;
  SmallVector<PlannedResult> results;
  /// Tensors that the group reads, the filter aside.
  llvm::SetVector<Value> reads;
  Domain domain;
  Type computeType;
  /// Computed values that were met on the way, fused or read.
  llvm::SetVector<Value> met;
  /// Values whose elements the group could yield as they are.
  llvm::DenseMap<Value, AffineMap> covered;
  llvm::DenseMap<Value, Refusal> refusals;

  bool isAlive() const { return !results.empty(); }
};

/// What follows from a set of decisions.
struct Plan {
  std::vector<Group> groups;
  /// The owner of each computed tensor that has to exist.
  llvm::MapVector<Value, int64_t> owners;
  /// Why an operation stays that computes something from a convolution.
  llvm::DenseMap<Value, Refusal> leftOver;
  /// Bytes moved; meaningful only if the plan is legal.
  double cost = 0;
  /// No group waits for itself.
  bool isLegal = true;
};

/// Works out plans for one block.
class Planner {
public:
  explicit Planner(const FusionGraph &graph) : graph(graph) {}

  /// What `decisions` lead to. The result refers to this planner's arena.
  Plan plan(const Decisions &decisions);

  /// The cheapest plan that a local search over decisions finds.
  Plan search();

private:
  struct Draft;

  void demand(Draft &draft, Value value);
  void enliven(Draft &draft, int64_t index);
  bool addResult(Draft &draft, int64_t index, Value value, bool strictly,
                 Refusal &refusal);
  Plan planOnce(const Decisions &decisions, bool strictly);
  bool isAcyclic(const Plan &plan) const;
  double costOf(const Plan &plan) const;
  /// Owners that a decision about `value` could name.
  SmallVector<int64_t> possibleOwners(const Plan &plan, Value value) const;
  llvm::SetVector<Value> candidates(const Plan &plan) const;

  const FusionGraph &graph;
  std::vector<std::unique_ptr<ScalarArena>> arenas;
};

/// Bytes that one pass over `group` moves, and what its arithmetic costs in
/// bytes.
double groupCost(const Group &group);

/// Bytes that `op` moves as an operation of its own.
double operationCost(Operation *op);

} // namespace mlir::hyena::fusion

#endif // HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_FUSIONPLAN_H
