//===- FuseConvolutions.cpp - the pass hyena-fuse -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the plan of each block into operations. The order of the files of this
// folder from the bottom up: ScalarExpr, FusionGraph, Scalarizer, FusionPlan.
//
//===----------------------------------------------------------------------===//

#include "FusionPlan.h"
#include "ShrinkDomain.h"

#include "hyena/Dialect/Hyena/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::hyena {
#define GEN_PASS_DEF_HYENAFUSE
#include "hyena/Dialect/Hyena/Transforms/Passes.h.inc"
} // namespace mlir::hyena

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::fusion;

namespace {

/// Makes the operation of one group.
class GroupEmitter {
public:
  GroupEmitter(OpBuilder &builder, const Group &group, FFTConvOp conv)
      : builder(builder), group(group), conv(conv) {}

  FusedConvOp emit();

private:
  void collect(const Scalar *root);
  SmallVector<Type> resultTypes() const;
  Block *createBlock(Region &region, ArrayRef<Type> leading);
  llvm::DenseMap<const Scalar *, Value> argumentsOf(Block *block,
                                                    unsigned leading) const;

  OpBuilder &builder;
  const Group &group;
  FFTConvOp conv;
  llvm::DenseSet<const Scalar *> seen;
  /// What the regions receive, and of which operand.
  SmallVector<const Scalar *> accesses;
  SmallVector<Attribute> accessAttrs;
  llvm::SetVector<Value> inputs;
  llvm::DenseMap<int64_t, Value> ones;
  const Scalar *convolved = nullptr, *signal = nullptr;
};

} // namespace

void GroupEmitter::collect(const Scalar *root) {
  forEachScalar(root, seen, [&](const Scalar *scalar) {
    if (scalar->kind == ScalarKind::Convolved)
      convolved = scalar;
    if (scalar->kind == ScalarKind::Signal)
      signal = scalar;
    Value tensor = scalar->tensor;
    if (scalar->kind == ScalarKind::Inside) {
      Value &one = ones[scalar->extent];
      if (!one) {
        auto type =
            RankedTensorType::get({scalar->extent}, builder.getF32Type());
        one = arith::ConstantOp::create(builder, conv.getLoc(),
                                        DenseElementsAttr::get(type, 1.0f));
      }
      tensor = one;
    }
    if (!tensor)
      return;
    inputs.insert(tensor);
    int64_t operand = std::distance(inputs.begin(), llvm::find(inputs, tensor));
    accesses.push_back(scalar);
    accessAttrs.push_back(
        AccessAttr::get(builder.getContext(), operand, scalar->map));
  });
}

SmallVector<Type> GroupEmitter::resultTypes() const {
  // What any result knows of an extent holds for all of them.
  Domain extents = group.domain;
  for (const PlannedResult &result : group.results) {
    auto type = cast<RankedTensorType>(result.value.getType());
    for (auto [dim, expr] : llvm::enumerate(result.map.getResults()))
      if (!type.isDynamicDim(dim))
        extents[cast<AffineDimExpr>(expr).getPosition()] = type.getDimSize(dim);
  }
  SmallVector<Type> types;
  for (const PlannedResult &result : group.results) {
    SmallVector<int64_t> shape;
    for (AffineExpr expr : result.map.getResults())
      shape.push_back(extents[cast<AffineDimExpr>(expr).getPosition()]);
    types.push_back(RankedTensorType::get(
        shape, getElementTypeOrSelf(result.value.getType())));
  }
  return types;
}

Block *GroupEmitter::createBlock(Region &region, ArrayRef<Type> leading) {
  SmallVector<Type> types(leading);
  for (const Scalar *access : accesses)
    types.push_back(access->type);
  SmallVector<Location> locs(types.size(), conv.getLoc());
  return builder.createBlock(&region, {}, types, locs);
}

llvm::DenseMap<const Scalar *, Value>
GroupEmitter::argumentsOf(Block *block, unsigned leading) const {
  llvm::DenseMap<const Scalar *, Value> arguments;
  for (auto [i, access] : llvm::enumerate(accesses))
    arguments[access] = block->getArgument(leading + i);
  return arguments;
}

