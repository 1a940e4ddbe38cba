//===- FusionGraph.cpp - what fusion needs to know of a block -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionGraph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::fusion;

//===----------------------------------------------------------------------===//
// Kinds of operations
//===----------------------------------------------------------------------===//

/// All loops are parallel, and operands and results are tensors.
static bool isParallelLinalg(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() &&
         linalgOp.getNumLoops() == linalgOp.getNumParallelLoops() &&
         op->getNumResults() > 0;
}

static bool isElementwise(Operation *op) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         OpTrait::hasElementwiseMappableTraits(op) &&
         isa<RankedTensorType>(op->getResult(0).getType()) &&
         isMemoryEffectFree(op);
}

bool mlir::hyena::fusion::isView(Operation *op) {
  if (isa<ChunkOp, TransposeOp, BroadcastOp, PadOp, TruncateOp, FlipOp,
          tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp>(op))
    return true;
  return isParallelLinalg(op) && op->getRegion(0).hasOneBlock() &&
         llvm::hasSingleElement(op->getRegion(0).front());
}

bool mlir::hyena::fusion::isFusable(Operation *op) {
  if (isa<ShortConvOp, GateOp, linalg::FillOp>(op) || isView(op))
    return true;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  return isElementwise(op) || isParallelLinalg(op);
}

//===----------------------------------------------------------------------===//
// FusionGraph
//===----------------------------------------------------------------------===//

std::vector<SmallVector<FFTConvOp>>
mlir::hyena::fusion::connectedConvolutions(Block &block) {
  llvm::EquivalenceClasses<Operation *> classes;
  auto isLink = [&](Operation *op) {
    return op && op->getBlock() == &block &&
           (isFusable(op) || isa<FFTConvOp>(op)) &&
           !op->hasTrait<OpTrait::ConstantLike>();
  };
  // What parameters alone decide connects nothing: it is not fused.
  FusionGraph graph(block, {});
  for (Operation &op : block) {
    if (!isLink(&op))
      continue;
    classes.insert(&op);
    for (Value operand : op.getOperands())
      if (Operation *def = operand.getDefiningOp();
          isLink(def) && !graph.isParameter(operand))
        classes.unionSets(&op, def);
  }
  llvm::MapVector<Operation *, SmallVector<FFTConvOp>> sets;
  for (auto conv : block.getOps<FFTConvOp>())
    sets[classes.getLeaderValue(conv)].push_back(conv);
  std::vector<SmallVector<FFTConvOp>> result;
  for (auto &[leader, convs] : sets)
    result.push_back(std::move(convs));
  return result;
}

FusionGraph::FusionGraph(Block &block, ArrayRef<FFTConvOp> convs)
    : block(block), convs(convs) {
  none.resize(convs.size());

  Operation *effect = nullptr;
  size_t nextConv = 0;
  for (Operation &op : block) {
    if (!isMemoryEffectFree(&op)) {
      effectBefore[&op] = effect;
      effect = &op;
    }
    llvm::BitVector &depends = dependencesOf[&op];
    depends = none;
    for (Value operand : operandsOf(&op))
      depends |= dependences(operand);
    if (Operation *previous = previousEffect(&op))
      depends |= dependencesOf.find(previous)->second;
    if (nextConv < convs.size() && convs[nextConv] == &op)
      depends.set(nextConv++);
    if (computeIsParameter(&op))
      parameters.insert(&op);
    else if (isFusable(&op))
      for (Value operand : op.getOperands())
        heights[&op] = std::max(heights[&op], heightOf(operand) + 1);
  }
  collectDemands();
}

int64_t FusionGraph::convolutionOf(Value value) const {
  auto conv = value.getDefiningOp<FFTConvOp>();
  const auto *it = llvm::find(convs, conv);
  return conv && it != convs.end() ? std::distance(convs.begin(), it) : -1;
}

bool FusionGraph::isPart(Operation *op) const {
  return isFusable(op) ||
         (isa<FFTConvOp>(op) && convolutionOf(op->getResult(0)) >= 0);
}

Operation *FusionGraph::definition(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == &block ? op : nullptr;
}

Operation *FusionGraph::fusableDefinition(Value value) const {
  Operation *op = definition(value);
  return op && isFusable(op) ? op : nullptr;
}

