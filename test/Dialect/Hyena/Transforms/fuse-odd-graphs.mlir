// Wrong if fusion depends on the shape of the reference operator, or leaves a
// pointwise operation that it could have taken.
// RUN: hyena-opt %s --hyena-fuse --split-input-file | FileCheck %s

!s = tensor<2x16x64xf32>
!h = tensor<16x64xf32>

// A gate between two convolutions goes to one of them.
// CHECK-LABEL: func @order_three
// CHECK-COUNT-2: hyena.fused_conv
// CHECK-NOT: hyena.gate
// CHECK-NOT: arith.{{.*}} : tensor
// CHECK: return
func.func @order_three(%p: tensor<2x64x64xf32>, %h0: !h, %h1: !h, %w: tensor<64x3xf32>) -> tensor<2x64x16xf32> {
  %t = hyena.transpose %p : (tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %s = hyena.shortconv %t, %w : (tensor<2x64x64xf32>, tensor<64x3xf32>) -> tensor<2x64x64xf32>
  %x0, %x1, %x2, %v = hyena.chunk %s {layout = #hyena.layout<channels_first>} : (tensor<2x64x64xf32>) -> (!s, !s, !s, !s)
  %u0 = hyena.gate %v, %x2 : (!s, !s) -> !s
  %c0 = hyena.fftconv %u0, %h0 : (!s, !h) -> !s
  %u1 = hyena.gate %c0, %x1 : (!s, !s) -> !s
  %c1 = hyena.fftconv %u1, %h1 : (!s, !h) -> !s
  %g = hyena.gate %c1, %x0 : (!s, !s) -> !s
  %r = hyena.transpose %g : (!s) -> tensor<2x64x16xf32>
  return %r : tensor<2x64x16xf32>
}

// -----

!s = tensor<2x16x64xf32>

// SiLU on a gate, a residual, and a gate that is used twice.
// CHECK-LABEL: func @silu_residual_twice
// CHECK-NEXT: hyena.fused_conv
// CHECK: epilogue
// CHECK: math.exp
// CHECK: : tensor<2x16x64xf32>
// CHECK-NEXT: return
func.func @silu_residual_twice(%v: !s, %g: !s, %x: !s, %h: tensor<16x64xf32>) -> !s {
  %one = arith.constant dense<1.0> : !s
  %neg = arith.negf %g : !s
  %exp = math.exp %neg : !s
  %den = arith.addf %exp, %one : !s
  %silu = arith.divf %g, %den : !s
  %u = hyena.gate %v, %g : (!s, !s) -> !s
  %y = hyena.fftconv %u, %h : (!s, tensor<16x64xf32>) -> !s
  %z = hyena.gate %y, %silu : (!s, !s) -> !s
  %r = arith.addf %z, %x : !s
  return %r : !s
}

// -----

!s = tensor<2x16x64xf32>

// The convolution's result is returned beside what is made of it.
// CHECK-LABEL: func @returned_convolution
// CHECK-NEXT: %[[R:.*]]:2 = hyena.fused_conv
// CHECK: : tensor<2x16x64xf32>, tensor<2x64x16xf32>
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @returned_convolution(%v: !s, %g: !s, %h: tensor<16x64xf32>, %d: tensor<16xf32>) -> (!s, tensor<2x64x16xf32>) {
  %y = hyena.fftconv %v, %h skip(%d) : (!s, tensor<16x64xf32>, tensor<16xf32>) -> !s
  %z = hyena.gate %y, %g : (!s, !s) -> !s
  %t = hyena.transpose %z : (!s) -> tensor<2x64x16xf32>
  return %y, %t : !s, tensor<2x64x16xf32>
}

// -----

!s = tensor<2x16x64xf32>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d2)>

// A reduction between two convolutions stays alone: what stands in front of it
// and behind it belongs to them.
// CHECK-LABEL: func @reduction
// CHECK-NOT: hyena.gate
// CHECK: hyena.fused_conv
// CHECK: linalg.generic
// CHECK-SAME: "reduction"
// CHECK-NOT: hyena.gate
// CHECK: hyena.fused_conv
// CHECK-NOT: hyena.gate
// CHECK-NOT: hyena.broadcast
// CHECK: return
func.func @reduction(%v: !s, %g: !s, %h: tensor<16x64xf32>) -> !s {
  %y = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  %z = hyena.gate %y, %g : (!s, !s) -> !s
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64xf32>) -> tensor<2x64xf32>
  %sum = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%z : !s) outs(%f : tensor<2x64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<2x64xf32>
  %b = hyena.broadcast %sum like %z {dims = array<i64: 0, 2>} : (tensor<2x64xf32>, !s) -> !s
  %u = hyena.gate %z, %b : (!s, !s) -> !s
  %c = hyena.fftconv %u, %h : (!s, tensor<16x64xf32>) -> !s
  %r = hyena.gate %c, %g : (!s, !s) -> !s
  return %r : !s
}

