//===- RaisePatterns.h - The groups of patterns of hyena-raise -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_DIALECT_HYENA_TRANSFORMS_RAISEPATTERNS_H
#define HYENA_LIB_DIALECT_HYENA_TRANSFORMS_RAISEPATTERNS_H

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include <string>

namespace mlir::hyena {

/// Slices that together are all channels -> chunk.
void populateRaiseStreamPatterns(RewritePatternSet &patterns);

/// Slices, pads, concatenations, copies and transpositions -> truncate, pad,
/// transpose and broadcast.
void populateRaiseViewPatterns(RewritePatternSet &patterns);

/// linalg operations whose body is one or two products and sums -> arith
/// operations on tensors and spectral_mul.
void populateRaisePointwisePatterns(RewritePatternSet &patterns);

/// linalg contractions and depthwise convolutions -> project and shortconv.
void populateRaiseLinearPatterns(RewritePatternSet &patterns);

/// Products of transforms -> fftconv.
void populateRaiseSpectralPatterns(RewritePatternSet &patterns);

/// What stands around a convolution or a linear layer and can be said by its
/// operands and attributes: skip, bias, tap order, layout, casts; products with
/// a convolution -> gate.
void populateRaiseOperandPatterns(RewritePatternSet &patterns);

/// Why an inverse transform was not raised.
std::string whyNotRaised(IRFFTOp op);

/// What a slice keeps along one dimension.
struct Cut {
  int64_t dim;
  int64_t offset;
  int64_t length;
  int64_t stride;
};

/// The dimensions of its source that `op` cuts; nothing if an amount is not
/// static.
std::optional<SmallVector<Cut>> getCuts(tensor::ExtractSliceOp op);

/// Whether every element of `v` is known to be zero.
bool isZeroTensor(Value v);

/// Whether there are operations for reading `v` through `map`, indexed over a
/// space of the shape of `like`: none, a transposition or a broadcast.
bool hasView(Value v, AffineMap map, Value like);
/// Makes them; their result has the shape of `like`.
Value createView(OpBuilder &b, Location loc, Value v, AffineMap map,
                 Value like);

} // namespace mlir::hyena

#endif // HYENA_LIB_DIALECT_HYENA_TRANSFORMS_RAISEPATTERNS_H
