//===- ScalarizeHyena.cpp - elements of hyena operations -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalarizer.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::fusion;

static RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The type in which products and sums of `element` are formed.
static Type wideType(Type element) {
  return element.getIntOrFloatBitWidth() < 32
             ? Type(Float32Type::get(element.getContext()))
             : element;
}

Element Scalarizer::expandHyena(OpResult value, const Position &at) {
  return llvm::TypeSwitch<Operation *, Element>(value.getOwner())
      .Case<ChunkOp>(
          [&](auto op) { return expandChunk(op, value.getResultNumber(), at); })
      .Case<TransposeOp>([&](TransposeOp op) {
        Position from = at;
        size_t rank = from.index.size();
        std::swap(from.index[rank - 2], from.index[rank - 1]);
        std::swap(from.slack[rank - 2], from.slack[rank - 1]);
        return evaluate(op.getInput(), from);
      })
      .Case<BroadcastOp>([&](auto op) { return expandBroadcast(op, at); })
      .Case<GateOp>([&](auto op) { return expandGate(op, at); })
      .Case<PadOp>([&](PadOp op) {
        return expandPad(op.getInput(), op.getDim(), op.getLow(), op.getHigh(),
                         at);
      })
      .Case<TruncateOp>([&](auto op) { return expandTruncate(op, at); })
      .Case<FlipOp>([&](auto op) { return expandFlip(op, at); })
      .Case<ShortConvOp>([&](auto op) { return expandShortConv(op, at); })
      .Default([](auto) { return Element(); });
}

Element Scalarizer::expandChunk(ChunkOp op, unsigned stream,
                                const Position &at) {
  int64_t dim = op.getChannelDim();
  // Outside of its channels a stream would read its neighbours.
  if (at.slack[dim].isOutside())
    return {};
  Position from = at;
  from.index[dim] = simplify(
      op.getChannelMap(stream).getResult(0).replaceDims({at.index[dim]}));
  // One of several streams does not cover the input.
  from.slack[dim] = {0, 0, op.getNumResults() == 1};
  return evaluate(op.getInput(), from);
}

Element Scalarizer::expandBroadcast(BroadcastOp op, const Position &at) {
  Position from;
  llvm::SmallBitVector isCarried(at.index.size());
  for (int64_t dim : op.getDims()) {
    from.push(at.index[dim], at.slack[dim]);
    isCarried.set(dim);
  }
  Element element = evaluate(op.getInput(), from);
  for (auto [dim, slack] : llvm::enumerate(at.slack))
    if (slack.isOutside() && !isCarried.test(dim))
      element.isZeroOutside = false;
  return element;
}

Element Scalarizer::expandGate(GateOp op, const Position &at) {
  Type type = tensorOf(op.getResult()).getElementType();
  Type wide = wideType(type);
  Element product;
  bool anyZero = false, allFinite = true;
  for (Value input : op.getInputs()) {
    Element factor = evaluate(input, at);
    if (!factor)
      return {};
    const Scalar *scalar = arena.convert(factor.scalar, wide);
    product.scalar = product ? arena.multiply(product.scalar, scalar) : scalar;
    anyZero |= factor.isZeroOutside;
    allFinite &= factor.isFiniteOutside;
  }
  product.scalar = arena.convert(product.scalar, type);
  product.isZeroOutside = anyZero && allFinite;
  product.isFiniteOutside = allFinite;
  return product;
}

Element Scalarizer::expandPad(Value input, unsigned dim, int64_t low,
                              int64_t high, const Position &at) {
  Position from = at;
  from.index[dim] = simplify(at.index[dim] - low);
  from.slack[dim].low += low;
  from.slack[dim].high += high;
  return evaluateZeroExtended(input, from);
}

Element Scalarizer::expandTruncate(TruncateOp op, const Position &at) {
  int64_t dim = op.getDim(), offset = op.getOffset(), length = op.getLength();
  int64_t extent = tensorOf(op.getInput()).getDimSize(dim);
  bool isStatic = !ShapedType::isDynamic(extent);
  int64_t behind = isStatic ? extent - offset - length : 0;
  const Slack &slack = at.slack[dim];
  Position from = at;
  from.index[dim] = simplify(at.index[dim] + offset);
  from.slack[dim] = {slack.low - offset, slack.high - behind,
                     slack.isExact && isStatic};
  Element element = evaluate(op.getInput(), from);
  // Where something is cut off, the input goes on outside.
  bool leaks = (slack.low > 0 && offset > 0) ||
               (slack.high > 0 && (behind > 0 || !isStatic));
  if (leaks)
    element.isZeroOutside = element.isFiniteOutside = false;
  return element;
}

Element Scalarizer::expandFlip(FlipOp op, const Position &at) {
  int64_t dim = op.getDim();
  int64_t extent = tensorOf(op.getInput()).getDimSize(dim);
  if (ShapedType::isDynamic(extent)) {
    refuse(op.getResult(), Refusal::Index);
    return {};
  }
  Position from = at;
  from.index[dim] = simplify(-at.index[dim] + (extent - 1));
  std::swap(from.slack[dim].low, from.slack[dim].high);
  return evaluate(op.getInput(), from);
}

Element Scalarizer::expandShortConv(ShortConvOp op, const Position &at) {
  int64_t channel = op.getChannelDim(), time = op.getTimeDim();
  if (at.slack[channel].isOutside())
    return {};
  int64_t taps = op.getNumTaps(), low = op.getLowPadding();
  int64_t high = op.getPadding() == Padding::Explicit
                     ? (int64_t)*op.getPadHigh()
                     : taps - 1 - low;
  int64_t longer = low + high - taps + 1;
  int64_t groups = tensorOf(op.getWeight()).getDimSize(0);
  int64_t width = tensorOf(op.getInput()).getDimSize(channel) / groups;
  Type type = tensorOf(op.getResult()).getElementType();
  Type wide = wideType(type);

  Element sum;
  for (int64_t k = 0; k < taps; ++k) {
    int64_t shift = k - low;
    Position from = at;
    from.index[time] = simplify(at.index[time] + shift);
    from.slack[time].low -= shift;
    from.slack[time].high += longer + shift;
    Position tap;
    tap.push(simplify(at.index[channel].floorDiv(width)), {});
    int64_t stored =
        op.getTapOrder() == TapOrder::NewestLast ? k : taps - 1 - k;
    tap.push(getAffineConstantExpr(stored, context), {0, 0, false});
    Element weight = evaluate(op.getWeight(), tap);
    Element sample = evaluateZeroExtended(op.getInput(), from);
    if (!weight || !sample)
      return {};
    const Scalar *term = arena.multiply(arena.convert(weight.scalar, wide),
                                        arena.convert(sample.scalar, wide));
    sum.scalar = sum ? arena.add(sum.scalar, term) : term;
    sum.isFiniteOutside &= sample.isFiniteOutside;
  }
  if (Value bias = op.getBias()) {
    Position from;
    from.push(at.index[channel], at.slack[channel]);
    Element added = evaluate(bias, from);
    if (!added)
      return {};
    sum.scalar = arena.add(sum.scalar, arena.convert(added.scalar, wide));
  }
  sum.scalar = arena.convert(sum.scalar, type);
  // Before the first result every tap reads zeros if none looks ahead.
  const Slack &slack = at.slack[time];
  sum.isZeroOutside = !op.getBias() && (slack.low <= 0 || low >= taps - 1) &&
                      (slack.high <= 0 || high >= taps - 1);
  return sum;
}
