//===- ShapeClasses.h - Which extents of arguments must be equal ----------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_EXECUTION_SHAPECLASSES_H
#define HYENA_LIB_EXECUTION_SHAPECLASSES_H

#include "hyena/Execution/Program.h"

namespace mlir::hyena {

/// Dimensions of a function's arguments that have one extent.
struct ShapeClass {
  /// (argument, dimension), in order.
  SmallVector<std::pair<unsigned, int64_t>> dims;
  /// The extent where it is known, else ShapedType::kDynamic.
  int64_t extent;
};

/// Finds the dynamic extents of arguments that the operations of a function
/// make equal to one another or to a number: those that compiled code takes for
/// granted. The function is left as it is.
std::vector<ShapeClass> findShapeClasses(func::FuncOp function);

/// Checks arguments that fit their types against the classes.
LogicalResult checkShapeClasses(ArrayRef<ShapeClass> classes,
                                ArrayRef<ValueInfo> infos,
                                ArrayRef<Array> arguments, std::string &error);

} // namespace mlir::hyena

#endif // HYENA_LIB_EXECUTION_SHAPECLASSES_H
