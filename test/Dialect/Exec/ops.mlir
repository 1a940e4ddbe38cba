// Wrong if an exec operation does not survive printing and parsing.
// RUN: hyena-opt %s | hyena-opt | FileCheck %s

func.func private @kernel(%item: index, %scratch: memref<?xi8>,
                          %x: memref<8x16xf32>, %y: memref<8x16xf32>) {
  return
}

// CHECK-LABEL: func @tensors
func.func @tensors(%a: tensor<?x16xf32>, %b: tensor<48x16xf32>,
                   %bias: tensor<48xf32>, %init: tensor<?x48xf32>,
                   %x: tensor<8x16xf32>, %y: tensor<8x16xf32>, %n: index)
    -> (tensor<?x48xf32>, tensor<8x16xf32>) {
  // CHECK: exec.gemm ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?x16xf32>, tensor<48x16xf32>, tensor<48xf32>) outs(%{{.*}} : tensor<?x48xf32>) -> tensor<?x48xf32>
  %c = exec.gemm ins(%a, %b, %bias : tensor<?x16xf32>, tensor<48x16xf32>, tensor<48xf32>)
                 outs(%init : tensor<?x48xf32>) -> tensor<?x48xf32>
  // CHECK: exec.launch @kernel items(%{{.*}}) scratch 4096 kind "fused_conv" ins(%{{.*}} : tensor<8x16xf32>) outs(%{{.*}} : tensor<8x16xf32>) -> tensor<8x16xf32>
  %d = exec.launch @kernel items(%n) scratch 4096 kind "fused_conv"
      ins(%x : tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %c, %d : tensor<?x48xf32>, tensor<8x16xf32>
}

// CHECK-LABEL: func @memrefs
func.func @memrefs(%context: !exec.context,
                   %a: memref<?x16xf64, strided<[20, 1]>>, %b: memref<48x16xf64>,
                   %c: memref<?x48xf64>, %x: memref<8x16xf32>,
                   %y: memref<8x16xf32>, %n: index) {
  // CHECK: exec.gemm on(%{{.*}}) ins(%{{.*}}, %{{.*}} : memref<?x16xf64, strided<[20, 1]>>, memref<48x16xf64>) outs(%{{.*}} : memref<?x48xf64>)
  exec.gemm on(%context) ins(%a, %b : memref<?x16xf64, strided<[20, 1]>>, memref<48x16xf64>)
            outs(%c : memref<?x48xf64>)
  // CHECK: exec.launch @kernel on(%{{.*}}) items(%{{.*}}) ins
  exec.launch @kernel on(%context) items(%n) ins(%x : memref<8x16xf32>)
      outs(%y : memref<8x16xf32>)
  // CHECK: exec.parallel_for %[[I:.*]] = 0 to %{{.*}} {
  exec.parallel_for %i = 0 to %n {
    // CHECK-NEXT: memref.load %{{.*}}[%[[I]], %[[I]]]
    %v = memref.load %x[%i, %i] : memref<8x16xf32>
    memref.store %v, %y[%i, %i] : memref<8x16xf32>
    // CHECK-NOT: exec.end
  }
  // CHECK: exec.workspace %{{.*}} : memref<?xi8>
  %w = exec.workspace %n : memref<?xi8>
  return
}
