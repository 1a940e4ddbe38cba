//===- ShapeClasses.cpp - Which extents of arguments must be equal --------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeClasses.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::hyena;

namespace {

/// Union-find over the dimensions of all tensors of a function.
class DimClasses {
public:
  void unite(Value left, int64_t leftDim, Value right, int64_t rightDim) {
    const unsigned a = find(left, leftDim), b = find(right, rightDim);
    if (a == b)
      return;
    parents[b] = a;
    if (extents[a] == ShapedType::kDynamic)
      extents[a] = extents[b];
  }

  /// All dimensions of two tensors of one rank.
  void uniteAll(Value left, Value right) {
    auto leftType = dyn_cast<RankedTensorType>(left.getType());
    auto rightType = dyn_cast<RankedTensorType>(right.getType());
    if (!leftType || !rightType || leftType.getRank() != rightType.getRank())
      return;
    for (int64_t i = 0; i < leftType.getRank(); ++i)
      unite(left, i, right, i);
  }

  unsigned find(Value value, int64_t dim) {
    auto [entry, isNew] = ids.try_emplace({value, dim}, parents.size());
    if (isNew) {
      parents.push_back(entry->second);
      extents.push_back(
          cast<RankedTensorType>(value.getType()).getDimSize(dim));
    }
    unsigned id = entry->second;
    while (parents[id] != id)
      id = parents[id] = parents[parents[id]];
    return id;
  }

  int64_t getExtent(unsigned root) const { return extents[root]; }

private:
  DenseMap<std::pair<Value, int64_t>, unsigned> ids;
  SmallVector<unsigned> parents;
  SmallVector<int64_t> extents;
};

} // namespace

/// Extents of operands that an operation of the hyena dialect equates. What its
/// result has to do with them, it reifies itself.
static void uniteHyenaOperands(Operation *op, DimClasses &classes) {
  if (auto gate = dyn_cast<GateOp>(op)) {
    for (Value input : gate.getInputs().drop_front())
      classes.uniteAll(gate.getInputs().front(), input);
  } else if (auto product = dyn_cast<SpectralMulOp>(op)) {
    classes.uniteAll(product.getLhs(), product.getRhs());
  } else if (auto broadcast = dyn_cast<hyena::BroadcastOp>(op)) {
    for (auto [i, dim] : llvm::enumerate(broadcast.getDims()))
      classes.unite(broadcast.getInput(), i, broadcast.getLike(), dim);
  } else if (auto chunk = dyn_cast<ChunkOp>(op)) {
    for (Value stream : chunk.getStreams())
      for (int64_t i = 0; i < 3; ++i)
        if (i != chunk.getChannelDim())
          classes.unite(chunk.getInput(), i, stream, i);
  } else if (auto fused = dyn_cast<FusedConvOp>(op)) {
    // Dimensions of the domain: of the first result, of the other results, and
    // of what is read at the very index.
    for (auto [result, attr] :
         llvm::zip_equal(fused.getResults(), fused.getResultMaps())) {
      const AffineMap map = cast<AffineMapAttr>(attr).getValue();
      for (unsigned i = 0; i < map.getNumResults(); ++i)
        for (unsigned j = 0; j < map.getNumResults(); ++j)
          if (fused.getResultMap(0).getResult(j) == map.getResult(i))
            classes.unite(fused.getResults()[0], j, result, i);
    }
    for (int64_t a = 0; a < fused.getNumAccesses(); ++a) {
      const AffineMap map = fused.getAccess(a).getMap();
      for (unsigned i = 0; i < map.getNumResults(); ++i)
        for (unsigned j = 0; j < 3; ++j)
          if (fused.getResultMap(0).getResult(j) == map.getResult(i) &&
              cast<AffineDimExpr>(map.getResult(i)).getPosition() == 0)
            classes.unite(fused.getResults()[0], j,
                          fused.getInputs()[fused.getAccess(a).getOperand()],
                          i);
    }
  }
}

/// Extents of operands that run along one loop of a linalg operation.
static void uniteLoops(linalg::LinalgOp op, DimClasses &classes) {
  llvm::SmallDenseMap<unsigned, std::pair<Value, int64_t>> loops;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      auto [entry, isNew] =
          loops.try_emplace(dim.getPosition(), std::pair(operand.get(), i));
      if (!isNew)
        classes.unite(entry->second.first, entry->second.second, operand.get(),
                      i);
    }
  }
}

