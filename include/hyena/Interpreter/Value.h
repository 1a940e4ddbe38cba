//===- Value.h - what the interpreter computes with -------------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_INTERPRETER_VALUE_H
#define HYENA_INTERPRETER_VALUE_H

#include <complex>
#include <cstdint>
#include <vector>

namespace hyena::interp {

/// How elements are held, whatever their type in the IR.
enum class Kind {
  /// Any float type.
  Real,
  /// A complex number of floats.
  Complex,
  /// An integer of up to 64 bits or an index: sign-extended, but 0 or 1 for i1.
  Integer,
};

/// "real", "complex" or "integer".
const char *kindName(Kind kind);

/// A tensor, or a scalar, which is a tensor of rank 0. Elements are row-major
/// and stand in the vector that belongs to `kind`; the two others are empty.
struct Value {
  Kind kind = Kind::Real;
  std::vector<int64_t> shape;
  std::vector<double> reals;
  std::vector<std::complex<double>> complexes;
  std::vector<int64_t> integers;

  /// Only in a result, and only if Options::timeSamples asks for it: the
  /// dimension that is time, or -1 if all elements are known.
  int64_t sampledDim = -1;
  /// The indices of `sampledDim` at which the elements are known, ascending.
  /// The other elements mean nothing.
  std::vector<int64_t> sampledIndices;

  static Value real(std::vector<int64_t> shape, std::vector<double> elements);
  static Value complex(std::vector<int64_t> shape,
                       std::vector<std::complex<double>> elements);
  static Value integer(std::vector<int64_t> shape,
                       std::vector<int64_t> elements);

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  /// Product of the extents.
  int64_t numElements() const;
};

/// How far a computed value is from the expected one.
struct Difference {
  /// |a - b|_2 / |b|_2, or |a - b|_2 where b is zero everywhere.
  double relativeL2 = 0;
  /// Largest |a - b|.
  double maxAbs = 0;
  /// `maxAbs` over the root mean square of b, or `maxAbs` where that is zero.
  double maxOverRms = 0;
  /// Number of elements that were compared.
  int64_t elements = 0;
};

/// Compares `actual` with `expected` at the elements that `expected` knows. An
/// element that is NaN in one of them alone, or infinite in one of them alone,
/// makes the differences infinite. Shape and kind must be the same, except that
/// reals compare with complex numbers and integers with reals.
Difference compare(const Value &actual, const Value &expected);

} // namespace hyena::interp

#endif // HYENA_INTERPRETER_VALUE_H
