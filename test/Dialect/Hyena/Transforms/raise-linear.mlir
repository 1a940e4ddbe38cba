// If this fails, a linear layer or a depthwise convolution of linalg is raised
// to one with other weights, another bias or another padding, or not at all.
// RUN: hyena-opt %s --hyena-raise --split-input-file | FileCheck %s

// F.linear(x, w, b): the bias as what the sum begins with.
// CHECK-LABEL: func @linear
// CHECK-SAME: (%[[X:.*]]: tensor<?x6x4xf32>, %[[W:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<8xf32>, %{{.*}}: index)
// CHECK: %[[Y:.*]] = hyena.project %[[X]], %[[W]] bias(%[[B]]) : (tensor<?x6x4xf32>, tensor<8x4xf32>, tensor<8xf32>) -> tensor<?x6x8xf32>
// CHECK: return %[[Y]]
func.func @linear(%x: tensor<?x6x4xf32>, %w: tensor<8x4xf32>, %b: tensor<8xf32>, %n: index)
    -> tensor<?x6x8xf32> {
  %e = tensor.empty(%n) : tensor<?x6x8xf32>
  %init = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<?x6x8xf32>) dimensions = [0, 1]
  %0 = linalg.generic {
      indexing_maps = [affine_map<(b, l, o, i) -> (b, l, i)>, affine_map<(b, l, o, i) -> (o, i)>,
                       affine_map<(b, l, o, i) -> (b, l, o)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x6x4xf32>, tensor<8x4xf32>) outs(%init : tensor<?x6x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x6x8xf32>
  return %0 : tensor<?x6x8xf32>
}

// -----

// x @ w + b of matrices, w stored (C_in, C_out), the bias added after.
// CHECK-LABEL: func @matmul
// CHECK-SAME: (%[[X:.*]]: tensor<6x4xf32>, %[[W:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8xf32>)
// CHECK: %[[T:.*]] = hyena.transpose %[[W]] : (tensor<4x8xf32>) -> tensor<8x4xf32>
// CHECK: %[[Y:.*]] = hyena.project %[[X]], %[[T]] bias(%[[B]])
// CHECK: return %[[Y]]
func.func @matmul(%x: tensor<6x4xf32>, %w: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<6x4xf32>, tensor<4x8xf32>) outs(%init : tensor<6x8xf32>)
      -> tensor<6x8xf32>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(l, o) -> (l, o)>, affine_map<(l, o) -> (o)>,
                       affine_map<(l, o) -> (l, o)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%0, %b : tensor<6x8xf32>, tensor<8xf32>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<6x8xf32>
  return %1 : tensor<6x8xf32>
}

// -----

// The transposed matrix product of linalg, added to something.
// CHECK-LABEL: func @matmul_transposed
// CHECK-SAME: (%[[X:.*]]: tensor<6x4xf64>, %[[W:.*]]: tensor<8x4xf64>, %[[R:.*]]: tensor<6x8xf64>)
// CHECK: %[[P:.*]] = hyena.project %[[X]], %[[W]] : (tensor<6x4xf64>, tensor<8x4xf64>) -> tensor<6x8xf64>
// CHECK: %[[Y:.*]] = arith.addf %[[P]], %[[R]]
// CHECK: return %[[Y]]
func.func @matmul_transposed(%x: tensor<6x4xf64>, %w: tensor<8x4xf64>, %r: tensor<6x8xf64>)
    -> tensor<6x8xf64> {
  %0 = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<6x4xf64>, tensor<8x4xf64>) outs(%r : tensor<6x8xf64>) -> tensor<6x8xf64>
  return %0 : tensor<6x8xf64>
}

// -----

