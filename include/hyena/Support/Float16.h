//===- Float16.h - 16-bit floats as bits ------------------------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_SUPPORT_FLOAT16_H
#define HYENA_SUPPORT_FLOAT16_H

#include <cstdint>

namespace hyena::support {

/// The value of an IEEE 754 half-precision number; exact.
double halfToDouble(uint16_t bits);

/// The half-precision number nearest to `value`, ties to even, rounded once.
/// What is too large becomes an infinity, a NaN stays one.
uint16_t doubleToHalf(double value);

/// The value of a bfloat16 number; exact.
double bfloatToDouble(uint16_t bits);

/// The bfloat16 number nearest to `value`, as above.
uint16_t doubleToBfloat(double value);

} // namespace hyena::support

#endif // HYENA_SUPPORT_FLOAT16_H
