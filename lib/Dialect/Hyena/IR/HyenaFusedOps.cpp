//===- HyenaFusedOps.cpp - Constraints of the fused level -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "OpChecks.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::detail;

//===----------------------------------------------------------------------===//
// FilterSpec
//===----------------------------------------------------------------------===//

template <typename OpTy> static FilterSpec specOf(OpTy op) {
  FilterSpec spec;
  spec.mode = op.getMode();
  spec.tapOrder = op.getTapOrder();
  spec.taps = cast<RankedTensorType>(op.getFilter().getType()).getDimSize(1);
  spec.reverseTaps =
      op.getReverse()
          ? cast<RankedTensorType>(op.getReverse().getType()).getDimSize(1)
          : 0;
  bool centred =
      spec.mode == ConvMode::NonCausal || spec.mode == ConvMode::Circular;
  spec.lag0 = op.getLag0().value_or(centred ? (spec.taps - 1) / 2 : 0);
  return spec;
}

FilterSpec FilterSpec::get(FFTConvOp op) { return specOf(op); }
FilterSpec FilterSpec::get(FusedConvOp op) { return specOf(op); }
FilterSpec FilterSpec::get(PackFilterOp op) { return specOf(op); }

std::pair<int64_t, int64_t> FilterSpec::lagRange(int64_t length) const {
  int64_t lowest = 0, highest = 0;
  switch (mode) {
  case ConvMode::Causal:
    highest = taps - 1;
    break;
  case ConvMode::Bidirectional:
    lowest = -reverseTaps;
    highest = taps - 1;
    break;
  case ConvMode::NonCausal:
    lowest = -lag0;
    highest = taps - 1 - lag0;
    break;
  case ConvMode::Circular:
    // A tap at lag d also acts at d - L and d + L.
    lowest = -(length - 1);
    highest = length - 1;
    break;
  }
  return {std::max(lowest, 1 - length), std::min(highest, length - 1)};
}

//===----------------------------------------------------------------------===//
// fused_conv
//===----------------------------------------------------------------------===//

int64_t FusedConvOp::getDomainExtent(int64_t dim) {
  AffineMap map = getResultMap(0);
  auto type = cast<RankedTensorType>(getResult(0).getType());
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    if (cast<AffineDimExpr>(expr).getPosition() == dim)
      return type.getDimSize(i);
  llvm_unreachable("the verifier asks for a permutation");
}

FloatType FusedConvOp::getComputeType() {
  return cast<FloatType>(
      getPrologueBlock().getTerminator()->getOperand(0).getType());
}

/// Whether evaluating `expr` neither divides by zero nor overflows.
static bool isEvaluable(AffineExpr expr) {
  if (!expr.isPureAffine())
    return false;
  bool evaluable = true;
  expr.walk([&](AffineExpr part) {
    if (auto constant = dyn_cast<AffineConstantExpr>(part))
      evaluable &= constant.getValue() >= -kMaxExtent &&
                   constant.getValue() <= kMaxExtent;
    if (part.getKind() == AffineExprKind::Mod ||
        part.getKind() == AffineExprKind::FloorDiv ||
        part.getKind() == AffineExprKind::CeilDiv) {
      auto divisor =
          cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(part).getRHS());
      evaluable &= divisor.getValue() >= 1;
    }
  });
  return evaluable;
}

/// Checks one index of an access (C2): an expression of one of b, c and l.
static bool isLegalIndex(AffineExpr expr) {
  if (!isEvaluable(expr))
    return false;
  bool b = expr.isFunctionOfDim(0), c = expr.isFunctionOfDim(1),
       l = expr.isFunctionOfDim(2);
  if (b + c + l > 1)
    return false;
  if (b)
    return isa<AffineDimExpr>(expr);
  if (!l || isa<AffineDimExpr>(expr))
    return true;
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  return sum && sum.getKind() == AffineExprKind::Add &&
         isa<AffineDimExpr>(sum.getLHS()) &&
         isa<AffineConstantExpr>(sum.getRHS());
}

