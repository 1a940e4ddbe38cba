// Wrong if the kernel that packs a filter has another signature or structure
// than hyena/Codegen/CPUKernels.h says.
// RUN: hyena-opt %s --convert-hyena-to-exec | FileCheck %s

#plan = #hyena.fft_plan<length = 16, factors = [4, 4], lanes = 8>

// CHECK-LABEL: func @causal
// CHECK: exec.launch @causal_pack_filter_0 items(%{{.*}}) scratch {{[0-9]+}} kind "pack_filter"
func.func @causal(%h: tensor<2x5xf64>) -> tensor<2x16x2x8xf64> {
  %s = hyena.pack_filter %h {channels = 16 : i64, signal_length = 28 : i64,
      plan = #plan} : (tensor<2x5xf64>) -> tensor<2x16x2x8xf64>
  return %s : tensor<2x16x2x8xf64>
}

// CHECK-LABEL: func @bidirectional
// CHECK: exec.launch @bidirectional_pack_filter_0
func.func @bidirectional(%h: tensor<16x3xf32>, %r: tensor<16x2xf32>)
    -> tensor<2x16x2x8xf32> {
  %s = hyena.pack_filter %h reverse(%r) {channels = 16 : i64,
      signal_length = 16 : i64, mode = #hyena.conv_mode<bidirectional>,
      plan = #plan}
      : (tensor<16x3xf32>, tensor<16x2xf32>) -> tensor<2x16x2x8xf32>
  return %s : tensor<2x16x2x8xf32>
}

// All lanes of a vector share a filter here: it is one scalar.
// CHECK-LABEL: func private @causal_pack_filter_0
// CHECK-SAME: (%{{.*}}: index, %{{.*}}: memref<?xi8>, %[[H:.*]]: memref<2x5xf64>, %[[S:.*]]: memref<2x16x2x8xf64>)
// CHECK: scf.for
// CHECK: %[[TAP:.*]] = memref.load %[[H]]
// CHECK: vector.broadcast %[[TAP]] : f64 to vector<8xf64>
// CHECK: vector.store %{{.*}}, %[[S]][%{{.*}}] : memref<2x16x2x8xf64>, vector<8xf64>

// Taps at future lags stand at the end of the circle, with the other sign.
// CHECK-LABEL: func private @bidirectional_pack_filter_0
// CHECK-SAME: (%{{.*}}: index, %{{.*}}: memref<?xi8>, %[[H:.*]]: memref<16x3xf32>, %[[R:.*]]: memref<16x2xf32>, %{{.*}}: memref<2x16x2x8xf32>)
// CHECK: memref.load %[[H]]
// CHECK: arith.addf
// CHECK: memref.load %[[R]]
// CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %c30
// CHECK: arith.subf
