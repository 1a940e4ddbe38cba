//===- OpChecks.cpp - Checks that several operations share -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpChecks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::detail;

bool mlir::hyena::detail::compatibleTypes(TypeRange inferred,
                                          TypeRange actual) {
  if (inferred.size() != actual.size())
    return false;
  for (auto [lhs, rhs] : llvm::zip_equal(inferred, actual)) {
    auto a = dyn_cast<RankedTensorType>(lhs);
    auto b = dyn_cast<RankedTensorType>(rhs);
    if (!a || !b || a.getElementType() != b.getElementType() ||
        failed(verifyCompatibleShape(a, b)))
      return false;
  }
  return true;
}

void mlir::hyena::detail::refineShape(SmallVectorImpl<int64_t> &shape,
                                      ArrayRef<int64_t> other) {
  for (auto [known, extent] : llvm::zip_equal(shape, other))
    if (known == kDynamic)
      known = extent;
}

SmallVector<DimSource> mlir::hyena::detail::sameShape(Value source) {
  SmallVector<DimSource> sources;
  for (int64_t i = 0, e = tensorOf(source).getRank(); i < e; ++i)
    sources.push_back({source, i});
  return sources;
}

LogicalResult mlir::hyena::detail::reify(OpBuilder &b, Location loc,
                                         Value result,
                                         ArrayRef<DimSource> sources,
                                         ReifiedRankedShapedTypeDims &reified) {
  auto type = tensorOf(result);
  SmallVector<OpFoldResult> dims;
  for (auto [i, source] : llvm::enumerate(sources)) {
    if (!type.isDynamicDim(i)) {
      dims.push_back(b.getIndexAttr(type.getDimSize(i)));
      continue;
    }
    if (!source.source) {
      dims.push_back(b.getIndexAttr(source.extra));
      continue;
    }
    OpFoldResult extent =
        tensor::getMixedSize(b, loc, source.source, source.dim);
    if (std::optional<int64_t> known = getConstantIntValue(extent)) {
      extent = b.getIndexAttr(*known + source.extra);
    } else if (source.extra) {
      Value value = getValueOrCreateConstantIndexOp(b, loc, extent);
      Value extra = arith::ConstantIndexOp::create(b, loc, source.extra);
      extent = arith::AddIOp::create(b, loc, value, extra).getResult();
    }
    dims.push_back(extent);
  }
  reified.push_back(std::move(dims));
  return success();
}

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
  if (channels < 1)
    return diag(shape, "the signal has ", str(channels),
                " channels, expected a static number, 1 at least");
  if (groups < 1 || channels % groups != 0)
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