// -----

!s = tensor<2x16x64xf32>

// Two convolutions whose results are added: the later one adds.
// CHECK-LABEL: func @sum_of_two
// CHECK: %[[A:.*]] = hyena.fused_conv
// CHECK: %[[B:.*]] = hyena.fused_conv
// CHECK: return %[[B]]
func.func @sum_of_two(%v: !s, %g: !s, %h: tensor<16x64xf32>) -> !s {
  %a = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  %c = hyena.fftconv %g, %h : (!s, tensor<16x64xf32>) -> !s
  %ag = hyena.gate %a, %g : (!s, !s) -> !s
  %r = arith.addf %ag, %c : !s
  return %r : !s
}

// -----

!s = tensor<2x16x64xf32>

// The convolution's input is returned too: one result more instead of a
// product of its own.
// CHECK-LABEL: func @returned_input
// CHECK-NEXT: %[[R:.*]]:2 = hyena.fused_conv
// CHECK-NOT: hyena.gate
// CHECK: return
func.func @returned_input(%v: !s, %g: !s, %h: tensor<16x64xf32>) -> (!s, !s) {
  %u = hyena.gate %v, %g : (!s, !s) -> !s
  %y = hyena.fftconv %u, %h : (!s, tensor<16x64xf32>) -> !s
  return %y, %u : !s, !s
}

// -----

!s = tensor<2x16x64xf32>

// Side effects keep their order, and what must run between two of them is not
// pulled into one.
func.func private @trace(!s) -> !s
// CHECK-LABEL: func @side_effects
// CHECK: %[[Y:.*]] = hyena.fused_conv
// CHECK: %[[A:.*]] = call @trace(%[[Y]])
// CHECK: %[[B:.*]] = call @trace(%[[A]])
// CHECK: hyena.gate %[[Y]], %[[B]]
func.func @side_effects(%v: !s, %h: tensor<16x64xf32>) -> !s {
  %y = hyena.fftconv %v, %h : (!s, tensor<16x64xf32>) -> !s
  %a = func.call @trace(%y) : (!s) -> !s
  %b = func.call @trace(%a) : (!s) -> !s
  %r = hyena.gate %y, %b : (!s, !s) -> !s
  return %r : !s
}

// -----

!s = tensor<2x16x64xf32>

// Users in nested regions and values of other blocks.
// CHECK-LABEL: func @blocks
// CHECK: scf.for
// CHECK: hyena.fused_conv
// CHECK-NOT: hyena.gate
// CHECK: scf.yield
// CHECK: cf.br
// CHECK: hyena.fused_conv
// CHECK: scf.if
// CHECK: return
func.func @blocks(%v: !s, %g: !s, %h: tensor<16x64xf32>, %n: index, %flag: i1) -> !s {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %gg = hyena.gate %g, %g : (!s, !s) -> !s
  %loop = scf.for %i = %c0 to %n step %c1 iter_args(%x = %v) -> !s {
    %y = hyena.fftconv %x, %h : (!s, tensor<16x64xf32>) -> !s
    %z = hyena.gate %y, %gg : (!s, !s) -> !s
    scf.yield %z : !s
  }
  cf.br ^next(%loop : !s)
^next(%w: !s):
  %y = hyena.fftconv %w, %h : (!s, tensor<16x64xf32>) -> !s
  %z = hyena.gate %y, %gg : (!s, !s) -> !s
  %r = scf.if %flag -> !s {
    scf.yield %z : !s
  } else {
    scf.yield %y : !s
  }
  return %r : !s
}
