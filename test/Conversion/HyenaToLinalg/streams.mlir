// Wrong if an operation on streams is lowered to something that is slower or
// other than needed.
// RUN: hyena-opt %s --convert-hyena-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func @blocks
// CHECK-NOT: linalg
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [%{{.*}}, 5, 3] [1, 1, 1]
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 3] [%{{.*}}, 5, 3] [1, 1, 1]
func.func @blocks(%p: tensor<?x5x6xf32>) -> (tensor<?x5x3xf32>, tensor<?x5x3xf32>) {
  %a, %b = hyena.chunk %p : (tensor<?x5x6xf32>) -> (tensor<?x5x3xf32>, tensor<?x5x3xf32>)
  return %a, %b : tensor<?x5x3xf32>, tensor<?x5x3xf32>
}

// -----

// CHECK-LABEL: func @interleaved
// CHECK-NOT: linalg
// CHECK: tensor.extract_slice %{{.*}}[0, 1, 0] [2, 3, 5] [1, 2, 1]
func.func @interleaved(%p: tensor<2x6x5xf32>) -> tensor<2x3x5xf32> {
  %a, %b = hyena.chunk %p {arrangement = #hyena.arrangement<interleaved>,
                           layout = #hyena.layout<channels_first>}
      : (tensor<2x6x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>)
  return %b : tensor<2x3x5xf32>
}

// -----

// CHECK: #[[MAP:.*]] = affine_map<(d0) -> ((d0 floordiv 2) * 4 + d0 mod 2 + 2)>
// CHECK-LABEL: func @per_head
// CHECK: linalg.generic
// CHECK: affine.apply #[[MAP]]
// CHECK: tensor.extract
func.func @per_head(%p: tensor<2x5x8xf32>) -> tensor<2x5x4xf32> {
  %a, %b = hyena.chunk %p {arrangement = #hyena.arrangement<per_head>, heads = 2 : i64}
      : (tensor<2x5x8xf32>) -> (tensor<2x5x4xf32>, tensor<2x5x4xf32>)
  return %b : tensor<2x5x4xf32>
}

// -----

// CHECK: #[[SWAP:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-LABEL: func @transpose
// CHECK: tensor.empty(%{{.*}}) : tensor<?x3x5xf32>
// CHECK: linalg.generic {indexing_maps = [#[[SWAP]],
func.func @transpose(%x: tensor<?x5x3xf32>) -> tensor<?x3x5xf32> {
  %y = hyena.transpose %x : (tensor<?x5x3xf32>) -> tensor<?x3x5xf32>
  return %y : tensor<?x3x5xf32>
}

// -----

// CHECK-LABEL: func @gate
// CHECK: ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %[[C:.*]]: bf16, %{{.*}}: bf16):
// CHECK: %[[WA:.*]] = arith.extf %[[A]] : bf16 to f32
// CHECK: %[[WB:.*]] = arith.extf %[[B]] : bf16 to f32
// CHECK: %[[AB:.*]] = arith.mulf %[[WA]], %[[WB]] : f32
// CHECK: %[[WC:.*]] = arith.extf %[[C]] : bf16 to f32
// CHECK: %[[ABC:.*]] = arith.mulf %[[AB]], %[[WC]] : f32
// CHECK: arith.truncf %[[ABC]] : f32 to bf16
func.func @gate(%a: tensor<2x3xbf16>, %b: tensor<2x3xbf16>, %c: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %y = hyena.gate %a, %b, %c : (tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %y : tensor<2x3xbf16>
}

// -----

// CHECK: #[[CHANNEL:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-LABEL: func @broadcast
// CHECK: linalg.generic {indexing_maps = [#[[CHANNEL]],
func.func @broadcast(%v: tensor<3xf32>, %x: tensor<?x3x5xf32>) -> tensor<?x3x5xf32> {
  %y = hyena.broadcast %v like %x {dims = array<i64: 1>} : (tensor<3xf32>, tensor<?x3x5xf32>) -> tensor<?x3x5xf32>
  return %y : tensor<?x3x5xf32>
}

// -----

// CHECK-LABEL: func @pad_and_truncate
// CHECK: tensor.pad %{{.*}} low[0, 0, 1] high[0, 0, 4]
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 2] [2, 3, 5] [1, 1, 1]
func.func @pad_and_truncate(%x: tensor<2x3x5xf32>) -> (tensor<2x3x10xf32>, tensor<2x3x5xf32>) {
  %p = hyena.pad %x {dim = 2 : i64, low = 1 : i64, high = 4 : i64} : (tensor<2x3x5xf32>) -> tensor<2x3x10xf32>
  %t = hyena.truncate %p {dim = 2 : i64, offset = 2 : i64, length = 5 : i64} : (tensor<2x3x10xf32>) -> tensor<2x3x5xf32>
  return %p, %t : tensor<2x3x10xf32>, tensor<2x3x5xf32>
}

// -----

// CHECK-LABEL: func @flip
// CHECK-SAME: %[[X:.*]]: tensor<2x?xf32>
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %{{.*}}
// CHECK: %[[I:.*]] = linalg.index 1
// CHECK: %[[FROM:.*]] = arith.subi %[[LAST]], %[[I]]
// CHECK: tensor.extract %[[X]][%{{.*}}, %[[FROM]]]
func.func @flip(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %y = hyena.flip %x {dim = 1 : i64} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return %y : tensor<2x?xf32>
}
