//===- Values.h - Arguments and results in C terms --------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_CAPI_VALUES_H
#define HYENA_LIB_CAPI_VALUES_H

#include "hyena-c/Compiler.h"
#include "hyena/Execution/Source.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace hyena::capi {

/// A status and, unless it is HYENA_STATUS_OK, why.
struct Outcome {
  HyenaStatus status = HYENA_STATUS_OK;
  std::string message;

  static Outcome invalid(std::string message) {
    return {HYENA_STATUS_INVALID_ARGUMENT, std::move(message)};
  }
  static Outcome internal(std::string message) {
    return {HYENA_STATUS_INTERNAL, std::move(message)};
  }
  explicit operator bool() const { return status == HYENA_STATUS_OK; }
};

/// An argument or a result: what hyenaProgramArgument tells, owned.
struct ValueDescription {
  std::string name;
  HyenaElementType type;
  std::vector<int64_t> shape;
  bool isParameter;

  HyenaValueInfo info() const {
    return {name.c_str(), type, static_cast<int64_t>(shape.size()),
            shape.data(), isParameter ? 1 : 0};
  }
};

/// The arguments or results of a source. \p outcome says which one has an
/// element type that does not cross the interface.
std::vector<ValueDescription>
describe(llvm::ArrayRef<mlir::hyena::ValueInfo> infos, Outcome &outcome);

/// Bytes of a tensor's elements.
int64_t byteCount(const HyenaTensor &tensor);

/// Whether two tensors share memory.
bool overlap(const HyenaTensor &a, const HyenaTensor &b);

/// `(2, ?, 16)`.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// Checks number, element types, extents and, with \p needsData, memory of the
/// tensors that stand for the values with these indices. \p role is what a
/// message calls one of them.
Outcome checkTensors(llvm::ArrayRef<HyenaTensor> tensors,
                     llvm::ArrayRef<ValueDescription> values,
                     llvm::ArrayRef<size_t> indices, const char *role,
                     bool needsData);

} // namespace hyena::capi

#endif // HYENA_LIB_CAPI_VALUES_H
