//===- Plan.cpp - plans of the right-angle transform ----------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/FFT/Plan.h"

#include "hyena/FFT/Codelets.h"

#include <algorithm>
#include <cmath>

using namespace hyena::fft;

namespace {

constexpr int64_t maximalSize = int64_t(1) << 40;
constexpr int64_t maximalRadix = 16;

/// Counts what the codelets emit; the operands mean nothing.
struct CountingBuilder {
  using Lane = char;
  int64_t count = 0;

  Lane add(Lane, Lane) { return ++count, 0; }
  Lane sub(Lane, Lane) { return ++count, 0; }
  Lane mul(Lane, Lane) { return ++count, 0; }
  Lane fma(Lane, Lane, Lane) { return ++count, 0; }
  Lane neg(Lane) { return 0; }
  Lane constant(double) { return 0; }
};

int64_t butterflyOperations(int64_t radix) {
  CountingBuilder builder;
  Codelets<CountingBuilder> codelets(builder);
  std::vector<ComplexTerm<char>> x(radix, {{0, 1.0}, {0, 1.0}});
  codelets.dft(x, /*inverse=*/false);
  for (ComplexTerm<char> &value : x)
    codelets.materialize(value);
  return builder.count;
}

bool hasOnlySmallPrimes(int64_t value) {
  for (int64_t prime : {2, 3, 5, 7})
    while (value % prime == 0)
      value /= prime;
  return value == 1;
}

/// `text` without what is before the first character that is no space.
std::string_view skipSpaces(std::string_view text) {
  size_t start = text.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ? std::string_view()
                                         : text.substr(start);
}

bool consume(std::string_view &text, std::string_view token) {
  text = skipSpaces(text);
  if (text.substr(0, token.size()) != token)
    return false;
  text.remove_prefix(token.size());
  return true;
}

bool consumeInteger(std::string_view &text, int64_t &value) {
  text = skipSpaces(text);
  size_t digits = 0;
  value = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
    value = value * 10 + (text[digits] - '0');
    if (value > maximalSize)
      return false;
    ++digits;
  }
  text.remove_prefix(digits);
  return digits > 0;
}

} // namespace

Root hyena::fft::unitRoot(int64_t numerator, int64_t denominator) {
  // Reduce to the first eighth of a turn, where cosine >= sine >= 0, so that
  // symmetric angles give the same numbers.
  int64_t rest = numerator % denominator;
  if (rest < 0)
    rest += denominator;
  bool negative = 2 * rest > denominator;
  if (negative)
    rest = denominator - rest;
  bool mirrored = 4 * rest > denominator;
  // The angle is now angle / (2 * denominator) turns.
  int64_t angle = mirrored ? denominator - 2 * rest : 2 * rest;
  bool swapped = 4 * angle > denominator;
  int64_t octant = swapped ? denominator - 2 * angle : 2 * angle;
  const long double pi = 3.141592653589793238462643383279502884L;
  long double radians = pi * static_cast<long double>(octant) /
                        (2 * static_cast<long double>(denominator));
  double cosine = static_cast<double>(std::cos(radians));
  double sine = static_cast<double>(std::sin(radians));
  if (2 * octant == denominator)
    sine = cosine;
  if (swapped)
    std::swap(cosine, sine);
  return {mirrored ? -cosine : cosine, negative ? -sine : sine};
}

std::optional<Plan> Plan::fromFactors(std::vector<int64_t> factors) {
  if (factors.size() < 2)
    return std::nullopt;
  int64_t product = 1;
  for (int64_t factor : factors) {
    if (factor < 1 || factor > maximalRadix || !hasOnlySmallPrimes(factor))
      return std::nullopt;
    product *= factor;
    if (product > maximalSize)
      return std::nullopt;
  }
  Plan plan;
  plan.radices = std::move(factors);
  return plan;
}

std::optional<Plan> Plan::forSize(int64_t size, int64_t maxRadix) {
  if (size < 1 || size > maximalSize)
    return std::nullopt;
  int64_t rest = size;
  std::vector<int64_t> odd;
  for (int64_t factor : {9, 7, 5, 3})
    while (rest % factor == 0) {
      odd.push_back(factor);
      rest /= factor;
    }
  int64_t exponent = 0;
  while (rest % 2 == 0) {
    rest /= 2;
    ++exponent;
  }
  if (rest != 1)
    return std::nullopt;

  // Eights, with fours for what is left over: two fours cost less than an
  // eight and a two.
  std::vector<int64_t> even;
  int64_t step = maxRadix >= 8 ? 3 : 2;
  while (exponent > 0) {
    int64_t bits = std::min(exponent, step);
    if (step == 3 && exponent == 4)
      bits = 2;
    even.push_back(int64_t(1) << bits);
    exponent -= bits;
  }

  // The largest powers of two stand at the two ends: the leaf does two
  // transforms for one round trip to memory, the first pass gains from real
  // input.
  std::sort(even.begin(), even.end());
  Plan plan;
  std::vector<int64_t> &factors = plan.radices;
  int64_t leaf = 1;
  if (!even.empty() && even.size() + odd.size() > 1) {
    leaf = even.back();
    even.pop_back();
  } else if (odd.size() > 1) {
    leaf = odd.front();
    odd.erase(odd.begin());
  }
  if (!even.empty()) {
    factors.push_back(even.back());
    even.pop_back();
  }
  factors.insert(factors.end(), odd.begin(), odd.end());
  factors.insert(factors.end(), even.begin(), even.end());
  if (factors.empty())
    factors.push_back(1);
  factors.push_back(leaf);
  return plan;
}

