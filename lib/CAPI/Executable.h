//===- Executable.h - What runs a program -----------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_CAPI_EXECUTABLE_H
#define HYENA_LIB_CAPI_EXECUTABLE_H

#include "Values.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>

namespace hyena::capi {

/// What an executable computed from its parameters.
class Prepared {
public:
  virtual ~Prepared() = default;
};

/// A function on one target. Tensors that come in fit the function: number,
/// element types, extents and alignment are checked before. All members may be
/// called from several threads at once.
class Executable {
public:
  virtual ~Executable() = default;

  /// Does the work on parameters alone.
  virtual Outcome prepare(llvm::ArrayRef<HyenaTensor> parameters,
                          std::unique_ptr<Prepared> &prepared) = 0;

  /// Shapes of the results and bytes of working memory of a run on inputs of
  /// these shapes.
  virtual Outcome query(llvm::ArrayRef<HyenaTensor> inputs,
                        std::vector<std::vector<int64_t>> &shapes,
                        int64_t &workspaceBytes) = 0;

  /// Fills \p results.
  virtual Outcome run(const Prepared &prepared,
                      llvm::ArrayRef<HyenaTensor> inputs,
                      llvm::ArrayRef<HyenaTensor> results) = 0;
};

/// The slow reference in double precision. Null with an error in \p outcome.
std::shared_ptr<Executable>
makeInterpreted(std::unique_ptr<mlir::hyena::Source> source,
                llvm::ArrayRef<ValueDescription> arguments, int64_t threads,
                Outcome &outcome);

/// Code for this machine's processor. Null with an error in \p outcome.
std::shared_ptr<Executable>
makeCompiled(std::unique_ptr<mlir::hyena::Source> source,
             llvm::ArrayRef<ValueDescription> arguments, int64_t threads,
             Outcome &outcome);

} // namespace hyena::capi

#endif // HYENA_LIB_CAPI_EXECUTABLE_H
