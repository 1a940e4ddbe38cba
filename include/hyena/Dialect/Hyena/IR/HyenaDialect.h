//===- HyenaDialect.h - The hyena dialect -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_DIALECT_HYENA_IR_HYENADIALECT_H
#define HYENA_DIALECT_HYENA_IR_HYENADIALECT_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

#include "hyena/Dialect/Hyena/IR/HyenaDialect.h.inc"
#include "hyena/Dialect/Hyena/IR/HyenaEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "hyena/Dialect/Hyena/IR/HyenaAttrs.h.inc"

namespace mlir::hyena {

/// Name of the unit attribute that marks a function argument as a parameter of
/// the model.
inline constexpr llvm::StringLiteral kParamAttrName = "hyena.param";

/// No attribute that counts elements (a pad, a length, the size of a transform)
/// and no signal is larger, so that sums of a few of them do not overflow.
inline constexpr int64_t kMaxExtent = int64_t(1) << 40;

} // namespace mlir::hyena

#endif // HYENA_DIALECT_HYENA_IR_HYENADIALECT_H
