//===- ThreadPoolTest.cpp - parallel loops of the runtime -----------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena-c/Runtime.h"

#include "gtest/gtest.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

/// A context for one test.
class ParallelFor : public ::testing::TestWithParam<int64_t> {
protected:
  void SetUp() override {
    ASSERT_EQ(hyenaContextCreate("cpu", GetParam(), &context, nullptr),
              HYENA_STATUS_OK);
  }
  void TearDown() override {
    const char *message = nullptr;
    EXPECT_EQ(hyenaContextStatus(context, &message), HYENA_STATUS_OK)
        << message;
    hyenaContextDestroy(context);
  }
  HyenaContext *context = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, ::testing::Values(1, 2, 7));

void countIndex(void *args, int64_t index, void *) {
  static_cast<std::atomic<int> *>(args)[index].fetch_add(1);
}

TEST_P(ParallelFor, EveryIndexOnce) {
  // Wrong if an index is lost or done twice.
  for (int64_t n : {-5, 0, 1, 2, 3, 64, 1000}) {
    std::vector<std::atomic<int>> counts(std::max<int64_t>(n, 1));
    hyenaParallelFor(context, n, countIndex, counts.data(), 0);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(counts[i].load(), 1) << "index " << i << " of " << n;
  }
}

TEST_P(ParallelFor, ScratchIsAlignedAndOwned) {
  // Wrong if two bodies that run at once share scratch memory.
  struct Shared {
    std::atomic<int> wrong{0};
  } shared;
  for (int64_t bytes : {64, 100000, 64, 5 << 20}) {
    struct Args {
      Shared *shared;
      int64_t bytes;
    } args{&shared, bytes};
    hyenaParallelFor(
        context, 100,
        [](void *raw, int64_t index, void *scratch) {
          auto &args = *static_cast<Args *>(raw);
          if (reinterpret_cast<uintptr_t>(scratch) % 64 != 0)
            args.shared->wrong.fetch_add(1);
          auto *words = static_cast<int64_t *>(scratch);
          const int64_t last = args.bytes / 8 - 1;
          words[0] = words[last] = index;
          std::this_thread::yield();
          if (words[0] != index || words[last] != index)
            args.shared->wrong.fetch_add(1);
        },
        &args, bytes);
  }
  EXPECT_EQ(shared.wrong.load(), 0);
}

TEST_P(ParallelFor, NestedLoopKeepsOuterScratch) {
  // Wrong if a loop inside a body waits for itself or takes the body's memory.
  struct Args {
    HyenaContext *context;
    std::atomic<int> inner{0}, wrong{0};
  } args;
  args.context = context;
  hyenaParallelFor(
      context, 16,
      [](void *raw, int64_t index, void *scratch) {
        auto &args = *static_cast<Args *>(raw);
        *static_cast<int64_t *>(scratch) = index;
        hyenaParallelFor(
            args.context, 5,
            [](void *raw, int64_t, void *scratch) {
              *static_cast<int64_t *>(scratch) = -1;
              static_cast<Args *>(raw)->inner.fetch_add(1);
            },
            raw, 64);
        if (*static_cast<int64_t *>(scratch) != index)
          args.wrong.fetch_add(1);
      },
      &args, 64);
  EXPECT_EQ(args.inner.load(), 80);
  EXPECT_EQ(args.wrong.load(), 0);
}

TEST_P(ParallelFor, SeveralCallers) {
  // Wrong if two threads that share a context disturb or block one another.
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        std::vector<std::atomic<int>> counts(37);
        hyenaParallelFor(context, 37, countIndex, counts.data(), 128);
        for (auto &count : counts)
          if (count.load() != 1)
            wrong.fetch_add(1);
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

#if defined(__x86_64__) || defined(__aarch64__)
TEST_P(ParallelFor, DenormalsAreFlushedInBodiesOnly) {
  // Wrong if denormals slow a kernel down, or if the caller loses them.
  std::atomic<int> kept{0};
  volatile float least = std::numeric_limits<float>::min();
  hyenaParallelFor(
      context, 64,
      [](void *raw, int64_t, void *) {
        volatile float small = std::numeric_limits<float>::min();
        volatile float half = small * 0.5f;
        if (half != 0.0f)
          static_cast<std::atomic<int> *>(raw)->fetch_add(1);
      },
      &kept, 0);
  EXPECT_EQ(kept.load(), 0);
  volatile float half = least * 0.5f;
  EXPECT_NE(half, 0.0f);
}
#endif

TEST(ParallelForErrors, ScratchThatCannotBeHad) {
  // Wrong if a body runs without its scratch memory, or the process ends.
  HyenaContext *context = nullptr;
  ASSERT_EQ(hyenaContextCreate("cpu", 2, &context, nullptr), HYENA_STATUS_OK);
  std::atomic<int> counts[4] = {};
  hyenaParallelFor(context, 4, countIndex, counts, INT64_MAX);
  for (auto &count : counts)
    EXPECT_EQ(count.load(), 0);
  const char *message = nullptr;
  EXPECT_EQ(hyenaContextStatus(context, &message), HYENA_STATUS_OUT_OF_MEMORY);
  EXPECT_NE(std::string(message).find("scratch memory"), std::string::npos);
  hyenaContextClearStatus(context);
  hyenaParallelFor(context, 4, countIndex, counts, -1);
  EXPECT_EQ(hyenaContextStatus(context, &message),
            HYENA_STATUS_INVALID_ARGUMENT);
  hyenaContextClearStatus(context);
  hyenaParallelFor(context, 4, nullptr, counts, 0);
  EXPECT_EQ(hyenaContextStatus(context, &message),
            HYENA_STATUS_INVALID_ARGUMENT);
  hyenaContextDestroy(context);
}

} // namespace
