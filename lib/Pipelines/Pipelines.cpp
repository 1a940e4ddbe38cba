//===- Pipelines.cpp - From a graph to a program for the CPU --------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Pipelines/Pipelines.h"

#include "hyena/Conversion/Passes.h"
#include "hyena/Dialect/Exec/Transforms/Passes.h"
#include "hyena/Dialect/Hyena/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::hyena;

static void addCleanup(OpPassManager &passes) {
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

void mlir::hyena::buildFusePipeline(OpPassManager &passes,
                                    const CPUPipelineOptions &options) {
  passes.addPass(createInlinerPass());
  passes.addPass(createHyenaRaise());
  addCleanup(passes);
  if (options.fuse) {
    passes.addPass(createHyenaFuse());
    passes.addPass(createHyenaAssignLayout());
  } else {
    passes.addPass(createHyenaIsolate());
  }
  addCleanup(passes);
  HyenaPlanConvOptions plan;
  plan.lanes = options.vectorBits / 32;
  passes.addPass(createHyenaPlanConv(plan));
  passes.addPass(createHyenaHoistParams());
  addCleanup(passes);
}

/// Tensors become buffers. Functions take and return buffers without gaps.
static void addBufferization(OpPassManager &passes) {
  passes.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  passes.addPass(bufferization::createOneShotBufferizePass(options));
  addCleanup(passes);
}

void mlir::hyena::buildExecPipeline(OpPassManager &passes,
                                    const CPUPipelineOptions &options) {
  ConvertHyenaToExecOptions execOptions;
  execOptions.fma = options.fma;
  passes.addPass(createConvertHyenaToExec(execOptions));
  passes.addPass(createConvertHyenaToLinalg());
  passes.addPass(createConvertElementwiseToLinalgPass());
  // Only a value that nobody else asks for its extents or its memory fuses into
  // its consumer; the first round frees the values for the second.
  for (int round = 0; round < 2; ++round) {
    passes.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
    addCleanup(passes);
    passes.addPass(createLinalgElementwiseOpFusionPass());
  }
  addCleanup(passes);
  addBufferization(passes);
  passes.addPass(createConvertLinalgToParallelLoopsPass());
  passes.addPass(exec::createExecParallelizeLoops());
  addCleanup(passes);
  passes.addPass(exec::createExecOutlineLoops());
  passes.addPass(exec::createExecFinalizeFunctions());
  addCleanup(passes);
}

void mlir::hyena::buildLLVMPipeline(OpPassManager &passes) {
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  passes.addPass(arith::createArithExpandOpsPass(expand));
  passes.addPass(createConvertComplexToStandardPass());
  // What LLVM has an intrinsic for stays one; a call of the C library for each
  // fused multiply-add would be the alternative.
  ConvertMathToLLVMPassOptions math;
  math.approximateLog1p = false;
  passes.addPass(createConvertMathToLLVMPass(math));
  passes.addPass(createConvertMathToLibmPass());
  // Masks and reductions need more than one pattern each.
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createConvertToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  addCleanup(passes);
}

void mlir::hyena::registerPipelines() {
  PassPipelineRegistration<CPUPipelineOptions>(
      "hyena-to-fused",
      "Raise, fuse and plan a graph, and hoist what depends on parameters",
      buildFusePipeline);
  PassPipelineRegistration<CPUPipelineOptions>(
      "hyena-fused-to-exec",
      "Turn a fused program into kernels, one workspace and runtime calls",
      buildExecPipeline);
  PassPipelineRegistration<>(
      "hyena-exec-to-llvm", "Turn kernels and runtime calls into LLVM",
      [](OpPassManager &passes) { buildLLVMPipeline(passes); });
  PassPipelineRegistration<CPUPipelineOptions>(
      "hyena-to-cpu", "Turn a graph into an LLVM program for the CPU",
      [](OpPassManager &passes, const CPUPipelineOptions &options) {
        buildFusePipeline(passes, options);
        buildExecPipeline(passes, options);
        buildLLVMPipeline(passes);
      });
}
