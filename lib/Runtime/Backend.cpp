//===- Backend.cpp - table of device backends -----------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Runtime/Backend.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace hyena::rt {

/// Largest number of threads: beyond it a number is a mistake.
static constexpr int64_t maxThreads = 4096;

const Backend *backendAt(int32_t index) {
  static const Backend *const backends[] = {&cpuBackend()};
  constexpr int32_t count = sizeof(backends) / sizeof(backends[0]);
  return index >= 0 && index < count ? backends[index] : nullptr;
}

const Backend *findBackend(const char *name) {
  for (int32_t i = 0; const Backend *backend = backendAt(i); ++i)
    if (std::strcmp(backend->name, name) == 0)
      return backend;
  return nullptr;
}

std::string backendNames() {
  std::string names;
  for (int32_t i = 0; const Backend *backend = backendAt(i); ++i)
    names += (i ? ", " : "") + std::string(backend->name);
  return names;
}

/// Processors that this process may run on: a container's share, where the
/// system tells it, rather than the whole machine.
static int64_t availableProcessors() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
    return CPU_COUNT(&set);
#endif
  unsigned processors = std::thread::hardware_concurrency();
  return processors ? processors : 1;
}

Status resolveThreadCount(int64_t requested, int64_t &threads) {
  const char *text = nullptr;
  if (requested == HYENA_THREADS_DEFAULT) {
    text = std::getenv("HYENA_NUM_THREADS");
    if (!text) {
      threads = std::min<int64_t>(availableProcessors(), maxThreads);
      return Status();
    }
    char *end = nullptr;
    errno = 0;
    requested = std::strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno)
      requested = 0;
  }
  if (requested >= 1 && requested <= maxThreads) {
    threads = requested;
    return Status();
  }
  std::string found =
      text ? "the environment variable HYENA_NUM_THREADS is '" +
                 std::string(text) + "'"
           : "the number of threads is " + std::to_string(requested);
  return Status::error(HYENA_STATUS_INVALID_ARGUMENT,
                       found + "; it must be a whole number from 1 to " +
                           std::to_string(maxThreads));
}

} // namespace hyena::rt
