//===- HyenaOps.cpp - Shapes and constraints of graph operations -*- C++
//-*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "OpChecks.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::detail;

#define GET_OP_CLASSES
#include "hyena/Dialect/Hyena/IR/HyenaOps.cpp.inc"

//===----------------------------------------------------------------------===//
// project
//===----------------------------------------------------------------------===//

static FailureOr<RankedTensorType> infer(ProjectOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  auto weight = tensorOf(op.getWeight());
  auto bias = tensorOrNull(op.getBias());
  int64_t rank = input.getRank();
  if (rank < 2)
    return diag("C1", "the input has rank ", rank, ", expected 2 at least");
  bool first = op.getInputLayout() == Layout::ChannelsFirst;
  if ((first || op.getResultLayout() == Layout::ChannelsFirst) && rank != 3)
    return diag("C5", "a channels_first layout of an input of rank ", rank,
                ", expected rank 3");
  int64_t channelDim = first ? rank - 2 : rank - 1;
  int64_t channels = input.getDimSize(channelDim);
  if (weight.getRank() != 2 || !weight.hasStaticShape())
    return diag("C2", "the weight is ", weight,
                ", expected a static (C_out, C_in) matrix");
  if (!compatibleExtents(weight.getDimSize(1), channels))
    return diag("C2", "the weight has ", weight.getDimSize(1),
                " input channels, expected ", str(channels), " (dimension ",
                channelDim, " of the input)");
  int64_t out = weight.getDimSize(0);
  if (out < 1 || weight.getDimSize(1) < 1)
    return diag("C2", "the weight is ", weight,
                ", expected 1 channel at least on both sides");
  if (bias && (bias.getRank() != 1 || bias.getDimSize(0) != out))
    return diag("C3", "the bias is ", bias, ", expected a vector of ", out,
                " elements");
  Type element = input.getElementType();
  if (weight.getElementType() != element ||
      (bias && bias.getElementType() != element))
    return diag("C4", "input, weight and bias have element types ", element,
                ", ", weight.getElementType(), " and ",
                bias ? bias.getElementType() : element, ", expected one");
  SmallVector<int64_t> shape = shapeOf(input);
  if (first)
    std::swap(shape[rank - 2], shape[rank - 1]);
  shape[rank - 1] = out;
  if (op.getResultLayout() == Layout::ChannelsFirst)
    std::swap(shape[rank - 2], shape[rank - 1]);
  return RankedTensorType::get(shape, element);
}
HYENA_INFER(ProjectOp)

LogicalResult
ProjectOp::reifyResultShapes(OpBuilder &b,
                             ReifiedRankedShapedTypeDims &reified) {
  SmallVector<DimSource> sources = sameShape(getInput());
  size_t rank = sources.size();
  if (getInputLayout() != getResultLayout())
    std::swap(sources[rank - 2], sources[rank - 1]);
  bool first = getResultLayout() == Layout::ChannelsFirst;
  sources[first ? rank - 2 : rank - 1] =
      DimSource::constant(tensorOf(getWeight()).getDimSize(0));
  return reify(b, getLoc(), getResult(), sources, reified);
}

//===----------------------------------------------------------------------===//
// chunk
//===----------------------------------------------------------------------===//

