// If this fails, the extents of a result are said to be other ones than it has.
// RUN: hyena-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize --cse \
// RUN:   | FileCheck %s

// CHECK-LABEL: func @project
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x4xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG: %[[L:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK: return %[[B]], %[[C8]], %[[L]]
func.func @project(%x: tensor<?x?x4xf32>, %w: tensor<8x4xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = hyena.project %x, %w {result_layout = #hyena.layout<channels_first>}
      : (tensor<?x?x4xf32>, tensor<8x4xf32>) -> tensor<?x?x?xf32>
  %b = tensor.dim %0, %c0 : tensor<?x?x?xf32>
  %c = tensor.dim %0, %c1 : tensor<?x?x?xf32>
  %l = tensor.dim %0, %c2 : tensor<?x?x?xf32>
  return %b, %c, %l : index, index, index
}

// CHECK-LABEL: func @chunk
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x12xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG: %[[L:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK: return %[[B]], %[[L]], %[[C4]]
func.func @chunk(%x: tensor<?x?x12xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0:3 = hyena.chunk %x
      : (tensor<?x?x12xf32>) -> (tensor<?x?x4xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>)
  %b = tensor.dim %0#0, %c0 : tensor<?x?x4xf32>
  %l = tensor.dim %0#2, %c1 : tensor<?x?x?xf32>
  %c = tensor.dim %0#1, %c2 : tensor<?x?x?xf32>
  return %b, %l, %c : index, index, index
}

// CHECK-LABEL: func @streams
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[V:.*]]: tensor<?xf32>)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK: return %[[N]], %[[M]], %[[N]], %[[N]]
func.func @streams(%x: tensor<?x?xf32>, %v: tensor<?xf32>) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = hyena.transpose %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = hyena.gate %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = hyena.broadcast %v like %x {dims = array<i64: 0>}
      : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = hyena.flip %x {dim = 0 : i64} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %n = tensor.dim %0, %c0 : tensor<?x?xf32>
  %m = tensor.dim %1, %c0 : tensor<?x?xf32>
  %n1 = tensor.dim %2, %c1 : tensor<?x?xf32>
  %n2 = tensor.dim %3, %c1 : tensor<?x?xf32>
  return %n, %m, %n1, %n2 : index, index, index, index
}

// The explicit padding adds 3 + 4 - 2.
// CHECK-LABEL: func @convolutions
// CHECK-SAME: (%[[X:.*]]: tensor<?x4x?xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG: %[[L:.*]] = tensor.dim %[[X]], %[[C2]]
// CHECK-DAG: %[[E:.*]] = arith.addi %[[L]], %[[C5]]
// CHECK: return %[[L]], %[[E]], %[[B]], %[[L]]
func.func @convolutions(%x: tensor<?x4x?xf32>, %w: tensor<4x3xf32>)
    -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = hyena.shortconv %x, %w : (tensor<?x4x?xf32>, tensor<4x3xf32>) -> tensor<?x4x?xf32>
  %1 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 3 : i64,
                               pad_high = 4 : i64}
      : (tensor<?x4x?xf32>, tensor<4x3xf32>) -> tensor<?x4x?xf32>
  %2 = hyena.fftconv %x, %w : (tensor<?x4x?xf32>, tensor<4x3xf32>) -> tensor<?x4x?xf32>
  %l = tensor.dim %0, %c2 : tensor<?x4x?xf32>
  %e = tensor.dim %1, %c2 : tensor<?x4x?xf32>
  %b = tensor.dim %2, %c0 : tensor<?x4x?xf32>
  %l2 = tensor.dim %2, %c2 : tensor<?x4x?xf32>
  return %l, %e, %b, %l2 : index, index, index, index
}

// A type that is written with less than is known.
// CHECK-LABEL: func @decomposed
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C9:.*]] = arith.constant 9 : index
// CHECK-DAG: %[[L:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK-DAG: %[[E:.*]] = arith.addi %[[L]], %[[C3]]
// CHECK: return %[[E]], %[[C5]], %[[C5]], %[[C8]], %[[C9]]
func.func @decomposed(%x: tensor<?x?xf32>, %p: tensor<4x2xf32>)
    -> (index, index, index, index, index) {
  %c1 = arith.constant 1 : index
  %0 = hyena.pad %x {dim = 1 : i64, low = 1 : i64, high = 2 : i64}
      : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = hyena.truncate %x {dim = 1 : i64, length = 5 : i64} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = hyena.rfft %x {n = 8 : i64} : (tensor<?x?xf32>) -> tensor<?x?xcomplex<f32>>
  %3 = hyena.spectral_mul %2, %2
      : (tensor<?x?xcomplex<f32>>, tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  %4 = hyena.irfft %3 {n = 8 : i64} : (tensor<?x?xcomplex<f32>>) -> tensor<?x?xf32>
  %5 = hyena.modal_filter %p, %p {length = 9 : i64}
      : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x?xf32>
  %e0 = tensor.dim %0, %c1 : tensor<?x?xf32>
  %e1 = tensor.dim %1, %c1 : tensor<?x?xf32>
  %e3 = tensor.dim %3, %c1 : tensor<?x?xcomplex<f32>>
  %e4 = tensor.dim %4, %c1 : tensor<?x?xf32>
  %e5 = tensor.dim %5, %c1 : tensor<4x?xf32>
  return %e0, %e1, %e3, %e4, %e5 : index, index, index, index, index
}

// The batch of the second result, the length of the first.
// CHECK-LABEL: func @fused
// CHECK-SAME: (%{{.*}}: tensor<4xf32>, %[[X:.*]]: tensor<?x?x4xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG: %[[L:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK: return %[[L]], %[[B]]
func.func @fused(%d: tensor<4xf32>, %x: tensor<?x?x4xf32>, %h: tensor<4x5xf32>)
    -> (index, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0:2 = hyena.fused_conv ins(%d, %x : tensor<4xf32>, tensor<?x?x4xf32>)
      filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (c)>, #hyena.access<1, (b, c, l) -> (b, l, c)>]
      results [affine_map<(b, c, l) -> (b, c, l)>, affine_map<(b, c, l) -> (b, l, c)>]
  prologue {
  ^bb0(%a0: f32, %a1: f32):
    %1 = arith.mulf %a0, %a1 : f32
    hyena.yield %1 : f32
  } epilogue {
  ^bb0(%y: f32, %u: f32, %a0: f32, %a1: f32):
    hyena.yield %y, %u : f32, f32
  } : tensor<?x4x?xf32>, tensor<?x?x4xf32>
  %l = tensor.dim %0#0, %c2 : tensor<?x4x?xf32>
  %b = tensor.dim %0#1, %c0 : tensor<?x?x4xf32>
  return %l, %b : index, index
}
