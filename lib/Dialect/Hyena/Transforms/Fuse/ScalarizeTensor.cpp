//===- ScalarizeTensor.cpp - elements of other operations -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalarizer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::fusion;

Element Scalarizer::expand(OpResult value, const Position &at) {
  Operation *op = value.getOwner();
  if (Element constant = constantOf(value))
    return constant;
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return evaluate(cast.getSource(), at);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return expandReshape(collapse.getSrc(), collapse.getSrcType(),
                         collapse.getReassociationIndices(),
                         /*collapses=*/true, at);
  if (auto expansion = dyn_cast<tensor::ExpandShapeOp>(op))
    return expandReshape(expansion.getSrc(), expansion.getResultType(),
                         expansion.getReassociationIndices(),
                         /*collapses=*/false, at);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return expandSlice(slice, at);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return expandLinalg(linalgOp, value, at);
  if (isa<HyenaDialect>(op->getDialect()))
    return expandHyena(value, at);
  return expandElementwise(op, at);
}

Element Scalarizer::expandElementwise(Operation *op, const Position &at) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (!type.isIntOrFloat()) {
    refuse(op->getResult(0), Refusal::Body);
    return {};
  }
  SmallVector<Element> operands;
  for (Value operand : op->getOperands()) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    operands.push_back(isTensor ? evaluate(operand, at) : constantOf(operand));
    if (!operands.back()) {
      refuse(op->getResult(0), Refusal::Body);
      return {};
    }
  }
  return apply(op, operands, type);
}

//===----------------------------------------------------------------------===//
// Reshapes and slices
//===----------------------------------------------------------------------===//

Element Scalarizer::expandReshape(Value input, RankedTensorType wide,
                                  ArrayRef<ReassociationIndices> groups,
                                  bool collapses, const Position &at) {
  AffineExpr zero = getAffineConstantExpr(0, context);
  Position from;
  if (collapses) {
    from.index.assign(wide.getRank(), zero);
    from.slack.assign(wide.getRank(), {});
  }
  for (auto [narrowDim, group] : llvm::enumerate(groups)) {
    SmallVector<int64_t> dims;
    for (int64_t dim : group)
      if (wide.getDimSize(dim) != 1)
        dims.push_back(dim);
    if (dims.size() <= 1) {
      // One dimension, and perhaps others of extent 1.
      int64_t only = dims.empty() ? group.front() : dims.front();
      if (collapses) {
        from.index[only] = at.index[narrowDim];
        from.slack[only] = at.slack[narrowDim];
        continue;
      }
      for (int64_t dim : group)
        if (dim != only && at.slack[dim].isOutside())
          return {};
      from.push(at.index[only], at.slack[only]);
      continue;
    }
    // Several: the last one runs fastest. Only the first may be dynamic.
    AffineExpr linear = collapses ? at.index[narrowDim] : zero;
    if (collapses && at.slack[narrowDim].isOutside())
      return {};
    bool isWhole = !collapses || at.slack[narrowDim].isWhole();
    int64_t stride = 1;
    for (size_t i = dims.size(); i-- > 0;) {
      int64_t dim = dims[i], extent = wide.getDimSize(dim);
      if (i > 0 && ShapedType::isDynamic(extent))
        return {};
      if (collapses) {
        AffineExpr index = linear.floorDiv(stride);
        if (i > 0)
          index = index % extent;
        from.index[dim] = simplify(index);
        from.slack[dim] = {0, 0, isWhole};
      } else {
        if (at.slack[dim].isOutside())
          return {};
        isWhole &= at.slack[dim].isWhole();
        linear = linear + at.index[dim] * stride;
      }
      stride *= extent;
    }
    if (!collapses)
      from.push(simplify(linear), {0, 0, isWhole});
  }
  return evaluate(input, from);
}