LogicalResult ChunkOp::verify() {
  auto input = tensorOf(getInput());
  if (input.getRank() != 3)
    return emitOpError() << "C1: the input has rank " << input.getRank()
                         << ", expected 3";
  int64_t streams = getNumResults();
  int64_t channels = input.getDimSize(getChannelDim());
  if (streams == 0)
    return emitOpError() << "C2: there are no results, expected 1 at least";
  if (channels < 1 || channels % streams != 0)
    return emitOpError() << "C2: the input has " << str(channels)
                         << " channels (dimension " << getChannelDim()
                         << "), expected a static multiple of the " << streams
                         << " streams";
  int64_t width = channels / streams;
  bool perHead = getArrangement() == Arrangement::PerHead;
  if (perHead != getHeads().has_value())
    return emitOpError() << "C3: 'heads' is "
                         << (perHead ? "missing, expected with" : "given with")
                         << " the arrangement "
                         << stringifyArrangement(getArrangement())
                         << (perHead ? "" : ", expected with per_head only");
  if (perHead && (*getHeads() < 1 || width % *getHeads() != 0))
    return emitOpError() << "C3: 'heads' is " << *getHeads()
                         << ", expected a divisor of the " << width
                         << " channels of a stream";
  SmallVector<int64_t> shape = shapeOf(input);
  shape[getChannelDim()] = width;
  auto expected = RankedTensorType::get(shape, input.getElementType());
  for (auto [i, stream] : llvm::enumerate(getStreams()))
    if (!compatibleTypes(TypeRange{expected}, TypeRange{stream.getType()}))
      return emitOpError() << "C4: stream " << i << " is " << stream.getType()
                           << ", expected " << expected;
  return success();
}

LogicalResult ChunkOp::reifyResultShapes(OpBuilder &b,
                                         ReifiedRankedShapedTypeDims &reified) {
  SmallVector<DimSource> sources = sameShape(getInput());
  int64_t channels = tensorOf(getInput()).getDimSize(getChannelDim());
  sources[getChannelDim()] =
      DimSource::constant(channels / (int64_t)getNumResults());
  for (Value stream : getStreams())
    if (failed(reify(b, getLoc(), stream, sources, reified)))
      return failure();
  return success();
}

AffineMap ChunkOp::getChannelMap(int64_t stream) {
  AffineExpr c = getAffineDimExpr(0, getContext());
  int64_t streams = getNumResults();
  int64_t width = tensorOf(getInput()).getDimSize(getChannelDim()) / streams;
  AffineExpr stored;
  switch (getArrangement()) {
  case Arrangement::Blocks:
    stored = c + stream * width;
    break;
  case Arrangement::PerHead: {
    int64_t headWidth = width / *getHeads();
    stored = c.floorDiv(headWidth) * (streams * headWidth) + c % headWidth +
             stream * headWidth;
    break;
  }
  case Arrangement::Interleaved:
    stored = c * streams + stream;
    break;
  }
  return AffineMap::get(1, 0, stored);
}

//===----------------------------------------------------------------------===//
// transpose, gate, broadcast
//===----------------------------------------------------------------------===//

static FailureOr<RankedTensorType> infer(TransposeOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  int64_t rank = input.getRank();
  if (rank < 2)
    return diag("C1", "the input has rank ", rank, ", expected 2 at least");
  SmallVector<int64_t> shape = shapeOf(input);
  std::swap(shape[rank - 2], shape[rank - 1]);
  return RankedTensorType::get(shape, input.getElementType());
}
HYENA_INFER(TransposeOp)

LogicalResult
TransposeOp::reifyResultShapes(OpBuilder &b,
                               ReifiedRankedShapedTypeDims &reified) {
  SmallVector<DimSource> sources = sameShape(getInput());
  size_t rank = sources.size();
  std::swap(sources[rank - 2], sources[rank - 1]);
  return reify(b, getLoc(), getResult(), sources, reified);
}

static FailureOr<RankedTensorType> infer(GateOp::Adaptor op, Diag diag) {
  if (op.getInputs().size() < 2)
    return diag("C1", "there are ", op.getInputs().size(),
                " inputs, expected 2 at least");
  auto first = tensorOf(op.getInputs().front());
  SmallVector<int64_t> shape = shapeOf(first);
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    auto type = tensorOf(input);
    auto merged = RankedTensorType::get(shape, first.getElementType());
    if (!compatibleTypes(TypeRange{merged}, TypeRange{type}))
      return diag("C2", "input ", i, " is ", type, ", expected ", merged,
                  " as the inputs before it");
    refineShape(shape, type.getShape());
  }
  return RankedTensorType::get(shape, first.getElementType());
}
HYENA_INFER(GateOp)

LogicalResult GateOp::reifyResultShapes(OpBuilder &b,
                                        ReifiedRankedShapedTypeDims &reified) {
  return reify(b, getLoc(), getResult(), sameShape(getInputs().front()),
               reified);
}

