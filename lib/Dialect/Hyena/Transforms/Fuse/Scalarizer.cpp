//===- Scalarizer.cpp - one element of a tensor as a scalar -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalarizer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::fusion;

bool Position::isOutside() const {
  return llvm::any_of(slack, [](const Slack &s) { return s.isOutside(); });
}

bool Position::isWhole() const {
  return llvm::all_of(slack, [](const Slack &s) { return s.isWhole(); });
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

bool mlir::hyena::fusion::isLegalIndex(AffineExpr expr) {
  bool b = expr.isFunctionOfDim(batchDim), c = expr.isFunctionOfDim(channelDim),
       l = expr.isFunctionOfDim(timeDim);
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

AffineExpr Scalarizer::simplify(AffineExpr expr) const {
  return graph.getIndexSimplifier().simplify(expr, domain[channelDim]);
}

AffineMap Scalarizer::mapOf(const Position &at) const {
  return AffineMap::get(3, 0, at.index, context);
}

//===----------------------------------------------------------------------===//
// Construction and entry points
//===----------------------------------------------------------------------===//

Scalarizer::Scalarizer(const FusionGraph &graph, int64_t convIndex,
                       ScalarArena &arena, IsStored isStored, bool inEpilogue)
    : graph(graph), conv(graph.convolutions()[convIndex]), convIndex(convIndex),
      arena(arena), isStored(std::move(isStored)), inEpilogue(inEpilogue),
      context(conv.getContext()) {
  auto input = cast<RankedTensorType>(conv.getInput().getType());
  auto result = cast<RankedTensorType>(conv.getType());
  // Either type may know more.
  auto extent = [&](int64_t dim) {
    return input.isDynamicDim(dim) ? result.getDimSize(dim)
                                   : input.getDimSize(dim);
  };
  domain = {extent(0), extent(conv.getChannelDim()), extent(conv.getTimeDim())};
  Type filter = getElementTypeOrSelf(conv.getFilter().getType());
  computeType = input.getElementType().isF64() || filter.isF64()
                    ? Type(Float64Type::get(context))
                    : Type(Float32Type::get(context));
}

Position Scalarizer::signalPosition() {
  AffineExpr b, c, l;
  bindDims(context, b, c, l);
  Position at;
  at.push(b, {});
  if (conv.getLayout() == Layout::ChannelsFirst) {
    at.push(c, {});
    at.push(l, {});
  } else {
    at.push(l, {});
    at.push(c, {});
  }
  return at;
}

const Scalar *Scalarizer::evaluateInput(bool asStored) {
  Position at = signalPosition();
  Element u = asStored ? readStored(conv.getInput(), at)
                       : evaluate(conv.getInput(), at);
  return u ? arena.convert(u.scalar, computeType) : nullptr;
}

/// Whether `root` is made of the convolution's own result.
static bool needsConvolved(const Scalar *root) {
  bool needs = false;
  llvm::DenseSet<const Scalar *> seen;
  forEachScalar(root, seen, [&](const Scalar *part) {
    needs |= part->kind == ScalarKind::Convolved;
  });
  return needs;
}

const Scalar *Scalarizer::evaluateResult(Value value, AffineMap map,
                                         bool isCovered) {
  lastRefusal = Refusal::Shape;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != 3 || !type.getElementType().isIntOrFloat())
    return nullptr;
  Position at;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    int64_t wanted = domain[cast<AffineDimExpr>(expr).getPosition()];
    int64_t extent = type.getDimSize(i);
    if (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(wanted) &&
        extent != wanted)
      return nullptr;
    at.push(expr, {});
  }
  // What an attempt that fails meets on its way says nothing about extents.
  auto coveredBefore = covered;
  auto metBefore = met;
  const Scalar *scalar = evaluateAfresh(value, at).scalar;
  if (scalar && !isCovered && !needsConvolved(scalar)) {
    lastRefusal = Refusal::User;
    scalar = nullptr;
  }
  if (!scalar) {
    covered = std::move(coveredBefore);
    met = std::move(metBefore);
    memo.clear();
  }
  return scalar;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

Element Scalarizer::evaluate(Value value, const Position &at) {
  SmallVector<std::array<int64_t, 3>, 4> slack;
  for (const Slack &s : at.slack)
    slack.push_back({s.low, s.high, s.isExact});
  std::pair<Value, AffineMap> key{value, mapOf(at)};
  for (const Known &known : memo[key])
    if (known.slack == slack)
      return known.element;

  Element element;
  bool isOwn = value == conv.getResult() ||
               (inEpilogue && value == conv.getInput() && at.isWhole() &&
                key.second == mapOf(signalPosition()));
  Operation *op = isOwn ? nullptr : graph.fusableDefinition(value);
  // What depends on parameters alone is computed once and for all.
  bool isPrepared =
      op && graph.isParameter(value) && !isView(op) && !constantOf(value);
  bool isKept = op && isStored(value);
  if (isKept)
    refuse(value, Refusal::Cheaper);
  if (isOwn || (op && !isPrepared && !isKept))
    element = evaluateAfresh(value, at);
  if (!element && !isOwn) {
    if (op && !isPrepared)
      refuse(value, lastRefusal);
    element = readStored(value, at);
  }
  if (element && !at.isOutside())
    element.isZeroOutside = element.isFiniteOutside = true;
  memo[key].push_back({slack, element});
  return element;
}

Element Scalarizer::evaluateAfresh(Value value, const Position &at) {
  Position signal = signalPosition();
  bool isSignal = at.isWhole() && mapOf(at) == mapOf(signal);
  if (value == conv.getResult()) {
    if (inEpilogue && isSignal)
      return readFilteredSignal(at);
    // Elsewhere than at (b, c, l) it is not there yet.
    refuse(value, Refusal::Dependence);
    return {};
  }
  if (inEpilogue && value == conv.getInput() && isSignal)
    return {arena.convert(arena.signal(computeType),
                          getElementTypeOrSelf(value.getType()))};
  if (!graph.fusableDefinition(value))
    return {};
  if (depth == maxDepth) {
    refuse(value, Refusal::Depth);
    return {};
  }
  met.insert(value);
  if (at.isWhole())
    covered.insert({value, mapOf(at)});
  ++depth;
  Element element = expand(cast<OpResult>(value), at);
  --depth;
  return element;
}

Element Scalarizer::readFilteredSignal(const Position &at) {
  const Scalar *y = arena.convolved(computeType);
  if (Value skip = conv.getSkip()) {
    int64_t repeats = domain[channelDim] /
                      cast<RankedTensorType>(skip.getType()).getDimSize(0);
    Position weight;
    weight.push(
        simplify(getAffineDimExpr(channelDim, context).floorDiv(repeats)), {});
    Element d = evaluate(skip, weight);
    if (!d)
      return {};
    y = arena.add(y, arena.multiply(arena.convert(d.scalar, computeType),
                                    arena.signal(computeType)));
  }
  return {arena.convert(y, getElementTypeOrSelf(conv.getType()))};
}

Element Scalarizer::readStored(Value value, const Position &at) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getElementType().isIntOrFloat())
    return {};
  // Nothing that waits for this convolution can be an operand of it.
  if (graph.dependences(value).test(convIndex)) {
    refuse(value, Refusal::Dependence);
    return {};
  }
  for (AffineExpr expr : at.index)
    if (!isLegalIndex(expr)) {
      refuse(value, Refusal::Index);
      return {};
    }
  return {arena.access(value, mapOf(at))};
}

