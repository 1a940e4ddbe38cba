// Wrong if a tap or a pad that reads beyond the end of a computed signal sees
// anything but zero.
// RUN: hyena-opt %s --hyena-fuse --mlir-print-local-scope --split-input-file | FileCheck %s
// RUN: hyena-opt %s --hyena-fuse --split-input-file --remarks-filter-missed=hyena-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!s = tensor<2x16x64xf32>

// A short convolution of a product of stored tensors: both are 0 outside.
// CHECK-LABEL: func @product
// CHECK-NEXT: hyena.fused_conv
// CHECK-NOT: arith.select
// CHECK: return
func.func @product(%a: !s, %b: !s, %w: tensor<16x3xf32>, %h: tensor<16x64xf32>) -> !s {
  %p = hyena.gate %a, %b : (!s, !s) -> !s
  %v = hyena.shortconv %p, %w : (!s, tensor<16x3xf32>) -> !s
  %y = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  return %y : !s
}

// A short convolution of one with a bias: the bias must not leak out of the
// signal, so the read taps are guarded by a table of ones.
// CHECK-LABEL: func @bias_inside
// CHECK: %[[ONES:.*]] = arith.constant dense<1.000000e+00> : tensor<64xf32>
// CHECK: hyena.fused_conv ins({{.*}}%[[ONES]]
// CHECK-SAME: #hyena.access<{{[0-9]}}, (d0, d1, d2) -> (d2 - 1)>
// CHECK: arith.select
// CHECK: return
func.func @bias_inside(%x: !s, %w: tensor<16x2xf32>, %b: tensor<16xf32>, %h: tensor<16x64xf32>) -> !s {
  %s = hyena.shortconv %x, %w bias(%b) : (!s, tensor<16x2xf32>, tensor<16xf32>) -> !s
  %v = hyena.shortconv %s, %w : (!s, tensor<16x2xf32>) -> !s
  %y = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  return %y : !s
}

// Causal of causal without a bias needs no guard: all taps are in front.
// CHECK-LABEL: func @causal_twice
// CHECK-NOT: arith.constant
// CHECK-NOT: arith.select
// CHECK: return
func.func @causal_twice(%x: !s, %w: tensor<16x2xf32>, %h: tensor<16x64xf32>) -> !s {
  %s = hyena.shortconv %x, %w : (!s, tensor<16x2xf32>) -> !s
  %v = hyena.shortconv %s, %w : (!s, tensor<16x2xf32>) -> !s
  %y = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  return %y : !s
}

