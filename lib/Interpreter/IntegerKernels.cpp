//===- IntegerKernels.cpp - operations on integers ------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>

namespace hyena::interp {

using namespace mlir;

/// The bits of `value`, zero-extended.
static uint64_t bitsOf(int64_t value, unsigned width) {
  auto bits = static_cast<uint64_t>(value);
  return width == 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

/// The signed number of `value`: for i1, 1 is held for -1.
static int64_t signedOf(int64_t value, unsigned width) {
  return width == 1 ? -value : value;
}

/// `fn(a, b, width)`, wrapped; operands and result have one type.
template <typename Fn> static KernelFactory binary(Fn fn) {
  return [fn](Operation *op) -> Kernel {
    unsigned width = widthOf(op->getOperand(0).getType());
    return [fn, width](const KernelArgs &args) {
      const int64_t *a = args.integers(0), *b = args.integers(1);
      for (int64_t k = 0; k < args.count; ++k)
        args.result.integers[k] =
            wrap(static_cast<int64_t>(fn(a[k], b[k], width)), width);
    };
  };
}

/// As above, on the bits.
template <typename Fn> static KernelFactory unsignedBinary(Fn fn) {
  return binary([fn](int64_t a, int64_t b, unsigned width) {
    return fn(bitsOf(a, width), bitsOf(b, width));
  });
}

/// As above, on signed numbers.
template <typename Fn> static KernelFactory signedBinary(Fn fn) {
  return binary([fn](int64_t a, int64_t b, unsigned width) {
    return fn(signedOf(a, width), signedOf(b, width));
  });
}

/// A division: `fn(a, b)` on signed numbers, or on the bits. A division by
/// zero, or one whose quotient the type does not have, is an error.
template <bool isSigned, typename Fn> static KernelFactory division(Fn fn) {
  return [fn](Operation *op) -> Kernel {
    unsigned width = widthOf(op->getOperand(0).getType());
    return [fn, width](const KernelArgs &args) {
      for (int64_t k = 0; k < args.count; ++k) {
        int64_t a = args.integers(0)[k], b = args.integers(1)[k];
        if (b == 0) {
          args.error = "divides by zero";
          return;
        }
        int64_t result;
        if constexpr (isSigned) {
          a = signedOf(a, width);
          b = signedOf(b, width);
          if (b == -1 &&
              a == static_cast<int64_t>(uint64_t(-1) << (width - 1))) {
            args.error = "overflows: divides " + std::to_string(a) + " by -1";
            return;
          }
          result = fn(a, b);
        } else {
          result = static_cast<int64_t>(fn(bitsOf(a, width), bitsOf(b, width)));
        }
        args.result.integers[k] = wrap(result, width);
      }
    };
  };
}

/// A shift; one by the width or more is an error.
template <typename Fn> static KernelFactory shift(Fn fn) {
  return [fn](Operation *op) -> Kernel {
    unsigned width = widthOf(op->getOperand(0).getType());
    return [fn, width](const KernelArgs &args) {
      for (int64_t k = 0; k < args.count; ++k) {
        uint64_t amount = bitsOf(args.integers(1)[k], width);
        if (amount >= width) {
          args.error = "shifts by " + std::to_string(amount) +
                       ", expected 0 to " + std::to_string(width - 1);
          return;
        }
        args.result.integers[k] =
            wrap(fn(args.integers(0)[k], amount, width), width);
      }
    };
  };
}

static int64_t floorDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

static int64_t ceilDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) == (b < 0) ? quotient + 1 : quotient;
}

static bool compareIntegers(arith::CmpIPredicate predicate, int64_t a,
                            int64_t b, unsigned width) {
  int64_t signedA = signedOf(a, width), signedB = signedOf(b, width);
  uint64_t bitsA = bitsOf(a, width), bitsB = bitsOf(b, width);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return signedA < signedB;
  case arith::CmpIPredicate::sle:
    return signedA <= signedB;
  case arith::CmpIPredicate::sgt:
    return signedA > signedB;
  case arith::CmpIPredicate::sge:
    return signedA >= signedB;
  case arith::CmpIPredicate::ult:
    return bitsA < bitsB;
  case arith::CmpIPredicate::ule:
    return bitsA <= bitsB;
  case arith::CmpIPredicate::ugt:
    return bitsA > bitsB;
  case arith::CmpIPredicate::uge:
    return bitsA >= bitsB;
  }
  return false;
}

