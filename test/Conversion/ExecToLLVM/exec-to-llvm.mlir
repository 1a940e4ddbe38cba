// Wrong if a call of the runtime gets other arguments than hyena-c/Runtime.h
// says.
// RUN: hyena-opt %s --convert-to-llvm --reconcile-unrealized-casts --canonicalize | FileCheck %s

// CHECK-DAG: llvm.func @hyenaGemm(!llvm.ptr, i32, i64, i64, i64, !llvm.ptr, i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr, i64)
// CHECK-DAG: llvm.func @hyenaParallelFor(!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, i64)

// CHECK-LABEL: llvm.func @product
// CHECK-SAME: %[[CONTEXT:[^:]*]]: !llvm.ptr
// CHECK-SAME: %[[A:[^:]*]]: !llvm.ptr, %{{[^:]*}}: i64, %[[B0:[^:]*]]: i64, %{{[^:]*}}: i64, %[[K:[^:]*]]: i64, %{{[^:]*}}: i64, %[[LDA:[^:]*]]: i64, %{{[^:]*}}: i64,
// CHECK-DAG: %[[F64:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-DAG: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: %[[M:.*]] = llvm.mul %{{.*}}, %{{.*}}
// CHECK: llvm.call @hyenaGemm(%[[CONTEXT]], %[[F64]], %[[M]], %{{.*}}, %{{.*}}, %[[A]], %[[LDA]], %{{.*}}, %{{.*}}, %[[NULL]], %{{.*}}, %{{.*}})
func.func @product(%context: !exec.context,
                   %a: memref<?x3x16xf64, strided<[60, 20, 1]>>,
                   %b: memref<7x16xf64>, %c: memref<?x3x7xf64>) {
  exec.gemm on(%context) ins(%a, %b : memref<?x3x16xf64, strided<[60, 20, 1]>>, memref<7x16xf64>)
      outs(%c : memref<?x3x7xf64>)
  return
}

// CHECK-LABEL: llvm.func @launch
// CHECK-SAME: %[[CONTEXT:[^:]*]]: !llvm.ptr
// CHECK-DAG: %[[ENTRY:.*]] = llvm.mlir.addressof @kernel_entry_0
// CHECK-DAG: %[[BYTES:.*]] = llvm.mlir.constant(4096 : i64)
// CHECK-DAG: %[[ARGUMENTS:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(f32, ptr, ptr, i64, i64, i64)>
// CHECK: llvm.call @hyenaParallelFor(%[[CONTEXT]], %{{.*}}, %[[ENTRY]], %[[ARGUMENTS]], %[[BYTES]])
func.func @launch(%context: !exec.context, %n: index, %s: f32, %y: memref<8xf32>) {
  exec.launch @kernel on(%context) items(%n) scratch 4096 ins(%s : f32) outs(%y : memref<8xf32>)
  return
}

func.func private @kernel(%item: index, %scratch: memref<?xi8>, %s: f32, %y: memref<8xf32>) {
  memref.store %s, %y[%item] : memref<8xf32>
  return
}

// CHECK: llvm.func internal @kernel_entry_0(%[[FIELDS:.*]]: !llvm.ptr, %[[ITEM:.*]]: i64, %[[SCRATCH:.*]]: !llvm.ptr)
// CHECK: llvm.call @kernel(%[[ITEM]], %[[SCRATCH]], %[[SCRATCH]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}
