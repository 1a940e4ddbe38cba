//===- InitAll.h - Register everything of this project -------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One place that knows every dialect, extension, pass and pipeline, so that the
// tools, the plugin and the C API offer the same ones.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_INITALL_H
#define HYENA_INITALL_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::hyena {

/// Adds this project's dialects and the interfaces that it implements for
/// other dialects to `registry`. MLIR's own dialects are not added.
void registerAllDialects(DialectRegistry &registry);

/// Registers this project's passes and pipelines with MLIR's global registry.
/// MLIR's own passes are not registered. Must be called once per process.
void registerAllPasses();

/// The names of those passes and pipelines as the command line spells them, in
/// the order in which a program usually goes through them.
ArrayRef<StringRef> getPassNames();

} // namespace mlir::hyena

#endif // HYENA_INITALL_H
