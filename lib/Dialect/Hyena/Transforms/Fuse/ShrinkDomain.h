//===- ShrinkDomain.h - what happens before fusion -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_SHRINKDOMAIN_H
#define HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_SHRINKDOMAIN_H

#include "mlir/IR/Block.h"

namespace mlir::hyena::fusion {

/// Moves every cut of a causal convolution's result that can be moved in front
/// of the convolution. What is no longer used stays behind.
void shrinkDomains(Block &block);

/// Takes extents from where they come from, so that nothing that is fused is
/// needed for its shape alone.
void forwardShapes(Block &block);

} // namespace mlir::hyena::fusion

#endif // HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_SHRINKDOMAIN_H
