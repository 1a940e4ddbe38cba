//===- ContextTest.cpp - contexts of the runtime --------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena-c/Runtime.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <string>

namespace {

/// Creates a context and returns the message; the context is ended at once.
std::string creationMessage(const char *backend, int64_t threads,
                            HyenaStatus expected) {
  HyenaContext *context = nullptr;
  const char *message = nullptr;
  EXPECT_EQ(hyenaContextCreate(backend, threads, &context, &message), expected);
  EXPECT_EQ(context != nullptr, expected == HYENA_STATUS_OK);
  hyenaContextDestroy(context);
  return message;
}

/// Sets HYENA_NUM_THREADS while it lives.
struct ThreadVariable {
  explicit ThreadVariable(const char *value) {
    setenv("HYENA_NUM_THREADS", value, 1);
  }
  ~ThreadVariable() { unsetenv("HYENA_NUM_THREADS"); }
};

TEST(Context, VersionMatchesHeader) {
  // Wrong if a library reports another version than the header it was made of.
  EXPECT_EQ(hyenaRuntimeVersion(),
            HYENA_RUNTIME_VERSION_MAJOR * 1000 + HYENA_RUNTIME_VERSION_MINOR);
}

TEST(Context, TableHoldsCpuAlone) {
  // Wrong if the table loses the CPU or lists a backend that is not built.
  EXPECT_STREQ(hyenaRuntimeBackendName(0), "cpu");
  EXPECT_EQ(hyenaRuntimeBackendName(1), nullptr);
  EXPECT_EQ(hyenaRuntimeBackendName(-1), nullptr);
}

TEST(Context, UnknownBackendNamesTheKnownOnes) {
  // Wrong if a user who mistypes a backend is not told which there are.
  EXPECT_EQ(creationMessage("cpuu", 1, HYENA_STATUS_UNAVAILABLE),
            "unknown backend 'cpuu'; this build has: cpu");
  EXPECT_EQ(creationMessage(nullptr, 1, HYENA_STATUS_UNAVAILABLE),
            "unknown backend ''; this build has: cpu");
}

TEST(Context, BadThreadCounts) {
  // Wrong if a count that cannot be meant starts a pool all the same.
  EXPECT_EQ(creationMessage("cpu", 0, HYENA_STATUS_INVALID_ARGUMENT),
            "the number of threads is 0; it must be a whole number from 1 to "
            "4096");
  creationMessage("cpu", -3, HYENA_STATUS_INVALID_ARGUMENT);
  creationMessage("cpu", 4097, HYENA_STATUS_INVALID_ARGUMENT);
}

TEST(Context, BadThreadVariable) {
  // Wrong if HYENA_NUM_THREADS=two silently means some number of threads.
  for (const char *value :
       {"0", "-1", "two", "2x", "", "99999999999999999999"}) {
    ThreadVariable variable(value);
    std::string message = creationMessage("cpu", HYENA_THREADS_DEFAULT,
                                          HYENA_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(message, "the environment variable HYENA_NUM_THREADS is '" +
                           std::string(value) +
                           "'; it must be a whole number from 1 to 4096");
  }
}

TEST(Context, ThreadVariableAndArgument) {
  // Wrong if the variable is ignored, or if it wins over an explicit argument.
  ThreadVariable variable("3");
  for (auto [requested, found] :
       {std::pair<int64_t, int64_t>{HYENA_THREADS_DEFAULT, 3}, {2, 2}}) {
    HyenaContext *context = nullptr;
    ASSERT_EQ(hyenaContextCreate("cpu", requested, &context, nullptr),
              HYENA_STATUS_OK);
    HyenaContextInfo info;
    ASSERT_EQ(hyenaContextGetInfo(context, &info), HYENA_STATUS_OK);
    EXPECT_EQ(info.threads, found);
    EXPECT_STREQ(info.backend, "cpu");
    EXPECT_NE(std::string(info.gemmKernel), "");
    EXPECT_NE(std::string(info.gemmReason), "");
    hyenaContextDestroy(context);
  }
}

TEST(Context, AllocationFailureIsKept) {
  // Wrong if a failed allocation is a crash, or leaves no trace.
  HyenaContext *context = nullptr;
  ASSERT_EQ(hyenaContextCreate("cpu", 1, &context, nullptr), HYENA_STATUS_OK);
  EXPECT_EQ(hyenaAllocate(context, INT64_MAX), nullptr);
  const char *message = nullptr;
  EXPECT_EQ(hyenaContextStatus(context, &message), HYENA_STATUS_OUT_OF_MEMORY);
  EXPECT_NE(std::string(message).find("9223372036854775807"),
            std::string::npos);
  // The first error stays until it is cleared.
  EXPECT_EQ(hyenaAllocate(context, -1), nullptr);
  EXPECT_EQ(hyenaContextStatus(context, nullptr), HYENA_STATUS_OUT_OF_MEMORY);
  hyenaContextClearStatus(context);
  EXPECT_EQ(hyenaContextStatus(context, &message), HYENA_STATUS_OK);
  EXPECT_STREQ(message, "");
  void *memory = hyenaAllocate(context, 0);
  EXPECT_NE(memory, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
  hyenaFree(context, memory);
  hyenaContextDestroy(context);
}

TEST(Context, NullIsHarmless) {
  // Wrong if a null handle from a failed creation brings the process down.
  hyenaContextDestroy(nullptr);
  hyenaFree(nullptr, nullptr);
  hyenaContextClearStatus(nullptr);
  EXPECT_EQ(hyenaAllocate(nullptr, 8), nullptr);
  EXPECT_EQ(hyenaContextStatus(nullptr, nullptr),
            HYENA_STATUS_INVALID_ARGUMENT);
  HyenaContextInfo info;
  EXPECT_EQ(hyenaContextGetInfo(nullptr, &info), HYENA_STATUS_INVALID_ARGUMENT);
  hyenaParallelFor(nullptr, 3, nullptr, nullptr, 0);
  hyenaGemm(nullptr, 0, 1, 1, 1, nullptr, 1, nullptr, 1, nullptr, nullptr, 1);
}

} // namespace
