//===- RegionVectorizer.cpp - scalar regions on vectors -------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionVectorizer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::hyena;

LogicalResult mlir::hyena::checkVectorizable(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    if (op.getNumRegions() != 0 || !OpTrait::hasElementwiseMappableTraits(&op))
      return op.emitOpError("in a fused convolution has no vector form; "
                            "allowed are constants and elementwise operations");
  }
  return success();
}

/// Lets LLVM fuse multiplications and additions.
static void allowContraction(Operation *op) {
  auto fastMath = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!fastMath)
    return;
  arith::FastMathFlags flags = fastMath.getFastMathFlagsAttr()
                                   ? fastMath.getFastMathFlagsAttr().getValue()
                                   : arith::FastMathFlags::none;
  op->setAttr(fastMath.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(
                  op->getContext(), flags | arith::FastMathFlags::contract));
}

SmallVector<Value> mlir::hyena::vectorizeBlock(OpBuilder &builder, Block &block,
                                               ValueRange arguments,
                                               int64_t lanes) {
  IRMapping mapping;
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    if (value)
      mapping.map(argument, value);
  for (Operation &op : block.without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      TypedAttr splat = DenseElementsAttr::get(
          cast<ShapedType>(VectorType::get({lanes}, constant.getType())),
          cast<Attribute>(constant.getValue()));
      Value vector =
          arith::ConstantOp::create(builder, constant.getLoc(), splat);
      mapping.map(constant.getResult(), vector);
      continue;
    }
    Operation *clone = builder.clone(op, mapping);
    for (Value result : clone->getResults())
      result.setType(VectorType::get({lanes}, result.getType()));
    allowContraction(clone);
  }
  SmallVector<Value> yielded;
  for (Value value : block.getTerminator()->getOperands())
    yielded.push_back(mapping.lookup(value));
  return yielded;
}
