// The unfused program would not be unfused, or would lose the skip, the layout
// or the element type of the convolution.
// RUN: hyena-opt %s --hyena-isolate | FileCheck %s

// CHECK-DAG: #[[LAST:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-LABEL: func.func @skip
// CHECK-SAME: %[[U:.*]]: tensor<2x64x4xbf16>, %[[H:.*]]: tensor<4x9xf32>, %[[D:.*]]: tensor<2xf32>, %[[G:.*]]:
// CHECK: %[[Y:.*]] = hyena.fused_conv ins(%[[U]], %[[D]] : tensor<2x64x4xbf16>, tensor<2xf32>)
// CHECK-SAME: filter(%[[H]] : tensor<4x9xf32>)
// CHECK-SAME: accesses [#hyena.access<0, (d0, d1, d2) -> (d0, d2, d1)>, #hyena.access<1, (d0, d1, d2) -> (d1 floordiv 2)>]
// CHECK-SAME: results [#[[LAST]]]
// CHECK-SAME: lag0 = 4
// CHECK-SAME: prologue
// CHECK-NEXT: ^bb0(%[[A:.*]]: bf16, %{{.*}}: f32):
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[A]] : bf16 to f32
// CHECK-NEXT: hyena.yield %[[WIDE]] : f32
// CHECK: ^bb0(%[[C:.*]]: f32, %[[S:.*]]: f32, %{{.*}}: bf16, %[[F:.*]]: f32):
// CHECK-NEXT: %[[TERM:.*]] = arith.mulf %[[F]], %[[S]] : f32
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[C]], %[[TERM]] : f32
// CHECK-NEXT: %[[NARROW:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT: hyena.yield %[[NARROW]] : bf16
// CHECK: hyena.gate %[[Y]], %[[G]]
func.func @skip(%u: tensor<2x64x4xbf16>, %h: tensor<4x9xf32>, %d: tensor<2xf32>, %g: tensor<2x64x4xbf16>) -> tensor<2x64x4xbf16> {
  %y = hyena.fftconv %u, %h skip(%d) {mode = #hyena.conv_mode<noncausal>, lag0 = 4 : i64, layout = #hyena.layout<channels_last>}
    : (tensor<2x64x4xbf16>, tensor<4x9xf32>, tensor<2xf32>) -> tensor<2x64x4xbf16>
  %r = hyena.gate %y, %g : (tensor<2x64x4xbf16>, tensor<2x64x4xbf16>) -> tensor<2x64x4xbf16>
  return %r : tensor<2x64x4xbf16>
}
