//===- BufferizableOpInterfaceImpl.cpp - Bufferization of exec ------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Exec/IR/Exec.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::hyena::exec;

/// Whether the runtime can use a buffer of this type in place.
static bool isUsable(GemmOp, MemRefType type, Type) {
  return GemmOp::isUsable(type);
}
static bool isUsable(LaunchOp, MemRefType type, Type tensor) {
  return type == LaunchOp::getKernelType(tensor);
}

/// A buffer of the identity layout with the shape of `source`.
static FailureOr<Value> allocateLike(RewriterBase &rewriter, Location loc,
                                     Value source,
                                     const BufferizationOptions &options) {
  auto type = cast<MemRefType>(source.getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(memref::DimOp::create(rewriter, loc, source, i));
  return options.createAlloc(
      rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()),
      sizes);
}

namespace {
/// The one model of both operations: inputs are read, destinations overwritten,
/// and a buffer in a layout that the runtime cannot use goes through a copy.
template <typename OpTy>
struct DestinationModel
    : public DstBufferizableOpInterfaceExternalModel<DestinationModel<OpTy>,
                                                     OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto dps = cast<DestinationStyleOpInterface>(op);
    if (!dps.hasPureTensorSemantics())
      return success();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    const Location loc = op->getLoc();
    SmallVector<Value> operands, results;
    // Copies that follow the operation: (from, to).
    SmallVector<std::pair<Value, Value>> copiesBack;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<TensorType>(operand.get().getType())) {
        operands.push_back(operand.get());
        continue;
      }
      FailureOr<Value> buffer =
          getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      Value used = *buffer;
      if (!isUsable(cast<OpTy>(op), cast<MemRefType>(used.getType()),
                    operand.get().getType())) {
        FailureOr<Value> copy = allocateLike(rewriter, loc, used, options);
        if (failed(copy))
          return failure();
        if (dps.isDpsInit(&operand))
          copiesBack.push_back({*copy, used});
        else if (failed(options.createMemCpy(rewriter, loc, used, *copy)))
          return failure();
        used = *copy;
      }
      if (dps.isDpsInit(&operand))
        results.push_back(*buffer);
      operands.push_back(used);
    }
    OperationState newOp(loc, op->getName(), operands, TypeRange(),
                         op->getAttrs());
    newOp.propertiesAttr = op->getPropertiesAsAttribute();
    rewriter.create(newOp);
    for (auto [from, to] : copiesBack)
      if (failed(options.createMemCpy(rewriter, loc, from, to)))
        return failure();
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};
} // namespace

void mlir::hyena::exec::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ExecDialect *) {
    GemmOp::attachInterface<DestinationModel<GemmOp>>(*context);
    LaunchOp::attachInterface<DestinationModel<LaunchOp>>(*context);
  });
}
