//===- Codelets.h - straight-line butterflies on any lane type --*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small discrete Fourier transforms over a builder's lanes. A lane is whatever
// the builder computes on: a double that is computed at once, or an SSA value
// of a vector type. The builder offers
//
//   using Lane;                       default constructible, copyable
//   Lane add(Lane, Lane); Lane sub(Lane, Lane); Lane mul(Lane, Lane);
//   Lane fma(Lane a, Lane b, Lane c); a * b + c
//   Lane neg(Lane); Lane constant(double);
//
// Multiplications by constants are put off: a term carries its factor until an
// addition can take it as one fused multiply-add. A butterfly with any constant
// twiddle so costs 6 operations, and zeros and signs cost none.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_FFT_CODELETS_H
#define HYENA_FFT_CODELETS_H

#include "hyena/FFT/Plan.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace hyena::fft {

/// `scale * value`; zero if `scale` is 0, and then `value` means nothing.
template <typename Lane> struct Term {
  Lane value{};
  double scale = 0;

  bool isZero() const { return scale == 0; }
};

/// A complex number of two terms.
template <typename Lane> struct ComplexTerm {
  Term<Lane> re;
  Term<Lane> im;
};

/// The two lanes of a complex number.
template <typename Lane> struct ComplexLane {
  Lane re{};
  Lane im{};
};

