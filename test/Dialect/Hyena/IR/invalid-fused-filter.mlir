// If this fails, a fused operation that breaks a numbered constraint passes, or
// its message does not say which one, what was found and what is allowed.
// RUN: hyena-opt %s --split-input-file --verify-diagnostics

//===----------------------------------------------------------------------===//
// fused_conv: filters and spectra
//===----------------------------------------------------------------------===//

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C6: expected either a filter, or a spectrum and a plan}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C6: expected either a filter, or a spectrum and a plan}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
      {plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>}
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<1x8x2x4xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C6: expected either a filter, or a spectrum and a plan}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) spectrum(%h : tensor<1x8x2x4xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<1x8x2x4xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C6: mode, lag 0 and tap order are folded into a spectrum, expected none of them beside it}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) spectrum(%h : tensor<1x8x2x4xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
      {plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>, mode = #hyena.conv_mode<noncausal>}
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x?xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C7: the filter is 'tensor<4x?xf32>', expected a static (G, K) matrix of 1 tap at least}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x?xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<3x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C7: the filter has 3 rows, expected a divisor of the 4 channels}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<3x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %r: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C7: 'reverse' is given in mode causal, expected in bidirectional mode and in it alone}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>) reverse(%r : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %r: tensor<2x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C7: 'reverse' is 'tensor<2x5xf32>', expected a static (4, J) matrix of 1 tap at least}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>) reverse(%r : tensor<2x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
      {mode = #hyena.conv_mode<bidirectional>}
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %r: tensor<4x5xbf16>) {
  // expected-error @+1 {{'hyena.fused_conv' op C7: filter and reverse have element types 'f32' and 'bf16', expected one}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>) reverse(%r : tensor<4x5xbf16>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
      {mode = #hyena.conv_mode<bidirectional>}
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C7: 'lag0' is given in mode causal, expected in noncausal or circular mode only}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
      {lag0 = 0 : i64}
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C7: 'lag0' is 5, expected 0 to 4}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
      {lag0 = 5 : i64, mode = #hyena.conv_mode<noncausal>}
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x9xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C7: the circular filter has 9 taps, expected no more than the 8 samples of the signal}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x9xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
      {mode = #hyena.conv_mode<circular>}
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C7: the tap order is newest_last in mode circular, expected in causal mode only}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
      {mode = #hyena.conv_mode<circular>, tap_order = #hyena.tap_order<newest_last>}
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<1x8x2x8xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C8: the spectrum is 'tensor<1x8x2x8xf32>', expected 'tensor<1x8x2x4xf32>'}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) spectrum(%h : tensor<1x8x2x8xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
      {plan = #hyena.fft_plan<length = 8, factors = [8], lanes = 4>}
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C9: the length of the domain is 0, expected 1 to 1099511627776}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x0xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C10: the epilogue holds 'memref.alloc', expected operations without memory effects}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    %m = memref.alloc() : memref<f32>
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'hyena.yield' op expects parent op 'hyena.fused_conv'}}
  hyena.yield %x : f32
}
