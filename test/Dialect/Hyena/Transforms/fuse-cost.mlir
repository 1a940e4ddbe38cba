// Wrong if a choice between keeping a tensor and computing it again moves more
// bytes than it has to.
// RUN: hyena-opt %s --hyena-fuse --mlir-print-local-scope --split-input-file | FileCheck %s
// RUN: hyena-opt %s --hyena-fuse --split-input-file --remarks-filter=hyena-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!s = tensor<8x64x4096xf32>
!h = tensor<64x4096xf32>

// One stream, two convolutions: reading it twice is cheaper than writing it.
// CHECK-LABEL: func @one_stream
// CHECK: hyena.fused_conv
// CHECK-SAME: (d0, d1, d2 - 1)
// CHECK: } : tensor<8x64x4096xf32>
// CHECK-NEXT: hyena.fused_conv
// CHECK-SAME: (d0, d1, d2 - 1)
// CHECK: } : tensor<8x64x4096xf32>
// CHECK-NEXT: return
func.func @one_stream(%x: !s, %w: tensor<64x2xf32>, %h0: !h, %h1: !h) -> (!s, !s) {
  %v = hyena.shortconv %x, %w : (!s, tensor<64x2xf32>) -> !s
  %a = hyena.fftconv %v, %h0 : (!s, !h) -> !s
  %b = hyena.fftconv %v, %h1 : (!s, !h) -> !s
  return %a, %b : !s, !s
}

// -----

!s = tensor<8x64x4096xf32>
!h = tensor<64x4096xf32>

// A product of five streams, two convolutions: the first yields it to the
// second, which then reads one tensor instead of five.
// CHECK-LABEL: func @five_streams
// CHECK: %[[F:.*]]:2 = hyena.fused_conv
// CHECK: hyena.fused_conv ins(%[[F]]#{{[01]}} :
// CHECK-NOT: hyena.gate
// CHECK: return
// REMARK: remark: [Passed] fused | Category:hyena-fuse | Function=one_stream | Operations=1, Remark="a long convolution took in 1 operations and yields 1 tensors", Results=1
// REMARK: remark: [Missed] stored | Category:hyena-fuse | Function=five_streams
// REMARK-SAME: Reason="keeping the tensor moves fewer bytes than computing it again"
func.func @five_streams(%p: !s, %q: !s, %r: !s, %t: !s, %x: !s, %h0: !h, %h1: !h) -> (!s, !s) {
  %v = hyena.gate %p, %q, %r, %t, %x : (!s, !s, !s, !s, !s) -> !s
  %a = hyena.fftconv %v, %h0 : (!s, !h) -> !s
  %b = hyena.fftconv %v, %h1 : (!s, !h) -> !s
  return %a, %b : !s, !s
}

// -----

!s = tensor<8x64x4096xf32>
!h = tensor<64x4096xf32>

// What stands between one convolution and two others is done once, by the
// first.
// CHECK-LABEL: func @one_to_two
// CHECK: %[[F:.*]] = hyena.fused_conv
// CHECK: arith.mulf
// CHECK: } : tensor<8x64x4096xf32>
// CHECK-NEXT: hyena.fused_conv ins(%[[F]] :
// CHECK: } : tensor<8x64x4096xf32>
// CHECK-NEXT: hyena.fused_conv ins(%[[F]] :
// CHECK: } : tensor<8x64x4096xf32>
// CHECK-NEXT: return
func.func @one_to_two(%x: !s, %g: !s, %h0: !h, %h1: !h) -> (!s, !s) {
  %c = hyena.fftconv %x, %h0 : (!s, !h) -> !s
  %u = hyena.gate %c, %g : (!s, !s) -> !s
  %a = hyena.fftconv %u, %h0 : (!s, !h) -> !s
  %b = hyena.fftconv %u, %h1 : (!s, !h) -> !s
  return %a, %b : !s, !s
}

// -----

!s = tensor<8x64x4096xf32>
!h = tensor<64x4096xf32>

// The convolution's result is returned anyway: the gate behind it goes to the
// next one, so that no second tensor is written.
// CHECK-LABEL: func @kept_anyway
// CHECK: %[[F:.*]] = hyena.fused_conv
// CHECK: } : tensor<8x64x4096xf32>
// CHECK-NEXT: hyena.fused_conv ins(%[[F]],
// CHECK: return %[[F]]
func.func @kept_anyway(%x: !s, %g: !s, %h0: !h, %h1: !h) -> (!s, !s) {
  %c = hyena.fftconv %x, %h0 : (!s, !h) -> !s
  %u = hyena.gate %c, %g : (!s, !s) -> !s
  %a = hyena.fftconv %u, %h1 : (!s, !h) -> !s
  return %c, %a : !s, !s
}

// -----

!s = tensor<8x64x4096xf32>
!h = tensor<64x4096xf32>

// What parameters alone decide is not computed again for each element.
// CHECK-LABEL: func @parameters
// CHECK: %[[R:.*]] = math.exp %{{.*}} : tensor<64xf32>
// CHECK: hyena.fused_conv ins(%{{.*}}, %[[R]] :
// CHECK-NOT: math.exp
// CHECK: return
func.func @parameters(%x: !s, %p: tensor<64xf32> {hyena.param}, %h: !h) -> !s {
  %e = math.exp %p : tensor<64xf32>
  %b = hyena.broadcast %e like %x {dims = array<i64: 1>} : (tensor<64xf32>, !s) -> !s
  %u = hyena.gate %x, %b : (!s, !s) -> !s
  %y = hyena.fftconv %u, %h : (!s, !h) -> !s
  return %y : !s
}

// -----

!s = tensor<8x64x4096xf32>
!h = tensor<64x4096xf32>

// Each of a chain of short convolutions would be computed again for each tap of
// the next one: it is cheaper to keep one of them.
// CHECK-LABEL: func @chain
// CHECK: hyena.shortconv
// CHECK: hyena.fused_conv
// CHECK-NOT: hyena.shortconv
// CHECK: return
func.func @chain(%x: !s, %w: tensor<64x7xf32>, %h: !h) -> !s {
  %0 = hyena.shortconv %x, %w : (!s, tensor<64x7xf32>) -> !s
  %1 = math.tanh %0 : !s
  %2 = hyena.shortconv %1, %w : (!s, tensor<64x7xf32>) -> !s
  %3 = math.tanh %2 : !s
  %4 = hyena.shortconv %3, %w : (!s, tensor<64x7xf32>) -> !s
  %5 = hyena.fftconv %4, %h : (!s, !h) -> !s
  return %5 : !s
}
