//===- KernelFunction.h - signature and scratch of a kernel -----*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_CODEGEN_KERNELFUNCTION_H
#define HYENA_LIB_CODEGEN_KERNELFUNCTION_H

#include "VectorBuilder.h"

#include "hyena/Codegen/CPUKernels.h"
#include "hyena/FFT/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::hyena {

class FFTPlanAttr;

/// The function of a kernel while it is being written, and its scratch memory.
class KernelFunction {
public:
  /// Creates `name` at the end of `module`: (item, scratch, a memref for each
  /// of `tensors`), and returns a builder at the end of its body.
  OpBuilder create(ModuleOp module, Location loc, StringRef name,
                   ArrayRef<Type> tensors);

  Block *entry() { return &function.getBody().front(); }
  Value item() { return function.getArgument(0); }
  Value scratch() { return function.getArgument(1); }
  /// The memref in place of tensor `index`.
  Value argument(unsigned index) { return function.getArgument(2 + index); }

  /// A part of the scratch as `type`, aligned to 64 bytes.
  Value allocate(VectorBuilder &vectors, OpBuilder &builder, MemRefType type);

  /// Rows of a memref that `allocate` returned.
  static int64_t rows(Value memref) {
    return cast<MemRefType>(memref.getType()).getDimSize(0);
  }

  /// Ends the body.
  CPUKernel finish(OpBuilder &builder, int64_t groups);

private:
  func::FuncOp function;
  int64_t scratchBytes = 0;
};

/// `attr` as a plan that is long enough for signals of `length`; else emits an
/// error at `op`.
FailureOr<::hyena::fft::Plan> getPlan(Operation *op, FFTPlanAttr attr,
                                      int64_t length);

} // namespace mlir::hyena

#endif // HYENA_LIB_CODEGEN_KERNELFUNCTION_H
