//===- HoistParams.cpp - the pass hyena-hoist-params -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits a function into what depends on parameters alone and the rest.
//
//===----------------------------------------------------------------------===//

#include "Fuse/FusionRemarks.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"
#include "hyena/Dialect/Hyena/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::hyena {
#define GEN_PASS_DEF_HYENAHOISTPARAMS
#include "hyena/Dialect/Hyena/Transforms/Passes.h.inc"
} // namespace mlir::hyena

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::fusion;

namespace {

/// Splits one function.
class Splitter {
public:
  Splitter(func::FuncOp function, StringRef prepareName, StringRef forwardName)
      : function(function), prepareName(prepareName), forwardName(forwardName),
        builder(function) {}

  /// Puts the two functions where `function` stands and erases it.
  void split();

private:
  void classify();
  bool isHoisted(Value value) const;
  /// Cheap to make and made anew on either side: constants and memory to fill.
  bool isLocal(Operation *op) const;
  /// Copies without arithmetic what it reads to more places than that takes.
  bool isSpread(Operation *op) const;
  void pack(Value value);
  func::FuncOp createPrepare();
  func::FuncOp createForward();

  func::FuncOp function;
  StringRef prepareName, forwardName;
  OpBuilder builder;
  /// Arguments that are parameters.
  llvm::DenseSet<Value> params;
  /// Operations that depend on parameters and constants alone.
  llvm::DenseSet<Operation *> hoisted;
  /// Values of hoisted operations, and parameters, that the rest reads.
  llvm::SetVector<Value> packed, usedParams;
  /// Hoisted operations that are done again in @forward.
  llvm::SetVector<Operation *> repeated;
};

} // namespace

bool Splitter::isLocal(Operation *op) const {
  return op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op);
}

static int64_t elementsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 1;
}

bool Splitter::isSpread(Operation *op) const {
  if (isa<linalg::FillOp>(op))
    return true;
  bool isCopy = isa<BroadcastOp>(op);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    isCopy = llvm::hasSingleElement(*linalgOp.getBlock());
  if (!isCopy)
    return false;
  return elementsOf(op->getResult(0)) > elementsOf(op->getOperand(0));
}

bool Splitter::isHoisted(Value value) const {
  if (Operation *op = value.getDefiningOp())
    return hoisted.contains(op);
  return params.contains(value);
}

void Splitter::pack(Value value) {
  if (params.contains(value)) {
    usedParams.insert(value);
    return;
  }
  Operation *op = value.getDefiningOp();
  if (!isLocal(op) && !isSpread(op)) {
    packed.insert(value);
    return;
  }
  if (!repeated.insert(op))
    return;
  for (Value operand : op->getOperands())
    pack(operand);
}

void Splitter::classify() {
  for (BlockArgument argument : function.getArguments())
    if (function.getArgAttr(argument.getArgNumber(), kParamAttrName))
      params.insert(argument);
  Block &entry = function.front();
  for (Operation &op : entry) {
    if (op.hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(&op))
      continue;
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegions(), captured);
    auto isKnown = [&](Value value) { return isHoisted(value); };
    if (llvm::all_of(op.getOperands(), isKnown) &&
        llvm::all_of(captured, isKnown))
      hoisted.insert(&op);
  }
  // What the rest reads, in the order in which it is made.
  function.walk([&](Operation *op) {
    for (Operation *outer = op; outer != function; outer = outer->getParentOp())
      if (hoisted.contains(outer))
        return;
    if (op == function)
      return;
    for (Value operand : op->getOperands())
      if (isHoisted(operand))
        pack(operand);
  });
  SmallVector<Value> inOrder;
  for (Operation &op : entry)
    for (Value result : op.getResults())
      if (packed.contains(result))
        inOrder.push_back(result);
  packed = llvm::SetVector<Value>(inOrder.begin(), inOrder.end());
}

