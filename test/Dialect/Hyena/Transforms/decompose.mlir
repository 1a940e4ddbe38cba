// If this fails, a convolution is written out with another transform, another
// cut or another order of its taps.
// RUN: hyena-opt %s --hyena-decompose --split-input-file | FileCheck %s
// RUN: hyena-opt %s --hyena-decompose --split-input-file --remarks-filter=hyena-decompose \
// RUN:   --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// As PyTorch code spells it: n = 2L.
// CHECK-LABEL: func @causal
// CHECK-SAME: (%[[U:.*]]: tensor<?x4x8xf32>, %[[H:.*]]: tensor<2x8xf32>)
// CHECK-NEXT: %[[A:.*]] = hyena.rfft %[[U]] {n = 16 : i64} : (tensor<?x4x8xf32>) -> tensor<?x4x9xcomplex<f32>>
// CHECK-NEXT: %[[B:.*]] = hyena.rfft %[[H]] {n = 16 : i64} : (tensor<2x8xf32>) -> tensor<2x9xcomplex<f32>>
// CHECK-NEXT: %[[P:.*]] = hyena.spectral_mul %[[A]], %[[B]]
// CHECK-NEXT: %[[W:.*]] = hyena.irfft %[[P]] {n = 16 : i64} : (tensor<?x4x9xcomplex<f32>>) -> tensor<?x4x16xf32>
// CHECK-NEXT: %[[Y:.*]] = hyena.truncate %[[W]] {dim = 2 : i64, length = 8 : i64} : (tensor<?x4x16xf32>) -> tensor<?x4x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @causal(%u: tensor<?x4x8xf32>, %h: tensor<2x8xf32>) -> tensor<?x4x8xf32> {
  %0 = hyena.fftconv %u, %h : (tensor<?x4x8xf32>, tensor<2x8xf32>) -> tensor<?x4x8xf32>
  return %0 : tensor<?x4x8xf32>
}

// -----

