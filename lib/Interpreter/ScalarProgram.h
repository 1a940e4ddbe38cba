//===- ScalarProgram.h - scalar operations over many elements ---*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of scalar operations (the body of a linalg operation, a prologue, an
// epilogue) is compiled once into a list of instructions, each of which works
// on a column of elements at a time.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_INTERPRETER_SCALARPROGRAM_H
#define HYENA_LIB_INTERPRETER_SCALARPROGRAM_H

#include "hyena/Interpreter/Value.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace hyena::interp {

using ValueRef = std::shared_ptr<const Value>;

/// The elements of one register: reals in `re`, complex numbers in `re` and
/// `im`, integers in `integers`.
struct Column {
  std::vector<double> re, im;
  std::vector<int64_t> integers;
};

/// Operands of an instruction.
struct KernelArgs {
  llvm::ArrayRef<const Column *> operands;
  Column &result;
  int64_t count;
  /// Empty, or why the operation has no result.
  std::string &error;

  const double *re(int64_t i) const { return operands[i]->re.data(); }
  const double *im(int64_t i) const { return operands[i]->im.data(); }
  const int64_t *integers(int64_t i) const {
    return operands[i]->integers.data();
  }
};

/// Computes the result column of an operation.
using Kernel = std::function<void(const KernelArgs &)>;

/// Makes the kernel of one operation: what depends on its attributes and types
/// is decided here. Returns null where the operation is of a form that the
/// interpreter does not know.
using KernelFactory = std::function<Kernel(mlir::Operation *)>;

/// Kernels by the name of the operation.
using KernelTable = llvm::StringMap<KernelFactory>;

void addRealKernels(KernelTable &table);
void addIntegerKernels(KernelTable &table);
void addCastKernels(KernelTable &table);
void addComplexKernels(KernelTable &table);

/// The kernel of `op`, or null.
Kernel findKernel(mlir::Operation *op);

/// How elements of `type` (or of a tensor of it) are held; nothing for types
/// that the interpreter does not know, and for integers of more than 64 bits.
std::optional<Kind> kindOf(mlir::Type type);

/// Bits of an integer type, 64 for index.
unsigned widthOf(mlir::Type type);

/// `value` wrapped to an integer type of `width` bits, as Value holds it.
int64_t wrap(int64_t value, unsigned width);

/// The program's registers on one thread.
class Registers;

class ScalarProgram {
public:
  /// Looks up a value that is defined outside of the program.
  using Lookup = llvm::function_ref<ValueRef(mlir::Value)>;

  /// Elements in a column.
  static constexpr int64_t kWidth = 128;

  /// The program of a block: inputs are its arguments, outputs the operands of
  /// its terminator. Emits an error at an operation that it does not know.
  static mlir::FailureOr<ScalarProgram> compile(mlir::Block &block,
                                                Lookup lookup);

  /// The program of one operation with one result.
  static mlir::FailureOr<ScalarProgram> compile(mlir::Operation *op);

  int64_t numInputs() const { return inputs.size(); }
  llvm::ArrayRef<int> getOutputs() const { return outputs; }
  /// Register of input `i`.
  int input(int64_t i) const { return inputs[i]; }
  Kind kindOfRegister(int index) const { return kinds[index]; }
  /// Whether any instruction or output reads input `i`.
  bool isUsed(int64_t i) const { return used[inputs[i]]; }
  /// Pairs of a loop dimension and the register that linalg.index wants it in.
  llvm::ArrayRef<std::pair<int64_t, int>> getIndices() const { return indices; }
  /// Operations per element, for estimates.
  double cost() const { return instructions.size() + inputs.size(); }

private:
  friend class Registers;

  struct Instruction {
    Kernel kernel;
    llvm::SmallVector<int, 3> operands;
    int result;
    mlir::Operation *op;
  };

  int makeRegister(Kind kind);
  mlir::LogicalResult addOperation(mlir::Operation *op,
                                   llvm::DenseMap<mlir::Value, int> &registers,
                                   Lookup lookup);
  /// The register of a value, which may be one from outside.
  mlir::FailureOr<int> registerOf(mlir::Value value, mlir::Operation *user,
                                  llvm::DenseMap<mlir::Value, int> &registers,
                                  Lookup lookup);

  llvm::SmallVector<Kind> kinds;
  std::vector<bool> used;
  llvm::SmallVector<int> inputs, outputs;
  std::vector<Instruction> instructions;
  llvm::SmallVector<std::pair<int64_t, int>> indices;
  /// Registers that hold one scalar in all elements.
  std::vector<std::pair<int, ValueRef>> uniforms;
};

class Registers {
public:
  explicit Registers(const ScalarProgram &program);

  Column &operator[](int index) { return columns[index]; }
  /// Runs the program on the first `count` <= kWidth elements.
  void run(int64_t count);

  /// The first error of any run: its operation and what is wrong.
  mlir::Operation *failedOp() const { return failed; }
  const std::string &error() const { return message; }

private:
  const ScalarProgram &program;
  std::vector<Column> columns;
  mlir::Operation *failed = nullptr;
  std::string message;
};

/// Copies `count` elements of `source`, from `offset` on and `step` apart, into
/// the beginning of a column.
void load(Column &column, const Value &source, int64_t offset, int64_t step,
          int64_t count);

/// The opposite.
void store(const Column &column, Value &destination, int64_t offset,
           int64_t step, int64_t count);

/// Keeps the first error of several threads and emits it at its operation.
class ErrorCollector {
public:
  void collect(const Registers &registers);
  /// Emits the error, if there is one. Of several, which one is not defined.
  mlir::LogicalResult report() const;

private:
  std::mutex mutex;
  mlir::Operation *op = nullptr;
  std::string message;
};

} // namespace hyena::interp

#endif // HYENA_LIB_INTERPRETER_SCALARPROGRAM_H
