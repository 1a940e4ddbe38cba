//===- Passes.td - Passes from hyena to hyena --------------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_DIALECT_HYENA_TRANSFORMS_PASSES_TD
#define HYENA_DIALECT_HYENA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Raise and decompose
//===----------------------------------------------------------------------===//

def HyenaRaise : Pass<"hyena-raise"> {
  let summary = "Turn transforms, slices and products into hyena operations";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::hyena::HyenaDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def HyenaDecompose : Pass<"hyena-decompose"> {
  let summary = "Turn convolutions into transforms, pads and cuts";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::hyena::HyenaDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

def HyenaFuse : Pass<"hyena-fuse"> {
  let summary = "Fuse long convolutions with everything pointwise around them";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::hyena::HyenaDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // HYENA_DIALECT_HYENA_TRANSFORMS_PASSES_TD
