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
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::hyena::exec::ExecDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // HYENA_DIALECT_EXEC_TRANSFORMS_PASSES_TD
