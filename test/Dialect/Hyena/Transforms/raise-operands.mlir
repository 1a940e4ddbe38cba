// If this fails, a skip, bias, cast, flip, transposition or product next to a
// convolution is not folded into it, or is where the result would differ.
// RUN: hyena-opt %s --hyena-raise --split-input-file | FileCheck %s

// y + u * D.unsqueeze(-1), in arith and in linalg.
// CHECK-LABEL: func @skip
// CHECK-SAME: (%[[U:.*]]: tensor<2x4x8xf32>, %[[H:.*]]: tensor<4x8xf32>, %[[D:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[A:.*]] = hyena.fftconv %[[U]], %[[H]] skip(%[[D]]) :
// CHECK-NEXT: %[[B:.*]] = hyena.fftconv %[[U]], %[[H]] skip(%[[D]]) :
// CHECK-NEXT: %[[C:.*]] = hyena.fftconv %[[U]], %[[H]] skip(%[[D]]) :
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
func.func @skip(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>, %d: tensor<4xf32>)
    -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %0 = hyena.fftconv %u, %h : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %1 = hyena.broadcast %d like %0 {dims = array<i64: 1>}
      : (tensor<4xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %2 = arith.mulf %u, %1 : tensor<2x4x8xf32>
  %3 = arith.addf %2, %0 : tensor<2x4x8xf32>

  %4 = hyena.fftconv %u, %h : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %5 = hyena.broadcast %d like %4 {dims = array<i64: 1>}
      : (tensor<4xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %6 = hyena.gate %5, %u : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %7 = arith.addf %4, %6 : tensor<2x4x8xf32>

  %8 = hyena.fftconv %u, %h : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %e = tensor.empty() : tensor<2x4x8xf32>
  %9 = linalg.generic {
      indexing_maps = [affine_map<(b, c, l) -> (b, c, l)>, affine_map<(b, c, l) -> (c)>,
                       affine_map<(b, c, l) -> (b, c, l)>, affine_map<(b, c, l) -> (b, c, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%8, %d, %u : tensor<2x4x8xf32>, tensor<4xf32>, tensor<2x4x8xf32>)
      outs(%e : tensor<2x4x8xf32>) {
  ^bb0(%y: f32, %s: f32, %x: f32, %o: f32):
    %p = arith.mulf %s, %x : f32
    %q = arith.addf %y, %p : f32
    linalg.yield %q : f32
  } -> tensor<2x4x8xf32>
  return %3, %7, %9 : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
}

// -----

// Of another signal; of the convolution that is used itself; rounded in between;
// along another dimension; a second skip.
// CHECK-LABEL: func @no_skip
// CHECK-COUNT-5: arith.addf
func.func @no_skip(%u: tensor<2x4x4xf32>, %v: tensor<2x4x4xf32>, %h: tensor<4x4xf32>,
                   %d: tensor<4xf32>, %n: tensor<2x4x4xbf16>, %m: tensor<4xbf16>)
    -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xbf16>,
        tensor<2x4x4xf32>, tensor<2x4x4xf32>) {
  %0 = hyena.broadcast %d like %u {dims = array<i64: 1>}
      : (tensor<4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %du = arith.mulf %0, %u : tensor<2x4x4xf32>
  %dv = arith.mulf %0, %v : tensor<2x4x4xf32>
  %1 = hyena.fftconv %u, %h : (tensor<2x4x4xf32>, tensor<4x4xf32>) -> tensor<2x4x4xf32>
  %2 = arith.addf %1, %dv : tensor<2x4x4xf32>
  %3 = hyena.fftconv %u, %h : (tensor<2x4x4xf32>, tensor<4x4xf32>) -> tensor<2x4x4xf32>
  %4 = arith.addf %3, %du : tensor<2x4x4xf32>
  %5 = hyena.broadcast %m like %n {dims = array<i64: 1>}
      : (tensor<4xbf16>, tensor<2x4x4xbf16>) -> tensor<2x4x4xbf16>
  %6 = arith.mulf %5, %n : tensor<2x4x4xbf16>
  %7 = hyena.fftconv %n, %h : (tensor<2x4x4xbf16>, tensor<4x4xf32>) -> tensor<2x4x4xbf16>
  %8 = arith.addf %7, %6 : tensor<2x4x4xbf16>
  %9 = hyena.broadcast %d like %u {dims = array<i64: 2>}
      : (tensor<4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %10 = arith.mulf %9, %u : tensor<2x4x4xf32>
  %11 = hyena.fftconv %u, %h : (tensor<2x4x4xf32>, tensor<4x4xf32>) -> tensor<2x4x4xf32>
  %12 = arith.addf %11, %10 : tensor<2x4x4xf32>
  %13 = hyena.fftconv %u, %h skip(%d)
      : (tensor<2x4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x4x4xf32>
  %14 = arith.addf %13, %du : tensor<2x4x4xf32>
  return %2, %3, %4, %8, %12, %14
      : tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xbf16>,
        tensor<2x4x4xf32>, tensor<2x4x4xf32>
}

// -----

// CHECK-LABEL: func @bias
// CHECK-DAG: hyena.shortconv %{{.*}}, %{{.*}} bias(%{{.*}}) : (tensor<2x4x8xf32>, tensor<4x3xf32>, tensor<4xf32>)
// CHECK-DAG: hyena.project %{{.*}}, %{{.*}} bias(%{{.*}}) {result_layout = #hyena.layout<channels_first>} :
// CHECK-NOT: arith.addf
func.func @bias(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>,
                %p: tensor<16x8xf32>, %c: tensor<16xf32>)
    -> (tensor<2x4x8xf32>, tensor<2x16x4xf32>) {
  %0 = hyena.shortconv %x, %w : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  %1 = hyena.broadcast %b like %x {dims = array<i64: 1>}
      : (tensor<4xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %2 = arith.addf %1, %0 : tensor<2x4x8xf32>
  %3 = hyena.project %x, %p {result_layout = #hyena.layout<channels_first>}
      : (tensor<2x4x8xf32>, tensor<16x8xf32>) -> tensor<2x16x4xf32>
  %4 = hyena.broadcast %c like %3 {dims = array<i64: 1>}
      : (tensor<16xf32>, tensor<2x16x4xf32>) -> tensor<2x16x4xf32>
  %5 = arith.addf %3, %4 : tensor<2x16x4xf32>
  return %2, %5 : tensor<2x4x8xf32>, tensor<2x16x4xf32>
}

// -----

// A bias there is already; one along time; the result without it is used.
// CHECK-LABEL: func @no_bias
// CHECK-COUNT-3: arith.addf
func.func @no_bias(%x: tensor<2x4x4xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>)
    -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>) {
  %c = hyena.broadcast %b like %x {dims = array<i64: 1>}
      : (tensor<4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %t = hyena.broadcast %b like %x {dims = array<i64: 2>}
      : (tensor<4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %0 = hyena.shortconv %x, %w bias(%b)
      : (tensor<2x4x4xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4x4xf32>
  %1 = arith.addf %0, %c : tensor<2x4x4xf32>
  %2 = hyena.shortconv %1, %w : (tensor<2x4x4xf32>, tensor<4x3xf32>) -> tensor<2x4x4xf32>
  %3 = arith.addf %2, %t : tensor<2x4x4xf32>
  %4 = hyena.shortconv %x, %w : (tensor<2x4x4xf32>, tensor<4x3xf32>) -> tensor<2x4x4xf32>
  %5 = arith.addf %4, %c : tensor<2x4x4xf32>
  return %1, %3, %4, %5 : tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>
}

// -----

// h.flip(-1) is the other tap order, where there is one.
// CHECK-LABEL: func @flip
// CHECK-DAG: hyena.fftconv %{{.*}}, %arg1 {tap_order = #hyena.tap_order<newest_last>}
// CHECK-DAG: hyena.shortconv %{{.*}}, %arg1 {tap_order = #hyena.tap_order<lag0_first>}
// CHECK-DAG: %[[F:.*]] = hyena.flip %arg1
// CHECK-DAG: hyena.fftconv %{{.*}}, %[[F]] {mode = #hyena.conv_mode<noncausal>}
func.func @flip(%u: tensor<2x4x8xf32>, %h: tensor<4x7xf32>)
    -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %f = hyena.flip %h {dim = 1 : i64} : (tensor<4x7xf32>) -> tensor<4x7xf32>
  %0 = hyena.fftconv %u, %f : (tensor<2x4x8xf32>, tensor<4x7xf32>) -> tensor<2x4x8xf32>
  %1 = hyena.shortconv %u, %f : (tensor<2x4x8xf32>, tensor<4x7xf32>) -> tensor<2x4x8xf32>
  %2 = hyena.fftconv %u, %f {mode = #hyena.conv_mode<noncausal>}
      : (tensor<2x4x8xf32>, tensor<4x7xf32>) -> tensor<2x4x8xf32>
  return %0, %1, %2 : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func @layout
// CHECK-SAME: (%[[U:.*]]: tensor<2x8x4xf32>, %[[H:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[Y:.*]] = hyena.fftconv %[[U]], %[[H]] {layout = #hyena.layout<channels_last>} : (tensor<2x8x4xf32>, tensor<4x8xf32>) -> tensor<2x8x4xf32>
// CHECK-NEXT: return %[[Y]]
func.func @layout(%u: tensor<2x8x4xf32>, %h: tensor<4x8xf32>) -> tensor<2x8x4xf32> {
  %0 = hyena.transpose %u : (tensor<2x8x4xf32>) -> tensor<2x4x8xf32>
  %1 = hyena.fftconv %0, %h : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %2 = hyena.transpose %1 : (tensor<2x4x8xf32>) -> tensor<2x8x4xf32>
  return %2 : tensor<2x8x4xf32>
}

// -----

// fftconv(u.float(), h.float()).to(u.dtype): the sum is formed in f32 anyway.
// CHECK-LABEL: func @casts
// CHECK-SAME: (%[[U:.*]]: tensor<2x4x8xbf16>, %[[H:.*]]: tensor<4x8xbf16>)
// CHECK-NEXT: %[[Y:.*]] = hyena.fftconv %[[U]], %[[H]] : (tensor<2x4x8xbf16>, tensor<4x8xbf16>) -> tensor<2x4x8xbf16>
// CHECK-NEXT: return %[[Y]]
func.func @casts(%u: tensor<2x4x8xbf16>, %h: tensor<4x8xbf16>) -> tensor<2x4x8xbf16> {
  %0 = arith.extf %u : tensor<2x4x8xbf16> to tensor<2x4x8xf32>
  %1 = arith.extf %h : tensor<4x8xbf16> to tensor<4x8xf32>
  %2 = hyena.fftconv %0, %1 : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %3 = arith.truncf %2 : tensor<2x4x8xf32> to tensor<2x4x8xbf16>
  return %3 : tensor<2x4x8xbf16>
}

// -----

// A filter of f64 makes the sum f64; without it the sum would be formed in f32;
// the wide result is used too.
// CHECK-LABEL: func @casts_stay
// CHECK-SAME: (%[[U:.*]]: tensor<2x4x8xf32>, %[[H:.*]]: tensor<4x8xf32>, %[[N:.*]]: tensor<2x4x8xbf16>)
// CHECK-DAG: %[[W:.*]] = arith.extf %[[H]] : tensor<4x8xf32> to tensor<4x8xf64>
// CHECK-DAG: %[[A:.*]] = hyena.fftconv %[[U]], %[[W]] : (tensor<2x4x8xf32>, tensor<4x8xf64>) -> tensor<2x4x8xf32>
// CHECK-DAG: %[[X:.*]] = arith.extf %[[U]] : tensor<2x4x8xf32> to tensor<2x4x8xf64>
// CHECK-DAG: %[[Y:.*]] = hyena.fftconv %[[X]], %[[H]] : (tensor<2x4x8xf64>, tensor<4x8xf32>) -> tensor<2x4x8xf64>
// CHECK-DAG: %[[B:.*]] = arith.truncf %[[Y]]
// CHECK-DAG: %[[E:.*]] = arith.extf %[[N]]
// CHECK-DAG: %[[Z:.*]] = hyena.fftconv %[[E]], %[[H]]
// CHECK-DAG: %[[C:.*]] = arith.truncf %[[Z]]
// CHECK: return %[[A]], %[[B]], %[[C]], %[[Z]]
func.func @casts_stay(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>, %n: tensor<2x4x8xbf16>)
    -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xbf16>, tensor<2x4x8xf32>) {
  %0 = arith.extf %u : tensor<2x4x8xf32> to tensor<2x4x8xf64>
  %1 = arith.extf %h : tensor<4x8xf32> to tensor<4x8xf64>
  %2 = hyena.fftconv %0, %1 : (tensor<2x4x8xf64>, tensor<4x8xf64>) -> tensor<2x4x8xf64>
  %3 = arith.truncf %2 : tensor<2x4x8xf64> to tensor<2x4x8xf32>
  %4 = hyena.fftconv %0, %h : (tensor<2x4x8xf64>, tensor<4x8xf32>) -> tensor<2x4x8xf64>
  %5 = arith.truncf %4 : tensor<2x4x8xf64> to tensor<2x4x8xf32>
  %6 = arith.extf %n : tensor<2x4x8xbf16> to tensor<2x4x8xf32>
  %7 = hyena.fftconv %6, %h : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %8 = arith.truncf %7 : tensor<2x4x8xf32> to tensor<2x4x8xbf16>
  return %3, %5, %8, %7
      : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xbf16>, tensor<2x4x8xf32>
}

// -----

// Products in front of a convolution and behind it.
// CHECK-LABEL: func @gates
// CHECK-SAME: (%[[V:.*]]: tensor<2x4x8xf32>, %[[A:.*]]: tensor<2x4x8xf32>, %[[B:.*]]: tensor<2x4x8xf32>, %[[H:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[U:.*]] = hyena.gate %[[V]], %[[A]] :
// CHECK-NEXT: %[[Y:.*]] = hyena.fftconv %[[U]], %[[H]] :
// CHECK-NEXT: %[[Z:.*]] = hyena.gate %[[Y]], %[[A]], %[[B]] :
// CHECK-NEXT: return %[[Z]]
func.func @gates(%v: tensor<2x4x8xf32>, %a: tensor<2x4x8xf32>, %b: tensor<2x4x8xf32>,
                 %h: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = arith.mulf %v, %a : tensor<2x4x8xf32>
  %1 = hyena.fftconv %0, %h : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %2 = arith.mulf %1, %a : tensor<2x4x8xf32>
  %3 = arith.mulf %2, %b : tensor<2x4x8xf32>
  return %3 : tensor<2x4x8xf32>
}

// -----

// Away from any convolution a product is left as it is.
// CHECK-LABEL: func @no_gate
// CHECK: arith.mulf
// CHECK: arith.mulf
func.func @no_gate(%v: tensor<2x4x8xf32>, %h: tensor<4x8xf32>)
    -> (tensor<2x4x8xf32>, tensor<4x8xf32>) {
  %0 = arith.mulf %v, %v : tensor<2x4x8xf32>
  %1 = arith.mulf %h, %h : tensor<4x8xf32>
  return %0, %1 : tensor<2x4x8xf32>, tensor<4x8xf32>
}

// -----

// h.repeat_interleave(2, dim=0): two channels share a filter.
// CHECK-LABEL: func @groups
// CHECK-SAME: (%[[U:.*]]: tensor<2x4x8xf32>, %[[H:.*]]: tensor<2x8xf32>, %[[R:.*]]: tensor<2x3xf32>)
// CHECK-DAG: hyena.fftconv %[[U]], %[[H]] reverse(%[[R]]) {mode = #hyena.conv_mode<bidirectional>}
// CHECK-DAG: hyena.shortconv %[[U]], %[[R]] :
// CHECK-NOT: tensor.collapse_shape
func.func @groups(%u: tensor<2x4x8xf32>, %h: tensor<2x8xf32>, %r: tensor<2x3xf32>)
    -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %eh = tensor.empty() : tensor<2x2x8xf32>
  %er = tensor.empty() : tensor<2x2x3xf32>
  %bh = linalg.broadcast ins(%h : tensor<2x8xf32>) outs(%eh : tensor<2x2x8xf32>) dimensions = [1]
  %br = linalg.broadcast ins(%r : tensor<2x3xf32>) outs(%er : tensor<2x2x3xf32>) dimensions = [1]
  %rows = tensor.collapse_shape %bh [[0, 1], [2]] : tensor<2x2x8xf32> into tensor<4x8xf32>
  %reverse = tensor.collapse_shape %br [[0, 1], [2]] : tensor<2x2x3xf32> into tensor<4x3xf32>
  %0 = hyena.fftconv %u, %rows reverse(%reverse) {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  %1 = hyena.shortconv %u, %reverse : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  return %0, %1 : tensor<2x4x8xf32>, tensor<2x4x8xf32>
}

// -----

// One half is repeated; the rows are tiled (channel c uses row c mod 2).
// CHECK-LABEL: func @no_groups
// CHECK-COUNT-2: tensor.collapse_shape
func.func @no_groups(%u: tensor<2x4x8xf32>, %h: tensor<2x8xf32>, %r: tensor<4x3xf32>)
    -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %e = tensor.empty() : tensor<2x2x8xf32>
  %b = linalg.broadcast ins(%h : tensor<2x8xf32>) outs(%e : tensor<2x2x8xf32>) dimensions = [1]
  %rows = tensor.collapse_shape %b [[0, 1], [2]] : tensor<2x2x8xf32> into tensor<4x8xf32>
  %0 = hyena.fftconv %u, %rows reverse(%r) {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  %t = linalg.broadcast ins(%h : tensor<2x8xf32>) outs(%e : tensor<2x2x8xf32>) dimensions = [0]
  %tiled = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x2x8xf32> into tensor<4x8xf32>
  %1 = hyena.fftconv %u, %tiled : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  return %0, %1 : tensor<2x4x8xf32>, tensor<2x4x8xf32>
}
