//===- FinalizeFunctions.cpp - Final arguments of functions ---------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workspace.h"

#include "hyena/Dialect/Exec/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::hyena::exec {
#define GEN_PASS_DEF_EXECFINALIZEFUNCTIONS
#include "hyena/Dialect/Exec/Transforms/Passes.h.inc"
} // namespace mlir::hyena::exec

using namespace mlir;
using namespace mlir::hyena::exec;

/// The dynamic extents of a memref, traced through what defines it.
static SmallVector<Value> getDynamicExtents(OpBuilder &builder, Location loc,
                                            Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (auto alloc = memref.getDefiningOp<memref::AllocOp>())
    return llvm::to_vector(alloc.getDynamicSizes());
  SmallVector<Value> extents;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      extents.push_back(builder.createOrFold<memref::DimOp>(
          loc, memref, arith::ConstantIndexOp::create(builder, loc, i)));
  return extents;
}

/// Whether an allocation can be replaced by an argument for a result: it stands
/// in the entry block and has the layout of an argument.
static memref::AllocOp findReturnedAllocation(Value value, Block *entry) {
  while (auto cast = value.getDefiningOp<memref::CastOp>())
    value = cast.getSource();
  auto alloc = value.getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != entry ||
      !alloc.getType().getLayout().isIdentity())
    return {};
  return alloc;
}

/// Collects the dynamic extents of all results, in order.
static LogicalResult collectExtents(func::FuncOp function,
                                    func::ReturnOp returnOp,
                                    SmallVectorImpl<Value> &extents) {
  OpBuilder builder(returnOp);
  const Location loc = returnOp.getLoc();
  for (auto [index, value] : llvm::enumerate(returnOp.getOperands())) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type)
      return function.emitOpError()
             << "returns " << value.getType() << " as result " << index
             << "; only tensors can be results";
    // The result may say less of its shape than the buffer does.
    Value sized = value;
    while (auto cast = sized.getDefiningOp<memref::CastOp>())
      sized = cast.getSource();
    auto sizedType = cast<MemRefType>(sized.getType());
    SmallVector<Value> known = getDynamicExtents(builder, loc, sized);
    unsigned next = 0;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      Value extent;
      if (sizedType.isDynamicDim(i))
        extent = known[next++];
      else if (type.isDynamicDim(i))
        extent = arith::ConstantIndexOp::create(builder, loc,
                                                sizedType.getDimSize(i));
      if (type.isDynamicDim(i))
        extents.push_back(extent);
    }
  }
  return success();
}

/// Turns returned memrefs into trailing arguments.
static void moveResults(func::FuncOp function, func::ReturnOp returnOp) {
  Block *entry = &function.getBody().front();
  OpBuilder builder(returnOp);
  const Location loc = returnOp.getLoc();
  SmallVector<Type> argumentTypes(function.getArgumentTypes());
  for (OpOperand &operand : returnOp->getOpOperands()) {
    Value value = operand.get();
    auto type = cast<MemRefType>(value.getType());
    auto argumentType = MemRefType::get(type.getShape(), type.getElementType());
    argumentTypes.push_back(argumentType);
    Value argument = entry->addArgument(argumentType, loc);
    builder.setInsertionPoint(returnOp);
    memref::AllocOp alloc = findReturnedAllocation(value, entry);
    if (!alloc) {
      memref::CopyOp::create(builder, loc, value, argument);
      continue;
    }
    // A further result of the same buffer now sees the argument.
    builder.setInsertionPoint(alloc);
    if (alloc.getType() != argumentType)
      argument =
          memref::CastOp::create(builder, loc, alloc.getType(), argument);
    alloc.getResult().replaceAllUsesWith(argument);
    alloc.erase();
  }
  builder.setInsertionPoint(returnOp);
  func::ReturnOp::create(builder, loc);
  returnOp.erase();
  function.setType(builder.getFunctionType(argumentTypes, {}));
  function->removeAttr(function.getResAttrsAttrName());
  if (ArrayAttr attributes = function.getAllArgAttrs()) {
    SmallVector<Attribute> padded(attributes.getValue());
    padded.resize(argumentTypes.size(), builder.getDictionaryAttr({}));
    function.setAllArgAttrs(padded);
  }
}

