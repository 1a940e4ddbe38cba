// Wrong if a program that has been lowered to the end still allocates memory or
// keeps an operation of another level.
// RUN: hyena-opt %s --hyena-to-cpu | FileCheck %s
// RUN: hyena-opt %s --hyena-to-fused --hyena-fused-to-exec --hyena-exec-to-llvm | FileCheck %s

// CHECK-NOT: malloc
// CHECK-NOT: unrealized_conversion_cast
// CHECK-DAG: llvm.func @hyenaGemm
// CHECK-DAG: llvm.func @hyenaParallelFor
// CHECK-DAG: llvm.func @layer(
// CHECK-DAG: llvm.func @layer_query(
// CHECK-NOT: {{(hyena|linalg|tensor|memref|scf|exec|arith|func)\.[a-z]}}
func.func @layer(%x: tensor<?x5x4xbf16>, %w: tensor<6x4xbf16>) -> tensor<?x5x6xbf16> {
  %p = hyena.project %x, %w : (tensor<?x5x4xbf16>, tensor<6x4xbf16>) -> tensor<?x5x6xbf16>
  %e = math.erf %p : tensor<?x5x6xbf16>
  %y = hyena.gate %p, %e : (tensor<?x5x6xbf16>, tensor<?x5x6xbf16>) -> tensor<?x5x6xbf16>
  return %y : tensor<?x5x6xbf16>
}
