//===- ThreadPool.cpp - threads of the CPU backend ------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Runtime/ThreadPool.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <system_error>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hyena::rt {

//===----------------------------------------------------------------------===//
// Memory and floating-point mode
//===----------------------------------------------------------------------===//

void *allocateAligned(int64_t bytes) {
  constexpr int64_t huge = int64_t(1) << 21;
  const int64_t alignment = bytes >= 2 * huge ? huge : 64;
  if (bytes < 0 || bytes > INT64_MAX - alignment)
    return nullptr;
  const int64_t rounded =
      std::max<int64_t>((bytes + alignment - 1) / alignment, 1) * alignment;
  void *memory = std::aligned_alloc(static_cast<size_t>(alignment),
                                    static_cast<size_t>(rounded));
#if defined(__linux__)
  // The strided passes of a transform touch many pages at once. A refusal
  // costs speed only.
  if (memory && alignment == huge)
    (void)madvise(memory, static_cast<size_t>(rounded), MADV_HUGEPAGE);
#endif
  return memory;
}

void releaseAligned(void *memory) { std::free(memory); }

ScratchBuffer::~ScratchBuffer() { releaseAligned(memory); }

bool ScratchBuffer::reserve(int64_t bytes) {
  if (bytes <= capacity)
    return true;
  releaseAligned(memory);
  memory = allocateAligned(bytes);
  capacity = memory ? bytes : 0;
  return memory != nullptr;
}

#if defined(__x86_64__)
/// MXCSR bits: flush results to zero (15), read denormals as zero (6).
static constexpr uint64_t flushBits = 0x8040;
static uint64_t readMode() { return _mm_getcsr(); }
static void writeMode(uint64_t mode) {
  _mm_setcsr(static_cast<unsigned>(mode));
}
#elif defined(__aarch64__)
/// FPCR bit 24: flush to zero.
static constexpr uint64_t flushBits = uint64_t(1) << 24;
static uint64_t readMode() {
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
static void writeMode(uint64_t mode) {
  __asm__ volatile("msr fpcr, %0" ::"r"(mode));
}
#else
static constexpr uint64_t flushBits = 0;
static uint64_t readMode() { return 0; }
static void writeMode(uint64_t) {}
#endif

FlushDenormals::FlushDenormals() : saved(readMode()) {
  writeMode(saved | flushBits);
}

FlushDenormals::~FlushDenormals() { writeMode(saved); }

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// One loop while it runs; it lives on its caller's stack.
struct ThreadPool::Job {
  explicit Job(const LoopArguments &loop) : loop(loop) {}

  const LoopArguments loop;
  std::atomic<int64_t> next{0};
  /// Workers that hold a pointer to this job; guarded by the pool's mutex.
  int64_t users = 0;
  std::condition_variable idle;
};

/// Whether this thread is inside a body, where a further loop runs inline.
static thread_local bool insideBody = false;

static int64_t processId() {
#if defined(__unix__) || defined(__APPLE__)
  return getpid();
#else
  return 0;
#endif
}

static void pauseBriefly() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

ThreadPool::ThreadPool(int64_t threads) : owner(processId()) {
  workers.reserve(static_cast<size_t>(threads - 1));
  for (int64_t i = 1; i < threads; ++i) {
    try {
      workers.emplace_back([this] { workerMain(); });
    } catch (const std::system_error &) {
      break;
    }
  }
}

ThreadPool::~ThreadPool() {
  if (owner != processId()) {
    // A forked child has no such threads: joining them would never end.
    for (std::thread &worker : workers)
      worker.detach();
    return;
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::drain(Job &job, void *scratch) {
  insideBody = true;
  for (int64_t index = job.next.fetch_add(1); index < job.loop.n;
       index = job.next.fetch_add(1))
    job.loop.body(job.loop.args, index, scratch);
  insideBody = false;
}

void ThreadPool::workerMain() {
  // One loop of a forward call follows the next within microseconds; a
  // short wait without sleeping saves the wake-up.
  constexpr int spins = 2000;
  FlushDenormals flush;
  ScratchBuffer scratch;
  uint64_t seen = 0;
  while (true) {
    for (int i = 0; i < spins && published.load() == seen; ++i)
      pauseBriefly();
    std::unique_lock<std::mutex> lock(mutex);
    wake.wait(lock, [&] { return stopping || !jobs.empty(); });
    if (stopping)
      return;
    seen = published.load();
    Job *job = jobs.front();
    ++job->users;
    lock.unlock();
    // A worker without scratch memory leaves the loop to the others; the
    // caller has reserved its own before it published the loop.
    const bool ready = scratch.reserve(job->loop.scratchBytes);
    if (ready)
      drain(*job, scratch.data());
    lock.lock();
    // No index is left, or this worker cannot help: either way nobody else
    // should start on the loop.
    auto position = std::find(jobs.begin(), jobs.end(), job);
    if (position != jobs.end())
      jobs.erase(position);
    if (--job->users == 0)
      job->idle.notify_all();
  }
}

std::unique_ptr<ScratchBuffer> ThreadPool::takeScratch() {
  std::lock_guard<std::mutex> lock(scratchMutex);
  if (freeScratch.empty())
    return std::make_unique<ScratchBuffer>();
  std::unique_ptr<ScratchBuffer> scratch = std::move(freeScratch.back());
  freeScratch.pop_back();
  return scratch;
}

void ThreadPool::returnScratch(std::unique_ptr<ScratchBuffer> scratch) {
  std::lock_guard<std::mutex> lock(scratchMutex);
  freeScratch.push_back(std::move(scratch));
}

Status ThreadPool::parallelFor(const LoopArguments &loop) {
  try {
    std::unique_ptr<ScratchBuffer> scratch = takeScratch();
    if (!scratch->reserve(loop.scratchBytes)) {
      returnScratch(std::move(scratch));
      return Status::error(HYENA_STATUS_OUT_OF_MEMORY,
                           "no memory for " +
                               std::to_string(loop.scratchBytes) +
                               " bytes of scratch memory of a parallel loop");
    }
    FlushDenormals flush;
    if (insideBody || workers.empty() || loop.n == 1) {
      const bool outer = insideBody;
      insideBody = true;
      for (int64_t index = 0; index < loop.n; ++index)
        loop.body(loop.args, index, scratch->data());
      insideBody = outer;
      returnScratch(std::move(scratch));
      return Status();
    }
    Job job(loop);
    {
      std::lock_guard<std::mutex> lock(mutex);
      jobs.push_back(&job);
      published.fetch_add(1);
    }
    if (loop.n == 2)
      wake.notify_one();
    else
      wake.notify_all();
    drain(job, scratch->data());
    {
      std::unique_lock<std::mutex> lock(mutex);
      auto position = std::find(jobs.begin(), jobs.end(), &job);
      if (position != jobs.end())
        jobs.erase(position);
      job.idle.wait(lock, [&] { return job.users == 0; });
    }
    returnScratch(std::move(scratch));
    return Status();
  } catch (const std::bad_alloc &) {
    return Status::error(HYENA_STATUS_OUT_OF_MEMORY,
                         "no memory to start a parallel loop");
  }
}

} // namespace hyena::rt