// `same` after a cut looks ahead to samples that are cut off.
// CHECK-LABEL: func @same_after_cut
// CHECK: arith.constant dense<1.000000e+00> : tensor<64xf32>
// CHECK: hyena.fused_conv
// CHECK: arith.select
// CHECK: return
func.func @same_after_cut(%x: tensor<2x16x100xf32>, %w: tensor<16x3xf32>, %h: tensor<16x64xf32>) -> !s {
  %c = hyena.truncate %x {dim = 2, length = 64} : (tensor<2x16x100xf32>) -> !s
  %v = hyena.shortconv %c, %w {padding = #hyena.padding<same>} : (!s, tensor<16x3xf32>) -> !s
  %y = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  return %y : !s
}

// Causal after a cut of the end needs none.
// CHECK-LABEL: func @causal_after_cut
// CHECK-NOT: arith.select
// CHECK: return
func.func @causal_after_cut(%x: tensor<2x16x100xf32>, %w: tensor<16x3xf32>, %h: tensor<16x64xf32>) -> !s {
  %c = hyena.truncate %x {dim = 2, length = 64} : (tensor<2x16x100xf32>) -> !s
  %v = hyena.shortconv %c, %w : (!s, tensor<16x3xf32>) -> !s
  %y = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  return %y : !s
}

// A pad of exp(x), which is 1 where x is 0.
// CHECK-LABEL: func @pad_of_exp
// CHECK: hyena.fused_conv
// CHECK: arith.select
// CHECK: return
func.func @pad_of_exp(%x: tensor<2x16x32xf32>, %h: tensor<16x64xf32>) -> !s {
  %e = math.exp %x : tensor<2x16x32xf32>
  %p = hyena.pad %e {dim = 2, low = 16, high = 16} : (tensor<2x16x32xf32>) -> !s
  %y = hyena.fftconv %p, %h : (!s, tensor<16x64xf32>) -> !s
  return %y : !s
}

// -----

// A dynamic length cannot be guarded: the biased signal is kept in memory.
// CHECK-LABEL: func @dynamic
// CHECK: hyena.shortconv
// CHECK: hyena.fused_conv
// REMARK: remark: [Missed] stored
// REMARK-SAME: Reason="it is read beyond its ends
// REMARK-SAME: 'hyena.shortconv'
// REMARK-SAME: Suggestion="make the length static
func.func @dynamic(%x: tensor<2x16x?xf32>, %w: tensor<16x2xf32>, %b: tensor<16xf32>, %h: tensor<16x64xf32>) -> tensor<2x16x?xf32> {
  %s = hyena.shortconv %x, %w bias(%b) : (tensor<2x16x?xf32>, tensor<16x2xf32>, tensor<16xf32>) -> tensor<2x16x?xf32>
  %v = hyena.shortconv %s, %w : (tensor<2x16x?xf32>, tensor<16x2xf32>) -> tensor<2x16x?xf32>
  %y = hyena.fftconv %v, %h : (tensor<2x16x?xf32>, tensor<16x64xf32>) -> tensor<2x16x?xf32>
  return %y : tensor<2x16x?xf32>
}

// -----

!s = tensor<2x16x64xf32>

// An access cannot run backwards in time.
// CHECK-LABEL: func @flip
// CHECK: hyena.flip
// CHECK: hyena.fused_conv
// REMARK: remark: [Missed] stored
// REMARK-SAME: Reason="an element is not at
// REMARK-SAME: Remark="the result of 'hyena.flip'
func.func @flip(%x: !s, %h: tensor<16x64xf32>) -> !s {
  %f = hyena.flip %x {dim = 2} : (!s) -> !s
  %y = hyena.fftconv %f, %h : (!s, tensor<16x64xf32>) -> !s
  return %y : !s
}

// Two flips, and a flip of channels, are.
// CHECK-LABEL: func @flips
// CHECK-NOT: hyena.flip
// CHECK: return
func.func @flips(%x: !s, %h: tensor<16x64xf32>) -> !s {
  %f = hyena.flip %x {dim = 2} : (!s) -> !s
  %c = hyena.flip %f {dim = 1} : (!s) -> !s
  %g = hyena.flip %c {dim = 2} : (!s) -> !s
  %y = hyena.fftconv %g, %h : (!s, tensor<16x64xf32>) -> !s
  return %y : !s
}

// -----

!s = tensor<2x16x64xf32>

// A short convolution of the convolution's result needs it at other times.
// CHECK-LABEL: func @short_behind
// CHECK: %[[Y:.*]] = hyena.fused_conv
// CHECK: hyena.shortconv %[[Y]]
// REMARK: remark: [Missed] not-fused
// REMARK-SAME: Reason="it needs a convolution's result
// REMARK-SAME: Remark="'hyena.shortconv' stays
func.func @short_behind(%x: !s, %w: tensor<16x3xf32>, %h: tensor<16x64xf32>) -> !s {
  %y = hyena.fftconv %x, %h : (!s, tensor<16x64xf32>) -> !s
  %s = hyena.shortconv %y, %w : (!s, tensor<16x3xf32>) -> !s
  return %s : !s
}

// -----

// The cut of a causal convolution's result moves in front of it, through the
// gate; that of another one stays.
// CHECK-LABEL: func @cut_behind
// CHECK-NOT: hyena.truncate
// CHECK: hyena.fused_conv
// CHECK-NOT: hyena.truncate
// CHECK: : tensor<2x40x16xf32>
// CHECK-NEXT: return
func.func @cut_behind(%x: tensor<2x16x64xf32>, %g: tensor<2x16x64xf32>, %h: tensor<16x64xf32>) -> tensor<2x40x16xf32> {
  %y = hyena.fftconv %x, %h : (tensor<2x16x64xf32>, tensor<16x64xf32>) -> tensor<2x16x64xf32>
  %z = hyena.gate %y, %g : (tensor<2x16x64xf32>, tensor<2x16x64xf32>) -> tensor<2x16x64xf32>
  %t = hyena.transpose %z : (tensor<2x16x64xf32>) -> tensor<2x64x16xf32>
  %c = hyena.truncate %t {dim = 1, length = 40} : (tensor<2x64x16xf32>) -> tensor<2x40x16xf32>
  return %c : tensor<2x40x16xf32>
}

// CHECK-LABEL: func @cut_kept
// CHECK: hyena.fused_conv
// CHECK: hyena.truncate
// REMARK: remark: [Missed] cut-kept
func.func @cut_kept(%x: tensor<2x16x64xf32>, %h: tensor<16x9xf32>) -> tensor<2x16x40xf32> {
  %y = hyena.fftconv %x, %h {mode = #hyena.conv_mode<circular>} : (tensor<2x16x64xf32>, tensor<16x9xf32>) -> tensor<2x16x64xf32>
  %c = hyena.truncate %y {dim = 2, length = 40} : (tensor<2x16x64xf32>) -> tensor<2x16x40xf32>
  return %c : tensor<2x16x40xf32>
}
