//===- ChannelIndex.h - indices that depend on the channel -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_CHANNELINDEX_H
#define HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_CHANNELINDEX_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::hyena::fusion {

/// Positions of batch, channel and time in a domain.
constexpr unsigned batchDim = 0, channelDim = 1, timeDim = 2;

/// The value of `expr`, which depends on the channel alone, at `channel`.
int64_t evaluateAt(AffineExpr expr, int64_t channel);

/// Brings indices of a domain to a short form.
class IndexSimplifier {
public:
  /// An expression that equals `expr` for every batch, time, and channel
  /// 0 ... channels-1. Those of the channel alone are found by trying each
  /// channel, as views of views nest divisions.
  AffineExpr simplify(AffineExpr expr, int64_t channels);

private:
  llvm::DenseMap<std::pair<AffineExpr, int64_t>, AffineExpr> known;
};

} // namespace mlir::hyena::fusion

#endif // HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_CHANNELINDEX_H
