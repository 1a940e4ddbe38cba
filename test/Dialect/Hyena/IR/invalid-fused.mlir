// If this fails, a fused operation that breaks a numbered constraint passes, or
// its message does not say which one, what was found and what is allowed.
// RUN: hyena-opt %s --split-input-file --verify-diagnostics

//===----------------------------------------------------------------------===//
// fused_conv
//===----------------------------------------------------------------------===//

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C1: access 0 names operand 1, expected one of the 1 inputs}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<1, (b, c, l) -> (b, c, l)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C1: access 0 names operand -1, expected one of the 1 inputs}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<-1, (b, c, l) -> (b, c, l)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C1: access 0 names operand 0, expected one of the 0 inputs}}
  %0 = hyena.fused_conv ins() filter(%h : tensor<4x5xf32>)
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
  // expected-error @+1 {{'hyena.fused_conv' op C1: access 0 has the map affine_map<(d0, d1) -> (d0, d1, 0)>, expected 3 dimensions, no symbols and 3 results for 'tensor<2x4x8xf32>'}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c) -> (b, c, 0)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C1: access 0 has the map affine_map<(d0, d1, d2)[s0] -> (d0, d1, d2)>, expected 3 dimensions, no symbols and 3 results for 'tensor<2x4x8xf32>'}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l)[s] -> (b, c, l)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C1: access 0 has the map affine_map<(d0, d1, d2) -> (d0, d1)>, expected 3 dimensions, no symbols and 3 results for 'tensor<2x4x8xf32>'}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C2: access 0 is #hyena.access<0, (d0, d1, d2) -> (d0 + 1, d1, d2)>, expected indices b, l plus a constant, or of c alone, divisors of 1 at least and constants of 2^40 at most}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b + 1, c, l)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C2: access 0 is #hyena.access<0, (d0, d1, d2) -> (d0, d1, d2 * 2)>, expected indices b, l plus a constant, or of c alone, divisors of 1 at least and constants of 2^40 at most}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l * 2)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C2: access 0 is #hyena.access<0, (d0, d1, d2) -> (d0, d1 + d2, 0)>, expected indices b, l plus a constant, or of c alone, divisors of 1 at least and constants of 2^40 at most}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c + l, 0)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C2: access 0 is #hyena.access<0, (d0, d1, d2) -> (d0, d1 floordiv 0, d2)>, expected indices b, l plus a constant, or of c alone, divisors of 1 at least and constants of 2^40 at most}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c floordiv 0, l)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C2: access 0 is #hyena.access<0, (d0, d1, d2) -> (d0, d1 mod -3, d2)>, expected indices b, l plus a constant, or of c alone, divisors of 1 at least and constants of 2^40 at most}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c mod -3, l)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C2: access 0 is #hyena.access<0, (d0, d1, d2) -> (d0, d1 * 9000000000000, d2)>, expected indices b, l plus a constant, or of c alone, divisors of 1 at least and constants of 2^40 at most}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c * 9000000000000, l)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C2: access 0 is #hyena.access<0, (d0, d1, d2) -> (d0, d1, d2 + 9223372036854775807)>, expected indices b, l plus a constant, or of c alone, divisors of 1 at least and constants of 2^40 at most}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l + 9223372036854775807)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C3: argument 0 of the prologue is 'f64', expected 'f32'}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f64):
    %t = arith.truncf %a : f64 to f32
    hyena.yield %t : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C3: the prologue has 0 arguments, expected 1}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
    %one = arith.constant 1.0 : f32
    hyena.yield %one : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C3: the prologue yields 1 values of another type, expected one f32 or f64}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    %t = arith.truncf %a : f32 to bf16
    hyena.yield %t : bf16
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C3: the prologue yields 2 values, expected one f32 or f64}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a, %a : f32, f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C4: the epilogue has 2 arguments, expected 3}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C4: argument 0 of the epilogue is 'f64', expected 'f32'}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f64, %u: f32, %a: f32):
    hyena.yield %u : f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C4: the epilogue yields 2 values, expected 1, one for each result}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c, %u : f32, f32
  } : tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C4: the epilogue yields 'f32' for result 0, expected 'bf16'}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xbf16>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C5: there are 1 result maps for 2 results, expected one each, for 1 at least}}
  %0:2 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x4x8xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C5: there are 0 result maps for 0 results, expected one each, for 1 at least}}
  "hyena.fused_conv"(%h) <{accesses = [], result_maps = [],
                           operandSegmentSizes = array<i32: 0, 1, 0, 0>}> ({
    %one = arith.constant 1.0 : f32
    hyena.yield %one : f32
  }, {
  ^bb0(%c: f32, %u: f32):
    hyena.yield
  }) : (tensor<4x5xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C5: result 0 is 'tensor<2x4x8xf32>' with the map affine_map<(d0, d1, d2) -> (d0, d1)>, expected rank 3 and a permutation of (b, c, l)}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C5: result 0 is 'tensor<2x4x8xf32>' with the map affine_map<(d0, d1, d2) -> (d0, d1, d1)>, expected rank 3 and a permutation of (b, c, l)}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, c)>]
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
  // expected-error @+1 {{'hyena.fused_conv' op C5: result 0 is 'tensor<8x8xf32>' with the map affine_map<(d0, d1, d2) -> (d0, d1, d2)>, expected rank 3 and a permutation of (b, c, l)}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<8x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C5: dimension 1 of result 1 is 4, expected 8, the extent of the domain}}
  %0:2 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>, affine_map<(b, c, l) -> (b, l, c)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c, %c : f32, f32
  } : tensor<2x4x8xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C5: the domain has ? channels, expected a static number, 1 at least}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x?x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) {
  // expected-error @+1 {{'hyena.fused_conv' op C5: the domain has 0 channels, expected a static number, 1 at least}}
  %0 = hyena.fused_conv ins(%x : tensor<2x4x8xf32>) filter(%h : tensor<4x5xf32>)
      accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
      results [affine_map<(b, c, l) -> (b, c, l)>]
  prologue {
  ^bb0(%a: f32):
    hyena.yield %a : f32
  } epilogue {
  ^bb0(%c: f32, %u: f32, %a: f32):
    hyena.yield %c : f32
  } : tensor<2x0x8xf32>
  return
}
