//===- HyenaOps.cpp - Shapes and constraints of graph-level operations -*- C++
//-*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "OpChecks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::hyena;
using mlir::hyena::detail::checkFilter;
using mlir::hyena::detail::compatibleExtents;
using mlir::hyena::detail::Diag;

#define GET_OP_CLASSES
#include "hyena/Dialect/Hyena/IR/HyenaOps.cpp.inc"

static constexpr int64_t kDynamic = ShapedType::kDynamic;

static RankedTensorType tensorOf(Value v) {
  return cast<RankedTensorType>(v.getType());
}

static RankedTensorType tensorOrNull(Value v) {
  return v ? tensorOf(v) : RankedTensorType();
}

static SmallVector<int64_t> shapeOf(RankedTensorType type) {
  return SmallVector<int64_t>(type.getShape());
}

/// Result type check that all operations share: one type, equal element types,
/// extents equal where both are static.
static bool compatibleTypes(TypeRange inferred, TypeRange actual) {
  if (inferred.size() != actual.size())
    return false;
  for (auto [lhs, rhs] : llvm::zip_equal(inferred, actual)) {
    auto a = dyn_cast<RankedTensorType>(lhs);
    auto b = dyn_cast<RankedTensorType>(rhs);
    if (!a || !b || a.getElementType() != b.getElementType() ||
        failed(verifyCompatibleShape(a, b)))
      return false;
  }
  return true;
}

/// One dimension of a result: dimension `dim` of `source`, plus `extra`.
struct DimSource {
  Value source;
  int64_t dim;
  int64_t extra = 0;
};

/// Fills `reified` with static extents of `result` and, for the others, with
/// what `sources` says.
static LogicalResult reify(OpBuilder &b, Location loc, Value result,
                           ArrayRef<DimSource> sources,
                           ReifiedRankedShapedTypeDims &reified) {
  auto type = tensorOf(result);
  SmallVector<OpFoldResult> dims;
  for (auto [i, source] : llvm::enumerate(sources)) {
    if (!type.isDynamicDim(i)) {
      dims.push_back(b.getIndexAttr(type.getDimSize(i)));
      continue;
    }
    OpFoldResult extent =
        tensor::getMixedSize(b, loc, source.source, source.dim);
    if (source.extra) {
      Value value = getValueOrCreateConstantIndexOp(b, loc, extent);
      Value extra = arith::ConstantIndexOp::create(b, loc, source.extra);
      extent = arith::AddIOp::create(b, loc, value, extra).getResult();
    }
    dims.push_back(extent);
  }
  reified.push_back(std::move(dims));
  return success();
}

/// The sources of a result that has the shape of `source`.
static SmallVector<DimSource> sameShape(Value source) {
  SmallVector<DimSource> sources;
  for (int64_t i = 0, e = tensorOf(source).getRank(); i < e; ++i)
    sources.push_back({source, i});
  return sources;
}

#define HYENA_INFER(OP)                                                        \
  bool OP::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) {     \
    return compatibleTypes(inferred, actual);                                  \
  }                                                                            \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *context, std::optional<Location> loc, Adaptor adaptor,      \
      SmallVectorImpl<Type> &inferred) {                                       \
    Diag diag(loc, OP::getOperationName());                                    \
    FailureOr<RankedTensorType> type = infer(adaptor, diag);                   \
    if (failed(type))                                                          \
      return failure();                                                        \
    inferred.push_back(*type);                                                 \
    return success();                                                          \
  }

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
                " input channels, expected ", channels, " (dimension ",
                channelDim, " of the input)");
  int64_t out = weight.getDimSize(0);
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
  if (channels == kDynamic || channels % streams != 0)
    return emitOpError() << "C2: the input has "
                         << (channels == kDynamic ? "a dynamic number of"
                                                  : std::to_string(channels))
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
    if (!compatibleTypes(TypeRange{first}, TypeRange{type}))
      return diag("C2", "input ", i, " is ", type, ", expected ", first,
                  " as input 0");
    for (auto [known, extent] : llvm::zip_equal(shape, type.getShape()))
      if (known == kDynamic)
        known = extent;
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
                  input.getDimSize(i), ", expected ", like.getDimSize(dim),
                  " (dimension ", dim, " of 'like')");
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
  if (channels == kDynamic || groups < 1 || channels % groups != 0)
    return diag("C2", "the weight has ", groups,
                " rows, expected a divisor of the ", channels,
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
  if (isExplicit && (*low < 0 || *high < 0))
    return diag("C5", "'pad_low' is ", *low, " and 'pad_high' is ", *high,
                ", expected 0 at least");
  SmallVector<int64_t> shape = shapeOf(input);
  int64_t &length = shape[timeDim];
  if (length == 0)
    return diag("C6", "the length (dimension ", timeDim,
                " of the input) is 0, expected 1 at least");
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
  if (length == 0)
    return diag("C1", "the length (dimension ", timeDim,
                " of the input) is 0, expected 1 at least");
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
  if ((int64_t)op.getLength() < 1)
    return diag("C2", "'length' is ", (int64_t)op.getLength(),
                ", expected 1 at least");
  Type element = poles.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return RankedTensorType::get({poles.getDimSize(0), (int64_t)op.getLength()},
                               element);
}
HYENA_INFER(ModalFilterOp)

LogicalResult
ModalFilterOp::reifyResultShapes(OpBuilder &b,
                                 ReifiedRankedShapedTypeDims &reified) {
  return reify(b, getLoc(), getResult(), {{getPoles(), 0}, {getPoles(), 1}},
               reified);
}

//===----------------------------------------------------------------------===//
// pad, truncate, flip
//===----------------------------------------------------------------------===//

