//===- Value.cpp - what the interpreter computes with ---------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Interpreter/Value.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace hyena::interp;

const char *hyena::interp::kindName(Kind kind) {
  switch (kind) {
  case Kind::Real:
    return "real";
  case Kind::Complex:
    return "complex";
  case Kind::Integer:
    return "integer";
  }
  return "unknown";
}

Value Value::real(std::vector<int64_t> shape, std::vector<double> elements) {
  Value value;
  value.kind = Kind::Real;
  value.shape = std::move(shape);
  value.reals = std::move(elements);
  return value;
}

Value Value::complex(std::vector<int64_t> shape,
                     std::vector<std::complex<double>> elements) {
  Value value;
  value.kind = Kind::Complex;
  value.shape = std::move(shape);
  value.complexes = std::move(elements);
  return value;
}

Value Value::integer(std::vector<int64_t> shape,
                     std::vector<int64_t> elements) {
  Value value;
  value.kind = Kind::Integer;
  value.shape = std::move(shape);
  value.integers = std::move(elements);
  return value;
}

int64_t Value::numElements() const {
  // The other extents of an empty tensor may have any product.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

namespace {

std::complex<double> elementOf(const Value &value, int64_t index) {
  switch (value.kind) {
  case Kind::Real:
    return value.reals[index];
  case Kind::Complex:
    return value.complexes[index];
  case Kind::Integer:
    return static_cast<double>(value.integers[index]);
  }
  return 0;
}

/// The distance of two numbers; 0 for equal infinities and for two NaNs.
double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  if (!std::isfinite(a) || !std::isfinite(b))
    return std::numeric_limits<double>::infinity();
  return std::fabs(a - b);
}

} // namespace

Difference hyena::interp::compare(const Value &actual, const Value &expected) {
  // Elements in front of and behind the sampled dimension.
  int64_t inner = 1, extent = 1;
  if (expected.sampledDim >= 0) {
    extent = expected.shape[expected.sampledDim];
    for (int64_t d = expected.sampledDim + 1; d < expected.rank(); ++d)
      inner *= expected.shape[d];
  }
  std::vector<bool> known(extent, expected.sampledDim < 0);
  for (int64_t index : expected.sampledIndices)
    known[index] = true;

  Difference result;
  double error = 0, norm = 0;
  for (int64_t i = 0, e = expected.numElements(); i < e; ++i) {
    if (!known[i / inner % extent])
      continue;
    std::complex<double> a = elementOf(actual, i), b = elementOf(expected, i);
    double difference =
        std::hypot(distance(a.real(), b.real()), distance(a.imag(), b.imag()));
    result.maxAbs = std::max(result.maxAbs, difference);
    error += difference * difference;
    if (std::isfinite(b.real()) && std::isfinite(b.imag()))
      norm += std::norm(b);
    ++result.elements;
  }
  result.relativeL2 = std::sqrt(norm > 0 ? error / norm : error);
  double rms = norm > 0 ? std::sqrt(norm / result.elements) : 1;
  result.maxOverRms = result.maxAbs / rms;
  return result;
}
