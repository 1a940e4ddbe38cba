//===- CPUKernels.h - CPU kernels of the planned operations -----*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a function of vector, memref, scf and arith out of a planned operation.
// A kernel does one work item; the caller runs it for every item, in any order
// and on any number of threads, as no two items write the same element.
//
// The lanes of a vector are channels: item i of a fused convolution is group
// i / B of `lanes` channels and batch i mod B, so that items that follow one
// another share a spectrum.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_CODEGEN_CPUKERNELS_H
#define HYENA_CODEGEN_CPUKERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hyena {

class FusedConvOp;
class PackFilterOp;

/// What the target can do; the number of lanes stands in the plan.
struct CPUKernelOptions {
  /// Emit fused multiply-adds. Without the instruction each would be a call of
  /// the C library, so a multiplication and an addition are emitted instead.
  bool fusedMultiplyAdd = true;
};

/// A kernel and what its caller has to know.
struct CPUKernel {
  /// `func.func private @NAME(%item : index, %scratch : memref<?xi8>, ...)`.
  /// The other arguments are memrefs with the identity layout in place of the
  /// operation's tensors: a fused convolution's inputs, its spectrum, its
  /// results; a packing's filter, its reverse filter if there is one, its
  /// spectrum.
  func::FuncOp function;
  /// Bytes of scratch that one running item needs, aligned to 64 bytes. The
  /// contents need no initialisation and are not kept.
  int64_t scratchBytes = 0;
  /// Channel groups: ceil(channels / lanes). Items of a packing: `groups`; of a
  /// fused convolution: `groups` times the number of batches.
  int64_t groups = 0;
};

/// Emits the kernel of `op` at the end of `module` under `name`, and the
/// twiddle tables that it reads as constant globals, which kernels share. `op`
/// itself is left as it is. Emits an error at `op` and fails if it is not in
/// its spectrum form, if its length or channels are dynamic, or if its plan is
/// too short.
FailureOr<CPUKernel> emitFusedConvKernel(ModuleOp module, FusedConvOp op,
                                         StringRef name,
                                         const CPUKernelOptions &options = {});

/// Emits the kernel of `op`, as above. The result has the factor 1/M in it.
FailureOr<CPUKernel> emitPackFilterKernel(ModuleOp module, PackFilterOp op,
                                          StringRef name,
                                          const CPUKernelOptions &options = {});

} // namespace mlir::hyena

#endif // HYENA_CODEGEN_CPUKERNELS_H
