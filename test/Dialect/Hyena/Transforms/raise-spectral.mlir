// If this fails, a product of transforms becomes another convolution than the
// one that it computes, or none.
// RUN: hyena-opt %s --hyena-raise --split-input-file | FileCheck %s

// torch.fft.irfft(rfft(u, n=2L) * rfft(h, n=2L), n=2L)[..., :L]
// CHECK-LABEL: func @causal
// CHECK-SAME: (%[[U:.*]]: tensor<2x4x8xf32>, %[[H:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[Y:.*]] = hyena.fftconv %[[U]], %[[H]] : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @causal(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.rfft %u {n = 16 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x9xcomplex<f32>>
  %1 = hyena.rfft %h {n = 16 : i64} : (tensor<4x8xf32>) -> tensor<4x9xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x9xcomplex<f32>>, tensor<4x9xcomplex<f32>>) -> tensor<2x4x9xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 16 : i64} : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
  %4 = tensor.extract_slice %3[0, 0, 0] [2, 4, 8] [1, 1, 1]
      : tensor<2x4x16xf32> to tensor<2x4x8xf32>
  return %4 : tensor<2x4x8xf32>
}

// -----

// Padded by hand (F.pad); the filter's spectrum repeated; the factors swapped;
// the smallest transform that does.
// CHECK-LABEL: func @causal_padded
// CHECK-SAME: (%[[U:.*]]: tensor<?x4x8xf32>, %[[H:.*]]: tensor<4x3xf32>)
// CHECK-NEXT: %[[Y:.*]] = hyena.fftconv %[[U]], %[[H]] : (tensor<?x4x8xf32>, tensor<4x3xf32>) -> tensor<?x4x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @causal_padded(%u: tensor<?x4x8xf32>, %h: tensor<4x3xf32>) -> tensor<?x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %up = tensor.pad %u low[0, 0, 0] high[0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<?x4x8xf32> to tensor<?x4x10xf32>
  %hp = hyena.pad %h {dim = 1 : i64, low = 0 : i64, high = 7 : i64}
      : (tensor<4x3xf32>) -> tensor<4x10xf32>
  %0 = hyena.rfft %up {n = 10 : i64} : (tensor<?x4x10xf32>) -> tensor<?x4x6xcomplex<f32>>
  %1 = hyena.rfft %hp {n = 10 : i64} : (tensor<4x10xf32>) -> tensor<4x6xcomplex<f32>>
  %2 = hyena.broadcast %1 like %0 {dims = array<i64: 1, 2>}
      : (tensor<4x6xcomplex<f32>>, tensor<?x4x6xcomplex<f32>>) -> tensor<?x4x6xcomplex<f32>>
  %3 = hyena.spectral_mul %2, %0
      : (tensor<?x4x6xcomplex<f32>>, tensor<?x4x6xcomplex<f32>>) -> tensor<?x4x6xcomplex<f32>>
  %4 = hyena.irfft %3 {n = 10 : i64} : (tensor<?x4x6xcomplex<f32>>) -> tensor<?x4x10xf32>
  %b = tensor.dim %4, %c0 : tensor<?x4x10xf32>
  %5 = tensor.extract_slice %4[0, 0, 0] [%b, 4, 8] [1, 1, 1]
      : tensor<?x4x10xf32> to tensor<?x4x8xf32>
  return %5 : tensor<?x4x8xf32>
}

// -----

