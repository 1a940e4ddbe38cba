//===- OutlineLoops.cpp - Makes kernels of parallel loops -----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Exec/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::hyena::exec {
#define GEN_PASS_DEF_EXECOUTLINELOOPS
#include "hyena/Dialect/Exec/Transforms/Passes.h.inc"
} // namespace mlir::hyena::exec

using namespace mlir;
using namespace mlir::hyena::exec;

/// The value outside of `region` that `value` is a view of.
static Value findRoot(Value value, Region &region) {
  while (Operation *op = value.getDefiningOp()) {
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    if (!region.isAncestor(op->getParentRegion()) || !view)
      break;
    value = view.getViewSource();
  }
  return value;
}

/// Memrefs from outside that a loop reads and writes.
static void collectAccesses(ParallelForOp loop, SetVector<Value> &read,
                            SetVector<Value> &written) {
  Region &body = loop.getBody();
  body.walk([&](Operation *op) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects)
      return;
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &effect : instances) {
      Value value = effect.getValue();
      if (!value || !isa<BaseMemRefType>(value.getType()))
        continue;
      value = findRoot(value, body);
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        read.insert(value);
      else if (isa<MemoryEffects::Write>(effect.getEffect()))
        written.insert(value);
    }
  });
}

static void outline(ModuleOp module, SymbolTable &symbols, ParallelForOp loop) {
  MLIRContext *context = module.getContext();
  const Location loc = loop.getLoc();
  IRRewriter rewriter(context);
  SetVector<Value> captured, read, written;
  getUsedValuesDefinedAbove(loop.getBody(), captured);
  collectAccesses(loop, read, written);

  SmallVector<Value> inputs, destinations;
  SmallVector<Operation *> constants;
  for (Value value : captured) {
    if (matchPattern(value, m_Constant()))
      constants.push_back(value.getDefiningOp());
    else if (written.contains(value))
      destinations.push_back(value);
    else
      inputs.push_back(value);
  }
  const size_t numUsed = inputs.size();
  for (Value value : destinations)
    if (read.contains(value))
      inputs.push_back(value);

  SmallVector<Type> types = {
      rewriter.getIndexType(),
      MemRefType::get({ShapedType::kDynamic}, rewriter.getI8Type())};
  for (Value value : llvm::concat<Value>(inputs, destinations))
    types.push_back(value.getType());
  auto parent = loop->getParentOfType<FunctionOpInterface>();
  rewriter.setInsertionPointAfter(parent);
  auto kernel =
      func::FuncOp::create(rewriter, loc, (parent.getName() + "_loop").str(),
                           rewriter.getFunctionType(types, {}));
  kernel.setPrivate();
  symbols.insert(kernel);
  Block *entry = kernel.addEntryBlock();
  IRMapping mapping;
  mapping.map(loop.getIndex(), entry->getArgument(0));
  for (size_t i = 0; i < numUsed; ++i)
    mapping.map(inputs[i], entry->getArgument(2 + i));
  for (size_t i = 0; i < destinations.size(); ++i)
    mapping.map(destinations[i], entry->getArgument(2 + inputs.size() + i));
  rewriter.setInsertionPointToStart(entry);
  for (Operation *constant : constants)
    rewriter.clone(*constant, mapping);
  for (Operation &op : loop.getBody().front().without_terminator())
    rewriter.clone(op, mapping);
  func::ReturnOp::create(rewriter, loc);

  rewriter.setInsertionPoint(loop);
  LaunchOp::create(rewriter, loc, TypeRange(),
                   FlatSymbolRefAttr::get(kernel.getSymNameAttr()), Value(),
                   loop.getItems(), rewriter.getI64IntegerAttr(0),
                   rewriter.getStringAttr("loop"), inputs, destinations);
  rewriter.eraseOp(loop);
}

namespace {
struct ExecOutlineLoopsPass
    : mlir::hyena::exec::impl::ExecOutlineLoopsBase<ExecOutlineLoopsPass> {
  void runOnOperation() override {
    SmallVector<ParallelForOp> loops;
    getOperation().walk([&](ParallelForOp loop) { loops.push_back(loop); });
    SymbolTable symbols(getOperation());
    for (ParallelForOp loop : loops)
      outline(getOperation(), symbols, loop);
  }
};
} // namespace
