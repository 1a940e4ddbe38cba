//===- OpenBLAS.cpp - matrix products of a BLAS found at run time ---------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Runtime/Gemm.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace hyena::rt {

/// Values of CBLAS_ORDER and CBLAS_TRANSPOSE.
static constexpr int cblasRowMajor = 101, cblasNoTrans = 111, cblasTrans = 112;

// The functions of the library. X(member, symbol, signature).
#define HYENA_OPENBLAS_SYMBOLS(X)                                              \
  X(sgemm, cblas_sgemm,                                                        \
    void (*)(int, int, int, int, int, int, float, const float *, int,          \
             const float *, int, float, float *, int))                         \
  X(dgemm, cblas_dgemm,                                                        \
    void (*)(int, int, int, int, int, int, double, const double *, int,        \
             const double *, int, double, double *, int))                      \
  X(getCoreName, openblas_get_corename, char *(*)())                           \
  X(getConfig, openblas_get_config, char *(*)())                               \
  X(setThreads, openblas_set_num_threads, void (*)(int))

namespace {
template <typename T> using Identity = T;

/// Entry points of one loaded library.
struct OpenBLAS {
#define HYENA_MEMBER(member, symbol, signature)                                \
  Identity<signature> member = nullptr;
  HYENA_OPENBLAS_SYMBOLS(HYENA_MEMBER)
#undef HYENA_MEMBER
};

/// Sets an environment variable while it lives, unless the user has set it.
class TemporaryVariable {
public:
  TemporaryVariable(const char *name, const char *value) : name(name) {
    set = value && !std::getenv(name) && setenv(name, value, 0) == 0;
  }
  ~TemporaryVariable() {
    if (set)
      unsetenv(name);
  }
  TemporaryVariable(const TemporaryVariable &) = delete;
  TemporaryVariable &operator=(const TemporaryVariable &) = delete;

private:
  const char *name;
  bool set;
};
} // namespace

/// The library of this process. It is never unloaded.
static OpenBLAS openBLAS;

static void multiplyF32(int64_t m, int64_t n, int64_t k, const float *a,
                        int64_t lda, const float *b, int64_t ldb, float *c,
                        int64_t ldc) {
  openBLAS.sgemm(cblasRowMajor, cblasNoTrans, cblasTrans, static_cast<int>(m),
                 static_cast<int>(n), static_cast<int>(k), 1.0f, a,
                 static_cast<int>(lda), b, static_cast<int>(ldb), 0.0f, c,
                 static_cast<int>(ldc));
}

static void multiplyF64(int64_t m, int64_t n, int64_t k, const double *a,
                        int64_t lda, const double *b, int64_t ldb, double *c,
                        int64_t ldc) {
  openBLAS.dgemm(cblasRowMajor, cblasNoTrans, cblasTrans, static_cast<int>(m),
                 static_cast<int>(n), static_cast<int>(k), 1.0, a,
                 static_cast<int>(lda), b, static_cast<int>(ldb), 0.0, c,
                 static_cast<int>(ldc));
}

/// The value of OPENBLAS_CORETYPE for this processor, or null to leave the
/// choice to the library: it is right on processors that it knows.
static const char *coreForProcessor() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return "SKYLAKEX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return "HASWELL";
#endif
  return nullptr;
}

/// Whether the kernel leaves this processor's vector units unused.
static bool isSlowCore(const char *core) {
  if (!coreForProcessor())
    return false;
  for (const char *slow :
       {"Prescott", "Core2", "Katmai", "Coppermine", "Northwood", "Banias",
        "Penryn", "Dunnington", "Nehalem", "Atom", "Unknown"})
    if (std::strcmp(core, slow) == 0)
      return true;
  return false;
}

/// Fills a table from a library; on failure \p problem says why.
static bool loadOpenBLAS(const std::string &name, OpenBLAS &table,
                         std::string &problem) {
  // The library chooses its kernels and starts its threads while it loads.
  // The pool does the threading: one thread a call.
  TemporaryVariable core("OPENBLAS_CORETYPE", coreForProcessor());
  TemporaryVariable threads("OPENBLAS_NUM_THREADS", "1");
  void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *error = dlerror();
    problem = error ? error : "it cannot be loaded";
    return false;
  }
#define HYENA_LOAD(member, symbol, signature)                                  \
  table.member =                                                               \
      reinterpret_cast<Identity<signature>>(dlsym(library, #symbol));          \
  if (!table.member) {                                                         \
    problem = "it has no function " #symbol;                                   \
    return false;                                                              \
  }
  HYENA_OPENBLAS_SYMBOLS(HYENA_LOAD)
#undef HYENA_LOAD
  if (std::strstr(table.getConfig(), "USE64BITINT")) {
    problem = "it counts in 64-bit integers; the 32-bit interface is needed";
    return false;
  }
  // Of use where the process had loaded the library before.
  table.setThreads(1);
  return true;
}

GemmLibrary loadGemmLibrary(const std::string &name) {
  GemmLibrary builtin{builtinProducts(), "builtin", builtinKernelName(), ""};
  if (name == "builtin") {
    builtin.reason = "HYENA_BLAS asks for the built-in product";
    return builtin;
  }
  OpenBLAS table;
  std::string problem;
  if (!loadOpenBLAS(name, table, problem)) {
    builtin.reason = "OpenBLAS is not used: " + name + ": " + problem +
                     "; install it (Debian: libopenblas0) or name it in "
                     "HYENA_BLAS for speed";
    return builtin;
  }
  const char *core = table.getCoreName();
  if (isSlowCore(core) && !std::getenv("OPENBLAS_CORETYPE")) {
    builtin.reason = "OpenBLAS is not used: the process had loaded it with the "
                     "kernel " +
                     std::string(core) +
                     ", which does not use this processor's vector units; set "
                     "OPENBLAS_CORETYPE=" +
                     coreForProcessor() + " in the environment";
    return builtin;
  }
  openBLAS = table;
  return GemmLibrary{
      {multiplyF32, multiplyF64}, "openblas", core, "found as " + name};
}

const GemmLibrary &gemmLibrary() {
  static const GemmLibrary library = [] {
    const char *name = std::getenv("HYENA_BLAS");
    return loadGemmLibrary(name && *name ? name : "libopenblas.so.0");
  }();
  return library;
}

} // namespace hyena::rt