static FailureOr<RankedTensorType> infer(BroadcastOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  auto like = tensorOf(op.getLike());
  ArrayRef<int64_t> dims = op.getDims();
  if ((int64_t)dims.size() != input.getRank())
    return diag("C1", "'dims' has ", dims.size(), " entries, expected ",
                input.getRank(), ", the rank of the input");
  int64_t previous = -1;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim <= previous || dim >= like.getRank())
      return diag("C2", "entry ", i, " of 'dims' is ", dim,
                  ", expected more than ", previous, " and less than ",
                  like.getRank());
    previous = dim;
    if (!compatibleExtents(input.getDimSize(i), like.getDimSize(dim)))
      return diag("C3", "dimension ", i, " of the input is ",
                  str(input.getDimSize(i)), ", expected ",
                  str(like.getDimSize(dim)), " (dimension ", dim,
                  " of 'like')");
  }
  return RankedTensorType::get(like.getShape(), input.getElementType());
}
HYENA_INFER(BroadcastOp)

LogicalResult
BroadcastOp::reifyResultShapes(OpBuilder &b,
                               ReifiedRankedShapedTypeDims &reified) {
  return reify(b, getLoc(), getResult(), sameShape(getLike()), reified);
}

//===----------------------------------------------------------------------===//
// shortconv, fftconv, modal_filter
//===----------------------------------------------------------------------===//

static FailureOr<RankedTensorType> infer(ShortConvOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  auto weight = tensorOf(op.getWeight());
  auto bias = tensorOrNull(op.getBias());
  if (input.getRank() != 3)
    return diag("C1", "the input has rank ", input.getRank(), ", expected 3");
  int64_t channelDim = op.getLayout() == Layout::ChannelsLast ? 2 : 1;
  int64_t timeDim = 3 - channelDim;
  int64_t channels = input.getDimSize(channelDim);
  if (weight.getRank() != 2 || !weight.hasStaticShape() ||
      weight.getDimSize(1) < 1)
    return diag("C2", "the weight is ", weight,
                ", expected a static (G, K) matrix of 1 tap at least");
  int64_t groups = weight.getDimSize(0), taps = weight.getDimSize(1);
  if (channels < 1 || groups < 1 || channels % groups != 0)
    return diag("C2", "the weight has ", groups,
                " rows, expected a divisor of the ", str(channels),
                " channels (dimension ", channelDim, " of the input)");
  if (bias && (bias.getRank() != 1 || bias.getDimSize(0) != channels))
    return diag("C3", "the bias is ", bias, ", expected a vector of ", channels,
                " elements");
  Type element = input.getElementType();
  if (weight.getElementType() != element ||
      (bias && bias.getElementType() != element))
    return diag("C4", "input, weight and bias have element types ", element,
                ", ", weight.getElementType(), " and ",
                bias ? bias.getElementType() : element, ", expected one");
  std::optional<int64_t> low = op.getPadLow(), high = op.getPadHigh();
  bool isExplicit = op.getPadding() == Padding::Explicit;
  if (isExplicit != low.has_value() || isExplicit != high.has_value())
    return diag("C5", "'pad_low' and 'pad_high' are ",
                isExplicit ? "missing, expected" : "given, expected only",
                " with the padding 'explicit'");
  if (isExplicit && (!isCount(*low) || !isCount(*high)))
    return diag("C5", "'pad_low' is ", *low, " and 'pad_high' is ", *high,
                ", expected 0 to ", kMaxExtent);
  SmallVector<int64_t> shape = shapeOf(input);
  int64_t &length = shape[timeDim];
  if (length != kDynamic && (length < 1 || length > kMaxExtent))
    return diag("C6", "the length (dimension ", timeDim, " of the input) is ",
                length, ", expected 1 to ", kMaxExtent);
  if (isExplicit && length != kDynamic) {
    length += *low + *high - taps + 1;
    if (length < 1)
      return diag("C6", "the length of the result is ", length,
                  ", expected 1 at least");
  }
  return RankedTensorType::get(shape, element);
}
HYENA_INFER(ShortConvOp)

