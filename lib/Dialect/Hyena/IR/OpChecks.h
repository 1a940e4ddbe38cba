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
#include <string>

namespace mlir::hyena::detail {

inline constexpr int64_t kDynamic = ShapedType::kDynamic;

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

inline RankedTensorType tensorOf(Value v) {
  return cast<RankedTensorType>(v.getType());
}

inline RankedTensorType tensorOrNull(Value v) {
  return v ? tensorOf(v) : RankedTensorType();
}

inline SmallVector<int64_t> shapeOf(RankedTensorType type) {
  return SmallVector<int64_t>(type.getShape());
}

/// An extent as types print it.
inline std::string str(int64_t extent) {
  return extent == kDynamic ? "?" : std::to_string(extent);
}

/// Whether two extents can be equal.
inline bool compatibleExtents(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

/// Whether an attribute that counts elements is neither negative nor so large
/// that a sum with another one could overflow.
inline bool isCount(int64_t value) { return value >= 0 && value <= kMaxExtent; }

/// Result type check that all operations share: equal element types, extents
/// equal where both are static.
bool compatibleTypes(TypeRange inferred, TypeRange actual);

/// Takes from `other` the extents that `shape` does not know.
void refineShape(SmallVectorImpl<int64_t> &shape, ArrayRef<int64_t> other);

/// One dimension of a result: dimension `dim` of `source`, plus `extra`; or,
/// without a source, the constant `extra`.
struct DimSource {
  Value source;
  int64_t dim = 0;
  int64_t extra = 0;

  static DimSource constant(int64_t extent) { return {Value(), 0, extent}; }
};

/// The sources of a result that has the shape of `source`.
SmallVector<DimSource> sameShape(Value source);

/// Fills `reified` with static extents of `result` and, for the others, with
/// what `sources` says.
LogicalResult reify(OpBuilder &b, Location loc, Value result,
                    ArrayRef<DimSource> sources,
                    ReifiedRankedShapedTypeDims &reified);

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

/// Defines the inference interface of OP through a function `infer` that takes
/// its adaptor and a Diag.
#define HYENA_INFER(OP)                                                        \
  bool OP::isCompatibleReturnTypes(TypeRange l, TypeRange r) {                 \
    return compatibleTypes(l, r);                                              \
  }                                                                            \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *context, std::optional<Location> loc, Adaptor adaptor,      \
      SmallVectorImpl<Type> &inferred) {                                       \
    Diag diag(loc, OP::getOperationName());                                    \
    FailureOr<RankedTensorType> type = infer(adaptor, diag);                   \
    if (failed(type))                                                          \
      return failure();                                                        \
    inferred.push_back(*type);                                                 \
    return success();                                                          \
  }

#endif // HYENA_LIB_DIALECT_HYENA_IR_OPCHECKS_H
