//===- Program.h - A graph compiled for the processor ---------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_EXECUTION_PROGRAM_H
#define HYENA_EXECUTION_PROGRAM_H

#include "hyena-c/Runtime.h"
#include "hyena/Execution/Source.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace mlir::hyena {

struct ShapeClass;

/// Memory of the caller. Strides count elements; without them the array is
/// row-major without gaps.
struct Array {
  void *data = nullptr;
  Type elementType;
  SmallVector<int64_t> shape;
  SmallVector<int64_t> strides;
};

/// Bytes of an element in memory.
int64_t getElementBytes(Type type);

/// A form that a program takes on its way.
enum class Stage { Graph, Fused, Exec, LLVM };

/// The stage of this name (`graph`, `fused`, `exec`, `llvm`).
std::optional<Stage> parseStage(StringRef name);

/// The text of a source at a stage, fused or not. The source is left as it is.
LogicalResult printStage(Source &source, Stage stage, bool fuse,
                         llvm::raw_ostream &os, std::string &error);

/// Values of parameters as the program keeps them. It lives as long as its
/// program.
class PackedParameters {
public:
  PackedParameters() = default;
  PackedParameters(const PackedParameters &) = delete;
  PackedParameters &operator=(const PackedParameters &) = delete;
  ~PackedParameters();

private:
  friend class Program;
  HyenaContext *runtime = nullptr;
  std::vector<Array> arrays;
};

/// A function compiled for this processor. One program may be called from
/// several threads at once.
class Program {
public:
  struct Options {
    /// Number of threads; HYENA_THREADS_DEFAULT takes HYENA_NUM_THREADS.
    int64_t threads = HYENA_THREADS_DEFAULT;
    /// Whether to fuse. Without it every convolution stands alone: what a
    /// fused program is compared with.
    bool fuse = true;
  };

  /// A part of the program, as it runs.
  struct Kernel {
    std::string name;
    /// `gemm`, `fused_conv`, `pack_filter` or `loop`.
    std::string kind;
  };

  /// Compiles the entry of `source`, which is used up. On failure returns null
  /// and puts one message with a location into `error`.
  static std::unique_ptr<Program> compile(std::unique_ptr<Source> source,
                                          const Options &options,
                                          std::string &error);
  ~Program();
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  /// The entry's arguments and results, in order.
  ArrayRef<ValueInfo> getArguments() const;
  ArrayRef<ValueInfo> getResults() const;

  /// Computes what depends on parameters alone. `arguments` are all of the
  /// entry's; the data of those that are no parameters is not looked at.
  std::unique_ptr<PackedParameters> prepare(ArrayRef<Array> arguments,
                                            std::string &error);

  /// Shapes of the results and bytes of the workspace for these arguments.
  LogicalResult query(ArrayRef<Array> arguments,
                      const PackedParameters &parameters,
                      SmallVectorImpl<SmallVector<int64_t>> &shapes,
                      int64_t &workspaceBytes, std::string &error);

  /// The same before there are packed parameters; no array needs its data.
  LogicalResult query(ArrayRef<Array> arguments,
                      SmallVectorImpl<SmallVector<int64_t>> &shapes,
                      int64_t &workspaceBytes, std::string &error);

  /// Whether `forward` reads the entry's argument with this index itself: not
  /// every parameter is packed.
  bool forwardReads(int64_t argument) const {
    return llvm::is_contained(forwardFunction.sources, argument);
  }

  /// Runs the program. `arguments` are all of the entry's, parameters included,
  /// with the values that `parameters` was made of; `results` are memory of the
  /// shapes that `query` gives.
  LogicalResult forward(ArrayRef<Array> arguments,
                        const PackedParameters &parameters,
                        ArrayRef<Array> results, std::string &error);

  /// What runs in one forward call, in order.
  ArrayRef<Kernel> getKernels() const { return kernels; }

  /// The runtime context: threads and libraries.
  HyenaContext *getRuntime() { return runtime; }

private:
  /// A compiled function and its query.
  struct Function {
    void (*run)(void **) = nullptr;
    void (*query)(void **) = nullptr;
    SmallVector<RankedTensorType> results;
    /// For each argument the entry's argument that it is, or -1 - i for the
    /// i-th packed parameter.
    SmallVector<int64_t> sources;
  };

  Program();
  bool build(const Options &options, std::string &error);
  bool createEngine(ArrayRef<std::string> called, std::string &error);
  bool lookup(StringRef name, Function &function, std::string &error);
  LogicalResult checkArguments(ArrayRef<Array> arguments, const Function &used,
                               std::string &error) const;
  LogicalResult callQuery(const Function &function, ArrayRef<Array> arguments,
                          SmallVectorImpl<SmallVector<int64_t>> &shapes,
                          int64_t &workspaceBytes, std::string &error) const;
  LogicalResult call(const Function &function, ArrayRef<Array> arguments,
                     ArrayRef<Array> results, int64_t workspaceBytes,
                     std::string &error);
  static SmallVector<Array> selectInputs(const Function &function,
                                         ArrayRef<Array> arguments,
                                         const PackedParameters &parameters);
  void describe(func::FuncOp operation, Function &function) const;

  std::unique_ptr<Source> source;
  std::vector<ShapeClass> shapeClasses;
  HyenaContext *runtime = nullptr;
  std::unique_ptr<ExecutionEngine> engine;
  bool hasPrepare = false;
  Function prepareFunction, forwardFunction;
  std::vector<Kernel> kernels;
  /// Workspaces that no call uses now.
  std::mutex workspaceMutex;
  std::vector<std::pair<void *, int64_t>> freeWorkspaces;
};

} // namespace mlir::hyena

#endif // HYENA_EXECUTION_PROGRAM_H
