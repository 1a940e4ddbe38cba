// If this fails, a planned filter or an attribute that breaks a constraint
// passes, or its message does not say what was found and what is allowed.
// RUN: hyena-opt %s --split-input-file --verify-diagnostics

//===----------------------------------------------------------------------===//
// pack_filter
//===----------------------------------------------------------------------===//

func.func @f(%h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.pack_filter' op C1: 'channels' is 0 and 'signal_length' is 8, expected 1 to 1099511627776}}
  %0 = hyena.pack_filter %h {
      channels = 0 : i64, signal_length = 8 : i64,
      plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>}
      : (tensor<4x5xf32>) -> tensor<1x8x2x4xf32>
  return
}

// -----

func.func @f(%h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.pack_filter' op C1: 'channels' is 4 and 'signal_length' is 9223372036854775807, expected 1 to 1099511627776}}
  %0 = hyena.pack_filter %h {
      channels = 4 : i64, signal_length = 9223372036854775807 : i64,
      plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>}
      : (tensor<4x5xf32>) -> tensor<1x8x2x4xf32>
  return
}

// -----

func.func @f(%h: tensor<5xf32>) {
  // expected-error @+1 {{'hyena.pack_filter' op C1: the filter is 'tensor<5xf32>', expected a static (G, K) matrix of 1 tap at least}}
  %0 = hyena.pack_filter %h {
      channels = 4 : i64, signal_length = 8 : i64,
      plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>}
      : (tensor<5xf32>) -> tensor<1x8x2x4xf32>
  return
}

// -----

func.func @f(%h: tensor<3x5xf32>) {
  // expected-error @+1 {{'hyena.pack_filter' op C1: the filter has 3 rows, expected a divisor of the 4 channels}}
  %0 = hyena.pack_filter %h {
      channels = 4 : i64, signal_length = 8 : i64,
      plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>}
      : (tensor<3x5xf32>) -> tensor<1x8x2x4xf32>
  return
}

// -----

func.func @f(%h: tensor<4x5xf32>, %r: tensor<4x5xf64>) {
  // expected-error @+1 {{'hyena.pack_filter' op C1: filter and reverse have element types 'f32' and 'f64', expected one}}
  %0 = hyena.pack_filter %h reverse(%r) {
      channels = 4 : i64, signal_length = 8 : i64, mode = #hyena.conv_mode<bidirectional>,
      plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>}
      : (tensor<4x5xf32>, tensor<4x5xf64>) -> tensor<1x8x2x4xf32>
  return
}

// -----

func.func @f(%h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.pack_filter' op C2: 'reverse' is missing in mode bidirectional, expected in bidirectional mode and in it alone}}
  %0 = hyena.pack_filter %h {
      channels = 4 : i64, signal_length = 8 : i64, mode = #hyena.conv_mode<bidirectional>,
      plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>}
      : (tensor<4x5xf32>) -> tensor<1x8x2x4xf32>
  return
}

// -----

func.func @f(%h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.pack_filter' op C2: 'lag0' is 7, expected 0 to 4}}
  %0 = hyena.pack_filter %h {
      channels = 4 : i64, signal_length = 8 : i64, mode = #hyena.conv_mode<noncausal>, lag0 = 7 : i64,
      plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>}
      : (tensor<4x5xf32>) -> tensor<1x8x2x4xf32>
  return
}

// -----

func.func @f(%h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.pack_filter' op C2: the circular filter has 5 taps, expected no more than the 4 samples of the signal}}
  %0 = hyena.pack_filter %h {
      channels = 4 : i64, signal_length = 4 : i64, mode = #hyena.conv_mode<circular>,
      plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>}
      : (tensor<4x5xf32>) -> tensor<1x8x2x4xf32>
  return
}

// -----

func.func @f(%h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.pack_filter' op C2: the tap order is newest_last in mode noncausal, expected in causal mode only}}
  %0 = hyena.pack_filter %h {
      channels = 4 : i64, signal_length = 8 : i64, mode = #hyena.conv_mode<noncausal>, tap_order = #hyena.tap_order<newest_last>,
      plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>}
      : (tensor<4x5xf32>) -> tensor<1x8x2x4xf32>
  return
}

// -----

func.func @f(%h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.pack_filter' op C3: the plan has length 4, expected 6 at least for lags 0 to 4 of 8 samples}}
  %0 = hyena.pack_filter %h {
      channels = 4 : i64, signal_length = 8 : i64,
      plan = #hyena.fft_plan<length = 4, factors = [4], lanes = 4>}
      : (tensor<4x5xf32>) -> tensor<1x4x2x4xf32>
  return
}

// -----

func.func @f(%h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.pack_filter' op C3: the plan has length 7, expected 8 at least for lags -7 to 7 of 8 samples}}
  %0 = hyena.pack_filter %h {
      channels = 4 : i64, signal_length = 8 : i64, mode = #hyena.conv_mode<circular>,
      plan = #hyena.fft_plan<length = 7, factors = [7], lanes = 4>}
      : (tensor<4x5xf32>) -> tensor<1x7x2x4xf32>
  return
}

// -----

func.func @f(%h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.pack_filter' op C4: the result is 'tensor<1x8x2x8xf32>', expected 'tensor<1x8x2x4xf32>'}}
  %0 = hyena.pack_filter %h {
      channels = 4 : i64, signal_length = 8 : i64,
      plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>}
      : (tensor<4x5xf32>) -> tensor<1x8x2x8xf32>
  return
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// -----

// expected-error @+1 {{length is 0, expected 1 to 1099511627776}}
func.func private @f() attributes {plan = #hyena.fft_plan<length = 0, factors = [1], lanes = 1>}

// -----

// expected-error @+1 {{lanes is 0, expected 1 to 1099511627776}}
func.func private @f() attributes {plan = #hyena.fft_plan<length = 4, factors = [4], lanes = 0>}

// -----

// expected-error @+1 {{factors hold 3, expected a divisor of 4, what the factors before it leave of the length 8}}
func.func private @f() attributes {plan = #hyena.fft_plan<length = 8, factors = [2, 3], lanes = 1>}

// -----

// expected-error @+1 {{factors hold 0, expected a divisor of 8, what the factors before it leave of the length 8}}
func.func private @f() attributes {plan = #hyena.fft_plan<length = 8, factors = [0], lanes = 1>}

// -----

// expected-error @+1 {{factors hold 4294967296, expected a divisor of 8, what the factors before it leave of the length 8}}
func.func private @f() attributes {plan = #hyena.fft_plan<length = 8, factors = [4294967296, 4294967296], lanes = 1>}

// -----

// expected-error @+1 {{the product of the factors is 4, expected the length 8}}
func.func private @f() attributes {plan = #hyena.fft_plan<length = 8, factors = [4], lanes = 1>}

// -----

// expected-error @+1 {{'func.func' op carries 'hyena.param', which belongs on a function argument}}
func.func private @f() attributes {hyena.param}

// -----

// expected-error @+1 {{'func.func' op argument 0: 'hyena.param' is 1 : i64, expected a unit attribute}}
func.func private @f(tensor<4xf32> {hyena.param = 1 : i64})
