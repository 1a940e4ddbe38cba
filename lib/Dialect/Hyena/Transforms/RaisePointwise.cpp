//===- RaisePointwise.cpp - Small linalg bodies to tensor ops -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "RaisePatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::hyena;

namespace {

/// A linalg operation whose body is one or two of addf and mulf, or one
/// complex.mul, over views of its inputs -> the same on tensors. These are the
/// spellings of a spectral product, a gate, a bias and a skip.
struct ExpandPointwise : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  static bool isPlainTensor(Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    return type && !type.getEncoding();
  }

  /// Whether `v` may be the right-hand side of a spectral_mul with the shape
  /// of `like` when it is read through `map`: the same channels and points for
  /// the whole batch.
  static bool isFilterSpectrum(Value v, AffineMap map, Value like) {
    RankedTensorType type = tensorOf(v), target = tensorOf(like);
    if (type.getRank() != 2 || target.getRank() != 3 || type.isDynamicDim(0) ||
        target.isDynamicDim(1))
      return false;
    MLIRContext *context = v.getContext();
    AffineMap wanted = AffineMap::get(
        3, 0, {getAffineDimExpr(1, context), getAffineDimExpr(2, context)},
        context);
    return map == wanted && type.getDimSize(0) == target.getDimSize(1);
  }

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op.getNumDpsInits() != 1 ||
        op.getNumDpsInputs() < 1 || op.getNumDpsInputs() > 3 ||
        op.getNumParallelLoops() != op.getNumLoops() ||
        !isPlainTensor(op->getResult(0)))
      return rewriter.notifyMatchFailure(op, "not pointwise on tensors");
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (!out.isPermutation())
      return rewriter.notifyMatchFailure(op, "the result is not a permutation");
    Block *body = op.getBlock();
    if (!body->getArguments().back().use_empty())
      return rewriter.notifyMatchFailure(op, "the body reads the old result");
    int64_t numOps = llvm::range_size(body->without_terminator());
    auto element =
        dyn_cast<ComplexType>(getElementTypeOrSelf(op->getResult(0)));
    bool isComplex =
        numOps == 1 && isa<complex::MulOp>(body->front()) && element &&
        (element.getElementType().isF32() || element.getElementType().isF64());
    if (!isComplex &&
        (numOps < 1 || numOps > 2 ||
         llvm::any_of(body->without_terminator(), [](Operation &inner) {
           return !isa<arith::AddFOp, arith::MulFOp>(inner);
         })))
      return rewriter.notifyMatchFailure(
          op, "the body is not one or two products and sums");
    if (body->getTerminator()->getOperand(0).getDefiningOp() !=
        body->getTerminator()->getPrevNode())
      return rewriter.notifyMatchFailure(op, "the last operation is not used");
    for (Operation &inner : body->without_terminator())
      for (Value operand : inner.getOperands())
        if (operand.getParentBlock() != body)
          return rewriter.notifyMatchFailure(op, "the body captures a value");

    // An input that is read as it is gives the shape of the result.
    Value like = op.getDpsInits()[0];
    SmallVector<AffineMap> maps;
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (!isPlainTensor(input->get()))
        return rewriter.notifyMatchFailure(op, "an input is a scalar");
      maps.push_back(
          op.getMatchingIndexingMap(input).compose(inversePermutation(out)));
    }
    for (auto [map, input] : llvm::zip_equal(maps, op.getDpsInputs()))
      if (map.isIdentity() &&
          tensorOf(input).getShape() == tensorOf(like).getShape()) {
        like = input;
        break;
      }

    for (auto [map, input] : llvm::zip_equal(maps, op.getDpsInputs()))
      if (!hasView(input, map, like))
        return rewriter.notifyMatchFailure(
            op, "an input is read in a way that has no operation");

    Location loc = op.getLoc();
    IRMapping views;
    for (auto [i, map] : llvm::enumerate(maps)) {
      Value input = op.getDpsInputs()[i];
      if (body->getArgument(i).use_empty())
        continue;
      bool isFilter = isComplex && like != op.getDpsInits()[0] &&
                      isFilterSpectrum(input, map, like);
      views.map(body->getArgument(i),
                isFilter ? input : createView(rewriter, loc, input, map, like));
    }
    Value result;
    for (Operation &inner : body->without_terminator()) {
      Value lhs = views.lookup(inner.getOperand(0));
      Value rhs = views.lookup(inner.getOperand(1));
      if (isComplex) {
        if (tensorOf(lhs).getRank() < tensorOf(rhs).getRank())
          std::swap(lhs, rhs);
        result = createSpectralMul(rewriter, loc, lhs, rhs);
      } else if (isa<arith::AddFOp>(inner)) {
        result = arith::AddFOp::create(rewriter, loc, lhs, rhs);
      } else {
        result = arith::MulFOp::create(rewriter, loc, lhs, rhs);
      }
      views.map(inner.getResult(0), result);
    }
    if (result.getType() != op->getResult(0).getType())
      result = tensor::CastOp::create(rewriter, loc, op->getResult(0).getType(),
                                      result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void mlir::hyena::populateRaisePointwisePatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandPointwise>(patterns.getContext());
}
