//===- FusionCost.cpp - bytes that a plan moves -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators are bound by memory, so a plan costs the bytes that it moves:
//
// - a group reads every view of every operand once (the taps of a short
//   convolution are one view, two streams of a projection are two) and writes
//   every result once;
// - an operation that stays reads its operands, writes its results, and pays
// for
//   being a pass of its own;
// - arithmetic is nearly free: a few operations can be done in the time of one
//   byte, a transcendental function costs a few bytes. This decides between
//   plans that move the same bytes, and keeps an expensive function from being
//   computed again for every tap.
//
//===----------------------------------------------------------------------===//

#include "FusionPlan.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::fusion;

/// Stand-ins for extents that are not known.
static constexpr int64_t assumedBatch = 8, assumedLength = 4096;

/// Bytes in whose time one operation, and one call of a function, are done.
static constexpr double bytesPerOperation = 0.1, bytesPerFunction = 2;

/// Bytes in whose time a kernel starts.
static constexpr double bytesPerPass = 64 * 1024;

/// Regions with more operations than this take long to compile and do not fit
/// into registers: each further operation costs as much as a pass.
static constexpr size_t largeRegion = 2000;

static double bytesOf(Type type) {
  return type.isIntOrFloat() ? std::max(1u, type.getIntOrFloatBitWidth() / 8)
                             : 8;
}

static double bytesOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return 0;
  double bytes = bytesOf(type.getElementType());
  for (auto [i, extent] : llvm::enumerate(type.getShape()))
    bytes *= ShapedType::isDynamic(extent)
                 ? (i == 0 ? assumedBatch : assumedLength)
                 : extent;
  return bytes;
}

double mlir::hyena::fusion::groupCost(const Group &group) {
  double b =
      ShapedType::isDynamic(group.domain[0]) ? assumedBatch : group.domain[0];
  double l =
      ShapedType::isDynamic(group.domain[2]) ? assumedLength : group.domain[2];
  double extents[] = {b, (double)group.domain[1], l};
  double elements = extents[0] * extents[1] * extents[2];

  double cost = 0;
  llvm::DenseSet<std::pair<Value, AffineMap>> views;
  auto count = [&](const Scalar *scalar) {
    if (scalar->kind == ScalarKind::Apply) {
      bool isFunction = scalar->op->getName().getDialectNamespace() == "math" &&
                        scalar->op->getNumOperands() <= 2;
      cost += elements * (isFunction ? bytesPerFunction : bytesPerOperation);
      return;
    }
    if (scalar->kind == ScalarKind::Inside)
      cost += extents[2] * 4;
    if (scalar->kind != ScalarKind::Access) {
      cost += elements * bytesPerOperation;
      return;
    }
    // Shifts in time and other columns of a table of taps are one view.
    MLIRContext *context = scalar->map.getContext();
    AffineExpr time = getAffineDimExpr(2, context);
    AffineExpr zero = getAffineConstantExpr(0, context);
    SmallVector<AffineExpr> indices;
    double size = bytesOf(scalar->type);
    for (AffineExpr expr : scalar->map.getResults()) {
      bool isTime = expr.isFunctionOfDim(2);
      bool isConstant = isa<AffineConstantExpr>(expr);
      indices.push_back(isTime ? time : isConstant ? zero : expr);
      for (unsigned dim = 0; dim < 3; ++dim)
        if (expr.isFunctionOfDim(dim))
          size *= extents[dim];
    }
    if (views.insert({scalar->tensor, AffineMap::get(3, 0, indices, context)})
            .second)
      cost += size;
  };
  llvm::DenseSet<const Scalar *> seen;
  forEachScalar(group.input, seen, count);
  for (const PlannedResult &result : group.results) {
    forEachScalar(result.scalar, seen, count);
    cost += elements * bytesOf(getElementTypeOrSelf(result.value.getType()));
  }
  if (seen.size() > largeRegion)
    cost += (seen.size() - largeRegion) * bytesPerPass;
  return cost;
}

double mlir::hyena::fusion::operationCost(Operation *op) {
  double cost = bytesPerPass;
  for (Value operand : op->getOperands())
    cost += bytesOf(operand);
  for (Value result : op->getResults())
    cost += bytesOf(result);
  return cost;
}
