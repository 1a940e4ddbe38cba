// If this fails, a slice, pad, copy or transposition is raised to an operation
// that moves other elements, or is not raised.
// RUN: hyena-opt %s --hyena-raise --split-input-file | FileCheck %s

// x.chunk(3, dim=-1), one stream read twice.
// CHECK-LABEL: func @chunk
// CHECK-NEXT: %[[S:.*]]:3 = hyena.chunk %{{.*}} : (tensor<?x6x12xf32>) -> (tensor<?x6x4xf32>, tensor<?x6x4xf32>, tensor<?x6x4xf32>)
// CHECK-NEXT: return %[[S]]#0, %[[S]]#1, %[[S]]#2, %[[S]]#1
func.func @chunk(%p: tensor<?x6x12xf32>)
    -> (tensor<?x6x4xf32>, tensor<?x6x4xf32>, tensor<?x6x4xf32>, tensor<?x6x4xf32>) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %p, %c0 : tensor<?x6x12xf32>
  %0 = tensor.extract_slice %p[0, 0, 0] [%b, 6, 4] [1, 1, 1] : tensor<?x6x12xf32> to tensor<?x6x4xf32>
  %1 = tensor.extract_slice %p[0, 0, 4] [%b, 6, 4] [1, 1, 1] : tensor<?x6x12xf32> to tensor<?x6x4xf32>
  %2 = hyena.truncate %p {dim = 2 : i64, offset = 8 : i64, length = 4 : i64}
      : (tensor<?x6x12xf32>) -> tensor<?x6x4xf32>
  %3 = tensor.extract_slice %p[0, 0, 4] [%b, 6, 4] [1, 1, 1] : tensor<?x6x12xf32> to tensor<?x6x4xf32>
  return %0, %1, %2, %3
      : tensor<?x6x4xf32>, tensor<?x6x4xf32>, tensor<?x6x4xf32>, tensor<?x6x4xf32>
}

// -----

// x[..., s::2] of (B, C, L).
// CHECK-LABEL: func @chunk_interleaved
// CHECK-NEXT: %[[S:.*]]:2 = hyena.chunk %{{.*}} {arrangement = #hyena.arrangement<interleaved>, layout = #hyena.layout<channels_first>}
// CHECK-NEXT: return %[[S]]#0, %[[S]]#1
func.func @chunk_interleaved(%p: tensor<2x8x6xf32>) -> (tensor<2x4x6xf32>, tensor<2x4x6xf32>) {
  %1 = tensor.extract_slice %p[0, 1, 0] [2, 4, 6] [1, 2, 1] : tensor<2x8x6xf32> to tensor<2x4x6xf32>
  %0 = tensor.extract_slice %p[0, 0, 0] [2, 4, 6] [1, 2, 1] : tensor<2x8x6xf32> to tensor<2x4x6xf32>
  return %0, %1 : tensor<2x4x6xf32>, tensor<2x4x6xf32>
}

// -----

// A stream is missing; the widths differ.
// CHECK-LABEL: func @no_chunk
// CHECK-NOT: hyena.chunk
// CHECK-COUNT-4: hyena.truncate
func.func @no_chunk(%p: tensor<2x6x12xf32>, %q: tensor<2x6x12xf32>)
    -> (tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<2x6x8xf32>, tensor<2x6x4xf32>) {
  %0 = tensor.extract_slice %p[0, 0, 0] [2, 6, 4] [1, 1, 1] : tensor<2x6x12xf32> to tensor<2x6x4xf32>
  %1 = tensor.extract_slice %p[0, 0, 4] [2, 6, 4] [1, 1, 1] : tensor<2x6x12xf32> to tensor<2x6x4xf32>
  %2 = tensor.extract_slice %q[0, 0, 0] [2, 6, 8] [1, 1, 1] : tensor<2x6x12xf32> to tensor<2x6x8xf32>
  %3 = tensor.extract_slice %q[0, 0, 8] [2, 6, 4] [1, 1, 1] : tensor<2x6x12xf32> to tensor<2x6x4xf32>
  return %0, %1, %2, %3
      : tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<2x6x8xf32>, tensor<2x6x4xf32>
}

// -----

