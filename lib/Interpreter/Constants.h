//===- Constants.h - attributes as values -----------------------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_INTERPRETER_CONSTANTS_H
#define HYENA_LIB_INTERPRETER_CONSTANTS_H

#include "hyena/Interpreter/Value.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

namespace hyena::interp {

/// The value of the constant `attribute` of type `type`, a scalar or a static
/// tensor. Emits an error at `op` if the attribute is of an unknown form.
mlir::FailureOr<Value> convertAttribute(mlir::Operation *op,
                                        mlir::Attribute attribute,
                                        mlir::Type type);

} // namespace hyena::interp

#endif // HYENA_LIB_INTERPRETER_CONSTANTS_H
