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
#include "Staging.h"
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
  /// True if the first pass can make u as it reads it: cheaper than a row of
  /// memory, unless neighbouring rows of an operand are read together, which
  /// wants them in sequence.
  bool canInlinePrologue();
  /// u at `time`, from the accesses.
  Value emitInput(Value time, bool checked);
  /// u for every sample, zeros where the first pass reads beyond the last.
  void emitPrologue();
  /// The first pass, with the prologue in it.
  void
  emitInlineFirstPass(::hyena::fft::TransformEmitter<VectorBuilder> &transform);
  void emitEpilogue();
  /// Times at which no access of `used` needs a check; empty at `length` if
  /// there are none.
  TimeRange uncheckedTimes(ArrayRef<Access *> used);
  /// Calls `body(time, checked)` inside loops that cover 0..length-1: unchecked
  /// where every access of `used` allows it.
  void forEachTime(ArrayRef<Access *> used,
                   llvm::function_ref<void(Value, bool)> body);
  /// Fetches the rows that `used` will read soon.
  void prefetch(ArrayRef<Access *> used, Value time);
  /// Loads the accesses whose arguments `block` uses, from argument `first` on.
  SmallVector<Value> loadArguments(Block &block, unsigned first, Value time,
                                   bool checked);
  /// The accesses whose arguments `block` uses, from argument `first` on.
  SmallVector<Access *> usedAccesses(Block &block, unsigned first);
  /// Transposes the streams that `block` uses where that pays.
  void stageInputs(Staging &staging, Block &block, unsigned first);

  FusedConvOp op;
  const ::hyena::fft::Plan &plan;
  const CPUKernelOptions &options;
  Location loc;
  int64_t lanes, length, channels;
  /// The first pass makes u; it is not stored.
  bool inlined = false;

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

