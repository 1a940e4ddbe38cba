// If this fails, an operation of the graph level or one of its attributes does
// not survive being printed and parsed again.
// RUN: hyena-opt %s | FileCheck %s
// RUN: hyena-opt %s | hyena-opt | FileCheck %s
// RUN: hyena-opt %s --mlir-print-op-generic | hyena-opt | FileCheck %s

// CHECK-LABEL: func @project
// CHECK-SAME: tensor<8x4xf32> {hyena.param}
func.func @project(%x: tensor<2x6x4xf32>, %m: tensor<?x4xf32>, %xt: tensor<2x4x6xf32>,
                   %w: tensor<8x4xf32> {hyena.param}, %b: tensor<8xf32> {hyena.param}) {
  // CHECK: hyena.project %{{.*}}, %{{.*}} : (tensor<2x6x4xf32>, tensor<8x4xf32>) -> tensor<2x6x8xf32>
  %0 = hyena.project %x, %w : (tensor<2x6x4xf32>, tensor<8x4xf32>) -> tensor<2x6x8xf32>
  // CHECK: hyena.project %{{.*}}, %{{.*}} bias(%{{.*}}) : (tensor<?x4xf32>, tensor<8x4xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %1 = hyena.project %m, %w bias(%b)
      : (tensor<?x4xf32>, tensor<8x4xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  // CHECK: hyena.project %{{.*}}, %{{.*}} {input_layout = #hyena.layout<channels_first>} : {{.*}} -> tensor<2x6x8xf32>
  %2 = hyena.project %xt, %w {input_layout = #hyena.layout<channels_first>}
      : (tensor<2x4x6xf32>, tensor<8x4xf32>) -> tensor<2x6x8xf32>
  // CHECK: hyena.project %{{.*}}, %{{.*}} bias(%{{.*}}) {result_layout = #hyena.layout<channels_first>} : {{.*}} -> tensor<2x8x6xf32>
  %3 = hyena.project %x, %w bias(%b) {result_layout = #hyena.layout<channels_first>}
      : (tensor<2x6x4xf32>, tensor<8x4xf32>, tensor<8xf32>) -> tensor<2x8x6xf32>
  // A default that is written is not printed.
  // CHECK: hyena.project %{{.*}}, %{{.*}} : {{.*}} -> tensor<2x6x8xf32>
  %4 = hyena.project %x, %w {input_layout = #hyena.layout<channels_last>}
      : (tensor<2x6x4xf32>, tensor<8x4xf32>) -> tensor<2x6x8xf32>
  return
}

// CHECK-LABEL: func @chunk
func.func @chunk(%p: tensor<?x6x12xf32>, %q: tensor<2x12x?xbf16>) {
  // CHECK: %{{.*}}:3 = hyena.chunk %{{.*}} : (tensor<?x6x12xf32>) -> (tensor<?x6x4xf32>, tensor<?x6x4xf32>, tensor<?x6x4xf32>)
  %0:3 = hyena.chunk %p
      : (tensor<?x6x12xf32>) -> (tensor<?x6x4xf32>, tensor<?x6x4xf32>, tensor<?x6x4xf32>)
  // CHECK: hyena.chunk %{{.*}} {arrangement = #hyena.arrangement<per_head>, heads = 2 : i64} :
  %1:3 = hyena.chunk %p {arrangement = #hyena.arrangement<per_head>, heads = 2 : i64}
      : (tensor<?x6x12xf32>) -> (tensor<?x6x4xf32>, tensor<?x6x4xf32>, tensor<?x6x4xf32>)
  // CHECK: hyena.chunk %{{.*}} {arrangement = #hyena.arrangement<interleaved>, layout = #hyena.layout<channels_first>} : (tensor<2x12x?xbf16>)
  %2:2 = hyena.chunk %q {arrangement = #hyena.arrangement<interleaved>,
                         layout = #hyena.layout<channels_first>}
      : (tensor<2x12x?xbf16>) -> (tensor<2x6x?xbf16>, tensor<2x6x?xbf16>)
  // CHECK: hyena.chunk %{{.*}} : (tensor<?x6x12xf32>) -> tensor<?x6x12xf32>
  %3 = hyena.chunk %p : (tensor<?x6x12xf32>) -> tensor<?x6x12xf32>
  return
}

// CHECK-LABEL: func @streams
func.func @streams(%x: tensor<?x6x4xf16>, %u: tensor<2x4x?xf64>, %d: tensor<4xf64>,
                   %mask: tensor<2x?xi1>, %s: tensor<f32>) {
  // CHECK: hyena.transpose %{{.*}} : (tensor<?x6x4xf16>) -> tensor<?x4x6xf16>
  %0 = hyena.transpose %x : (tensor<?x6x4xf16>) -> tensor<?x4x6xf16>
  // CHECK: hyena.gate %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x4x?xf64>, tensor<2x4x?xf64>, tensor<2x4x?xf64>) -> tensor<2x4x?xf64>
  %1 = hyena.gate %u, %u, %u
      : (tensor<2x4x?xf64>, tensor<2x4x?xf64>, tensor<2x4x?xf64>) -> tensor<2x4x?xf64>
  // CHECK: hyena.broadcast %{{.*}} like %{{.*}} {dims = array<i64: 1>} : (tensor<4xf64>, tensor<2x4x?xf64>) -> tensor<2x4x?xf64>
  %2 = hyena.broadcast %d like %u {dims = array<i64: 1>}
      : (tensor<4xf64>, tensor<2x4x?xf64>) -> tensor<2x4x?xf64>
  // CHECK: hyena.broadcast %{{.*}} like %{{.*}} {dims = array<i64: 0, 2>} : (tensor<2x?xi1>, tensor<2x4x?xf64>) -> tensor<2x4x?xi1>
  %3 = hyena.broadcast %mask like %u {dims = array<i64: 0, 2>}
      : (tensor<2x?xi1>, tensor<2x4x?xf64>) -> tensor<2x4x?xi1>
  // CHECK: hyena.broadcast %{{.*}} like %{{.*}} {dims = array<i64>} : (tensor<f32>, tensor<2x4x?xf64>) -> tensor<2x4x?xf32>
  %4 = hyena.broadcast %s like %u {dims = array<i64>}
      : (tensor<f32>, tensor<2x4x?xf64>) -> tensor<2x4x?xf32>
  return
}

// CHECK-LABEL: func @shortconv
func.func @shortconv(%x: tensor<?x4x?xf32>, %y: tensor<2x9x4xf32>, %w: tensor<4x3xf32>,
                     %g: tensor<2x2xf32>, %b: tensor<4xf32>) {
  // CHECK: hyena.shortconv %{{.*}}, %{{.*}} : (tensor<?x4x?xf32>, tensor<4x3xf32>) -> tensor<?x4x?xf32>
  %0 = hyena.shortconv %x, %w : (tensor<?x4x?xf32>, tensor<4x3xf32>) -> tensor<?x4x?xf32>
  // CHECK: hyena.shortconv %{{.*}}, %{{.*}} bias(%{{.*}}) {padding = #hyena.padding<same>} :
  %1 = hyena.shortconv %x, %w bias(%b) {padding = #hyena.padding<same>}
      : (tensor<?x4x?xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<?x4x?xf32>
  // CHECK: hyena.shortconv %{{.*}}, %{{.*}} {layout = #hyena.layout<channels_last>, pad_high = 3 : i64, pad_low = 1 : i64, padding = #hyena.padding<explicit>, tap_order = #hyena.tap_order<lag0_first>} : (tensor<2x9x4xf32>, tensor<2x2xf32>) -> tensor<2x12x4xf32>
  %2 = hyena.shortconv %y, %g {padding = #hyena.padding<explicit>, pad_low = 1 : i64,
                               pad_high = 3 : i64, tap_order = #hyena.tap_order<lag0_first>,
                               layout = #hyena.layout<channels_last>}
      : (tensor<2x9x4xf32>, tensor<2x2xf32>) -> tensor<2x12x4xf32>
  return
}

// CHECK-LABEL: func @fftconv
func.func @fftconv(%u: tensor<?x4x?xbf16>, %v: tensor<2x8x4xf32>, %h: tensor<2x7xf32>,
                   %r: tensor<2x3xf32>, %d: tensor<4xf32>, %d1: tensor<1xf32>) {
  // CHECK: hyena.fftconv %{{.*}}, %{{.*}} : (tensor<?x4x?xbf16>, tensor<2x7xf32>) -> tensor<?x4x?xbf16>
  %0 = hyena.fftconv %u, %h : (tensor<?x4x?xbf16>, tensor<2x7xf32>) -> tensor<?x4x?xbf16>
  // CHECK: hyena.fftconv %{{.*}}, %{{.*}} skip(%{{.*}}) {tap_order = #hyena.tap_order<newest_last>} :
  %1 = hyena.fftconv %u, %h skip(%d) {tap_order = #hyena.tap_order<newest_last>}
      : (tensor<?x4x?xbf16>, tensor<2x7xf32>, tensor<4xf32>) -> tensor<?x4x?xbf16>
  // CHECK: hyena.fftconv %{{.*}}, %{{.*}} reverse(%{{.*}}) skip(%{{.*}}) {layout = #hyena.layout<channels_last>, mode = #hyena.conv_mode<bidirectional>} :
  %2 = hyena.fftconv %v, %h reverse(%r) skip(%d1) {mode = #hyena.conv_mode<bidirectional>,
                                                   layout = #hyena.layout<channels_last>}
      : (tensor<2x8x4xf32>, tensor<2x7xf32>, tensor<2x3xf32>, tensor<1xf32>)
      -> tensor<2x8x4xf32>
  // CHECK: hyena.fftconv %{{.*}}, %{{.*}} {lag0 = 6 : i64, mode = #hyena.conv_mode<noncausal>} :
  %3 = hyena.fftconv %u, %h {mode = #hyena.conv_mode<noncausal>, lag0 = 6 : i64}
      : (tensor<?x4x?xbf16>, tensor<2x7xf32>) -> tensor<?x4x?xbf16>
  // CHECK: hyena.fftconv %{{.*}}, %{{.*}} {layout = #hyena.layout<channels_last>, mode = #hyena.conv_mode<circular>} :
  %4 = hyena.fftconv %v, %h {mode = #hyena.conv_mode<circular>,
                             layout = #hyena.layout<channels_last>}
      : (tensor<2x8x4xf32>, tensor<2x7xf32>) -> tensor<2x8x4xf32>
  return
}

// CHECK-LABEL: func @modal_filter
func.func @modal_filter(%p: tensor<4x2xcomplex<f64>>, %q: tensor<4x2xf32>) {
  // CHECK: hyena.modal_filter %{{.*}}, %{{.*}} {length = 9 : i64} : (tensor<4x2xcomplex<f64>>, tensor<4x2xcomplex<f64>>) -> tensor<4x9xf64>
  %0 = hyena.modal_filter %p, %p {length = 9 : i64}
      : (tensor<4x2xcomplex<f64>>, tensor<4x2xcomplex<f64>>) -> tensor<4x9xf64>
  // CHECK: hyena.modal_filter %{{.*}}, %{{.*}} {form = #hyena.modal_form<log_pole>, length = 1 : i64} :
  %1 = hyena.modal_filter %q, %q {length = 1 : i64, form = #hyena.modal_form<log_pole>}
      : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x1xf32>
  return
}

// CHECK-LABEL: func @decomposed
func.func @decomposed(%x: tensor<?x4x?xf32>, %h: tensor<2x9xcomplex<f32>>, %v: tensor<5xf64>) {
  // CHECK: hyena.pad %{{.*}} {dim = 2 : i64, high = 3 : i64, low = 0 : i64} : (tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  %0 = hyena.pad %x {dim = 2 : i64, low = 0 : i64, high = 3 : i64}
      : (tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  // CHECK: hyena.truncate %{{.*}} {dim = 2 : i64, length = 5 : i64} : (tensor<?x4x?xf32>) -> tensor<?x4x5xf32>
  %1 = hyena.truncate %0 {dim = 2 : i64, length = 5 : i64}
      : (tensor<?x4x?xf32>) -> tensor<?x4x5xf32>
  // CHECK: hyena.truncate %{{.*}} {dim = 0 : i64, length = 1 : i64, offset = 4 : i64} : (tensor<5xf64>) -> tensor<1xf64>
  %2 = hyena.truncate %v {dim = 0 : i64, offset = 4 : i64, length = 1 : i64}
      : (tensor<5xf64>) -> tensor<1xf64>
  // CHECK: hyena.flip %{{.*}} {dim = 2 : i64} : (tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  %3 = hyena.flip %x {dim = 2 : i64} : (tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  // CHECK: hyena.rfft %{{.*}} {n = 16 : i64} : (tensor<?x4x?xf32>) -> tensor<?x4x9xcomplex<f32>>
  %4 = hyena.rfft %x {n = 16 : i64} : (tensor<?x4x?xf32>) -> tensor<?x4x9xcomplex<f32>>
  // CHECK: hyena.spectral_mul %{{.*}}, %{{.*}} : (tensor<?x4x9xcomplex<f32>>, tensor<?x4x9xcomplex<f32>>) -> tensor<?x4x9xcomplex<f32>>
  %5 = hyena.spectral_mul %4, %4
      : (tensor<?x4x9xcomplex<f32>>, tensor<?x4x9xcomplex<f32>>) -> tensor<?x4x9xcomplex<f32>>
  // CHECK: hyena.spectral_mul %{{.*}}, %{{.*}} : (tensor<?x4x9xcomplex<f32>>, tensor<2x9xcomplex<f32>>) -> tensor<?x4x9xcomplex<f32>>
  %6 = hyena.spectral_mul %5, %h
      : (tensor<?x4x9xcomplex<f32>>, tensor<2x9xcomplex<f32>>) -> tensor<?x4x9xcomplex<f32>>
  // CHECK: hyena.irfft %{{.*}} {n = 17 : i64} : (tensor<?x4x9xcomplex<f32>>) -> tensor<?x4x17xf32>
  %7 = hyena.irfft %6 {n = 17 : i64} : (tensor<?x4x9xcomplex<f32>>) -> tensor<?x4x17xf32>
  // CHECK: hyena.rfft %{{.*}} {n = 1 : i64} : (tensor<5xf64>) -> tensor<1xcomplex<f64>>
  %8 = hyena.rfft %v {n = 1 : i64} : (tensor<5xf64>) -> tensor<1xcomplex<f64>>
  return
}

// No batch at all is legal.
// CHECK-LABEL: func @empty_batch
func.func @empty_batch(%u: tensor<0x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<0x4x8xf32> {
  %0 = hyena.fftconv %u, %h : (tensor<0x4x8xf32>, tensor<4x8xf32>) -> tensor<0x4x8xf32>
  return %0 : tensor<0x4x8xf32>
}

// A result may be written less or more static than it is inferred.
// CHECK-LABEL: func @written_types
func.func @written_types(%u: tensor<?x4x8xf32>, %h: tensor<4x8xf32>) {
  // CHECK: (tensor<?x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %0 = hyena.fftconv %u, %h : (tensor<?x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  // CHECK: (tensor<?x4x8xf32>, tensor<4x8xf32>) -> tensor<?x4x?xf32>
  %1 = hyena.fftconv %u, %h : (tensor<?x4x8xf32>, tensor<4x8xf32>) -> tensor<?x4x?xf32>
  return
}
