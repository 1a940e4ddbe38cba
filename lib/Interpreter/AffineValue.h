//===- AffineValue.h - values of affine expressions -------------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_INTERPRETER_AFFINEVALUE_H
#define HYENA_LIB_INTERPRETER_AFFINEVALUE_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"

namespace hyena::interp {

/// The value of `expr`, which has no symbols, for these dimensions. A division
/// by a number below 1, which affine expressions do not define, gives -1, an
/// index that no tensor has.
inline int64_t evaluateAt(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims) {
  if (auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  int64_t a = evaluateAt(binary.getLHS(), dims);
  int64_t b = evaluateAt(binary.getRHS(), dims);
  switch (expr.getKind()) {
  case mlir::AffineExprKind::Add:
    return a + b;
  case mlir::AffineExprKind::Mul:
    return a * b;
  case mlir::AffineExprKind::FloorDiv:
    return b > 0 ? llvm::divideFloorSigned(a, b) : -1;
  case mlir::AffineExprKind::CeilDiv:
    return b > 0 ? llvm::divideCeilSigned(a, b) : -1;
  case mlir::AffineExprKind::Mod:
    return b > 0 ? llvm::mod(a, b) : -1;
  default:
    return -1;
  }
}

} // namespace hyena::interp

#endif // HYENA_LIB_INTERPRETER_AFFINEVALUE_H