// A weight for each element of the batch; a sum in bf16; a weight of unknown
// size; two reductions.
// CHECK-LABEL: func @no_linear
// CHECK: linalg.batch_matmul
// CHECK-COUNT-2: linalg.matmul
// CHECK: linalg.generic
func.func @no_linear(%x: tensor<2x6x4xf32>, %w: tensor<2x4x8xf32>, %n: tensor<6x4xbf16>,
                     %m: tensor<4x8xbf16>, %d: tensor<4x?xf32>, %a: tensor<2x6x8xf32>,
                     %b: tensor<6x8xbf16>, %c: tensor<6x?xf32>, %y: tensor<6x4xf32>,
                     %e: tensor<6xf32>)
    -> (tensor<2x6x8xf32>, tensor<6x8xbf16>, tensor<6x?xf32>, tensor<6xf32>) {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<2x6x4xf32>, tensor<2x4x8xf32>)
      outs(%a : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %1 = linalg.matmul ins(%n, %m : tensor<6x4xbf16>, tensor<4x8xbf16>) outs(%b : tensor<6x8xbf16>)
      -> tensor<6x8xbf16>
  %2 = linalg.matmul ins(%y, %d : tensor<6x4xf32>, tensor<4x?xf32>) outs(%c : tensor<6x?xf32>)
      -> tensor<6x?xf32>
  %3 = linalg.generic {
      indexing_maps = [affine_map<(b, l, i) -> (b, l, i)>, affine_map<(b, l, i) -> (l, i)>,
                       affine_map<(b, l, i) -> (l)>],
      iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x, %y : tensor<2x6x4xf32>, tensor<6x4xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %q : f32
    %t = arith.addf %o, %s : f32
    linalg.yield %t : f32
  } -> tensor<6xf32>
  return %0, %1, %2, %3 : tensor<2x6x8xf32>, tensor<6x8xbf16>, tensor<6x?xf32>, tensor<6xf32>
}

// -----

// F.conv1d(x, w, b, padding=2, groups=C)[..., :L] is causal.
// CHECK-LABEL: func @depthwise
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x8xf32>, %[[W:.*]]: tensor<4x3xf32>, %[[B:.*]]: tensor<4xf32>)
// CHECK: %[[Y:.*]] = hyena.shortconv %[[X]], %[[W]] bias(%[[B]]) : (tensor<2x4x8xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4x8xf32>
// CHECK: return %[[Y]]
func.func @depthwise(%x: tensor<2x4x8xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>)
    -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 2] high[0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x4x8xf32> to tensor<2x4x12xf32>
  %e = tensor.empty() : tensor<2x4x10xf32>
  %init = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<2x4x10xf32>) dimensions = [0, 2]
  %0 = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%p, %w : tensor<2x4x12xf32>, tensor<4x3xf32>) outs(%init : tensor<2x4x10xf32>)
      -> tensor<2x4x10xf32>
  %1 = tensor.extract_slice %0[0, 0, 0] [2, 4, 8] [1, 1, 1] : tensor<2x4x10xf32> to tensor<2x4x8xf32>
  return %1 : tensor<2x4x8xf32>
}

// -----

// Channels last, the weight stored (K, C), the bias added after, padding 1.
// CHECK-LABEL: func @depthwise_channels_last
// CHECK-SAME: (%[[X:.*]]: tensor<2x8x4xf32>, %[[W:.*]]: tensor<3x4xf32>, %[[B:.*]]: tensor<4xf32>)
// CHECK: %[[T:.*]] = hyena.transpose %[[W]] : (tensor<3x4xf32>) -> tensor<4x3xf32>
// CHECK: %[[Y:.*]] = hyena.shortconv %[[X]], %[[T]] bias(%[[B]]) {layout = #hyena.layout<channels_last>, padding = #hyena.padding<same>}
// CHECK: return %[[Y]]
func.func @depthwise_channels_last(%x: tensor<2x8x4xf32>, %w: tensor<3x4xf32>, %b: tensor<4xf32>)
    -> tensor<2x8x4xf32> {
  %p = hyena.pad %x {dim = 1 : i64, low = 1 : i64, high = 1 : i64}
      : (tensor<2x8x4xf32>) -> tensor<2x10x4xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x8x4xf32>
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%p, %w : tensor<2x10x4xf32>, tensor<3x4xf32>) outs(%zeros : tensor<2x8x4xf32>)
      -> tensor<2x8x4xf32>
  %1 = hyena.broadcast %b like %0 {dims = array<i64: 2>}
      : (tensor<4xf32>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %2 = arith.addf %1, %0 : tensor<2x8x4xf32>
  return %2 : tensor<2x8x4xf32>
}

