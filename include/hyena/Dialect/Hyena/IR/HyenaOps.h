//===- HyenaOps.h - Operations of the hyena dialect -*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_DIALECT_HYENA_IR_HYENAOPS_H
#define HYENA_DIALECT_HYENA_IR_HYENAOPS_H

#include "hyena/Dialect/Hyena/IR/HyenaDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::hyena {

/// Verifies an operation through its own type inference. It stands before the
/// inference interface in an operation's list of traits: the interface would
/// follow the error that names the constraint with a second one that does not.
template <typename ConcreteOp>
class VerifiedByInference
    : public OpTrait::TraitBase<ConcreteOp, VerifiedByInference> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    SmallVector<Type> inferred;
    if (failed(ConcreteOp::inferReturnTypes(
            op->getContext(), op->getLoc(), op->getOperands(),
            op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
            op->getRegions(), inferred)))
      return failure();
    if (ConcreteOp::isCompatibleReturnTypes(inferred, op->getResultTypes()))
      return success();
    return op->emitOpError() << "C0: the result is " << op->getResultTypes()
                             << ", expected " << inferred;
  }
};

} // namespace mlir::hyena

#define GET_OP_CLASSES
#include "hyena/Dialect/Hyena/IR/HyenaOps.h.inc"

namespace mlir::hyena {

/// What the lags of a long convolution need to know of its filter: the part
/// that `hyena.fftconv`, `hyena.fused_conv` and `hyena.pack_filter` share.
struct FilterSpec {
  ConvMode mode;
  TapOrder tapOrder;
  /// Stored taps K of the filter.
  int64_t taps;
  /// Taps J of the filter of the negative lags, 0 where there is none.
  int64_t reverseTaps;
  /// Index of lag 0 in the filter.
  int64_t lag0;

  /// Smallest and largest lag at which the filter acts on a signal of `length`
  /// samples; no lag lies beyond +-(length - 1).
  std::pair<int64_t, int64_t> lagRange(int64_t length) const;

  static FilterSpec get(FFTConvOp op);
  /// The fused operation must still hold its filter.
  static FilterSpec get(FusedConvOp op);
  static FilterSpec get(PackFilterOp op);
};

} // namespace mlir::hyena

#endif // HYENA_DIALECT_HYENA_IR_HYENAOPS_H
