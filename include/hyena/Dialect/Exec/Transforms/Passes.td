//===- Passes.td - Passes on the exec dialect -----------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_DIALECT_EXEC_TRANSFORMS_PASSES_TD
#define HYENA_DIALECT_EXEC_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExecParallelizeLoops : Pass<"exec-parallelize-loops"> {
  let summary = "Spread outermost scf.parallel loops over threads";
  let description = [{
    An outermost `scf.parallel` becomes an `exec.parallel_for` whose iterations
    take a piece of about `grain` innermost iterations each; parallel loops
    inside it become sequential ones. Expects loops that start at 0 with step 1
    and reduce nothing, which is what `convert-linalg-to-parallel-loops` makes.
    Every `memref.copy` becomes such a loop first.

    Changes no numbers: every element is still computed by one iteration.

    Before:

    ```mlir
    func.func @f(%a: memref<64x256xf32>, %b: memref<64x256xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c256) step (%c1, %c1) {
        %x = memref.load %a[%i, %j] : memref<64x256xf32>
        memref.store %x, %b[%i, %j] : memref<64x256xf32>
        scf.reduce
      }
      return
    }
    ```

    After `--exec-parallelize-loops=grain=4096` and `--canonicalize`:

    ```mlir
    func.func @f(%a: memref<64x256xf32>, %b: memref<64x256xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %rows = arith.constant 16 : index
      %pieces = arith.constant 4 : index
      exec.parallel_for %piece = 0 to %pieces {
        %first = arith.muli %piece, %rows : index
        %end = arith.addi %first, %rows : index
        %last = arith.minsi %end, %c64 : index
        scf.for %i = %first to %last step %c1 {
          scf.for %j = %c0 to %c256 step %c1 {
            %x = memref.load %a[%i, %j] : memref<64x256xf32>
            memref.store %x, %b[%i, %j] : memref<64x256xf32>
          }
        }
      }
      return
    }
    ```
  }];
  let options = [
    Option<"grain", "grain", "int64_t", /*default=*/"8192",
           "Innermost iterations that are worth a work item">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::hyena::exec::ExecDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def ExecOutlineLoops : Pass<"exec-outline-loops", "::mlir::ModuleOp"> {
  let summary = "Turn parallel loops into kernels and launches";
  let description = [{
    The body of an `exec.parallel_for` becomes a private function, which takes
    the values that the body uses as arguments; constants are copied into it.
    Memory that the body writes becomes a destination of the launch, memory that
    it reads an input; memory that it both reads and writes is passed as both.

    Before:

    ```mlir
    func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
      %n = arith.constant 8 : index
      exec.parallel_for %i = 0 to %n {
        %x = memref.load %a[%i] : memref<8xf32>
        memref.store %x, %b[%i] : memref<8xf32>
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
      %n = arith.constant 8 : index
      exec.launch @f_loop items(%n) kind "loop"
          ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
      return
    }
    func.func private @f_loop(%i: index, %scratch: memref<?xi8>,
                              %a: memref<8xf32>, %b: memref<8xf32>) {
      %x = memref.load %a[%i] : memref<8xf32>
      memref.store %x, %b[%i] : memref<8xf32>
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::hyena::exec::ExecDialect"];
}

def ExecFinalizeFunctions
    : Pass<"exec-finalize-functions", "::mlir::ModuleOp"> {
  let summary = "Give functions their final arguments and one workspace";
  let description = [{
    For every function that is no kernel:

    - returned memrefs become trailing arguments, which the function fills; a
      buffer that is returned and nothing else is built there in place;
    - all remaining allocations become parts of one workspace; parts whose
      lifetimes do not overlap share memory;
    - the runtime context and the workspace become the first two arguments, and
      the exec operations get the context;
    - `@NAME_query`, with the arguments that NAME had, returns the bytes of the
      workspace and then the dynamic extents of the results, in order. It reads
      no data, only the shapes of its arguments.

    Expects bufferized functions of one block. A buffer whose size depends on
    data is an error.

    Before:

    ```mlir
    func.func @f(%a: memref<4x8xf32>, %b: memref<2x8xf32>) -> memref<4x2xf32> {
      %t = memref.alloc() : memref<2x8xf32>
      memref.copy %b, %t : memref<2x8xf32> to memref<2x8xf32>
      %c = memref.alloc() : memref<4x2xf32>
      exec.gemm ins(%a, %t : memref<4x8xf32>, memref<2x8xf32>)
                outs(%c : memref<4x2xf32>)
      return %c : memref<4x2xf32>
    }
    ```

    After `--exec-finalize-functions` and `--canonicalize`:

    ```mlir
    func.func @f(%context: !exec.context, %workspace: memref<?xi8>,
                 %a: memref<4x8xf32>, %b: memref<2x8xf32>, %c: memref<4x2xf32>) {
      %c0 = arith.constant 0 : index
      %t = memref.view %workspace[%c0][] : memref<?xi8> to memref<2x8xf32>
      memref.copy %b, %t : memref<2x8xf32> to memref<2x8xf32>
      exec.gemm on(%context) ins(%a, %t : memref<4x8xf32>, memref<2x8xf32>)
                outs(%c : memref<4x2xf32>)
      return
    }
    func.func @f_query(%a: memref<4x8xf32>, %b: memref<2x8xf32>) -> index {
      %bytes = arith.constant 64 : index
      return %bytes : index
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::hyena::exec::ExecDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // HYENA_DIALECT_EXEC_TRANSFORMS_PASSES_TD
