// Wrong if a convolution does not run for every channel group and batch, or
// without the scratch memory that its kernel needs.
// RUN: hyena-opt %s --convert-hyena-to-exec | FileCheck %s

#plan = #hyena.fft_plan<length = 8, factors = [4, 2], lanes = 4>

// CHECK-LABEL: func @prepare
// CHECK-DAG: %[[GROUPS:.*]] = arith.constant 2 : index
// CHECK: exec.launch @prepare_pack_filter_0 items(%[[GROUPS]]) scratch {{[0-9]+}} kind "pack_filter" ins(%{{.*}} : tensor<6x8xf32>) outs(%{{.*}} : tensor<2x8x2x4xf32>)
func.func @prepare(%h: tensor<6x8xf32>) -> tensor<2x8x2x4xf32> {
  %s = hyena.pack_filter %h {channels = 6 : i64, signal_length = 8 : i64, plan = #plan}
      : (tensor<6x8xf32>) -> tensor<2x8x2x4xf32>
  return %s : tensor<2x8x2x4xf32>
}

// CHECK-LABEL: func @forward
// CHECK-SAME: %[[X:.*]]: tensor<?x6x8xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[GROUPS:.*]] = arith.constant 2 : index
// CHECK: %[[B:.*]] = tensor.dim %{{.*}}, %[[C0]]
// CHECK: %[[ITEMS:.*]] = arith.muli %[[GROUPS]], %{{.*}}
// CHECK: exec.launch @forward_fused_conv_0 items(%[[ITEMS]]) scratch {{[0-9]+}} kind "fused_conv"
func.func @forward(%x: tensor<?x6x8xf32>, %s: tensor<2x8x2x4xf32>) -> tensor<?x6x8xf32> {
  %y = hyena.fused_conv ins(%x : tensor<?x6x8xf32>) spectrum(%s : tensor<2x8x2x4xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>] {plan = #plan}
      prologue {
      ^bb0(%v: f32):
        hyena.yield %v : f32
      } epilogue {
      ^bb0(%c: f32, %u: f32, %v: f32):
        hyena.yield %c : f32
      } : tensor<?x6x8xf32>
  return %y : tensor<?x6x8xf32>
}

// CHECK: func.func private @prepare_pack_filter_0(%{{.*}}: index, %{{.*}}: memref<?xi8>
// CHECK: func.func private @forward_fused_conv_0(%{{.*}}: index, %{{.*}}: memref<?xi8>
