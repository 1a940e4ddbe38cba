// Wrong if a program whose memory cannot be sized beforehand is accepted, or
// refused without the reason.
// RUN: hyena-opt %s --exec-finalize-functions --split-input-file --verify-diagnostics

func.func @data(%x: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the size depends on this}}
  %n = memref.load %x[%c0] : memref<4xindex>
  // expected-error @below {{needs memory whose size depends on more than the shapes of the function's arguments}}
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %n, %x[%c0] : memref<4xindex>
  %d = memref.dim %a, %c0 : memref<?xf32>
  return
}

// -----

func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{has a size that depends on the index of a loop}}
    %a = memref.alloc(%i) : memref<?xf32>
    %d = memref.dim %a, %c0 : memref<?xf32>
  }
  return
}

// -----

// expected-error @below {{returns 'index' as result 0; only tensors can be results}}
func.func @scalar(%n: index) -> index {
  return %n : index
}

// -----

// expected-error @below {{has branches between blocks; only structured control flow (scf) is allowed}}
func.func @blocks(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  return
^b:
  return
}

// -----

func.func @recursive(%x: memref<4xf32>) {
  // expected-error @below {{is a call that could not be inlined}}
  call @recursive(%x) : (memref<4xf32>) -> ()
  return
}

// -----

// A workspace that is not counted would be written beyond its end.
func.func @workspace(%bytes: index) {
  // expected-error @+1 {{'exec.workspace' op stands in the function already; allowed are allocations, of which this pass makes a workspace}}
  %0 = exec.workspace %bytes : memref<?xi8>
  return
}
