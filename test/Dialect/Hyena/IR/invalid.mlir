// If this fails, an operation that breaks a numbered constraint passes, or its
// message does not say which one, what was found and what is allowed.
// RUN: hyena-opt %s --split-input-file --verify-diagnostics

//===----------------------------------------------------------------------===//
// project
//===----------------------------------------------------------------------===//

// -----

func.func @f(%x: tensor<4xf32>, %w: tensor<8x4xf32>) {
  // expected-error @+1 {{'hyena.project' op C1: the input has rank 1, expected 2 at least}}
  %0 = hyena.project %x, %w : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>, %w: tensor<8xf32>) {
  // expected-error @+1 {{'hyena.project' op C2: the weight is 'tensor<8xf32>', expected a static (C_out, C_in) matrix}}
  %0 = hyena.project %x, %w : (tensor<2x4xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>, %w: tensor<?x4xf32>) {
  // expected-error @+1 {{'hyena.project' op C2: the weight is 'tensor<?x4xf32>', expected a static (C_out, C_in) matrix}}
  %0 = hyena.project %x, %w : (tensor<2x4xf32>, tensor<?x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x0xf32>, %w: tensor<8x0xf32>) {
  // expected-error @+1 {{'hyena.project' op C2: the weight is 'tensor<8x0xf32>', expected 1 channel at least on both sides}}
  %0 = hyena.project %x, %w : (tensor<2x0xf32>, tensor<8x0xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x6x4xf32>, %w: tensor<8x6xf32>) {
  // expected-error @+1 {{'hyena.project' op C2: the weight has 6 input channels, expected 4 (dimension 2 of the input)}}
  %0 = hyena.project %x, %w : (tensor<2x6x4xf32>, tensor<8x6xf32>) -> tensor<2x6x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x6x4xf32>, %w: tensor<8x4xf32>) {
  // expected-error @+1 {{'hyena.project' op C2: the weight has 4 input channels, expected 6 (dimension 1 of the input)}}
  %0 = hyena.project %x, %w {input_layout = #hyena.layout<channels_first>}
      : (tensor<2x6x4xf32>, tensor<8x4xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>, %w: tensor<8x4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'hyena.project' op C3: the bias is 'tensor<4xf32>', expected a vector of 8 elements}}
  %0 = hyena.project %x, %w bias(%b)
      : (tensor<2x4xf32>, tensor<8x4xf32>, tensor<4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>, %w: tensor<8x4xf64>) {
  // expected-error @+1 {{'hyena.project' op C4: input, weight and bias have element types 'f32', 'f64' and 'f32', expected one}}
  %0 = hyena.project %x, %w : (tensor<2x4xf32>, tensor<8x4xf64>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>, %w: tensor<8x4xf32>) {
  // expected-error @+1 {{'hyena.project' op C5: a channels_first layout of an input of rank 2, expected rank 3}}
  %0 = hyena.project %x, %w {result_layout = #hyena.layout<channels_first>}
      : (tensor<2x4xf32>, tensor<8x4xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>, %w: tensor<8x4xf32>) {
  // expected-error @+1 {{'hyena.project' op C0: the result is 'tensor<2x4xf32>', expected 'tensor<2x8xf32>'}}
  %0 = hyena.project %x, %w : (tensor<2x4xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4xi32>, %w: tensor<8x4xi32>) {
  // expected-error @+1 {{'hyena.project' op operand #0 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<2x4xi32>'}}
  %0 = hyena.project %x, %w : (tensor<2x4xi32>, tensor<8x4xi32>) -> tensor<2x8xi32>
  return
}

//===----------------------------------------------------------------------===//
// chunk
//===----------------------------------------------------------------------===//

// -----

func.func @f(%x: tensor<6x12xf32>) {
  // expected-error @+1 {{'hyena.chunk' op C1: the input has rank 2, expected 3}}
  %0 = hyena.chunk %x : (tensor<6x12xf32>) -> tensor<6x12xf32>
  return
}

// -----

func.func @f(%x: tensor<2x6x12xf32>) {
  // expected-error @+1 {{'hyena.chunk' op C2: there are no results, expected 1 at least}}
  hyena.chunk %x : (tensor<2x6x12xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<2x6x?xf32>) {
  // expected-error @+1 {{'hyena.chunk' op C2: the input has ? channels (dimension 2), expected a static multiple of the 1 streams}}
  %0 = hyena.chunk %x : (tensor<2x6x?xf32>) -> tensor<2x6x?xf32>
  return
}

// -----

func.func @f(%x: tensor<2x6x0xf32>) {
  // expected-error @+1 {{'hyena.chunk' op C2: the input has 0 channels (dimension 2), expected a static multiple of the 1 streams}}
  %0 = hyena.chunk %x : (tensor<2x6x0xf32>) -> tensor<2x6x0xf32>
  return
}

// -----

func.func @f(%x: tensor<2x11x6xf32>) {
  // expected-error @+1 {{'hyena.chunk' op C2: the input has 11 channels (dimension 1), expected a static multiple of the 2 streams}}
  %0:2 = hyena.chunk %x {layout = #hyena.layout<channels_first>}
      : (tensor<2x11x6xf32>) -> (tensor<2x5x6xf32>, tensor<2x6x6xf32>)
  return
}

// -----

func.func @f(%x: tensor<2x6x12xf32>) {
  // expected-error @+1 {{'hyena.chunk' op C3: 'heads' is missing, expected with the arrangement per_head}}
  %0:3 = hyena.chunk %x {arrangement = #hyena.arrangement<per_head>}
      : (tensor<2x6x12xf32>) -> (tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>)
  return
}

// -----

func.func @f(%x: tensor<2x6x12xf32>) {
  // expected-error @+1 {{'hyena.chunk' op C3: 'heads' is given with the arrangement blocks, expected with per_head only}}
  %0:3 = hyena.chunk %x {heads = 2 : i64}
      : (tensor<2x6x12xf32>) -> (tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>)
  return
}

// -----

func.func @f(%x: tensor<2x6x12xf32>) {
  // expected-error @+1 {{'hyena.chunk' op C3: 'heads' is 3, expected a divisor of the 4 channels of a stream}}
  %0:3 = hyena.chunk %x {arrangement = #hyena.arrangement<per_head>, heads = 3 : i64}
      : (tensor<2x6x12xf32>) -> (tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>)
  return
}

// -----

func.func @f(%x: tensor<2x6x12xf32>) {
  // expected-error @+1 {{'hyena.chunk' op C3: 'heads' is 0, expected a divisor of the 4 channels of a stream}}
  %0:3 = hyena.chunk %x {arrangement = #hyena.arrangement<per_head>, heads = 0 : i64}
      : (tensor<2x6x12xf32>) -> (tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>)
  return
}

// -----

func.func @f(%x: tensor<2x6x12xf32>) {
  // expected-error @+1 {{'hyena.chunk' op C4: stream 1 is 'tensor<2x6x5xf32>', expected 'tensor<2x6x6xf32>'}}
  %0:2 = hyena.chunk %x : (tensor<2x6x12xf32>) -> (tensor<2x6x6xf32>, tensor<2x6x5xf32>)
  return
}

// -----

func.func @f(%x: tensor<2x6x12xf32>) {
  // expected-error @+1 {{'hyena.chunk' op C4: stream 0 is 'tensor<2x6x6xf64>', expected 'tensor<2x6x6xf32>'}}
  %0:2 = hyena.chunk %x : (tensor<2x6x12xf32>) -> (tensor<2x6x6xf64>, tensor<2x6x6xf32>)
  return
}

//===----------------------------------------------------------------------===//
// transpose, gate, broadcast
//===----------------------------------------------------------------------===//

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'hyena.transpose' op C1: the input has rank 1, expected 2 at least}}
  %0 = hyena.transpose %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'hyena.transpose' op C1: the input has rank 0, expected 2 at least}}
  %0 = hyena.transpose %x : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{'hyena.transpose' op C0: the result is 'tensor<2x4xf32>', expected 'tensor<4x2xf32>'}}
  %0 = hyena.transpose %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'hyena.gate' op C1: there are 1 inputs, expected 2 at least}}
  %0 = hyena.gate %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'hyena.gate' op C1: there are 0 inputs, expected 2 at least}}
  %0 = "hyena.gate"() : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{'hyena.gate' op C2: input 1 is 'tensor<5xf32>', expected 'tensor<4xf32>' as the inputs before it}}
  %0 = hyena.gate %x, %y : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<?xf32>, %y: tensor<5xf32>, %z: tensor<4xf32>) {
  // expected-error @+1 {{'hyena.gate' op C2: input 2 is 'tensor<4xf32>', expected 'tensor<5xf32>' as the inputs before it}}
  %0 = hyena.gate %x, %y, %z : (tensor<?xf32>, tensor<5xf32>, tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @+1 {{'hyena.gate' op C2: input 1 is 'tensor<4xf64>', expected 'tensor<4xf32>' as the inputs before it}}
  %0 = hyena.gate %x, %y : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %u: tensor<2x4xf32>) {
  // expected-error @+1 {{'hyena.broadcast' op C1: 'dims' has 2 entries, expected 1, the rank of the input}}
  %0 = hyena.broadcast %x like %u {dims = array<i64: 0, 1>}
      : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>, %u: tensor<4x2xf32>) {
  // expected-error @+1 {{'hyena.broadcast' op C2: entry 1 of 'dims' is 0, expected more than 1 and less than 2}}
  %0 = hyena.broadcast %x like %u {dims = array<i64: 1, 0>}
      : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %u: tensor<2x4xf32>) {
  // expected-error @+1 {{'hyena.broadcast' op C2: entry 0 of 'dims' is 2, expected more than -1 and less than 2}}
  %0 = hyena.broadcast %x like %u {dims = array<i64: 2>}
      : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %u: tensor<2x4xf32>) {
  // expected-error @+1 {{'hyena.broadcast' op C3: dimension 0 of the input is 4, expected 2 (dimension 0 of 'like')}}
  %0 = hyena.broadcast %x like %u {dims = array<i64: 0>}
      : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

//===----------------------------------------------------------------------===//
// shortconv
//===----------------------------------------------------------------------===//

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C1: the input has rank 2, expected 3}}
  %0 = hyena.shortconv %x, %w : (tensor<4x8xf32>, tensor<4x3xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<4x1x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C2: the weight is 'tensor<4x1x3xf32>', expected a static (G, K) matrix of 1 tap at least}}
  %0 = hyena.shortconv %x, %w : (tensor<2x4x8xf32>, tensor<4x1x3xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<4x0xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C2: the weight is 'tensor<4x0xf32>', expected a static (G, K) matrix of 1 tap at least}}
  %0 = hyena.shortconv %x, %w : (tensor<2x4x8xf32>, tensor<4x0xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<3x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C2: the weight has 3 rows, expected a divisor of the 4 channels (dimension 1 of the input)}}
  %0 = hyena.shortconv %x, %w : (tensor<2x4x8xf32>, tensor<3x3xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x?x8xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C2: the weight has 4 rows, expected a divisor of the ? channels (dimension 1 of the input)}}
  %0 = hyena.shortconv %x, %w : (tensor<2x?x8xf32>, tensor<4x3xf32>) -> tensor<2x?x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<0x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C2: the weight has 0 rows, expected a divisor of the 4 channels (dimension 1 of the input)}}
  %0 = hyena.shortconv %x, %w : (tensor<2x4x8xf32>, tensor<0x3xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x0x8xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C2: the weight has 4 rows, expected a divisor of the 0 channels (dimension 1 of the input)}}
  %0 = hyena.shortconv %x, %w : (tensor<2x0x8xf32>, tensor<4x3xf32>) -> tensor<2x0x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x9xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C2: the weight has 4 rows, expected a divisor of the 9 channels (dimension 2 of the input)}}
  %0 = hyena.shortconv %x, %w {layout = #hyena.layout<channels_last>}
      : (tensor<2x4x9xf32>, tensor<4x3xf32>) -> tensor<2x4x9xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C3: the bias is 'tensor<3xf32>', expected a vector of 4 elements}}
  %0 = hyena.shortconv %x, %w bias(%b)
      : (tensor<2x4x8xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<4x3xbf16>) {
  // expected-error @+1 {{'hyena.shortconv' op C4: input, weight and bias have element types 'f32', 'bf16' and 'f32', expected one}}
  %0 = hyena.shortconv %x, %w : (tensor<2x4x8xf32>, tensor<4x3xbf16>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C5: 'pad_low' and 'pad_high' are given, expected only with the padding 'explicit'}}
  %0 = hyena.shortconv %x, %w {pad_low = 1 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C5: 'pad_low' and 'pad_high' are missing, expected with the padding 'explicit'}}
  %0 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 1 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C5: 'pad_low' is -1 and 'pad_high' is 3, expected 0 to 1099511627776}}
  %0 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = -1 : i64, pad_high = 3 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C5: 'pad_low' is 9223372036854775807 and 'pad_high' is 3, expected 0 to 1099511627776}}
  %0 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 9223372036854775807 : i64, pad_high = 3 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x0xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C6: the length (dimension 2 of the input) is 0, expected 1 to 1099511627776}}
  %0 = hyena.shortconv %x, %w : (tensor<2x4x0xf32>, tensor<4x3xf32>) -> tensor<2x4x0xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x2xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C6: the length of the result is 0, expected 1 at least}}
  %0 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 0 : i64, pad_high = 0 : i64}
      : (tensor<2x4x2xf32>, tensor<4x3xf32>) -> tensor<2x4x0xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'hyena.shortconv' op C0: the result is 'tensor<2x4x8xf32>', expected 'tensor<2x4x6xf32>'}}
  %0 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 0 : i64, pad_high = 0 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  return
}
