//===- ExecOps.td - Operations of the exec dialect ------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_DIALECT_EXEC_IR_EXECOPS_TD
#define HYENA_DIALECT_EXEC_IR_EXECOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Exec_Dialect : Dialect {
  let name = "exec";
  let cppNamespace = "::mlir::hyena::exec";
  let summary = "What a compiled operator asks of the runtime";
  let description = [{
    The typed form of the runtime's calls (`hyena-c/Runtime.h`): a matrix
    product, the launch of a kernel over work items, and the one workspace that
    holds all intermediate results.

    `exec.gemm` and `exec.launch` take tensors or memrefs and are in
    destination-passing style, so that one-shot bufferization decides where
    their results go. On tensors they have no effects. On memrefs they read
    their inputs and write their destinations, and nothing else: the runtime's
    scratch memory belongs to its context, and its threads are done when the
    operation is.

    The runtime's context is an operand. It is absent until the functions have
    their final signatures (`exec-finalize-functions`), and `convert-exec-to-llvm`
    needs it.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect"];
  let useDefaultTypePrinterParser = 1;
}

def Exec_ContextType : TypeDef<Exec_Dialect, "Context"> {
  let mnemonic = "context";
  let summary = "a runtime context, `HyenaContext *`";
  let description = [{
    Example: `!exec.context`.
  }];
  let builderCall = "$_builder.getType<::mlir::hyena::exec::ContextType>()";
}

class Exec_Op<string mnemonic, list<Trait> traits = []>
    : Op<Exec_Dialect, mnemonic, traits>;

def Exec_GemmOp : Exec_Op<"gemm", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "matrix product with a bias";
  let description = [{
    `c[i..., j] = sum_p a[i..., p] * b[j, p] + bias[j]`

    The call of `hyenaGemm`, with all dimensions but the last of `a` and of the
    destination as the rows. The destination is overwritten.

    Constraints:
    - (C1) `a` and the destination have one rank, 2 at least, `b` has rank 2 and
      the bias rank 1, and all have one element type, f32 or f64.
    - (C2) the dimensions agree where they are static: a (m..., k), b (n, k),
      bias (n), destination (m..., n).
    - (C3) all are tensors or all are memrefs; the result is there for tensors
      and has the destination's type.
    - (C4) the innermost stride of a memref is 1, and its rows are evenly
      spaced.

    Example:

    ```mlir
    func.func @product() -> tensor<2x2xf32> {
      %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
      %b = arith.constant dense<[[1.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf32>
      %bias = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
      %init = tensor.empty() : tensor<2x2xf32>
      %c = exec.gemm
          ins(%a, %b, %bias : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>)
          outs(%init : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %c : tensor<2x2xf32> // %c = [[11, 23], [13, 27]]
    }
    ```
  }];
  let arguments = (ins
    Arg<Optional<Exec_ContextType>, "runtime context">:$runtime,
    Arg<AnyShaped, "left matrix, (m..., k)">:$a,
    Arg<AnyShaped, "right matrix, transposed, (n, k)">:$b,
    Arg<Optional<AnyShaped>, "added to every row, (n)">:$bias,
    Arg<AnyShaped, "where the product goes, (m..., n)">:$init);
  let results = (outs
    Res<Optional<AnyRankedTensor>, "the product">:$result);
  let assemblyFormat = [{
    (`on` `(` $runtime^ `)`)?
    `ins` `(` $a `,` $b (`,` $bias^)? `:` type($a) `,` type($b)
        (`,` type($bias)^)? `)`
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($result)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitMutable();
    }
    /// Whether the runtime can read or write a matrix in this buffer in place:
    /// the innermost stride is 1, and the rows are evenly spaced.
    static bool isUsable(::mlir::MemRefType type);
  }];
}

