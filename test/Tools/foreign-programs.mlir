// If this fails, a pass stumbles over, or changes, a program that has nothing to
// do with the dialect: memrefs, vectors, scalars, tensors of any rank, sparse
// ones, or bodies without inputs.
// RUN: hyena-opt %s --hyena-raise | FileCheck %s
// RUN: hyena-opt %s --hyena-decompose --hyena-fuse --canonicalize -o /dev/null

// CHECK-LABEL: func.func @memref
// CHECK: linalg.copy
// CHECK: linalg.matmul
// CHECK: linalg.generic
func.func @memref(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  linalg.copy ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %x : f32
    linalg.yield %z : f32
  }
  return
}

// CHECK-LABEL: func.func @rank0
// CHECK: arith.addf %{{.*}}, %{{.*}} : tensor<f32>
func.func @rank0(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = linalg.generic {
      indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%a : tensor<f32>) outs(%b : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %x : f32
    linalg.yield %z : f32
  } -> tensor<f32>
  %1 = linalg.copy ins(%a : tensor<f32>) outs(%b : tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @no_input
// CHECK: linalg.generic
// CHECK: linalg.fill
// CHECK: arith.addf
// CHECK: linalg.exp
func.func @no_input(%b: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant 1.0 : f32
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%b : tensor<4xf32>) {
  ^bb0(%y: f32):
    linalg.yield %c : f32
  } -> tensor<4xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.add ins(%0, %1 : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.exp ins(%2 : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// CHECK-LABEL: func.func @reductions
// CHECK: linalg.matvec
// CHECK: linalg.reduce
func.func @reductions(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %v: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = linalg.matvec ins(%x, %y : tensor<?x?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.reduce ins(%x : tensor<?x?xf32>) outs(%y : tensor<?xf32>) dimensions = [1] (%in: f32, %i: f32) {
     %z = arith.addf %in, %i : f32
     linalg.yield %z : f32
  }
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @unranked
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  %0 = arith.mulf %x, %x : tensor<*xf32>
  %1 = arith.addf %0, %x : tensor<*xf32>
  %2 = math.exp %1 : tensor<*xf32>
  return %2 : tensor<*xf32>
}

// CHECK-LABEL: func.func @scalars
// CHECK-COUNT-2: arith.addf
func.func @scalars(%x: f32, %v: vector<4xf32>) -> (f32, vector<4xf32>, f16) {
  %0 = arith.mulf %x, %x : f32
  %1 = arith.addf %0, %x : f32
  %2 = arith.mulf %v, %v : vector<4xf32>
  %3 = arith.addf %2, %v : vector<4xf32>
  %4 = arith.truncf %1 : f32 to f16
  return %1, %3, %4 : f32, vector<4xf32>, f16
}

// CHECK-LABEL: func.func @sparse
// CHECK: arith.mulf
func.func @sparse(%x: tensor<2x4x8xf32, "enc">) -> tensor<2x4x8xf32, "enc"> {
  %0 = arith.mulf %x, %x : tensor<2x4x8xf32, "enc">
  return %0 : tensor<2x4x8xf32, "enc">
}
