//===- FusedConvKernel.cpp - CPU kernel of a fused convolution ------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "KernelFunction.h"
#include "RegionVectorizer.h"
#include "VectorBuilder.h"

#include "hyena/Codegen/CPUKernels.h"
#include "hyena/Dialect/Hyena/IR/HyenaOps.h"
#include "hyena/FFT/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hyena;

namespace {

/// Emits one kernel; the phases are in the order in which they run.
class FusedConvKernel {
public:
  FusedConvKernel(FusedConvOp op, const ::hyena::fft::Plan &plan,
                  const CPUKernelOptions &options)
      : op(op), plan(plan), options(options), loc(op.getLoc()),
        lanes(op.getPlanAttr().getLanes()), length(op.getSignalLength()),
        channels(op.getNumChannels()) {}

  FailureOr<CPUKernel> emit(ModuleOp module, StringRef name);

private:
  /// Group, batch, first channel and lane mask of the work item.
  void emitItem();
  /// u for every sample, zeros where the first pass reads beyond the last.
  void emitPrologue();
  void emitEpilogue();
  /// Calls `body(time, checked)` inside loops that cover 0..length-1: unchecked
  /// where every access of `used` allows it.
  void forEachTime(ArrayRef<Access *> used,
                   llvm::function_ref<void(Value, bool)> body);
  /// Loads the accesses whose arguments `block` uses, from argument `first` on.
  SmallVector<Value> loadArguments(Block &block, unsigned first, Value time,
                                   bool checked);
  /// The accesses whose arguments `block` uses, from argument `first` on.
  SmallVector<Access *> usedAccesses(Block &block, unsigned first);

  FusedConvOp op;
  const ::hyena::fft::Plan &plan;
  const CPUKernelOptions &options;
  Location loc;
  int64_t lanes, length, channels;

  KernelFunction kernel;
  VectorBuilder *vectors = nullptr;
  OpBuilder *builder = nullptr;
  AccessDomain domain;
  SmallVector<std::unique_ptr<Access>> accesses;
  SmallVector<std::unique_ptr<Access>> results;
};

} // namespace

void FusedConvKernel::emitItem() {
  AffineMap resultMap = op.getResultMap(0);
  unsigned batchAt =
      *resultMap.getResultPosition(getAffineDimExpr(0, op.getContext()));
  Value result = kernel.argument(op.getInputs().size() + 1);
  Value batches = memref::DimOp::create(*builder, loc, result, batchAt);
  Value group = arith::DivUIOp::create(*builder, loc, kernel.item(), batches);
  domain.channels = channels;
  domain.length = length;
  domain.batches = op.getDomainExtent(0);
  domain.batch = arith::RemUIOp::create(*builder, loc, kernel.item(), batches);
  vectors->group = group;
  domain.firstChannel = vectors->mulIndex(group, lanes);
  if (channels % lanes == 0)
    return;
  Value left = arith::SubIOp::create(*builder, loc, vectors->index(channels),
                                     domain.firstChannel);
  domain.laneCount =
      arith::MinSIOp::create(*builder, loc, left, vectors->index(lanes));
  domain.laneMask = vector::CreateMaskOp::create(
      *builder, loc, VectorType::get({lanes}, builder->getI1Type()),
      domain.laneCount);
}

SmallVector<Access *> FusedConvKernel::usedAccesses(Block &block,
                                                    unsigned first) {
  SmallVector<Access *> used;
  for (auto [argument, access] :
       llvm::zip_equal(block.getArguments().drop_front(first), accesses))
    if (!argument.use_empty())
      used.push_back(access.get());
  return used;
}

SmallVector<Value> FusedConvKernel::loadArguments(Block &block, unsigned first,
                                                  Value time, bool checked) {
  SmallVector<Value> values;
  for (auto [argument, access] :
       llvm::zip_equal(block.getArguments().drop_front(first), accesses))
    values.push_back(argument.use_empty()
                         ? Value()
                         : access->load(*builder, loc, time, checked));
  return values;
}

void FusedConvKernel::forEachTime(ArrayRef<Access *> used,
                                  llvm::function_ref<void(Value, bool)> body) {
  TimeRange inner = {0, length};
  for (Access *access : used) {
    if (!access->dependsOnTime())
      continue;
    TimeRange range = access->uncheckedTimes();
    inner.lower = std::max(inner.lower, range.lower);
    inner.upper = std::min(inner.upper, range.upper);
  }
  if (inner.lower >= inner.upper)
    inner = {length, length};
  vectors->forLoop(0, inner.lower, [&](Value time) { body(time, true); });
  vectors->forLoop(inner.lower, inner.upper,
                   [&](Value time) { body(time, false); });
  vectors->forLoop(inner.upper, length, [&](Value time) { body(time, true); });
}