Element Scalarizer::evaluateZeroExtended(Value value, const Position &at) {
  Element element = evaluate(value, at);
  if (!element || element.isZeroOutside)
    return element;
  // Say where the value ends. Only time can be left, at a known length.
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [i, slack] : llvm::enumerate(at.slack)) {
    if (!slack.isOutside())
      continue;
    if (type.isDynamicDim(i) || !isLegalIndex(at.index[i])) {
      refuse(value, Refusal::Boundary);
      Element stored = readStored(value, at);
      return stored;
    }
    const Scalar *inside =
        arena.inside(type.getDimSize(i), AffineMap::get(3, 0, at.index[i]));
    element.scalar = arena.guard(inside, element.scalar);
  }
  element.isZeroOutside = element.isFiniteOutside = true;
  return element;
}

void Scalarizer::refuse(Value value, Refusal refusal) {
  lastRefusal = refusal;
  if (graph.definition(value))
    refusals.try_emplace(value, refusal);
}

//===----------------------------------------------------------------------===//
// Operations on elements
//===----------------------------------------------------------------------===//

Element Scalarizer::apply(Operation *op, ArrayRef<Element> operands,
                          Type type) {
  SmallVector<const Scalar *> scalars;
  bool allZero = true, anyZero = false, allFinite = true;
  for (const Element &operand : operands) {
    if (!operand)
      return {};
    scalars.push_back(operand.scalar);
    allZero &= operand.isZeroOutside;
    anyZero |= operand.isZeroOutside;
    allFinite &= operand.isFiniteOutside;
  }
  Element element{arena.apply(op, scalars, type), false, false};
  llvm::TypeSwitch<Operation *>(op)
      .Case<arith::MulFOp, arith::MulIOp>([&](auto) {
        element.isZeroOutside = anyZero && allFinite;
        element.isFiniteOutside = allFinite;
      })
      .Case<arith::AddFOp, arith::SubFOp, arith::AddIOp, arith::SubIOp,
            arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
            arith::MinNumFOp, arith::NegFOp, arith::ExtFOp, arith::TruncFOp,
            arith::SIToFPOp, arith::UIToFPOp, arith::ExtUIOp, arith::ExtSIOp>(
          [&](auto) {
            element.isZeroOutside = allZero;
            element.isFiniteOutside = allFinite;
          })
      .Case<arith::SelectOp>([&](auto) {
        element.isZeroOutside =
            operands[1].isZeroOutside && operands[2].isZeroOutside;
        element.isFiniteOutside = allFinite;
      })
      .Default([&](Operation *other) {
        static constexpr StringLiteral oddFunctions[] = {
            "math.absf", "math.asin", "math.asinh", "math.atan",
            "math.ceil", "math.erf",  "math.floor", "math.sin",
            "math.sinh", "math.sqrt", "math.tan",   "math.tanh"};
        // Zero at zero.
        if (llvm::is_contained(oddFunctions, other->getName().getStringRef()))
          element.isZeroOutside = element.isFiniteOutside =
              allZero && allFinite;
      });
  return element;
}

Element Scalarizer::constantOf(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return constantOf(fill.getInputs().front());
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return {};
  Attribute attr = constant.getValue();
  if (auto splat = dyn_cast<SplatElementsAttr>(attr))
    attr = splat.getSplatValue<Attribute>();
  auto typed = dyn_cast<TypedAttr>(attr);
  if (!typed || !typed.getType().isIntOrFloat())
    return {};
  bool isZero = false, isFinite = true;
  if (auto number = dyn_cast<FloatAttr>(typed)) {
    isZero = number.getValue().isZero();
    isFinite = number.getValue().isFinite();
  } else if (auto integer = dyn_cast<IntegerAttr>(typed)) {
    isZero = integer.getValue().isZero();
  }
  return {arena.constant(typed), isZero, isFinite};
}
