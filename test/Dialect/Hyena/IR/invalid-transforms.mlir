// If this fails, an operation that breaks a numbered constraint passes, or its
// message does not say which one, what was found and what is allowed.
// RUN: hyena-opt %s --split-input-file --verify-diagnostics

//===----------------------------------------------------------------------===//
// fftconv
//===----------------------------------------------------------------------===//

// -----

func.func @f(%u: tensor<4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C1: the input has rank 2, expected 3}}
  %0 = hyena.fftconv %u, %h : (tensor<4x8xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x0xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C1: the length (dimension 2 of the input) is 0, expected 1 to 1099511627776}}
  %0 = hyena.fftconv %u, %h : (tensor<2x4x0xf32>, tensor<4x5xf32>) -> tensor<2x4x0xf32>
  return
}

// -----

func.func @f(%u: tensor<2x0x4xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C1: the length (dimension 1 of the input) is 0, expected 1 to 1099511627776}}
  %0 = hyena.fftconv %u, %h {layout = #hyena.layout<channels_last>}
      : (tensor<2x0x4xf32>, tensor<4x5xf32>) -> tensor<2x0x4xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C2: the filter is 'tensor<5xf32>', expected a static (G, K) matrix of 1 tap at least}}
  %0 = hyena.fftconv %u, %h : (tensor<2x4x8xf32>, tensor<5xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x?xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C2: the filter is 'tensor<4x?xf32>', expected a static (G, K) matrix of 1 tap at least}}
  %0 = hyena.fftconv %u, %h : (tensor<2x4x8xf32>, tensor<4x?xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x0xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C2: the filter is 'tensor<4x0xf32>', expected a static (G, K) matrix of 1 tap at least}}
  %0 = hyena.fftconv %u, %h : (tensor<2x4x8xf32>, tensor<4x0xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<3x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C2: the filter has 3 rows, expected a divisor of the 4 channels}}
  %0 = hyena.fftconv %u, %h : (tensor<2x4x8xf32>, tensor<3x5xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<0x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C2: the filter has 0 rows, expected a divisor of the 4 channels}}
  %0 = hyena.fftconv %u, %h : (tensor<2x4x8xf32>, tensor<0x5xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x?x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C2: the signal has ? channels, expected a static number, 1 at least}}
  %0 = hyena.fftconv %u, %h : (tensor<2x?x8xf32>, tensor<4x5xf32>) -> tensor<2x?x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x0x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C2: the signal has 0 channels, expected a static number, 1 at least}}
  %0 = hyena.fftconv %u, %h : (tensor<2x0x8xf32>, tensor<4x5xf32>) -> tensor<2x0x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C3: 'reverse' is missing in mode bidirectional, expected in bidirectional mode and in it alone}}
  %0 = hyena.fftconv %u, %h {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %r: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C3: 'reverse' is given in mode causal, expected in bidirectional mode and in it alone}}
  %0 = hyena.fftconv %u, %h reverse(%r)
      : (tensor<2x4x8xf32>, tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %r: tensor<2x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C3: 'reverse' is 'tensor<2x5xf32>', expected a static (4, J) matrix of 1 tap at least}}
  %0 = hyena.fftconv %u, %h reverse(%r) {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>, tensor<2x5xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %r: tensor<4x0xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C3: 'reverse' is 'tensor<4x0xf32>', expected a static (4, J) matrix of 1 tap at least}}
  %0 = hyena.fftconv %u, %h reverse(%r) {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>, tensor<4x0xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %d: tensor<3xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C4: the skip is 'tensor<3xf32>', expected a vector whose extent divides the 4 channels}}
  %0 = hyena.fftconv %u, %h skip(%d)
      : (tensor<2x4x8xf32>, tensor<4x5xf32>, tensor<3xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %d: tensor<0xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C4: the skip is 'tensor<0xf32>', expected a vector whose extent divides the 4 channels}}
  %0 = hyena.fftconv %u, %h skip(%d)
      : (tensor<2x4x8xf32>, tensor<4x5xf32>, tensor<0xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %d: tensor<?xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C4: the skip is 'tensor<?xf32>', expected a vector whose extent divides the 4 channels}}
  %0 = hyena.fftconv %u, %h skip(%d)
      : (tensor<2x4x8xf32>, tensor<4x5xf32>, tensor<?xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %d: tensor<4xf64>) {
  // expected-error @+1 {{'hyena.fftconv' op C5: filter, reverse and skip have element types 'f32', 'f32' and 'f64', expected one}}
  %0 = hyena.fftconv %u, %h skip(%d)
      : (tensor<2x4x8xf32>, tensor<4x5xf32>, tensor<4xf64>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>, %r: tensor<4x5xbf16>) {
  // expected-error @+1 {{'hyena.fftconv' op C5: filter, reverse and skip have element types 'f32', 'bf16' and 'f32', expected one}}
  %0 = hyena.fftconv %u, %h reverse(%r) {mode = #hyena.conv_mode<bidirectional>}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>, tensor<4x5xbf16>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C6: 'lag0' is given in mode causal, expected in noncausal or circular mode only}}
  %0 = hyena.fftconv %u, %h {lag0 = 0 : i64}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C6: 'lag0' is 5, expected 0 to 4}}
  %0 = hyena.fftconv %u, %h {mode = #hyena.conv_mode<noncausal>, lag0 = 5 : i64}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C6: 'lag0' is -1, expected 0 to 4}}
  %0 = hyena.fftconv %u, %h {mode = #hyena.conv_mode<circular>, lag0 = -1 : i64}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x9xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C7: the circular filter has 9 taps, expected no more than the 8 samples of the signal}}
  %0 = hyena.fftconv %u, %h {mode = #hyena.conv_mode<circular>}
      : (tensor<2x4x8xf32>, tensor<4x9xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C8: the tap order is newest_last in mode noncausal, expected in causal mode only}}
  %0 = hyena.fftconv %u, %h {mode = #hyena.conv_mode<noncausal>, tap_order = #hyena.tap_order<newest_last>}
      : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fftconv' op C0: the result is 'tensor<2x4x8xf64>', expected 'tensor<2x4x8xf32>'}}
  %0 = hyena.fftconv %u, %h : (tensor<2x4x8xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf64>
  return
}

//===----------------------------------------------------------------------===//
// modal_filter
//===----------------------------------------------------------------------===//

// -----

func.func @f(%p: tensor<4xf32>) {
  // expected-error @+1 {{'hyena.modal_filter' op C1: poles and residues are 'tensor<4xf32>' and 'tensor<4xf32>', expected one (C, S) type}}
  %0 = hyena.modal_filter %p, %p {length = 3 : i64}
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%p: tensor<4x2xf32>, %r: tensor<4x2xcomplex<f32>>) {
  // expected-error @+1 {{'hyena.modal_filter' op C1: poles and residues are 'tensor<4x2xf32>' and 'tensor<4x2xcomplex<f32>>', expected one (C, S) type}}
  %0 = hyena.modal_filter %p, %r {length = 3 : i64}
      : (tensor<4x2xf32>, tensor<4x2xcomplex<f32>>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%p: tensor<4x2xf32>) {
  // expected-error @+1 {{'hyena.modal_filter' op C2: 'length' is 0, expected 1 to 1099511627776}}
  %0 = hyena.modal_filter %p, %p {length = 0 : i64}
      : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x0xf32>
  return
}

//===----------------------------------------------------------------------===//
// pad, truncate, flip
//===----------------------------------------------------------------------===//

// -----

func.func @f(%x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{'hyena.pad' op C1: 'dim' is 3, expected 0 at least and less than 3, the rank of the input}}
  %0 = hyena.pad %x {dim = 3 : i64, low = 0 : i64, high = 1 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'hyena.pad' op C1: 'dim' is 0, expected 0 at least and less than 0, the rank of the input}}
  %0 = hyena.pad %x {dim = 0 : i64, low = 0 : i64, high = 1 : i64}
      : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{'hyena.pad' op C2: 'low' is -1 and 'high' is 1, expected 0 to 1099511627776}}
  %0 = hyena.pad %x {dim = 2 : i64, low = -1 : i64, high = 1 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{'hyena.pad' op C2: 'low' is 9223372036854775807 and 'high' is 9223372036854775807, expected 0 to 1099511627776}}
  %0 = hyena.pad %x {dim = 2 : i64, low = 9223372036854775807 : i64, high = 9223372036854775807 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<9223372036854775807xf32>) {
  // expected-error @+1 {{'hyena.pad' op C2: dimension 0 of the input is 9223372036854775807, expected 0 to 1099511627776}}
  %0 = hyena.pad %x {dim = 0 : i64, low = 0 : i64, high = 1 : i64}
      : (tensor<9223372036854775807xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{'hyena.pad' op C0: the result is 'tensor<2x4x8xf32>', expected 'tensor<2x4x9xf32>'}}
  %0 = hyena.pad %x {dim = 2 : i64, low = 0 : i64, high = 1 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{'hyena.truncate' op C1: 'dim' is -1, expected 0 at least and less than 3, the rank of the input}}
  %0 = hyena.truncate %x {dim = -1 : i64, length = 1 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{'hyena.truncate' op C2: 'offset' is -1 and 'length' is 8, expected 1 element at least of the 8 in dimension 2}}
  %0 = hyena.truncate %x {dim = 2 : i64, offset = -1 : i64, length = 8 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{'hyena.truncate' op C2: 'offset' is 0 and 'length' is 0, expected 1 element at least of the 8 in dimension 2}}
  %0 = hyena.truncate %x {dim = 2 : i64, length = 0 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x0xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{'hyena.truncate' op C2: 'offset' is 1 and 'length' is 8, expected 1 element at least of the 8 in dimension 2}}
  %0 = hyena.truncate %x {dim = 2 : i64, offset = 1 : i64, length = 8 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<?xf32>) {
  // expected-error @+1 {{'hyena.truncate' op C2: 'offset' is 9223372036854775807 and 'length' is 8, expected 1 element at least of the 1099511627776 in dimension 0}}
  %0 = hyena.truncate %x {dim = 0 : i64, offset = 9223372036854775807 : i64, length = 8 : i64}
      : (tensor<?xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{'hyena.flip' op C1: 'dim' is 3, expected 0 at least and less than 3, the rank of the input}}
  %0 = hyena.flip %x {dim = 3 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return
}

//===----------------------------------------------------------------------===//
// rfft, spectral_mul, irfft
//===----------------------------------------------------------------------===//

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'hyena.rfft' op C1: the input has rank 0, expected 1 at least}}
  %0 = hyena.rfft %x {n = 8 : i64} : (tensor<f32>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{'hyena.rfft' op C2: 'n' is 0, expected 1 to 1099511627776}}
  %0 = hyena.rfft %x {n = 0 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x1xcomplex<f32>>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{'hyena.rfft' op C2: 'n' is 9223372036854775807, expected 1 to 1099511627776}}
  %0 = hyena.rfft %x {n = 9223372036854775807 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x1xcomplex<f32>>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xbf16>) {
  // expected-error @+1 {{'hyena.rfft' op operand #0 must be ranked tensor of 32-bit float or 64-bit float values, but got 'tensor<2x4x8xbf16>'}}
  %0 = hyena.rfft %x {n = 8 : i64} : (tensor<2x4x8xbf16>) -> tensor<2x4x5xcomplex<f32>>
  return
}

// -----

func.func @f(%a: tensor<2x4x5xcomplex<f32>>, %b: tensor<2x4x5xcomplex<f64>>) {
  // expected-error @+1 {{'hyena.spectral_mul' op C1: the sides have element types 'complex<f32>' and 'complex<f64>', expected one}}
  %0 = hyena.spectral_mul %a, %b
      : (tensor<2x4x5xcomplex<f32>>, tensor<2x4x5xcomplex<f64>>) -> tensor<2x4x5xcomplex<f32>>
  return
}

// -----

func.func @f(%a: tensor<2x4x5xcomplex<f32>>, %b: tensor<2x4x6xcomplex<f32>>) {
  // expected-error @+1 {{'hyena.spectral_mul' op C2: the sides are 'tensor<2x4x5xcomplex<f32>>' and 'tensor<2x4x6xcomplex<f32>>', expected one shape, or (B, C, F) and (G, F) with G dividing C}}
  %0 = hyena.spectral_mul %a, %b
      : (tensor<2x4x5xcomplex<f32>>, tensor<2x4x6xcomplex<f32>>) -> tensor<2x4x5xcomplex<f32>>
  return
}

// -----

func.func @f(%a: tensor<2x4x5xcomplex<f32>>, %b: tensor<3x5xcomplex<f32>>) {
  // expected-error @+1 {{'hyena.spectral_mul' op C2: the sides are 'tensor<2x4x5xcomplex<f32>>' and 'tensor<3x5xcomplex<f32>>', expected one shape, or (B, C, F) and (G, F) with G dividing C}}
  %0 = hyena.spectral_mul %a, %b
      : (tensor<2x4x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>) -> tensor<2x4x5xcomplex<f32>>
  return
}

// -----

func.func @f(%a: tensor<2x4x5xcomplex<f32>>, %b: tensor<0x5xcomplex<f32>>) {
  // expected-error @+1 {{'hyena.spectral_mul' op C2: the sides are 'tensor<2x4x5xcomplex<f32>>' and 'tensor<0x5xcomplex<f32>>', expected one shape, or (B, C, F) and (G, F) with G dividing C}}
  %0 = hyena.spectral_mul %a, %b
      : (tensor<2x4x5xcomplex<f32>>, tensor<0x5xcomplex<f32>>) -> tensor<2x4x5xcomplex<f32>>
  return
}

// -----

func.func @f(%x: tensor<2x4x5xcomplex<f32>>) {
  // expected-error @+1 {{'hyena.irfft' op C1: 'n' is 0, expected 1 to 1099511627776}}
  %0 = hyena.irfft %x {n = 0 : i64} : (tensor<2x4x5xcomplex<f32>>) -> tensor<2x4x0xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x5xcomplex<f32>>) {
  // expected-error @+1 {{'hyena.irfft' op C2: the input is 'tensor<2x4x5xcomplex<f32>>', expected a last dimension of 6 for n = 10}}
  %0 = hyena.irfft %x {n = 10 : i64} : (tensor<2x4x5xcomplex<f32>>) -> tensor<2x4x10xf32>
  return
}

// -----

func.func @f(%x: tensor<complex<f32>>) {
  // expected-error @+1 {{'hyena.irfft' op C2: the input is 'tensor<complex<f32>>', expected a last dimension of 6 for n = 10}}
  %0 = hyena.irfft %x {n = 10 : i64} : (tensor<complex<f32>>) -> tensor<10xf32>
  return
}
