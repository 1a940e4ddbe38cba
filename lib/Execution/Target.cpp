//===- Target.cpp - The processor that code is generated for --------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target.h"

#include "hyena/Pipelines/Pipelines.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::hyena;

void mlir::hyena::setHostOptions(CPUPipelineOptions &options) {
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  if (triple.isX86()) {
    options.fma = features.lookup("fma");
    options.vectorBits = features.lookup("avx512f") ? 512
                         : features.lookup("avx2")  ? 256
                                                    : 128;
    return;
  }
  options.fma = triple.isAArch64();
  options.vectorBits = 128;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
mlir::hyena::createHostMachine() {
  // Harmless when repeated.
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  llvm::Expected<llvm::orc::JITTargetMachineBuilder> builder =
      llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  return builder->createTargetMachine();
}
