//===- Emitter.h - the passes of a plan, through any builder ----*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a plan into loops and butterflies. Besides the arithmetic that
// Codelets.h asks for, the builder offers
//
//   using Index;
//   Index index(int64_t); Index addIndex(Index, Index);
//   Index mulIndex(Index, int64_t);
//   void forLoop(int64_t lower, int64_t upper, F body);    body(Index)
//   Lane loadInput(Index row); void storeOutput(Index row, Lane);
//   ComplexLane<Lane> loadState(Index), void storeState(Index, ComplexLane);
//   ComplexLane<Lane> loadTwiddle(int64_t pass, Index entry);
//   ComplexLane<Lane> loadSpectrum(Index);
//   void storeSpectrum(Index, ComplexLane);
//
// `row` is a sample of the real signal (0..2M-1), the state has M complex
// entries, and a spectrum is indexed by position in the order that the forward
// transform leaves. Loops nest as deep as the plan has passes, depth first, so
// that a block is finished while it is in the cache.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_FFT_EMITTER_H
#define HYENA_FFT_EMITTER_H

#include "hyena/FFT/Codelets.h"
#include "hyena/FFT/Plan.h"

#include <cstdint>
#include <vector>

namespace hyena::fft {

/// Emits the transforms of one plan. Calls may be mixed; each emits its code at
/// the place where the builder stands.
template <typename Builder> class TransformEmitter {
public:
  using Lane = typename Builder::Lane;
  using Index = typename Builder::Index;
  using Z = ComplexTerm<Lane>;

  TransformEmitter(Builder &builder, const Plan &plan)
      : b(builder), codelets(builder), plan(plan), size(plan.size()) {}

  /// The whole convolution: input rows to output rows through the state.
  /// Rows at or beyond `inputs` are zero and are not read if that is known for
  /// a whole butterfly member; rows at or beyond `outputs` need not be stored.
  void convolve(int64_t inputs, int64_t outputs) {
    firstPass(inputs);
    middle(/*withSpectrum=*/true);
    lastPass(outputs);
  }

  /// The forward transform of the input rows, times `scale`, into the spectrum.
  void transform(int64_t inputs, double scale) {
    firstPass(inputs);
    spectrumScale = scale;
    middle(/*withSpectrum=*/false);
  }

  /// Input rows, folded and twisted, through the first butterflies into the
  /// state. Where `inputs` <= M no imaginary part exists and none is computed.
  void firstPass(int64_t inputs) { firstPass(inputs, 0, plan.pass(0).stride); }

  /// The same for butterflies `lower`..`upper`-1 only.
  void firstPass(int64_t inputs, int64_t lower, int64_t upper) {
    Pass pass = plan.pass(0);
    loop(lower, upper, [&](Index n) {
      std::vector<Z> x(pass.radix);
      for (int64_t j = 0; j < pass.radix; ++j) {
        Z sample = {loadRow(n, j * pass.stride, inputs),
                    loadRow(n, j * pass.stride + size, inputs)};
        // exp(i pi (n + j stride) / 2M): the part in n is in the twiddles.
        x[j] = codelets.mul(sample, unitRoot(j, 4 * pass.radix));
      }
      codelets.dft(x, /*inverse=*/false);
      for (int64_t k = 0; k < pass.radix; ++k)
        storeState(n, k * pass.stride,
                   codelets.mul(x[k], twiddle(0, n, k), false));
    });
  }

  /// The state through the last butterflies, untwisted, into output rows.
  /// Where `outputs` <= M only real parts are computed.
  void lastPass(int64_t outputs) {
    Pass pass = plan.pass(0);
    loop(pass.stride, [&](Index n) {
      std::vector<Z> x(pass.radix);
      for (int64_t k = 0; k < pass.radix; ++k)
        x[k] =
            codelets.mul(loadState(n, k * pass.stride), twiddle(0, n, k), true);
      codelets.dft(x, /*inverse=*/true);
      for (int64_t j = 0; j < pass.radix; ++j) {
        Root root = unitRoot(j, 4 * pass.radix);
        int64_t row = j * pass.stride;
        if (row < outputs)
          storeRow(n, row,
                   codelets.add(codelets.scaled(x[j].re, root.cosine),
                                codelets.scaled(x[j].im, root.sine)));
        if (row + size < outputs)
          storeRow(n, row + size,
                   codelets.sub(codelets.scaled(x[j].im, root.cosine),
                                codelets.scaled(x[j].re, root.sine)));
      }
    });
  }

  /// Everything between the first and the last pass, in place in the state.
  /// Without a spectrum to multiply by, the result goes to the spectrum.
  void middle(bool withSpectrum) {
    Pass first = plan.pass(0);
    loop(first.radix,
         [&](Index k) { block(1, b.mulIndex(k, first.stride), withSpectrum); });
  }

private:
  /// One block of pass `level` that starts at `base`, with all below it.
  void block(int64_t level, Index base, bool withSpectrum) {
    Pass pass = plan.pass(level);
    if (level == plan.passes() - 1)
      return leaf(pass, base, withSpectrum);
    loop(pass.stride, [&](Index n) {
      Index at = b.addIndex(base, n);
      std::vector<Z> x(pass.radix);
      for (int64_t j = 0; j < pass.radix; ++j)
        x[j] = loadState(at, j * pass.stride);
      codelets.dft(x, /*inverse=*/false);
      for (int64_t k = 0; k < pass.radix; ++k)
        storeState(at, k * pass.stride,
                   k == 0
                       ? x[k]
                       : codelets.mul(x[k], twiddle(level, n, k - 1), false));
    });
    loop(pass.radix, [&](Index k) {
      block(level + 1, b.addIndex(base, b.mulIndex(k, pass.stride)),
            withSpectrum);
    });
    if (!withSpectrum)
      return;
    loop(pass.stride, [&](Index n) {
      Index at = b.addIndex(base, n);
      std::vector<Z> x(pass.radix);
      for (int64_t k = 0; k < pass.radix; ++k) {
        x[k] = loadState(at, k * pass.stride);
        if (k != 0)
          x[k] = codelets.mul(x[k], twiddle(level, n, k - 1), true);
      }
      codelets.dft(x, /*inverse=*/true);
      for (int64_t j = 0; j < pass.radix; ++j)
        storeState(at, j * pass.stride, x[j]);
    });
  }

  /// Transform, product with the spectrum and inverse, without leaving the
  /// registers.
  void leaf(Pass pass, Index base, bool withSpectrum) {
    std::vector<Z> x(pass.radix);
    for (int64_t j = 0; j < pass.radix; ++j)
      x[j] = loadState(base, j);
    codelets.dft(x, /*inverse=*/false);
    for (int64_t k = 0; k < pass.radix; ++k) {
      Index at = offset(base, k);
      if (withSpectrum) {
        x[k] = codelets.mul(x[k], b.loadSpectrum(at), false);
        continue;
      }
      Z scaled = {codelets.scaled(x[k].re, spectrumScale),
                  codelets.scaled(x[k].im, spectrumScale)};
      b.storeSpectrum(at, codelets.materialize(scaled));
    }
    if (!withSpectrum)
      return;
    codelets.dft(x, /*inverse=*/true);
    for (int64_t j = 0; j < pass.radix; ++j)
      storeState(base, j, x[j]);
  }

  template <typename F> void loop(int64_t count, F body) {
    loop(0, count, body);
  }

  template <typename F> void loop(int64_t lower, int64_t upper, F body) {
    if (upper - lower == 1)
      return body(b.index(lower));
    b.forLoop(lower, upper, body);
  }

  Index offset(Index base, int64_t distance) {
    return distance == 0 ? base : b.addIndex(base, b.index(distance));
  }

  Term<Lane> loadRow(Index n, int64_t distance, int64_t inputs) {
    if (distance >= inputs)
      return {};
    return codelets.term(b.loadInput(offset(n, distance)));
  }

  void storeRow(Index n, int64_t distance, Term<Lane> value) {
    b.storeOutput(offset(n, distance), codelets.materialize(value));
  }

  Z loadState(Index base, int64_t distance) {
    return codelets.term(b.loadState(offset(base, distance)));
  }

  void storeState(Index base, int64_t distance, Z value) {
    b.storeState(offset(base, distance), codelets.materialize(value));
  }

  ComplexLane<Lane> twiddle(int64_t level, Index n, int64_t column) {
    Index row = b.mulIndex(n, plan.twiddlesPerRow(level));
    return b.loadTwiddle(level, offset(row, column));
  }

  Builder &b;
  Codelets<Builder> codelets;
  const Plan &plan;
  int64_t size;
  double spectrumScale = 1;
};

} // namespace hyena::fft

#endif // HYENA_FFT_EMITTER_H
