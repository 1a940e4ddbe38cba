//===- BuiltinGemm.cpp - portable matrix product --------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// \file
/// The product for machines without a BLAS. A panel of B is packed on the
/// stack and reused by all rows of A; a register tile of `rows` x 2 vectors
/// takes one broadcast of A per row and step. Every element is summed in the
/// same order whatever tile it falls into, so results do not depend on how a
/// product is cut into blocks.

#include "hyena/Runtime/Gemm.h"

#include <algorithm>
#include <cstring>

#define HYENA_INLINE static inline __attribute__((always_inline))

namespace hyena::rt {

namespace {
/// Depth of a panel: 2 vectors of 64 bytes by 256 are 32 KB, the L1 cache.
constexpr int64_t panelDepth = 256;

/// `bytes` bytes of T as a vector, at any address.
template <typename T, int bytes> struct Vector {
  typedef T Type
      __attribute__((vector_size(bytes), aligned(alignof(T)), may_alias));
};
} // namespace

/// C(rows, 2 vectors) (+)= A(rows, depth) panel(depth, 2 vectors).
template <typename T, int bytes, int rows>
HYENA_INLINE void multiplyTile(int64_t depth, const T *a, int64_t lda,
                               const T *panel, T *c, int64_t ldc,
                               int64_t columns, bool first) {
  using V = typename Vector<T, bytes>::Type;
  constexpr int64_t lanes = bytes / sizeof(T);
  V sum[rows][2] = {};
  for (int64_t p = 0; p < depth; ++p) {
    const V left = *reinterpret_cast<const V *>(panel + p * 2 * lanes);
    const V right = *reinterpret_cast<const V *>(panel + (p * 2 + 1) * lanes);
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
      const T scalar = a[i * lda + p];
      sum[i][0] += scalar * left;
      sum[i][1] += scalar * right;
    }
  }
  if (columns == 2 * lanes) {
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
      V *out = reinterpret_cast<V *>(c + i * ldc);
      out[0] = first ? sum[i][0] : out[0] + sum[i][0];
      out[1] = first ? sum[i][1] : out[1] + sum[i][1];
    }
    return;
  }
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i) {
    T row[2 * lanes];
    std::memcpy(row, sum[i], sizeof(row));
    for (int64_t j = 0; j < columns; ++j)
      c[i * ldc + j] = first ? row[j] : c[i * ldc + j] + row[j];
  }
}

template <typename T, int bytes, int tileRows>
HYENA_INLINE void multiplyBlock(int64_t m, int64_t n, int64_t k, const T *a,
                                int64_t lda, const T *b, int64_t ldb, T *c,
                                int64_t ldc) {
  constexpr int64_t width = 2 * bytes / sizeof(T);
  alignas(64) T panel[panelDepth * width];
  for (int64_t p = 0; p < k; p += panelDepth) {
    const int64_t depth = std::min(panelDepth, k - p);
    for (int64_t column = 0; column < n; column += width) {
      const int64_t columns = std::min(width, n - column);
      for (int64_t j = 0; j < width; ++j)
        for (int64_t q = 0; q < depth; ++q)
          panel[q * width + j] =
              j < columns ? b[(column + j) * ldb + p + q] : T(0);
      int64_t row = 0;
      for (; row + tileRows <= m; row += tileRows)
        multiplyTile<T, bytes, tileRows>(depth, a + row * lda + p, lda, panel,
                                         c + row * ldc + column, ldc, columns,
                                         p == 0);
      for (; row + 2 <= m; row += 2)
        multiplyTile<T, bytes, 2>(depth, a + row * lda + p, lda, panel,
                                  c + row * ldc + column, ldc, columns, p == 0);
      for (; row < m; ++row)
        multiplyTile<T, bytes, 1>(depth, a + row * lda + p, lda, panel,
                                  c + row * ldc + column, ldc, columns, p == 0);
    }
  }
}

// One instance per instruction set. X(suffix, attribute, bytes, rows).
#if defined(__x86_64__)
#define HYENA_INSTRUCTION_SETS(X)                                              \
  X(avx512, __attribute__((target("avx512f,fma"))), 64, 12)                    \
  X(avx2, __attribute__((target("avx2,fma"))), 32, 6)                          \
  X(generic, , 16, 4)
#else
#define HYENA_INSTRUCTION_SETS(X) X(generic, , 16, 8)
#endif

#define HYENA_INSTANCE(suffix, attribute, bytes, rows)                         \
  attribute static void suffix##F32(                                           \
      int64_t m, int64_t n, int64_t k, const float *a, int64_t lda,            \
      const float *b, int64_t ldb, float *c, int64_t ldc) {                    \
    multiplyBlock<float, bytes, rows>(m, n, k, a, lda, b, ldb, c, ldc);        \
  }                                                                            \
  attribute static void suffix##F64(                                           \
      int64_t m, int64_t n, int64_t k, const double *a, int64_t lda,           \
      const double *b, int64_t ldb, double *c, int64_t ldc) {                  \
    multiplyBlock<double, bytes, rows>(m, n, k, a, lda, b, ldb, c, ldc);       \
  }                                                                            \
  static const BlockProducts suffix##Products = {suffix##F32, suffix##F64};
HYENA_INSTRUCTION_SETS(HYENA_INSTANCE)
#undef HYENA_INSTANCE

const char *builtinKernelName() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f"))
    return "avx512";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return "avx2";
#endif
  return "generic";
}

const BlockProducts &builtinProducts() {
#define HYENA_PICK(suffix, attribute, bytes, rows)                             \
  if (std::strcmp(builtinKernelName(), #suffix) == 0)                          \
    return suffix##Products;
  HYENA_INSTRUCTION_SETS(HYENA_PICK)
#undef HYENA_PICK
  return genericProducts;
}

} // namespace hyena::rt
