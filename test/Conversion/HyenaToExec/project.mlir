// Wrong if a layer's layouts or element types are lost on the way to the BLAS.
// RUN: hyena-opt %s --convert-hyena-to-exec --split-input-file | FileCheck %s

// CHECK-LABEL: func @plain
// CHECK-SAME: %[[X:.*]]: tensor<?x5x4xf32>, %[[W:.*]]: tensor<3x4xf32>, %[[B:.*]]: tensor<3xf32>
// CHECK: %[[INIT:.*]] = tensor.empty(%{{.*}}) : tensor<?x5x3xf32>
// CHECK: exec.gemm ins(%[[X]], %[[W]], %[[B]] : {{.*}}) outs(%[[INIT]] : tensor<?x5x3xf32>)
func.func @plain(%x: tensor<?x5x4xf32>, %w: tensor<3x4xf32>, %b: tensor<3xf32>) -> tensor<?x5x3xf32> {
  %y = hyena.project %x, %w bias(%b) : (tensor<?x5x4xf32>, tensor<3x4xf32>, tensor<3xf32>) -> tensor<?x5x3xf32>
  return %y : tensor<?x5x3xf32>
}

// -----

// CHECK-LABEL: func @half
// CHECK: arith.extf %{{.*}} : tensor<2x4xf16> to tensor<2x4xf32>
// CHECK: arith.extf %{{.*}} : tensor<3x4xf16> to tensor<3x4xf32>
// CHECK: exec.gemm {{.*}} -> tensor<2x3xf32>
// CHECK: arith.truncf %{{.*}} : tensor<2x3xf32> to tensor<2x3xf16>
func.func @half(%x: tensor<2x4xf16>, %w: tensor<3x4xf16>) -> tensor<2x3xf16> {
  %y = hyena.project %x, %w : (tensor<2x4xf16>, tensor<3x4xf16>) -> tensor<2x3xf16>
  return %y : tensor<2x3xf16>
}

// -----

// CHECK-LABEL: func @channels_first
// CHECK: %[[X:.*]] = hyena.transpose %{{.*}} : (tensor<?x4x5xf64>) -> tensor<?x5x4xf64>
// CHECK: %[[Y:.*]] = exec.gemm ins(%[[X]], {{.*}} -> tensor<?x5x3xf64>
// CHECK: hyena.transpose %[[Y]] : (tensor<?x5x3xf64>) -> tensor<?x3x5xf64>
func.func @channels_first(%x: tensor<?x4x5xf64>, %w: tensor<3x4xf64>) -> tensor<?x3x5xf64> {
  %y = hyena.project %x, %w {input_layout = #hyena.layout<channels_first>,
                             result_layout = #hyena.layout<channels_first>}
      : (tensor<?x4x5xf64>, tensor<3x4xf64>) -> tensor<?x3x5xf64>
  return %y : tensor<?x3x5xf64>
}
