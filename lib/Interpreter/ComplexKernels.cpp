//===- ComplexKernels.cpp - operations on complex numbers -----------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"

#include <cmath>
#include <complex>

namespace hyena::interp {

using namespace mlir;

using Number = std::complex<double>;

static Number operand(const KernelArgs &args, int64_t i, int64_t k) {
  return {args.re(i)[k], args.im(i)[k]};
}

template <typename Fn> static KernelFactory unary(Fn fn) {
  return [fn](Operation *) -> Kernel {
    return [fn](const KernelArgs &args) {
      for (int64_t k = 0; k < args.count; ++k) {
        Number result = fn(operand(args, 0, k));
        args.result.re[k] = result.real();
        args.result.im[k] = result.imag();
      }
    };
  };
}

template <typename Fn> static KernelFactory binary(Fn fn) {
  return [fn](Operation *) -> Kernel {
    return [fn](const KernelArgs &args) {
      for (int64_t k = 0; k < args.count; ++k) {
        Number result = fn(operand(args, 0, k), operand(args, 1, k));
        args.result.re[k] = result.real();
        args.result.im[k] = result.imag();
      }
    };
  };
}

/// A real number of one complex operand.
template <typename Fn> static KernelFactory part(Fn fn) {
  return [fn](Operation *) -> Kernel {
    return [fn](const KernelArgs &args) {
      for (int64_t k = 0; k < args.count; ++k)
        args.result.re[k] = fn(operand(args, 0, k));
    };
  };
}

/// A truth of two complex operands.
template <typename Fn> static KernelFactory relation(Fn fn) {
  return [fn](Operation *) -> Kernel {
    return [fn](const KernelArgs &args) {
      for (int64_t k = 0; k < args.count; ++k)
        args.result.integers[k] = fn(operand(args, 0, k), operand(args, 1, k));
    };
  };
}

static Kernel createKernel(Operation *) {
  return [](const KernelArgs &args) {
    for (int64_t k = 0; k < args.count; ++k) {
      args.result.re[k] = args.re(0)[k];
      args.result.im[k] = args.re(1)[k];
    }
  };
}

/// exp(z) - 1 without the loss of digits near 0:
/// e^x cos y - 1 = expm1(x) cos y - 2 sin^2(y/2).
static Number expMinus1(Number z) {
  double half = std::sin(z.imag() / 2);
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half * half,
          std::exp(z.real()) * std::sin(z.imag())};
}

/// log(1 + z) without the loss of digits near 0:
/// log|1 + z| = log1p(2x + x^2 + y^2) / 2.
static Number logPlus1(Number z) {
  double x = z.real(), y = z.imag();
  return {std::log1p(2 * x + x * x + y * y) / 2, std::atan2(y, 1 + x)};
}

void addComplexKernels(KernelTable &table) {
  table["complex.create"] = createKernel;
  table["complex.re"] = part([](Number a) { return a.real(); });
  table["complex.im"] = part([](Number a) { return a.imag(); });
  table["complex.abs"] = part([](Number a) { return std::abs(a); });
  table["complex.angle"] = part([](Number a) { return std::arg(a); });
  table["complex.add"] = binary([](Number a, Number b) { return a + b; });
  table["complex.sub"] = binary([](Number a, Number b) { return a - b; });
  table["complex.mul"] = binary([](Number a, Number b) { return a * b; });
  table["complex.div"] = binary([](Number a, Number b) { return a / b; });
  table["complex.pow"] =
      binary([](Number a, Number b) { return std::pow(a, b); });
  table["complex.neg"] = unary([](Number a) { return -a; });
  table["complex.conj"] = unary([](Number a) { return std::conj(a); });
  table["complex.exp"] = unary([](Number a) { return std::exp(a); });
  table["complex.expm1"] = unary(expMinus1);
  table["complex.log"] = unary([](Number a) { return std::log(a); });
  table["complex.log1p"] = unary(logPlus1);
  table["complex.sign"] =
      unary([](Number a) { return a == 0.0 ? a : a / std::abs(a); });
  table["complex.sqrt"] = unary([](Number a) { return std::sqrt(a); });
  table["complex.rsqrt"] = unary([](Number a) { return 1.0 / std::sqrt(a); });
  table["complex.sin"] = unary([](Number a) { return std::sin(a); });
  table["complex.cos"] = unary([](Number a) { return std::cos(a); });
  table["complex.tan"] = unary([](Number a) { return std::tan(a); });
  table["complex.tanh"] = unary([](Number a) { return std::tanh(a); });
  table["complex.eq"] = relation([](Number a, Number b) { return a == b; });
  table["complex.neq"] = relation([](Number a, Number b) { return a != b; });
}

} // namespace hyena::interp
