//===- Backend.h - table of device backends -------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// \file
/// What a device backend implements. The C ABI of hyena-c/Runtime.h checks its
/// arguments, finds the backend in the table and calls through it, so a new
/// backend is one entry in `backends()` and nothing else.

#ifndef HYENA_RUNTIME_BACKEND_H
#define HYENA_RUNTIME_BACKEND_H

#include "hyena-c/Runtime.h"

#include <mutex>
#include <string>

namespace hyena::rt {

/// A status with its text; the text is empty exactly when the status is OK.
struct Status {
  HyenaStatus code = HYENA_STATUS_OK;
  std::string message;

  bool ok() const { return code == HYENA_STATUS_OK; }
  static Status error(HyenaStatus code, std::string message) {
    return Status{code, std::move(message)};
  }
};

/// Operands of C(m,n) = A(m,k) B(n,k)^T + bias(n), checked: m, n > 0, k >= 0.
struct GemmArguments {
  HyenaDType dtype;
  int64_t m, n, k;
  const void *a;
  int64_t lda;
  const void *b;
  int64_t ldb;
  const void *bias;
  void *c;
  int64_t ldc;
};

/// One loop over [0, n); n > 0 and scratchBytes >= 0 are checked.
struct LoopArguments {
  int64_t n;
  HyenaLoopBody body;
  void *args;
  int64_t scratchBytes;
};

/// The functions of a backend. `state` is what `create` stored.
struct Backend {
  /// The name that hyenaContextCreate takes.
  const char *name;
  /// Makes a state for this number of threads (already checked).
  Status (*create)(int64_t threads, void **state);
  /// Ends a state.
  void (*destroy)(void *state);
  /// Fills everything of the info but the backend's name.
  void (*getInfo)(const void *state, HyenaContextInfo &info);
  /// Allocates device memory, 64-byte aligned; null when there is none.
  void *(*allocate)(void *state, int64_t bytes);
  /// Frees it.
  void (*release)(void *state, void *memory);
  /// Runs a parallel loop.
  Status (*parallelFor)(void *state, const LoopArguments &loop);
  /// Multiplies matrices.
  Status (*gemm)(void *state, const GemmArguments &gemm);
};

/// The CPU backend.
const Backend &cpuBackend();

/// Returns the backend with this index, or null after the last one.
const Backend *backendAt(int32_t index);

/// Returns the backend with this name, or null.
const Backend *findBackend(const char *name);

/// Names of all backends, for messages: "cpu".
std::string backendNames();

/// Turns the count asked for, or HYENA_NUM_THREADS, into 1 to 4096 threads.
Status resolveThreadCount(int64_t requested, int64_t &threads);

} // namespace hyena::rt

/// See hyena-c/Runtime.h.
struct HyenaContext {
  const hyena::rt::Backend *backend = nullptr;
  void *state = nullptr;

  /// Keeps the first error; later ones are mostly its consequences.
  void keepError(hyena::rt::Status status);

  std::mutex errorMutex;
  hyena::rt::Status error;
};

#endif // HYENA_RUNTIME_BACKEND_H
