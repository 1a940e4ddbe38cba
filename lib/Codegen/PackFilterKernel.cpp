//===- PackFilterKernel.cpp - CPU kernel that packs a spectrum ------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "KernelFunction.h"
#include "VectorBuilder.h"

#include "hyena/Codegen/CPUKernels.h"
#include "hyena/Dialect/Hyena/IR/HyenaOps.h"
#include "hyena/FFT/Emitter.h"
#include "hyena/FFT/Filter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hyena;

namespace {

::hyena::fft::FilterShape filterShape(PackFilterOp op) {
  ::hyena::fft::FilterShape shape;
  switch (op.getMode()) {
  case ConvMode::Causal:
    shape.mode = ::hyena::fft::FilterMode::Causal;
    break;
  case ConvMode::Bidirectional:
    shape.mode = ::hyena::fft::FilterMode::Bidirectional;
    break;
  case ConvMode::NonCausal:
    shape.mode = ::hyena::fft::FilterMode::Noncausal;
    break;
  case ConvMode::Circular:
    shape.mode = ::hyena::fft::FilterMode::Circular;
    break;
  }
  FilterSpec spec = FilterSpec::get(op);
  shape.taps = spec.taps;
  shape.reverseTaps = spec.reverseTaps;
  shape.lag0 = spec.lag0;
  shape.newestLast = spec.tapOrder == TapOrder::NewestLast;
  return shape;
}

/// `vector` with elements of `type`.
Value convertFloat(OpBuilder &builder, Location loc, Value vector,
                   VectorType type) {
  unsigned from = cast<VectorType>(vector.getType()).getElementTypeBitWidth();
  unsigned to = type.getElementTypeBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, vector);
  if (from > to)
    return arith::TruncFOp::create(builder, loc, type, vector);
  return vector;
}

/// Channel c reads row c / (channels / rows) of `matrix`, at `tap + step * l`.
AffineMap tapMap(Value matrix, int64_t channels, int64_t tap, int64_t step) {
  MLIRContext *context = matrix.getContext();
  int64_t rows = cast<ShapedType>(matrix.getType()).getDimSize(0);
  AffineExpr channel = getAffineDimExpr(1, context);
  AffineExpr time = getAffineDimExpr(2, context);
  return AffineMap::get(
      3, 0, {channel.floorDiv(channels / rows), time * step + tap}, context);
}

} // namespace

FailureOr<CPUKernel>
mlir::hyena::emitPackFilterKernel(ModuleOp module, PackFilterOp op,
                                  StringRef name,
                                  const CPUKernelOptions &options) {
  Location loc = op.getLoc();
  int64_t length = op.getSignalLength();
  FailureOr<::hyena::fft::Plan> plan = getPlan(op, op.getPlan(), length);
  if (failed(plan))
    return failure();
  int64_t lanes = op.getPlan().getLanes();
  int64_t size = plan->size();
  int64_t channels = op.getChannels();
  auto element = cast<FloatType>(
      cast<ShapedType>(op.getSpectrum().getType()).getElementType());

  SmallVector<Type> tensors = {op.getFilter().getType()};
  if (op.getReverse())
    tensors.push_back(op.getReverse().getType());
  tensors.push_back(op.getSpectrum().getType());
  KernelFunction kernel;
  OpBuilder builder = kernel.create(module, loc, name, tensors);
  VectorBuilder vectors(builder, loc, kernel.entry(), element, lanes,
                        options.fusedMultiplyAdd);
  vectors.group = kernel.item();
  vectors.spectrum = kernel.argument(tensors.size() - 1);
  vectors.twiddles = getTwiddleTables(module, builder, loc, *plan, element);

  AccessDomain domain;
  domain.channels = channels;
  domain.length = length;
  domain.batches = 1;
  domain.batch = vectors.index(0);
  domain.firstChannel = vectors.mulIndex(kernel.item(), lanes);
  if (channels % lanes != 0) {
    Value left = arith::SubIOp::create(builder, loc, vectors.index(channels),
                                       domain.firstChannel);
    domain.laneCount =
        arith::MinSIOp::create(builder, loc, left, vectors.index(lanes));
    domain.laneMask = vector::CreateMaskOp::create(
        builder, loc, VectorType::get({lanes}, builder.getI1Type()),
        domain.laneCount);
  }

  // The taps, laid out on the 2M positions; what is beyond the last of them is
  // neither written nor transformed.
  ::hyena::fft::FilterShape shape = filterShape(op);
  std::vector<::hyena::fft::TapRun> runs =
      ::hyena::fft::tapRuns(shape, length, size);
  int64_t used = 0;
  for (const ::hyena::fft::TapRun &run : runs)
    used = std::max(used, run.position + run.count);
  int64_t rows = std::min<int64_t>(2 * size, static_cast<int64_t>(llvm::alignTo(
                                                 used, plan->pass(0).stride)));
  vectors.input = kernel.allocate(vectors, builder,
                                  MemRefType::get({rows, lanes}, element));
  vectors.state = kernel.allocate(vectors, builder,
                                  MemRefType::get({size, 2, lanes}, element));
  Value zero = vectors.constant(0);
  vectors.forLoop(
      0, rows, [&](Value row) { vectors.storeRow(vectors.input, row, zero); });
  for (const ::hyena::fft::TapRun &run : runs) {
    Value matrix = kernel.argument(run.fromReverse ? 1 : 0);
    Access taps(tapMap(matrix, channels, run.tap, run.step), matrix, domain,
                vectors);
    taps.prepare(builder, loc);
    vectors.forLoop(0, run.count, [&](Value i) {
      Value tap = convertFloat(builder, loc,
                               taps.load(builder, loc, i, /*checked=*/false),
                               vectors.getVectorType());
      // Lanes that are no channels hold another channel's taps until here.
      if (domain.laneMask)
        tap = arith::SelectOp::create(builder, loc, domain.laneMask, tap, zero);
      Value row = vectors.addIndex(i, vectors.index(run.position));
      Value sum = vectors.loadRow(vectors.input, row);
      sum = run.sign > 0 ? vectors.add(sum, tap) : vectors.sub(sum, tap);
      vectors.storeRow(vectors.input, row, sum);
    });
  }

  ::hyena::fft::TransformEmitter<VectorBuilder> transform(vectors, *plan);
  transform.transform(used, 1.0 / static_cast<double>(size));
  return kernel.finish(builder, llvm::divideCeil(channels, lanes));
}
