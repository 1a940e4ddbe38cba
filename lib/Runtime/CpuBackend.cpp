//===- CpuBackend.cpp - the processor as a backend ------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Runtime/Gemm.h"
#include "hyena/Runtime/ThreadPool.h"

#include <exception>
#include <new>

namespace hyena::rt {

static ThreadPool &pool(void *state) {
  return *static_cast<ThreadPool *>(state);
}

static Status create(int64_t threads, void **state) {
  // Failures of the standard library end here: none may cross the C ABI.
  try {
    gemmLibrary();
    *state = new ThreadPool(threads);
    return Status();
  } catch (const std::bad_alloc &) {
    return Status::error(HYENA_STATUS_OUT_OF_MEMORY,
                         "no memory for the threads of a runtime context");
  } catch (const std::exception &exception) {
    return Status::error(HYENA_STATUS_INTERNAL,
                         std::string("the runtime context cannot start: ") +
                             exception.what());
  }
}

static void destroy(void *state) { delete static_cast<ThreadPool *>(state); }

static void getInfo(const void *state, HyenaContextInfo &info) {
  info.threads = static_cast<const ThreadPool *>(state)->size();
  const GemmLibrary &library = gemmLibrary();
  info.gemmLibrary = library.library.c_str();
  info.gemmKernel = library.kernel.c_str();
  info.gemmReason = library.reason.c_str();
}

static void *allocate(void *, int64_t bytes) { return allocateAligned(bytes); }

static void release(void *, void *memory) { releaseAligned(memory); }

static Status parallelFor(void *state, const LoopArguments &loop) {
  return pool(state).parallelFor(loop);
}

static Status gemm(void *state, const GemmArguments &arguments) {
  return runGemm(pool(state), gemmLibrary().products, arguments);
}

const Backend &cpuBackend() {
  static const Backend backend = {"cpu",    create,  destroy,     getInfo,
                                  allocate, release, parallelFor, gemm};
  return backend;
}

} // namespace hyena::rt
