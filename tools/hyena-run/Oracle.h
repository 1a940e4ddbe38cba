//===- Oracle.h - Results that cannot be wrong in the same way ------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_TOOLS_HYENA_RUN_ORACLE_H
#define HYENA_TOOLS_HYENA_RUN_ORACLE_H

#include "Arguments.h"

#include "hyena/Interpreter/Interpreter.h"

namespace mlir::hyena::run {

/// Evaluates the entry in double precision. With a positive `samples`, long
/// convolutions are evaluated at so many times only.
FailureOr<SmallVector<::hyena::interp::Value>>
interpretEntry(Source &source, ArrayRef<Tensor> arguments, int64_t threads,
               int64_t samples, std::string &error);

/// A tensor's numbers for the interpreter, and back in the type of `info`.
::hyena::interp::Value toValue(const Tensor &tensor);
std::optional<Tensor> fromValue(const ::hyena::interp::Value &value,
                                const ValueInfo &info, std::string &error);

} // namespace mlir::hyena::run

#endif // HYENA_TOOLS_HYENA_RUN_ORACLE_H
