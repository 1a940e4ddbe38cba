//===- hyena-lsp-server.cpp - The language server
//--------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives an editor diagnostics, hover texts, definitions and completion for
// files that hold this project's dialects among MLIR's.
//
//===----------------------------------------------------------------------===//

#include "hyena/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

#include <cstdlib>

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  hyena::registerAllDialects(registry);
  return failed(MlirLspServerMain(argc, argv, registry)) ? EXIT_FAILURE
                                                         : EXIT_SUCCESS;
}
