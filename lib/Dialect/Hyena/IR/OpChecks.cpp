//===- OpChecks.cpp - Checks that several operations share -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpChecks.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::detail;

LogicalResult mlir::hyena::detail::checkFilter(
    Diag diag, FilterConstraints constraints, RankedTensorType filter,
    RankedTensorType reverse, int64_t channels, int64_t length, ConvMode mode,
    std::optional<int64_t> lag0, TapOrder tapOrder) {
  auto [shape, negative, origin, circular, order] = constraints;
  if (filter.getRank() != 2 || !filter.hasStaticShape() ||
      filter.getDimSize(1) < 1)
    return diag(shape, "the filter is ", filter,
                ", expected a static (G, K) matrix of 1 tap at least");
  int64_t groups = filter.getDimSize(0), taps = filter.getDimSize(1);
  if (ShapedType::isDynamic(channels) || groups < 1 || channels % groups != 0)
    return diag(shape, "the filter has ", groups,
                " rows, expected a divisor of the ", channels, " channels");
  if ((mode == ConvMode::Bidirectional) != static_cast<bool>(reverse))
    return diag(negative, "'reverse' is ", reverse ? "given" : "missing",
                " in mode ", stringifyConvMode(mode),
                ", expected in bidirectional mode and in it alone");
  if (reverse && (reverse.getRank() != 2 || !reverse.hasStaticShape() ||
                  reverse.getDimSize(0) != groups || reverse.getDimSize(1) < 1))
    return diag(negative, "'reverse' is ", reverse, ", expected a static (",
                groups, ", J) matrix of 1 tap at least");
  if (lag0) {
    if (mode != ConvMode::NonCausal && mode != ConvMode::Circular)
      return diag(origin, "'lag0' is given in mode ", stringifyConvMode(mode),
                  ", expected in noncausal or circular mode only");
    if (*lag0 < 0 || *lag0 >= taps)
      return diag(origin, "'lag0' is ", *lag0, ", expected 0 to ", taps - 1);
  }
  if (mode == ConvMode::Circular && !ShapedType::isDynamic(length) &&
      taps > length)
    return diag(circular, "the circular filter has ", taps,
                " taps, expected no more than the ", length,
                " samples of the signal");
  if (tapOrder == TapOrder::NewestLast && mode != ConvMode::Causal)
    return diag(order, "the tap order is newest_last in mode ",
                stringifyConvMode(mode), ", expected in causal mode only");
  return success();
}
