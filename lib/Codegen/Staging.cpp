//===- Staging.cpp - transposed copies of streams -------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Staging.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hyena;

Staging::Staging(OpBuilder &builder, Location loc, VectorBuilder &vectors,
                 KernelFunction &kernel)
    : builder(builder), loc(loc), vectors(vectors), kernel(kernel) {
  lanesOnly.channels = vectors.getLanes();
  lanesOnly.length = 0;
  lanesOnly.batches = 1;
  lanesOnly.batch = vectors.index(0);
  lanesOnly.firstChannel = vectors.index(0);
}

bool Staging::isWanted(const Access &access) const {
  int64_t lanes = vectors.getLanes();
  return lanes > 1 && llvm::isPowerOf2_64(lanes) && access.isTransposable() &&
         access.timeExtent() >= lanes;
}

Value Staging::allocate(const Access &access) {
  return kernel.allocate(
      vectors, builder,
      MemRefType::get({access.timeExtent(), vectors.getLanes()},
                      access.getElementType()));
}

std::unique_ptr<Access> Staging::makeStaged(const Access &access, Value rows) {
  MLIRContext *context = builder.getContext();
  lanesOnly.length = access.getLength();
  AffineMap map =
      AffineMap::get(3, 0,
                     {getAffineDimExpr(2, context) + access.timeOffset(),
                      getAffineDimExpr(1, context)},
                     context);
  auto staged = std::make_unique<Access>(map, rows, lanesOnly, vectors);
  staged->prepare(builder, loc);
  return staged;
}

void Staging::stageInput(std::unique_ptr<Access> &access) {
  for (const Stream &stream : inputs)
    if (stream.access->isSameStream(*access)) {
      access = makeStaged(*access, stream.rows);
      return;
    }
  Value rows = allocate(*access);
  unsigned lanes = vectors.getLanes();
  int64_t extent = access->timeExtent();
  int64_t whole = extent - extent % lanes;
  vectors.forLoop(0, whole, lanes, [&](Value start) {
    SmallVector<Value> block;
    for (unsigned lane = 0; lane < lanes; ++lane)
      block.push_back(access->loadTimes(builder, loc, lane, start));
    for (auto [i, row] : llvm::enumerate(vectors.transpose(block)))
      vectors.storeRow(rows, vectors.addIndex(start, vectors.index(i)), row);
  });
  vectors.forLoop(whole, extent, [&](Value index) {
    Value time = vectors.addIndex(index, vectors.index(-access->timeOffset()));
    vectors.storeRow(rows, index,
                     access->load(builder, loc, time, /*checked=*/false));
  });
  std::unique_ptr<Access> staged = makeStaged(*access, rows);
  inputs.push_back({std::move(access), rows});
  access = std::move(staged);
}

void Staging::stageResult(std::unique_ptr<Access> &result) {
  Value rows = allocate(*result);
  std::unique_ptr<Access> staged = makeStaged(*result, rows);
  results.push_back({std::move(result), rows});
  result = std::move(staged);
}

void Staging::copyResults() {
  unsigned lanes = vectors.getLanes();
  for (Stream &stream : results) {
    Access &access = *stream.access;
    int64_t extent = access.timeExtent();
    int64_t whole = extent - extent % lanes;
    vectors.forLoop(0, whole, lanes, [&](Value start) {
      SmallVector<Value> block;
      for (unsigned i = 0; i < lanes; ++i)
        block.push_back(vectors.loadRow(
            stream.rows, vectors.addIndex(start, vectors.index(i))));
      for (auto [lane, times] : llvm::enumerate(vectors.transpose(block)))
        access.storeTimes(builder, loc, lane, start, times);
    });
    vectors.forLoop(whole, extent, [&](Value index) {
      access.store(builder, loc, index, vectors.loadRow(stream.rows, index));
    });
  }
}
