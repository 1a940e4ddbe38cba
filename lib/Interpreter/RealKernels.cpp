//===- RealKernels.cpp - operations on floats -----------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <limits>

namespace hyena::interp {

using namespace mlir;

template <typename Fn> static KernelFactory unary(Fn fn) {
  return [fn](Operation *) -> Kernel {
    return [fn](const KernelArgs &args) {
      const double *a = args.re(0);
      double *result = args.result.re.data();
      for (int64_t k = 0; k < args.count; ++k)
        result[k] = fn(a[k]);
    };
  };
}

template <typename Fn> static KernelFactory binary(Fn fn) {
  return [fn](Operation *) -> Kernel {
    return [fn](const KernelArgs &args) {
      const double *a = args.re(0), *b = args.re(1);
      double *result = args.result.re.data();
      for (int64_t k = 0; k < args.count; ++k)
        result[k] = fn(a[k], b[k]);
    };
  };
}

template <typename Fn> static KernelFactory ternary(Fn fn) {
  return [fn](Operation *) -> Kernel {
    return [fn](const KernelArgs &args) {
      const double *a = args.re(0), *b = args.re(1), *c = args.re(2);
      double *result = args.result.re.data();
      for (int64_t k = 0; k < args.count; ++k)
        result[k] = fn(a[k], b[k], c[k]);
    };
  };
}

/// The NaN-propagating maximum of arith.maximumf; -0 is below +0.
static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

static double minimum(double a, double b) { return -maximum(-a, -b); }

static bool compareFloats(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  return false;
}

static Kernel compareKernel(Operation *op) {
  arith::CmpFPredicate predicate = cast<arith::CmpFOp>(op).getPredicate();
  return [predicate](const KernelArgs &args) {
    for (int64_t k = 0; k < args.count; ++k)
      args.result.integers[k] =
          compareFloats(predicate, args.re(0)[k], args.re(1)[k]);
  };
}

template <typename Fn> static KernelFactory classify(Fn fn) {
  return [fn](Operation *) -> Kernel {
    return [fn](const KernelArgs &args) {
      for (int64_t k = 0; k < args.count; ++k)
        args.result.integers[k] = fn(args.re(0)[k]);
    };
  };
}

static Kernel integerPowerKernel(Operation *) {
  return [](const KernelArgs &args) {
    for (int64_t k = 0; k < args.count; ++k)
      args.result.re[k] =
          std::pow(args.re(0)[k], static_cast<double>(args.integers(1)[k]));
  };
}

void addRealKernels(KernelTable &table) {
  auto keep = [](double a) { return a; };
  table["arith.extf"] = unary(keep);
  table["arith.truncf"] = unary(keep);
  table["arith.negf"] = unary([](double a) { return -a; });
  table["arith.addf"] = binary([](double a, double b) { return a + b; });
  table["arith.subf"] = binary([](double a, double b) { return a - b; });
  table["arith.mulf"] = binary([](double a, double b) { return a * b; });
  table["arith.divf"] = binary([](double a, double b) { return a / b; });
  table["arith.remf"] =
      binary([](double a, double b) { return std::fmod(a, b); });
  table["arith.maximumf"] = binary(maximum);
  table["arith.minimumf"] = binary(minimum);
  table["arith.maxnumf"] =
      binary([](double a, double b) { return std::fmax(a, b); });
  table["arith.minnumf"] =
      binary([](double a, double b) { return std::fmin(a, b); });
  table["arith.cmpf"] = compareKernel;

  table["math.absf"] = unary([](double a) { return std::fabs(a); });
  table["math.exp"] = unary([](double a) { return std::exp(a); });
  table["math.exp2"] = unary([](double a) { return std::exp2(a); });
  table["math.expm1"] = unary([](double a) { return std::expm1(a); });
  table["math.log"] = unary([](double a) { return std::log(a); });
  table["math.log2"] = unary([](double a) { return std::log2(a); });
  table["math.log10"] = unary([](double a) { return std::log10(a); });
  table["math.log1p"] = unary([](double a) { return std::log1p(a); });
  table["math.sin"] = unary([](double a) { return std::sin(a); });
  table["math.cos"] = unary([](double a) { return std::cos(a); });
  table["math.tan"] = unary([](double a) { return std::tan(a); });
  table["math.sinh"] = unary([](double a) { return std::sinh(a); });
  table["math.cosh"] = unary([](double a) { return std::cosh(a); });
  table["math.tanh"] = unary([](double a) { return std::tanh(a); });
  table["math.asin"] = unary([](double a) { return std::asin(a); });
  table["math.acos"] = unary([](double a) { return std::acos(a); });
  table["math.atan"] = unary([](double a) { return std::atan(a); });
  table["math.asinh"] = unary([](double a) { return std::asinh(a); });
  table["math.acosh"] = unary([](double a) { return std::acosh(a); });
  table["math.atanh"] = unary([](double a) { return std::atanh(a); });
  table["math.erf"] = unary([](double a) { return std::erf(a); });
  table["math.erfc"] = unary([](double a) { return std::erfc(a); });
  table["math.sqrt"] = unary([](double a) { return std::sqrt(a); });
  table["math.rsqrt"] = unary([](double a) { return 1 / std::sqrt(a); });
  table["math.cbrt"] = unary([](double a) { return std::cbrt(a); });
  table["math.ceil"] = unary([](double a) { return std::ceil(a); });
  table["math.floor"] = unary([](double a) { return std::floor(a); });
  table["math.round"] = unary([](double a) { return std::round(a); });
  // The rounding mode of the process is to nearest, ties to even.
  table["math.roundeven"] = unary([](double a) { return std::nearbyint(a); });
  table["math.trunc"] = unary([](double a) { return std::trunc(a); });
  table["math.powf"] =
      binary([](double a, double b) { return std::pow(a, b); });
  table["math.atan2"] =
      binary([](double a, double b) { return std::atan2(a, b); });
  table["math.copysign"] =
      binary([](double a, double b) { return std::copysign(a, b); });
  table["math.fma"] =
      ternary([](double a, double b, double c) { return std::fma(a, b, c); });
  table["math.clampf"] = ternary([](double a, double low, double high) {
    return minimum(maximum(a, low), high);
  });
  table["math.fpowi"] = integerPowerKernel;
  table["math.isnan"] = classify([](double a) { return std::isnan(a); });
  table["math.isinf"] = classify([](double a) { return std::isinf(a); });
  table["math.isfinite"] = classify([](double a) { return std::isfinite(a); });
}

} // namespace hyena::interp
