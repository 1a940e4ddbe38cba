//===- ExecToLLVM.h - Lowering of exec to LLVM ----------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_CONVERSION_EXECTOLLVM_H
#define HYENA_CONVERSION_EXECTOLLVM_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::hyena {

/// Lets `convert-to-llvm` turn `exec.gemm` into a call of `hyenaGemm`,
/// `exec.launch` into one of `hyenaParallelFor` with a function that unpacks
/// the kernel's arguments, and `!exec.context` into a pointer. Both operations
/// need their context operand; `exec-finalize-functions` gives it to them.
void registerConvertExecToLLVMInterface(DialectRegistry &registry);

} // namespace mlir::hyena

#endif // HYENA_CONVERSION_EXECTOLLVM_H
