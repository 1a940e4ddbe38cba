//===- Interpreter.h - the oracle -------------------------------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a function of a module, slowly and obviously. It is what compiled
// code is compared with, so it shares nothing with the code generators: long
// convolutions are sums over lags and Fourier transforms are sums over samples.
//
// All floats are doubles, whatever their type in the IR: nothing is rounded to
// a narrower type between operations, and `arith.truncf` does nothing. Integers
// wrap at the width of their type.
//
// It knows every operation of the hyena dialect, linalg operations on tensors,
// the arith, math and complex operations on scalars (and elementwise on
// tensors), most tensor operations, func.call, scf.for and scf.if. Extents may
// be dynamic: they are those of the arguments.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_INTERPRETER_INTERPRETER_H
#define HYENA_INTERPRETER_INTERPRETER_H

#include "hyena/Interpreter/Value.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace hyena::interp {

struct Options {
  /// Threads to use; 0 means one for each processor. The results do not depend
  /// on it.
  unsigned threads = 0;

  /// If positive, long convolutions of more samples than this are evaluated at
  /// so many times only, spread evenly from the first to the last. That makes
  /// long signals affordable: the sums of all channels at 64 times of 8192 cost
  /// a sixty-fourth of all of them.
  ///
  /// A convolution of the entry function is sampled if every result of the
  /// function at time n depends on the convolution's at time n alone, which
  /// the operations in between decide (project, gate, chunk, transposes,
  /// elementwise operations, linalg operations with a parallel time loop and so
  /// on). All others are evaluated in full, for example one that feeds another
  /// convolution. Results that depend on a sampled convolution say so in
  /// Value::sampledDim.
  int64_t timeSamples = 0;

  /// No tensor may have more elements than this.
  int64_t maxElements = int64_t(1) << 31;
};

/// Evaluates the function `entry` of `module` for the arguments `args` and
/// returns its results. The module is not changed. On failure there is one
/// diagnostic, at the operation concerned, that says what was found and what is
/// expected: an unknown entry, arguments of another kind, rank or extent, an
/// operation that the interpreter does not know, an index out of bounds,
/// extents that do not fit at run time, a division by zero, a tensor that is
/// too large.
mlir::FailureOr<llvm::SmallVector<Value>>
interpret(mlir::ModuleOp module, llvm::StringRef entry,
          llvm::ArrayRef<Value> args, const Options &options = {});

} // namespace hyena::interp

#endif // HYENA_INTERPRETER_INTERPRETER_H
