//===- KernelFunction.cpp - signature and scratch of a kernel -------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFunction.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hyena;

OpBuilder KernelFunction::create(ModuleOp module, Location loc, StringRef name,
                                 ArrayRef<Type> tensors) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> types = {
      builder.getIndexType(),
      MemRefType::get({ShapedType::kDynamic}, builder.getI8Type())};
  for (Type type : tensors) {
    auto tensor = cast<RankedTensorType>(type);
    types.push_back(
        MemRefType::get(tensor.getShape(), tensor.getElementType()));
  }
  function = func::FuncOp::create(builder, loc, name,
                                  builder.getFunctionType(types, {}));
  function.setPrivate();
  return OpBuilder::atBlockEnd(function.addEntryBlock());
}

Value KernelFunction::allocate(VectorBuilder &vectors, OpBuilder &builder,
                               MemRefType type) {
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  Value view =
      memref::ViewOp::create(builder, function.getLoc(), type, scratch(),
                             vectors.index(scratchBytes), ValueRange());
  scratchBytes += static_cast<int64_t>(llvm::alignTo(bytes, 64));
  return view;
}

CPUKernel KernelFunction::finish(OpBuilder &builder, int64_t groups) {
  func::ReturnOp::create(builder, function.getLoc());
  CPUKernel kernel;
  kernel.function = function;
  kernel.scratchBytes = scratchBytes;
  kernel.groups = groups;
  return kernel;
}

FailureOr<::hyena::fft::Plan>
mlir::hyena::getPlan(Operation *op, FFTPlanAttr attr, int64_t length) {
  std::optional<::hyena::fft::Plan> plan = ::hyena::fft::Plan::fromFactors(
      {attr.getFactors().begin(), attr.getFactors().end()});
  if (!plan || plan->size() != attr.getLength()) {
    op->emitOpError("has plan ")
        << attr
        << " that no code can be made for; allowed are at least two factors "
           "of 1 to 16 without a prime factor above 7 whose product is the "
           "plan's length";
    return failure();
  }
  if (2 * plan->size() < length) {
    op->emitOpError("has a plan of length ")
        << plan->size() << " for signals of " << length
        << " samples; twice the plan's length has to cover them";
    return failure();
  }
  return *plan;
}
