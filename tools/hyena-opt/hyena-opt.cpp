//===- hyena-opt.cpp - Runs the passes of the project -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Exec/IR/Exec.h"
#include "hyena/Dialect/Hyena/IR/HyenaDialect.h"
#include "hyena/Dialect/Hyena/Transforms/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  registry.insert<mlir::hyena::HyenaDialect, mlir::hyena::exec::ExecDialect>();
  mlir::hyena::exec::registerBufferizableOpInterfaceExternalModels(registry);
  mlir::hyena::registerHyenaTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Hyena compiler driver\n", registry));
}
