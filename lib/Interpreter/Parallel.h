//===- Parallel.h - a loop over threads -------------------------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_INTERPRETER_PARALLEL_H
#define HYENA_LIB_INTERPRETER_PARALLEL_H

#include <cstdint>
#include <functional>

namespace hyena::interp {

/// Calls `makeWorker()` once on each thread, and the worker that it returns for
/// the indices 0 ... count - 1, each once, in any order and on any thread.
/// `costPerItem` is the number of operations of one item: little work stays on
/// this thread. `threads` = 0 means one for each processor.
void parallelFor(
    unsigned threads, int64_t count, double costPerItem,
    const std::function<std::function<void(int64_t)>()> &makeWorker);

} // namespace hyena::interp

#endif // HYENA_LIB_INTERPRETER_PARALLEL_H
