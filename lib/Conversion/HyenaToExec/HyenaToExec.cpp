//===- HyenaToExec.cpp - Lowers layers and convolutions to exec -----------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Codegen/CPUKernels.h"
#include "hyena/Conversion/Passes.h"
#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::hyena {
#define GEN_PASS_DEF_CONVERTHYENATOEXEC
#include "hyena/Conversion/Passes.h.inc"
} // namespace mlir::hyena

using namespace mlir;
using namespace mlir::hyena;

/// Tensors with undefined elements in the shapes that `op` reifies.
static FailureOr<SmallVector<Value>> createDestinations(RewriterBase &rewriter,
                                                        Operation *op) {
  ReifiedRankedShapedTypeDims shapes;
  const bool isStatic = llvm::all_of(op->getResultTypes(), [](Type type) {
    return cast<ShapedType>(type).hasStaticShape();
  });
  if (!isStatic && failed(reifyResultShapes(rewriter, op, shapes)))
    return op->emitOpError("has results whose shapes cannot be computed");
  SmallVector<Value> destinations;
  for (OpResult result : op->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<Value> extents;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.isDynamicDim(i))
        extents.push_back(getValueOrCreateConstantIndexOp(
            rewriter, op->getLoc(), shapes[result.getResultNumber()][i]));
    destinations.push_back(
        tensor::EmptyOp::create(rewriter, op->getLoc(), type, extents));
  }
  return destinations;
}

/// A tensor with its elements in another float type.
static Value convertElements(RewriterBase &rewriter, Location loc, Value tensor,
                             Type elementType) {
  auto type = cast<RankedTensorType>(tensor.getType());
  const unsigned from = type.getElementTypeBitWidth();
  const unsigned to = elementType.getIntOrFloatBitWidth();
  Type target = type.clone(elementType);
  if (from < to)
    return arith::ExtFOp::create(rewriter, loc, target, tensor);
  if (from > to)
    return arith::TruncFOp::create(rewriter, loc, target, tensor);
  return tensor;
}

/// The type with its last two dimensions swapped.
static RankedTensorType swapLast(RankedTensorType type) {
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return RankedTensorType::get(shape, type.getElementType());
}

static LogicalResult lowerProject(RewriterBase &rewriter, ProjectOp op) {
  rewriter.setInsertionPoint(op);
  const Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  ReifiedRankedShapedTypeDims shapes;
  if (failed(reifyResultShapes(rewriter, op, shapes)))
    return op.emitOpError("has a result whose shape cannot be computed");
  const bool swapResult = op.getResultLayout() == Layout::ChannelsFirst;
  Value input = op.getInput();
  if (op.getInputLayout() == Layout::ChannelsFirst)
    input = hyena::TransposeOp::create(
        rewriter, loc, swapLast(cast<RankedTensorType>(input.getType())),
        input);
  const Type elementType = type.getElementType();
  const Type wide =
      elementType.isF64() ? elementType : Type(rewriter.getF32Type());
  input = convertElements(rewriter, loc, input, wide);
  Value weight = convertElements(rewriter, loc, op.getWeight(), wide);
  Value bias = op.getBias() ? convertElements(rewriter, loc, op.getBias(), wide)
                            : Value();
  // The product's own shape, channels last and wide.
  auto productType =
      cast<RankedTensorType>((swapResult ? swapLast(type) : type).clone(wide));
  SmallVector<OpFoldResult> shape = shapes.front();
  if (swapResult)
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  SmallVector<Value> extents;
  for (int64_t i = 0; i < productType.getRank(); ++i)
    if (productType.isDynamicDim(i))
      extents.push_back(
          getValueOrCreateConstantIndexOp(rewriter, loc, shape[i]));
  Value init = tensor::EmptyOp::create(rewriter, loc, productType, extents);
  Value result = exec::GemmOp::create(rewriter, loc, productType, Value(),
                                      input, weight, bias, init)
                     .getResult();
  result = convertElements(rewriter, loc, result, elementType);
  if (swapResult)
    result = hyena::TransposeOp::create(rewriter, loc, type, result);
  rewriter.replaceOp(op, result);
  return success();
}

/// Replaces `op` by a launch of `kernel` on its tensors.
static LogicalResult replaceByLaunch(RewriterBase &rewriter, Operation *op,
                                     const CPUKernel &kernel, StringRef kind,
                                     int64_t batchDim) {
  rewriter.setInsertionPoint(op);
  const Location loc = op->getLoc();
  FailureOr<SmallVector<Value>> destinations = createDestinations(rewriter, op);
  if (failed(destinations))
    return failure();
  Value items = arith::ConstantIndexOp::create(rewriter, loc, kernel.groups);
  if (batchDim >= 0) {
    Value batches = getValueOrCreateConstantIndexOp(
        rewriter, loc,
        tensor::getMixedSize(rewriter, loc, destinations->front(), batchDim));
    items = arith::MulIOp::create(rewriter, loc, items, batches);
  }
  func::FuncOp function = kernel.function;
  rewriter.replaceOpWithNewOp<exec::LaunchOp>(
      op, op->getResultTypes(),
      FlatSymbolRefAttr::get(function.getSymNameAttr()), Value(), items,
      rewriter.getI64IntegerAttr(kernel.scratchBytes),
      rewriter.getStringAttr(kind), op->getOperands(), *destinations);
  return success();
}

/// A symbol that the module does not have yet.
static std::string uniqueName(ModuleOp module, Operation *op, StringRef kind) {
  StringRef function;
  if (auto parent = op->getParentOfType<FunctionOpInterface>())
    function = parent.getName();
  for (int64_t i = 0;; ++i) {
    std::string name = (function + "_" + kind + "_" + Twine(i)).str();
    if (!module.lookupSymbol(name))
      return name;
  }
}

namespace {
struct ConvertHyenaToExecPass
    : hyena::impl::ConvertHyenaToExecBase<ConvertHyenaToExecPass> {
  using ConvertHyenaToExecBase::ConvertHyenaToExecBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    IRRewriter rewriter(&getContext());
    CPUKernelOptions options;
    options.fusedMultiplyAdd = fma;
    SmallVector<Operation *> worklist;
    module.walk([&](Operation *op) {
      if (isa<ProjectOp, FusedConvOp, PackFilterOp>(op))
        worklist.push_back(op);
    });
    for (Operation *op : worklist)
      if (failed(lower(module, rewriter, op, options)))
        return signalPassFailure();
  }

  static LogicalResult lower(ModuleOp module, RewriterBase &rewriter,
                             Operation *op, const CPUKernelOptions &options) {
    if (auto project = dyn_cast<ProjectOp>(op))
      return lowerProject(rewriter, project);
    if (auto pack = dyn_cast<PackFilterOp>(op)) {
      FailureOr<CPUKernel> kernel = emitPackFilterKernel(
          module, pack, uniqueName(module, op, "pack_filter"), options);
      if (failed(kernel))
        return failure();
      return replaceByLaunch(rewriter, op, *kernel, "pack_filter", -1);
    }
    auto fused = cast<FusedConvOp>(op);
    FailureOr<CPUKernel> kernel = emitFusedConvKernel(
        module, fused, uniqueName(module, op, "fused_conv"), options);
    if (failed(kernel))
      return failure();
    // The batch is dimension b of the domain (b, c, l).
    const AffineMap map = fused.getResultMap(0);
    int64_t batchDim = 0;
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      if (map.getDimPosition(i) == 0)
        batchDim = i;
    return replaceByLaunch(rewriter, op, *kernel, "fused_conv", batchDim);
  }
};
} // namespace
