// Wrong if a short convolution reads the wrong sample or tap, or if a filter's
// powers are computed in single precision.
// RUN: hyena-opt %s --convert-hyena-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func @same
// CHECK-SAME: %[[X:.*]]: tensor<2x4x5xf32>, %[[W:.*]]: tensor<2x3xf32>, %[[BIAS:.*]]: tensor<4xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK: %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 0, 1] high[0, 0, 1]
// CHECK: %[[B:.*]] = linalg.index 0
// CHECK: %[[C:.*]] = linalg.index 1
// CHECK: %[[N:.*]] = linalg.index 2
// CHECK: %[[ROW:.*]] = arith.divui %[[C]], %[[C2]]
// CHECK: tensor.extract %[[BIAS]][%[[C]]]
// CHECK: tensor.extract %[[PADDED]][%[[B]], %[[C]], %[[N]]]
// CHECK: tensor.extract %[[W]][%[[ROW]], %[[C0]]]
// CHECK: %[[N1:.*]] = arith.addi %[[N]], %[[C1]]
// CHECK: tensor.extract %[[PADDED]][%[[B]], %[[C]], %[[N1]]]
// CHECK: tensor.extract %[[W]][%[[ROW]], %[[C1]]]
func.func @same(%x: tensor<2x4x5xf32>, %w: tensor<2x3xf32>, %bias: tensor<4xf32>) -> tensor<2x4x5xf32> {
  %y = hyena.shortconv %x, %w bias(%bias) {padding = #hyena.padding<same>}
      : (tensor<2x4x5xf32>, tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x4x5xf32>
  return %y : tensor<2x4x5xf32>
}

// -----

// CHECK-LABEL: func @lag0_first
// CHECK-DAG: %[[LAST:.*]] = arith.constant 11 : index
// CHECK: tensor.pad %{{.*}} low[0, 11, 0] high[0, 0, 0]
// CHECK: scf.for %[[K:[^ ]*]] =
// CHECK: arith.subi %[[LAST]], %[[K]]
func.func @lag0_first(%x: tensor<2x5x4xf32>, %w: tensor<4x12xf32>) -> tensor<2x5x4xf32> {
  %y = hyena.shortconv %x, %w {tap_order = #hyena.tap_order<lag0_first>,
                               layout = #hyena.layout<channels_last>}
      : (tensor<2x5x4xf32>, tensor<4x12xf32>) -> tensor<2x5x4xf32>
  return %y : tensor<2x5x4xf32>
}

// -----

// CHECK-LABEL: func @explicit
// CHECK: tensor.pad %{{.*}} low[0, 0, 4] high[0, 0, 0]
func.func @explicit(%x: tensor<2x4x5xf32>, %w: tensor<4x3xf32>) -> tensor<2x4x7xf32> {
  %y = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 4 : i64, pad_high = 0 : i64}
      : (tensor<2x4x5xf32>, tensor<4x3xf32>) -> tensor<2x4x7xf32>
  return %y : tensor<2x4x7xf32>
}

// -----

// CHECK-LABEL: func @poles
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: math.powf %{{.*}}, %{{.*}} : f64
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @poles(%p: tensor<3x2xcomplex<f32>>, %r: tensor<3x2xcomplex<f32>>) -> tensor<3x7xf32> {
  %h = hyena.modal_filter %p, %r {length = 7 : i64} : (tensor<3x2xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<3x7xf32>
  return %h : tensor<3x7xf32>
}

// -----

// CHECK-LABEL: func @log_poles
// CHECK: math.exp %{{.*}} : f64
// CHECK-NOT: math.powf
func.func @log_poles(%p: tensor<3x2xf32>, %r: tensor<3x2xf32>) -> tensor<3x7xf32> {
  %h = hyena.modal_filter %p, %r {length = 7 : i64, form = #hyena.modal_form<log_pole>} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x7xf32>
  return %h : tensor<3x7xf32>
}