void FusedConvKernel::stageInputs(Staging &staging, Block &block,
                                  unsigned first) {
  for (auto [argument, access] :
       llvm::zip_equal(block.getArguments().drop_front(first), accesses))
    if (!argument.use_empty() && staging.isWanted(*access))
      staging.stageInput(access);
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

TimeRange FusedConvKernel::uncheckedTimes(ArrayRef<Access *> used) {
  TimeRange range = {0, length};
  for (Access *access : used) {
    if (!access->dependsOnTime())
      continue;
    TimeRange own = access->uncheckedTimes();
    range.lower = std::max(range.lower, own.lower);
    range.upper = std::min(range.upper, own.upper);
  }
  if (range.lower >= range.upper)
    return {length, length};
  return range;
}

void FusedConvKernel::forEachTime(ArrayRef<Access *> used,
                                  llvm::function_ref<void(Value, bool)> body) {
  TimeRange inner = uncheckedTimes(used);
  vectors->forLoop(0, inner.lower, [&](Value time) { body(time, true); });
  vectors->forLoop(inner.lower, inner.upper, [&](Value time) {
    prefetch(used, time);
    body(time, false);
  });
  vectors->forLoop(inner.upper, length, [&](Value time) { body(time, true); });
}

void FusedConvKernel::prefetch(ArrayRef<Access *> used, Value time) {
  // Far enough for memory, near enough for the first-level cache.
  constexpr int64_t distance = 8;
  for (size_t i = 0; i < used.size(); ++i) {
    Access *access = used[i];
    if (!access->hasDistantRows())
      continue;
    // One access of a stream is enough.
    if (llvm::none_of(used.take_front(i), [&](Access *earlier) {
          return earlier->isSameStream(*access);
        }))
      access->prefetch(*builder, loc, time, distance);
  }
}

bool FusedConvKernel::canInlinePrologue() {
  Block &prologue = op.getPrologueBlock();
  SmallVector<Access *> used = usedAccesses(prologue, 0);
  for (size_t i = 0; i < used.size(); ++i) {
    // The first pass strides through time: lanes of their own would meet in one
    // set of the cache.
    if (used[i]->dependsOnTime() &&
        used[i]->getPattern() == LanePattern::Scattered)
      return false;
    for (Access *earlier : ArrayRef<Access *>(used).take_front(i))
      if (used[i]->dependsOnTime() && earlier->isSameStream(*used[i]))
        return false;
  }
  // An epilogue that wants u makes it again.
  constexpr ptrdiff_t cheapOperations = 4;
  return op.getEpilogueBlock().getArgument(1).use_empty() ||
         llvm::range_size(prologue.without_terminator()) <= cheapOperations;
}

Value FusedConvKernel::emitInput(Value time, bool checked) {
  Block &block = op.getPrologueBlock();
  SmallVector<Value> arguments = loadArguments(block, 0, time, checked);
  return vectorizeBlock(*builder, block, arguments, lanes).front();
}

void FusedConvKernel::emitInlineFirstPass(
    ::hyena::fft::TransformEmitter<VectorBuilder> &transform) {
  SmallVector<Access *> used = usedAccesses(op.getPrologueBlock(), 0);
  int64_t stride = plan.pass(0).stride;
  int64_t members = llvm::divideCeil(length, stride);
  TimeRange range = uncheckedTimes(used);
  // Butterfly n reads rows n, n + stride, ...: it needs no check if neither its
  // first nor its last row does.
  int64_t lower = std::min(range.lower, stride);
  int64_t upper = std::min(range.upper - (members - 1) * stride, stride);
  if (lower >= upper)
    lower = upper = stride;
  auto part = [&](int64_t from, int64_t to, bool checked) {
    vectors->makeInput = [&, checked](Value row) -> Value {
      if (!checked) {
        prefetch(used, row);
        return emitInput(row, checked);
      }
      Value u = emitInput(row, checked);
      Value inside =
          arith::CmpIOp::create(*builder, loc, arith::CmpIPredicate::ult, row,
                                vectors->index(length));
      return arith::SelectOp::create(*builder, loc, inside, u,
                                     vectors->constant(0));
    };
    if (from < to)
      transform.firstPass(length, from, to);
  };
  part(0, lower, true);
  part(lower, upper, false);
  part(upper, stride, true);
  vectors->makeInput = {};
}

void FusedConvKernel::emitPrologue() {
  Block &block = op.getPrologueBlock();
  forEachTime(usedAccesses(block, 0), [&](Value time, bool checked) {
    vectors->storeRow(vectors->input, time, emitInput(time, checked));
  });
  Value zero = vectors->constant(0);
  vectors->forLoop(length, kernel.rows(vectors->input), [&](Value row) {
    vectors->storeRow(vectors->input, row, zero);
  });
}

void FusedConvKernel::emitEpilogue() {
  Block &block = op.getEpilogueBlock();
  constexpr unsigned first = 2;
  bool usesInput = !block.getArgument(1).use_empty();
  SmallVector<Access *> used = usedAccesses(block, first);
  if (usesInput && inlined)
    llvm::append_range(used, usedAccesses(op.getPrologueBlock(), 0));
  forEachTime(used, [&](Value time, bool checked) {
    SmallVector<Value> arguments = {Value(), Value()};
    if (!block.getArgument(0).use_empty())
      arguments[0] = vectors->loadRow(vectors->output, time);
    if (usesInput)
      arguments[1] = inlined ? emitInput(time, checked)
                             : vectors->loadRow(vectors->input, time);
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

  ::hyena::fft::TransformEmitter<VectorBuilder> transform(*vectors, plan);
  Staging staging(body, loc, *vectors, kernel);
  for (std::unique_ptr<Access> &result : results)
    if (staging.isWanted(*result))
      staging.stageResult(result);
  stageInputs(staging, op.getPrologueBlock(), 0);
  inlined = canInlinePrologue();
  vectors->output = kernel.allocate(*vectors, body, rowsType);
  if (inlined) {
    emitInlineFirstPass(transform);
  } else {
    // y may take u's place unless the epilogue still wants u.
    bool keepsInput = !op.getEpilogueBlock().getArgument(1).use_empty();
    vectors->input = keepsInput ? kernel.allocate(*vectors, body, rowsType)
                                : vectors->output;
    emitPrologue();
    transform.firstPass(length);
  }
  transform.middle(/*withSpectrum=*/true);
  transform.lastPass(length);
  // Not earlier: these are in the cache when the epilogue reads them.
  stageInputs(staging, op.getEpilogueBlock(), 2);
  emitEpilogue();
  staging.copyResults();
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
