//===- HyenaPlugin.cpp - The dialect and the passes as a plugin
//------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tools that know nothing of this project:
//   mlir-opt --load-dialect-plugin=HyenaPlugin.so
//            --load-pass-plugin=HyenaPlugin.so --hyena-fuse file.mlir
//
//===----------------------------------------------------------------------===//

#include "PassFlags.h"

#include "hyena/InitAll.h"

#include "mlir/Config/mlir-config.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include "llvm/Config/llvm-config.h"

using namespace mlir;

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo
    mlirGetDialectPluginInfo() {
  return {
      MLIR_PLUGIN_API_VERSION, "hyena", LLVM_VERSION_STRING,
      [](DialectRegistry *registry) { hyena::registerAllDialects(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
    mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "hyena", LLVM_VERSION_STRING, [] {
            hyena::registerAllPasses();
            hyena::addPassFlags(hyena::getPassNames());
          }};
}
