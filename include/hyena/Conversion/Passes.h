//===- Passes.h - Passes from hyena to other dialects ---------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_CONVERSION_PASSES_H
#define HYENA_CONVERSION_PASSES_H

#include "hyena/Dialect/Exec/IR/Exec.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::hyena {

#define GEN_PASS_DECL
#include "hyena/Conversion/Passes.h.inc"

/// Declares `registerHyenaConversionPasses()`, which registers all of them.
#define GEN_PASS_REGISTRATION
#include "hyena/Conversion/Passes.h.inc"

} // namespace mlir::hyena

#endif // HYENA_CONVERSION_PASSES_H
