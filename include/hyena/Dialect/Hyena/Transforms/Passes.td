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

def HyenaIsolate : Pass<"hyena-isolate"> {
  let summary = "Give long convolutions the fused form without fusing anything";
  let description = [{
    Every `hyena.fftconv` becomes a `hyena.fused_conv` that reads its input,
    writes its result, and takes in nothing but its skip. Whatever stands around
    it stays. This is the unfused program that a fused one is compared with, and
    `hyena-to-fused=fuse=false` is a pipeline with this pass in place of
    `hyena-fuse`. Numerics do not change.

    Before:

    ```mlir
    func.func @f(%u: tensor<1x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<1x4x8xf32> {
      %y = hyena.fftconv %u, %h
          : (tensor<1x4x8xf32>, tensor<4x8xf32>) -> tensor<1x4x8xf32>
      return %y : tensor<1x4x8xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%u: tensor<1x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<1x4x8xf32> {
      %y = hyena.fused_conv ins(%u : tensor<1x4x8xf32>)
          filter(%h : tensor<4x8xf32>)
          accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
          results [affine_map<(b, c, l) -> (b, c, l)>]
          prologue {
          ^bb0(%a: f32):
            hyena.yield %a : f32
          } epilogue {
          ^bb0(%c: f32, %s: f32, %a: f32):
            hyena.yield %c : f32
          } : tensor<1x4x8xf32>
      return %y : tensor<1x4x8xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::hyena::HyenaDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Parameters, plans, layouts
//===----------------------------------------------------------------------===//

def HyenaPlanConv : Pass<"hyena-plan-conv"> {
  let summary = "Choose transforms and pack filters into spectra";
  let dependentDialects = ["::mlir::hyena::HyenaDialect"];
  let options = [
    Option<"lanes", "lanes", "int64_t", "16",
           "Channels that one vector of f32 holds (of f64: half as many)">,
    Option<"maxRadix", "max-radix", "int64_t", "8",
           "Largest factor of a transform that is a power of two">
  ];
}

def HyenaAssignLayout : Pass<"hyena-assign-layout"> {
  let summary = "Lay tensors out as the target reads and writes them";
  let dependentDialects = [
    "::mlir::hyena::HyenaDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"",
           "cpu: channels next to one another; gpu: samples">
  ];
}

def HyenaHoistParams : Pass<"hyena-hoist-params", "::mlir::ModuleOp"> {
  let summary = "Split a function into what parameters decide and the rest";
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // HYENA_DIALECT_HYENA_TRANSFORMS_PASSES_TD