const llvm::BitVector &FusionGraph::dependences(Value value) const {
  Operation *op = definition(value);
  auto it = dependencesOf.find(op);
  return it == dependencesOf.end() ? none : it->second;
}

unsigned FusionGraph::heightOf(Value value) const {
  return heights.lookup(definition(value));
}

bool FusionGraph::computeIsParameter(Operation *op) const {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  if (!isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  return llvm::all_of(operandsOf(op), [&](Value v) { return isParameter(v); });
}

bool FusionGraph::isParameter(Value value) const {
  if (Operation *op = definition(value))
    return parameters.contains(op);
  if (Operation *op = value.getDefiningOp())
    return op->hasTrait<OpTrait::ConstantLike>();
  auto argument = cast<BlockArgument>(value);
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function && argument.getOwner()->isEntryBlock() &&
         function.getArgAttr(argument.getArgNumber(), kParamAttrName);
}

SmallVector<Value> FusionGraph::operandsOf(Operation *op) const {
  SmallVector<Value> operands(op->getOperands());
  // Values of this block that nested regions use.
  for (Region &region : op->getRegions())
    region.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *def = definition(operand); def && def != op)
          operands.push_back(operand);
        else if (auto argument = dyn_cast<BlockArgument>(operand))
          if (!region.isAncestor(argument.getOwner()->getParent()))
            operands.push_back(operand);
    });
  return operands;
}

Operation *FusionGraph::previousEffect(Operation *op) const {
  return effectBefore.lookup(op);
}

void FusionGraph::collectDemands() {
  // Everything fusable in front of and behind the convolutions, and in front of
  // what is behind.
  llvm::SetVector<Operation *> related;
  for (FFTConvOp conv : convs)
    related.insert(conv);
  for (size_t i = 0; i < related.size(); ++i)
    for (Operation *user : related[i]->getUsers())
      if (user->getBlock() == &block && isFusable(user))
        related.insert(user);
  for (size_t i = 0; i < related.size(); ++i)
    for (Value operand : related[i]->getOperands())
      if (Operation *op = fusableDefinition(operand);
          op && !isParameter(operand))
        related.insert(op);
  for (Operation &op : block) {
    if (!related.contains(&op))
      continue;
    for (Value result : op.getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *here = block.findAncestorOpInBlock(*user);
            return !here || !isPart(here) || here != user;
          }))
        demanded.push_back(result);
  }
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

void mlir::hyena::fusion::sortBlock(Block &block) {
  SmallVector<Operation *> order;
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      order.push_back(&op);
  llvm::DenseMap<Operation *, Operation *> previousEffect;
  Operation *effect = nullptr;
  for (Operation *op : order)
    if (!isMemoryEffectFree(op)) {
      previousEffect[op] = effect;
      effect = op;
    }
  auto needs = [&](Operation *op) {
    SmallVector<Operation *> ops;
    if (Operation *previous = previousEffect.lookup(op))
      ops.push_back(previous);
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *def = operand.getDefiningOp();
            def && def->getBlock() == &block && def != op)
          ops.push_back(def);
    });
    return ops;
  };
  // Depth first with an own stack: graphs of whole models are deep.
  llvm::DenseSet<Operation *> placed, open;
  SmallVector<std::pair<Operation *, SmallVector<Operation *>>> stack;
  Operation *end =
      block.mightHaveTerminator() ? block.getTerminator() : nullptr;
  auto place = [&](Operation *op) {
    placed.insert(op);
    if (end)
      op->moveBefore(end);
    else
      op->moveBefore(&block, block.end());
  };
  for (Operation *root : order) {
    if (placed.contains(root))
      continue;
    open.insert(root);
    stack.push_back({root, needs(root)});
    while (!stack.empty()) {
      auto &[op, pending] = stack.back();
      if (pending.empty()) {
        Operation *done = op;
        stack.pop_back();
        place(done);
        continue;
      }
      // In the order in which the operation names them.
      Operation *next = pending.front();
      pending.erase(pending.begin());
      if (!placed.contains(next) && open.insert(next).second)
        stack.push_back({next, needs(next)});
    }
  }
}
