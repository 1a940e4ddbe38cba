//===- Staging.h - transposed copies of streams -----------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the times of a channel lie side by side, a vector of channels is
// gathered from as many cache lines as it has lanes, and those often fall into
// one set of the cache. Such a stream is copied to scratch memory first, in
// square blocks that are transposed in registers; a result is written to
// scratch memory and copied out in the same way.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_CODEGEN_STAGING_H
#define HYENA_LIB_CODEGEN_STAGING_H

#include "Access.h"
#include "KernelFunction.h"

#include <memory>

namespace mlir::hyena {

/// The staged streams of one kernel.
class Staging {
public:
  Staging(OpBuilder &builder, Location loc, VectorBuilder &vectors,
          KernelFunction &kernel);

  /// True if a copy of `access`'s stream pays.
  bool isWanted(const Access &access) const;

  /// Copies the stream of `access`, unless an earlier one was of the same
  /// stream, and replaces `access` by one that reads the copy.
  void stageInput(std::unique_ptr<Access> &access);

  /// Replaces `result` by one that writes scratch memory; copyResults() copies
  /// that out.
  void stageResult(std::unique_ptr<Access> &result);
  void copyResults();

private:
  struct Stream {
    std::unique_ptr<Access> access;
    Value rows;
  };

  Value allocate(const Access &access);
  /// An access to `rows` in the place of `access`.
  std::unique_ptr<Access> makeStaged(const Access &access, Value rows);

  OpBuilder &builder;
  Location loc;
  VectorBuilder &vectors;
  KernelFunction &kernel;
  /// The domain of a copy: its lanes are all there are.
  AccessDomain lanesOnly;
  SmallVector<Stream> inputs, results;
};

} // namespace mlir::hyena

#endif // HYENA_LIB_CODEGEN_STAGING_H
