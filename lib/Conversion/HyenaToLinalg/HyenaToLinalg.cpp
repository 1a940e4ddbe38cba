//===- HyenaToLinalg.cpp - Lowers what stands around convolutions ---------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"

#include "hyena/Conversion/Passes.h"
#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::hyena {
#define GEN_PASS_DEF_CONVERTHYENATOLINALG
#include "hyena/Conversion/Passes.h.inc"
} // namespace mlir::hyena

using namespace mlir;
using namespace mlir::hyena;

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

FailureOr<Value> mlir::hyena::createDestination(PatternRewriter &rewriter,
                                                Operation *op,
                                                RankedTensorType type,
                                                unsigned result) {
  SmallVector<Value> extents;
  if (!type.hasStaticShape()) {
    ReifiedRankedShapedTypeDims shapes;
    if (failed(reifyResultShapes(rewriter, op, shapes)))
      return rewriter.notifyMatchFailure(op, "the result's shape is unknown");
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.isDynamicDim(i))
        extents.push_back(getValueOrCreateConstantIndexOp(
            rewriter, op->getLoc(), shapes[result][i]));
  }
  return tensor::EmptyOp::create(rewriter, op->getLoc(), type, extents)
      .getResult();
}

Value mlir::hyena::createZero(PatternRewriter &rewriter, Location loc,
                              Value destination) {
  const Type type =
      cast<RankedTensorType>(destination.getType()).getElementType();
  Value zero;
  if (auto complexType = dyn_cast<ComplexType>(type)) {
    const Attribute part =
        rewriter.getFloatAttr(complexType.getElementType(), 0.0);
    zero = complex::ConstantOp::create(rewriter, loc, complexType,
                                       rewriter.getArrayAttr({part, part}));
  } else {
    zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  }
  return linalg::FillOp::create(rewriter, loc, zero, destination).getResult(0);
}

Value mlir::hyena::createGeneric(PatternRewriter &rewriter, Location loc,
                                 ValueRange inputs, ArrayRef<AffineMap> maps,
                                 Value destination, int64_t reductions,
                                 ScalarBuilder body) {
  auto type = cast<RankedTensorType>(destination.getType());
  const int64_t rank = type.getRank();
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(
      AffineMap::getMinorIdentityMap(rank, rank, rewriter.getContext()));
  if (reductions) {
    SmallVector<AffineExpr> leading;
    for (int64_t i = 0; i < rank; ++i)
      leading.push_back(rewriter.getAffineDimExpr(i));
    allMaps.back() =
        AffineMap::get(rank + reductions, 0, leading, rewriter.getContext());
  }
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.append(reductions, utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             rewriter, loc, TypeRange{type}, inputs, ValueRange{destination},
             allMaps, iterators,
             [&](OpBuilder &builder, Location loc, ValueRange scalars) {
               linalg::YieldOp::create(builder, loc,
                                       body(builder, loc, scalars));
             })
      .getResult(0);
}

FloatType mlir::hyena::getWideType(Type type) {
  return type.isF64() ? Float64Type::get(type.getContext())
                      : FloatType(Float32Type::get(type.getContext()));
}

Value mlir::hyena::convertFloat(OpBuilder &builder, Location loc, Value value,
                                Type type) {
  const unsigned from = value.getType().getIntOrFloatBitWidth();
  const unsigned to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  if (from > to)
    return arith::TruncFOp::create(builder, loc, type, value);
  return value;
}

Value mlir::hyena::createIndex(OpBuilder &builder, Location loc,
                               int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value mlir::hyena::createExtent(OpBuilder &builder, Location loc, Value tensor,
                                int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return createIndex(builder, loc, type.getDimSize(dim));
  return tensor::DimOp::create(builder, loc, tensor, dim);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertHyenaToLinalgPass
    : hyena::impl::ConvertHyenaToLinalgBase<ConvertHyenaToLinalgPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateStreamPatterns(patterns);
    populateFilterPatterns(patterns);
    populateSpectrumPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    WalkResult left = getOperation()->walk([](Operation *op) {
      if (!isa_and_present<HyenaDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("is not lowered by this pass; 'hyena.fftconv' goes "
                      "through 'hyena-fuse' and 'hyena-plan-conv', then "
                      "'convert-hyena-to-exec' takes it, 'hyena.project' and "
                      "'hyena.pack_filter'");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