LogicalResult FusedConvOp::verify() {
  // Result maps first: the domain comes from them.
  if (getNumResults() == 0 || getResultMaps().size() != getNumResults())
    return emitOpError() << "C5: there are " << getResultMaps().size()
                         << " result maps for " << getNumResults()
                         << " results, expected one each, for 1 at least";
  for (int64_t i = 0, e = getNumResults(); i < e; ++i) {
    AffineMap map = getResultMap(i);
    auto type = cast<RankedTensorType>(getResult(i).getType());
    if (map.getNumSymbols() || map.getNumDims() != 3 || !map.isPermutation() ||
        type.getRank() != 3)
      return emitOpError()
             << "C5: result " << i << " is " << type << " with the map "
             << AffineMapAttr::get(map)
             << ", expected rank 3 and a permutation of (b, c, l)";
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      int64_t domainDim = cast<AffineDimExpr>(expr).getPosition();
      if (!compatibleExtents(type.getDimSize(dim), getDomainExtent(domainDim)))
        return emitOpError()
               << "C5: dimension " << dim << " of result " << i << " is "
               << type.getDimSize(dim) << ", expected "
               << getDomainExtent(domainDim) << ", the extent of the domain";
    }
  }
  int64_t length = getSignalLength(), channels = getNumChannels();
  if (length != kDynamic && (length < 1 || length > kMaxExtent))
    return emitOpError() << "C9: the length of the domain is " << length
                         << ", expected 1 to " << kMaxExtent;
  if (channels < 1)
    return emitOpError() << "C5: the domain has " << str(channels)
                         << " channels, expected a static number, 1 at least";

  for (int64_t i = 0, e = getNumAccesses(); i < e; ++i) {
    AccessAttr access = getAccess(i);
    AffineMap map = access.getMap();
    int64_t operand = access.getOperand();
    if (operand < 0 || operand >= (int64_t)getInputs().size())
      return emitOpError() << "C1: access " << i << " names operand " << operand
                           << ", expected one of the " << getInputs().size()
                           << " inputs";
    auto type = cast<RankedTensorType>(getInputs()[operand].getType());
    if (map.getNumDims() != 3 || map.getNumSymbols() != 0 ||
        map.getNumResults() != type.getRank())
      return emitOpError() << "C1: access " << i << " has the map "
                           << AffineMapAttr::get(map)
                           << ", expected 3 dimensions, no symbols and "
                           << type.getRank() << " results for " << type;
    for (AffineExpr expr : map.getResults())
      if (!isLegalIndex(expr))
        return emitOpError()
               << "C2: access " << i << " is " << access
               << ", expected indices b, l plus a constant, or of c alone, "
                  "divisors of 1 at least and constants of 2^40 at most";
  }

  if (getSpectrum() ? !getPlan() || getFilter() || getReverse()
                    : !getFilter() || getPlan())
    return emitOpError() << "C6: expected either a filter, or a spectrum and a "
                            "plan";
  if (getSpectrum() && (getLag0() || getMode() != ConvMode::Causal ||
                        getTapOrder() != TapOrder::Lag0First))
    return emitOpError() << "C6: mode, lag 0 and tap order are folded into a "
                            "spectrum, expected none of them beside it";
  Diag diag(getLoc(), getOperationName());
  if (getFilter()) {
    auto reverse = getReverse() ? cast<RankedTensorType>(getReverse().getType())
                                : RankedTensorType();
    if (failed(checkFilter(diag, {"C7", "C7", "C7", "C7", "C7"},
                           cast<RankedTensorType>(getFilter().getType()),
                           reverse, channels, length, getMode(), getLag0(),
                           getTapOrder())))
      return failure();
    Type element = getElementTypeOrSelf(getFilter().getType());
    if (reverse && reverse.getElementType() != element)
      return diag("C7", "filter and reverse have element types ", element,
                  " and ", reverse.getElementType(), ", expected one");
  }
  return success();
}

/// Checks that `block` has the arguments `leading...`, then one for each access
/// of the operand's element type.
static LogicalResult verifyArguments(FusedConvOp op, Block &block,
                                     StringRef constraint, StringRef name,
                                     ArrayRef<Type> leading) {
  SmallVector<Type> expected(leading);
  for (int64_t i = 0, e = op.getNumAccesses(); i < e; ++i)
    expected.push_back(
        cast<RankedTensorType>(
            op.getInputs()[op.getAccess(i).getOperand()].getType())
            .getElementType());
  if (block.getNumArguments() != expected.size())
    return op.emitOpError() << constraint << ": the " << name << " has "
                            << block.getNumArguments()
                            << " arguments, expected " << expected.size();
  for (auto [i, type] : llvm::enumerate(expected))
    if (block.getArgument(i).getType() != type)
      return op.emitOpError()
             << constraint << ": argument " << i << " of the " << name << " is "
             << block.getArgument(i).getType() << ", expected " << type;
  return success();
}