// The product as linalg.generic of complex.mul, the filter's spectrum with a
// batch of 1 (`k_f[None]`).
// CHECK-LABEL: func @generic_product
// CHECK-SAME: (%[[U:.*]]: tensor<2x4x8xf32>, %[[H:.*]]: tensor<4x8xf32>)
// CHECK: %[[Y:.*]] = hyena.fftconv %[[U]], %[[H]] :
// CHECK: return %[[Y]]
func.func @generic_product(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.rfft %u {n = 16 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x9xcomplex<f32>>
  %1 = hyena.rfft %h {n = 16 : i64} : (tensor<4x8xf32>) -> tensor<4x9xcomplex<f32>>
  %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [1, 4, 9]
      : tensor<4x9xcomplex<f32>> into tensor<1x4x9xcomplex<f32>>
  %init = tensor.empty() : tensor<2x4x9xcomplex<f32>>
  %3 = linalg.generic {
      indexing_maps = [affine_map<(b, c, k) -> (b, c, k)>, affine_map<(b, c, k) -> (0, c, k)>,
                       affine_map<(b, c, k) -> (b, c, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %2 : tensor<2x4x9xcomplex<f32>>, tensor<1x4x9xcomplex<f32>>)
      outs(%init : tensor<2x4x9xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %o: complex<f32>):
    %p = complex.mul %a, %b : complex<f32>
    linalg.yield %p : complex<f32>
  } -> tensor<2x4x9xcomplex<f32>>
  %4 = hyena.irfft %3 {n = 16 : i64} : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
  %5 = hyena.truncate %4 {dim = 2 : i64, length = 8 : i64}
      : (tensor<2x4x16xf32>) -> tensor<2x4x8xf32>
  return %5 : tensor<2x4x8xf32>
}

// -----

// The filter repeated over the batch before its transform.
// CHECK-LABEL: func @repeated_filter
// CHECK-SAME: (%[[U:.*]]: tensor<2x4x8xf32>, %[[H:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[Y:.*]] = hyena.fftconv %[[U]], %[[H]] :
func.func @repeated_filter(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %hb = hyena.broadcast %h like %u {dims = array<i64: 1, 2>}
      : (tensor<4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %0 = hyena.rfft %u {n = 16 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x9xcomplex<f32>>
  %1 = hyena.rfft %hb {n = 16 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x9xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x9xcomplex<f32>>, tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x9xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 16 : i64} : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
  %4 = hyena.truncate %3 {dim = 2 : i64, length = 8 : i64}
      : (tensor<2x4x16xf32>) -> tensor<2x4x8xf32>
  return %4 : tensor<2x4x8xf32>
}

// -----

// What begins at value 3 of the product, of a transform that wraps around onto
// the values before it alone: 8 + 5 - 1 - 3 = 9.
// CHECK-LABEL: func @noncausal
// CHECK: hyena.fftconv %{{.*}}, %{{.*}} {lag0 = 3 : i64, mode = #hyena.conv_mode<noncausal>} : (tensor<2x4x6xf32>, tensor<4x5xf32>) -> tensor<2x4x6xf32>
// CHECK-NEXT: return
func.func @noncausal(%u: tensor<2x4x6xf32>, %h: tensor<4x5xf32>) -> tensor<2x4x6xf32> {
  %0 = hyena.rfft %u {n = 9 : i64} : (tensor<2x4x6xf32>) -> tensor<2x4x5xcomplex<f32>>
  %1 = hyena.rfft %h {n = 9 : i64} : (tensor<4x5xf32>) -> tensor<4x5xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x5xcomplex<f32>>, tensor<4x5xcomplex<f32>>) -> tensor<2x4x5xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 9 : i64} : (tensor<2x4x5xcomplex<f32>>) -> tensor<2x4x9xf32>
  %4 = hyena.truncate %3 {dim = 2 : i64, offset = 3 : i64, length = 6 : i64}
      : (tensor<2x4x9xf32>) -> tensor<2x4x6xf32>
  return %4 : tensor<2x4x6xf32>
}

// -----

// F.pad(k, (0, L)) + F.pad(k_rev.flip(-1), (L, 0)), grouped.
// CHECK-LABEL: func @bidirectional
// CHECK-SAME: (%[[U:.*]]: tensor<2x4x8xf32>, %[[H:.*]]: tensor<2x8xf32>, %[[R:.*]]: tensor<2x8xf32>)
// CHECK-NEXT: %[[Y:.*]] = hyena.fftconv %[[U]], %[[H]] reverse(%[[R]]) {mode = #hyena.conv_mode<bidirectional>}
// CHECK-NEXT: return %[[Y]]
func.func @bidirectional(%u: tensor<2x4x8xf32>, %h: tensor<2x8xf32>, %r: tensor<2x8xf32>)
    -> tensor<2x4x8xf32> {
  %flipped = hyena.flip %r {dim = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %back = hyena.pad %flipped {dim = 1 : i64, low = 8 : i64, high = 0 : i64}
      : (tensor<2x8xf32>) -> tensor<2x16xf32>
  %front = hyena.pad %h {dim = 1 : i64, low = 0 : i64, high = 8 : i64}
      : (tensor<2x8xf32>) -> tensor<2x16xf32>
  %both = arith.addf %front, %back : tensor<2x16xf32>
  %0 = hyena.rfft %u {n = 16 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x9xcomplex<f32>>
  %1 = hyena.rfft %both {n = 16 : i64} : (tensor<2x16xf32>) -> tensor<2x9xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x9xcomplex<f32>>, tensor<2x9xcomplex<f32>>) -> tensor<2x4x9xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 16 : i64} : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
  %4 = hyena.truncate %3 {dim = 2 : i64, length = 8 : i64}
      : (tensor<2x4x16xf32>) -> tensor<2x4x8xf32>
  return %4 : tensor<2x4x8xf32>
}

// -----

// torch.cat([k, k_rev.flip(-1)], dim=-1), and the flip after the pad.
// CHECK-LABEL: func @bidirectional_spellings
// CHECK-SAME: (%[[U:.*]]: tensor<2x4x8xf32>, %[[H:.*]]: tensor<4x8xf32>, %[[R:.*]]: tensor<4x8xf32>)
// CHECK: %[[Y:.*]] = hyena.fftconv %[[U]], %[[H]] reverse(%[[R]]) {mode = #hyena.conv_mode<bidirectional>}
// CHECK: %[[Z:.*]] = hyena.fftconv %[[U]], %[[H]] reverse(%[[R]]) {mode = #hyena.conv_mode<bidirectional>}
// CHECK: return %[[Y]], %[[Z]]
func.func @bidirectional_spellings(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>,
                                   %r: tensor<4x8xf32>)
    -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %flipped = hyena.flip %r {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %cat = tensor.concat dim(1) %h, %flipped : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %zeros = arith.constant dense<0.0> : tensor<4x8xf32>
  %front = tensor.concat dim(1) %h, %zeros : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %padded = hyena.pad %r {dim = 1 : i64, low = 0 : i64, high = 8 : i64}
      : (tensor<4x8xf32>) -> tensor<4x16xf32>
  %back = hyena.flip %padded {dim = 1 : i64} : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %sum = arith.addf %back, %front : tensor<4x16xf32>
  %0 = hyena.rfft %u {n = 16 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x9xcomplex<f32>>
  %1 = hyena.rfft %cat {n = 16 : i64} : (tensor<4x16xf32>) -> tensor<4x9xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x9xcomplex<f32>>, tensor<4x9xcomplex<f32>>) -> tensor<2x4x9xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 16 : i64} : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
  %4 = hyena.truncate %3 {dim = 2 : i64, length = 8 : i64}
      : (tensor<2x4x16xf32>) -> tensor<2x4x8xf32>
  %5 = hyena.rfft %sum {n = 16 : i64} : (tensor<4x16xf32>) -> tensor<4x9xcomplex<f32>>
  %6 = hyena.spectral_mul %0, %5
      : (tensor<2x4x9xcomplex<f32>>, tensor<4x9xcomplex<f32>>) -> tensor<2x4x9xcomplex<f32>>
  %7 = hyena.irfft %6 {n = 16 : i64} : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
  %8 = hyena.truncate %7 {dim = 2 : i64, length = 8 : i64}
      : (tensor<2x4x16xf32>) -> tensor<2x4x8xf32>
  return %4, %8 : tensor<2x4x8xf32>, tensor<2x4x8xf32>
}

// -----

// A transform of the signal's own length wraps around: circular. The filter is
// longer than the transform, which cuts it.
// CHECK-LABEL: func @circular
// CHECK-SAME: (%[[U:.*]]: tensor<2x4x8xf32>, %[[H:.*]]: tensor<4x11xf32>)
// CHECK-NEXT: %[[K:.*]] = hyena.truncate %[[H]] {dim = 1 : i64, length = 8 : i64}
// CHECK-NEXT: %[[Y:.*]] = hyena.fftconv %[[U]], %[[K]] {lag0 = 0 : i64, mode = #hyena.conv_mode<circular>}
// CHECK-NEXT: return %[[Y]]
func.func @circular(%u: tensor<2x4x8xf32>, %h: tensor<4x11xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.rfft %u {n = 8 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x5xcomplex<f32>>
  %1 = hyena.rfft %h {n = 8 : i64} : (tensor<4x11xf32>) -> tensor<4x5xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x5xcomplex<f32>>, tensor<4x5xcomplex<f32>>) -> tensor<2x4x5xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 8 : i64} : (tensor<2x4x5xcomplex<f32>>) -> tensor<2x4x8xf32>
  return %3 : tensor<2x4x8xf32>
}

