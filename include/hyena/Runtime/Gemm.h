//===- Gemm.h - matrix products of the CPU backend ------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_RUNTIME_GEMM_H
#define HYENA_RUNTIME_GEMM_H

#include "hyena/Runtime/Backend.h"
#include "hyena/Runtime/ThreadPool.h"

#include <string>

namespace hyena::rt {

/// Single-threaded products of one block, C(m,n) = A(m,k) B(n,k)^T. All sizes
/// are positive.
struct BlockProducts {
  void (*f32)(int64_t m, int64_t n, int64_t k, const float *a, int64_t lda,
              const float *b, int64_t ldb, float *c, int64_t ldc);
  void (*f64)(int64_t m, int64_t n, int64_t k, const double *a, int64_t lda,
              const double *b, int64_t ldb, double *c, int64_t ldc);
};

/// Who multiplies matrices in this process, chosen once.
struct GemmLibrary {
  BlockProducts products;
  /// `openblas` or `builtin`.
  std::string library;
  /// The kernel that runs.
  std::string kernel;
  /// Why this one.
  std::string reason;
};

/// Looks for OpenBLAS under \p name (a library that dlopen finds, or `builtin`)
/// and falls back on the built-in product. When the variable
/// OPENBLAS_CORETYPE is not set, it is set while the library loads, since
/// releases older than the processor choose their slowest kernel.
GemmLibrary loadGemmLibrary(const std::string &name);

/// The library of this process: loadGemmLibrary on the first call with
/// HYENA_BLAS, by default `libopenblas.so.0`.
const GemmLibrary &gemmLibrary();

/// The portable product.
const BlockProducts &builtinProducts();
/// Instruction set that it uses.
const char *builtinKernelName();

/// Splits a product into blocks whose borders depend on m, n and k alone and
/// runs them on the pool, so the bits do not depend on the thread count.
Status runGemm(ThreadPool &pool, const BlockProducts &products,
               const GemmArguments &gemm);

} // namespace hyena::rt

#endif // HYENA_RUNTIME_GEMM_H
