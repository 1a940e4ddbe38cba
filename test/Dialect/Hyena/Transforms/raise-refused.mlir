// If this fails, a product of transforms that is no convolution of the dialect
// is raised to one, or the remark does not say why it was left.
// RUN: hyena-opt %s --hyena-raise --split-input-file --remarks-filter=hyena-raise \
// RUN:   --remark-format=emitRemark -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK

// 8 samples and 8 taps on 12 points: the last taps wrap around.
// REMARK: remark: [Missed] raise | Category:hyena-raise | {{.*}}Reason="a transform of 12 points wraps around onto the result: 8 samples and 8 taps, cut from value 0 on, need 15 points"
// CHECK-LABEL: func @wraps
// CHECK: hyena.irfft
func.func @wraps(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.rfft %u {n = 12 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x7xcomplex<f32>>
  %1 = hyena.rfft %h {n = 12 : i64} : (tensor<4x8xf32>) -> tensor<4x7xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x7xcomplex<f32>>, tensor<4x7xcomplex<f32>>) -> tensor<2x4x7xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 12 : i64} : (tensor<2x4x7xcomplex<f32>>) -> tensor<2x4x12xf32>
  %4 = hyena.truncate %3 {dim = 2 : i64, length = 8 : i64}
      : (tensor<2x4x12xf32>) -> tensor<2x4x8xf32>
  return %4 : tensor<2x4x8xf32>
}

// -----

// The reversed filter lies where a positive lag reads it.
// REMARK: Reason="a transform of 15 points wraps around onto the result
// CHECK-LABEL: func @bidirectional_wraps
// CHECK: hyena.irfft
func.func @bidirectional_wraps(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>, %r: tensor<4x8xf32>)
    -> tensor<2x4x8xf32> {
  %flipped = hyena.flip %r {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %back = hyena.pad %flipped {dim = 1 : i64, low = 7 : i64, high = 0 : i64}
      : (tensor<4x8xf32>) -> tensor<4x15xf32>
  %front = hyena.pad %h {dim = 1 : i64, low = 0 : i64, high = 7 : i64}
      : (tensor<4x8xf32>) -> tensor<4x15xf32>
  %both = arith.addf %front, %back : tensor<4x15xf32>
  %0 = hyena.rfft %u {n = 15 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x8xcomplex<f32>>
  %1 = hyena.rfft %both {n = 15 : i64} : (tensor<4x15xf32>) -> tensor<4x8xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x8xcomplex<f32>>, tensor<4x8xcomplex<f32>>) -> tensor<2x4x8xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 15 : i64} : (tensor<2x4x8xcomplex<f32>>) -> tensor<2x4x15xf32>
  %4 = hyena.truncate %3 {dim = 2 : i64, length = 8 : i64}
      : (tensor<2x4x15xf32>) -> tensor<2x4x8xf32>
  return %4 : tensor<2x4x8xf32>
}

// -----

// REMARK: Reason="the transforms have sizes 15 and 16, expected one"
// CHECK-LABEL: func @two_sizes
// CHECK: hyena.irfft
func.func @two_sizes(%u: tensor<2x4x8xf32>, %h: tensor<4x7xf32>) -> tensor<2x4x8xf32> {
  %x = hyena.rfft %u {n = 15 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x?xcomplex<f32>>
  %y = hyena.rfft %h {n = 15 : i64} : (tensor<4x7xf32>) -> tensor<4x?xcomplex<f32>>
  %z = hyena.spectral_mul %x, %y
      : (tensor<2x4x?xcomplex<f32>>, tensor<4x?xcomplex<f32>>) -> tensor<2x4x?xcomplex<f32>>
  %3 = hyena.irfft %z {n = 16 : i64} : (tensor<2x4x?xcomplex<f32>>) -> tensor<2x4x16xf32>
  %4 = hyena.truncate %3 {dim = 2 : i64, length = 8 : i64}
      : (tensor<2x4x16xf32>) -> tensor<2x4x8xf32>
  return %4 : tensor<2x4x8xf32>
}

// -----

// REMARK: Reason="the length of the signal tensor<2x4x?xf32> or of the filter tensor<4x8xf32> is dynamic, so that it is not known whether it wraps around"
// CHECK-LABEL: func @dynamic_length
// CHECK: hyena.irfft
func.func @dynamic_length(%u: tensor<2x4x?xf32>, %h: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.rfft %u {n = 16 : i64} : (tensor<2x4x?xf32>) -> tensor<2x4x9xcomplex<f32>>
  %1 = hyena.rfft %h {n = 16 : i64} : (tensor<4x8xf32>) -> tensor<4x9xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x9xcomplex<f32>>, tensor<4x9xcomplex<f32>>) -> tensor<2x4x9xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 16 : i64} : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
  %4 = hyena.truncate %3 {dim = 2 : i64, length = 8 : i64}
      : (tensor<2x4x16xf32>) -> tensor<2x4x8xf32>
  return %4 : tensor<2x4x8xf32>
}