/// Arithmetic on terms, emitted through `Builder`.
template <typename Builder> class Codelets {
public:
  using Lane = typename Builder::Lane;
  using T = Term<Lane>;
  using Z = ComplexTerm<Lane>;

  explicit Codelets(Builder &builder) : b(builder) {}

  /// The term of a lane.
  static T term(Lane value) { return {value, 1.0}; }
  /// The complex term of two lanes.
  static Z term(ComplexLane<Lane> value) {
    return {term(value.re), term(value.im)};
  }

  /// `factor * a`; nothing is emitted.
  static T scaled(T a, double factor) {
    return {a.value, factor == 0 ? 0 : a.scale * factor};
  }

  /// `a + b` with at most one operation.
  T add(T x, T y) {
    if (x.isZero())
      return y;
    if (y.isZero())
      return x;
    if (sameMagnitude(x.scale, y.scale)) {
      if ((x.scale < 0) == (y.scale < 0))
        return {b.add(x.value, y.value), x.scale};
      // The minuend is the term whose factor is positive.
      if (x.scale > 0)
        return {b.sub(x.value, y.value), x.scale};
      return {b.sub(y.value, x.value), y.scale};
    }
    // The term of factor +-1 keeps its place, so that the sum needs no later
    // multiplication; else the larger factor stays outside, which keeps the
    // inner one below 1.
    bool keepX =
        std::fabs(x.scale) == 1 ||
        (std::fabs(y.scale) != 1 && std::fabs(x.scale) >= std::fabs(y.scale));
    if (!keepX)
      std::swap(x, y);
    return {b.fma(y.value, b.constant(y.scale / x.scale), x.value), x.scale};
  }

  /// `a - b` with at most one operation.
  T sub(T x, T y) { return add(x, scaled(y, -1)); }

  Z add(Z x, Z y) { return {add(x.re, y.re), add(x.im, y.im)}; }
  Z sub(Z x, Z y) { return {sub(x.re, y.re), sub(x.im, y.im)}; }

  /// `x * (c + i s)` with constants.
  Z mul(Z x, Root root) {
    return {add(scaled(x.re, root.cosine), scaled(x.im, -root.sine)),
            add(scaled(x.re, root.sine), scaled(x.im, root.cosine))};
  }

  /// `x * w`, or `x * conj(w)`, with lanes known only at run time.
  Z mul(Z x, ComplexLane<Lane> w, bool conjugate) {
    if (x.re.isZero() && x.im.isZero())
      return x;
    if (x.im.isZero())
      return {{b.mul(x.re.value, w.re), x.re.scale},
              {b.mul(x.re.value, w.im), conjugate ? -x.re.scale : x.re.scale}};
    if (x.re.isZero())
      return {{b.mul(x.im.value, w.im), conjugate ? x.im.scale : -x.im.scale},
              {b.mul(x.im.value, w.re), x.im.scale}};
    if (!sameMagnitude(x.re.scale, x.im.scale))
      x = {term(materialize(x.re)), term(materialize(x.im))};
    double sine = conjugate ? -1 : 1;
    return {sumOfProducts(x.re, w.re, 1, x.im, w.im, -sine),
            sumOfProducts(x.im, w.re, 1, x.re, w.im, sine)};
  }

  /// The lane of a term: a constant, a negation, a multiplication or nothing.
  Lane materialize(T x) {
    if (x.isZero())
      return b.constant(0);
    if (x.scale == 1)
      return x.value;
    if (x.scale == -1)
      return b.neg(x.value);
    return b.mul(x.value, b.constant(x.scale));
  }

  ComplexLane<Lane> materialize(Z x) {
    return {materialize(x.re), materialize(x.im)};
  }

  /// The transform of `x` in place, outputs in natural order:
  /// X[k] = sum_n x[n] exp(-+2 pi i n k / R); unscaled in both directions.
  void dft(std::vector<Z> &x, bool inverse) {
    int64_t radix = static_cast<int64_t>(x.size());
    if (radix == 1)
      return;
    if (radix == 2) {
      Z sum = add(x[0], x[1]);
      x[1] = sub(x[0], x[1]);
      x[0] = sum;
      return;
    }
    int64_t inner = smallestFactor(radix);
    if (inner == radix)
      return primeDft(x, inverse);
    compositeDft(x, inner, radix / inner, inverse);
  }

private:
  static bool sameMagnitude(double x, double y) {
    // Factors that are equal in exact arithmetic differ by rounding only.
    return std::fabs(std::fabs(x) - std::fabs(y)) <= 1e-15 * std::fabs(x);
  }

  static int64_t smallestFactor(int64_t value) {
    for (int64_t factor = 2; factor * factor <= value; ++factor)
      if (value % factor == 0)
        return factor;
    return value;
  }

  /// sx * x * v + sy * y * w for terms of one magnitude; two operations.
  T sumOfProducts(T x, Lane v, double sx, T y, Lane w, double sy) {
    double scaleX = x.scale * sx;
    double scaleY = y.scale * sy;
    Lane product = b.mul(y.value, w);
    if ((scaleX < 0) == (scaleY < 0))
      return {b.fma(x.value, v, product), scaleX};
    if (scaleX > 0)
      return {b.fma(x.value, v, b.neg(product)), scaleX};
    return {b.fma(b.neg(x.value), v, product), scaleY};
  }

  /// outer * inner points by decimation in time, with A = outer, B = inner:
  /// X[k + B l] = sum_a w_A^(a l) w_AB^(a k) sum_b x[a + A b] w_B^(b k).
  void compositeDft(std::vector<Z> &x, int64_t outer, int64_t inner,
                    bool inverse) {
    int64_t radix = outer * inner;
    std::vector<std::vector<Z>> rows(outer, std::vector<Z>(inner));
    for (int64_t a = 0; a < outer; ++a) {
      for (int64_t c = 0; c < inner; ++c)
        rows[a][c] = x[a + outer * c];
      dft(rows[a], inverse);
      for (int64_t k = 0; k < inner; ++k)
        rows[a][k] = mul(rows[a][k], unitRoot(inverse ? a * k : -a * k, radix));
    }
    for (int64_t k = 0; k < inner; ++k) {
      std::vector<Z> column(outer);
      for (int64_t a = 0; a < outer; ++a)
        column[a] = rows[a][k];
      dft(column, inverse);
      for (int64_t l = 0; l < outer; ++l)
        x[k + inner * l] = column[l];
    }
  }

  /// An odd prime R by its symmetry: with t_j = x_j + x_{R-j} and
  /// d_j = x_j - x_{R-j}, X_k = x_0 + sum_j cos(jk) t_j -+ i sum_j sin(jk) d_j.
  void primeDft(std::vector<Z> &x, bool inverse) {
    int64_t radix = static_cast<int64_t>(x.size());
    int64_t half = (radix - 1) / 2;
    std::vector<Z> sums(half + 1), differences(half + 1);
    Z total = x[0];
    for (int64_t j = 1; j <= half; ++j) {
      sums[j] = add(x[j], x[radix - j]);
      differences[j] = sub(x[j], x[radix - j]);
      total = add(total, sums[j]);
    }
    std::vector<Z> result(radix);
    result[0] = total;
    for (int64_t k = 1; k <= half; ++k) {
      Z even = x[0];
      Z odd = {};
      for (int64_t j = 1; j <= half; ++j) {
        Root root = unitRoot(j * k, radix);
        even = add(even, {scaled(sums[j].re, root.cosine),
                          scaled(sums[j].im, root.cosine)});
        odd = add(odd, {scaled(differences[j].re, root.sine),
                        scaled(differences[j].im, root.sine)});
      }
      // i * odd turns the other way in the two directions.
      Z turned = {scaled(odd.im, -1), odd.re};
      result[inverse ? k : radix - k] = add(even, turned);
      result[inverse ? radix - k : k] = sub(even, turned);
    }
    x = std::move(result);
  }

  Builder &b;
};

} // namespace hyena::fft

#endif // HYENA_FFT_CODELETS_H
