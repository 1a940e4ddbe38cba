//===- CastKernels.cpp - conversions between integers and floats ----------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>

namespace hyena::interp {

using namespace mlir;

static uint64_t bitsOf(int64_t value, unsigned width) {
  auto bits = static_cast<uint64_t>(value);
  return width == 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

/// `fn(value, width of the operand)`, wrapped to the result's width.
template <typename Fn> static KernelFactory resize(Fn fn) {
  return [fn](Operation *op) -> Kernel {
    unsigned from = widthOf(op->getOperand(0).getType());
    unsigned to = widthOf(op->getResult(0).getType());
    return [fn, from, to](const KernelArgs &args) {
      for (int64_t k = 0; k < args.count; ++k)
        args.result.integers[k] = wrap(fn(args.integers(0)[k], from), to);
    };
  };
}

static int64_t extendSign(int64_t value, unsigned width) {
  return width == 1 ? -value : value;
}

static int64_t extendZero(int64_t value, unsigned width) {
  return static_cast<int64_t>(bitsOf(value, width));
}

template <bool isSigned> static Kernel toFloatKernel(Operation *op) {
  unsigned width = widthOf(op->getOperand(0).getType());
  return [width](const KernelArgs &args) {
    for (int64_t k = 0; k < args.count; ++k) {
      int64_t value = args.integers(0)[k];
      args.result.re[k] = isSigned
                              ? static_cast<double>(extendSign(value, width))
                              : static_cast<double>(bitsOf(value, width));
    }
  };
}

/// Rounds towards zero. A number that the type does not have is an error.
template <bool isSigned> static Kernel toIntegerKernel(Operation *op) {
  unsigned width = widthOf(op->getResult(0).getType());
  double beyond = std::ldexp(1.0, isSigned ? width - 1 : width);
  double low = isSigned ? -beyond : 0.0;
  return [width, low, beyond](const KernelArgs &args) {
    for (int64_t k = 0; k < args.count; ++k) {
      double value = std::trunc(args.re(0)[k]);
      bool fits = value >= low && value < beyond;
      if (!fits) {
        args.error = "converts " + std::to_string(args.re(0)[k]) +
                     ", which an integer of " + std::to_string(width) +
                     " bits does not hold";
        return;
      }
      int64_t result = isSigned
                           ? static_cast<int64_t>(value)
                           : static_cast<int64_t>(static_cast<uint64_t>(value));
      args.result.integers[k] = wrap(result, width);
    }
  };
}

/// Bits have the width of the type in the IR, so a float is rounded to it.
static Kernel bitcastKernel(Operation *op) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<ComplexType>(from) || isa<ComplexType>(to))
    return nullptr;
  return [from, to](const KernelArgs &args) {
    for (int64_t k = 0; k < args.count; ++k) {
      bool losesInfo;
      llvm::APInt bits(widthOf(from), 0);
      if (auto type = dyn_cast<FloatType>(from)) {
        llvm::APFloat value(args.re(0)[k]);
        value.convert(type.getFloatSemantics(),
                      llvm::APFloat::rmNearestTiesToEven, &losesInfo);
        bits = value.bitcastToAPInt();
      } else {
        bits = llvm::APInt(widthOf(from),
                           bitsOf(args.integers(0)[k], widthOf(from)));
      }
      if (auto type = dyn_cast<FloatType>(to)) {
        llvm::APFloat value(type.getFloatSemantics(), bits);
        value.convert(llvm::APFloat::IEEEdouble(),
                      llvm::APFloat::rmNearestTiesToEven, &losesInfo);
        args.result.re[k] = value.convertToDouble();
      } else {
        args.result.integers[k] =
            wrap(static_cast<int64_t>(bits.getZExtValue()), widthOf(to));
      }
    }
  };
}

void addCastKernels(KernelTable &table) {
  table["arith.extsi"] = resize(extendSign);
  table["arith.extui"] = resize(extendZero);
  table["arith.trunci"] = resize(extendZero);
  table["arith.index_cast"] = resize(extendSign);
  table["arith.index_castui"] = resize(extendZero);
  table["arith.sitofp"] = toFloatKernel<true>;
  table["arith.uitofp"] = toFloatKernel<false>;
  table["arith.fptosi"] = toIntegerKernel<true>;
  table["arith.fptoui"] = toIntegerKernel<false>;
  table["arith.bitcast"] = bitcastKernel;
}

} // namespace hyena::interp