Element Scalarizer::expandSlice(tensor::ExtractSliceOp op, const Position &at) {
  RankedTensorType source = op.getSourceType();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Position from;
  bool leaks = false;
  unsigned next = 0;
  for (int64_t dim = 0; dim < source.getRank(); ++dim) {
    int64_t offset = op.getStaticOffsets()[dim];
    int64_t stride = op.getStaticStrides()[dim];
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(stride)) {
      refuse(op.getResult(), Refusal::Index);
      return {};
    }
    if (dropped.test(dim)) {
      from.push(getAffineConstantExpr(offset, context), {0, 0, false});
      continue;
    }
    const Slack &slack = at.slack[next];
    int64_t extent = source.getDimSize(dim), size = op.getStaticSizes()[dim];
    bool isKnown =
        !ShapedType::isDynamic(extent) && !ShapedType::isDynamic(size);
    bool isAll = isKnown && offset == 0 && stride == 1 && size == extent;
    from.index.push_back(simplify(at.index[next] * stride + offset));
    from.slack.push_back(isAll ? slack : Slack{0, 0, false});
    // How far a part reaches into the rest is not followed.
    leaks |= slack.isOutside() && !isAll;
    ++next;
  }
  Element element = evaluate(op.getSource(), from);
  if (leaks)
    element.isZeroOutside = element.isFiniteOutside = false;
  return element;
}

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

Element Scalarizer::expandLinalg(linalg::LinalgOp op, OpResult value,
                                 const Position &at) {
  OpOperand *init = op.getDpsInitOperand(value.getResultNumber());
  AffineMap map = op.getMatchingIndexingMap(init);
  if (!map.isPermutation()) {
    refuse(value, Refusal::Index);
    return {};
  }
  SmallVector<AffineExpr> loops(op.getNumLoops());
  SmallVector<Slack> slack(op.getNumLoops());
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    loops[loop] = at.index[i];
    slack[loop] = at.slack[i];
  }
  llvm::DenseMap<Value, Element> known;
  Value yielded =
      op.getBlock()->getTerminator()->getOperand(value.getResultNumber());
  Element element = expandBody(op, yielded, loops, slack, at, known);
  if (!element)
    refuse(value, Refusal::Body);
  return element;
}

Element Scalarizer::expandBody(linalg::LinalgOp op, Value value,
                               ArrayRef<AffineExpr> loops,
                               ArrayRef<Slack> slack, const Position &at,
                               llvm::DenseMap<Value, Element> &known) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Element element;
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == op.getBlock()) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (!isa<RankedTensorType>(operand->get().getType()))
      return constantOf(operand->get());
    AffineMap map = op.getMatchingIndexingMap(operand);
    Position from;
    llvm::SmallBitVector isCarried(loops.size());
    for (AffineExpr expr : map.getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        from.push(loops[dim.getPosition()], slack[dim.getPosition()]);
        isCarried.set(dim.getPosition());
      } else if (isa<AffineConstantExpr>(expr)) {
        from.push(expr, {0, 0, false});
      } else {
        return {};
      }
    }
    element = evaluate(operand->get(), from);
    for (size_t loop = 0; loop < loops.size(); ++loop)
      if (slack[loop].isOutside() && !isCarried.test(loop))
        element.isZeroOutside = false;
  } else {
    Operation *def = value.getDefiningOp();
    if (!def || def->getNumResults() != 1 || def->getNumRegions() != 0 ||
        !isMemoryEffectFree(def) || !value.getType().isIntOrFloat())
      return {};
    if (def->hasTrait<OpTrait::ConstantLike>()) {
      element = constantOf(value);
    } else {
      if (def->getBlock() != op.getBlock() ||
          !OpTrait::hasElementwiseMappableTraits(def))
        return {};
      SmallVector<Element> operands;
      for (Value operand : def->getOperands()) {
        operands.push_back(expandBody(op, operand, loops, slack, at, known));
        if (!operands.back())
          return {};
      }
      element = apply(def, operands, value.getType());
    }
  }
  known[value] = element;
  return element;
}
