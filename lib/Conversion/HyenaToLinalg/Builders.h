//===- Builders.h - What the lowerings to linalg share --------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_CONVERSION_HYENATOLINALG_BUILDERS_H
#define HYENA_LIB_CONVERSION_HYENATOLINALG_BUILDERS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::hyena {

/// Patterns of one subject each.
void populateStreamPatterns(RewritePatternSet &patterns);
void populateFilterPatterns(RewritePatternSet &patterns);
void populateSpectrumPatterns(RewritePatternSet &patterns);

/// A tensor of `type` with undefined elements. Its dynamic extents are those
/// that `op` reifies for result `result`.
FailureOr<Value> createDestination(PatternRewriter &rewriter, Operation *op,
                                   RankedTensorType type, unsigned result = 0);

/// Fills a tensor with zeros.
Value createZero(PatternRewriter &rewriter, Location loc, Value destination);

/// Makes the scalar of one element from scalars of the inputs. The last
/// argument is what the destination holds, for reductions.
using ScalarBuilder =
    function_ref<Value(OpBuilder &builder, Location loc, ValueRange scalars)>;

/// linalg.generic over the destination's elements and, beyond its rank, over
/// `reductions` further dimensions. `maps` say how the inputs are read; the
/// destination's map takes the leading dimensions.
Value createGeneric(PatternRewriter &rewriter, Location loc, ValueRange inputs,
                    ArrayRef<AffineMap> maps, Value destination,
                    int64_t reductions, ScalarBuilder body);

/// Element type in which a product of values of `type` is formed: f64 for f64,
/// else f32.
FloatType getWideType(Type type);

/// Converts a real scalar between float types.
Value convertFloat(OpBuilder &builder, Location loc, Value value, Type type);

/// Index constant.
Value createIndex(OpBuilder &builder, Location loc, int64_t value);

/// The extent of dimension `dim`, as a value.
Value createExtent(OpBuilder &builder, Location loc, Value tensor, int64_t dim);

} // namespace mlir::hyena

#endif // HYENA_LIB_CONVERSION_HYENATOLINALG_BUILDERS_H