// -----

// torch.roll(y, -2): concat(y[2:], y[:2]).
// CHECK-LABEL: func @circular_rolled
// CHECK: hyena.fftconv %{{.*}}, %{{.*}} {mode = #hyena.conv_mode<circular>} : (tensor<2x4x8xf32>, tensor<4x5xf32>)
// CHECK-NEXT: return
func.func @circular_rolled(%u: tensor<2x4x8xf32>, %h: tensor<4x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.rfft %u {n = 8 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x5xcomplex<f32>>
  %1 = hyena.rfft %h {n = 8 : i64} : (tensor<4x5xf32>) -> tensor<4x5xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x5xcomplex<f32>>, tensor<4x5xcomplex<f32>>) -> tensor<2x4x5xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 8 : i64} : (tensor<2x4x5xcomplex<f32>>) -> tensor<2x4x8xf32>
  %4 = tensor.extract_slice %3[0, 0, 2] [2, 4, 6] [1, 1, 1]
      : tensor<2x4x8xf32> to tensor<2x4x6xf32>
  %5 = tensor.extract_slice %3[0, 0, 0] [2, 4, 2] [1, 1, 1]
      : tensor<2x4x8xf32> to tensor<2x4x2xf32>
  %6 = tensor.concat dim(2) %4, %5
      : (tensor<2x4x6xf32>, tensor<2x4x2xf32>) -> tensor<2x4x8xf32>
  return %6 : tensor<2x4x8xf32>
}

