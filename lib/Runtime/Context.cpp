//===- Context.cpp - C ABI of the runtime ---------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Runtime/Backend.h"

#include <cstring>
#include <new>

using namespace hyena::rt;

/// Text of the last failing hyenaContextCreate of this thread.
static thread_local std::string creationMessage;

void HyenaContext::keepError(Status status) {
  if (status.ok())
    return;
  std::lock_guard<std::mutex> lock(errorMutex);
  if (error.ok())
    error = std::move(status);
}

int32_t hyenaRuntimeVersion(void) {
  return HYENA_RUNTIME_VERSION_MAJOR * 1000 + HYENA_RUNTIME_VERSION_MINOR;
}

const char *hyenaRuntimeBackendName(int32_t index) {
  const Backend *backend = backendAt(index);
  return backend ? backend->name : nullptr;
}

static Status createContext(const char *name, int64_t requested,
                            HyenaContext **context) {
  if (!context)
    return Status::error(HYENA_STATUS_INVALID_ARGUMENT,
                         "hyenaContextCreate: 'context' is null");
  *context = nullptr;
  const Backend *backend = name ? findBackend(name) : nullptr;
  if (!backend)
    return Status::error(HYENA_STATUS_UNAVAILABLE,
                         "unknown backend '" + std::string(name ? name : "") +
                             "'; this build has: " + backendNames());
  int64_t threads = 0;
  Status status = resolveThreadCount(requested, threads);
  if (!status.ok())
    return status;
  auto *created = new (std::nothrow) HyenaContext;
  if (!created)
    return Status::error(HYENA_STATUS_OUT_OF_MEMORY,
                         "no memory for a runtime context");
  created->backend = backend;
  status = backend->create(threads, &created->state);
  if (!status.ok()) {
    delete created;
    return status;
  }
  *context = created;
  return Status();
}

HyenaStatus hyenaContextCreate(const char *backend, int64_t threads,
                               HyenaContext **context, const char **message) {
  Status status = createContext(backend, threads, context);
  if (message)
    *message = "";
  if (!status.ok()) {
    creationMessage = status.message;
    if (message)
      *message = creationMessage.c_str();
  }
  return status.code;
}

void hyenaContextDestroy(HyenaContext *context) {
  if (!context)
    return;
  context->backend->destroy(context->state);
  delete context;
}

HyenaStatus hyenaContextGetInfo(const HyenaContext *context,
                                HyenaContextInfo *info) {
  if (!context || !info)
    return HYENA_STATUS_INVALID_ARGUMENT;
  *info = HyenaContextInfo();
  info->backend = context->backend->name;
  context->backend->getInfo(context->state, *info);
  return HYENA_STATUS_OK;
}

HyenaStatus hyenaContextStatus(HyenaContext *context, const char **message) {
  if (!context) {
    if (message)
      *message = "the context is null";
    return HYENA_STATUS_INVALID_ARGUMENT;
  }
  std::lock_guard<std::mutex> lock(context->errorMutex);
  if (message)
    *message = context->error.message.c_str();
  return context->error.code;
}

void hyenaContextClearStatus(HyenaContext *context) {
  if (!context)
    return;
  std::lock_guard<std::mutex> lock(context->errorMutex);
  context->error = Status();
}

void *hyenaAllocate(HyenaContext *context, int64_t bytes) {
  if (!context)
    return nullptr;
  if (bytes < 0) {
    context->keepError(Status::error(HYENA_STATUS_INVALID_ARGUMENT,
                                     "hyenaAllocate: " + std::to_string(bytes) +
                                         " bytes; at least 0"));
    return nullptr;
  }
  void *memory = context->backend->allocate(context->state, bytes);
  if (!memory)
    context->keepError(Status::error(HYENA_STATUS_OUT_OF_MEMORY,
                                     "no memory for a block of " +
                                         std::to_string(bytes) + " bytes"));
  return memory;
}

void hyenaFree(HyenaContext *context, void *memory) {
  if (context && memory)
    context->backend->release(context->state, memory);
}

void hyenaParallelFor(HyenaContext *context, int64_t n, HyenaLoopBody body,
                      void *args, int64_t scratchBytes) {
  if (!context || n <= 0)
    return;
  if (!body || scratchBytes < 0) {
    context->keepError(Status::error(
        HYENA_STATUS_INVALID_ARGUMENT,
        !body ? std::string("hyenaParallelFor: 'body' is null")
              : "hyenaParallelFor: " + std::to_string(scratchBytes) +
                    " bytes of scratch memory; at least 0"));
    return;
  }
  context->keepError(context->backend->parallelFor(
      context->state, LoopArguments{n, body, args, scratchBytes}));
}

/// Names the first bad argument, or returns an empty text.
static std::string checkGemm(int32_t dtype, const GemmArguments &gemm) {
  if (dtype != HYENA_DTYPE_F32 && dtype != HYENA_DTYPE_F64)
    return "dtype " + std::to_string(dtype) + "; allowed are " +
           std::to_string(HYENA_DTYPE_F32) + " (f32) and " +
           std::to_string(HYENA_DTYPE_F64) + " (f64)";
  struct {
    const char *name;
    int64_t found, least;
  } sizes[] = {{"m", gemm.m, 0},          {"n", gemm.n, 0},
               {"k", gemm.k, 0},          {"lda", gemm.lda, gemm.k},
               {"ldb", gemm.ldb, gemm.k}, {"ldc", gemm.ldc, gemm.n}};
  for (const auto &size : sizes)
    if (size.found < size.least)
      return std::string(size.name) + " = " + std::to_string(size.found) +
             "; at least " + std::to_string(size.least);
  if (gemm.m == 0 || gemm.n == 0)
    return "";
  if (!gemm.c || (gemm.k > 0 && (!gemm.a || !gemm.b)))
    return "a matrix is null";
  return "";
}

void hyenaGemm(HyenaContext *context, int32_t dtype, int64_t m, int64_t n,
               int64_t k, const void *a, int64_t lda, const void *b,
               int64_t ldb, const void *bias, void *c, int64_t ldc) {
  if (!context)
    return;
  GemmArguments gemm{
      static_cast<HyenaDType>(dtype), m, n, k, a, lda, b, ldb, bias, c, ldc};
  std::string problem = checkGemm(dtype, gemm);
  if (!problem.empty()) {
    context->keepError(
        Status::error(HYENA_STATUS_INVALID_ARGUMENT, "hyenaGemm: " + problem));
    return;
  }
  if (m == 0 || n == 0)
    return;
  context->keepError(context->backend->gemm(context->state, gemm));
}
