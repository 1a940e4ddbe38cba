// Wrong if a transform is too short for a filter's lags, a vector does not hold
// half as many f64, or a mode is lost.
// RUN: hyena-opt %s --hyena-fuse --hyena-plan-conv --split-input-file --verify-diagnostics | FileCheck %s
// RUN: hyena-opt %s --hyena-fuse --hyena-plan-conv="lanes=4 max-radix=4" --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=FOUR

// CHECK-LABEL: func @causal
// CHECK: hyena.pack_filter %{{.*}} {channels = 16 : i64, plan = #hyena.fft_plan<length = 64, factors = [8, 8], lanes = 16>, signal_length = 64 : i64}
// CHECK-SAME: -> tensor<1x64x2x16xf32>
// CHECK: hyena.fused_conv
// CHECK-SAME: spectrum(%{{.*}} : tensor<1x64x2x16xf32>)
// CHECK-NOT: mode
// FOUR-LABEL: func @causal
// FOUR: factors = [4, 4, 4], lanes = 4>
// FOUR-SAME: -> tensor<4x64x2x4xf32>
func.func @causal(%x: tensor<?x16x64xf32>, %h: tensor<16x64xf32>) -> tensor<?x16x64xf32> {
  %y = hyena.fftconv %x, %h : (tensor<?x16x64xf32>, tensor<16x64xf32>) -> tensor<?x16x64xf32>
  return %y : tensor<?x16x64xf32>
}

// Few taps: half the length.
// CHECK-LABEL: func @short
// CHECK: length = 36,
// CHECK-SAME: tap_order = #hyena.tap_order<newest_last>
func.func @short(%x: tensor<2x16x64xf32>, %h: tensor<4x7xf32>) -> tensor<2x16x64xf32> {
  %y = hyena.fftconv %x, %h {tap_order = #hyena.tap_order<newest_last>} : (tensor<2x16x64xf32>, tensor<4x7xf32>) -> tensor<2x16x64xf32>
  return %y : tensor<2x16x64xf32>
}

// Channels that do not fill a vector of f64.
// CHECK-LABEL: func @wide
// CHECK: lag0 = 2 : i64, mode = #hyena.conv_mode<noncausal>
// CHECK-SAME: lanes = 8>
// CHECK-SAME: -> tensor<2x{{[0-9]+}}x2x8xf64>
func.func @wide(%x: tensor<2x9x10xf64>, %h: tensor<9x5xf64>) -> tensor<2x9x10xf64> {
  %y = hyena.fftconv %x, %h {mode = #hyena.conv_mode<noncausal>, lag0 = 2} : (tensor<2x9x10xf64>, tensor<9x5xf64>) -> tensor<2x9x10xf64>
  return %y : tensor<2x9x10xf64>
}

// CHECK-LABEL: func @bidirectional
// CHECK: hyena.pack_filter %{{.*}} reverse(%{{.*}}) {channels = 8 : i64, mode = #hyena.conv_mode<bidirectional>
func.func @bidirectional(%x: tensor<2x8x10xbf16>, %h: tensor<8x10xf32>, %r: tensor<8x9xf32>) -> tensor<2x8x10xbf16> {
  %y = hyena.fftconv %x, %h reverse(%r) {mode = #hyena.conv_mode<bidirectional>} : (tensor<2x8x10xbf16>, tensor<8x10xf32>, tensor<8x9xf32>) -> tensor<2x8x10xbf16>
  return %y : tensor<2x8x10xbf16>
}

// CHECK-LABEL: func @one_sample
// CHECK: signal_length = 1
func.func @one_sample(%x: tensor<2x8x1xf32>, %h: tensor<8x3xf32>) -> tensor<2x8x1xf32> {
  %y = hyena.fftconv %x, %h : (tensor<2x8x1xf32>, tensor<8x3xf32>) -> tensor<2x8x1xf32>
  return %y : tensor<2x8x1xf32>
}

// -----

func.func @dynamic(%x: tensor<2x8x?xf32>, %h: tensor<8x3xf32>) -> tensor<2x8x?xf32> {
  // expected-error @+1 {{'hyena.fused_conv' op has a signal of dynamic length, expected a static one}}
  %y = hyena.fftconv %x, %h : (tensor<2x8x?xf32>, tensor<8x3xf32>) -> tensor<2x8x?xf32>
  return %y : tensor<2x8x?xf32>
}
