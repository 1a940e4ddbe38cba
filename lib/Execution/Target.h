//===- Target.h - The processor that code is generated for ----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_EXECUTION_TARGET_H
#define HYENA_LIB_EXECUTION_TARGET_H

#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir::hyena {

struct CPUPipelineOptions;

/// Sets what the pipelines have to know of this processor.
void setHostOptions(CPUPipelineOptions &options);

/// A code generator for this processor with all of its features.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createHostMachine();

} // namespace mlir::hyena

#endif // HYENA_LIB_EXECUTION_TARGET_H