// CHECK-LABEL: func @everything
// CHECK-SAME: (%[[U:.*]]: tensor<2x8x4xbf16>, %[[H:.*]]: tensor<4x3xbf16>, %[[D:.*]]: tensor<2xbf16>)
// CHECK: %[[E:.*]] = arith.extf %[[U]]
// CHECK: %[[T:.*]] = hyena.transpose %[[E]]
// CHECK: %[[G:.*]] = arith.extf %[[H]]
// CHECK: %[[F:.*]] = hyena.flip %[[G]] {dim = 1 : i64}
// CHECK: hyena.rfft %[[T]] {n = 11 : i64}
// CHECK: hyena.rfft %[[F]] {n = 11 : i64}
// CHECK: %[[Y:.*]] = hyena.truncate
// CHECK: %[[S:.*]] = arith.extf %[[D]]
// CHECK: %[[R:.*]] = hyena.broadcast %[[S]] like %{{.*}} {dims = array<i64: 0>} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[R]] {{\[\[}}0, 1]] : tensor<2x2xf32> into tensor<4xf32>
// CHECK: %[[B:.*]] = hyena.broadcast %[[C]] like %[[T]] {dims = array<i64: 1>}
// CHECK: %[[P:.*]] = arith.mulf %[[B]], %[[T]]
// CHECK: %[[Q:.*]] = arith.addf %[[Y]], %[[P]]
// CHECK: %[[V:.*]] = hyena.transpose %[[Q]]
// CHECK: arith.truncf %[[V]] : tensor<2x8x4xf32> to tensor<2x8x4xbf16>
func.func @everything(%u: tensor<2x8x4xbf16>, %h: tensor<4x3xbf16>, %d: tensor<2xbf16>)
    -> tensor<2x8x4xbf16> {
  %0 = hyena.fftconv %u, %h skip(%d) {tap_order = #hyena.tap_order<newest_last>,
                                      layout = #hyena.layout<channels_last>}
      : (tensor<2x8x4xbf16>, tensor<4x3xbf16>, tensor<2xbf16>) -> tensor<2x8x4xbf16>
  return %0 : tensor<2x8x4xbf16>
}

// -----

// CHECK-LABEL: func @bidirectional
// CHECK: %[[F:.*]] = hyena.flip %arg2 {dim = 1 : i64}
// CHECK: %[[A:.*]] = hyena.pad %arg1 {dim = 1 : i64, high = 8 : i64, low = 0 : i64} : (tensor<4x5xf32>) -> tensor<4x13xf32>
// CHECK: %[[B:.*]] = hyena.pad %[[F]] {dim = 1 : i64, high = 0 : i64, low = 10 : i64} : (tensor<4x3xf32>) -> tensor<4x13xf32>
// CHECK: %[[C:.*]] = arith.addf %[[A]], %[[B]]
// CHECK: hyena.rfft %[[C]] {n = 13 : i64}
func.func @bidirectional(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %r: tensor<4x3xf32>)
    -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h reverse(%r) {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func @noncausal
// CHECK: hyena.truncate %{{.*}} {dim = 2 : i64, length = 8 : i64, offset = 3 : i64} : (tensor<2x4x13xf32>) -> tensor<2x4x8xf32>
func.func @noncausal(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h {mode = #hyena.conv_mode<noncausal>, lag0 = 3 : i64}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func @circular
// CHECK: %[[W:.*]] = hyena.irfft %{{.*}} {n = 8 : i64}
// CHECK: %[[A:.*]] = hyena.truncate %[[W]] {dim = 2 : i64, length = 6 : i64, offset = 2 : i64}
// CHECK: %[[B:.*]] = hyena.truncate %[[W]] {dim = 2 : i64, length = 2 : i64}
// CHECK: tensor.concat dim(2) %[[A]], %[[B]]
func.func @circular(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h {mode = #hyena.conv_mode<circular>}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// -----

// The size of the transform is not known, or beyond what can be written.
// CHECK-LABEL: func @not_decomposed
// CHECK-COUNT-2: hyena.fftconv
// REMARK: remark: [Missed] decompose | Category:hyena-decompose | {{.*}}Reason="the length of the signal is dynamic, so the size of the transform is not known", Suggestion="give the signal a static length"
// REMARK: Reason="the transform would be larger than 2^40"
func.func @not_decomposed(%u: tensor<2x4x?xf32>, %w: tensor<2x4x8xf32>, %h: tensor<4x5xf32>)
    -> (tensor<2x4x?xf32>, tensor<2x4x1099511627776xf32>) {
  %0 = hyena.fftconv %u, %h : (tensor<2x4x?xf32>, tensor<4x5xf32>) -> tensor<2x4x?xf32>
  %v = hyena.pad %w {dim = 2 : i64, low = 0 : i64, high = 1099511627768 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x1099511627776xf32>
  %1 = hyena.fftconv %v, %h
      : (tensor<2x4x1099511627776xf32>, tensor<4x5xf32>) -> tensor<2x4x1099511627776xf32>
  return %0, %1 : tensor<2x4x?xf32>, tensor<2x4x1099511627776xf32>
}

// -----

// CHECK-LABEL: func @shortconv
// CHECK: %[[P:.*]] = hyena.pad %arg0 {dim = 2 : i64, high = 1 : i64, low = 1 : i64} : (tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
// CHECK: %[[F:.*]] = hyena.flip %arg1 {dim = 1 : i64}
// CHECK: hyena.shortconv %[[P]], %[[F]] bias(%arg2) {pad_high = 0 : i64, pad_low = 0 : i64, padding = #hyena.padding<explicit>}
func.func @shortconv(%x: tensor<?x4x?xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>)
    -> tensor<?x4x?xf32> {
  %0 = hyena.shortconv %x, %w bias(%b) {padding = #hyena.padding<same>,
                                        tap_order = #hyena.tap_order<lag0_first>}
      : (tensor<?x4x?xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<?x4x?xf32>
  return %0 : tensor<?x4x?xf32>
}
