// If this fails, a pattern around a convolution does not simplify what it says,
// or fires where the result would be another one.
// RUN: hyena-opt %s --canonicalize --split-input-file | FileCheck %s

//===----------------------------------------------------------------------===//
// shortconv
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @name_padding
// CHECK: hyena.shortconv %{{.*}}, %{{.*}} : (tensor<2x4x8xf32>, tensor<4x3xf32>)
// CHECK: hyena.shortconv %{{.*}}, %{{.*}} {padding = #hyena.padding<same>} : (tensor<2x4x8xf32>, tensor<4x3xf32>)
// CHECK: hyena.shortconv %{{.*}}, %{{.*}} {padding = #hyena.padding<same>} : (tensor<2x4x8xf32>, tensor<4x4xf32>)
func.func @name_padding(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>, %v: tensor<4x4xf32>)
    -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %0 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 2 : i64,
                               pad_high = 0 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  %1 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 1 : i64,
                               pad_high = 1 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  // An even number of taps: same looks one sample less ahead than back.
  %2 = hyena.shortconv %x, %v {padding = #hyena.padding<explicit>, pad_low = 2 : i64,
                               pad_high = 1 : i64}
      : (tensor<2x4x8xf32>, tensor<4x4xf32>) -> tensor<2x4x8xf32>
  return %0, %1, %2 : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
}

// Neither causal nor same: all ahead; the other side of an even number of taps;
// another length.
// CHECK-LABEL: func @unnamed_padding
// CHECK-COUNT-3: padding = #hyena.padding<explicit>
func.func @unnamed_padding(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>, %v: tensor<4x4xf32>)
    -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x9xf32>) {
  %0 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 0 : i64,
                               pad_high = 2 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  %1 = hyena.shortconv %x, %v {padding = #hyena.padding<explicit>, pad_low = 1 : i64,
                               pad_high = 2 : i64}
      : (tensor<2x4x8xf32>, tensor<4x4xf32>) -> tensor<2x4x8xf32>
  %2 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 2 : i64,
                               pad_high = 1 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x9xf32>
  return %0, %1, %2 : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x9xf32>
}

