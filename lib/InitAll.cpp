//===- InitAll.cpp - Register everything of this project -----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/InitAll.h"

#include "hyena/Conversion/ExecToLLVM.h"
#include "hyena/Conversion/Passes.h"
#include "hyena/Dialect/Exec/IR/Exec.h"
#include "hyena/Dialect/Exec/Transforms/Passes.h"
#include "hyena/Dialect/Hyena/IR/HyenaDialect.h"
#include "hyena/Dialect/Hyena/Transforms/Passes.h"
#include "hyena/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"

void mlir::hyena::registerAllDialects(DialectRegistry &registry) {
  registry.insert<HyenaDialect, exec::ExecDialect>();
  exec::registerBufferizableOpInterfaceExternalModels(registry);
  registerConvertExecToLLVMInterface(registry);
}

void mlir::hyena::registerAllPasses() {
  registerHyenaTransformsPasses();
  registerHyenaConversionPasses();
  exec::registerHyenaExecPasses();
  registerPipelines();
}

mlir::ArrayRef<mlir::StringRef> mlir::hyena::getPassNames() {
  static const StringRef names[] = {
      "hyena-raise",
      "hyena-decompose",
      "hyena-fuse",
      "hyena-isolate",
      "hyena-hoist-params",
      "hyena-plan-conv",
      "hyena-assign-layout",
      "convert-hyena-to-exec",
      "convert-hyena-to-linalg",
      "exec-parallelize-loops",
      "exec-outline-loops",
      "exec-finalize-functions",
      "hyena-to-fused",
      "hyena-fused-to-exec",
      "hyena-exec-to-llvm",
      "hyena-to-cpu",
  };
  return names;
}
