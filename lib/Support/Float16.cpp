//===- Float16.cpp - 16-bit floats as bits --------------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Support/Float16.h"

#include <cmath>
#include <limits>

using namespace hyena::support;

namespace {

/// A format with a sign, `exponentBits` and `fractionBits` in 16 bits.
struct Format {
  int exponentBits;
  int fractionBits;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int maxExponent() const { return (1 << exponentBits) - 1; }
};

constexpr Format half = {5, 10};
constexpr Format bfloat = {8, 7};

double widen(Format format, uint16_t bits) {
  int exponent = (bits >> format.fractionBits) & format.maxExponent();
  int fraction = bits & ((1 << format.fractionBits) - 1);
  double magnitude;
  if (exponent == format.maxExponent())
    magnitude = fraction ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, 1 - format.bias() - format.fractionBits);
  else
    magnitude = std::ldexp(fraction + (1 << format.fractionBits),
                           exponent - format.bias() - format.fractionBits);
  return bits >> 15 ? -magnitude : magnitude;
}

uint16_t narrow(Format format, double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  uint16_t infinity = format.maxExponent() << format.fractionBits;
  if (std::isnan(value))
    return sign | infinity | (1 << (format.fractionBits - 1));
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return sign | infinity;
  if (magnitude == 0)
    return sign;
  // The unit in the last place: that of the value's binade, no smaller than
  // that of the subnormal numbers.
  int exponent = std::ilogb(magnitude);
  if (exponent > format.bias())
    return sign | infinity;
  if (exponent < 1 - format.bias())
    exponent = 1 - format.bias();
  double units = std::ldexp(magnitude, format.fractionBits - exponent);
  // Exact, as `units` is below 2^(fractionBits + 1); the mode is nearest even.
  auto rounded = static_cast<uint32_t>(std::nearbyint(units));
  // The leading one, where there is one, adds 1 to the exponent; so does a
  // carry, which may reach infinity.
  uint32_t bits = ((exponent + format.bias() - 1) << format.fractionBits);
  return sign | static_cast<uint16_t>(bits + rounded);
}

} // namespace

double hyena::support::halfToDouble(uint16_t bits) { return widen(half, bits); }

uint16_t hyena::support::doubleToHalf(double value) {
  return narrow(half, value);
}

double hyena::support::bfloatToDouble(uint16_t bits) {
  return widen(bfloat, bits);
}

uint16_t hyena::support::doubleToBfloat(double value) {
  return narrow(bfloat, value);
}