// Conv1d(padding=2)(x)[..., :L] is the causal convolution.
// CHECK-LABEL: func @padded_convolution_cut
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x8xf32>, %[[W:.*]]: tensor<4x3xf32>, %[[B:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[Y:.*]] = hyena.shortconv %[[X]], %[[W]] bias(%[[B]]) : {{.*}} -> tensor<2x4x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @padded_convolution_cut(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>,
                                  %b: tensor<4xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.pad %x {dim = 2 : i64, low = 2 : i64, high = 2 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x12xf32>
  %1 = hyena.shortconv %0, %w bias(%b) {padding = #hyena.padding<explicit>, pad_low = 0 : i64,
                                        pad_high = 0 : i64}
      : (tensor<2x4x12xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4x10xf32>
  %2 = hyena.truncate %1 {dim = 2 : i64, length = 8 : i64}
      : (tensor<2x4x10xf32>) -> tensor<2x4x8xf32>
  return %2 : tensor<2x4x8xf32>
}

// A pad of the channels stays; so does one that makes an attribute too large.
// CHECK-LABEL: func @pad_stays
// CHECK-COUNT-2: hyena.pad
func.func @pad_stays(%x: tensor<2x3x8xf32>, %u: tensor<2x4x?xf32>, %w: tensor<4x3xf32>)
    -> (tensor<2x4x8xf32>, tensor<2x4x?xf32>) {
  %0 = hyena.pad %x {dim = 1 : i64, low = 1 : i64, high = 0 : i64}
      : (tensor<2x3x8xf32>) -> tensor<2x4x8xf32>
  %1 = hyena.shortconv %0, %w : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  %2 = hyena.pad %u {dim = 2 : i64, low = 1099511627776 : i64, high = 0 : i64}
      : (tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  %3 = hyena.shortconv %2, %w : (tensor<2x4x?xf32>, tensor<4x3xf32>) -> tensor<2x4x?xf32>
  return %1, %3 : tensor<2x4x8xf32>, tensor<2x4x?xf32>
}

// The cut takes samples of the signal; the whole result is used too; the cut is
// one of channels; the padding has a name.
// CHECK-LABEL: func @cut_stays
// CHECK-COUNT-4: hyena.truncate
func.func @cut_stays(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>)
    -> (tensor<2x4x7xf32>, tensor<2x4x8xf32>, tensor<2x4x10xf32>, tensor<2x2x10xf32>,
        tensor<2x4x6xf32>) {
  %0 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 1 : i64,
                               pad_high = 2 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x9xf32>
  %1 = hyena.truncate %0 {dim = 2 : i64, offset = 2 : i64, length = 7 : i64}
      : (tensor<2x4x9xf32>) -> tensor<2x4x7xf32>
  %2 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 2 : i64,
                               pad_high = 2 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x10xf32>
  %3 = hyena.truncate %2 {dim = 2 : i64, length = 8 : i64}
      : (tensor<2x4x10xf32>) -> tensor<2x4x8xf32>
  %4 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 3 : i64,
                               pad_high = 1 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x10xf32>
  %5 = hyena.truncate %4 {dim = 1 : i64, length = 2 : i64}
      : (tensor<2x4x10xf32>) -> tensor<2x2x10xf32>
  %6 = hyena.shortconv %x, %w : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  %7 = hyena.truncate %6 {dim = 2 : i64, length = 6 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x6xf32>
  return %1, %3, %2, %5, %7
      : tensor<2x4x7xf32>, tensor<2x4x8xf32>, tensor<2x4x10xf32>, tensor<2x2x10xf32>,
        tensor<2x4x6xf32>
}

//===----------------------------------------------------------------------===//
// fused_conv
//===----------------------------------------------------------------------===//

// An operand given twice, an access made twice, one that is not used, and an
// operand that no access names then.
// CHECK-LABEL: func @compact_accesses
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x8xf32>, %{{.*}}: tensor<4xf32>, %[[H:.*]]: tensor<4x5xf32>)
// CHECK: hyena.fused_conv ins(%[[X]] : tensor<2x4x8xf32>) filter(%[[H]] : tensor<4x5xf32>)
// CHECK-SAME: accesses [#hyena.access<0, (d0, d1, d2) -> (d0, d1, d2)>, #hyena.access<0, (d0, d1, d2) -> (d0, d1, d2 - 1)>]
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT: %[[P:.*]] = arith.addf %[[A]], %[[A]] : f32
// CHECK-NEXT: hyena.yield %[[P]]
// CHECK: ^bb0(%[[C:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %[[B:.*]]: f32):
// CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[C]], %[[B]] : f32
// CHECK-NEXT: hyena.yield %[[Q]]
func.func @compact_accesses(%x: tensor<2x4x8xf32>, %d: tensor<4xf32>, %h: tensor<4x5xf32>)
    -> tensor<2x4x8xf32> {
  %0 = hyena.fused_conv ins(%x, %d, %x : tensor<2x4x8xf32>, tensor<4xf32>, tensor<2x4x8xf32>)
      filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>, #hyena.access<1, (b, c, l) -> (c)>,
                #hyena.access<2, (b, c, l) -> (b, c, l)>,
                #hyena.access<2, (b, c, l) -> (b, c, l - 1)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32):
    %1 = arith.addf %a0, %a2 : f32
    hyena.yield %1 : f32
  } epilogue {
  ^bb0(%y: f32, %u: f32, %a0: f32, %a1: f32, %a2: f32, %a3: f32):
    %1 = arith.mulf %y, %a3 : f32
    hyena.yield %1 : f32
  } : tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// The batch and the length are read off an operand whose elements are not used.
// CHECK-LABEL: func @access_that_shows_an_extent
// CHECK-SAME: (%[[X:.*]]: tensor<?x4x?xf32>, %{{.*}}: tensor<?x4x?xf32>, %[[D:.*]]: tensor<4xf32>,
// CHECK: hyena.fused_conv ins(%[[X]], %[[D]] : tensor<?x4x?xf32>, tensor<4xf32>)
// CHECK-SAME: accesses [#hyena.access<0, (d0, d1, d2) -> (d0, d1, d2)>, #hyena.access<1, (d0, d1, d2) -> (d1)>]
func.func @access_that_shows_an_extent(%x: tensor<?x4x?xf32>, %z: tensor<?x4x?xf32>,
                                       %d: tensor<4xf32>, %h: tensor<4x5xf32>)
    -> tensor<?x4x?xf32> {
  %0 = hyena.fused_conv
      ins(%x, %z, %d : tensor<?x4x?xf32>, tensor<?x4x?xf32>, tensor<4xf32>)
      filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>,
                #hyena.access<1, (b, c, l) -> (b, c, l)>, #hyena.access<2, (b, c, l) -> (c)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    hyena.yield %a2 : f32
  } epilogue {
  ^bb0(%y: f32, %u: f32, %a0: f32, %a1: f32, %a2: f32):
    hyena.yield %y : f32
  } : tensor<?x4x?xf32>
  return %0 : tensor<?x4x?xf32>
}

// With static extents nothing is kept for their sake.
// CHECK-LABEL: func @no_access_left
// CHECK: hyena.fused_conv ins() filter
func.func @no_access_left(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a0: f32):
    %one = arith.constant 1.0 : f32
    hyena.yield %one : f32
  } epilogue {
  ^bb0(%y: f32, %u: f32, %a0: f32):
    hyena.yield %y : f32
  } : tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

//===----------------------------------------------------------------------===//
// fftconv
//===----------------------------------------------------------------------===//

// No tap acts ahead, or the attribute says nothing.
// CHECK-LABEL: func @simple_modes
// CHECK: hyena.fftconv %{{.*}}, %{{.*}} : (tensor<2x4x8xf32>, tensor<4x5xf32>)
// CHECK: hyena.fftconv %{{.*}}, %{{.*}} : (tensor<2x4x8xf32>, tensor<4x1xf32>)
// CHECK: hyena.fftconv %{{.*}}, %{{.*}} {mode = #hyena.conv_mode<circular>} : (tensor<2x4x8xf32>, tensor<4x5xf32>)
// CHECK: hyena.fftconv %{{.*}}, %{{.*}} : (tensor<2x4x8xf32>, tensor<4x1xf32>)
// CHECK: hyena.shortconv %{{.*}}, %{{.*}} : (tensor<2x4x8xf32>, tensor<4x1xf32>)
func.func @simple_modes(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %s: tensor<4x1xf32>)
    -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %x, %h {mode = #hyena.conv_mode<noncausal>, lag0 = 0 : i64}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  %1 = hyena.fftconv %0, %s {mode = #hyena.conv_mode<circular>}
      : (tensor<2x4x8xf32>, tensor<4x1xf32>) -> tensor<2x4x8xf32>
  %2 = hyena.fftconv %1, %h {mode = #hyena.conv_mode<circular>, lag0 = 2 : i64}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  %3 = hyena.fftconv %2, %s {tap_order = #hyena.tap_order<newest_last>}
      : (tensor<2x4x8xf32>, tensor<4x1xf32>) -> tensor<2x4x8xf32>
  %4 = hyena.shortconv %3, %s {tap_order = #hyena.tap_order<lag0_first>}
      : (tensor<2x4x8xf32>, tensor<4x1xf32>) -> tensor<2x4x8xf32>
  return %4 : tensor<2x4x8xf32>
}

// CHECK-LABEL: func @modes_stay
// CHECK: lag0 = 0 : i64, mode = #hyena.conv_mode<circular>
// CHECK: lag0 = 1 : i64, mode = #hyena.conv_mode<noncausal>
// CHECK: tap_order = #hyena.tap_order<newest_last>
func.func @modes_stay(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %x, %h {mode = #hyena.conv_mode<circular>, lag0 = 0 : i64}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  %1 = hyena.fftconv %0, %h {mode = #hyena.conv_mode<noncausal>, lag0 = 1 : i64}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  %2 = hyena.fftconv %1, %h {tap_order = #hyena.tap_order<newest_last>}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return %2 : tensor<2x4x8xf32>
}
