//===- Passes.td - Passes from hyena to other dialects --------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_CONVERSION_PASSES_TD
#define HYENA_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertHyenaToExec : Pass<"convert-hyena-to-exec", "::mlir::ModuleOp"> {
  let summary = "Turn linear layers, convolutions and packings into exec calls";
  let description = [{
    - `hyena.project` becomes `exec.gemm`. Half-precision operands are widened
      to f32 around it; a `channels_first` side becomes a `hyena.transpose`.
    - a planned `hyena.fused_conv` and a `hyena.pack_filter` become an
      `exec.launch` of a kernel that is generated into the module.

    Numbers: a half-precision layer is summed in f32 and rounded once.
    An unplanned convolution is an error: run `hyena-plan-conv` before.

    Before:

    ```mlir
    func.func @f(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
      %y = hyena.project %x, %w
          : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
      return %y : tensor<2x4xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
      %empty = tensor.empty() : tensor<2x4xf32>
      %y = exec.gemm ins(%x, %w : tensor<2x3xf32>, tensor<4x3xf32>)
                     outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
      return %y : tensor<2x4xf32>
    }
    ```
  }];
  let options = [
    Option<"fma", "fma", "bool", /*default=*/"true",
           "The target has fused multiply-adds">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::hyena::exec::ExecDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ConvertHyenaToLinalg : Pass<"convert-hyena-to-linalg"> {
  let summary = "Turn what stands around the convolutions into linalg";
  let description = [{
    Every operation of the graph level that `convert-hyena-to-exec` leaves
    becomes one or two `linalg.generic` operations, `tensor.pad` or
    `tensor.extract_slice`: the part of a model that does not fuse still runs.

    Numbers: half-precision products are formed in f32 and rounded once;
    `hyena.modal_filter`, `hyena.rfft` and `hyena.irfft` are computed in f64 (the
    transforms as direct sums, since `hyena-raise` is what makes them fast) and
    rounded at the end.

    Before:

    ```mlir
    func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %g = hyena.gate %a, %b
          : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      return %g : tensor<2x3xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(i, j) -> (i, j)>
    func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %empty = tensor.empty() : tensor<2x3xf32>
      %g = linalg.generic
          {indexing_maps = [#map, #map, #map],
           iterator_types = ["parallel", "parallel"]}
          ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>)
          outs(%empty : tensor<2x3xf32>) {
      ^bb0(%x: f32, %y: f32, %out: f32):
        %product = arith.mulf %x, %y : f32
        linalg.yield %product : f32
      } -> tensor<2x3xf32>
      return %g : tensor<2x3xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::complex::ComplexDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // HYENA_CONVERSION_PASSES_TD
