//===- ChannelIndex.cpp - indices that depend on the channel -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChannelIndex.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hyena::fusion;

/// More channels than this are not tried.
static constexpr int64_t maxTabulated = 1 << 16;

int64_t mlir::hyena::fusion::evaluateAt(AffineExpr expr, int64_t channel) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() == channelDim ? channel : 0;
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluateAt(binary.getLHS(), channel);
  int64_t rhs = evaluateAt(binary.getRHS(), channel);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  default:
    return llvm::divideCeilSigned(lhs, rhs);
  }
}

/// A shorter expression for `expr`, which depends on the channel alone, or
/// null.
static AffineExpr shorten(AffineExpr expr, int64_t channels) {
  MLIRContext *context = expr.getContext();
  SmallVector<int64_t> table;
  for (int64_t c = 0; c < channels; ++c)
    table.push_back(evaluateAt(expr, c));
  // The lengths of the first run of equal indices and of the first rise.
  int64_t first = table.front(), run = 1, rise = 1;
  while (run < channels && table[run] == first)
    ++run;
  while (rise < channels && table[rise] > table[rise - 1])
    ++rise;
  if (run == channels)
    return getAffineConstantExpr(first, context);
  auto matches = [&](auto indexOf) {
    for (int64_t i = 0; i < channels; ++i)
      if (table[i] != indexOf(i))
        return false;
    return true;
  };
  AffineExpr c = getAffineDimExpr(channelDim, context);
  int64_t step = table[run] - first;
  if (matches([&](int64_t i) { return first + i / run * step; }))
    return c.floorDiv(run) * step + first;
  if (matches([&](int64_t i) { return first + i % rise; }))
    return c % rise + first;
  return {};
}

AffineExpr IndexSimplifier::simplify(AffineExpr expr, int64_t channels) {
  AffineExpr &result = known[{expr, channels}];
  if (result)
    return result;
  result = simplifyAffineExpr(expr, 3, 0);
  bool isOfChannel = result.isFunctionOfDim(channelDim) &&
                     !result.isFunctionOfDim(batchDim) &&
                     !result.isFunctionOfDim(timeDim);
  if (!isOfChannel || channels > maxTabulated)
    return result;
  // Sums and products have a normal form already.
  bool hasDivision = false;
  result.walk([&](AffineExpr part) {
    hasDivision |= part.getKind() == AffineExprKind::FloorDiv ||
                   part.getKind() == AffineExprKind::CeilDiv ||
                   part.getKind() == AffineExprKind::Mod;
  });
  if (!hasDivision)
    return result;
  if (AffineExpr shorter = shorten(result, channels))
    result = shorter;
  return result;
}
