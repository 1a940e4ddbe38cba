//===- Workspace.cpp - Assignment of buffers to one workspace -------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workspace.h"

#include "hyena/Dialect/Exec/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hyena::exec;

/// Every buffer starts on a cache line.
static constexpr int64_t alignment = 64;

LogicalResult mlir::hyena::exec::hoistToEntry(func::FuncOp function,
                                              Value value, Operation *before,
                                              Operation *user) {
  Block *entry = &function.getBody().front();
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() != entry)
    return user->emitOpError("has a size that depends on the index of a loop, "
                             "so that no workspace can be sized beforehand");
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  if (failed(getBackwardSlice(value, &slice, options)))
    return user->emitOpError("has a size that cannot be traced to the "
                             "function's arguments");
  for (Operation *op : slice)
    if (op->getBlock() != entry || !isMemoryEffectFree(op)) {
      InFlightDiagnostic diagnostic = user->emitOpError(
          "needs memory whose size depends on more than the shapes of the "
          "function's arguments, so that no workspace can be sized beforehand");
      diagnostic.attachNote(op->getLoc()) << "the size depends on this";
      return diagnostic;
    }
  for (Operation *op : slice)
    if (!op->isBeforeInBlock(before))
      op->moveBefore(before);
  return success();
}

namespace {
/// One allocation and when it is in use, in positions of the entry block.
struct Buffer {
  memref::AllocOp op;
  int64_t first, last;
  /// Bytes with dynamic extents taken as 1: the same scale for all buffers.
  int64_t estimate;
  Value bytes;
  size_t slot = 0;
};

/// A part of the workspace; its buffers are in use one after another.
struct Slot {
  int64_t estimate;
  int64_t busyUntil;
  Value bytes;
};
} // namespace

/// Bytes of an element in memory.
static int64_t getElementBytes(Type type) {
  if (auto complexType = dyn_cast<ComplexType>(type))
    return 2 * getElementBytes(complexType.getElementType());
  if (type.isIndex())
    return 8;
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * getElementBytes(vector.getElementType());
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

/// Bytes of a buffer, rounded up to the alignment.
static Value computeBytes(OpBuilder &builder, memref::AllocOp op,
                          int64_t &estimate) {
  const Location loc = op.getLoc();
  MemRefType type = op.getType();
  estimate = getElementBytes(type.getElementType());
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      estimate *= extent;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  if (type.hasStaticShape())
    return constant(llvm::alignTo(estimate, alignment));
  Value bytes = constant(estimate);
  for (Value extent : op.getDynamicSizes())
    bytes = builder.createOrFold<arith::MulIOp>(loc, bytes, extent);
  if (estimate % alignment == 0)
    return bytes;
  bytes =
      builder.createOrFold<arith::CeilDivUIOp>(loc, bytes, constant(alignment));
  return builder.createOrFold<arith::MulIOp>(loc, bytes, constant(alignment));
}

/// First and last operation of the entry block that may touch a buffer.
static void computeLifetime(Buffer &buffer, Block *entry,
                            const BufferViewFlowAnalysis &aliases,
                            const DenseMap<Operation *, int64_t> &positions) {
  auto positionOf = [&](Operation *op) {
    return positions.lookup(entry->findAncestorOpInBlock(*op));
  };
  buffer.first = buffer.last = -1;
  for (Value alias : aliases.resolve(buffer.op.getResult()))
    for (Operation *user : alias.getUsers()) {
      const int64_t position = positionOf(user);
      if (buffer.first < 0 || position < buffer.first)
        buffer.first = position;
      buffer.last = std::max(buffer.last, position);
    }
}

LogicalResult mlir::hyena::exec::assignWorkspace(func::FuncOp function,
                                                 Value &bytes) {
  bytes = Value();
  Block *entry = &function.getBody().front();
  SmallVector<Buffer> buffers;
  function.walk(
      [&](memref::AllocOp op) { buffers.push_back({op, 0, 0, 0, {}}); });
  SmallVector<Operation *> deallocations;
  function.walk([&](memref::DeallocOp op) { deallocations.push_back(op); });
  for (Operation *op : deallocations)
    op->erase();
  if (buffers.empty())
    return success();

  DenseMap<Operation *, int64_t> positions;
  int64_t position = 0;
  for (Operation &op : *entry)
    positions[&op] = position++;
  BufferViewFlowAnalysis aliases(function);
  for (Buffer &buffer : buffers)
    computeLifetime(buffer, entry, aliases, positions);

  // Sizes are computed before everything else; the marker is where the
  // computation ends.
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(entry);
  const Location loc = function.getLoc();
  Operation *marker = arith::ConstantIndexOp::create(builder, loc, 0);
  for (Buffer &buffer : buffers)
    for (Value extent : buffer.op.getDynamicSizes())
      if (failed(hoistToEntry(function, extent, marker, buffer.op)))
        return failure();
  builder.setInsertionPointAfter(marker);
  for (Buffer &buffer : buffers)
    buffer.bytes = computeBytes(builder, buffer.op, buffer.estimate);

  // Buffers in the order of their first use go into the free slot whose size is
  // closest, or into a new one.
  SmallVector<Buffer *> order;
  for (Buffer &buffer : buffers)
    order.push_back(&buffer);
  llvm::sort(order, [](Buffer *left, Buffer *right) {
    // The addresses follow the order in the program.
    return std::pair(left->first, left) < std::pair(right->first, right);
  });
  SmallVector<Slot> slots;
  for (Buffer *buffer : order) {
    int64_t best = -1, bestDistance = 0;
    for (size_t i = 0; i < slots.size(); ++i) {
      const int64_t distance = std::abs(slots[i].estimate - buffer->estimate);
      if (slots[i].busyUntil < buffer->first &&
          (best < 0 || distance < bestDistance)) {
        best = static_cast<int64_t>(i);
        bestDistance = distance;
      }
    }
    if (best < 0) {
      buffer->slot = slots.size();
      slots.push_back({buffer->estimate, buffer->last, buffer->bytes});
      continue;
    }
    Slot &slot = slots[best];
    buffer->slot = best;
    slot.estimate = std::max(slot.estimate, buffer->estimate);
    slot.busyUntil = buffer->last;
    slot.bytes =
        builder.createOrFold<arith::MaxSIOp>(loc, slot.bytes, buffer->bytes);
  }
  SmallVector<Value> offsets;
  Value total = marker->getResult(0);
  for (Slot &slot : slots) {
    offsets.push_back(total);
    total = builder.createOrFold<arith::AddIOp>(loc, total, slot.bytes);
  }
  bytes = total;
  auto workspaceType =
      MemRefType::get({ShapedType::kDynamic}, builder.getI8Type());
  Value workspace = WorkspaceOp::create(builder, loc, workspaceType, total);
  for (Buffer &buffer : buffers) {
    builder.setInsertionPoint(buffer.op);
    MemRefType type = buffer.op.getType();
    Value view = memref::ViewOp::create(
        builder, buffer.op.getLoc(),
        MemRefType::get(type.getShape(), type.getElementType()), workspace,
        offsets[buffer.slot], buffer.op.getDynamicSizes());
    buffer.op.replaceAllUsesWith(view);
    buffer.op.erase();
  }
  return success();
}