FusedConvOp GroupEmitter::emit() {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(conv);
  collect(group.input);
  for (const PlannedResult &result : group.results)
    collect(result.scalar);
  SmallVector<Attribute> maps;
  for (const PlannedResult &result : group.results)
    maps.push_back(AffineMapAttr::get(result.map));
  auto fused = FusedConvOp::create(
      builder, conv.getLoc(), resultTypes(), inputs.getArrayRef(),
      conv.getFilter(), conv.getReverse(), /*spectrum=*/Value(),
      builder.getArrayAttr(accessAttrs), builder.getArrayAttr(maps),
      conv.getModeAttr(), conv.getLag0Attr(), conv.getTapOrderAttr(),
      /*plan=*/FFTPlanAttr());

  Block *prologue = createBlock(fused.getPrologue(), {});
  ScalarEmitter prologueEmitter(builder, conv.getLoc(),
                                argumentsOf(prologue, 0));
  YieldOp::create(builder, conv.getLoc(), prologueEmitter.emit(group.input));

  Type compute = group.computeType;
  Block *epilogue = createBlock(fused.getEpilogue(), {compute, compute});
  llvm::DenseMap<const Scalar *, Value> arguments = argumentsOf(epilogue, 2);
  if (convolved)
    arguments[convolved] = epilogue->getArgument(0);
  if (signal)
    arguments[signal] = epilogue->getArgument(1);
  ScalarEmitter epilogueEmitter(builder, conv.getLoc(), std::move(arguments));
  SmallVector<Value> yielded;
  for (const PlannedResult &result : group.results)
    yielded.push_back(epilogueEmitter.emit(result.scalar));
  YieldOp::create(builder, conv.getLoc(), yielded);
  return fused;
}

/// Erases what nothing uses and has no effect.
static void eraseDead(Block &block) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op)) {
        op.erase();
        changed = true;
      }
  }
}

static void remarkOn(const FusionGraph &graph, const Plan &plan) {
  for (auto [value, refusal] : plan.leftOver)
    remarkMissed(graph.definition(value), refusal);
  for (auto [i, group] : llvm::enumerate(plan.groups)) {
    if (!group.isAlive())
      continue;
    for (Value read : group.reads) {
      Operation *op = graph.fusableDefinition(read);
      if (!op || graph.isParameter(read) || plan.leftOver.contains(read))
        continue;
      auto refusal = group.refusals.find(read);
      remarkStored(op, graph.convolutions()[i],
                   refusal == group.refusals.end() ? Refusal::User
                                                   : refusal->second);
    }
  }
}

/// Fuses convolutions of one block.
static void fuseConvolutions(Block &block, ArrayRef<FFTConvOp> convs) {
  FusionGraph graph(block, convs);
  Planner planner(graph);
  Plan plan = planner.search();
  if (!plan.isLegal)
    return;
  remarkOn(graph, plan);

  OpBuilder builder(block.getParentOp()->getContext());
  SmallVector<std::pair<const Group *, FusedConvOp>> emitted;
  for (auto [i, group] : llvm::enumerate(plan.groups))
    if (group.isAlive())
      emitted.push_back(
          {&group,
           GroupEmitter(builder, group, graph.convolutions()[i]).emit()});
  for (auto [group, fused] : emitted) {
    int64_t operations = 0;
    for (Value value : group->met)
      operations += !group->reads.contains(value);
    for (auto [i, result] : llvm::enumerate(group->results)) {
      Value replacement = fused.getResult(i);
      if (replacement.getType() != result.value.getType()) {
        builder.setInsertionPointAfter(fused);
        replacement = tensor::CastOp::create(
            builder, fused.getLoc(), result.value.getType(), replacement);
      }
      Value replaced = result.value;
      replaced.replaceAllUsesWith(replacement);
    }
    remarkFused(fused, operations, fused.getNumResults());
  }
  eraseDead(block);
  sortBlock(block);
}

static void fuseBlock(Block &block) {
  forwardShapes(block);
  eraseDead(block);
  shrinkDomains(block);
  eraseDead(block);
  for (SmallVector<FFTConvOp> &convs : connectedConvolutions(block)) {
    // What was needed for its shape alone may be gone by now.
    llvm::DenseSet<Operation *> alive;
    for (auto conv : block.getOps<FFTConvOp>())
      alive.insert(conv);
    llvm::erase_if(convs, [&](FFTConvOp conv) {
      return !alive.contains(conv.getOperation());
    });
    if (!convs.empty())
      fuseConvolutions(block, convs);
  }
}

namespace {

struct HyenaFuse : public mlir::hyena::impl::HyenaFuseBase<HyenaFuse> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](FFTConvOp op) {
      if (!llvm::is_contained(blocks, op->getBlock()))
        blocks.push_back(op->getBlock());
    });
    for (Block *block : blocks)
      fuseBlock(*block);
  }
};

} // namespace