// -----

// Fewer values than samples; all values of the product; the outputs beyond the
// signal too.
// CHECK-LABEL: func @other_lengths
// CHECK-DAG: %[[A:.*]] = hyena.fftconv %{{.*}}, %{{.*}} : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
// CHECK-DAG: hyena.truncate %[[A]] {dim = 2 : i64, length = 5 : i64}
// CHECK-DAG: %[[P:.*]] = hyena.pad %{{.*}} {dim = 2 : i64, high = 2 : i64, low = 0 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x10xf32>
// CHECK-DAG: hyena.fftconv %[[P]], %{{.*}} : (tensor<2x4x10xf32>, tensor<4x3xf32>) -> tensor<2x4x10xf32>
// CHECK-NOT: hyena.irfft
func.func @other_lengths(%u: tensor<2x4x8xf32>, %h: tensor<4x3xf32>)
    -> (tensor<2x4x5xf32>, tensor<2x4x10xf32>) {
  %0 = hyena.rfft %u {n = 10 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x6xcomplex<f32>>
  %1 = hyena.rfft %h {n = 10 : i64} : (tensor<4x3xf32>) -> tensor<4x6xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<2x4x6xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 10 : i64} : (tensor<2x4x6xcomplex<f32>>) -> tensor<2x4x10xf32>
  %4 = hyena.truncate %3 {dim = 2 : i64, length = 5 : i64}
      : (tensor<2x4x10xf32>) -> tensor<2x4x5xf32>
  return %4, %3 : tensor<2x4x5xf32>, tensor<2x4x10xf32>
}

// -----