static LogicalResult checkDim(Diag diag, int64_t dim, int64_t rank) {
  if (dim >= 0 && dim < rank)
    return success();
  return diag("C1", "'dim' is ", dim, ", expected 0 at least and less than ",
              rank, ", the rank of the input");
}

static FailureOr<RankedTensorType> infer(PadOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  int64_t dim = op.getDim(), low = op.getLow(), high = op.getHigh();
  if (failed(checkDim(diag, dim, input.getRank())))
    return failure();
  if (low < 0 || high < 0)
    return diag("C2", "'low' is ", low, " and 'high' is ", high,
                ", expected 0 at least");
  SmallVector<int64_t> shape = shapeOf(input);
  if (shape[dim] != kDynamic)
    shape[dim] += low + high;
  return RankedTensorType::get(shape, input.getElementType());
}
HYENA_INFER(PadOp)

LogicalResult PadOp::reifyResultShapes(OpBuilder &b,
                                       ReifiedRankedShapedTypeDims &reified) {
  SmallVector<DimSource> sources = sameShape(getInput());
  sources[getDim()].extra = getLow() + getHigh();
  return reify(b, getLoc(), getResult(), sources, reified);
}

static FailureOr<RankedTensorType> infer(TruncateOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  int64_t dim = op.getDim(), offset = op.getOffset(), length = op.getLength();
  if (failed(checkDim(diag, dim, input.getRank())))
    return failure();
  int64_t extent = input.getDimSize(dim);
  if (offset < 0 || length < 1 ||
      (extent != kDynamic && length > extent - offset))
    return diag("C2", "elements ", offset, " to ", offset + length,
                " are kept, expected 1 at least, within 0 to ",
                extent == kDynamic ? std::string("the dynamic extent")
                                   : std::to_string(extent));
  SmallVector<int64_t> shape = shapeOf(input);
  shape[dim] = length;
  return RankedTensorType::get(shape, input.getElementType());
}
HYENA_INFER(TruncateOp)

LogicalResult
TruncateOp::reifyResultShapes(OpBuilder &b,
                              ReifiedRankedShapedTypeDims &reified) {
  return reify(b, getLoc(), getResult(), sameShape(getInput()), reified);
}

static FailureOr<RankedTensorType> infer(FlipOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  if (failed(checkDim(diag, op.getDim(), input.getRank())))
    return failure();
  return input;
}
HYENA_INFER(FlipOp)

LogicalResult FlipOp::reifyResultShapes(OpBuilder &b,
                                        ReifiedRankedShapedTypeDims &reified) {
  return reify(b, getLoc(), getResult(), sameShape(getInput()), reified);
}

//===----------------------------------------------------------------------===//
// rfft, spectral_mul, irfft
//===----------------------------------------------------------------------===//

static FailureOr<RankedTensorType> infer(RFFTOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  int64_t n = op.getN();
  if (input.getRank() < 1)
    return diag("C1", "the input has rank 0, expected 1 at least");
  if (n < 1)
    return diag("C2", "'n' is ", n, ", expected 1 at least");
  SmallVector<int64_t> shape = shapeOf(input);
  shape.back() = n / 2 + 1;
  return RankedTensorType::get(shape, ComplexType::get(input.getElementType()));
}
HYENA_INFER(RFFTOp)

LogicalResult RFFTOp::reifyResultShapes(OpBuilder &b,
                                        ReifiedRankedShapedTypeDims &reified) {
  return reify(b, getLoc(), getResult(), sameShape(getInput()), reified);
}

static FailureOr<RankedTensorType> infer(SpectralMulOp::Adaptor op, Diag diag) {
  auto lhs = tensorOf(op.getLhs()), rhs = tensorOf(op.getRhs());
  if (lhs.getElementType() != rhs.getElementType())
    return diag("C1", "the sides have element types ", lhs.getElementType(),
                " and ", rhs.getElementType(), ", expected one");
  if (compatibleTypes(TypeRange{lhs}, TypeRange{rhs}))
    return lhs;
  bool grouped = lhs.getRank() == 3 && rhs.getRank() == 2 &&
                 !lhs.isDynamicDim(1) && !rhs.isDynamicDim(0) &&
                 rhs.getDimSize(0) > 0 &&
                 lhs.getDimSize(1) % rhs.getDimSize(0) == 0 &&
                 compatibleExtents(lhs.getDimSize(2), rhs.getDimSize(1));
  if (!grouped)
    return diag(
        "C2", "the sides are ", lhs, " and ", rhs,
        ", expected one shape, or (B, C, F) and (G, F) with G dividing C");
  return lhs;
}
HYENA_INFER(SpectralMulOp)

LogicalResult
SpectralMulOp::reifyResultShapes(OpBuilder &b,
                                 ReifiedRankedShapedTypeDims &reified) {
  return reify(b, getLoc(), getResult(), sameShape(getLhs()), reified);
}

static FailureOr<RankedTensorType> infer(IRFFTOp::Adaptor op, Diag diag) {
  auto input = tensorOf(op.getInput());
  int64_t n = op.getN();
  if (n < 1)
    return diag("C1", "'n' is ", n, ", expected 1 at least");
  if (input.getRank() < 1 ||
      !compatibleExtents(input.getShape().back(), n / 2 + 1))
    return diag("C2", "the input is ", input, ", expected a last dimension of ",
                n / 2 + 1, " for n = ", n);
  SmallVector<int64_t> shape = shapeOf(input);
  shape.back() = n;
  return RankedTensorType::get(
      shape, cast<ComplexType>(input.getElementType()).getElementType());
}
HYENA_INFER(IRFFTOp)

LogicalResult IRFFTOp::reifyResultShapes(OpBuilder &b,
                                         ReifiedRankedShapedTypeDims &reified) {
  return reify(b, getLoc(), getResult(), sameShape(getInput()), reified);
}
