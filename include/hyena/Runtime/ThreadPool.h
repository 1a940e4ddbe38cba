//===- ThreadPool.h - threads of the CPU backend --------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_RUNTIME_THREADPOOL_H
#define HYENA_RUNTIME_THREADPOOL_H

#include "hyena/Runtime/Backend.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace hyena::rt {

/// Allocates \p bytes, 64-byte aligned; large blocks ask for huge pages. Null
/// when there is no memory. Freed by releaseAligned.
void *allocateAligned(int64_t bytes);
void releaseAligned(void *memory);

/// Scratch memory of one participant of a loop, grown and never shrunk.
class ScratchBuffer {
public:
  ScratchBuffer() = default;
  ScratchBuffer(const ScratchBuffer &) = delete;
  ScratchBuffer &operator=(const ScratchBuffer &) = delete;
  ~ScratchBuffer();

  /// Makes at least \p bytes available; false when there is no memory.
  bool reserve(int64_t bytes);
  void *data() const { return memory; }

private:
  void *memory = nullptr;
  int64_t capacity = 0;
};

/// Flushes denormal numbers to zero while it lives and restores the mode of
/// the thread after that. They cost a factor of up to 70 otherwise.
class FlushDenormals {
public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals &) = delete;
  FlushDenormals &operator=(const FlushDenormals &) = delete;

private:
  uint64_t saved;
};

/// A fixed set of threads that share the indices of parallel loops. The caller
/// of a loop always works on it too and can finish it alone, so that loops of
/// several callers, and of a forked child that has lost the threads, all end.
class ThreadPool {
public:
  /// Starts \p threads - 1 threads, or as many as the system allows: size()
  /// tells.
  explicit ThreadPool(int64_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// Threads that work on a loop, the caller's included.
  int64_t size() const { return static_cast<int64_t>(workers.size()) + 1; }

  /// Runs one loop; see hyenaParallelFor.
  Status parallelFor(const LoopArguments &loop);

private:
  struct Job;

  void workerMain();
  /// Takes indices until none is left.
  static void drain(Job &job, void *scratch);
  std::unique_ptr<ScratchBuffer> takeScratch();
  void returnScratch(std::unique_ptr<ScratchBuffer> scratch);

  std::vector<std::thread> workers;
  /// Process that started the threads: a forked child must not join them.
  int64_t owner;

  std::mutex mutex;
  std::condition_variable wake;
  /// Loops with indices left, oldest first.
  std::vector<Job *> jobs;
  bool stopping = false;
  /// Counts loops, so that an idle worker can look without the mutex.
  std::atomic<uint64_t> published{0};

  /// Scratch buffers of callers and of nested loops that nobody uses now.
  std::mutex scratchMutex;
  std::vector<std::unique_ptr<ScratchBuffer>> freeScratch;
};

} // namespace hyena::rt

#endif // HYENA_RUNTIME_THREADPOOL_H