int64_t Plan::size() const {
  int64_t product = 1;
  for (int64_t factor : radices)
    product *= factor;
  return product;
}

Pass Plan::pass(int64_t index) const {
  int64_t stride = 1;
  for (int64_t i = passes() - 1; i > index; --i)
    stride *= radices[i];
  int64_t radix = radices[index];
  return {radix, radix * stride, stride, size() / (radix * stride)};
}

int64_t Plan::twiddlesPerRow(int64_t index) const {
  if (index == passes() - 1)
    return 0;
  return index == 0 ? radices[index] : radices[index] - 1;
}

std::vector<double> Plan::twiddles(int64_t index) const {
  std::vector<double> table;
  int64_t perRow = twiddlesPerRow(index);
  if (perRow == 0)
    return table;
  Pass shape = pass(index);
  table.reserve(2 * perRow * shape.stride);
  for (int64_t n = 0; n < shape.stride; ++n) {
    for (int64_t column = 0; column < perRow; ++column) {
      Root root = index == 0 ? unitRoot(-n * (4 * column - 1), 4 * shape.size)
                             : unitRoot(-n * (column + 1), shape.size);
      table.push_back(root.cosine);
      table.push_back(root.sine);
    }
  }
  return table;
}

int64_t Plan::frequencyAt(int64_t position) const {
  int64_t frequency = 0;
  int64_t weight = 1;
  int64_t stride = size();
  for (int64_t radix : radices) {
    stride /= radix;
    frequency += (position / stride) * weight;
    position %= stride;
    weight *= radix;
  }
  return frequency;
}

double Plan::cost() const {
  double perPoint = 0;
  for (int64_t index = 0; index < passes(); ++index) {
    double radix = static_cast<double>(radices[index]);
    // Forward and inverse butterflies, the twiddles (the product with the
    // spectrum in the leaf), and the passage through memory, which a cached
    // pass hides half.
    bool isLeaf = index == passes() - 1;
    double twiddle = isLeaf ? 4 : 8;
    double memory = isLeaf ? 3 : 4;
    perPoint +=
        2 * butterflyOperations(radices[index]) / radix + twiddle + memory;
  }
  return perPoint * static_cast<double>(size());
}

std::string Plan::str() const {
  std::string text = "size = " + std::to_string(size()) + ", factors = [";
  for (size_t i = 0; i < radices.size(); ++i)
    text += (i ? ", " : "") + std::to_string(radices[i]);
  return text + "]";
}

std::optional<Plan> Plan::parse(std::string_view text, std::string &error) {
  int64_t size = 0;
  if (!consume(text, "size") || !consume(text, "=") ||
      !consumeInteger(text, size)) {
    error = "expected 'size = N' with N of at most 2^40";
    return std::nullopt;
  }
  if (!consume(text, ",") || !consume(text, "factors") || !consume(text, "=") ||
      !consume(text, "[")) {
    error = "expected ', factors = [' after the size";
    return std::nullopt;
  }
  std::vector<int64_t> factors;
  do {
    int64_t factor = 0;
    if (!consumeInteger(text, factor)) {
      error = "expected a factor";
      return std::nullopt;
    }
    factors.push_back(factor);
  } while (consume(text, ","));
  if (!consume(text, "]") || !skipSpaces(text).empty()) {
    error = "expected ']' after the factors and nothing behind it";
    return std::nullopt;
  }
  std::optional<Plan> plan = fromFactors(std::move(factors));
  if (!plan) {
    error = "expected at least two factors of 1 to 16 without a prime factor "
            "above 7 and a product of at most 2^40";
    return std::nullopt;
  }
  if (plan->size() != size) {
    error = "size is " + std::to_string(size) +
            ", but the product of the factors is " +
            std::to_string(plan->size());
    return std::nullopt;
  }
  return plan;
}

size_t Plan::hash() const {
  size_t seed = radices.size();
  for (int64_t factor : radices)
    seed ^= std::hash<int64_t>()(factor) + 0x9e3779b97f4a7c15ULL + (seed << 6) +
            (seed >> 2);
  return seed;
}

int64_t hyena::fft::minimalSize(int64_t length, int64_t pastTaps,
                                int64_t futureTaps) {
  int64_t past = std::min(pastTaps, length);
  int64_t future = std::min(futureTaps, length - 1);
  int64_t reach = std::max<int64_t>({past - 1, future, 0});
  return (length + reach + 1) / 2;
}

Plan hyena::fft::choosePlan(int64_t minimum, int64_t maxRadix) {
  Plan best;
  double bestCost = 0;
  for (int64_t odd : {1, 3, 5, 7, 9, 15}) {
    int64_t size = odd;
    while (size < minimum)
      size *= 2;
    std::optional<Plan> plan = Plan::forSize(size, maxRadix);
    if (!plan)
      continue;
    double cost = plan->cost();
    if (best.passes() == 0 || cost < bestCost) {
      best = std::move(*plan);
      bestCost = cost;
    }
  }
  return best;
}
