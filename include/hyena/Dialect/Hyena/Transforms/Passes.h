//===- Passes.h - Passes from hyena to hyena -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_DIALECT_HYENA_TRANSFORMS_PASSES_H
#define HYENA_DIALECT_HYENA_TRANSFORMS_PASSES_H

#include "hyena/Dialect/Hyena/IR/HyenaDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace mlir::hyena {

#define GEN_PASS_DECL
#include "hyena/Dialect/Hyena/Transforms/Passes.h.inc"

/// Declares `registerHyenaTransformsPasses()`, which registers all of them.
#define GEN_PASS_REGISTRATION
#include "hyena/Dialect/Hyena/Transforms/Passes.h.inc"

} // namespace mlir::hyena

#endif // HYENA_DIALECT_HYENA_TRANSFORMS_PASSES_H
