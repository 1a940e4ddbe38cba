//===- Raise.cpp - Turns transforms into hyena operations -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaisePatterns.h"

#include "hyena/Dialect/Hyena/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::hyena {
#define GEN_PASS_DEF_HYENARAISE
#include "hyena/Dialect/Hyena/Transforms/Passes.h.inc"
} // namespace mlir::hyena

using namespace mlir;
using namespace mlir::hyena;

static void populateViews(RewritePatternSet &patterns) {
  populateRaiseStreamPatterns(patterns);
  populateRaiseViewPatterns(patterns);
  populateRaisePointwisePatterns(patterns);
  populateRaiseLinearPatterns(patterns);
  MLIRContext *context = patterns.getContext();
  BroadcastOp::getCanonicalizationPatterns(patterns, context);
  GateOp::getCanonicalizationPatterns(patterns, context);
  PadOp::getCanonicalizationPatterns(patterns, context);
  TruncateOp::getCanonicalizationPatterns(patterns, context);
  ShortConvOp::getCanonicalizationPatterns(patterns, context);
  FFTConvOp::getCanonicalizationPatterns(patterns, context);
}

namespace {

struct RaisePass : hyena::impl::HyenaRaiseBase<RaisePass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    // What a transform reads must be known (where its input was padded) before
    // it can be told whether a product of transforms wraps around.
    RewritePatternSet views(context);
    populateViews(views);
    if (failed(applyPatternsGreedily(getOperation(), std::move(views))))
      return signalPassFailure();
    RewritePatternSet patterns(context);
    populateViews(patterns);
    populateRaiseSpectralPatterns(patterns);
    populateRaiseOperandPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    getOperation()->walk([](IRFFTOp op) {
      std::string why = whyNotRaised(op);
      if (!why.empty())
        remark::missed(op.getLoc(), remark::RemarkOpts::name("raise").category(
                                        "hyena-raise"))
            << remark::reason("{0}", why);
    });
  }
};

} // namespace
