// If this fails, a folder or a canonicalization pattern does not simplify what
// it says, or fires where the result would be another one.
// RUN: hyena-opt %s --canonicalize --split-input-file | FileCheck %s

//===----------------------------------------------------------------------===//
// transpose, gate, broadcast
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @double_transpose
// CHECK-SAME: %[[X:.*]]: tensor<?x3x4xf32>
// CHECK-NEXT: return %[[X]]
func.func @double_transpose(%x: tensor<?x3x4xf32>) -> tensor<?x3x4xf32> {
  %0 = hyena.transpose %x : (tensor<?x3x4xf32>) -> tensor<?x4x3xf32>
  %1 = hyena.transpose %0 : (tensor<?x4x3xf32>) -> tensor<?x3x4xf32>
  return %1 : tensor<?x3x4xf32>
}

// The types differ: a fold would change the type of the result.
// CHECK-LABEL: func @double_transpose_of_other_type
// CHECK-COUNT-2: hyena.transpose
func.func @double_transpose_of_other_type(%x: tensor<?x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = hyena.transpose %x : (tensor<?x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = hyena.transpose %0 : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @flatten_gate
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[Y:.*]] = hyena.gate %[[A]], %[[B]], %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @flatten_gate(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>)
    -> tensor<4xf32> {
  %0 = hyena.gate %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = hyena.gate %0, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// a * (b * c) is another rounding than (a * b) * c.
// CHECK-LABEL: func @gate_of_trailing_gate
// CHECK-COUNT-2: hyena.gate
func.func @gate_of_trailing_gate(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>)
    -> tensor<4xf32> {
  %0 = hyena.gate %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = hyena.gate %c, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// The inner product would be computed twice.
// CHECK-LABEL: func @gate_used_twice
// CHECK-COUNT-2: hyena.gate
func.func @gate_used_twice(%a: tensor<4xf32>, %b: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = hyena.gate %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = hyena.gate %0, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// The inner product is rounded to bf16.
// CHECK-LABEL: func @narrow_gate
// CHECK-COUNT-2: hyena.gate
func.func @narrow_gate(%a: tensor<4xbf16>, %b: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = hyena.gate %a, %b : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %1 = hyena.gate %0, %b : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return %1 : tensor<4xbf16>
}

// CHECK-LABEL: func @broadcast_to_its_own_shape
// CHECK-SAME: (%[[X:.*]]: tensor<3x4xf32>, %{{.*}}: tensor<3x4xf64>, %[[Y:.*]]: tensor<3x?xf32>)
// CHECK-NEXT: return %[[X]], %[[Y]]
func.func @broadcast_to_its_own_shape(%x: tensor<3x4xf32>, %u: tensor<3x4xf64>,
                                      %y: tensor<3x?xf32>)
    -> (tensor<3x4xf32>, tensor<3x?xf32>) {
  %0 = hyena.broadcast %x like %u {dims = array<i64: 0, 1>}
      : (tensor<3x4xf32>, tensor<3x4xf64>) -> tensor<3x4xf32>
  %1 = hyena.broadcast %y like %y {dims = array<i64: 0, 1>}
      : (tensor<3x?xf32>, tensor<3x?xf32>) -> tensor<3x?xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<3x?xf32>
}

// CHECK-LABEL: func @broadcast_that_repeats
// CHECK-COUNT-2: hyena.broadcast
func.func @broadcast_that_repeats(%x: tensor<4xf32>, %u: tensor<3x4xf32>, %y: tensor<?xf32>,
                                  %z: tensor<?xf32>) -> (tensor<3x4xf32>, tensor<?xf32>) {
  %0 = hyena.broadcast %x like %u {dims = array<i64: 1>}
      : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = hyena.broadcast %y like %z {dims = array<i64: 0>}
      : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<?xf32>
}

//===----------------------------------------------------------------------===//
// chunk
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @single_stream
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>, %[[Y:.*]]: tensor<2x3x4xf32>)
// CHECK-NEXT: return %[[X]], %[[Y]]
func.func @single_stream(%x: tensor<2x3x4xf32>, %y: tensor<2x3x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %0 = hyena.chunk %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = hyena.chunk %y {arrangement = #hyena.arrangement<per_head>, heads = 2 : i64}
      : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// CHECK-LABEL: func @single_stream_of_other_type
// CHECK: hyena.chunk
func.func @single_stream_of_other_type(%x: tensor<?x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = hyena.chunk %x : (tensor<?x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @narrow_projection
// CHECK-SAME: (%[[X:.*]]: tensor<2x?x5xf32>, %[[W:.*]]: tensor<16x5xf32>, %[[B:.*]]: tensor<16xf32>)
// CHECK-DAG: %[[NW:.*]] = tensor.extract_slice %[[W]][4, 0] [8, 5] [1, 1] : tensor<16x5xf32> to tensor<8x5xf32>
// CHECK-DAG: %[[NB:.*]] = tensor.extract_slice %[[B]][4] [8] [1] : tensor<16xf32> to tensor<8xf32>
// CHECK: %[[P:.*]] = hyena.project %[[X]], %[[NW]] bias(%[[NB]]) : {{.*}} -> tensor<2x?x8xf32>
// CHECK: %[[S:.*]]:2 = hyena.chunk %[[P]] : (tensor<2x?x8xf32>) -> (tensor<2x?x4xf32>, tensor<2x?x4xf32>)
// CHECK: return %[[S]]#0, %[[S]]#1
func.func @narrow_projection(%x: tensor<2x?x5xf32>, %w: tensor<16x5xf32>, %b: tensor<16xf32>)
    -> (tensor<2x?x4xf32>, tensor<2x?x4xf32>) {
  %0 = hyena.project %x, %w bias(%b)
      : (tensor<2x?x5xf32>, tensor<16x5xf32>, tensor<16xf32>) -> tensor<2x?x16xf32>
  %1:4 = hyena.chunk %0 : (tensor<2x?x16xf32>)
      -> (tensor<2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x4xf32>)
  return %1#1, %1#2 : tensor<2x?x4xf32>, tensor<2x?x4xf32>
}

// One stream is left: the chunk goes too.
// CHECK-LABEL: func @narrow_projection_channels_first
// CHECK: %[[NW:.*]] = tensor.extract_slice %{{.*}}[0, 0] [4, 5] [1, 1]
// CHECK-NEXT: %[[P:.*]] = hyena.project %{{.*}}, %[[NW]] {result_layout = #hyena.layout<channels_first>} : {{.*}} -> tensor<2x4x3xf32>
// CHECK-NEXT: return %[[P]]
func.func @narrow_projection_channels_first(%x: tensor<2x3x5xf32>, %w: tensor<8x5xf32>)
    -> tensor<2x4x3xf32> {
  %0 = hyena.project %x, %w {result_layout = #hyena.layout<channels_first>}
      : (tensor<2x3x5xf32>, tensor<8x5xf32>) -> tensor<2x8x3xf32>
  %1:2 = hyena.chunk %0 {layout = #hyena.layout<channels_first>}
      : (tensor<2x8x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x4x3xf32>)
  return %1#0 : tensor<2x4x3xf32>
}

// What is split is the time, not what the projection computes.
// CHECK-LABEL: func @chunk_of_the_time
// CHECK-NOT: extract_slice
// CHECK: hyena.chunk
func.func @chunk_of_the_time(%x: tensor<2x8x5xf32>, %w: tensor<8x5xf32>) -> tensor<2x4x8xf32> {
  %0 = hyena.project %x, %w : (tensor<2x8x5xf32>, tensor<8x5xf32>) -> tensor<2x8x8xf32>
  %1:2 = hyena.chunk %0 {layout = #hyena.layout<channels_first>}
      : (tensor<2x8x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>)
  return %1#0 : tensor<2x4x8xf32>
}

// Interleaved streams are no block of the weight.
// CHECK-LABEL: func @interleaved_streams
// CHECK-NOT: extract_slice
// CHECK: hyena.chunk
func.func @interleaved_streams(%x: tensor<2x3x5xf32>, %w: tensor<8x5xf32>) -> tensor<2x3x4xf32> {
  %0 = hyena.project %x, %w : (tensor<2x3x5xf32>, tensor<8x5xf32>) -> tensor<2x3x8xf32>
  %1:2 = hyena.chunk %0 {arrangement = #hyena.arrangement<interleaved>}
      : (tensor<2x3x8xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>)
  return %1#0 : tensor<2x3x4xf32>
}

// The whole projection is used elsewhere, or all streams are.
// CHECK-LABEL: func @projection_used_whole
// CHECK-NOT: extract_slice
// CHECK: return
func.func @projection_used_whole(%x: tensor<2x3x5xf32>, %w: tensor<8x5xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x3x8xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %0 = hyena.project %x, %w : (tensor<2x3x5xf32>, tensor<8x5xf32>) -> tensor<2x3x8xf32>
  %1:2 = hyena.chunk %0 : (tensor<2x3x8xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>)
  %2 = hyena.project %x, %w : (tensor<2x3x5xf32>, tensor<8x5xf32>) -> tensor<2x3x8xf32>
  %3:2 = hyena.chunk %2 : (tensor<2x3x8xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>)
  return %1#0, %0, %3#0, %3#1
      : tensor<2x3x4xf32>, tensor<2x3x8xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

//===----------------------------------------------------------------------===//
// pad, truncate, flip
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @nothing_to_do
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>, %[[Y:.*]]: tensor<1x?xf32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[Y]]
func.func @nothing_to_do(%x: tensor<2x3x4xf32>, %y: tensor<1x?xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1x?xf32>) {
  %0 = hyena.pad %x {dim = 2 : i64, low = 0 : i64, high = 0 : i64}
      : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = hyena.truncate %x {dim = 2 : i64, length = 4 : i64}
      : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %2 = hyena.flip %x {dim = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %3 = hyena.flip %2 {dim = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %4 = hyena.flip %y {dim = 0 : i64} : (tensor<1x?xf32>) -> tensor<1x?xf32>
  return %0, %1, %3, %4
      : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1x?xf32>
}

// CHECK-LABEL: func @something_to_do
// CHECK-COUNT-2: hyena.flip
// CHECK: hyena.pad
// CHECK: hyena.truncate
func.func @something_to_do(%x: tensor<2x3x4xf32>, %y: tensor<?xf32>)
    -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = hyena.flip %x {dim = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = hyena.flip %0 {dim = 2 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %2 = hyena.pad %y {dim = 0 : i64, low = 0 : i64, high = 0 : i64}
      : (tensor<?xf32>) -> tensor<4xf32>
  %3 = hyena.truncate %y {dim = 0 : i64, length = 4 : i64} : (tensor<?xf32>) -> tensor<4xf32>
  return %1, %2, %3 : tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @pad_of_pad
// CHECK: hyena.pad %{{.*}} {dim = 1 : i64, high = 5 : i64, low = 3 : i64} : (tensor<2x?xf32>) -> tensor<2x?xf32>
// CHECK-NEXT: return
func.func @pad_of_pad(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = hyena.pad %x {dim = 1 : i64, low = 1 : i64, high = 2 : i64}
      : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %1 = hyena.pad %0 {dim = 1 : i64, low = 2 : i64, high = 3 : i64}
      : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}

// Another dimension, or a sum beyond what an attribute may hold.
// CHECK-LABEL: func @pad_of_other_pad
// CHECK-COUNT-4: hyena.pad
func.func @pad_of_other_pad(%x: tensor<2x?xf32>) -> (tensor<3x?xf32>, tensor<2x?xf32>) {
  %0 = hyena.pad %x {dim = 1 : i64, low = 1 : i64, high = 2 : i64}
      : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %1 = hyena.pad %0 {dim = 0 : i64, low = 1 : i64, high = 0 : i64}
      : (tensor<2x?xf32>) -> tensor<3x?xf32>
  %2 = hyena.pad %x {dim = 1 : i64, low = 0 : i64, high = 1099511627776 : i64}
      : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %3 = hyena.pad %2 {dim = 1 : i64, low = 0 : i64, high = 1099511627776 : i64}
      : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return %1, %3 : tensor<3x?xf32>, tensor<2x?xf32>
}

// CHECK-LABEL: func @truncate_of_truncate
// CHECK: hyena.truncate %{{.*}} {dim = 0 : i64, length = 2 : i64, offset = 4 : i64} : (tensor<?xf32>) -> tensor<2xf32>
// CHECK-NEXT: return
func.func @truncate_of_truncate(%x: tensor<?xf32>) -> tensor<2xf32> {
  %0 = hyena.truncate %x {dim = 0 : i64, offset = 1 : i64, length = 6 : i64}
      : (tensor<?xf32>) -> tensor<6xf32>
  %1 = hyena.truncate %0 {dim = 0 : i64, offset = 3 : i64, length = 2 : i64}
      : (tensor<6xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// Another dimension; the inner cut is used too.
// CHECK-LABEL: func @truncate_of_other_truncate
// CHECK-COUNT-2: hyena.truncate
// CHECK: %[[A:.*]] = hyena.truncate
// CHECK: hyena.truncate %[[A]]
func.func @truncate_of_other_truncate(%x: tensor<4x4xf32>, %y: tensor<8xf32>)
    -> (tensor<2x2xf32>, tensor<6xf32>, tensor<2xf32>) {
  %0 = hyena.truncate %x {dim = 0 : i64, length = 2 : i64} : (tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = hyena.truncate %0 {dim = 1 : i64, length = 2 : i64} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %2 = hyena.truncate %y {dim = 0 : i64, length = 6 : i64} : (tensor<8xf32>) -> tensor<6xf32>
  %3 = hyena.truncate %2 {dim = 0 : i64, length = 2 : i64} : (tensor<6xf32>) -> tensor<2xf32>
  return %1, %2, %3 : tensor<2x2xf32>, tensor<6xf32>, tensor<2xf32>
}

// All of x and some zeros; x alone; part of x; part of x with zeros before it.
// CHECK-LABEL: func @truncate_of_pad
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-DAG: %[[A:.*]] = hyena.pad %[[X]] {dim = 0 : i64, high = 1 : i64, low = 2 : i64} : (tensor<4xf32>) -> tensor<7xf32>
// CHECK-DAG: %[[C:.*]] = hyena.truncate %[[X]] {dim = 0 : i64, length = 2 : i64, offset = 1 : i64} : (tensor<4xf32>) -> tensor<2xf32>
// CHECK-DAG: %[[P:.*]] = hyena.truncate %[[X]] {dim = 0 : i64, length = 3 : i64} : (tensor<4xf32>) -> tensor<3xf32>
// CHECK-DAG: %[[D:.*]] = hyena.pad %[[P]] {dim = 0 : i64, high = 0 : i64, low = 1 : i64} : (tensor<3xf32>) -> tensor<4xf32>
// CHECK: return %[[A]], %[[X]], %[[C]], %[[D]]
func.func @truncate_of_pad(%x: tensor<4xf32>)
    -> (tensor<7xf32>, tensor<4xf32>, tensor<2xf32>, tensor<4xf32>) {
  %0 = hyena.pad %x {dim = 0 : i64, low = 2 : i64, high = 4 : i64}
      : (tensor<4xf32>) -> tensor<10xf32>
  %1 = hyena.truncate %0 {dim = 0 : i64, length = 7 : i64} : (tensor<10xf32>) -> tensor<7xf32>
  %2 = hyena.truncate %0 {dim = 0 : i64, offset = 2 : i64, length = 4 : i64}
      : (tensor<10xf32>) -> tensor<4xf32>
  %3 = hyena.truncate %0 {dim = 0 : i64, offset = 3 : i64, length = 2 : i64}
      : (tensor<10xf32>) -> tensor<2xf32>
  %4 = hyena.truncate %0 {dim = 0 : i64, offset = 1 : i64, length = 4 : i64}
      : (tensor<10xf32>) -> tensor<4xf32>
  return %1, %2, %3, %4 : tensor<7xf32>, tensor<4xf32>, tensor<2xf32>, tensor<4xf32>
}

// Zeros alone are left; the extent is not known.
// CHECK-LABEL: func @truncate_of_pad_stays
// CHECK: %[[A:.*]] = hyena.pad
// CHECK: hyena.truncate %[[A]]
// CHECK: %[[B:.*]] = hyena.pad
// CHECK: hyena.truncate %[[B]]
func.func @truncate_of_pad_stays(%x: tensor<4xf32>, %y: tensor<?xf32>)
    -> (tensor<2xf32>, tensor<4xf32>) {
  %0 = hyena.pad %x {dim = 0 : i64, low = 0 : i64, high = 4 : i64}
      : (tensor<4xf32>) -> tensor<8xf32>
  %1 = hyena.truncate %0 {dim = 0 : i64, offset = 5 : i64, length = 2 : i64}
      : (tensor<8xf32>) -> tensor<2xf32>
  %2 = hyena.pad %y {dim = 0 : i64, low = 0 : i64, high = 4 : i64}
      : (tensor<?xf32>) -> tensor<?xf32>
  %3 = hyena.truncate %2 {dim = 0 : i64, length = 4 : i64} : (tensor<?xf32>) -> tensor<4xf32>
  return %1, %3 : tensor<2xf32>, tensor<4xf32>
}

//===----------------------------------------------------------------------===//
// What a broadcast takes its shape from
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @like_input
// CHECK-SAME: (%[[X:.*]]: tensor<?x4x8xf32>,
// CHECK-NEXT: hyena.broadcast %{{.*}} like %[[X]]
// CHECK-NEXT: return
func.func @like_input(%x: tensor<?x4x8xf32>, %d: tensor<4xf32>, %h: tensor<4x8xf32>,
                      %w: tensor<4x3xf32>) -> tensor<?x4x8xf32> {
  %0 = hyena.shortconv %x, %w : (tensor<?x4x8xf32>, tensor<4x3xf32>) -> tensor<?x4x8xf32>
  %1 = hyena.fftconv %0, %h : (tensor<?x4x8xf32>, tensor<4x8xf32>) -> tensor<?x4x8xf32>
  %2 = arith.negf %1 : tensor<?x4x8xf32>
  %3 = hyena.gate %2, %2 : (tensor<?x4x8xf32>, tensor<?x4x8xf32>) -> tensor<?x4x8xf32>
  %4 = hyena.broadcast %d like %3 {dims = array<i64: 1>}
      : (tensor<4xf32>, tensor<?x4x8xf32>) -> tensor<?x4x8xf32>
  return %4 : tensor<?x4x8xf32>
}

// Another length; a batch that the input does not know.
// CHECK-LABEL: func @like_stays
// CHECK: hyena.shortconv
// CHECK: hyena.fftconv
func.func @like_stays(%x: tensor<?x4x8xf32>, %d: tensor<4xf32>, %h: tensor<4x8xf32>,
                      %w: tensor<4x3xf32>) -> (tensor<?x4x6xf32>, tensor<2x4x8xf32>) {
  %0 = hyena.shortconv %x, %w {padding = #hyena.padding<explicit>, pad_low = 0 : i64,
                               pad_high = 0 : i64}
      : (tensor<?x4x8xf32>, tensor<4x3xf32>) -> tensor<?x4x6xf32>
  %1 = hyena.broadcast %d like %0 {dims = array<i64: 1>}
      : (tensor<4xf32>, tensor<?x4x6xf32>) -> tensor<?x4x6xf32>
  %2 = hyena.fftconv %x, %h : (tensor<?x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %3 = hyena.broadcast %d like %2 {dims = array<i64: 1>}
      : (tensor<4xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %1, %3 : tensor<?x4x6xf32>, tensor<2x4x8xf32>
}
