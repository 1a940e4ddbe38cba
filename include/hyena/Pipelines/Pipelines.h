//===- Pipelines.h - From a graph to a program for the CPU ----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_PIPELINES_PIPELINES_H
#define HYENA_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::hyena {

/// What the CPU pipelines have to know of the target.
struct CPUPipelineOptions : public PassPipelineOptions<CPUPipelineOptions> {
  Option<bool> fma{*this, "fma",
                   llvm::cl::desc("The target has fused multiply-adds"),
                   llvm::cl::init(true)};
  Option<bool> fuse{*this, "fuse",
                    llvm::cl::desc("Fuse; otherwise every convolution stands "
                                   "alone, for comparison"),
                    llvm::cl::init(true)};
  Option<int64_t> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("Width of the target's vector registers: 128, 256 or 512"),
      llvm::cl::init(512)};
};

/// Graph to fused form: raises, fuses, plans the convolutions, and splits every
/// function into its parameters' part and the rest.
void buildFusePipeline(OpPassManager &passes,
                       const CPUPipelineOptions &options);

/// Fused form to calls of the runtime on memrefs: kernels, one workspace, and
/// results as arguments.
void buildExecPipeline(OpPassManager &passes,
                       const CPUPipelineOptions &options);

/// Calls of the runtime to the LLVM dialect.
void buildLLVMPipeline(OpPassManager &passes);

/// Registers the pipelines `hyena-to-fused`, `hyena-fused-to-exec`,
/// `hyena-exec-to-llvm`, and their composition `hyena-to-cpu`.
void registerPipelines();

} // namespace mlir::hyena

#endif // HYENA_PIPELINES_PIPELINES_H
