//===- Passes.h - Passes on the exec dialect ------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_DIALECT_EXEC_TRANSFORMS_PASSES_H
#define HYENA_DIALECT_EXEC_TRANSFORMS_PASSES_H

#include "hyena/Dialect/Exec/IR/Exec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace mlir::hyena::exec {

#define GEN_PASS_DECL
#include "hyena/Dialect/Exec/Transforms/Passes.h.inc"

/// Declares `registerHyenaExecPasses()`, which registers all of them.
#define GEN_PASS_REGISTRATION
#include "hyena/Dialect/Exec/Transforms/Passes.h.inc"

/// Suffix of the function that computes the workspace's size and the extents of
/// the results of another one; see `exec-finalize-functions`.
inline constexpr llvm::StringLiteral kQuerySuffix = "_query";

} // namespace mlir::hyena::exec

#endif // HYENA_DIALECT_EXEC_TRANSFORMS_PASSES_H