// -----

// A filter for each element of the batch; a spectrum from elsewhere; no product.
// REMARK-DAG: Reason="neither factor is the transform of a (G, K) filter that is the same for the whole batch"
// REMARK-DAG: Reason="the right factor of the product is not the transform of a real signal"
// REMARK-DAG: Reason="the spectrum is not a product of two"
// CHECK-LABEL: func @no_filter
// CHECK-COUNT-3: hyena.irfft
func.func @no_filter(%u: tensor<2x4x8xf32>, %h: tensor<2x4x8xf32>, %s: tensor<4x9xcomplex<f32>>)
    -> (tensor<2x4x16xf32>, tensor<2x4x16xf32>, tensor<2x4x16xf32>) {
  %0 = hyena.rfft %u {n = 16 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x9xcomplex<f32>>
  %1 = hyena.rfft %h {n = 16 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x9xcomplex<f32>>
  %2 = hyena.spectral_mul %0, %1
      : (tensor<2x4x9xcomplex<f32>>, tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x9xcomplex<f32>>
  %3 = hyena.irfft %2 {n = 16 : i64} : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
  %4 = hyena.spectral_mul %0, %s
      : (tensor<2x4x9xcomplex<f32>>, tensor<4x9xcomplex<f32>>) -> tensor<2x4x9xcomplex<f32>>
  %5 = hyena.irfft %4 {n = 16 : i64} : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
  %6 = hyena.irfft %0 {n = 16 : i64} : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
  return %3, %5, %6 : tensor<2x4x16xf32>, tensor<2x4x16xf32>, tensor<2x4x16xf32>
}

// -----

// Not a rotation; a rotation beyond the filter; the convolution is used itself.
// CHECK-LABEL: func @no_rotation
// CHECK-COUNT-3: tensor.concat
func.func @no_rotation(%u: tensor<2x4x8xf32>, %h: tensor<4x3xf32>)
    -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %0 = hyena.fftconv %u, %h {mode = #hyena.conv_mode<circular>, lag0 = 0 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  %1 = hyena.truncate %0 {dim = 2 : i64, offset = 2 : i64, length = 6 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x6xf32>
  %2 = hyena.truncate %0 {dim = 2 : i64, offset = 1 : i64, length = 2 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x2xf32>
  %3 = tensor.concat dim(2) %1, %2 : (tensor<2x4x6xf32>, tensor<2x4x2xf32>) -> tensor<2x4x8xf32>
  %4 = hyena.fftconv %u, %h {mode = #hyena.conv_mode<circular>, lag0 = 0 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  %5 = hyena.truncate %4 {dim = 2 : i64, offset = 3 : i64, length = 5 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x5xf32>
  %6 = hyena.truncate %4 {dim = 2 : i64, length = 3 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x3xf32>
  %7 = tensor.concat dim(2) %5, %6 : (tensor<2x4x5xf32>, tensor<2x4x3xf32>) -> tensor<2x4x8xf32>
  %8 = hyena.fftconv %u, %h {mode = #hyena.conv_mode<circular>, lag0 = 0 : i64}
      : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
  %9 = hyena.truncate %8 {dim = 2 : i64, offset = 1 : i64, length = 7 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x7xf32>
  %10 = hyena.truncate %8 {dim = 2 : i64, length = 1 : i64}
      : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32>
  %11 = tensor.concat dim(2) %9, %10 : (tensor<2x4x7xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
  return %3, %7, %11, %8 : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
}