void FusedConvKernel::emitPrologue() {
  Block &block = op.getPrologueBlock();
  forEachTime(usedAccesses(block, 0), [&](Value time, bool checked) {
    SmallVector<Value> arguments = loadArguments(block, 0, time, checked);
    Value u = vectorizeBlock(*builder, block, arguments, lanes).front();
    vectors->storeRow(vectors->input, time, u);
  });
  Value zero = vectors->constant(0);
  vectors->forLoop(length, kernel.rows(vectors->input), [&](Value row) {
    vectors->storeRow(vectors->input, row, zero);
  });
}

void FusedConvKernel::emitEpilogue() {
  Block &block = op.getEpilogueBlock();
  constexpr unsigned first = 2;
  forEachTime(usedAccesses(block, first), [&](Value time, bool checked) {
    SmallVector<Value> arguments = {Value(), Value()};
    if (!block.getArgument(0).use_empty())
      arguments[0] = vectors->loadRow(vectors->output, time);
    if (!block.getArgument(1).use_empty())
      arguments[1] = vectors->loadRow(vectors->input, time);
    arguments.append(loadArguments(block, first, time, checked));
    SmallVector<Value> values =
        vectorizeBlock(*builder, block, arguments, lanes);
    for (auto [result, value] : llvm::zip_equal(results, values))
      result->store(*builder, loc, time, value);
  });
}

FailureOr<CPUKernel> FusedConvKernel::emit(ModuleOp module, StringRef name) {
  if (failed(checkVectorizable(op.getPrologueBlock())) ||
      failed(checkVectorizable(op.getEpilogueBlock())))
    return failure();

  SmallVector<Type> tensors(op.getInputs().getTypes());
  tensors.push_back(op.getSpectrum().getType());
  llvm::append_range(tensors, op.getResults().getTypes());
  OpBuilder body = kernel.create(module, loc, name, tensors);
  builder = &body;
  FloatType element = op.getComputeType();
  VectorBuilder lanesBuilder(body, loc, kernel.entry(), element, lanes,
                             options.fusedMultiplyAdd);
  vectors = &lanesBuilder;

  emitItem();
  // The first pass reads whole strides of rows, the last one writes them.
  int64_t size = plan.size();
  int64_t rows = std::min<int64_t>(2 * size, static_cast<int64_t>(llvm::alignTo(
                                                 length, plan.pass(0).stride)));
  MemRefType rowsType = MemRefType::get({rows, lanes}, element);
  vectors->input = kernel.allocate(*vectors, body, rowsType);
  // y may take u's place unless the epilogue still wants u.
  bool keepsInput = !op.getEpilogueBlock().getArgument(1).use_empty();
  vectors->output =
      keepsInput ? kernel.allocate(*vectors, body, rowsType) : vectors->input;
  vectors->state = kernel.allocate(*vectors, body,
                                   MemRefType::get({size, 2, lanes}, element));
  vectors->spectrum = kernel.argument(op.getInputs().size());
  vectors->twiddles = getTwiddleTables(module, body, loc, plan, element);

  for (int64_t i = 0; i < op.getNumAccesses(); ++i) {
    AccessAttr access = op.getAccess(i);
    bool isUsed = !op.getPrologueBlock().getArgument(i).use_empty() ||
                  !op.getEpilogueBlock().getArgument(i + 2).use_empty();
    accesses.push_back(std::make_unique<Access>(
        access.getMap(), kernel.argument(access.getOperand()), domain,
        *vectors));
    if (isUsed)
      accesses.back()->prepare(body, loc);
  }
  for (unsigned i = 0; i < op.getNumResults(); ++i) {
    results.push_back(std::make_unique<Access>(
        op.getResultMap(i), kernel.argument(op.getInputs().size() + 1 + i),
        domain, *vectors));
    results.back()->prepare(body, loc);
  }

  emitPrologue();
  ::hyena::fft::TransformEmitter<VectorBuilder> transform(*vectors, plan);
  transform.convolve(length, length);
  emitEpilogue();
  return kernel.finish(body, llvm::divideCeil(channels, lanes));
}

FailureOr<CPUKernel>
mlir::hyena::emitFusedConvKernel(ModuleOp module, FusedConvOp op,
                                 StringRef name,
                                 const CPUKernelOptions &options) {
  if (!op.getSpectrum() || !op.getPlanAttr()) {
    op.emitOpError("has no spectrum and plan; a kernel is made after "
                   "--hyena-plan-conv");
    return failure();
  }
  if (ShapedType::isDynamic(op.getSignalLength()) ||
      ShapedType::isDynamic(op.getNumChannels())) {
    op.emitOpError("has a dynamic length or number of channels; a kernel "
                   "needs both (the batch may be dynamic)");
    return failure();
  }
  FailureOr<::hyena::fft::Plan> plan =
      getPlan(op, op.getPlanAttr(), op.getSignalLength());
  if (failed(plan))
    return failure();
  return FusedConvKernel(op, *plan, options).emit(module, name);
}
