// Wrong if a transform that was not raised cannot run.
// RUN: hyena-opt %s --convert-hyena-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func @rfft
// CHECK: math.cos %{{.*}} : f64
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK: arith.remui
func.func @rfft(%x: tensor<2x3x5xf32>) -> tensor<2x3x5xcomplex<f32>> {
  %s = hyena.rfft %x {n = 8 : i64} : (tensor<2x3x5xf32>) -> tensor<2x3x5xcomplex<f32>>
  return %s : tensor<2x3x5xcomplex<f32>>
}

// -----

// CHECK: #[[CUT:.*]] = affine_map<()[s0] -> (s0, 8)>
// CHECK-LABEL: func @cut
// CHECK: %[[LENGTH:.*]] = affine.min #[[CUT]]()
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [3, %[[LENGTH]]] [1, 1]
func.func @cut(%x: tensor<3x?xf32>) -> tensor<3x5xcomplex<f32>> {
  %s = hyena.rfft %x {n = 8 : i64} : (tensor<3x?xf32>) -> tensor<3x5xcomplex<f32>>
  return %s : tensor<3x5xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @irfft_even
// CHECK-DAG: arith.constant 1.250000e-01 : f64
// CHECK-DAG: arith.constant 2.500000e-01 : f64
// CHECK: arith.ori
func.func @irfft_even(%s: tensor<3x5xcomplex<f32>>) -> tensor<3x8xf32> {
  %x = hyena.irfft %s {n = 8 : i64} : (tensor<3x5xcomplex<f32>>) -> tensor<3x8xf32>
  return %x : tensor<3x8xf32>
}

// -----

// CHECK-LABEL: func @irfft_odd
// CHECK-NOT: arith.ori
func.func @irfft_odd(%s: tensor<3x4xcomplex<f32>>) -> tensor<3x7xf32> {
  %x = hyena.irfft %s {n = 7 : i64} : (tensor<3x4xcomplex<f32>>) -> tensor<3x7xf32>
  return %x : tensor<3x7xf32>
}

// -----

// CHECK-LABEL: func @grouped
// CHECK: %[[C:.*]] = linalg.index 1
// CHECK: arith.divui %[[C]], %{{.*}}
// CHECK: complex.mul
func.func @grouped(%a: tensor<?x6x5xcomplex<f32>>, %b: tensor<2x5xcomplex<f32>>) -> tensor<?x6x5xcomplex<f32>> {
  %y = hyena.spectral_mul %a, %b : (tensor<?x6x5xcomplex<f32>>, tensor<2x5xcomplex<f32>>) -> tensor<?x6x5xcomplex<f32>>
  return %y : tensor<?x6x5xcomplex<f32>>
}
