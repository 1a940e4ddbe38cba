//===- IsolateConvolutions.cpp - the pass hyena-isolate ------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fused form without fusion: what the time of a fused program is compared
// with.
//
//===----------------------------------------------------------------------===//

#include "Builders.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"
#include "hyena/Dialect/Hyena/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::hyena {
#define GEN_PASS_DEF_HYENAISOLATE
#include "hyena/Dialect/Hyena/Transforms/Passes.h.inc"
} // namespace mlir::hyena

using namespace mlir;
using namespace mlir::hyena;

/// `value` as a `type`, which may be wider, narrower or the same.
static Value convert(OpBuilder &builder, Location loc, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  if (from > to)
    return arith::TruncFOp::create(builder, loc, type, value);
  return value;
}

/// Replaces `conv` by a fused convolution that reads its input and writes its
/// result, and takes in nothing but its skip.
static void isolate(OpBuilder &builder, FFTConvOp conv) {
  builder.setInsertionPoint(conv);
  Location loc = conv.getLoc();
  auto signalType = cast<RankedTensorType>(conv.getInput().getType());
  auto resultType = cast<RankedTensorType>(conv.getType());
  bool isLast = conv.getLayout() == Layout::ChannelsLast;

  AffineExpr b, c, l;
  bindDims(builder.getContext(), b, c, l);
  AffineMap view = isLast ? AffineMap::get(3, 0, {b, l, c}, b.getContext())
                          : AffineMap::get(3, 0, {b, c, l}, b.getContext());
  SmallVector<Value> inputs = {conv.getInput()};
  SmallVector<Type> elements = {signalType.getElementType()};
  SmallVector<Attribute> accesses = {
      AccessAttr::get(builder.getContext(), /*operand=*/0, view)};
  if (Value skip = conv.getSkip()) {
    auto skipType = cast<RankedTensorType>(skip.getType());
    int64_t share =
        signalType.getDimSize(isLast ? 2 : 1) / skipType.getDimSize(0);
    inputs.push_back(skip);
    elements.push_back(skipType.getElementType());
    accesses.push_back(
        AccessAttr::get(builder.getContext(), /*operand=*/1,
                        AffineMap::get(3, 0, c.floorDiv(share))));
  }

  auto fused = FusedConvOp::create(
      builder, loc, TypeRange(resultType), inputs, conv.getFilter(),
      conv.getReverse(), /*spectrum=*/Value(), builder.getArrayAttr(accesses),
      builder.getAffineMapArrayAttr({view}), conv.getModeAttr(),
      conv.getLag0Attr(), conv.getTapOrderAttr(), /*plan=*/FFTPlanAttr());

  Type compute =
      getComputeType(builder.getContext(), {conv.getInput(), conv.getFilter()});
  SmallVector<Location> locs(elements.size(), loc);
  Block *prologue =
      builder.createBlock(&fused.getPrologue(), {}, elements, locs);
  YieldOp::create(builder, loc,
                  convert(builder, loc, prologue->getArgument(0), compute));

  elements.insert(elements.begin(), 2, compute);
  locs.append(2, loc);
  Block *epilogue =
      builder.createBlock(&fused.getEpilogue(), {}, elements, locs);
  Value y = epilogue->getArgument(0);
  if (conv.getSkip()) {
    Value factor = convert(builder, loc, epilogue->getArgument(3), compute);
    Value term =
        arith::MulFOp::create(builder, loc, factor, epilogue->getArgument(1));
    y = arith::AddFOp::create(builder, loc, y, term);
  }
  YieldOp::create(builder, loc,
                  convert(builder, loc, y, resultType.getElementType()));
  conv.replaceAllUsesWith(fused.getResult(0));
  conv.erase();
}

namespace {

struct HyenaIsolate : public mlir::hyena::impl::HyenaIsolateBase<HyenaIsolate> {
  void runOnOperation() override {
    OpBuilder builder(&getContext());
    SmallVector<FFTConvOp> convolutions;
    getOperation()->walk([&](FFTConvOp op) { convolutions.push_back(op); });
    for (FFTConvOp conv : convolutions)
      isolate(builder, conv);
  }
};

} // namespace