int64_t ShortConvOp::getNumTaps() {
  return tensorOf(getWeight()).getDimSize(1);
}

int64_t ShortConvOp::getLowPadding() {
  switch (getPadding()) {
  case Padding::Causal:
    return getNumTaps() - 1;
  case Padding::Same:
    return getNumTaps() / 2;
  case Padding::Explicit:
    return *getPadLow();
  }
  llvm_unreachable("covered switch");
}

LogicalResult
ShortConvOp::reifyResultShapes(OpBuilder &b,
                               ReifiedRankedShapedTypeDims &reified) {
  SmallVector<DimSource> sources = sameShape(getInput());
  if (getPadding() == Padding::Explicit)
    sources[getTimeDim()].extra =
        *getPadLow() + *getPadHigh() - getNumTaps() + 1;
  return reify(b, getLoc(), getResult(), sources, reified);
}

static FailureOr<RankedTensorType> infer(FFTConvOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  auto filter = tensorOf(op.getFilter());
  auto reverse = tensorOrNull(op.getReverse());
  auto skip = tensorOrNull(op.getSkip());
  if (input.getRank() != 3)
    return diag("C1", "the input has rank ", input.getRank(), ", expected 3");
  int64_t channelDim = op.getLayout() == Layout::ChannelsLast ? 2 : 1;
  int64_t timeDim = 3 - channelDim;
  int64_t channels = input.getDimSize(channelDim);
  int64_t length = input.getDimSize(timeDim);
  if (length != kDynamic && (length < 1 || length > kMaxExtent))
    return diag("C1", "the length (dimension ", timeDim, " of the input) is ",
                length, ", expected 1 to ", kMaxExtent);
  if (failed(checkFilter(diag, {"C2", "C3", "C6", "C7", "C8"}, filter, reverse,
                         channels, length, op.getMode(), op.getLag0(),
                         op.getTapOrder())))
    return failure();
  if (skip && (skip.getRank() != 1 || skip.isDynamicDim(0) ||
               skip.getDimSize(0) < 1 || channels % skip.getDimSize(0) != 0))
    return diag("C4", "the skip is ", skip,
                ", expected a vector whose extent divides the ", channels,
                " channels");
  Type element = filter.getElementType();
  if ((reverse && reverse.getElementType() != element) ||
      (skip && skip.getElementType() != element))
    return diag("C5", "filter, reverse and skip have element types ", element,
                ", ", reverse ? reverse.getElementType() : element, " and ",
                skip ? skip.getElementType() : element, ", expected one");
  return input;
}
HYENA_INFER(FFTConvOp)

int64_t FFTConvOp::getNumTaps() { return tensorOf(getFilter()).getDimSize(1); }

int64_t FFTConvOp::getLag0Index() { return FilterSpec::get(*this).lag0; }

LogicalResult
FFTConvOp::reifyResultShapes(OpBuilder &b,
                             ReifiedRankedShapedTypeDims &reified) {
  return reify(b, getLoc(), getResult(), sameShape(getInput()), reified);
}

static FailureOr<RankedTensorType> infer(ModalFilterOp::Adaptor op, Diag diag) {
  auto poles = tensorOf(op.getPoles());
  if (poles.getRank() != 2 ||
      op.getPoles().getType() != op.getResidues().getType())
    return diag("C1", "poles and residues are ", poles, " and ",
                op.getResidues().getType(), ", expected one (C, S) type");
  int64_t length = op.getLength();
  if (length < 1 || length > kMaxExtent)
    return diag("C2", "'length' is ", length, ", expected 1 to ", kMaxExtent);
  Type element = poles.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return RankedTensorType::get({poles.getDimSize(0), length}, element);
}
HYENA_INFER(ModalFilterOp)

LogicalResult
ModalFilterOp::reifyResultShapes(OpBuilder &b,
                                 ReifiedRankedShapedTypeDims &reified) {
  return reify(b, getLoc(), getResult(),
               {{getPoles(), 0}, DimSource::constant(getLength())}, reified);
}