// -----

// A stride, and a sum in bf16.
// CHECK-LABEL: func @no_shortconv
// CHECK-COUNT-2: linalg.depthwise_conv_1d_ncw_cw
func.func @no_shortconv(%x: tensor<2x4x9xf32>, %w: tensor<4x3xf32>, %y: tensor<2x4x9xbf16>,
                        %v: tensor<4x3xbf16>, %a: tensor<2x4x4xf32>, %b: tensor<2x4x7xbf16>)
    -> (tensor<2x4x4xf32>, tensor<2x4x7xbf16>) {
  %0 = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
      ins(%x, %w : tensor<2x4x9xf32>, tensor<4x3xf32>) outs(%a : tensor<2x4x4xf32>)
      -> tensor<2x4x4xf32>
  %1 = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%y, %v : tensor<2x4x9xbf16>, tensor<4x3xbf16>) outs(%b : tensor<2x4x7xbf16>)
      -> tensor<2x4x7xbf16>
  return %0, %1 : tensor<2x4x4xf32>, tensor<2x4x7xbf16>
}

// -----

// x.view(-1, C) @ w.t(), viewed back; a batched product with one matrix.
// CHECK-LABEL: func @linear_of_rows
// CHECK-SAME: (%[[X:.*]]: tensor<?x6x4xf32>, %[[W:.*]]: tensor<8x4xf32>, %[[V:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK-DAG: %[[Y:.*]] = hyena.project %[[X]], %[[W]] bias(%[[B]]) : (tensor<?x6x4xf32>, tensor<8x4xf32>, tensor<8xf32>) -> tensor<?x6x8xf32>
// CHECK-DAG: %[[T:.*]] = hyena.transpose %[[V]]
// CHECK-DAG: %[[Z:.*]] = hyena.project %[[X]], %[[T]] : (tensor<?x6x4xf32>, tensor<8x4xf32>) -> tensor<?x6x8xf32>
// CHECK: return %[[Y]], %[[Z]]
func.func @linear_of_rows(%x: tensor<?x6x4xf32>, %w: tensor<8x4xf32>, %v: tensor<4x8xf32>,
                          %bias: tensor<8xf32>, %b: index, %rows: index)
    -> (tensor<?x6x8xf32>, tensor<?x6x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x6x4xf32> into tensor<?x4xf32>
  %e = tensor.empty(%rows) : tensor<?x8xf32>
  %init = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e : tensor<?x8xf32>) dimensions = [0]
  %0 = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%flat, %w : tensor<?x4xf32>, tensor<8x4xf32>) outs(%init : tensor<?x8xf32>)
      -> tensor<?x8xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%b, 6, 8]
      : tensor<?x8xf32> into tensor<?x6x8xf32>

  %wide = tensor.empty(%b) : tensor<?x4x8xf32>
  %all = linalg.broadcast ins(%v : tensor<4x8xf32>) outs(%wide : tensor<?x4x8xf32>) dimensions = [0]
  %out = tensor.empty(%b) : tensor<?x6x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%out : tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
  %2 = linalg.batch_matmul ins(%x, %all : tensor<?x6x4xf32>, tensor<?x4x8xf32>)
      outs(%zeros : tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
  return %1, %2 : tensor<?x6x8xf32>, tensor<?x6x8xf32>
}

// -----

// The result is split in another way than the input was merged.
// CHECK-LABEL: func @rows_of_another_shape
// CHECK: tensor.collapse_shape
// CHECK: tensor.expand_shape
func.func @rows_of_another_shape(%x: tensor<2x6x4xf32>, %w: tensor<8x4xf32>) -> tensor<3x4x8xf32> {
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x6x4xf32> into tensor<12x4xf32>
  %0 = hyena.project %flat, %w : (tensor<12x4xf32>, tensor<8x4xf32>) -> tensor<12x8xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [3, 4, 8]
      : tensor<12x8xf32> into tensor<3x4x8xf32>
  return %1 : tensor<3x4x8xf32>
}
