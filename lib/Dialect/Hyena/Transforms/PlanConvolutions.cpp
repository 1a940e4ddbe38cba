//===- PlanConvolutions.cpp - the pass hyena-plan-conv -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the length and the factors of each fused convolution's transform, and
// makes the spectrum of its filter an operation that needs the filter alone.
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"
#include "hyena/Dialect/Hyena/Transforms/Passes.h"
#include "hyena/FFT/Filter.h"
#include "hyena/FFT/Plan.h"

#include "mlir/IR/Remarks.h"

namespace mlir::hyena {
#define GEN_PASS_DEF_HYENAPLANCONV
#include "hyena/Dialect/Hyena/Transforms/Passes.h.inc"
} // namespace mlir::hyena

using namespace mlir;
using namespace mlir::hyena;

namespace fft = ::hyena::fft;

static fft::FilterMode modeOf(ConvMode mode) {
  switch (mode) {
  case ConvMode::Causal:
    return fft::FilterMode::Causal;
  case ConvMode::Bidirectional:
    return fft::FilterMode::Bidirectional;
  case ConvMode::NonCausal:
    return fft::FilterMode::Noncausal;
  case ConvMode::Circular:
    return fft::FilterMode::Circular;
  }
  llvm_unreachable("covered switch");
}

static fft::FilterShape shapeOf(FusedConvOp op) {
  FilterSpec spec = FilterSpec::get(op);
  fft::FilterShape shape;
  shape.mode = modeOf(spec.mode);
  shape.taps = spec.taps;
  shape.reverseTaps = spec.reverseTaps;
  shape.lag0 = spec.lag0;
  shape.newestLast = spec.tapOrder == TapOrder::NewestLast;
  return shape;
}

/// Gives `op` a spectrum in place of its filter.
static LogicalResult planConvolution(FusedConvOp op, int64_t lanes,
                                     int64_t maxRadix) {
  int64_t length = op.getSignalLength(), channels = op.getNumChannels();
  if (ShapedType::isDynamic(length))
    return op.emitOpError()
           << "has a signal of dynamic length, expected a static one: the "
              "length of the transform follows from it. Give the function's "
              "arguments a static length, or use the target 'interpret'";
  FloatType compute = op.getComputeType();
  // One vector holds half as many elements of twice the size.
  if (compute.isF64())
    lanes = std::max<int64_t>(lanes / 2, 1);
  fft::Plan plan =
      fft::choosePlan(fft::minimalSize(shapeOf(op), length), maxRadix);

  OpBuilder builder(op);
  auto planAttr =
      FFTPlanAttr::get(op.getContext(), plan.size(), plan.factors(), lanes);
  int64_t shape[] = {static_cast<int64_t>(llvm::divideCeil(channels, lanes)),
                     plan.size(), 2, lanes};
  auto spectrum = PackFilterOp::create(
      builder, op.getLoc(), RankedTensorType::get(shape, compute),
      op.getFilter(), op.getReverse(), channels, length, op.getMode(),
      op.getLag0Attr(), op.getTapOrder(), planAttr);
  auto planned = FusedConvOp::create(
      builder, op.getLoc(), op.getResultTypes(), op.getInputs(),
      /*filter=*/Value(), /*reverse=*/Value(), spectrum, op.getAccesses(),
      op.getResultMaps(), ConvMode::Causal, /*lag0=*/IntegerAttr(),
      TapOrder::Lag0First, planAttr);
  planned->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  planned.getPrologue().takeBody(op.getPrologue());
  planned.getEpilogue().takeBody(op.getEpilogue());
  op.replaceAllUsesWith(planned.getResults());
  op.erase();
  remark::analysis(
      planned.getLoc(),
      remark::RemarkOpts::name("planned").category("hyena-plan-conv"))
      << remark::add("a transform of {0} complex points for a signal of {1} "
                     "samples",
                     plan.size(), length)
      << remark::metric("Length", plan.size())
      << remark::metric("Plan", plan.str());
  return success();
}

namespace {

struct HyenaPlanConv
    : public mlir::hyena::impl::HyenaPlanConvBase<HyenaPlanConv> {
  using HyenaPlanConvBase::HyenaPlanConvBase;

  void runOnOperation() override {
    if (lanes < 1 || maxRadix < 2) {
      emitError(getOperation()->getLoc())
          << "hyena-plan-conv: 'lanes' is " << lanes.getValue()
          << " and 'max-radix' is " << maxRadix.getValue()
          << ", expected 1 and 2 at least";
      return signalPassFailure();
    }
    SmallVector<FusedConvOp> ops;
    getOperation()->walk([&](FusedConvOp op) {
      if (op.getFilter())
        ops.push_back(op);
    });
    for (FusedConvOp op : ops)
      if (failed(planConvolution(op, lanes, maxRadix)))
        return signalPassFailure();
  }
};

} // namespace