/// Creates @NAME_query from the values to return, which the entry block
/// computes. `numArguments` is the number of arguments without the results'.
static LogicalResult createQuery(func::FuncOp function, unsigned numArguments,
                                 ArrayRef<Value> values) {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfter(function);
  const Location loc = function.getLoc();
  SmallVector<Type> results(values.size(), builder.getIndexType());
  auto query = func::FuncOp::create(
      builder, loc, (function.getName() + kQuerySuffix).str(),
      builder.getFunctionType(
          function.getArgumentTypes().take_front(numArguments), results));
  Block *entry = query.addEntryBlock();
  IRMapping mapping;
  for (unsigned i = 0; i < numArguments; ++i)
    mapping.map(function.getArgument(i), entry->getArgument(i));
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  for (Value value : values)
    if (failed(getBackwardSlice(value, &slice, options)))
      return function.emitOpError("has a size that cannot be traced to its "
                                  "arguments");
  SmallVector<Operation *> ordered(slice.begin(), slice.end());
  llvm::sort(ordered, [](Operation *left, Operation *right) {
    return left->isBeforeInBlock(right);
  });
  builder.setInsertionPointToStart(entry);
  for (Operation *op : ordered)
    builder.clone(*op, mapping);
  SmallVector<Value> returned;
  for (Value value : values)
    returned.push_back(mapping.lookup(value));
  func::ReturnOp::create(builder, loc, returned);
  return success();
}

/// Inserts the context and the workspace as the first two arguments.
static void addRuntimeArguments(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  Block *entry = &function.getBody().front();
  const Location loc = function.getLoc();
  auto workspaceType =
      MemRefType::get({ShapedType::kDynamic}, IntegerType::get(context, 8));
  auto contextType = ContextType::get(context);
  if (failed(function.insertArguments({0, 0}, {contextType, workspaceType},
                                      {DictionaryAttr(), DictionaryAttr()},
                                      {loc, loc})))
    return;
  Value runtime = entry->getArgument(0), workspace = entry->getArgument(1);
  function.walk([&](Operation *op) {
    if (auto gemm = dyn_cast<GemmOp>(op))
      gemm.getRuntimeMutable().assign(runtime);
    else if (auto launch = dyn_cast<LaunchOp>(op))
      launch.getRuntimeMutable().assign(runtime);
  });
  SmallVector<WorkspaceOp> workspaces(function.getOps<WorkspaceOp>());
  for (WorkspaceOp op : workspaces) {
    op.replaceAllUsesWith(workspace);
    op.erase();
  }
}

static LogicalResult finalize(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("has branches between blocks; only structured "
                                "control flow (scf) is allowed");
  const unsigned numArguments = function.getNumArguments();
  WalkResult calls = function.walk([&](func::CallOp call) {
    call.emitOpError("is a call that could not be inlined; a compiled function "
                     "may not be recursive or call one that is declared only");
    return WalkResult::interrupt();
  });
  if (calls.wasInterrupted())
    return failure();
  WalkResult workspaces = function.walk([&](WorkspaceOp workspace) {
    workspace.emitOpError("stands in the function already; allowed are "
                          "allocations, of which this pass makes a workspace");
    return WalkResult::interrupt();
  });
  if (workspaces.wasInterrupted())
    return failure();
  auto returnOp =
      cast<func::ReturnOp>(function.getBody().front().getTerminator());
  SmallVector<Value> extents;
  if (failed(collectExtents(function, returnOp, extents)))
    return failure();
  moveResults(function, returnOp);
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(&function.getBody().front());
  Value zero = arith::ConstantIndexOp::create(builder, function.getLoc(), 0);
  for (Value extent : extents)
    if (failed(hoistToEntry(function, extent, zero.getDefiningOp(), function)))
      return failure();
  Value bytes;
  if (failed(assignWorkspace(function, bytes)))
    return failure();
  if (!bytes)
    bytes = zero;
  SmallVector<Value> values = {bytes};
  values.append(extents);
  if (failed(createQuery(function, numArguments, values)))
    return failure();
  addRuntimeArguments(function);
  return success();
}

namespace {
struct ExecFinalizeFunctionsPass
    : mlir::hyena::exec::impl::ExecFinalizeFunctionsBase<
          ExecFinalizeFunctionsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    DenseSet<StringAttr> kernels;
    module.walk(
        [&](LaunchOp op) { kernels.insert(op.getKernelAttr().getAttr()); });
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() &&
          !kernels.contains(function.getSymNameAttr()))
        functions.push_back(function);
    for (func::FuncOp function : functions)
      if (failed(finalize(function)))
        return signalPassFailure();
  }
};
} // namespace
