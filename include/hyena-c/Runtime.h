//===- Runtime.h - C ABI of the Hyena runtime -----------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// \file
/// The interface of libHyenaRuntime, which generated code, the just-in-time
/// runner and embedding programs share. It is plain C: handles are opaque, a
/// function that can fail returns a status, and the text of the failure is
/// read separately. Nothing here aborts the process or prints.

#ifndef HYENA_C_RUNTIME_H
#define HYENA_C_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define HYENA_RUNTIME_EXPORT __declspec(dllexport)
#else
#define HYENA_RUNTIME_EXPORT __attribute__((visibility("default")))
#endif

/// The interface's version. A library serves a caller whose major number is
/// equal and whose minor number is not larger than its own.
#define HYENA_RUNTIME_VERSION_MAJOR 0
#define HYENA_RUNTIME_VERSION_MINOR 1

/// As a thread count: take HYENA_NUM_THREADS from the environment, or, where
/// it is not set, the number of processors this process may run on.
#define HYENA_THREADS_DEFAULT INT64_MIN

#ifdef __cplusplus
extern "C" {
#endif

/// What became of a call.
typedef enum HyenaStatus {
  /// The call did what it says.
  HYENA_STATUS_OK = 0,
  /// An argument, or an environment variable, has a value that is not allowed.
  HYENA_STATUS_INVALID_ARGUMENT = 1,
  /// The backend or a library is not in this build or on this machine.
  HYENA_STATUS_UNAVAILABLE = 2,
  /// Memory or another resource of the system could not be had.
  HYENA_STATUS_OUT_OF_MEMORY = 3,
  /// Anything else; the message says what.
  HYENA_STATUS_INTERNAL = 4
} HyenaStatus;

/// Element types that runtime calls take.
typedef enum HyenaDType { HYENA_DTYPE_F32 = 0, HYENA_DTYPE_F64 = 1 } HyenaDType;

/// A backend's state: its threads or device, its libraries, its scratch memory
/// and its first error. One context may be used from several threads at once.
typedef struct HyenaContext HyenaContext;

/// What runs behind a context. The strings live as long as the context.
typedef struct HyenaContextInfo {
  /// Name of the backend, `cpu`.
  const char *backend;
  /// Number of threads that work on a parallel loop, the caller's included.
  int64_t threads;
  /// Who multiplies matrices: `openblas` or `builtin`.
  const char *gemmLibrary;
  /// The kernel that the library picked, e.g. `SkylakeX`; for `builtin` the
  /// instruction set, e.g. `avx512`.
  const char *gemmKernel;
  /// Why this library and this kernel: one sentence, never null.
  const char *gemmReason;
} HyenaContextInfo;

/// Returns major * 1000 + minor of the library that is loaded.
HYENA_RUNTIME_EXPORT int32_t hyenaRuntimeVersion(void);

/// Returns the name of the backend with this index, or null after the last.
HYENA_RUNTIME_EXPORT const char *hyenaRuntimeBackendName(int32_t index);

/// Creates a context of a backend with a number of threads (1 to 4096, or
/// HYENA_THREADS_DEFAULT) and stores it in \p context. On failure \p context
/// gets null, and \p message, unless it is null, a text that is valid until the
/// same thread's next failing call.
HYENA_RUNTIME_EXPORT HyenaStatus hyenaContextCreate(const char *backend,
                                                    int64_t threads,
                                                    HyenaContext **context,
                                                    const char **message);

/// Ends a context; null is allowed. No other call may be using it.
HYENA_RUNTIME_EXPORT void hyenaContextDestroy(HyenaContext *context);

/// Fills \p info.
HYENA_RUNTIME_EXPORT HyenaStatus
hyenaContextGetInfo(const HyenaContext *context, HyenaContextInfo *info);

/// Returns the first error since the last call of hyenaContextClearStatus.
/// \p message, unless it is null, gets its text (empty without an error),
/// valid until the error is cleared.
HYENA_RUNTIME_EXPORT HyenaStatus hyenaContextStatus(HyenaContext *context,
                                                    const char **message);

/// Forgets the error that the context holds.
HYENA_RUNTIME_EXPORT void hyenaContextClearStatus(HyenaContext *context);

/// Returns \p bytes of memory of the backend, 64-byte aligned, or null with the
/// error kept in the context. Zero bytes give a pointer that may be freed.
HYENA_RUNTIME_EXPORT void *hyenaAllocate(HyenaContext *context, int64_t bytes);

/// Gives memory of hyenaAllocate back; null is allowed.
HYENA_RUNTIME_EXPORT void hyenaFree(HyenaContext *context, void *memory);

/// The body of a parallel loop: one index of it.
typedef void (*HyenaLoopBody)(void *args, int64_t index, void *scratch);

/// Calls \p body once for every index in [0, n), in no fixed order, on the
/// context's threads and the caller's, and returns when all are done. Every
/// thread has \p scratchBytes of memory of its own, 64-byte aligned, with
/// undefined contents; the context keeps it for later calls. Denormal numbers
/// are flushed to zero inside the bodies, and the caller's floating-point mode
/// is restored. A call from inside a body runs inline. n <= 0 does nothing.
/// When no scratch memory can be had, no body runs and the context has an
/// error.
HYENA_RUNTIME_EXPORT void hyenaParallelFor(HyenaContext *context, int64_t n,
                                           HyenaLoopBody body, void *args,
                                           int64_t scratchBytes);

/// C(m,n) = A(m,k) B(n,k)^T + bias(n), all row-major with leading dimensions in
/// elements; \p bias may be null; k = 0 gives the bias. \p dtype is a
/// HyenaDType. The result does not depend on the number of threads. Errors are
/// kept in the context, and C is then undefined.
HYENA_RUNTIME_EXPORT void hyenaGemm(HyenaContext *context, int32_t dtype,
                                    int64_t m, int64_t n, int64_t k,
                                    const void *a, int64_t lda, const void *b,
                                    int64_t ldb, const void *bias, void *c,
                                    int64_t ldc);

#ifdef __cplusplus
}
#endif

#endif // HYENA_C_RUNTIME_H
