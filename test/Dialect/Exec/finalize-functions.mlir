// Wrong if a compiled function allocates memory, if two buffers that are in use
// at once share it, or if the query does not give the size.
// RUN: hyena-opt %s --exec-finalize-functions --cse --canonicalize --split-input-file | FileCheck %s

func.func private @kernel(index, memref<?xi8>, memref<?x16xf32>, memref<?x16xf32>)

// The returned buffer is the caller's. %a and %c are never in use together, %b
// is in use with both.
// CHECK-LABEL: func @chain
// CHECK-SAME: %[[CONTEXT:.*]]: !exec.context, %[[WORK:[^:]*]]: memref<?xi8>, %[[X:.*]]: memref<?x16xf32>, %[[Y:.*]]: memref<?x16xf32>)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK: %[[N:.*]] = memref.dim %[[X]], %[[C0]]
// CHECK: %[[BYTES:.*]] = arith.muli %[[N]], %[[C64]]
// CHECK-NOT: memref.alloc
// CHECK: %[[A:.*]] = memref.view %[[WORK]][%[[C0]]][%[[N]]]
// CHECK: exec.launch @kernel on(%[[CONTEXT]]) items(%[[N]]) ins(%[[X]] : memref<?x16xf32>) outs(%[[A]]
// CHECK: %[[B:.*]] = memref.view %[[WORK]][%[[BYTES]]][%[[N]]]
// CHECK: exec.launch @kernel on(%[[CONTEXT]]) items(%[[N]]) ins(%[[A]] : memref<?x16xf32>) outs(%[[B]]
// CHECK: exec.launch @kernel on(%[[CONTEXT]]) items(%[[N]]) ins(%[[B]] : memref<?x16xf32>) outs(%[[A]]
// CHECK: exec.launch @kernel on(%[[CONTEXT]]) items(%[[N]]) ins(%[[A]] : memref<?x16xf32>) outs(%[[Y]]
// CHECK-NEXT: return
// CHECK-LABEL: func @chain_query
// CHECK-SAME: %[[X:.*]]: memref<?x16xf32>) -> (index, index)
// CHECK: %[[N:.*]] = memref.dim %[[X]], %{{.*}}
// CHECK: %[[ONE:.*]] = arith.muli %[[N]], %{{.*}}
// CHECK: %[[BYTES:.*]] = arith.addi %[[ONE]], %[[ONE]]
// CHECK: return %[[BYTES]], %[[N]]
func.func @chain(%x: memref<?x16xf32>) -> memref<?x16xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x16xf32>
  %a = memref.alloc(%n) : memref<?x16xf32>
  exec.launch @kernel items(%n) ins(%x : memref<?x16xf32>) outs(%a : memref<?x16xf32>)
  %b = memref.alloc(%n) : memref<?x16xf32>
  exec.launch @kernel items(%n) ins(%a : memref<?x16xf32>) outs(%b : memref<?x16xf32>)
  %c = memref.alloc(%n) : memref<?x16xf32>
  exec.launch @kernel items(%n) ins(%b : memref<?x16xf32>) outs(%c : memref<?x16xf32>)
  %y = memref.alloc(%n) : memref<?x16xf32>
  exec.launch @kernel items(%n) ins(%c : memref<?x16xf32>) outs(%y : memref<?x16xf32>)
  return %y : memref<?x16xf32>
}

// -----

// A buffer that is in use through a view is in use.
// CHECK-LABEL: func @view
// CHECK-SAME: %[[WORK:[^:]*]]: memref<?xi8>, %[[X:.*]]: memref<3x5xf32>,
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK: memref.view %[[WORK]][%[[C0]]][] : memref<?xi8> to memref<3x5xf32>
// CHECK: memref.view %[[WORK]][%[[C64]]][] : memref<?xi8> to memref<3x5xf32>
// CHECK-LABEL: func @view_query
// CHECK: %[[BYTES:.*]] = arith.constant 128 : index
// CHECK: return %[[BYTES]] : index
func.func @view(%x: memref<3x5xf32>) -> memref<3x5xf32> {
  %a = memref.alloc() : memref<3x5xf32>
  memref.copy %x, %a : memref<3x5xf32> to memref<3x5xf32>
  %part = memref.subview %a[0, 0] [3, 5] [1, 1] : memref<3x5xf32> to memref<3x5xf32, strided<[5, 1]>>
  %b = memref.alloc() : memref<3x5xf32>
  memref.copy %x, %b : memref<3x5xf32> to memref<3x5xf32>
  %y = memref.alloc() : memref<3x5xf32>
  memref.copy %b, %y : memref<3x5xf32> to memref<3x5xf32>
  memref.copy %part, %y : memref<3x5xf32, strided<[5, 1]>> to memref<3x5xf32>
  return %y : memref<3x5xf32>
}

// -----

// An argument that is returned, and a buffer that is returned twice, are copied.
// CHECK-LABEL: func @twice
// CHECK-SAME: %{{.*}}: !exec.context, %{{.*}}: memref<?xi8>, %[[X:.*]]: memref<4xf32>, %[[R0:.*]]: memref<4xf32>, %[[R1:.*]]: memref<4xf32>, %[[R2:.*]]: memref<4xf32>)
// CHECK: memref.copy %[[X]], %[[R1]]
// CHECK-DAG: memref.copy %[[X]], %[[R0]]
// CHECK-DAG: memref.copy %[[R1]], %[[R2]]
func.func @twice(%x: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return %x, %a, %a : memref<4xf32>, memref<4xf32>, memref<4xf32>
}