LogicalResult FusedConvOp::verifyRegions() {
  for (Region *region : {&getPrologue(), &getEpilogue()})
    for (Operation &op : region->front().without_terminator())
      if (!isMemoryEffectFree(&op))
        return emitOpError()
               << "C10: the "
               << (region == &getPrologue() ? "prologue" : "epilogue")
               << " holds '" << op.getName()
               << "', expected operations without memory effects";
  auto prologue = dyn_cast<YieldOp>(getPrologueBlock().getTerminator());
  auto epilogue = dyn_cast<YieldOp>(getEpilogueBlock().getTerminator());
  if (!prologue || prologue.getNumOperands() != 1 ||
      !(prologue.getOperand(0).getType().isF32() ||
        prologue.getOperand(0).getType().isF64()))
    return emitOpError() << "C3: the prologue yields "
                         << (prologue ? prologue.getNumOperands() : 0)
                         << " values"
                         << (prologue && prologue.getNumOperands() == 1
                                 ? " of another type"
                                 : "")
                         << ", expected one f32 or f64";
  if (failed(verifyArguments(*this, getPrologueBlock(), "C3", "prologue", {})))
    return failure();
  Type compute = getComputeType();
  if (failed(verifyArguments(*this, getEpilogueBlock(), "C4", "epilogue",
                             {compute, compute})))
    return failure();
  if (!epilogue || epilogue.getNumOperands() != getNumResults())
    return emitOpError() << "C4: the epilogue yields "
                         << (epilogue ? epilogue.getNumOperands() : 0)
                         << " values, expected " << getNumResults()
                         << ", one for each result";
  for (auto [i, value] : llvm::enumerate(epilogue.getValues())) {
    Type element =
        cast<RankedTensorType>(getResult(i).getType()).getElementType();
    if (value.getType() != element)
      return emitOpError() << "C4: the epilogue yields " << value.getType()
                           << " for result " << i << ", expected " << element;
  }
  if (!getSpectrum())
    return success();
  FFTPlanAttr plan = *getPlan();
  int64_t lanes = plan.getLanes();
  int64_t shape[] = {(int64_t)llvm::divideCeil(getNumChannels(), lanes),
                     plan.getLength(), 2, lanes};
  auto expected = RankedTensorType::get(shape, compute);
  if (getSpectrum().getType() != expected)
    return emitOpError() << "C8: the spectrum is " << getSpectrum().getType()
                         << ", expected " << expected;
  return success();
}

LogicalResult
FusedConvOp::reifyResultShapes(OpBuilder &b,
                               ReifiedRankedShapedTypeDims &reified) {
  // A dynamic extent of the domain is that of an operand which is read at a
  // plain b or l.
  auto extentOf = [&](int64_t domainDim) -> OpFoldResult {
    int64_t extent = getDomainExtent(domainDim);
    if (!ShapedType::isDynamic(extent))
      return b.getIndexAttr(extent);
    AffineExpr wanted = b.getAffineDimExpr(domainDim);
    for (int64_t i = 0, e = getNumAccesses(); i < e; ++i) {
      AccessAttr access = getAccess(i);
      for (auto [dim, expr] : llvm::enumerate(access.getMap().getResults()))
        if (expr == wanted)
          return tensor::getMixedSize(b, getLoc(),
                                      getInputs()[access.getOperand()], dim);
    }
    return {};
  };
  for (int64_t i = 0, e = getNumResults(); i < e; ++i) {
    SmallVector<OpFoldResult> dims;
    for (AffineExpr expr : getResultMap(i).getResults()) {
      dims.push_back(extentOf(cast<AffineDimExpr>(expr).getPosition()));
      if (!dims.back())
        return emitOpError() << "has a dynamic extent that no access shows";
    }
    reified.push_back(std::move(dims));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// pack_filter
//===----------------------------------------------------------------------===//

LogicalResult PackFilterOp::verify() {
  auto filter = cast<RankedTensorType>(getFilter().getType());
  auto reverse = getReverse() ? cast<RankedTensorType>(getReverse().getType())
                              : RankedTensorType();
  int64_t channels = getChannels(), length = getSignalLength();
  if (channels < 1 || channels > kMaxExtent || length < 1 ||
      length > kMaxExtent)
    return emitOpError() << "C1: 'channels' is " << channels
                         << " and 'signal_length' is " << length
                         << ", expected 1 to " << kMaxExtent;
  Diag diag(getLoc(), getOperationName());
  if (failed(checkFilter(diag, {"C1", "C2", "C2", "C2", "C2"}, filter, reverse,
                         channels, length, getMode(), getLag0(),
                         getTapOrder())))
    return failure();
  if (reverse && reverse.getElementType() != filter.getElementType())
    return emitOpError() << "C1: filter and reverse have element types "
                         << filter.getElementType() << " and "
                         << reverse.getElementType() << ", expected one";
  auto [lowest, highest] = FilterSpec::get(*this).lagRange(length);
  int64_t needed = length + std::max(highest, -lowest);
  FFTPlanAttr plan = getPlan();
  if (2 * plan.getLength() < needed)
    return emitOpError() << "C3: the plan has length " << plan.getLength()
                         << ", expected " << llvm::divideCeil(needed, 2)
                         << " at least for lags " << lowest << " to " << highest
                         << " of " << length << " samples";
  int64_t lanes = plan.getLanes();
  int64_t shape[] = {(int64_t)llvm::divideCeil(channels, lanes),
                     plan.getLength(), 2, lanes};
  auto type = cast<RankedTensorType>(getSpectrum().getType());
  if (type.getShape() != ArrayRef<int64_t>(shape))
    return emitOpError() << "C4: the result is " << type << ", expected "
                         << RankedTensorType::get(shape, type.getElementType());
  return success();
}
