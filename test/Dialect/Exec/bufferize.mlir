// Wrong if a product or a launch copies what it could use in place, or uses a
// buffer that it cannot.
// RUN: hyena-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func @in_place
// CHECK-SAME: %[[A:.*]]: memref<3x4xf32>, %[[B:.*]]: memref<5x4xf32>
// CHECK: %[[C:.*]] = memref.alloc() {{.*}} : memref<3x5xf32>
// CHECK-NEXT: exec.gemm ins(%[[A]], %[[B]] : memref<3x4xf32>, memref<5x4xf32>) outs(%[[C]] : memref<3x5xf32>)
// CHECK-NEXT: return %[[C]]
func.func @in_place(%a: tensor<3x4xf32>, %b: tensor<5x4xf32>) -> tensor<3x5xf32> {
  %init = tensor.empty() : tensor<3x5xf32>
  %c = exec.gemm ins(%a, %b : tensor<3x4xf32>, tensor<5x4xf32>) outs(%init : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %c : tensor<3x5xf32>
}

// A part of the columns is a matrix with longer rows.
// CHECK-LABEL: func @columns
// CHECK-SAME: %[[A:.*]]: memref<2x3x8xf32>
// CHECK-NOT: memref.copy
// CHECK: %[[VIEW:.*]] = memref.subview %[[A]]
// CHECK: exec.gemm ins(%[[VIEW]], %{{.*}} : memref<2x3x4xf32, strided<[24, 8, 1], offset: 2>>
func.func @columns(%a: tensor<2x3x8xf32>, %b: tensor<5x4xf32>) -> tensor<2x3x5xf32> {
  %part = tensor.extract_slice %a[0, 0, 2] [2, 3, 4] [1, 1, 1] : tensor<2x3x8xf32> to tensor<2x3x4xf32>
  %init = tensor.empty() : tensor<2x3x5xf32>
  %c = exec.gemm ins(%part, %b : tensor<2x3x4xf32>, tensor<5x4xf32>) outs(%init : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %c : tensor<2x3x5xf32>
}

// Every second column is not.
// CHECK-LABEL: func @every_second
// CHECK: %[[COPY:.*]] = memref.alloc() {{.*}} : memref<3x4xf32>
// CHECK: memref.copy %{{.*}}, %[[COPY]]
// CHECK: exec.gemm ins(%[[COPY]],
func.func @every_second(%a: tensor<3x8xf32>, %b: tensor<5x4xf32>) -> tensor<3x5xf32> {
  %part = tensor.extract_slice %a[0, 0] [3, 4] [1, 2] : tensor<3x8xf32> to tensor<3x4xf32>
  %init = tensor.empty() : tensor<3x5xf32>
  %c = exec.gemm ins(%part, %b : tensor<3x4xf32>, tensor<5x4xf32>) outs(%init : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %c : tensor<3x5xf32>
}

func.func private @kernel(index, memref<?xi8>, memref<3x4xf32>, memref<3x4xf32>)

// A kernel takes the identity layout alone.
// CHECK-LABEL: func @launch
// CHECK: memref.copy %{{.*}}, %[[COPY:.*]] :
// CHECK: exec.launch @kernel items(%{{.*}}) ins(%[[COPY]] : memref<3x4xf32>)
func.func @launch(%a: tensor<3x8xf32>, %n: index) -> tensor<3x4xf32> {
  %part = tensor.extract_slice %a[0, 0] [3, 4] [1, 1] : tensor<3x8xf32> to tensor<3x4xf32>
  %init = tensor.empty() : tensor<3x4xf32>
  %y = exec.launch @kernel items(%n) ins(%part : tensor<3x4xf32>) outs(%init : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
