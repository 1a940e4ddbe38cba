// If this fails, raising a decomposed convolution gives another convolution, or
// none: the two passes are no inverse of each other.
// RUN: hyena-opt %s --canonicalize -o %t.plain
// RUN: hyena-opt %s --hyena-decompose -o %t.decomposed
// RUN: FileCheck %s --check-prefix=DECOMPOSED --input-file=%t.decomposed
// RUN: hyena-opt %t.decomposed --hyena-raise --canonicalize -o %t.back
// RUN: diff %t.plain %t.back
// The other way round: what was decomposed, raised and decomposed again.
// RUN: hyena-opt %t.plain --hyena-decompose -o %t.first
// RUN: hyena-opt %t.first --hyena-raise --canonicalize --hyena-decompose -o %t.second
// RUN: diff %t.first %t.second

// No long convolution, no named padding and no tap order is left.
// DECOMPOSED-NOT: hyena.fftconv
// DECOMPOSED-NOT: #hyena.padding<causal>
// DECOMPOSED-NOT: #hyena.padding<same>
// DECOMPOSED-NOT: #hyena.tap_order

//===----------------------------------------------------------------------===//
// Causal
//===----------------------------------------------------------------------===//

func.func @causal(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @causal_short_filter(%u: tensor<2x4x8xf32>, %h: tensor<4x3xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @causal_long_filter(%u: tensor<2x4x8xf32>, %h: tensor<4x13xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      : (tensor<2x4x8xf32>, tensor<4x13xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @causal_one_tap(%u: tensor<2x4x8xf32>, %h: tensor<4x1xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      : (tensor<2x4x8xf32>, tensor<4x1xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @causal_one_sample(%u: tensor<2x4x1xf32>, %h: tensor<4x5xf32>) -> tensor<2x4x1xf32> {
  %0 = hyena.fftconv %u, %h
      : (tensor<2x4x1xf32>, tensor<4x5xf32>) -> tensor<2x4x1xf32>
  return %0 : tensor<2x4x1xf32>
}

func.func @causal_odd_length(%u: tensor<2x4x7xf32>, %h: tensor<4x7xf32>) -> tensor<2x4x7xf32> {
  %0 = hyena.fftconv %u, %h
      : (tensor<2x4x7xf32>, tensor<4x7xf32>) -> tensor<2x4x7xf32>
  return %0 : tensor<2x4x7xf32>
}

func.func @causal_dynamic_batch(%u: tensor<?x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<?x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      : (tensor<?x4x8xf32>, tensor<4x8xf32>) -> tensor<?x4x8xf32>
  return %0 : tensor<?x4x8xf32>
}

func.func @causal_empty_batch(%u: tensor<0x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<0x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      : (tensor<0x4x8xf32>, tensor<4x8xf32>) -> tensor<0x4x8xf32>
  return %0 : tensor<0x4x8xf32>
}

func.func @causal_groups(%u: tensor<2x4x8xf32>, %h: tensor<2x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      : (tensor<2x4x8xf32>, tensor<2x5xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @causal_one_group(%u: tensor<2x4x8xf32>, %h: tensor<1x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      : (tensor<2x4x8xf32>, tensor<1x5xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @causal_newest_last(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {tap_order = #hyena.tap_order<newest_last>}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @causal_newest_last_one_tap(%u: tensor<2x4x8xf32>, %h: tensor<4x1xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {tap_order = #hyena.tap_order<newest_last>}
      : (tensor<2x4x8xf32>, tensor<4x1xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @causal_skip(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>, %d: tensor<4xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h skip(%d)
      : (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<4xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @causal_skip_repeated(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>, %d: tensor<2xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h skip(%d)
      : (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<2xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @causal_skip_one(%u: tensor<2x4x8xf32>, %h: tensor<2x3xf32>, %d: tensor<1xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h skip(%d)
      : (tensor<2x4x8xf32>, tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @causal_channels_last(%u: tensor<2x8x4xf32>, %h: tensor<4x8xf32>) -> tensor<2x8x4xf32> {
  %0 = hyena.fftconv %u, %h
      {layout = #hyena.layout<channels_last>}
      : (tensor<2x8x4xf32>, tensor<4x8xf32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

func.func @causal_channels_last_skip(%u: tensor<?x8x4xf32>, %h: tensor<2x3xf32>, %d: tensor<2xf32>) -> tensor<?x8x4xf32> {
  %0 = hyena.fftconv %u, %h skip(%d)
      {tap_order = #hyena.tap_order<newest_last>, layout = #hyena.layout<channels_last>}
      : (tensor<?x8x4xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<?x8x4xf32>
  return %0 : tensor<?x8x4xf32>
}

//===----------------------------------------------------------------------===//
// Bidirectional
//===----------------------------------------------------------------------===//

func.func @bidirectional(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>, %r: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h reverse(%r)
      {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @bidirectional_more_ahead(%u: tensor<2x4x8xf32>, %h: tensor<4x3xf32>, %r: tensor<4x6xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h reverse(%r)
      {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>, tensor<4x6xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @bidirectional_more_back(%u: tensor<2x4x8xf32>, %h: tensor<4x6xf32>, %r: tensor<4x1xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h reverse(%r)
      {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x8xf32>, tensor<4x6xf32>, tensor<4x1xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @bidirectional_beyond(%u: tensor<2x4x8xf32>, %h: tensor<4x12xf32>, %r: tensor<4x13xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h reverse(%r)
      {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x8xf32>, tensor<4x12xf32>, tensor<4x13xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @bidirectional_groups_skip(%u: tensor<?x4x8xf32>, %h: tensor<2x5xf32>, %r: tensor<2x5xf32>, %d: tensor<4xf32>) -> tensor<?x4x8xf32> {
  %0 = hyena.fftconv %u, %h reverse(%r) skip(%d)
      {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<?x4x8xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<4xf32>) -> tensor<?x4x8xf32>
  return %0 : tensor<?x4x8xf32>
}

func.func @bidirectional_channels_last(%u: tensor<2x8x4xf32>, %h: tensor<4x5xf32>, %r: tensor<4x4xf32>) -> tensor<2x8x4xf32> {
  %0 = hyena.fftconv %u, %h reverse(%r)
      {mode = #hyena.conv_mode<bidirectional>, layout = #hyena.layout<channels_last>}
      : (tensor<2x8x4xf32>, tensor<4x5xf32>, tensor<4x4xf32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

func.func @bidirectional_one_sample(%u: tensor<2x4x1xf32>, %h: tensor<4x1xf32>, %r: tensor<4x1xf32>) -> tensor<2x4x1xf32> {
  %0 = hyena.fftconv %u, %h reverse(%r)
      {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<2x4x1xf32>
  return %0 : tensor<2x4x1xf32>
}

//===----------------------------------------------------------------------===//
// Noncausal
//===----------------------------------------------------------------------===//

func.func @noncausal(%u: tensor<2x4x8xf32>, %h: tensor<4x15xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<noncausal>}
      : (tensor<2x4x8xf32>, tensor<4x15xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @noncausal_lag0(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<noncausal>, lag0 = 4 : i64}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @noncausal_lag0_of_causal(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<noncausal>, lag0 = 0 : i64}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @noncausal_default_lag0(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<noncausal>, lag0 = 2 : i64}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @noncausal_even(%u: tensor<2x4x8xf32>, %h: tensor<4x4xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<noncausal>}
      : (tensor<2x4x8xf32>, tensor<4x4xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @noncausal_beyond(%u: tensor<2x4x8xf32>, %h: tensor<4x31xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<noncausal>}
      : (tensor<2x4x8xf32>, tensor<4x31xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @noncausal_one_tap(%u: tensor<2x4x8xf32>, %h: tensor<4x1xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<noncausal>}
      : (tensor<2x4x8xf32>, tensor<4x1xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @noncausal_groups_skip_last(%u: tensor<2x8x4xf32>, %h: tensor<1x7xf32>, %d: tensor<1xf32>) -> tensor<2x8x4xf32> {
  %0 = hyena.fftconv %u, %h skip(%d)
      {mode = #hyena.conv_mode<noncausal>, layout = #hyena.layout<channels_last>}
      : (tensor<2x8x4xf32>, tensor<1x7xf32>, tensor<1xf32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

//===----------------------------------------------------------------------===//
// Circular
//===----------------------------------------------------------------------===//

func.func @circular(%u: tensor<2x4x8xf32>, %h: tensor<4x7xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<circular>}
      : (tensor<2x4x8xf32>, tensor<4x7xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @circular_full(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<circular>}
      : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @circular_lag0_first(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<circular>, lag0 = 0 : i64}
      : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @circular_lag0_last(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<circular>, lag0 = 4 : i64}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @circular_short(%u: tensor<2x4x9xf32>, %h: tensor<4x3xf32>) -> tensor<2x4x9xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<circular>}
      : (tensor<2x4x9xf32>, tensor<4x3xf32>) -> tensor<2x4x9xf32>
  return %0 : tensor<2x4x9xf32>
}

func.func @circular_two_taps(%u: tensor<2x4x8xf32>, %h: tensor<4x2xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<circular>}
      : (tensor<2x4x8xf32>, tensor<4x2xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @circular_one_tap(%u: tensor<2x4x8xf32>, %h: tensor<4x1xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<circular>}
      : (tensor<2x4x8xf32>, tensor<4x1xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @circular_one_sample(%u: tensor<2x4x1xf32>, %h: tensor<4x1xf32>) -> tensor<2x4x1xf32> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<circular>}
      : (tensor<2x4x1xf32>, tensor<4x1xf32>) -> tensor<2x4x1xf32>
  return %0 : tensor<2x4x1xf32>
}

func.func @circular_groups_skip_last(%u: tensor<?x8x4xf32>, %h: tensor<2x5xf32>, %d: tensor<4xf32>) -> tensor<?x8x4xf32> {
  %0 = hyena.fftconv %u, %h skip(%d)
      {mode = #hyena.conv_mode<circular>, layout = #hyena.layout<channels_last>}
      : (tensor<?x8x4xf32>, tensor<2x5xf32>, tensor<4xf32>) -> tensor<?x8x4xf32>
  return %0 : tensor<?x8x4xf32>
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

func.func @f64(%u: tensor<2x4x8xf64>, %h: tensor<4x8xf64>, %d: tensor<4xf64>) -> tensor<2x4x8xf64> {
  %0 = hyena.fftconv %u, %h skip(%d)
      : (tensor<2x4x8xf64>, tensor<4x8xf64>, tensor<4xf64>) -> tensor<2x4x8xf64>
  return %0 : tensor<2x4x8xf64>
}

func.func @bf16(%u: tensor<2x4x8xbf16>, %h: tensor<4x8xbf16>, %d: tensor<4xbf16>) -> tensor<2x4x8xbf16> {
  %0 = hyena.fftconv %u, %h skip(%d)
      : (tensor<2x4x8xbf16>, tensor<4x8xbf16>, tensor<4xbf16>) -> tensor<2x4x8xbf16>
  return %0 : tensor<2x4x8xbf16>
}

func.func @bf16_signal(%u: tensor<2x8x4xbf16>, %h: tensor<4x8xf32>, %d: tensor<2xf32>) -> tensor<2x8x4xbf16> {
  %0 = hyena.fftconv %u, %h skip(%d)
      {layout = #hyena.layout<channels_last>}
      : (tensor<2x8x4xbf16>, tensor<4x8xf32>, tensor<2xf32>) -> tensor<2x8x4xbf16>
  return %0 : tensor<2x8x4xbf16>
}

func.func @bf16_filter(%u: tensor<2x4x8xf32>, %h: tensor<4x8xbf16>, %r: tensor<4x8xbf16>, %d: tensor<4xbf16>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h reverse(%r) skip(%d)
      {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x8xf32>, tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4xbf16>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @f16_signal_bf16_filter(%u: tensor<2x4x8xf16>, %h: tensor<4x5xbf16>) -> tensor<2x4x8xf16> {
  %0 = hyena.fftconv %u, %h
      {mode = #hyena.conv_mode<circular>}
      : (tensor<2x4x8xf16>, tensor<4x5xbf16>) -> tensor<2x4x8xf16>
  return %0 : tensor<2x4x8xf16>
}

func.func @f32_signal_f64_filter(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf64>, %d: tensor<4xf64>) -> tensor<2x4x8xf32> {
  %0 = hyena.fftconv %u, %h skip(%d)
      : (tensor<2x4x8xf32>, tensor<4x8xf64>, tensor<4xf64>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @f64_signal_f32_filter(%u: tensor<2x4x8xf64>, %h: tensor<4x5xf32>, %d: tensor<1xf32>) -> tensor<2x4x8xf64> {
  %0 = hyena.fftconv %u, %h skip(%d)
      {mode = #hyena.conv_mode<noncausal>}
      : (tensor<2x4x8xf64>, tensor<4x5xf32>, tensor<1xf32>) -> tensor<2x4x8xf64>
  return %0 : tensor<2x4x8xf64>
}

func.func @bf16_signal_f64_filter(%u: tensor<2x4x8xbf16>, %h: tensor<4x8xf64>) -> tensor<2x4x8xbf16> {
  %0 = hyena.fftconv %u, %h
      {tap_order = #hyena.tap_order<newest_last>}
      : (tensor<2x4x8xbf16>, tensor<4x8xf64>) -> tensor<2x4x8xbf16>
  return %0 : tensor<2x4x8xbf16>
}

//===----------------------------------------------------------------------===//
// Short convolutions
//===----------------------------------------------------------------------===//

func.func @short_causal(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.shortconv %x, %w
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @short_causal_bias(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.shortconv %x, %w bias(%b)
      : (tensor<2x4x8xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @short_same(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.shortconv %x, %w
      {padding = #hyena.padding<same>}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @short_same_even(%x: tensor<2x4x8xf32>, %w: tensor<4x4xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.shortconv %x, %w
      {padding = #hyena.padding<same>}
      : (tensor<2x4x8xf32>, tensor<4x4xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @short_one_tap(%x: tensor<2x4x8xf32>, %w: tensor<4x1xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.shortconv %x, %w
      {tap_order = #hyena.tap_order<lag0_first>}
      : (tensor<2x4x8xf32>, tensor<4x1xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @short_explicit(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>) -> tensor<2x4x11xf32> {
  %0 = hyena.shortconv %x, %w
      {padding = #hyena.padding<explicit>, pad_low = 1 : i64, pad_high = 4 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x11xf32>
  return %0 : tensor<2x4x11xf32>
}

func.func @short_explicit_ahead(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.shortconv %x, %w
      {padding = #hyena.padding<explicit>, pad_low = 0 : i64, pad_high = 2 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @short_explicit_nothing(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>) -> tensor<2x4x6xf32> {
  %0 = hyena.shortconv %x, %w
      {padding = #hyena.padding<explicit>, pad_low = 0 : i64, pad_high = 0 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x6xf32>
  return %0 : tensor<2x4x6xf32>
}

func.func @short_lag0_first(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.shortconv %x, %w
      {tap_order = #hyena.tap_order<lag0_first>}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

func.func @short_lag0_first_explicit(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>) -> tensor<2x4x6xf32> {
  %0 = hyena.shortconv %x, %w
      {padding = #hyena.padding<explicit>, pad_low = 0 : i64, pad_high = 0 : i64, tap_order = #hyena.tap_order<lag0_first>}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x6xf32>
  return %0 : tensor<2x4x6xf32>
}

func.func @short_channels_last(%x: tensor<2x8x4xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x8x4xf32> {
  %0 = hyena.shortconv %x, %w bias(%b)
      {padding = #hyena.padding<same>, tap_order = #hyena.tap_order<lag0_first>, layout = #hyena.layout<channels_last>}
      : (tensor<2x8x4xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

func.func @short_groups_dynamic(%x: tensor<?x4x?xf32>, %w: tensor<2x5xf32>) -> tensor<?x4x?xf32> {
  %0 = hyena.shortconv %x, %w
      : (tensor<?x4x?xf32>, tensor<2x5xf32>) -> tensor<?x4x?xf32>
  return %0 : tensor<?x4x?xf32>
}

func.func @short_bf16(%x: tensor<2x4x8xbf16>, %w: tensor<4x3xbf16>) -> tensor<2x4x8xbf16> {
  %0 = hyena.shortconv %x, %w
      : (tensor<2x4x8xbf16>, tensor<4x3xbf16>) -> tensor<2x4x8xbf16>
  return %0 : tensor<2x4x8xbf16>
}
