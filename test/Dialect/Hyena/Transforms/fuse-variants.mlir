// Wrong if a variant of an operand's arrangement, of a short convolution or of
// the long one is read at other elements, or not fused.
// RUN: hyena-opt %s --hyena-fuse --mlir-print-local-scope --split-input-file | FileCheck %s

!s = tensor<2x16x64xf32>

// CHECK-LABEL: func @blocks
// CHECK: accesses [#hyena.access<0, (d0, d1, d2) -> (d0, d2, d1 + 16)>, #hyena.access<0, (d0, d1, d2) -> (d0, d2, d1)>]
// CHECK-SAME: results [affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
func.func @blocks(%p: tensor<2x64x32xf32>, %h: tensor<16x64xf32>) -> !s {
  %g, %v = hyena.chunk %p : (tensor<2x64x32xf32>) -> (tensor<2x64x16xf32>, tensor<2x64x16xf32>)
  %gt = hyena.transpose %g : (tensor<2x64x16xf32>) -> !s
  %vt = hyena.transpose %v : (tensor<2x64x16xf32>) -> !s
  %y = hyena.fftconv %vt, %h : (!s, tensor<16x64xf32>) -> !s
  %z = hyena.gate %y, %gt : (!s, !s) -> !s
  return %z : !s
}

