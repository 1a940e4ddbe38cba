// If this fails, an operation of the fused level or one of its attributes does
// not survive being printed and parsed again.
// RUN: hyena-opt %s | FileCheck %s
// RUN: hyena-opt %s | hyena-opt | FileCheck %s
// RUN: hyena-opt %s --mlir-print-op-generic | hyena-opt | FileCheck %s

// CHECK-DAG: #[[BLC:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-DAG: #[[BCL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[LBC:.*]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>

// CHECK-LABEL: func @causal
func.func @causal(%p: tensor<?x64x32xf32>, %w: tensor<16x2xf32>, %h: tensor<16x64xf32>)
    -> tensor<?x64x16xf32> {
  // CHECK: hyena.fused_conv ins(%{{.*}}, %{{.*}} : tensor<?x64x32xf32>, tensor<16x2xf32>)
  // CHECK-SAME: filter(%{{.*}} : tensor<16x64xf32>)
  // CHECK-SAME: accesses [#hyena.access<0, (d0, d1, d2) -> (d0, d2, d1)>,
  // CHECK-SAME: #hyena.access<0, (d0, d1, d2) -> (d0, d2 - 1, d1 + 16)>,
  // CHECK-SAME: #hyena.access<0, (d0, d1, d2) -> (d0, d2, d1 + 16)>,
  // CHECK-SAME: #hyena.access<1, (d0, d1, d2) -> (d1, 0)>,
  // CHECK-SAME: #hyena.access<1, (d0, d1, d2) -> (d1, 1)>]
  // CHECK-SAME: results [#[[BLC]]]
  // CHECK-SAME: prologue {
  // CHECK-NEXT: ^bb0(%[[V:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
  // CHECK-NEXT: hyena.yield %[[V]] : f32
  // CHECK-NEXT: } epilogue {
  // CHECK: hyena.yield
  // CHECK-NEXT: } : tensor<?x64x16xf32>
  %y = hyena.fused_conv ins(%p, %w : tensor<?x64x32xf32>, tensor<16x2xf32>)
      filter(%h : tensor<16x64xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, l, c)>,
                #hyena.access<0, (b, c, l) -> (b, l - 1, c + 16)>,
                #hyena.access<0, (b, c, l) -> (b, l, c + 16)>,
                #hyena.access<1, (b, c, l) -> (c, 0)>,
                #hyena.access<1, (b, c, l) -> (c, 1)>]
      results [affine_map<(b, c, l) -> (b, l, c)>]
      prologue {
      ^bb0(%v: f32, %g1: f32, %g0: f32, %w0: f32, %w1: f32):
        hyena.yield %v : f32
      } epilogue {
      ^bb0(%c: f32, %u: f32, %v: f32, %g1: f32, %g0: f32, %w0: f32, %w1: f32):
        %0 = arith.mulf %w0, %g1 : f32
        %1 = arith.mulf %w1, %g0 : f32
        %2 = arith.addf %0, %1 : f32
        %3 = arith.mulf %c, %2 : f32
        hyena.yield %3 : f32
      } : tensor<?x64x16xf32>
  return %y : tensor<?x64x16xf32>
}

