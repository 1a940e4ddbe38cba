//===- VectorBuilder.h - the FFT emitter's builder on vectors ---*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the builder that hyena/FFT/Emitter.h asks for with operations of
// arith, vector, memref and scf. A lane is a vector of one element for each of
// `lanes` channels, so no operation crosses lanes; twiddles are scalars that
// are broadcast.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_CODEGEN_VECTORBUILDER_H
#define HYENA_LIB_CODEGEN_VECTORBUILDER_H

#include "hyena/FFT/Emitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace mlir::hyena {

/// Emits arithmetic on vectors and keeps constants in the entry block.
class VectorBuilder {
public:
  using Lane = Value;
  using Index = Value;
  using Complex = ::hyena::fft::ComplexLane<Value>;

  /// Emits at `builder`'s insertion point; constants go to the start of
  /// `entry`, which must dominate every use.
  VectorBuilder(OpBuilder &builder, Location loc, Block *entry,
                FloatType element, int64_t lanes, bool fusedMultiplyAdd)
      : builder(builder), loc(loc), entry(entry), element(element),
        vectorType(VectorType::get({lanes}, element)),
        fusedMultiplyAdd(fusedMultiplyAdd) {}

  VectorType getVectorType() const { return vectorType; }
  FloatType getElementType() const { return element; }
  int64_t getLanes() const { return vectorType.getDimSize(0); }

  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  /// a * b + c.
  Value fma(Value a, Value b, Value c);
  Value neg(Value a);
  Value constant(double value);

  Value index(int64_t value);
  Value addIndex(Value a, Value b);
  Value mulIndex(Value a, int64_t b);

  /// A loop from `lower` to `upper` by one; nothing if it is empty.
  void forLoop(int64_t lower, int64_t upper,
               llvm::function_ref<void(Value)> body) {
    forLoop(lower, upper, 1, body);
  }
  void forLoop(int64_t lower, int64_t upper, int64_t step,
               llvm::function_ref<void(Value)> body);

  /// `rows` as columns: element j of result i is element i of row j. There are
  /// as many rows as lanes, a power of two.
  SmallVector<Value> transpose(SmallVector<Value> rows);

  /// The vector at [row, 0] of a memref of `lanes` columns.
  Value loadRow(Value memref, Value row);
  void storeRow(Value memref, Value row, Value vector);

  Value loadInput(Value row) {
    return makeInput ? makeInput(row) : loadRow(input, row);
  }
  void storeOutput(Value row, Value value) { storeRow(output, row, value); }
  Complex loadState(Value at) { return loadPair(state, {}, at); }
  void storeState(Value at, Complex value) { storePair(state, {}, at, value); }
  Complex loadTwiddle(int64_t pass, Value entry);
  Complex loadSpectrum(Value at) { return loadPair(spectrum, group, at); }
  void storeSpectrum(Value at, Complex value) {
    storePair(spectrum, group, at, value);
  }

  /// Makes the input of a row instead of reading it from `input`, where set.
  std::function<Value(Value row)> makeInput;

  /// Memory of the transforms. Rows are memref<R x lanes>, the state is
  /// memref<M x 2 x lanes>, the spectrum memref<G x M x 2 x lanes> of which
  /// `group` is read, a twiddle table memref<entries x 2>.
  Value input, output, state, spectrum, group;
  SmallVector<Value> twiddles;

private:
  Complex loadPair(Value memref, Value leading, Value at);
  void storePair(Value memref, Value leading, Value at, Complex value);

  OpBuilder &builder;
  Location loc;
  Block *entry;
  FloatType element;
  VectorType vectorType;
  bool fusedMultiplyAdd;
  DenseMap<Attribute, Value> constants;
};

/// Values of `plan`'s twiddle tables in `element`, one for each pass (none for
/// the leaf), read at `builder` from constant globals that are made at the
/// start of `module` where they are missing.
SmallVector<Value> getTwiddleTables(ModuleOp module, OpBuilder &builder,
                                    Location loc,
                                    const ::hyena::fft::Plan &plan,
                                    FloatType element);

} // namespace mlir::hyena

#endif // HYENA_LIB_CODEGEN_VECTORBUILDER_H
