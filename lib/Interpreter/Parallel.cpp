//===- Parallel.cpp - a loop over threads ---------------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

using namespace hyena::interp;

/// Starting a thread costs about this many operations.
static constexpr double kWorthAThread = 100000;

void hyena::interp::parallelFor(
    unsigned threads, int64_t count, double costPerItem,
    const std::function<std::function<void(int64_t)>()> &makeWorker) {
  if (count <= 0)
    return;
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  double worth = static_cast<double>(count) * costPerItem / kWorthAThread;
  auto useful = static_cast<int64_t>(
      std::min({static_cast<double>(threads), static_cast<double>(count),
                std::max(1.0, worth)}));

  std::atomic<int64_t> next{0};
  auto work = [&] {
    std::function<void(int64_t)> worker = makeWorker();
    for (int64_t i = next++; i < count; i = next++)
      worker(i);
  };
  std::vector<std::thread> helpers;
  for (int64_t i = 1; i < useful; ++i) {
    try {
      helpers.emplace_back(work);
    } catch (const std::system_error &) {
      // No more threads to be had: those that exist do the work.
      break;
    }
  }
  work();
  for (std::thread &helper : helpers)
    helper.join();
}