// CHECK-LABEL: func @per_head
// CHECK: accesses [#hyena.access<0, (d0, d1, d2) -> (d0, d1 + (d1 floordiv 4) * 4 + 4, d2)>, #hyena.access<0, (d0, d1, d2) -> (d0, d1 + (d1 floordiv 4) * 4, d2)>]
func.func @per_head(%p: tensor<2x32x64xf32>, %h: tensor<16x64xf32>) -> !s {
  %g, %v = hyena.chunk %p {arrangement = #hyena.arrangement<per_head>, heads = 4, layout = #hyena.layout<channels_first>} : (tensor<2x32x64xf32>) -> (!s, !s)
  %y = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  %z = hyena.gate %y, %g : (!s, !s) -> !s
  return %z : !s
}

// CHECK-LABEL: func @interleaved
// CHECK: accesses [#hyena.access<0, (d0, d1, d2) -> (d0, d2, d1 * 2 + 1)>, #hyena.access<0, (d0, d1, d2) -> (d0, d2, d1 * 2)>]
// CHECK-SAME: results [affine_map<(d0, d1, d2) -> (d0, d2, d1)>]
func.func @interleaved(%p: tensor<2x64x32xf32>, %h: tensor<16x64xf32>) -> tensor<2x64x16xf32> {
  %g, %v = hyena.chunk %p {arrangement = #hyena.arrangement<interleaved>} : (tensor<2x64x32xf32>) -> (tensor<2x64x16xf32>, tensor<2x64x16xf32>)
  %y = hyena.fftconv %v, %h {layout = #hyena.layout<channels_last>} : (tensor<2x64x16xf32>, tensor<16x64xf32>) -> tensor<2x64x16xf32>
  %z = hyena.gate %y, %g : (tensor<2x64x16xf32>, tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  return %z : tensor<2x64x16xf32>
}

// -----

!s = tensor<2x16x64xf32>

// Four taps: causal reads back, same reads two back and one ahead.
// CHECK-LABEL: func @paddings
// CHECK: accesses [#hyena.access<0, (d0, d1, d2) -> (d1, 0)>, #hyena.access<1, (d0, d1, d2) -> (d0, d1, d2 - 3)>,
// CHECK-SAME: #hyena.access<0, (d0, d1, d2) -> (d1, 3)>, #hyena.access<1, (d0, d1, d2) -> (d0, d1, d2)>,
// CHECK-SAME: #hyena.access<1, (d0, d1, d2) -> (d0, d1, d2 + 1)>
func.func @paddings(%x: !s, %w: tensor<16x4xf32>, %h: tensor<16x64xf32>) -> !s {
  %v = hyena.shortconv %x, %w : (!s, tensor<16x4xf32>) -> !s
  %g = hyena.shortconv %x, %w {padding = #hyena.padding<same>} : (!s, tensor<16x4xf32>) -> !s
  %y = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  %z = hyena.gate %y, %g : (!s, !s) -> !s
  return %z : !s
}

// Explicit padding in front of a signal that is longer than the convolution.
// CHECK-LABEL: func @explicit
// CHECK: accesses [#hyena.access<0, (d0, d1, d2) -> (d1, 0)>, #hyena.access<1, (d0, d1, d2) -> (d0, d1, d2 - 1)>, #hyena.access<0, (d0, d1, d2) -> (d1, 1)>, #hyena.access<1, (d0, d1, d2) -> (d0, d1, d2)>, #hyena.access<0, (d0, d1, d2) -> (d1, 2)>, #hyena.access<1, (d0, d1, d2) -> (d0, d1, d2 + 1)>]
func.func @explicit(%x: tensor<2x16x65xf32>, %w: tensor<16x3xf32>, %h: tensor<16x64xf32>) -> !s {
  %v = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 1, pad_high = 0} : (tensor<2x16x65xf32>, tensor<16x3xf32>) -> !s
  %y = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  return %y : !s
}

// Lag 0 first reverses the taps; a group of four channels shares a row.
// CHECK-LABEL: func @taps_and_groups
// CHECK: accesses [#hyena.access<0, (d0, d1, d2) -> (d1 floordiv 4, 1)>, #hyena.access<1, (d0, d1, d2) -> (d0, d1, d2 - 1)>, #hyena.access<0, (d0, d1, d2) -> (d1 floordiv 4, 0)>, #hyena.access<1, (d0, d1, d2) -> (d0, d1, d2)>]
func.func @taps_and_groups(%x: !s, %w: tensor<4x2xf32>, %h: tensor<4x64xf32>) -> !s {
  %v = hyena.shortconv %x, %w {tap_order = #hyena.tap_order<lag0_first>} : (!s, tensor<4x2xf32>) -> !s
  %y = hyena.fftconv %v, %h : (!s, tensor<4x64xf32>) -> !s
  return %y : !s
}

// A short convolution in front of the chunk: taps of every stream, groups too.
// CHECK-LABEL: func @convolved_then_split
// CHECK: accesses [#hyena.access<0, (d0, d1, d2) -> (d1 floordiv 4 + 4, 0)>, #hyena.access<1, (d0, d1, d2) -> (d0, d1 + 16, d2 - 1)>
func.func @convolved_then_split(%x: tensor<2x32x64xf32>, %w: tensor<8x2xf32>, %h: tensor<16x64xf32>) -> !s {
  %s = hyena.shortconv %x, %w : (tensor<2x32x64xf32>, tensor<8x2xf32>) -> tensor<2x32x64xf32>
  %g, %v = hyena.chunk %s {layout = #hyena.layout<channels_first>} : (tensor<2x32x64xf32>) -> (!s, !s)
  %y = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  %z = hyena.gate %y, %g : (!s, !s) -> !s
  return %z : !s
}

// -----

!s = tensor<2x16x64xf32>

// CHECK-LABEL: func @bidirectional
// CHECK: hyena.fused_conv ins(%{{.*}}) filter(%{{.*}}) reverse(%{{.*}})
// CHECK-SAME: mode = #hyena.conv_mode<bidirectional>
func.func @bidirectional(%x: !s, %h: tensor<16x64xf32>, %r: tensor<16x63xf32>) -> !s {
  %y = hyena.fftconv %x, %h reverse(%r) {mode = #hyena.conv_mode<bidirectional>} : (!s, tensor<16x64xf32>, tensor<16x63xf32>) -> !s
  return %y : !s
}

// CHECK-LABEL: func @noncausal
// CHECK: lag0 = 5 : i64, mode = #hyena.conv_mode<noncausal>
func.func @noncausal(%x: !s, %h: tensor<16x127xf32>) -> !s {
  %y = hyena.fftconv %x, %h {mode = #hyena.conv_mode<noncausal>, lag0 = 5} : (!s, tensor<16x127xf32>) -> !s
  return %y : !s
}

// CHECK-LABEL: func @circular
// CHECK: mode = #hyena.conv_mode<circular>
func.func @circular(%x: !s, %h: tensor<16x9xf32>) -> !s {
  %y = hyena.fftconv %x, %h {mode = #hyena.conv_mode<circular>} : (!s, tensor<16x9xf32>) -> !s
  return %y : !s
}

// Filters shorter and longer than the signal, newest last; the skip is an
// access to one weight for four channels.
// CHECK-LABEL: func @filters
// CHECK: filter(%{{.*}} : tensor<16x7xf32>)
// CHECK-SAME: tap_order = #hyena.tap_order<newest_last>
// CHECK: filter(%{{.*}} : tensor<2x100xf32>)
// CHECK-SAME: #hyena.access<1, (d0, d1, d2) -> (d1 floordiv 4)>
// CHECK: epilogue {
// CHECK-NEXT: ^bb0(%[[Y:[a-z0-9]+]]: f32, %[[U:[a-z0-9]+]]: f32, %{{.*}}: f32, %[[D:.*]]: f32):
// CHECK-NEXT: %[[DU:.*]] = arith.mulf %[[D]], %[[U]]
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[Y]], %[[DU]]
// CHECK-NEXT: hyena.yield %[[R]]
func.func @filters(%x: !s, %h: tensor<16x7xf32>, %k: tensor<2x100xf32>, %d: tensor<4xf32>) -> !s {
  %y = hyena.fftconv %x, %h {tap_order = #hyena.tap_order<newest_last>} : (!s, tensor<16x7xf32>) -> !s
  %z = hyena.fftconv %y, %k skip(%d) : (!s, tensor<2x100xf32>, tensor<4xf32>) -> !s
  return %z : !s
}

// -----

!s = tensor<?x16x?xf32>

// Order 1, batch and length dynamic.
// CHECK-LABEL: func @dynamic
// CHECK: hyena.fused_conv
// CHECK: } : tensor<?x?x16xf32>
// CHECK-NEXT: return
func.func @dynamic(%p: tensor<?x?x32xf32>, %w: tensor<16x3xf32>, %b: tensor<16xf32>, %h: tensor<16x64xf32>) -> tensor<?x?x16xf32> {
  %v, %g = hyena.chunk %p : (tensor<?x?x32xf32>) -> (tensor<?x?x16xf32>, tensor<?x?x16xf32>)
  %vt = hyena.transpose %v : (tensor<?x?x16xf32>) -> !s
  %gt = hyena.transpose %g : (tensor<?x?x16xf32>) -> !s
  %gs = hyena.shortconv %gt, %w bias(%b) {padding = #hyena.padding<same>} : (!s, tensor<16x3xf32>, tensor<16xf32>) -> !s
  %y = hyena.fftconv %vt, %h : (!s, tensor<16x64xf32>) -> !s
  %z = hyena.gate %y, %gs : (!s, !s) -> !s
  %r = hyena.transpose %z : (!s) -> tensor<?x?x16xf32>
  return %r : tensor<?x?x16xf32>
}

// -----

!s = tensor<2x16x64xbf16>

// bf16: the convolution works in f32; a gate is rounded once, where the graph
// rounds it.
// CHECK-LABEL: func @bf16
// CHECK: prologue {
// CHECK-NEXT: ^bb0(%[[A:[a-z0-9]+]]: bf16, %[[B:[a-z0-9]+]]: bf16):
// CHECK-DAG: %[[AW:.*]] = arith.extf %[[A]]
// CHECK-DAG: %[[BW:.*]] = arith.extf %[[B]]
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[AW]], %[[BW]] : f32
// CHECK-NEXT: %[[N:.*]] = arith.truncf %[[P]] : f32 to bf16
// CHECK-NEXT: %[[U:.*]] = arith.extf %[[N]] : bf16 to f32
// CHECK-NEXT: hyena.yield %[[U]] : f32
// CHECK: epilogue {
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: hyena.yield %{{.*}} : bf16
func.func @bf16(%a: !s, %b: !s, %h: tensor<16x64xf32>) -> !s {
  %u = hyena.gate %a, %b : (!s, !s) -> !s
  %y = hyena.fftconv %u, %h : (!s, tensor<16x64xf32>) -> !s
  return %y : !s
}

// Casts in the graph are casts in the regions.
// CHECK-LABEL: func @casts
// CHECK: hyena.fused_conv
// CHECK: } : tensor<2x16x64xbf16>
// CHECK-NEXT: return
func.func @casts(%a: !s, %h: tensor<16x64xf32>) -> !s {
  %w = arith.extf %a : !s to tensor<2x16x64xf32>
  %y = hyena.fftconv %w, %h : (tensor<2x16x64xf32>, tensor<16x64xf32>) -> tensor<2x16x64xf32>
  %n = arith.truncf %y : tensor<2x16x64xf32> to !s
  return %n : !s
}
