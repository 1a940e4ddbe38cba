//===- RegionVectorizer.h - scalar regions on vectors -----------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_CODEGEN_REGIONVECTORIZER_H
#define HYENA_LIB_CODEGEN_REGIONVECTORIZER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace mlir::hyena {

/// Checks that every operation of `block` has a vector form: constants and
/// elementwise operations without regions. Emits an error at the first that
/// has none.
LogicalResult checkVectorizable(Block &block);

/// Emits `block`'s operations at `builder` on vectors of `lanes` elements, with
/// `arguments` (vectors, or null where the argument is not used) in place of
/// its arguments, and returns what its terminator yields. Scalar
/// multiplications and additions of reals may be contracted.
SmallVector<Value> vectorizeBlock(OpBuilder &builder, Block &block,
                                  ValueRange arguments, int64_t lanes);

} // namespace mlir::hyena

#endif // HYENA_LIB_CODEGEN_REGIONVECTORIZER_H
