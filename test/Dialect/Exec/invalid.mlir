// Wrong if a broken exec operation is accepted, or refused without saying what
// was found and what is allowed.
// RUN: hyena-opt %s --split-input-file --verify-diagnostics

func.func @rank(%a: tensor<2x3x4xf32>, %b: tensor<5x4xf32>, %c: tensor<3x5xf32>) {
  // expected-error @below {{(C1) the left matrix is 'tensor<2x3x4xf32>'; it must have rank 2}}
  %0 = exec.gemm ins(%a, %b : tensor<2x3x4xf32>, tensor<5x4xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @element_type(%a: tensor<3x4xf16>, %b: tensor<5x4xf16>, %c: tensor<3x5xf16>) {
  // expected-error @below {{(C1) the element type is 'f16'; it must be f32 or f64}}
  %0 = exec.gemm ins(%a, %b : tensor<3x4xf16>, tensor<5x4xf16>) outs(%c : tensor<3x5xf16>) -> tensor<3x5xf16>
  return
}

// -----

func.func @mixed(%a: tensor<3x4xf32>, %b: tensor<5x4xf64>, %c: tensor<3x5xf32>) {
  // expected-error @below {{(C1) the right matrix has the element type 'f64', the destination 'f32'; they must be equal}}
  %0 = exec.gemm ins(%a, %b : tensor<3x4xf32>, tensor<5x4xf64>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @sizes(%a: tensor<3x4xf32>, %b: tensor<5x7xf32>, %c: tensor<3x5xf32>) {
  // expected-error @below {{(C2) the matrices are 'tensor<3x4xf32>' and 'tensor<5x7xf32>' and the destination 'tensor<3x5xf32>'; they must be (m..., k), (n, k) and (m..., n), and a bias (n)}}
  %0 = exec.gemm ins(%a, %b : tensor<3x4xf32>, tensor<5x7xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @sorts(%a: memref<3x4xf32>, %b: tensor<5x4xf32>, %c: tensor<3x5xf32>) {
  // expected-error @below {{(C3) the left matrix is 'memref<3x4xf32>', the destination 'tensor<3x5xf32>'; all must be tensors or all memrefs}}
  %0 = exec.gemm ins(%a, %b : memref<3x4xf32>, tensor<5x4xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @stride(%a: memref<3x4xf32, strided<[8, 2]>>, %b: memref<5x4xf32>, %c: memref<3x5xf32>) {
  // expected-error @below {{(C4) the left matrix is 'memref<3x4xf32, strided<[8, 2]>>'; its innermost stride must be 1 and its rows evenly spaced}}
  exec.gemm ins(%a, %b : memref<3x4xf32, strided<[8, 2]>>, memref<5x4xf32>) outs(%c : memref<3x5xf32>)
  return
}

// -----

func.func @rows(%a: memref<2x3x4xf32, strided<[40, 4, 1]>>, %b: memref<5x4xf32>, %c: memref<2x3x5xf32>) {
  // expected-error @below {{(C4) the left matrix is 'memref<2x3x4xf32, strided<[40, 4, 1]>>'; its innermost stride must be 1 and its rows evenly spaced}}
  exec.gemm ins(%a, %b : memref<2x3x4xf32, strided<[40, 4, 1]>>, memref<5x4xf32>) outs(%c : memref<2x3x5xf32>)
  return
}

// -----

func.func @no_kernel(%x: memref<8xf32>, %n: index) {
  // expected-error @below {{(C1) @missing is not a function of this module}}
  exec.launch @missing items(%n) outs(%x : memref<8xf32>)
  return
}

// -----

// expected-note @below {{the kernel is here}}
func.func private @kernel(index, memref<?xi8>, memref<8xf64>)

func.func @wrong_kernel(%x: memref<8xf32>, %n: index) {
  // expected-error @below {{(C1) the kernel must have the type '(index, memref<?xi8>, memref<8xf32>) -> ()'; @kernel has '(index, memref<?xi8>, memref<8xf64>) -> ()'}}
  exec.launch @kernel items(%n) outs(%x : memref<8xf32>)
  return
}

// -----

func.func private @kernel(index, memref<?xi8>, memref<8xf32>, memref<8xf32>)

func.func @both_sorts(%x: tensor<8xf32>, %y: memref<8xf32>, %n: index) {
  // expected-error @below {{(C2) has 1 tensors and 1 memrefs; one sort alone is allowed}}
  exec.launch @kernel items(%n) ins(%x : tensor<8xf32>) outs(%y : memref<8xf32>)
  return
}

// -----

func.func private @kernel(index, memref<?xi8>, memref<8xf32>)

func.func @no_result(%x: tensor<8xf32>, %n: index) {
  // expected-error @below {{(C2) has 0 results and 1 tensors among its destinations; there must be a result for each}}
  exec.launch @kernel items(%n) outs(%x : tensor<8xf32>)
  return
}

// -----

func.func private @kernel(index, memref<?xi8>, memref<8xf32>)

func.func @scratch(%x: memref<8xf32>, %n: index) {
  // expected-error @below {{(C3) -1 bytes of scratch memory; at least 0}}
  exec.launch @kernel items(%n) scratch -1 outs(%x : memref<8xf32>)
  return
}

// -----

func.func @first_index(%n: index) {
  // expected-error @below {{the first index must be 0}}
  exec.parallel_for %i = 1 to %n {
  }
  return
}

// -----

func.func @workspace(%n: index) {
  // expected-error @below {{the result is 'memref<16xi8>'; it must be memref<?xi8>}}
  %w = exec.workspace %n : memref<16xi8>
  return
}