// Masks, scalars, grouped weights, two results of different types and layouts,
// a narrow operand beside a wide convolution.
// CHECK-LABEL: func @everything
func.func @everything(%x: tensor<2x8x?xbf16>, %mask: tensor<2x?xf32>, %s: tensor<f32>,
                      %w: tensor<4xf32>, %h: tensor<4x5xf32>, %r: tensor<4x3xf32>)
    -> (tensor<2x8x?xbf16>, tensor<?x2x8xf32>) {
  // CHECK: filter(%{{.*}} : tensor<4x5xf32>) reverse(%{{.*}} : tensor<4x3xf32>)
  // CHECK-SAME: #hyena.access<1, (d0, d1, d2) -> (d0, d2)>
  // CHECK-SAME: #hyena.access<2, (d0, d1, d2) -> ()>
  // CHECK-SAME: #hyena.access<3, (d0, d1, d2) -> (d1 floordiv 2)>
  // CHECK-SAME: results [#[[BCL]], #[[LBC]]]
  // CHECK-SAME: {mode = #hyena.conv_mode<bidirectional>} prologue
  // CHECK: } : tensor<2x8x?xbf16>, tensor<?x2x8xf32>
  %y:2 = hyena.fused_conv
      ins(%x, %mask, %s, %w : tensor<2x8x?xbf16>, tensor<2x?xf32>, tensor<f32>, tensor<4xf32>)
      filter(%h : tensor<4x5xf32>) reverse(%r : tensor<4x3xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>,
                #hyena.access<1, (b, c, l) -> (b, l)>,
                #hyena.access<2, (b, c, l) -> ()>,
                #hyena.access<3, (b, c, l) -> (c floordiv 2)>]
      results [affine_map<(b, c, l) -> (b, c, l)>, affine_map<(b, c, l) -> (l, b, c)>]
      {mode = #hyena.conv_mode<bidirectional>}
      prologue {
      ^bb0(%a: bf16, %m: f32, %k: f32, %g: f32):
        %0 = arith.extf %a : bf16 to f32
        %1 = arith.mulf %0, %m : f32
        hyena.yield %1 : f32
      } epilogue {
      ^bb0(%c: f32, %u: f32, %a: bf16, %m: f32, %k: f32, %g: f32):
        %0 = arith.mulf %u, %g : f32
        %1 = arith.addf %c, %0 : f32
        %2 = arith.mulf %1, %k : f32
        %3 = arith.truncf %2 : f32 to bf16
        hyena.yield %3, %c : bf16, f32
      } : tensor<2x8x?xbf16>, tensor<?x2x8xf32>
  return %y#0, %y#1 : tensor<2x8x?xbf16>, tensor<?x2x8xf32>
}

// CHECK-LABEL: func @modes
func.func @modes(%x: tensor<2x8x6xf64>, %h: tensor<8x5xf64>) -> tensor<2x8x6xf64> {
  // CHECK: {lag0 = 4 : i64, mode = #hyena.conv_mode<circular>} prologue
  %0 = hyena.fused_conv ins(%x : tensor<2x8x6xf64>) filter(%h : tensor<8x5xf64>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
      {mode = #hyena.conv_mode<circular>, lag0 = 4 : i64}
      prologue {
      ^bb0(%a: f64):
        hyena.yield %a : f64
      } epilogue {
      ^bb0(%c: f64, %u: f64, %a: f64):
        hyena.yield %c : f64
      } : tensor<2x8x6xf64>
  // CHECK: {tap_order = #hyena.tap_order<newest_last>} prologue
  %1 = hyena.fused_conv ins(%0 : tensor<2x8x6xf64>) filter(%h : tensor<8x5xf64>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
      {tap_order = #hyena.tap_order<newest_last>}
      prologue {
      ^bb0(%a: f64):
        hyena.yield %a : f64
      } epilogue {
      ^bb0(%c: f64, %u: f64, %a: f64):
        hyena.yield %c : f64
      } : tensor<2x8x6xf64>
  return %1 : tensor<2x8x6xf64>
}

// CHECK-LABEL: func @planned
func.func @planned(%x: tensor<2x20x64xf32>, %h: tensor<20x64xf32>, %r: tensor<20x7xf32>)
    -> tensor<2x20x64xf32> {
  // CHECK: hyena.pack_filter %{{[a-z0-9]+}} reverse(%{{[a-z0-9]+}})
  // CHECK-SAME: {channels = 20 : i64, mode = #hyena.conv_mode<bidirectional>
  // CHECK-SAME: plan = #hyena.fft_plan<length = 64, factors = [8, 8], lanes = 16>, signal_length = 64 : i64}
  // CHECK-SAME: (tensor<20x64xf32>, tensor<20x7xf32>) -> tensor<2x64x2x16xf32>
  %s = hyena.pack_filter %h reverse(%r) {
      channels = 20 : i64, signal_length = 64 : i64, mode = #hyena.conv_mode<bidirectional>,
      plan = #hyena.fft_plan<length = 64, factors = [8, 8], lanes = 16>}
      : (tensor<20x64xf32>, tensor<20x7xf32>) -> tensor<2x64x2x16xf32>
  // CHECK: hyena.pack_filter %{{.*}} {channels = 40 : i64, lag0 = 0 : i64
  %n = hyena.pack_filter %h {
      channels = 40 : i64, signal_length = 64 : i64, mode = #hyena.conv_mode<noncausal>,
      lag0 = 0 : i64, plan = #hyena.fft_plan<length = 64, factors = [64], lanes = 1>}
      : (tensor<20x64xf32>) -> tensor<40x64x2x1xf64>
  // CHECK: spectrum(%{{.*}} : tensor<2x64x2x16xf32>)
  // CHECK-SAME: {plan = #hyena.fft_plan<length = 64, factors = [8, 8], lanes = 16>} prologue
  %y = hyena.fused_conv ins(%x : tensor<2x20x64xf32>) spectrum(%s : tensor<2x64x2x16xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
      {plan = #hyena.fft_plan<length = 64, factors = [8, 8], lanes = 16>}
      prologue {
      ^bb0(%a: f32):
        hyena.yield %a : f32
      } epilogue {
      ^bb0(%c: f32, %u: f32, %a: f32):
        hyena.yield %c : f32
      } : tensor<2x20x64xf32>
  return %y : tensor<2x20x64xf32>
}

// A prologue that needs no operand at all.
// CHECK-LABEL: func @no_inputs
func.func @no_inputs(%h: tensor<8x5xf32>) -> tensor<2x8x6xf32> {
  // CHECK: hyena.fused_conv ins() filter(%{{.*}} : tensor<8x5xf32>) accesses [] results
  %0 = hyena.fused_conv ins() filter(%h : tensor<8x5xf32>)
      accesses [] results [affine_map<(b, c, l) -> (b, c, l)>]
      prologue {
        %one = arith.constant 1.0 : f32
        hyena.yield %one : f32
      } epilogue {
      ^bb0(%c: f32, %u: f32):
        hyena.yield %c : f32
      } : tensor<2x8x6xf32>
  return %0 : tensor<2x8x6xf32>
}
