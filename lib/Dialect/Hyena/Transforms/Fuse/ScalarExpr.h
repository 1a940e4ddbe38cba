//===- ScalarExpr.h - what a fused convolution computes -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One element of a tensor as an expression over elements of other tensors. The
// fusion builds such expressions while it still compares possibilities, so that
// no operation is created before the decision is made.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_SCALAREXPR_H
#define HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_SCALAREXPR_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include <deque>

namespace mlir::hyena::fusion {

enum class ScalarKind {
  /// The element of `tensor` at `map`(b, c, l), 0 outside.
  Access,
  /// 1 where `map`(b, c, l) lies in 0 ... extent-1, else 0.
  Inside,
  /// The convolution's value y and its input u, in the compute type.
  Convolved,
  Signal,
  Constant,
  /// operands[0] * operands[1] and operands[0] + operands[1].
  Multiply,
  Add,
  /// operands[0] in another floating-point type.
  Convert,
  /// operands[1] where operands[0] is not 0, else 0.
  Guard,
  /// `op` applied to scalars.
  Apply,
};

/// A scalar at a symbolic (b, c, l). Immutable and owned by an arena.
struct Scalar {
  ScalarKind kind;
  Type type;
  SmallVector<const Scalar *, 2> operands;
  Value tensor;
  AffineMap map;
  int64_t extent = 0;
  TypedAttr constant;
  Operation *op = nullptr;
};

/// Owns scalars; equal accesses are one object.
class ScalarArena {
public:
  const Scalar *access(Value tensor, AffineMap map);
  const Scalar *inside(int64_t extent, AffineMap map);
  const Scalar *convolved(Type type);
  const Scalar *signal(Type type);
  const Scalar *constant(TypedAttr value);
  const Scalar *multiply(const Scalar *lhs, const Scalar *rhs);
  const Scalar *add(const Scalar *lhs, const Scalar *rhs);
  /// `value` itself if it has the type already.
  const Scalar *convert(const Scalar *value, Type type);
  const Scalar *guard(const Scalar *inside, const Scalar *value);
  const Scalar *apply(Operation *op, ArrayRef<const Scalar *> operands,
                      Type type);

private:
  Scalar *make(ScalarKind kind, Type type,
               ArrayRef<const Scalar *> operands = {});

  std::deque<Scalar> scalars;
  llvm::DenseMap<std::pair<Value, AffineMap>, const Scalar *> accesses;
  llvm::DenseMap<std::pair<int64_t, AffineMap>, const Scalar *> insides;
  const Scalar *theConvolved = nullptr, *theSignal = nullptr;
};

/// Calls `visit` once for each scalar that `root` needs, operands first.
void forEachScalar(const Scalar *root, llvm::DenseSet<const Scalar *> &seen,
                   llvm::function_ref<void(const Scalar *)> visit);

/// Emits scalars as operations at the end of one block.
class ScalarEmitter {
public:
  /// `arguments` maps every scalar that the block receives.
  ScalarEmitter(OpBuilder &builder, Location loc,
                llvm::DenseMap<const Scalar *, Value> arguments)
      : builder(builder), loc(loc), values(std::move(arguments)) {}

  Value emit(const Scalar *root);

private:
  Value create(const Scalar *scalar);

  OpBuilder &builder;
  Location loc;
  llvm::DenseMap<const Scalar *, Value> values;
};

} // namespace mlir::hyena::fusion

#endif // HYENA_LIB_DIALECT_HYENA_TRANSFORMS_FUSE_SCALAREXPR_H
