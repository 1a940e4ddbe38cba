//===- Exec.h - The exec dialect ------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_DIALECT_EXEC_IR_EXEC_H
#define HYENA_DIALECT_EXEC_IR_EXEC_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "hyena/Dialect/Exec/IR/ExecDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "hyena/Dialect/Exec/IR/ExecTypes.h.inc"

#define GET_OP_CLASSES
#include "hyena/Dialect/Exec/IR/ExecOps.h.inc"

namespace mlir::hyena::exec {

/// Makes `exec.gemm` and `exec.launch` known to one-shot bufferization.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace mlir::hyena::exec

#endif // HYENA_DIALECT_EXEC_IR_EXEC_H
