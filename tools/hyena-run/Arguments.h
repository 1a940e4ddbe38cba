//===- Arguments.h - Arguments from files and seeds -----------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_TOOLS_HYENA_RUN_ARGUMENTS_H
#define HYENA_TOOLS_HYENA_RUN_ARGUMENTS_H

#include "hyena/Execution/Program.h"
#include "hyena/Support/Safetensors.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::hyena::run {

using Tensor = ::hyena::support::Tensor;
using DType = ::hyena::support::DType;

/// The element type of a file that holds values of `type`, or nothing.
std::optional<DType> getDType(Type type);

/// Makes the arguments of a function: those that the file at `path` holds under
/// the argument's name (or `argN`), and random ones for the rest. `extent` is
/// the extent of dynamic dimensions of random arguments. On failure returns
/// nothing and puts one message into `error`; `warning` gets the names of
/// tensors that are no arguments.
std::optional<std::vector<Tensor>>
makeArguments(Source &source, const std::string &path, uint64_t seed,
              int64_t extent, std::string &warning, std::string &error);

/// An uninitialised tensor of a type that a file can hold.
std::optional<Tensor> makeTensor(const ValueInfo &info, ArrayRef<int64_t> shape,
                                 std::string &error);

/// The tensor as memory of a program.
Array makeArray(Tensor &tensor, const ValueInfo &info);

} // namespace mlir::hyena::run

#endif // HYENA_TOOLS_HYENA_RUN_ARGUMENTS_H