// Two dimensions are cut.
// CHECK-LABEL: func @slice
// CHECK: %[[A:.*]] = hyena.truncate %{{.*}} {dim = 1 : i64, length = 3 : i64, offset = 1 : i64} : (tensor<?x8x12xf32>) -> tensor<?x3x12xf32>
// CHECK: hyena.truncate %[[A]] {dim = 2 : i64, length = 5 : i64} : (tensor<?x3x12xf32>) -> tensor<?x3x5xf32>
func.func @slice(%x: tensor<?x8x12xf32>) -> tensor<?x3x5xf32> {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %x, %c0 : tensor<?x8x12xf32>
  %0 = tensor.extract_slice %x[0, 1, 0] [%b, 3, 5] [1, 1, 1] : tensor<?x8x12xf32> to tensor<?x3x5xf32>
  return %0 : tensor<?x3x5xf32>
}

// -----

// A matrix; strides; a size that is not known to be all; a reduced rank.
// CHECK-LABEL: func @other_slices
// CHECK-COUNT-4: tensor.extract_slice
func.func @other_slices(%w: tensor<8x4xf32>, %x: tensor<?x8x12xf32>, %n: index)
    -> (tensor<4x4xf32>, tensor<?x8x4xf32>, tensor<?x8x6xf32>, tensor<8x12xf32>) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %x, %c0 : tensor<?x8x12xf32>
  %0 = tensor.extract_slice %w[4, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  %1 = tensor.extract_slice %x[0, 0, 0] [%b, 8, 4] [1, 1, 3] : tensor<?x8x12xf32> to tensor<?x8x4xf32>
  %2 = tensor.extract_slice %x[0, 0, 0] [%n, 8, 6] [1, 1, 1] : tensor<?x8x12xf32> to tensor<?x8x6xf32>
  %3 = tensor.extract_slice %x[0, 0, 0] [1, 8, 12] [1, 1, 1] : tensor<?x8x12xf32> to tensor<8x12xf32>
  return %0, %1, %2, %3 : tensor<4x4xf32>, tensor<?x8x4xf32>, tensor<?x8x6xf32>, tensor<8x12xf32>
}

// -----

// F.pad of time, and of channels and time.
// CHECK-LABEL: func @pad
// CHECK-DAG: hyena.pad %{{.*}} {dim = 2 : i64, high = 3 : i64, low = 2 : i64} : (tensor<?x4x8xf32>) -> tensor<?x4x13xf32>
// CHECK-DAG: %[[A:.*]] = hyena.pad %{{.*}} {dim = 1 : i64, high = 1 : i64, low = 0 : i64} : (tensor<?x4x8xf32>) -> tensor<?x5x8xf32>
// CHECK-DAG: hyena.pad %[[A]] {dim = 2 : i64, high = 0 : i64, low = 1 : i64} : (tensor<?x5x8xf32>) -> tensor<?x5x9xf32>
// CHECK-DAG: hyena.pad %{{.*}} {dim = 2 : i64, high = 8 : i64, low = 2 : i64} : (tensor<?x4x8xf32>) -> tensor<?x4x18xf32>
func.func @pad(%x: tensor<?x4x8xf32>, %b: index)
    -> (tensor<?x4x13xf32>, tensor<?x5x9xf32>, tensor<?x4x18xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[0, 0, 2] high[0, 0, 3] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<?x4x8xf32> to tensor<?x4x13xf32>
  %1 = tensor.pad %x low[0, 0, 1] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<?x4x8xf32> to tensor<?x5x9xf32>
  // torch.cat([zeros, x, zeros])
  %two_of = tensor.empty(%b) : tensor<?x4x2xf32>
  %two = linalg.fill ins(%zero : f32) outs(%two_of : tensor<?x4x2xf32>) -> tensor<?x4x2xf32>
  %eight_of = tensor.empty(%b) : tensor<?x4x8xf32>
  %eight = linalg.fill ins(%zero : f32) outs(%eight_of : tensor<?x4x8xf32>) -> tensor<?x4x8xf32>
  %2 = tensor.concat dim(2) %two, %x, %eight
      : (tensor<?x4x2xf32>, tensor<?x4x8xf32>, tensor<?x4x8xf32>) -> tensor<?x4x18xf32>
  return %0, %1, %2 : tensor<?x4x13xf32>, tensor<?x5x9xf32>, tensor<?x4x18xf32>
}

// -----