def Exec_LaunchOp : Exec_Op<"launch", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel for every work item";
  let description = [{
    Calls `kernel(item, scratch, ins..., outs...)` for item = 0 ... items - 1,
    in any order and on any number of threads: the call of `hyenaParallelFor`.
    `scratch` is a memref<?xi8> of `scratch_bytes` bytes, 64-byte aligned, that
    belongs to the item while it runs and has undefined contents.

    The kernel takes a memref with the identity layout in place of every tensor,
    reads the inputs, and writes the whole of every destination without reading
    it. No two items may write one element. `kind` says what the kernel
    computes, for reports.

    Constraints:
    - (C1) the kernel is a function without results whose arguments are an
      index, a memref<?xi8>, and what stands for the inputs and destinations.
    - (C2) destinations are all tensors or all memrefs, and inputs that are
      tensors or memrefs are of the same sort; the results are the tensors'.
    - (C3) `scratch_bytes` is not negative.

    Example:

    ```mlir
    func.func private @double(%item: index, %scratch: memref<?xi8>,
                              %x: memref<3xf32>, %y: memref<3xf32>) {
      %v = memref.load %x[%item] : memref<3xf32>
      %d = arith.addf %v, %v : f32
      memref.store %d, %y[%item] : memref<3xf32>
      return
    }
    func.func @twice() -> tensor<3xf32> {
      %x = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
      %n = arith.constant 3 : index
      %init = tensor.empty() : tensor<3xf32>
      %y = exec.launch @double items(%n)
          ins(%x : tensor<3xf32>) outs(%init : tensor<3xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32> // %y = [2, 4, 6]
    }
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$kernel,
    Arg<Optional<Exec_ContextType>, "runtime context">:$runtime,
    Arg<Index, "number of work items">:$items,
    DefaultValuedAttr<I64Attr, "0">:$scratch_bytes,
    OptionalAttr<StrAttr>:$kind,
    Arg<Variadic<AnyType>, "what the kernel reads">:$inputs,
    Arg<Variadic<AnyShaped>, "what the kernel writes">:$inits);
  let results = (outs
    Res<Variadic<AnyRankedTensor>, "what the kernel has written">:$results);
  let assemblyFormat = [{
    $kernel (`on` `(` $runtime^ `)`)? `items` `(` $items `)`
    (`scratch` $scratch_bytes^)? (`kind` $kind^)?
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $inits^ `:` type($inits) `)`)? attr-dict
    (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
    /// The type in which the kernel takes an operand of type `type`.
    static ::mlir::Type getKernelType(::mlir::Type type);
  }];
}

def Exec_ParallelForOp : Exec_Op<"parallel_for", [
    RecursiveMemoryEffects, AutomaticAllocationScope, SingleBlock,
    SingleBlockImplicitTerminator<"::mlir::hyena::exec::EndOp">]> {
  let summary = "a loop whose iterations may run at once";
  let description = [{
    Runs the body for index = 0 ... items - 1, in any order and on any number of
    threads. No iteration may read or write an element that another one writes.
    `exec-outline-loops` turns it into a kernel and an `exec.launch`.

    Constraints:
    - (C1) the body has one argument, an index.

    Example:

    ```mlir
    func.func @squares() -> tensor<3xf32> {
      %n = arith.constant 3 : index
      %b = memref.alloc() : memref<3xf32>
      exec.parallel_for %i = 0 to %n {
        %k = arith.index_cast %i : index to i32
        %x = arith.sitofp %k : i32 to f32
        %y = arith.mulf %x, %x : f32
        memref.store %y, %b[%i] : memref<3xf32>
      }
      %t = bufferization.to_tensor %b restrict : memref<3xf32> to tensor<3xf32>
      return %t : tensor<3xf32> // %t = [0, 1, 4]
    }
    ```
  }];
  let arguments = (ins Arg<Index, "number of iterations">:$items);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$items)>];
  let extraClassDeclaration = [{
    ::mlir::Value getIndex() { return getBody().getArgument(0); }
  }];
}

def Exec_EndOp : Exec_Op<"end", [
    Pure, Terminator, HasParent<"ParallelForOp">]> {
  let summary = "ends the body of `exec.parallel_for`";
  let description = [{
    The printed form of `exec.parallel_for` leaves it out.
  }];
  let assemblyFormat = "attr-dict";
}

def Exec_WorkspaceOp : Exec_Op<"workspace", [Pure]> {
  let summary = "the memory in which a function keeps its intermediate results";
  let description = [{
    The caller's workspace: `bytes` bytes, 64-byte aligned, with undefined
    contents. A function has one at most. `exec-finalize-functions` makes it an
    argument, and a query of its size.

    The operation allocates nothing and has no effects: two of them would be the
    same memory.

    Example:

    ```mlir
    func.func @part(%bytes: index, %offset: index) -> memref<16xf32> {
      %w = exec.workspace %bytes : memref<?xi8>
      %m = memref.view %w[%offset][] : memref<?xi8> to memref<16xf32>
      return %m : memref<16xf32>
    }
    ```
  }];
  let arguments = (ins Arg<Index, "size in bytes">:$bytes);
  let results = (outs
    Res<MemRefOf<[I8]>, "the workspace">:$result);
  let assemblyFormat = "$bytes attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif // HYENA_DIALECT_EXEC_IR_EXECOPS_TD
