//===- OpChecks.h - Checks that several operations share -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_DIALECT_HYENA_IR_OPCHECKS_H
#define HYENA_LIB_DIALECT_HYENA_IR_OPCHECKS_H

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "mlir/IR/Diagnostics.h"
#include <array>

namespace mlir::hyena::detail {

/// Reports the violation of a numbered constraint of an operation that may not
/// exist yet; silent where there is no location.
class Diag {
public:
  Diag(std::optional<Location> loc, StringRef opName)
      : loc(loc), opName(opName) {}

  template <typename... Args>
  LogicalResult operator()(StringRef constraint, Args &&...args) const {
    return emitOptionalError(loc, "'", opName, "' op ", constraint, ": ",
                             std::forward<Args>(args)...);
  }

private:
  std::optional<Location> loc;
  StringRef opName;
};

/// Whether two extents can be equal.
inline bool compatibleExtents(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

/// The numbers of the constraints that `checkFilter` checks: filter shape,
/// reverse, lag 0, circular length, tap order.
using FilterConstraints = std::array<StringRef, 5>;

/// Checks filter, reverse, mode, lag 0 and tap order against a signal of
/// `channels` channels and `length` samples (which may be dynamic).
LogicalResult checkFilter(Diag diag, FilterConstraints constraints,
                          RankedTensorType filter, RankedTensorType reverse,
                          int64_t channels, int64_t length, ConvMode mode,
                          std::optional<int64_t> lag0, TapOrder tapOrder);

} // namespace mlir::hyena::detail

#endif // HYENA_LIB_DIALECT_HYENA_IR_OPCHECKS_H
