//===- KernelRunner.h - compiles and calls kernels in tests -----*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_UNITTESTS_CODEGEN_KERNELRUNNER_H
#define HYENA_UNITTESTS_CODEGEN_KERNELRUNNER_H

#include "hyena/Codegen/CPUKernels.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mlir::hyena {

/// A dense tensor and the descriptor that the compiled code expects.
template <typename T> class Buffer {
public:
  explicit Buffer(std::vector<int64_t> shape, T fill = T()) : shape(shape) {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    // Guards at both ends show writes outside the tensor.
    storage.assign(count + 2 * guard, T(guardValue));
    std::fill(begin(), begin() + count, fill);
    elements = count;
    descriptor = {reinterpret_cast<int64_t>(storage.data()),
                  reinterpret_cast<int64_t>(begin()), 0};
    descriptor.insert(descriptor.end(), shape.begin(), shape.end());
    int64_t stride = count;
    for (int64_t size : shape)
      descriptor.push_back(stride = size ? stride / size : 0);
  }
  Buffer(const Buffer &) = delete;

  T *begin() { return storage.data() + guard; }
  T *end() { return begin() + elements; }
  T &operator[](int64_t i) { return begin()[i]; }
  int64_t size() const { return elements; }
  /// Element [i, j, k] of a tensor of three dimensions; 0 outside.
  double at(int64_t i, int64_t j, int64_t k) {
    if (i < 0 || j < 0 || k < 0 || i >= shape[0] || j >= shape[1] ||
        k >= shape[2])
      return 0;
    return begin()[(i * shape[1] + j) * shape[2] + k];
  }
  /// True if nothing was written outside.
  bool intact() const {
    for (int64_t i = 0; i < guard; ++i)
      if (storage[i] != T(guardValue) ||
          storage[storage.size() - 1 - i] != T(guardValue))
        return false;
    return true;
  }
  void *argument() { return descriptor.data(); }

private:
  static constexpr int64_t guard = 64;
  static constexpr int guardValue = 77;
  std::vector<int64_t> shape;
  std::vector<T> storage;
  int64_t elements = 0;
  std::vector<int64_t> descriptor;
};

/// A module's packing and convolution kernels, compiled for this machine.
class KernelRunner {
public:
  /// Parses `text`, emits a kernel for each packing (pack0, ...) and fused
  /// convolution (conv0, ...) and compiles them. `error` says what failed.
  KernelRunner(const std::string &text, const CPUKernelOptions &options = {});

  std::string error;
  /// The emitted kernels as text, before lowering.
  std::string emitted;
  std::vector<CPUKernel> packs, convolutions;

  /// Runs items 0..items-1 of kernel `name` with one scratch that is filled
  /// with rubbish before each item.
  void run(const std::string &name, const CPUKernel &kernel, int64_t items,
           std::vector<void *> arguments);
  /// Seconds that one run of all items takes, without filling the scratch.
  double time(const std::string &name, const CPUKernel &kernel, int64_t items,
              std::vector<void *> arguments);

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<ExecutionEngine> engine;
};

} // namespace mlir::hyena

#endif // HYENA_UNITTESTS_CODEGEN_KERNELRUNNER_H
