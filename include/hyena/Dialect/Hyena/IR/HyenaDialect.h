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

} // namespace mlir::hyena

#endif // HYENA_DIALECT_HYENA_IR_HYENADIALECT_H
