//===- Builders.h - Operations with the types that they need -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function makes one operation (or none, where it would do nothing) whose
// result type it computes. The generated builders infer the type too, but end
// the program where that fails.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_DIALECT_HYENA_TRANSFORMS_BUILDERS_H
#define HYENA_LIB_DIALECT_HYENA_TRANSFORMS_BUILDERS_H

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "mlir/IR/Builders.h"

namespace mlir::hyena {

inline RankedTensorType tensorOf(Value v) {
  return cast<RankedTensorType>(v.getType());
}

/// Whether `v` is a tensor of f16, bf16, f32 or f64 without an encoding: what
/// the operations of the dialect take for a signal.
inline bool isReal(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  return type && !type.getEncoding() &&
         isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
             type.getElementType());
}

/// The type of `v` with another extent of dimension `dim`.
RankedTensorType withExtent(Value v, int64_t dim, int64_t extent);

/// `v` itself without zeros to add.
Value createPad(OpBuilder &b, Location loc, Value v, int64_t dim, int64_t low,
                int64_t high);
/// `v` itself if all of it is kept. The part must lie within a static extent.
Value createTruncate(OpBuilder &b, Location loc, Value v, int64_t dim,
                     int64_t offset, int64_t length);
Value createFlip(OpBuilder &b, Location loc, Value v, int64_t dim);
Value createTranspose(OpBuilder &b, Location loc, Value v);
Value createRFFT(OpBuilder &b, Location loc, Value v, int64_t n);
Value createIRFFT(OpBuilder &b, Location loc, Value v, int64_t n);
/// The sides must satisfy the constraints of `hyena.spectral_mul`.
Value createSpectralMul(OpBuilder &b, Location loc, Value lhs, Value rhs);
Value createBroadcast(OpBuilder &b, Location loc, Value v, Value like,
                      ArrayRef<int64_t> dims);
/// `v` with elements of the float type `element`; `v` itself if they are.
Value createFloatCast(OpBuilder &b, Location loc, Value v, Type element);
/// Repeats each element of the vector `v` of S elements `count` times, to
/// S * count elements.
Value createRepeat(OpBuilder &b, Location loc, Value v, int64_t count);

/// If `v` repeats each element of a vector, as `createRepeat` makes it, that
/// vector; otherwise `v`.
Value getRepeated(Value v);

/// The widest of f32 and the element types of `values`, of which some may be
/// null: the type in which a long convolution of them is formed.
FloatType getComputeType(MLIRContext *context, ValueRange values);

} // namespace mlir::hyena

#endif // HYENA_LIB_DIALECT_HYENA_TRANSFORMS_BUILDERS_H
