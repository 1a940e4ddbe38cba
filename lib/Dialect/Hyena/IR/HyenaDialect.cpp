//===- HyenaDialect.cpp - The hyena dialect and its attributes -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Dialect/Hyena/IR/HyenaDialect.h"
#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hyena;

#include "hyena/Dialect/Hyena/IR/HyenaDialect.cpp.inc"
#include "hyena/Dialect/Hyena/IR/HyenaEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "hyena/Dialect/Hyena/IR/HyenaAttrs.cpp.inc"

namespace {
/// Every operation is free of effects and takes only what its operands and
/// regions hold, so that a call of a function of them can be replaced by them.
struct HyenaInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void HyenaDialect::initialize() {
  addInterfaces<HyenaInlinerInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "hyena/Dialect/Hyena/IR/HyenaAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "hyena/Dialect/Hyena/IR/HyenaOps.cpp.inc"
      >();
}

LogicalResult
FFTPlanAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    int64_t length, ArrayRef<int64_t> factors, int64_t lanes) {
  if (length < 1 || length > kMaxExtent)
    return emitError() << "length is " << length << ", expected 1 to "
                       << kMaxExtent;
  if (lanes < 1 || lanes > kMaxExtent)
    return emitError() << "lanes is " << lanes << ", expected 1 to "
                       << kMaxExtent;
  // What is left of the length once the factors are divided out: a product
  // could overflow.
  int64_t left = length;
  for (int64_t factor : factors) {
    if (factor < 1 || left % factor != 0)
      return emitError() << "factors hold " << factor
                         << ", expected a divisor of " << left
                         << ", what the factors before it leave of the length "
                         << length;
    left /= factor;
  }
  if (factors.empty() || left != 1)
    return emitError() << "the product of the factors is " << length / left
                       << ", expected the length " << length;
  return success();
}

LogicalResult HyenaDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attr) {
  if (attr.getName() == kParamAttrName)
    return op->emitOpError() << "carries '" << kParamAttrName
                             << "', which belongs on a function argument";
  return success();
}

LogicalResult HyenaDialect::verifyRegionArgAttribute(Operation *op,
                                                     unsigned regionIndex,
                                                     unsigned argIndex,
                                                     NamedAttribute attr) {
  if (attr.getName() != kParamAttrName)
    return success();
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError()
           << "argument " << argIndex << " carries '" << kParamAttrName
           << "', which belongs on a function argument";
  if (!isa<UnitAttr>(attr.getValue()))
    return op->emitOpError()
           << "argument " << argIndex << ": '" << kParamAttrName << "' is "
           << attr.getValue() << ", expected a unit attribute";
  return success();
}
