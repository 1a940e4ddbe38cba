//===- ParallelizeLoops.cpp - Spreads loops over threads ------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Exec/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::hyena::exec {
#define GEN_PASS_DEF_EXECPARALLELIZELOOPS
#include "hyena/Dialect/Exec/Transforms/Passes.h.inc"
} // namespace mlir::hyena::exec

using namespace mlir;
using namespace mlir::hyena::exec;

/// Whether a loop starts at 0, has step 1 and reduces nothing.
static bool isSimple(scf::ParallelOp loop) {
  return loop.getNumResults() == 0 &&
         llvm::all_of(loop.getLowerBound(),
                      [](Value v) { return isConstantIntValue(v, 0); }) &&
         llvm::all_of(loop.getStep(),
                      [](Value v) { return isConstantIntValue(v, 1); });
}

/// Replaces a parallel loop by nested sequential ones.
static void makeSequential(RewriterBase &rewriter, scf::ParallelOp loop) {
  rewriter.setInsertionPoint(loop);
  scf::LoopNest nest =
      scf::buildLoopNest(rewriter, loop.getLoc(), loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep());
  Block *body = nest.loops.back().getBody();
  rewriter.eraseOp(loop.getBody()->getTerminator());
  SmallVector<Value> indices;
  for (scf::ForOp sequential : nest.loops)
    indices.push_back(sequential.getInductionVar());
  rewriter.inlineBlockBefore(loop.getBody(), body->getTerminator(), indices);
  rewriter.eraseOp(loop);
}

/// Replaces a parallel loop by an exec.parallel_for over pieces of its rows,
/// where a row is all that its innermost dimension runs over.
static void makeParallel(RewriterBase &rewriter, scf::ParallelOp loop,
                         int64_t grain) {
  const Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  const Value zero = constant(0), one = constant(1);
  SmallVector<Value> extents(loop.getUpperBound());
  // A loop of one dimension is a column of rows of one element.
  const bool hasInner = extents.size() > 1;
  const Value inner = hasInner ? extents.pop_back_val() : one;
  Value rows = one;
  for (Value extent : extents)
    rows = rewriter.createOrFold<arith::MulIOp>(loc, rows, extent);
  // Rows of a piece: grain / inner, at least 1; an empty row counts as one
  // element.
  Value width = rewriter.createOrFold<arith::MaxSIOp>(loc, inner, one);
  Value piece =
      rewriter.createOrFold<arith::DivUIOp>(loc, constant(grain), width);
  piece = rewriter.createOrFold<arith::MaxSIOp>(loc, piece, one);
  Value items = rewriter.createOrFold<arith::CeilDivUIOp>(loc, rows, piece);

  auto parallel = ParallelForOp::create(rewriter, loc, items);
  rewriter.setInsertionPoint(parallel.getBody().front().getTerminator());
  Value first =
      arith::MulIOp::create(rewriter, loc, parallel.getIndex(), piece);
  Value last = arith::MinSIOp::create(
      rewriter, loc, arith::AddIOp::create(rewriter, loc, first, piece), rows);
  auto rowLoop = scf::ForOp::create(rewriter, loc, first, last, one);
  rewriter.setInsertionPointToStart(rowLoop.getBody());
  SmallVector<Value> indices(extents.size());
  Value rest = rowLoop.getInductionVar();
  for (int64_t i = static_cast<int64_t>(extents.size()) - 1; i > 0; --i) {
    indices[i] = arith::RemUIOp::create(rewriter, loc, rest, extents[i]);
    rest = arith::DivUIOp::create(rewriter, loc, rest, extents[i]);
  }
  indices[0] = rest;
  Block *body = rowLoop.getBody();
  if (hasInner) {
    auto innerLoop = scf::ForOp::create(rewriter, loc, zero, inner, one);
    indices.push_back(innerLoop.getInductionVar());
    body = innerLoop.getBody();
  }
  rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), body->getTerminator(), indices);
  rewriter.eraseOp(loop);
}

/// Replaces a copy by a loop: in any layout, on any number of threads, and with
/// no help from a library.
static void expandCopy(RewriterBase &rewriter, memref::CopyOp copy) {
  rewriter.setInsertionPoint(copy);
  const Location loc = copy.getLoc();
  auto type = cast<MemRefType>(copy.getSource().getType());
  SmallVector<Value> extents, zeros, ones;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    extents.push_back(
        rewriter.createOrFold<memref::DimOp>(loc, copy.getSource(), i));
    zeros.push_back(arith::ConstantIndexOp::create(rewriter, loc, 0));
    ones.push_back(arith::ConstantIndexOp::create(rewriter, loc, 1));
  }
  auto copyElement = [&](OpBuilder &builder, Location loc, ValueRange indices) {
    Value element =
        memref::LoadOp::create(builder, loc, copy.getSource(), indices);
    memref::StoreOp::create(builder, loc, element, copy.getTarget(), indices);
  };
  if (type.getRank() == 0)
    copyElement(rewriter, loc, {});
  else
    scf::ParallelOp::create(rewriter, loc, zeros, extents, ones, copyElement);
  rewriter.eraseOp(copy);
}

namespace {
struct ExecParallelizeLoopsPass
    : mlir::hyena::exec::impl::ExecParallelizeLoopsBase<
          ExecParallelizeLoopsPass> {
  using ExecParallelizeLoopsBase::ExecParallelizeLoopsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp copy) {
      if (isa<MemRefType>(copy.getSource().getType()) &&
          isa<MemRefType>(copy.getTarget().getType()))
        copies.push_back(copy);
    });
    for (memref::CopyOp copy : copies)
      expandCopy(rewriter, copy);
    SmallVector<scf::ParallelOp> outermost, nested;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
      const bool isNested = loop->getParentOfType<scf::ParallelOp>() ||
                            loop->getParentOfType<ParallelForOp>() ||
                            loop->getParentOfType<scf::ForOp>();
      (isNested || !isSimple(loop) ? nested : outermost).push_back(loop);
    });
    for (scf::ParallelOp loop : llvm::reverse(nested))
      if (loop.getNumResults() == 0)
        makeSequential(rewriter, loop);
    for (scf::ParallelOp loop : outermost)
      makeParallel(rewriter, loop, std::max<int64_t>(grain, 1));
  }
};
} // namespace
