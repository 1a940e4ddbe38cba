//===- Gemm.cpp - splitting matrix products over threads ------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Runtime/Gemm.h"

#include <algorithm>
#include <climits>

namespace hyena::rt {

namespace {
/// A product cut into a grid of blocks.
template <typename T> struct BlockedProduct {
  const GemmArguments *gemm;
  void (*product)(int64_t, int64_t, int64_t, const T *, int64_t, const T *,
                  int64_t, T *, int64_t);
  int64_t rows, columns;
  int64_t columnBlocks;

  static void run(void *args, int64_t index, void *scratch);
};
} // namespace

template <typename T>
void BlockedProduct<T>::run(void *args, int64_t index, void *) {
  const auto &self = *static_cast<const BlockedProduct *>(args);
  const GemmArguments &gemm = *self.gemm;
  const int64_t row = index / self.columnBlocks * self.rows;
  const int64_t column = index % self.columnBlocks * self.columns;
  const int64_t m = std::min(self.rows, gemm.m - row);
  const int64_t n = std::min(self.columns, gemm.n - column);
  const auto *bias =
      gemm.bias ? static_cast<const T *>(gemm.bias) + column : nullptr;
  T *c = static_cast<T *>(gemm.c) + row * gemm.ldc + column;
  if (gemm.k == 0) {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        c[i * gemm.ldc + j] = bias ? bias[j] : T(0);
    return;
  }
  self.product(m, n, gemm.k, static_cast<const T *>(gemm.a) + row * gemm.lda,
               gemm.lda, static_cast<const T *>(gemm.b) + column * gemm.ldb,
               gemm.ldb, c, gemm.ldc);
  // The bias comes last: a sum that starts from it would round it k times.
  if (bias)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        c[i * gemm.ldc + j] += bias[j];
}

template <typename T>
static Status runTyped(ThreadPool &pool, const GemmArguments &gemm,
                       decltype(BlockedProduct<T>::product) product) {
  // Every block packs its share of both operands, which costs about
  // 1/rows + 1/columns of the product: blocks are as large as still leave
  // work for a few threads. A product with few rows is cut along its columns.
  constexpr int64_t largestRows = 384, smallestColumns = 128;
  BlockedProduct<T> blocked{&gemm, product, std::min(gemm.m, largestRows),
                            gemm.n, 1};
  const int64_t rowBlocks = (gemm.m + blocked.rows - 1) / blocked.rows;
  constexpr int64_t wantedBlocks = 16;
  if (rowBlocks < wantedBlocks) {
    const int64_t most = (gemm.n + smallestColumns - 1) / smallestColumns;
    const int64_t wanted =
        std::min(most, (wantedBlocks + rowBlocks - 1) / rowBlocks);
    // A multiple of every kernel's width, so that only the last block has
    // a remainder.
    blocked.columns = ((gemm.n + wanted - 1) / wanted + 63) / 64 * 64;
    blocked.columnBlocks = (gemm.n + blocked.columns - 1) / blocked.columns;
  }
  return pool.parallelFor(LoopArguments{rowBlocks * blocked.columnBlocks,
                                        &BlockedProduct<T>::run, &blocked, 0});
}

Status runGemm(ThreadPool &pool, const BlockProducts &products,
               const GemmArguments &gemm) {
  // BLAS counts in int; sizes of blocks always fit, these may not.
  const bool fits = std::max({gemm.k, gemm.lda, gemm.ldb, gemm.ldc}) <= INT_MAX;
  const BlockProducts &used = fits ? products : builtinProducts();
  if (gemm.dtype == HYENA_DTYPE_F32)
    return runTyped<float>(pool, gemm, used.f32);
  return runTyped<double>(pool, gemm, used.f64);
}

} // namespace hyena::rt
