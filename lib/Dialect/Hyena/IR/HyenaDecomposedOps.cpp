//===- HyenaDecomposedOps.cpp - Shapes of the decomposed forms -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "OpChecks.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::detail;

//===----------------------------------------------------------------------===//
// pad, truncate, flip
//===----------------------------------------------------------------------===//

static LogicalResult checkDim(Diag diag, int64_t dim, int64_t rank) {
  if (dim >= 0 && dim < rank)
    return success();
  return diag("C1", "'dim' is ", dim, ", expected 0 at least and less than ",
              rank, ", the rank of the input");
}

static FailureOr<RankedTensorType> infer(PadOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  int64_t dim = op.getDim(), low = op.getLow(), high = op.getHigh();
  if (failed(checkDim(diag, dim, input.getRank())))
    return failure();
  if (!isCount(low) || !isCount(high))
    return diag("C2", "'low' is ", low, " and 'high' is ", high,
                ", expected 0 to ", kMaxExtent);
  SmallVector<int64_t> shape = shapeOf(input);
  if (shape[dim] != kDynamic) {
    if (shape[dim] > kMaxExtent)
      return diag("C2", "dimension ", dim, " of the input is ", shape[dim],
                  ", expected 0 to ", kMaxExtent);
    shape[dim] += low + high;
  }
  return RankedTensorType::get(shape, input.getElementType());
}
HYENA_INFER(PadOp)

LogicalResult PadOp::reifyResultShapes(OpBuilder &b,
                                       ReifiedRankedShapedTypeDims &reified) {
  SmallVector<DimSource> sources = sameShape(getInput());
  sources[getDim()].extra = getLow() + getHigh();
  return reify(b, getLoc(), getResult(), sources, reified);
}

static FailureOr<RankedTensorType> infer(TruncateOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  int64_t dim = op.getDim(), offset = op.getOffset(), length = op.getLength();
  if (failed(checkDim(diag, dim, input.getRank())))
    return failure();
  int64_t extent = input.getDimSize(dim);
  if (!isCount(offset) || !isCount(length) || length < 1 ||
      (extent != kDynamic && length > extent - offset))
    return diag("C2", "'offset' is ", offset, " and 'length' is ", length,
                ", expected 1 element at least of the ",
                extent == kDynamic ? kMaxExtent : extent, " in dimension ",
                dim);
  SmallVector<int64_t> shape = shapeOf(input);
  shape[dim] = length;
  return RankedTensorType::get(shape, input.getElementType());
}
HYENA_INFER(TruncateOp)

LogicalResult
TruncateOp::reifyResultShapes(OpBuilder &b,
                              ReifiedRankedShapedTypeDims &reified) {
  SmallVector<DimSource> sources = sameShape(getInput());
  sources[getDim()] = DimSource::constant(getLength());
  return reify(b, getLoc(), getResult(), sources, reified);
}

static FailureOr<RankedTensorType> infer(FlipOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  if (failed(checkDim(diag, op.getDim(), input.getRank())))
    return failure();
  return input;
}
HYENA_INFER(FlipOp)

LogicalResult FlipOp::reifyResultShapes(OpBuilder &b,
                                        ReifiedRankedShapedTypeDims &reified) {
  return reify(b, getLoc(), getResult(), sameShape(getInput()), reified);
}

//===----------------------------------------------------------------------===//
// rfft, spectral_mul, irfft
//===----------------------------------------------------------------------===//

static FailureOr<RankedTensorType> infer(RFFTOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  int64_t n = op.getN();
  if (input.getRank() < 1)
    return diag("C1", "the input has rank 0, expected 1 at least");
  if (n < 1 || n > kMaxExtent)
    return diag("C2", "'n' is ", n, ", expected 1 to ", kMaxExtent);
  SmallVector<int64_t> shape = shapeOf(input);
  shape.back() = n / 2 + 1;
  return RankedTensorType::get(shape, ComplexType::get(input.getElementType()));
}
HYENA_INFER(RFFTOp)

LogicalResult RFFTOp::reifyResultShapes(OpBuilder &b,
                                        ReifiedRankedShapedTypeDims &reified) {
  SmallVector<DimSource> sources = sameShape(getInput());
  sources.back() = DimSource::constant(getN() / 2 + 1);
  return reify(b, getLoc(), getResult(), sources, reified);
}

static FailureOr<RankedTensorType> infer(SpectralMulOp::Adaptor op, Diag diag) {
  auto lhs = tensorOf(op.getLhs()), rhs = tensorOf(op.getRhs());
  if (lhs.getElementType() != rhs.getElementType())
    return diag("C1", "the sides have element types ", lhs.getElementType(),
                " and ", rhs.getElementType(), ", expected one");
  SmallVector<int64_t> shape = shapeOf(lhs);
  if (compatibleTypes(TypeRange{lhs}, TypeRange{rhs})) {
    refineShape(shape, rhs.getShape());
    return RankedTensorType::get(shape, lhs.getElementType());
  }
  bool grouped = lhs.getRank() == 3 && rhs.getRank() == 2 &&
                 !lhs.isDynamicDim(1) && !rhs.isDynamicDim(0) &&
                 rhs.getDimSize(0) > 0 &&
                 lhs.getDimSize(1) % rhs.getDimSize(0) == 0 &&
                 compatibleExtents(lhs.getDimSize(2), rhs.getDimSize(1));
  if (!grouped)
    return diag(
        "C2", "the sides are ", lhs, " and ", rhs,
        ", expected one shape, or (B, C, F) and (G, F) with G dividing C");
  refineShape(shape, {lhs.getDimSize(0), lhs.getDimSize(1), rhs.getDimSize(1)});
  return RankedTensorType::get(shape, lhs.getElementType());
}
HYENA_INFER(SpectralMulOp)

LogicalResult
SpectralMulOp::reifyResultShapes(OpBuilder &b,
                                 ReifiedRankedShapedTypeDims &reified) {
  return reify(b, getLoc(), getResult(), sameShape(getLhs()), reified);
}

static FailureOr<RankedTensorType> infer(IRFFTOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  int64_t n = op.getN();
  if (n < 1 || n > kMaxExtent)
    return diag("C1", "'n' is ", n, ", expected 1 to ", kMaxExtent);
  if (input.getRank() < 1 ||
      !compatibleExtents(input.getShape().back(), n / 2 + 1))
    return diag("C2", "the input is ", input, ", expected a last dimension of ",
                n / 2 + 1, " for n = ", n);
  SmallVector<int64_t> shape = shapeOf(input);
  shape.back() = n;
  return RankedTensorType::get(
      shape, cast<ComplexType>(input.getElementType()).getElementType());
}
HYENA_INFER(IRFFTOp)

LogicalResult IRFFTOp::reifyResultShapes(OpBuilder &b,
                                         ReifiedRankedShapedTypeDims &reified) {
  SmallVector<DimSource> sources = sameShape(getInput());
  sources.back() = DimSource::constant(getN());
  return reify(b, getLoc(), getResult(), sources, reified);
}