// The last value alone, of the causal convolution; values that begin beyond the
// last tap.
// CHECK-LABEL: func @parts
// CHECK-DAG: %[[A:.*]] = hyena.fftconv %arg0, %arg1 : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
// CHECK-DAG: hyena.truncate %[[A]] {dim = 2 : i64, length = 1 : i64, offset = 7 : i64}
// CHECK-DAG: %[[P:.*]] = hyena.pad %arg0 {dim = 2 : i64, high = 1 : i64, low = 0 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x9xf32>
// CHECK-DAG: %[[B:.*]] = hyena.fftconv %[[P]], %arg1 {lag0 = 2 : i64, mode = #hyena.conv_mode<noncausal>} : (tensor<2x4x9xf32>, tensor<4x3xf32>) -> tensor<2x4x9xf32>
// CHECK-DAG: hyena.truncate %[[B]] {dim = 2 : i64, length = 8 : i64, offset = 1 : i64}
// CHECK-NOT: hyena.irfft
func.func @parts(%u: tensor<2x4x8xf32>, %h: tensor<4x3xf32>)
    -> (tensor<2x4x1xf32>, tensor<2x4x8xf32>) {
  %0 = hyena.rfft %u {n = 16 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x9xcomplex<f32>>
  %1 = hyena.rfft %h {n = 16 : i64} : (tensor<4x3xf32>) -> tensor<4x9xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x9xcomplex<f32>>, tensor<4x9xcomplex<f32>>) -> tensor<2x4x9xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 16 : i64} : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
  %4 = hyena.truncate %3 {dim = 2 : i64, offset = 7 : i64, length = 1 : i64}
      : (tensor<2x4x16xf32>) -> tensor<2x4x1xf32>
  %5 = hyena.truncate %3 {dim = 2 : i64, offset = 3 : i64, length = 8 : i64}
      : (tensor<2x4x16xf32>) -> tensor<2x4x8xf32>
  return %4, %5 : tensor<2x4x1xf32>, tensor<2x4x8xf32>
}

// -----

// Two cuts of one product are one convolution.
// CHECK-LABEL: func @two_cuts
// CHECK: %[[A:.*]] = hyena.fftconv
// CHECK-NOT: hyena.fftconv
// CHECK: hyena.truncate %[[A]] {dim = 2 : i64, length = 2 : i64}
// CHECK-NOT: hyena.fftconv
func.func @two_cuts(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>)
    -> (tensor<2x4x2xf32>, tensor<2x4x8xf32>) {
  %0 = hyena.rfft %u {n = 16 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x9xcomplex<f32>>
  %1 = hyena.rfft %h {n = 16 : i64} : (tensor<4x8xf32>) -> tensor<4x9xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x9xcomplex<f32>>, tensor<4x9xcomplex<f32>>) -> tensor<2x4x9xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 16 : i64} : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
  %4 = hyena.truncate %3 {dim = 2 : i64, length = 2 : i64}
      : (tensor<2x4x16xf32>) -> tensor<2x4x2xf32>
  %5 = hyena.truncate %3 {dim = 2 : i64, length = 8 : i64}
      : (tensor<2x4x16xf32>) -> tensor<2x4x8xf32>
  return %4, %5 : tensor<2x4x2xf32>, tensor<2x4x8xf32>
}

// -----

// Zeros that are written count as samples where the rest wraps around.
// CHECK-LABEL: func @circular_padded
// CHECK: %[[P:.*]] = hyena.pad %arg0
// CHECK: hyena.fftconv %[[P]], %arg1 {lag0 = 0 : i64, mode = #hyena.conv_mode<circular>}
func.func @circular_padded(%u: tensor<2x4x7xf32>, %h: tensor<4x6xf32>) -> tensor<2x4x9xf32> {
  %p = hyena.pad %u {dim = 2 : i64, low = 0 : i64, high = 2 : i64}
      : (tensor<2x4x7xf32>) -> tensor<2x4x9xf32>
  %0 = hyena.rfft %p {n = 9 : i64} : (tensor<2x4x9xf32>) -> tensor<2x4x5xcomplex<f32>>
  %1 = hyena.rfft %h {n = 9 : i64} : (tensor<4x6xf32>) -> tensor<4x5xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x5xcomplex<f32>>, tensor<4x5xcomplex<f32>>) -> tensor<2x4x5xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 9 : i64} : (tensor<2x4x5xcomplex<f32>>) -> tensor<2x4x9xf32>
  return %3 : tensor<2x4x9xf32>
}
