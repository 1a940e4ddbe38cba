//===- FusionRemarks.cpp - what fusion says about itself -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionRemarks.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::fusion;

/// A reason and what the author of the graph can do about it.
struct Text {
  const char *reason;
  const char *suggestion;
};

static Text textOf(Refusal refusal) {
  switch (refusal) {
  case Refusal::None:
    return {"it is read as it is", "nothing"};
  case Refusal::Cheaper:
    return {"keeping the tensor moves fewer bytes than computing it again",
            "nothing: this is the cheaper way"};
  case Refusal::Index:
    return {
        "an element is not at (b, l plus a constant, a function of c) of an "
        "operand",
        "fold a flip into the filter's tap order, a stride in time into the "
        "projection"};
  case Refusal::Boundary:
    return {"it is read beyond its ends, where it is not zero, and its length "
            "is dynamic",
            "make the length static, or drop the bias in front of the short "
            "convolution"};
  case Refusal::Body:
    return {"an operand or an operation in it has no scalar form",
            "use elementwise arith and math operations on floats and integers"};
  case Refusal::Dependence:
    return {"it needs a convolution's result through something that is not "
            "fused, or at another time or channel",
            "move the operation behind the next projection, or in front of the "
            "convolution"};
  case Refusal::Depth:
    return {"it is the result of a longer chain of operations than one region "
            "takes",
            "nothing: one tensor in between costs little beside the chain"};
  case Refusal::Shape:
    return {"its shape is not that of the convolution that it needs",
            "cut or pad the convolution's input instead of its result"};
  case Refusal::User:
    return {
        "something that is not fused reads it, and no convolution yields it",
        "nothing, unless that reader can be dropped"};
  }
  llvm_unreachable("covered switch");
}

static remark::RemarkOpts optionsFor(StringRef name, StringRef category,
                                     Operation *op) {
  StringRef function;
  auto symbol = dyn_cast<SymbolOpInterface>(op);
  if (!symbol)
    symbol = op->getParentOfType<SymbolOpInterface>();
  if (symbol)
    function = symbol.getName();
  return remark::RemarkOpts::name(name).category(category).function(function);
}

static void say(remark::detail::InFlightRemark remark, Text text) {
  remark << remark::reason("{0}", text.reason)
         << remark::suggest("{0}", text.suggestion);
}

void mlir::hyena::fusion::remarkFused(FusedConvOp op, int64_t operations,
                                      int64_t results) {
  remark::passed(op.getLoc(), optionsFor("fused", "hyena-fuse", op))
      << remark::add("a long convolution took in {0} operations and yields {1} "
                     "tensors",
                     operations, results)
      << remark::metric("Operations", operations)
      << remark::metric("Results", results);
}

void mlir::hyena::fusion::remarkMissed(Operation *op, Refusal refusal) {
  auto remark =
      remark::missed(op->getLoc(), optionsFor("not-fused", "hyena-fuse", op));
  remark << remark::add("'{0}' stays an operation of its own",
                        op->getName().getStringRef().str());
  say(std::move(remark), textOf(refusal));
}

void mlir::hyena::fusion::remarkStored(Operation *op, FFTConvOp reader,
                                       Refusal refusal) {
  auto remark =
      remark::missed(op->getLoc(), optionsFor("stored", "hyena-fuse", op));
  remark << remark::add("the result of '{0}' is kept in memory for a long "
                        "convolution",
                        op->getName().getStringRef().str());
  say(std::move(remark), textOf(refusal));
}

void mlir::hyena::fusion::remarkCutKept(TruncateOp op) {
  auto remark =
      remark::missed(op.getLoc(), optionsFor("cut-kept", "hyena-fuse", op));
  remark << remark::add("the cut of a convolution's result stays");
  say(std::move(remark),
      {"only the first results of a causal convolution can be had alone, and "
       "only if nothing else reads the others",
       "cut the input instead"});
}

void mlir::hyena::fusion::remarkLayoutKept(ProjectOp op,
                                           LayoutRefusal refusal) {
  auto remark = remark::missed(
      op.getLoc(), optionsFor("layout-kept", "hyena-assign-layout", op));
  remark << remark::add("the projection keeps its layout");
  switch (refusal) {
  case LayoutRefusal::OtherUsers:
    return say(std::move(remark),
               {"something other than a fused convolution reads its result",
                "run --hyena-fuse first, or let that reader be fused"});
  case LayoutRefusal::Channels:
    return say(std::move(remark),
               {"its channels are not split into streams of one arrangement",
                "use one chunk for all streams"});
  }
}

void mlir::hyena::fusion::remarkNotHoisted(Operation *function,
                                           HoistRefusal refusal) {
  auto remark =
      remark::missed(function->getLoc(),
                     optionsFor("not-split", "hyena-hoist-params", function));
  remark << remark::add("the function is not split");
  switch (refusal) {
  case HoistRefusal::Called:
    return say(std::move(remark), {"something in the module refers to it",
                                   "inline it into its callers first"});
  case HoistRefusal::External:
    return say(std::move(remark),
               {"it has no body", "define it in this module"});
  }
}
