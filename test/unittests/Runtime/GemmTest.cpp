//===- GemmTest.cpp - matrix products of the runtime ----------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Runtime/Gemm.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>
#include <tuple>
#include <vector>

using namespace hyena::rt;

namespace {

/// Operands of one product with rows that are longer than they need to be.
template <typename T> struct Operands {
  Operands(int64_t m, int64_t n, int64_t k, int64_t pad = 3)
      : m(m), n(n), k(k), lda(k + pad), ldb(k + pad + 1), ldc(n + pad),
        a(m * lda), b(n * ldb), bias(n), c(m * ldc, T(-7)) {
    std::mt19937 generator(17);
    std::uniform_real_distribution<T> uniform(-1, 1);
    for (auto *values : {&a, &b, &bias})
      for (T &value : *values)
        value = uniform(generator);
  }

  GemmArguments arguments(bool withBias) {
    return GemmArguments{sizeof(T) == 4 ? HYENA_DTYPE_F32 : HYENA_DTYPE_F64,
                         m,
                         n,
                         k,
                         a.data(),
                         lda,
                         b.data(),
                         ldb,
                         withBias ? bias.data() : nullptr,
                         c.data(),
                         ldc};
  }

  /// Largest error of c against sums in double; checks the padding too.
  double largestError(bool withBias) const {
    double largest = 0;
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        double sum = withBias ? bias[j] : 0;
        for (int64_t p = 0; p < k; ++p)
          sum += double(a[i * lda + p]) * b[j * ldb + p];
        largest = std::max(largest, std::abs(sum - c[i * ldc + j]));
      }
      for (int64_t j = n; j < ldc; ++j)
        if (c[i * ldc + j] != T(-7))
          return INFINITY;
    }
    return largest;
  }

  int64_t m, n, k, lda, ldb, ldc;
  std::vector<T> a, b, bias, c;
};

const std::tuple<int64_t, int64_t, int64_t> shapes[] = {
    {1, 1, 1},     {1, 33, 7},   {3, 17, 5},    {13, 64, 300}, {14, 31, 256},
    {29, 65, 257}, {5, 500, 40}, {400, 130, 9}, {1000, 3, 64}, {2, 2, 0}};

template <typename T> void checkShapes(const BlockProducts &products) {
  ThreadPool pool(2);
  const double unit = sizeof(T) == 4 ? 6e-8 : 1.2e-16;
  for (auto [m, n, k] : shapes)
    for (bool withBias : {false, true}) {
      Operands<T> operands(m, n, k);
      ASSERT_TRUE(runGemm(pool, products, operands.arguments(withBias)).ok());
      EXPECT_LE(operands.largestError(withBias), unit * (k + 4) * 2)
          << m << " x " << n << " x " << k << " bias " << withBias;
    }
}

TEST(Gemm, BuiltinProductIsRight) {
  // Wrong if a remainder of rows, columns or depth is mishandled.
  checkShapes<float>(builtinProducts());
  checkShapes<double>(builtinProducts());
}

TEST(Gemm, LibraryOfThisProcessIsRight) {
  // Wrong if the BLAS is called with swapped operands or leading dimensions.
  checkShapes<float>(gemmLibrary().products);
  checkShapes<double>(gemmLibrary().products);
}

TEST(Gemm, BitsDoNotDependOnThreads) {
  // Wrong if a run with more threads rounds differently.
  for (const BlockProducts *products :
       {&builtinProducts(), &gemmLibrary().products}) {
    std::vector<float> first;
    for (int64_t threads : {1, 2, 5}) {
      ThreadPool pool(threads);
      Operands<float> operands(1003, 200, 129);
      ASSERT_TRUE(runGemm(pool, *products, operands.arguments(true)).ok());
      if (first.empty())
        first = operands.c;
      EXPECT_EQ(first, operands.c) << threads << " threads";
    }
  }
}

TEST(Gemm, MissingLibraryFallsBackAndSaysSo) {
  // Wrong if a machine without OpenBLAS cannot run, or hides what it runs.
  GemmLibrary library = loadGemmLibrary("libno-such-blas.so.0");
  EXPECT_EQ(library.library, "builtin");
  EXPECT_NE(library.reason.find("libno-such-blas.so.0"), std::string::npos);
  EXPECT_NE(library.reason.find("libopenblas0"), std::string::npos);
  // A library that is no BLAS is refused as well.
  library = loadGemmLibrary("libm.so.6");
  EXPECT_EQ(library.library, "builtin");
  EXPECT_NE(library.reason.find("cblas_sgemm"), std::string::npos);
}

TEST(Gemm, BadArgumentsAreNamed) {
  // Wrong if a bad leading dimension reads outside a matrix.
  HyenaContext *context = nullptr;
  ASSERT_EQ(hyenaContextCreate("cpu", 1, &context, nullptr), HYENA_STATUS_OK);
  float value = 0;
  auto messageOf = [&](int32_t dtype, int64_t m, int64_t lda, float *c) {
    hyenaContextClearStatus(context);
    hyenaGemm(context, dtype, m, 1, 4, &value, lda, &value, 4, nullptr, c, 1);
    const char *message = nullptr;
    hyenaContextStatus(context, &message);
    return std::string(message);
  };
  EXPECT_EQ(messageOf(0, 1, 3, &value), "hyenaGemm: lda = 3; at least 4");
  EXPECT_EQ(messageOf(0, -1, 4, &value), "hyenaGemm: m = -1; at least 0");
  EXPECT_EQ(messageOf(5, 1, 4, &value),
            "hyenaGemm: dtype 5; allowed are 0 (f32) and 1 (f64)");
  EXPECT_EQ(messageOf(0, 1, 4, nullptr), "hyenaGemm: a matrix is null");
  EXPECT_EQ(messageOf(0, 0, 4, nullptr), "");
  hyenaContextDestroy(context);
}

} // namespace
