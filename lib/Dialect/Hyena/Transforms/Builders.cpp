//===- Builders.cpp - Operations with the types that they need -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hyena;

static constexpr int64_t kDynamic = ShapedType::kDynamic;

RankedTensorType mlir::hyena::withExtent(Value v, int64_t dim, int64_t extent) {
  RankedTensorType type = tensorOf(v);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = extent;
  return RankedTensorType::get(shape, type.getElementType());
}

Value mlir::hyena::createPad(OpBuilder &b, Location loc, Value v, int64_t dim,
                             int64_t low, int64_t high) {
  if (low == 0 && high == 0)
    return v;
  int64_t extent = tensorOf(v).getDimSize(dim);
  if (extent != kDynamic)
    extent += low + high;
  return PadOp::create(b, loc, withExtent(v, dim, extent), v, dim, low, high);
}

Value mlir::hyena::createTruncate(OpBuilder &b, Location loc, Value v,
                                  int64_t dim, int64_t offset, int64_t length) {
  if (offset == 0 && tensorOf(v).getDimSize(dim) == length)
    return v;
  return TruncateOp::create(b, loc, withExtent(v, dim, length), v, dim, offset,
                            length);
}

Value mlir::hyena::createFlip(OpBuilder &b, Location loc, Value v,
                              int64_t dim) {
  return FlipOp::create(b, loc, v.getType(), v, dim);
}

Value mlir::hyena::createTranspose(OpBuilder &b, Location loc, Value v) {
  RankedTensorType type = tensorOf(v);
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[shape.size() - 2], shape[shape.size() - 1]);
  return TransposeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), v);
}

Value mlir::hyena::createRFFT(OpBuilder &b, Location loc, Value v, int64_t n) {
  RankedTensorType type = withExtent(v, tensorOf(v).getRank() - 1, n / 2 + 1);
  return RFFTOp::create(
      b, loc, type.clone(ComplexType::get(type.getElementType())), v, n);
}

Value mlir::hyena::createIRFFT(OpBuilder &b, Location loc, Value v, int64_t n) {
  RankedTensorType type = withExtent(v, tensorOf(v).getRank() - 1, n);
  return IRFFTOp::create(
      b, loc,
      type.clone(cast<ComplexType>(type.getElementType()).getElementType()), v,
      n);
}

Value mlir::hyena::createSpectralMul(OpBuilder &b, Location loc, Value lhs,
                                     Value rhs) {
  return SpectralMulOp::create(b, loc, lhs.getType(), lhs, rhs);
}

Value mlir::hyena::createBroadcast(OpBuilder &b, Location loc, Value v,
                                   Value like, ArrayRef<int64_t> dims) {
  return BroadcastOp::create(b, loc,
                             tensorOf(like).clone(tensorOf(v).getElementType()),
                             v, like, dims);
}

Value mlir::hyena::createFloatCast(OpBuilder &b, Location loc, Value v,
                                   Type element) {
  Type from = tensorOf(v).getElementType();
  if (from == element)
    return v;
  RankedTensorType type = tensorOf(v).clone(element);
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, loc, type, v);
  return arith::TruncFOp::create(b, loc, type, v);
}

Value mlir::hyena::createRepeat(OpBuilder &b, Location loc, Value v,
                                int64_t count) {
  if (count == 1)
    return v;
  RankedTensorType type = tensorOf(v);
  int64_t extent = type.getDimSize(0);
  Value like =
      tensor::EmptyOp::create(b, loc, {extent, count}, type.getElementType());
  Value rows = createBroadcast(b, loc, v, like, {0});
  return tensor::CollapseShapeOp::create(
      b, loc, RankedTensorType::get({extent * count}, type.getElementType()),
      rows, SmallVector<ReassociationIndices>{{0, 1}});
}

Value mlir::hyena::getRepeated(Value v) {
  auto collapse = v.getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse || tensorOf(v).getRank() != 1)
    return v;
  auto rows = collapse.getSrc().getDefiningOp<BroadcastOp>();
  if (!rows || rows.getDims() != ArrayRef<int64_t>{0} ||
      tensorOf(rows.getResult()).getRank() != 2)
    return v;
  return rows.getInput();
}

FloatType mlir::hyena::getComputeType(MLIRContext *context, ValueRange values) {
  FloatType widest = Float32Type::get(context);
  for (Value v : values)
    if (v && tensorOf(v).getElementType().isF64())
      widest = Float64Type::get(context);
  return widest;
}
