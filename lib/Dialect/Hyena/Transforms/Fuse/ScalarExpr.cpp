//===- ScalarExpr.cpp - what a fused convolution computes -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarExpr.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::hyena::fusion;

//===----------------------------------------------------------------------===//
// ScalarArena
//===----------------------------------------------------------------------===//

Scalar *ScalarArena::make(ScalarKind kind, Type type,
                          ArrayRef<const Scalar *> operands) {
  Scalar &scalar = scalars.emplace_back();
  scalar.kind = kind;
  scalar.type = type;
  scalar.operands.assign(operands.begin(), operands.end());
  return &scalar;
}

const Scalar *ScalarArena::access(Value tensor, AffineMap map) {
  const Scalar *&known = accesses[{tensor, map}];
  if (!known) {
    Scalar *scalar =
        make(ScalarKind::Access, getElementTypeOrSelf(tensor.getType()));
    scalar->tensor = tensor;
    scalar->map = map;
    known = scalar;
  }
  return known;
}

const Scalar *ScalarArena::inside(int64_t extent, AffineMap map) {
  const Scalar *&known = insides[{extent, map}];
  if (!known) {
    Scalar *scalar =
        make(ScalarKind::Inside, Float32Type::get(map.getContext()));
    scalar->extent = extent;
    scalar->map = map;
    known = scalar;
  }
  return known;
}

const Scalar *ScalarArena::convolved(Type type) {
  if (!theConvolved)
    theConvolved = make(ScalarKind::Convolved, type);
  return theConvolved;
}

const Scalar *ScalarArena::signal(Type type) {
  if (!theSignal)
    theSignal = make(ScalarKind::Signal, type);
  return theSignal;
}

const Scalar *ScalarArena::constant(TypedAttr value) {
  Scalar *scalar = make(ScalarKind::Constant, value.getType());
  scalar->constant = value;
  return scalar;
}

const Scalar *ScalarArena::multiply(const Scalar *lhs, const Scalar *rhs) {
  return make(ScalarKind::Multiply, lhs->type, {lhs, rhs});
}

const Scalar *ScalarArena::add(const Scalar *lhs, const Scalar *rhs) {
  return make(ScalarKind::Add, lhs->type, {lhs, rhs});
}

const Scalar *ScalarArena::convert(const Scalar *value, Type type) {
  if (value->type == type)
    return value;
  return make(ScalarKind::Convert, type, {value});
}

const Scalar *ScalarArena::guard(const Scalar *inside, const Scalar *value) {
  return make(ScalarKind::Guard, value->type, {inside, value});
}

const Scalar *ScalarArena::apply(Operation *op,
                                 ArrayRef<const Scalar *> operands, Type type) {
  Scalar *scalar = make(ScalarKind::Apply, type, operands);
  scalar->op = op;
  return scalar;
}

void mlir::hyena::fusion::forEachScalar(
    const Scalar *root, llvm::DenseSet<const Scalar *> &seen,
    llvm::function_ref<void(const Scalar *)> visit) {
  // Not recursive: a sum over many taps is a deep tree.
  SmallVector<std::pair<const Scalar *, unsigned>> stack;
  if (seen.insert(root).second)
    stack.push_back({root, 0});
  while (!stack.empty()) {
    auto &[scalar, next] = stack.back();
    if (next == scalar->operands.size()) {
      const Scalar *done = scalar;
      stack.pop_back();
      visit(done);
      continue;
    }
    const Scalar *operand = scalar->operands[next++];
    if (seen.insert(operand).second)
      stack.push_back({operand, 0});
  }
}

//===----------------------------------------------------------------------===//
// ScalarEmitter
//===----------------------------------------------------------------------===//

Value ScalarEmitter::emit(const Scalar *root) {
  llvm::DenseSet<const Scalar *> seen;
  for (auto [scalar, value] : values)
    seen.insert(scalar);
  forEachScalar(root, seen,
                [&](const Scalar *scalar) { values[scalar] = create(scalar); });
  return values.lookup(root);
}

Value ScalarEmitter::create(const Scalar *scalar) {
  SmallVector<Value> operands;
  for (const Scalar *operand : scalar->operands)
    operands.push_back(values.lookup(operand));
  switch (scalar->kind) {
  case ScalarKind::Constant:
    return arith::ConstantOp::create(builder, loc, scalar->constant);
  case ScalarKind::Multiply:
    return arith::MulFOp::create(builder, loc, operands[0], operands[1]);
  case ScalarKind::Add:
    return arith::AddFOp::create(builder, loc, operands[0], operands[1]);
  case ScalarKind::Convert:
    if (scalar->type.getIntOrFloatBitWidth() >
        operands[0].getType().getIntOrFloatBitWidth())
      return arith::ExtFOp::create(builder, loc, scalar->type, operands[0]);
    return arith::TruncFOp::create(builder, loc, scalar->type, operands[0]);
  case ScalarKind::Guard: {
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(operands[0].getType()));
    Value isInside = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::UNE, operands[0], zero);
    Value otherwise = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(scalar->type));
    return arith::SelectOp::create(builder, loc, isInside, operands[1],
                                   otherwise);
  }
  case ScalarKind::Apply: {
    Operation *op = scalar->op;
    Operation *clone = Operation::create(
        op->getLoc(), op->getName(), scalar->type, operands,
        op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
        /*successors=*/{}, /*numRegions=*/0);
    builder.insert(clone);
    return clone->getResult(0);
  }
  case ScalarKind::Access:
  case ScalarKind::Inside:
  case ScalarKind::Convolved:
  case ScalarKind::Signal:
    break;
  }
  llvm_unreachable("the block has an argument for it");
}
