//===- Workspace.h - Assignment of buffers to one workspace ---------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_DIALECT_EXEC_TRANSFORMS_WORKSPACE_H
#define HYENA_LIB_DIALECT_EXEC_TRANSFORMS_WORKSPACE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::hyena::exec {

/// Moves the pure operations that compute `value` from the function's arguments
/// to before `before`, so that the value is known there. Emits an error at
/// `user` and fails where it depends on data or on a loop's index.
LogicalResult hoistToEntry(func::FuncOp function, Value value,
                           Operation *before, Operation *user);

/// Replaces every memref.alloc of a function of one block by a part of one
/// `exec.workspace` at its start. `bytes` gets its size, or null if nothing is
/// allocated.
LogicalResult assignWorkspace(func::FuncOp function, Value &bytes);

} // namespace mlir::hyena::exec

#endif // HYENA_LIB_DIALECT_EXEC_TRANSFORMS_WORKSPACE_H
