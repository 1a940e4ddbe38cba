//===- PassFlags.h - Flags for passes that a plugin brings
//-----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_TOOLS_HYENA_PLUGIN_PASSFLAGS_H
#define HYENA_TOOLS_HYENA_PLUGIN_PASSFLAGS_H

#include "mlir/Support/LLVM.h"

namespace mlir::hyena {

/// Makes the registered passes and pipelines of these names flags of the host
/// program (`--hyena-fuse`), in the order of the command line with its own
/// ones. Does nothing in a program without flags for passes.
void addPassFlags(ArrayRef<StringRef> names);

} // namespace mlir::hyena

#endif // HYENA_TOOLS_HYENA_PLUGIN_PASSFLAGS_H