/// Unites a result's dimension with the operand's that it reifies to.
static void uniteReified(Operation *op, OpBuilder &builder,
                         DimClasses &classes) {
  if (!isa<ReifyRankedShapedTypeOpInterface>(op))
    return;
  ReifiedRankedShapedTypeDims shapes;
  builder.setInsertionPoint(op);
  if (failed(reifyResultShapes(builder, op, shapes)))
    return;
  for (auto [result, shape] : llvm::zip(op->getResults(), shapes))
    for (auto [i, extent] : llvm::enumerate(shape)) {
      auto value = dyn_cast<Value>(extent);
      auto dim = value ? value.getDefiningOp<tensor::DimOp>() : nullptr;
      std::optional<int64_t> index =
          dim ? dim.getConstantIndex() : std::nullopt;
      if (index && isa<RankedTensorType>(dim.getSource().getType()))
        classes.unite(dim.getSource(), *index, result, i);
    }
}

static void uniteOperation(Operation *op, OpBuilder &builder,
                           DimClasses &classes) {
  if (OpTrait::hasElementwiseMappableTraits(op)) {
    SmallVector<Value> tensors;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        tensors.push_back(operand);
    for (Value result : op->getResults())
      for (Value tensor : tensors)
        classes.uniteAll(result, tensor);
    return;
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return classes.uniteAll(cast.getSource(), cast.getDest());
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    uniteLoops(linalgOp, classes);
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpResult result : op->getResults())
      classes.uniteAll(result, dps.getTiedOpOperand(result)->get());
  if (isa_and_present<HyenaDialect>(op->getDialect()))
    uniteHyenaOperands(op, classes);
  uniteReified(op, builder, classes);
}

std::vector<ShapeClass> mlir::hyena::findShapeClasses(func::FuncOp function) {
  std::vector<ShapeClass> found;
  const bool anyDynamic = llvm::any_of(function.getArgumentTypes(), [](Type t) {
    auto type = dyn_cast<RankedTensorType>(t);
    return type && !type.hasStaticShape();
  });
  if (!anyDynamic)
    return found;
  // Reifying creates operations.
  OwningOpRef<func::FuncOp> copy = function.clone();
  SmallVector<Operation *> operations;
  copy->walk([&](Operation *op) { operations.push_back(op); });
  DimClasses classes;
  OpBuilder builder(function.getContext());
  for (Operation *op : operations)
    if (op != copy.get())
      uniteOperation(op, builder, classes);

  llvm::MapVector<unsigned, ShapeClass> byRoot;
  for (BlockArgument argument : copy->getArguments())
    if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
      for (int64_t i = 0; i < type.getRank(); ++i)
        if (type.isDynamicDim(i)) {
          const unsigned root = classes.find(argument, i);
          ShapeClass &shapeClass = byRoot[root];
          shapeClass.dims.push_back({argument.getArgNumber(), i});
          shapeClass.extent = classes.getExtent(root);
        }
  for (auto &[root, shapeClass] : byRoot)
    if (shapeClass.dims.size() > 1 || !ShapedType::isDynamic(shapeClass.extent))
      found.push_back(std::move(shapeClass));
  return found;
}

LogicalResult mlir::hyena::checkShapeClasses(ArrayRef<ShapeClass> classes,
                                             ArrayRef<ValueInfo> infos,
                                             ArrayRef<Array> arguments,
                                             std::string &error) {
  for (const ShapeClass &shapeClass : classes) {
    const auto [firstArgument, firstDim] = shapeClass.dims.front();
    const bool isKnown = !ShapedType::isDynamic(shapeClass.extent);
    const int64_t expected =
        isKnown ? shapeClass.extent : arguments[firstArgument].shape[firstDim];
    for (auto [argument, dim] : shapeClass.dims) {
      const int64_t extent = arguments[argument].shape[dim];
      if (extent == expected)
        continue;
      error = "argument '" + infos[argument].name + "': dimension " +
              std::to_string(dim) + " is " + std::to_string(extent) +
              "; it must be " + std::to_string(expected);
      if (!isKnown)
        error += ", as dimension " + std::to_string(firstDim) +
                 " of argument '" + infos[firstArgument].name + "'";
      return failure();
    }
  }
  return success();
}