func::FuncOp Splitter::createPrepare() {
  SmallVector<Type> inputs, results;
  SmallVector<DictionaryAttr> attrs;
  SmallVector<int64_t> sources;
  IRMapping mapping;
  for (BlockArgument argument : function.getArguments())
    if (params.contains(argument)) {
      inputs.push_back(argument.getType());
      attrs.push_back(function.getArgAttrDict(argument.getArgNumber()));
      sources.push_back(argument.getArgNumber());
    }
  for (Value value : packed)
    results.push_back(value.getType());
  auto prepare =
      func::FuncOp::create(builder, function.getLoc(), prepareName,
                           builder.getFunctionType(inputs, results), {}, attrs);
  prepare.setVisibility(function.getVisibility());
  prepare->setAttr("hyena.entry", function.getSymNameAttr());
  prepare->setAttr("hyena.role", builder.getStringAttr("prepare"));
  prepare->setAttr("hyena.sources", builder.getDenseI64ArrayAttr(sources));
  Block *block = prepare.addEntryBlock();
  for (auto [i, source] : llvm::enumerate(sources))
    mapping.map(function.getArgument(source), block->getArgument(i));

  // Clone what the packed values need, in order.
  llvm::DenseSet<Operation *> needed;
  SmallVector<Operation *> pending;
  for (Value value : packed)
    pending.push_back(value.getDefiningOp());
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!needed.insert(op).second)
      continue;
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    captured.insert(op->operand_begin(), op->operand_end());
    for (Value operand : captured)
      if (Operation *def = operand.getDefiningOp())
        pending.push_back(def);
  }
  OpBuilder body = OpBuilder::atBlockEnd(block);
  for (Operation &op : function.front())
    if (needed.contains(&op))
      body.clone(op, mapping);
  SmallVector<Value> returned;
  for (Value value : packed)
    returned.push_back(mapping.lookup(value));
  func::ReturnOp::create(body, function.getLoc(), returned);
  return prepare;
}

func::FuncOp Splitter::createForward() {
  SmallVector<Type> inputs;
  SmallVector<DictionaryAttr> attrs;
  SmallVector<int64_t> sources;
  SmallVector<Value> replaced;
  auto add = [&](Value value, DictionaryAttr attr, int64_t source) {
    inputs.push_back(value.getType());
    attrs.push_back(attr);
    sources.push_back(source);
    replaced.push_back(value);
  };
  for (bool wantParams : {false, true})
    for (BlockArgument argument : function.getArguments()) {
      bool isParam = params.contains(argument);
      if (isParam != wantParams || (isParam && !usedParams.contains(argument)))
        continue;
      add(argument, function.getArgAttrDict(argument.getArgNumber()),
          argument.getArgNumber());
    }
  auto packedAttr = builder.getDictionaryAttr(
      builder.getNamedAttr("hyena.packed", builder.getUnitAttr()));
  for (auto [i, value] : llvm::enumerate(packed))
    add(value, packedAttr, -1 - static_cast<int64_t>(i));

  auto forward = func::FuncOp::create(
      builder, function.getLoc(), forwardName,
      builder.getFunctionType(inputs, function.getResultTypes()), {}, attrs);
  forward.setVisibility(function.getVisibility());
  if (ArrayAttr results = function.getAllResultAttrs())
    forward.setAllResultAttrs(results);
  for (NamedAttribute attr : function->getDiscardableAttrs())
    forward->setAttr(attr.getName(), attr.getValue());
  forward->setAttr("hyena.entry", function.getSymNameAttr());
  forward->setAttr("hyena.role", builder.getStringAttr("forward"));
  forward->setAttr("hyena.sources", builder.getDenseI64ArrayAttr(sources));

  // The old body becomes the new one, with other arguments.
  Block &entry = function.front();
  unsigned numOld = entry.getNumArguments();
  for (Value value : replaced) {
    BlockArgument argument = entry.addArgument(value.getType(), value.getLoc());
    value.replaceAllUsesWith(argument);
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(entry)))
    if (hoisted.contains(&op) && op.use_empty())
      op.erase();
  entry.eraseArguments(0, numOld);
  forward.getBody().takeBody(function.getBody());
  return forward;
}

void Splitter::split() {
  classify();
  createPrepare();
  createForward();
  function.erase();
}

namespace {

struct HyenaHoistParams
    : public mlir::hyena::impl::HyenaHoistParamsBase<HyenaHoistParams> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>()) {
      bool hasParams = false;
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        hasParams |= static_cast<bool>(function.getArgAttr(i, kParamAttrName));
      // A part of a function that was split is not split again.
      if (!hasParams || function->hasAttr("hyena.role"))
        continue;
      if (function.isExternal()) {
        remarkNotHoisted(function, HoistRefusal::External);
        continue;
      }
      if (!SymbolTable::symbolKnownUseEmpty(function, module)) {
        remarkNotHoisted(function, HoistRefusal::Called);
        continue;
      }
      functions.push_back(function);
    }
    for (func::FuncOp function : functions) {
      std::string prefix = functions.size() == 1
                               ? std::string()
                               : function.getSymName().str() + "_";
      std::string prepare = prefix + "prepare", forward = prefix + "forward";
      for (const std::string &name : {prepare, forward}) {
        Operation *other = SymbolTable::lookupSymbolIn(module, name);
        if (!other || other == function)
          continue;
        emitError(function.getLoc())
            << "hyena-hoist-params: function '" << function.getSymName()
            << "' would become '@" << name
            << "', which the module has already; rename one of them";
        return signalPassFailure();
      }
      Splitter(function, prepare, forward).split();
    }
  }
};

} // namespace
