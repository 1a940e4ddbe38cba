// Wrong if a loop loses or repeats an element, or if a kernel gets memory under
// the wrong heading.
// RUN: hyena-opt %s --exec-parallelize-loops="grain=64" --canonicalize --cse | FileCheck %s --check-prefix=LOOP
// RUN: hyena-opt %s --exec-parallelize-loops="grain=64" --canonicalize --cse --exec-outline-loops | FileCheck %s --check-prefix=KERNEL

// 64 / 16 = 4 rows an item, ceil(8 n / 4) items.
// LOOP-LABEL: func @rows
// LOOP-DAG: %[[C4:.*]] = arith.constant 4 : index
// LOOP-DAG: %[[C8:.*]] = arith.constant 8 : index
// LOOP: %[[ROWS:.*]] = arith.muli %{{.*}}, %[[C8]]
// LOOP: %[[ITEMS:.*]] = arith.ceildivui %[[ROWS]], %[[C4]]
// LOOP: exec.parallel_for %[[I:.*]] = 0 to %[[ITEMS]] {
// LOOP:   %[[FIRST:.*]] = arith.muli %[[I]], %[[C4]]
// LOOP:   %[[NEXT:.*]] = arith.addi %[[FIRST]], %[[C4]]
// LOOP:   %[[LAST:.*]] = arith.minsi %[[NEXT]], %[[ROWS]]
// LOOP:   scf.for %[[ROW:.*]] = %[[FIRST]] to %[[LAST]]
// LOOP:     %[[C:.*]] = arith.remui %[[ROW]], %[[C8]]
// LOOP:     %[[B:.*]] = arith.divui %[[ROW]], %[[C8]]
// LOOP:     scf.for %[[L:.*]] =
// LOOP:       memref.load %{{.*}}[%[[B]], %[[C]], %[[L]]]

// KERNEL-LABEL: func @rows
// KERNEL: exec.launch @rows_loop items(%{{.*}}) kind "loop" ins(%{{.*}}, %{{.*}} : index, memref<?x8x16xf32>) outs(%{{.*}} : memref<?x8x16xf32>)
// KERNEL: func.func private @rows_loop(%{{.*}}: index, %{{.*}}: memref<?xi8>, %{{.*}}: index, %{{.*}}: memref<?x8x16xf32>, %{{.*}}: memref<?x8x16xf32>)
func.func @rows(%x: memref<?x8x16xf32>, %y: memref<?x8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %n = memref.dim %x, %c0 : memref<?x8x16xf32>
  scf.parallel (%b, %c, %l) = (%c0, %c0, %c0) to (%n, %c8, %c16) step (%c1, %c1, %c1) {
    %v = memref.load %x[%b, %c, %l] : memref<?x8x16xf32>
    memref.store %v, %y[%b, %c, %l] : memref<?x8x16xf32>
    scf.reduce
  }
  return
}

// Memory that is read and written is both.
// LOOP-LABEL: func @update
// LOOP: exec.parallel_for
// LOOP: scf.for
// KERNEL-LABEL: func @update
// KERNEL: ins(%[[X:.*]] : memref<1000xf32>) outs(%[[X]] : memref<1000xf32>)
func.func @update(%x: memref<1000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  scf.parallel (%i) = (%c0) to (%c1000) step (%c1) {
    %v = memref.load %x[%i] : memref<1000xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<1000xf32>
    scf.reduce
  }
  return
}

// LOOP-LABEL: func @copy
// LOOP-NOT: memref.copy
// LOOP: exec.parallel_for
func.func @copy(%x: memref<20x30xf32, strided<[1, 20]>>, %y: memref<20x30xf32>) {
  memref.copy %x, %y : memref<20x30xf32, strided<[1, 20]>> to memref<20x30xf32>
  return
}