// Another value than 0; an amount that is not known; no zeros.
// CHECK-LABEL: func @other_pads
// CHECK-COUNT-2: tensor.pad
// CHECK: tensor.concat
func.func @other_pads(%x: tensor<2x4x8xf32>, %n: index)
    -> (tensor<2x4x13xf32>, tensor<2x4x?xf32>, tensor<2x4x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = tensor.pad %x low[0, 0, 2] high[0, 0, 3] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %one : f32
  } : tensor<2x4x8xf32> to tensor<2x4x13xf32>
  %1 = tensor.pad %x low[0, 0, 0] high[0, 0, %n] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x4x8xf32> to tensor<2x4x?xf32>
  %2 = tensor.concat dim(2) %x, %x : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x16xf32>
  return %0, %1, %2 : tensor<2x4x13xf32>, tensor<2x4x?xf32>, tensor<2x4x16xf32>
}

// -----

// .transpose(1, 2).contiguous() in four spellings, and twice is nothing.
// CHECK-LABEL: func @moves
// CHECK-SAME: (%[[X:.*]]: tensor<2x6x4xf32>, %[[D:.*]]: tensor<4xf32>)
// CHECK-DAG: %[[T:.*]] = hyena.transpose %[[X]] : (tensor<2x6x4xf32>) -> tensor<2x4x6xf32>
// CHECK-DAG: %[[U:.*]] = hyena.transpose %[[X]] : (tensor<2x6x4xf32>) -> tensor<2x4x6xf32>
// CHECK-DAG: %[[B:.*]] = hyena.broadcast %[[D]] like %{{.*}} {dims = array<i64: 1>} : (tensor<4xf32>, tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
// CHECK: return %[[T]], %[[U]], %[[X]], %[[B]]
func.func @moves(%x: tensor<2x6x4xf32>, %d: tensor<4xf32>)
    -> (tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>, tensor<2x4x6xf32>) {
  %e = tensor.empty() : tensor<2x4x6xf32>
  %e2 = tensor.empty() : tensor<2x6x4xf32>
  %0 = linalg.transpose ins(%x : tensor<2x6x4xf32>) outs(%e : tensor<2x4x6xf32>) permutation = [0, 2, 1]
  %1 = linalg.copy ins(%0 : tensor<2x4x6xf32>) outs(%e : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %2 = linalg.generic {
      indexing_maps = [affine_map<(b, l, c) -> (b, l, c)>, affine_map<(b, l, c) -> (b, c, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x6x4xf32>) outs(%e : tensor<2x4x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2x4x6xf32>
  %3 = linalg.transpose ins(%2 : tensor<2x4x6xf32>) outs(%e2 : tensor<2x6x4xf32>) permutation = [0, 2, 1]
  %4 = linalg.broadcast ins(%d : tensor<4xf32>) outs(%e : tensor<2x4x6xf32>) dimensions = [0, 2]
  return %1, %2, %3, %4 : tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>, tensor<2x4x6xf32>
}

// -----

// Dimensions of extent 1 that are repeated: d[:, None] over (B, C, L).
// CHECK-LABEL: func @unit_dimensions
// CHECK: %[[V:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2]] : tensor<1x4x1xf32> into tensor<4xf32>
// CHECK: hyena.broadcast %[[V]] like %{{.*}} {dims = array<i64: 1>} : (tensor<4xf32>, tensor<2x4x6xf32>)
func.func @unit_dimensions(%d: tensor<1x4x1xf32>) -> tensor<2x4x6xf32> {
  %e = tensor.empty() : tensor<2x4x6xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(b, c, l) -> (0, c, 0)>, affine_map<(b, c, l) -> (b, c, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%d : tensor<1x4x1xf32>) outs(%e : tensor<2x4x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2x4x6xf32>
  return %0 : tensor<2x4x6xf32>
}

// -----

// Another permutation; a copy that converts; a read of one column alone.
// CHECK-LABEL: func @other_moves
// CHECK: linalg.transpose
// CHECK: linalg.copy
// CHECK: linalg.generic
func.func @other_moves(%x: tensor<2x6x4xf32>)
    -> (tensor<4x2x6xf32>, tensor<2x6x4xf64>, tensor<2x6x4xf32>) {
  %e = tensor.empty() : tensor<4x2x6xf32>
  %e2 = tensor.empty() : tensor<2x6x4xf64>
  %e3 = tensor.empty() : tensor<2x6x4xf32>
  %0 = linalg.transpose ins(%x : tensor<2x6x4xf32>) outs(%e : tensor<4x2x6xf32>) permutation = [2, 0, 1]
  %1 = linalg.copy ins(%x : tensor<2x6x4xf32>) outs(%e2 : tensor<2x6x4xf64>) -> tensor<2x6x4xf64>
  %2 = linalg.generic {
      indexing_maps = [affine_map<(b, c, l) -> (b, c, 0)>, affine_map<(b, c, l) -> (b, c, l)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x6x4xf32>) outs(%e3 : tensor<2x6x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2x6x4xf32>
  return %0, %1, %2 : tensor<4x2x6xf32>, tensor<2x6x4xf64>, tensor<2x6x4xf32>
}

// -----

// x.reshape(B, L, H, S * hd)[..., s * hd : (s + 1) * hd] is one head after the
// other; a size of the batch that is not static.
// CHECK-LABEL: func @chunk_per_head
// CHECK: %[[S:.*]]:2 = hyena.chunk %{{.*}} {arrangement = #hyena.arrangement<per_head>, heads = 2 : i64} : (tensor<?x3x12xf32>) -> (tensor<?x3x6xf32>, tensor<?x3x6xf32>)
// CHECK: return %[[S]]#0, %[[S]]#1
func.func @chunk_per_head(%p: tensor<?x3x12xf32>) -> (tensor<?x3x6xf32>, tensor<?x3x6xf32>) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %p, %c0 : tensor<?x3x12xf32>
  %e = tensor.expand_shape %p [[0], [1], [2, 3]] output_shape [%b, 3, 2, 6]
      : tensor<?x3x12xf32> into tensor<?x3x2x6xf32>
  %0 = tensor.extract_slice %e[0, 0, 0, 0] [%b, 3, 2, 3] [1, 1, 1, 1]
      : tensor<?x3x2x6xf32> to tensor<?x3x2x3xf32>
  %1 = tensor.extract_slice %e[0, 0, 0, 3] [%b, 3, 2, 3] [1, 1, 1, 1]
      : tensor<?x3x2x6xf32> to tensor<?x3x2x3xf32>
  %2 = tensor.collapse_shape %0 [[0], [1], [2, 3]] : tensor<?x3x2x3xf32> into tensor<?x3x6xf32>
  %3 = tensor.collapse_shape %1 [[0], [1], [2, 3]] : tensor<?x3x2x3xf32> into tensor<?x3x6xf32>
  return %2, %3 : tensor<?x3x6xf32>, tensor<?x3x6xf32>
}

// -----

// "b (d s) l -> s b d l" with the slices' own dimension dropped: interleaved;
// "b l (s h d)" with all three dimensions: blocks.
// CHECK-LABEL: func @chunk_reshaped
// CHECK-DAG: %[[S:.*]]:2 = hyena.chunk %arg0 {arrangement = #hyena.arrangement<interleaved>, layout = #hyena.layout<channels_first>} : (tensor<2x8x3xf32>)
// CHECK-DAG: %[[T:.*]]:2 = hyena.chunk %arg1 : (tensor<2x3x12xf32>)
// CHECK: return %[[S]]#0, %[[S]]#1, %[[T]]#0, %[[T]]#1
func.func @chunk_reshaped(%p: tensor<2x8x3xf32>, %q: tensor<2x3x12xf32>)
    -> (tensor<2x4x3xf32>, tensor<2x4x3xf32>, tensor<2x3x6xf32>, tensor<2x3x6xf32>) {
  %e = tensor.expand_shape %p [[0], [1, 2], [3]] output_shape [2, 4, 2, 3]
      : tensor<2x8x3xf32> into tensor<2x4x2x3xf32>
  %0 = tensor.extract_slice %e[0, 0, 0, 0] [2, 4, 1, 3] [1, 1, 1, 1]
      : tensor<2x4x2x3xf32> to tensor<2x4x1x3xf32>
  %1 = tensor.extract_slice %e[0, 0, 1, 0] [2, 4, 1, 3] [1, 1, 1, 1]
      : tensor<2x4x2x3xf32> to tensor<2x4x1x3xf32>
  %2 = tensor.collapse_shape %0 [[0], [1, 2], [3]] : tensor<2x4x1x3xf32> into tensor<2x4x3xf32>
  %3 = tensor.collapse_shape %1 [[0], [1, 2], [3]] : tensor<2x4x1x3xf32> into tensor<2x4x3xf32>
  %f = tensor.expand_shape %q [[0], [1], [2, 3, 4]] output_shape [2, 3, 2, 3, 2]
      : tensor<2x3x12xf32> into tensor<2x3x2x3x2xf32>
  %4 = tensor.extract_slice %f[0, 0, 0, 0, 0] [2, 3, 1, 3, 2] [1, 1, 1, 1, 1]
      : tensor<2x3x2x3x2xf32> to tensor<2x3x3x2xf32>
  %5 = tensor.extract_slice %f[0, 0, 1, 0, 0] [2, 3, 1, 3, 2] [1, 1, 1, 1, 1]
      : tensor<2x3x2x3x2xf32> to tensor<2x3x3x2xf32>
  %6 = tensor.collapse_shape %4 [[0], [1], [2, 3]] : tensor<2x3x3x2xf32> into tensor<2x3x6xf32>
  %7 = tensor.collapse_shape %5 [[0], [1], [2, 3]] : tensor<2x3x3x2xf32> into tensor<2x3x6xf32>
  return %2, %3, %6, %7 : tensor<2x4x3xf32>, tensor<2x4x3xf32>, tensor<2x3x6xf32>, tensor<2x3x6xf32>
}

// -----

// A stream is missing; time is expanded too.
// CHECK-LABEL: func @no_chunk_reshaped
// CHECK-NOT: hyena.chunk
// CHECK: return
func.func @no_chunk_reshaped(%p: tensor<2x4x12xf32>)
    -> (tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>) {
  %e = tensor.expand_shape %p [[0], [1], [2, 3]] output_shape [2, 4, 2, 6]
      : tensor<2x4x12xf32> into tensor<2x4x2x6xf32>
  %0 = tensor.extract_slice %e[0, 0, 0, 0] [2, 4, 2, 3] [1, 1, 1, 1]
      : tensor<2x4x2x6xf32> to tensor<2x4x2x3xf32>
  %1 = tensor.collapse_shape %0 [[0], [1], [2, 3]] : tensor<2x4x2x3xf32> into tensor<2x4x6xf32>
  %f = tensor.expand_shape %p [[0], [1, 2], [3, 4]] output_shape [2, 2, 2, 2, 6]
      : tensor<2x4x12xf32> into tensor<2x2x2x2x6xf32>
  %2 = tensor.extract_slice %f[0, 0, 0, 0, 0] [2, 2, 2, 2, 3] [1, 1, 1, 1, 1]
      : tensor<2x2x2x2x6xf32> to tensor<2x2x2x2x3xf32>
  %3 = tensor.extract_slice %f[0, 0, 0, 0, 3] [2, 2, 2, 2, 3] [1, 1, 1, 1, 1]
      : tensor<2x2x2x2x6xf32> to tensor<2x2x2x2x3xf32>
  %4 = tensor.collapse_shape %2 [[0], [1, 2], [3, 4]] : tensor<2x2x2x2x3xf32> into tensor<2x4x6xf32>
  %5 = tensor.collapse_shape %3 [[0], [1, 2], [3, 4]] : tensor<2x2x2x2x3xf32> into tensor<2x4x6xf32>
  return %1, %4, %5 : tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>
}

// -----

// Element types that the dialect has no activations of.
// CHECK-LABEL: func @other_elements
// CHECK-COUNT-2: hyena.truncate
func.func @other_elements(%p: tensor<2x4x12xf8E4M3FN>)
    -> (tensor<2x4x6xf8E4M3FN>, tensor<2x4x6xf8E4M3FN>) {
  %0 = tensor.extract_slice %p[0, 0, 0] [2, 4, 6] [1, 1, 1]
      : tensor<2x4x12xf8E4M3FN> to tensor<2x4x6xf8E4M3FN>
  %1 = tensor.extract_slice %p[0, 0, 6] [2, 4, 6] [1, 1, 1]
      : tensor<2x4x12xf8E4M3FN> to tensor<2x4x6xf8E4M3FN>
  return %0, %1 : tensor<2x4x6xf8E4M3FN>, tensor<2x4x6xf8E4M3FN>
}
