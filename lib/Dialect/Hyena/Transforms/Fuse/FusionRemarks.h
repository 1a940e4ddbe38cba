//===- FusionRemarks.h - what fusion says about itself -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every remark of the passes from hyena to hyena that fuse and place: names,
// reasons and suggestions stand in this file's .cpp and nowhere else.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_FUSIONREMARKS_H
#define HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_FUSIONREMARKS_H

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

namespace mlir::hyena::fusion {

/// Why a computed value is kept in memory instead of being fused.
enum class Refusal {
  None,
  /// Keeping it moves fewer bytes than computing it again.
  Cheaper,
  /// An index of one of its operands is no access: backwards in time, or mixed
  /// from several of b, c and l.
  Index,
  /// It is read outside its range, is not zero there, and its length, which
  /// would tell where it ends, is dynamic.
  Boundary,
  /// An operation on elements of a type or of a kind that has no vector form.
  Body,
  /// It depends on a convolution through something that is not fused, or at
  /// another time or channel.
  Dependence,
  /// Too many operations stand between it and stored tensors.
  Depth,
  /// Its shape is not that of the convolution that it depends on.
  Shape,
  /// Something that is not fused uses it, and it depends on no convolution.
  User,
};

/// A convolution was fused: how many operations went into it.
void remarkFused(FusedConvOp op, int64_t operations, int64_t results);

/// `op` was not fused into a convolution, or its result is kept in memory
/// between two.
void remarkMissed(Operation *op, Refusal refusal);

/// `op` is kept in memory for the convolution at `reader`.
void remarkStored(Operation *op, FFTConvOp reader, Refusal refusal);

/// The cut `op` behind a convolution stays an operation of its own.
void remarkCutKept(TruncateOp op);

/// The projection's layout was left as it is.
enum class LayoutRefusal { OtherUsers, Channels };
void remarkLayoutKept(ProjectOp op, LayoutRefusal refusal);

/// The function's parameters were left where they are.
enum class HoistRefusal { Called, External };
void remarkNotHoisted(Operation *function, HoistRefusal refusal);

} // namespace mlir::hyena::fusion

#endif // HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_FUSIONREMARKS_H