static Kernel compareKernel(Operation *op) {
  arith::CmpIPredicate predicate = cast<arith::CmpIOp>(op).getPredicate();
  unsigned width = widthOf(op->getOperand(0).getType());
  return [predicate, width](const KernelArgs &args) {
    for (int64_t k = 0; k < args.count; ++k)
      args.result.integers[k] = compareIntegers(predicate, args.integers(0)[k],
                                                args.integers(1)[k], width);
  };
}

static Kernel absoluteKernel(Operation *op) {
  unsigned width = widthOf(op->getOperand(0).getType());
  return [width](const KernelArgs &args) {
    for (int64_t k = 0; k < args.count; ++k) {
      int64_t a = signedOf(args.integers(0)[k], width);
      // The smallest number stays itself.
      args.result.integers[k] =
          wrap(static_cast<int64_t>(a < 0 ? 0 - static_cast<uint64_t>(a)
                                          : static_cast<uint64_t>(a)),
               width);
    }
  };
}

static Kernel selectKernel(Operation *op) {
  std::optional<Kind> kind = kindOf(op->getResult(0).getType());
  if (!kind)
    return nullptr;
  return [kind](const KernelArgs &args) {
    for (int64_t k = 0; k < args.count; ++k) {
      const Column &chosen = *args.operands[args.integers(0)[k] ? 1 : 2];
      if (*kind == Kind::Integer)
        args.result.integers[k] = chosen.integers[k];
      else
        args.result.re[k] = chosen.re[k];
      if (*kind == Kind::Complex)
        args.result.im[k] = chosen.im[k];
    }
  };
}

void addIntegerKernels(KernelTable &table) {
  // Unsigned arithmetic wraps where signed arithmetic is undefined.
  table["arith.addi"] =
      unsignedBinary([](uint64_t a, uint64_t b) { return a + b; });
  table["arith.subi"] =
      unsignedBinary([](uint64_t a, uint64_t b) { return a - b; });
  table["arith.muli"] =
      unsignedBinary([](uint64_t a, uint64_t b) { return a * b; });
  table["arith.andi"] =
      unsignedBinary([](uint64_t a, uint64_t b) { return a & b; });
  table["arith.ori"] =
      unsignedBinary([](uint64_t a, uint64_t b) { return a | b; });
  table["arith.xori"] =
      unsignedBinary([](uint64_t a, uint64_t b) { return a ^ b; });
  table["arith.maxui"] =
      unsignedBinary([](uint64_t a, uint64_t b) { return std::max(a, b); });
  table["arith.minui"] =
      unsignedBinary([](uint64_t a, uint64_t b) { return std::min(a, b); });
  table["arith.maxsi"] =
      signedBinary([](int64_t a, int64_t b) { return std::max(a, b); });
  table["arith.minsi"] =
      signedBinary([](int64_t a, int64_t b) { return std::min(a, b); });

  table["arith.divsi"] =
      division<true>([](int64_t a, int64_t b) { return a / b; });
  table["arith.remsi"] =
      division<true>([](int64_t a, int64_t b) { return a % b; });
  table["arith.floordivsi"] = division<true>(floorDivide);
  table["arith.ceildivsi"] = division<true>(ceilDivide);
  table["arith.divui"] =
      division<false>([](uint64_t a, uint64_t b) { return a / b; });
  table["arith.remui"] =
      division<false>([](uint64_t a, uint64_t b) { return a % b; });
  table["arith.ceildivui"] = division<false>(
      [](uint64_t a, uint64_t b) { return a / b + (a % b != 0); });

  table["arith.shli"] = shift([](int64_t a, uint64_t amount, unsigned) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) << amount);
  });
  table["arith.shrsi"] = shift([](int64_t a, uint64_t amount, unsigned width) {
    return signedOf(a, width) >> amount;
  });
  table["arith.shrui"] = shift([](int64_t a, uint64_t amount, unsigned width) {
    return static_cast<int64_t>(bitsOf(a, width) >> amount);
  });
  table["arith.cmpi"] = compareKernel;
  table["arith.select"] = selectKernel;
  table["math.absi"] = absoluteKernel;
}

} // namespace hyena::interp
