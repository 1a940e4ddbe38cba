//===- Plan.h - plans of the right-angle transform --------------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan says how one complex transform of length M is split into passes. It is
// plain data: no MLIR, no memory, no target. The same plan drives the code that
// packs a filter's spectrum and the code that convolves with it.
//
// The transform is the "right angle" one: a real negacyclic convolution of
// length 2M is one complex convolution of length M of the folded signal
//
//   z[n] = (x[n] + i x[n + M]) exp(i pi n / 2M),   0 <= n < M.
//
// The real part of the untwisted result holds outputs 0..M-1, the imaginary
// part holds outputs M..2M-1, so nothing is padded to twice its length.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_FFT_PLAN_H
#define HYENA_FFT_PLAN_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyena::fft {

/// The cosine and the sine of one angle.
struct Root {
  double cosine;
  double sine;
};

/// exp(2 pi i numerator / denominator), with exact zeros, exact units and equal
/// magnitudes at odd multiples of an eighth of a turn. `denominator` > 0.
Root unitRoot(int64_t numerator, int64_t denominator);

/// One pass over the state: `blocks` independent blocks of `size` points, each
/// split into `stride` butterflies of `radix` points.
struct Pass {
  /// Points in one butterfly.
  int64_t radix;
  /// Points in one block of this pass: `radix * stride`.
  int64_t size;
  /// Distance in points between the members of a butterfly.
  int64_t stride;
  /// Blocks of this pass in the whole transform: M / size.
  int64_t blocks;
};

/// An ordered factorisation of M. Factor 0 is the first pass (it folds the
/// real rows and applies the right-angle twist), the last factor is the leaf,
/// which transforms, multiplies by the spectrum and transforms back in
/// registers. There are always at least two factors; a leaf of 1 only
/// multiplies.
class Plan {
public:
  Plan() = default;

  /// The plan with exactly these factors, or nothing if there are fewer than
  /// two, if one is outside 1..16 or has a prime factor above 7, or if the
  /// product passes 2^40.
  static std::optional<Plan> fromFactors(std::vector<int64_t> factors);

  /// The default factorisation of `size` with radices of at most `maxRadix`
  /// (4 where sixteen vector registers have to do, else 8; odd factors may
  /// reach 9). Nothing if `size` < 1 or has a prime factor above 7.
  static std::optional<Plan> forSize(int64_t size, int64_t maxRadix = 8);

  /// M, the complex length.
  int64_t size() const;

  /// The factors, outermost pass first; their product is size().
  const std::vector<int64_t> &factors() const { return radices; }

  /// Number of passes, the leaf included.
  int64_t passes() const { return static_cast<int64_t>(radices.size()); }

  /// The shape of pass `index` in 0..passes()-1.
  Pass pass(int64_t index) const;

  /// Number of twiddles in one row of pass `index`'s table: all `radix` of them
  /// in the first pass, `radix - 1` in an inner one (the first is 1), none in
  /// the leaf.
  int64_t twiddlesPerRow(int64_t index) const;

  /// The twiddle table of pass `index` as cosine, sine pairs: `stride` rows of
  /// twiddlesPerRow(index) entries. With N = size and n the row, entry k is
  /// exp(-2 pi i n k / N) in an inner pass (k from 1) and
  /// exp(-2 pi i n (k - 1/4) / N) in the first one (k from 0), which applies
  /// the twist. The inverse uses the conjugates.
  std::vector<double> twiddles(int64_t index) const;

  /// The frequency (0..M-1) that the forward transform leaves at `position`:
  /// the digit reversal of `position` in the mixed radix of the factors.
  int64_t frequencyAt(int64_t position) const;

  /// Estimated arithmetic per transform, in lane operations. Comparable between
  /// plans only.
  double cost() const;

  /// For example `size = 1024, factors = [8, 4, 4, 8]`.
  std::string str() const;

  /// Reads what str() writes, white space free. On failure returns nothing and
  /// says in `error` what is wrong.
  static std::optional<Plan> parse(std::string_view text, std::string &error);

  /// A hash of the factors, stable within one build.
  size_t hash() const;

  bool operator==(const Plan &other) const { return radices == other.radices; }
  bool operator!=(const Plan &other) const { return !(*this == other); }

private:
  std::vector<int64_t> radices;
};

/// Smallest M that makes the negacyclic convolution of length 2M exact for
/// `length` (L) outputs of a filter with `pastTaps` (K) taps at lags 0..K-1 and
/// `futureTaps` (J) taps at lags -1..-J: 2M >= L + max(K - 1, J). Lags outside
/// -(L-1)..L-1 reach no output and are cut off first. `length` >= 1.
int64_t minimalSize(int64_t length, int64_t pastTaps, int64_t futureTaps = 0);

/// The cheapest plan of at least `minimum` points among the sizes
/// 2^a * {1, 3, 5, 7, 9, 15}. `minimum` in 1..2^40.
Plan choosePlan(int64_t minimum, int64_t maxRadix = 8);

} // namespace hyena::fft

template <> struct std::hash<hyena::fft::Plan> {
  size_t operator()(const hyena::fft::Plan &plan) const { return plan.hash(); }
};

#endif // HYENA_FFT_PLAN_H
