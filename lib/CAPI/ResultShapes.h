//===- ResultShapes.h - Extents of results ----------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_CAPI_RESULTSHAPES_H
#define HYENA_LIB_CAPI_RESULTSHAPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <string>
#include <vector>

namespace hyena::capi {

/// Tells the shapes of a function's results for given shapes of its arguments,
/// without the function being run.
class ResultShapes {
public:
  /// Analyses \p function, whose IR stays as it is. False, with a \p message,
  /// if an extent depends on data.
  bool analyse(mlir::func::FuncOp function, std::string &message);

  /// The shapes of all results. \p shapes has one entry per argument.
  std::vector<std::vector<int64_t>>
  get(const std::vector<std::vector<int64_t>> &shapes) const;

private:
  using Shapes = std::vector<std::vector<int64_t>>;
  using Extent = std::function<int64_t(const Shapes &)>;

  Extent extentOf(mlir::Value value, int64_t dim, mlir::OpBuilder &builder);
  Extent evaluate(mlir::Value index, mlir::OpBuilder &builder);
  Extent evaluate(mlir::OpFoldResult index, mlir::OpBuilder &builder);

  std::vector<std::vector<Extent>> extents;
};

} // namespace hyena::capi

#endif // HYENA_LIB_CAPI_RESULTSHAPES_H
