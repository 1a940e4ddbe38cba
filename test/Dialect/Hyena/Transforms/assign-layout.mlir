// Wrong if a tensor that only projections and fused convolutions see is not laid
// out for the target, or one that something else sees is.
// RUN: hyena-opt %s --hyena-fuse --hyena-assign-layout --mlir-print-local-scope --split-input-file | FileCheck %s
// RUN: hyena-opt %s --hyena-fuse --hyena-assign-layout=target=gpu --mlir-print-local-scope --split-input-file | FileCheck %s --check-prefix=GPU
// RUN: hyena-opt %s --hyena-fuse --hyena-assign-layout --split-input-file --remarks-filter=hyena-assign-layout -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func @operator
// CHECK: hyena.project %{{.*}} : (tensor<2x64x16xf32>, tensor<32x16xf32>) -> tensor<2x64x32xf32>
// CHECK-NEXT: hyena.fused_conv
// CHECK-SAME: (d0, d2, d1)
// CHECK-SAME: results [affine_map<(d0, d1, d2) -> (d0, d2, d1)>]
// CHECK: } : tensor<2x64x16xf32>
// CHECK-NEXT: hyena.project %{{.*}} : (tensor<2x64x16xf32>, tensor<16x16xf32>)
// GPU-LABEL: func @operator
// GPU: hyena.project %{{.*}} {result_layout = #hyena.layout<channels_first>} : (tensor<2x64x16xf32>, tensor<32x16xf32>) -> tensor<2x32x64xf32>
// GPU-NEXT: hyena.fused_conv
// GPU-SAME: (d0, d1, d2)
// GPU-SAME: results [affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
// GPU: } : tensor<2x16x64xf32>
// GPU-NEXT: hyena.project %{{.*}} {input_layout = #hyena.layout<channels_first>} : (tensor<2x16x64xf32>, tensor<16x16xf32>)
func.func @operator(%x: tensor<2x64x16xf32>, %wi: tensor<32x16xf32>, %wo: tensor<16x16xf32>, %h: tensor<16x64xf32>) -> tensor<2x64x16xf32> {
  %p = hyena.project %x, %wi {result_layout = #hyena.layout<channels_first>} : (tensor<2x64x16xf32>, tensor<32x16xf32>) -> tensor<2x32x64xf32>
  %v, %g = hyena.chunk %p {layout = #hyena.layout<channels_first>} : (tensor<2x32x64xf32>) -> (tensor<2x16x64xf32>, tensor<2x16x64xf32>)
  %y = hyena.fftconv %v, %h : (tensor<2x16x64xf32>, tensor<16x64xf32>) -> tensor<2x16x64xf32>
  %z = hyena.gate %y, %g : (tensor<2x16x64xf32>, tensor<2x16x64xf32>) -> tensor<2x16x64xf32>
  %r = hyena.project %z, %wo {input_layout = #hyena.layout<channels_first>} : (tensor<2x16x64xf32>, tensor<16x16xf32>) -> tensor<2x64x16xf32>
  return %r : tensor<2x64x16xf32>
}

// -----

!s = tensor<2x16x64xf32>

// From one convolution to the next.
// CHECK-LABEL: func @between
// CHECK: hyena.fused_conv
// CHECK: } : tensor<2x64x16xf32>
// CHECK-NEXT: hyena.fused_conv
// CHECK-SAME: accesses [#hyena.access<0, (d0, d1, d2) -> (d0, d2, d1)>]
// GPU-LABEL: func @between
// GPU: } : tensor<2x16x64xf32>
func.func @between(%x: !s, %h: tensor<16x64xf32>) -> !s {
  %a = hyena.fftconv %x, %h : (!s, tensor<16x64xf32>) -> !s
  %b = hyena.fftconv %a, %h : (!s, tensor<16x64xf32>) -> !s
  return %b : !s
}

// -----

!p = tensor<2x64x32xf32>
!r = tensor<2x64x16xf32>

// The rows of the weight and the bias are put stream after stream.
// CHECK-LABEL: func @per_head
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] output_shape [4, 2, 4, 16] : tensor<32x16xf32> into tensor<4x2x4x16xf32>
// CHECK: %[[W:.*]] = tensor.collapse_shape
// CHECK: %[[B:.*]] = tensor.collapse_shape
// CHECK: hyena.project %{{.*}}, %[[W]] bias(%[[B]])
// CHECK: accesses [#hyena.access<0, (d0, d1, d2) -> (d0, d2, d1)>, #hyena.access<0, (d0, d1, d2) -> (d0, d2, d1 + 16)>]
// GPU-LABEL: func @per_head
// GPU-NOT: tensor.expand_shape
// GPU: (d0, d1 + (d1 floordiv 4) * 4, d2)
func.func @per_head(%x: !r, %w: tensor<32x16xf32>, %b: tensor<32xf32>, %h: tensor<16x64xf32>) -> !r {
  %p = hyena.project %x, %w bias(%b) : (!r, tensor<32x16xf32>, tensor<32xf32>) -> !p
  %v, %g = hyena.chunk %p {arrangement = #hyena.arrangement<per_head>, heads = 4} : (!p) -> (!r, !r)
  %y = hyena.fftconv %v, %h {layout = #hyena.layout<channels_last>} : (!r, tensor<16x64xf32>) -> !r
  %z = hyena.gate %y, %g : (!r, !r) -> !r
  return %z : !r
}

// -----

!p = tensor<2x32x64xf32>
!s = tensor<2x16x64xf32>

// The projection is returned too.
// CHECK-LABEL: func @returned
// CHECK: hyena.project %{{.*}} {result_layout = #hyena.layout<channels_first>}
// REMARK: remark: [Missed] layout-kept
// REMARK-SAME: Reason="something other than a fused convolution reads its result"
func.func @returned(%x: tensor<2x64x16xf32>, %w: tensor<32x16xf32>, %h: tensor<16x64xf32>) -> (!s, !p) {
  %p = hyena.project %x, %w {result_layout = #hyena.layout<channels_first>} : (tensor<2x64x16xf32>, tensor<32x16xf32>) -> !p
  %v, %g = hyena.chunk %p {layout = #hyena.layout<channels_first>} : (!p) -> (!s, !s)
  %y = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  return %y, %p : !s, !p
}
