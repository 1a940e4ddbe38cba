//===- HyenaFusedOps.td - Fused-level operations -----------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_DIALECT_HYENA_IR_HYENAFUSEDOPS_TD
#define HYENA_DIALECT_HYENA_IR_HYENAFUSEDOPS_TD

include "hyena/Dialect/Hyena/IR/HyenaOps.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Hyena_AccessArrayAttr
    : TypedArrayAttrBase<Hyena_AccessAttr, "array of accesses">;

def Hyena_FusedConvOp : Hyena_Op<"fused_conv", [
    AttrSizedOperandSegments, IsolatedFromAbove, NoMemoryEffect,
    AlwaysSpeculatable, SingleBlock,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "long convolution with everything pointwise around it";
  let description = [{
    Over the domain of batches b, channels c and times l,

    - `u[b,c,l] = prologue(a_0, a_1, ...)`, and 0 outside 0 ... L-1,
    - `y = h * u`, a long convolution as in `hyena.fftconv`,
    - `results = epilogue(y[b,c,l], u[b,c,l], a_0, a_1, ...)`,

    where a_i is the scalar that access i reads at (b, c, l); an access outside
    its operand reads 0. Result i is stored at the indices that `result_maps[i]`
    gives. The extents of the domain are those of the first result. The
    convolution works in the type that the prologue yields.

    The filter is given either as taps (`filter`, and `reverse` for the negative
    lags of a bidirectional one) or as a `spectrum` that `hyena.pack_filter` has
    made for a `plan`; the spectrum has mode, lag 0 and tap order folded in.

    Constraints:
    - (C1) every access names an operand of `ins`, and its map has three
      dimensions, no symbols, and a result for each dimension of the operand.
    - (C2) in an access, b occurs as a plain index only and l as an index plus
      a constant only; an index depends on one of b, c, l at most;
      divisors are constants, 1 at least, and no constant is beyond 2^40.
    - (C3) the prologue has an argument for each access, of the operand's
      element type, and yields one f32 or f64.
    - (C4) the epilogue has y, u (of the prologue's type) and an argument for
      each access, and yields the element type of every result.
    - (C5) there is a result map for each result: a permutation of (b, c, l);
      all results agree on the extents of the domain; the number of channels is
      static and 1 at least.
    - (C6) either `filter` or `spectrum` and `plan` are given.
    - (C7) filter and reverse are static (G, K) and (G, J) matrices of one
      element type, G divides the number of channels; `reverse` is given with `bidirectional` and with
      it alone; `lag0` with `noncausal` or `circular` only, within 0 ... K-1;
      a `circular` filter is no longer than the signal; `newest_last` is given
      with `causal` only.
    - (C8) the spectrum is (ceil(C / lanes), length, 2, lanes) and has the type
      that the prologue yields.
    - (C9) L, where static, is 1 to 2^40.
    - (C10) the regions hold operations without memory effects only.

    Example (one causal short convolution of two taps on the gate):

    ```mlir
    // %p = [[[1, 1], [2, 1], [3, 2]]], %w = [[10, 1]], %h = [[1, 0, 2]]
    %y = hyena.fused_conv ins(%p, %w : tensor<1x3x2xf32>, tensor<1x2xf32>)
        filter(%h : tensor<1x3xf32>)
        accesses [#hyena.access<0, (b, c, l) -> (b, l, c)>,
                  #hyena.access<0, (b, c, l) -> (b, l - 1, c + 1)>,
                  #hyena.access<0, (b, c, l) -> (b, l, c + 1)>,
                  #hyena.access<1, (b, c, l) -> (c, 0)>,
                  #hyena.access<1, (b, c, l) -> (c, 1)>]
        results [affine_map<(b, c, l) -> (b, l, c)>]
        prologue {
        ^bb0(%v: f32, %g1: f32, %g0: f32, %w0: f32, %w1: f32):
          hyena.yield %v : f32
        } epilogue {
        ^bb0(%c: f32, %u: f32,
             %v: f32, %g1: f32, %g0: f32, %w0: f32, %w1: f32):
          %0 = arith.mulf %w0, %g1 : f32
          %1 = arith.mulf %w1, %g0 : f32
          %2 = arith.addf %0, %1 : f32
          %3 = arith.mulf %c, %2 : f32
          hyena.yield %3 : f32
        } : tensor<1x3x1xf32>
    // %y = [[[1], [22], [60]]]
    ```
  }];
  let arguments = (ins
    Arg<Variadic<AnyRankedTensor>, "what the accesses read">:$inputs,
    Arg<Optional<Hyena_RealTensor>, "filter, (G, K)">:$filter,
    Arg<Optional<Hyena_RealTensor>, "filter of the negative lags, (G, J)">:$reverse,
    Arg<Optional<Hyena_WideTensor>, "packed spectrum, (ceil(C/lanes), M, 2, lanes)">:$spectrum,
    Hyena_AccessArrayAttr:$accesses,
    AffineMapArrayAttr:$result_maps,
    DefaultValuedAttr<Hyena_ConvModeAttr, "ConvMode::Causal">:$mode,
    OptionalAttr<I64Attr>:$lag0,
    DefaultValuedAttr<Hyena_TapOrderAttr, "TapOrder::Lag0First">:$tap_order,
    OptionalAttr<Hyena_FFTPlanAttr>:$plan);
  let results = (outs
    Res<Variadic<AnyRankedTensor>, "what the epilogue yields">:$results);
  let regions = (region SizedRegion<1>:$prologue, SizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    `ins` `(` ($inputs^ `:` type($inputs))? `)`
    (`filter` `(` $filter^ `:` type($filter) `)`)?
    (`reverse` `(` $reverse^ `:` type($reverse) `)`)?
    (`spectrum` `(` $spectrum^ `:` type($spectrum) `)`)?
    `accesses` $accesses `results` $result_maps attr-dict
    `prologue` $prologue `epilogue` $epilogue `:` type($results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// Extent of the domain along b (0), c (1) or l (2); ShapedType::kDynamic
    /// where it is not known.
    int64_t getDomainExtent(int64_t dim);
    int64_t getNumChannels() { return getDomainExtent(1); }
    int64_t getSignalLength() { return getDomainExtent(2); }
    /// The type in which the convolution works.
    ::mlir::FloatType getComputeType();
    ::mlir::Block &getPrologueBlock() { return getPrologue().front(); }
    ::mlir::Block &getEpilogueBlock() { return getEpilogue().front(); }
    int64_t getNumAccesses() { return getAccesses().size(); }
    ::mlir::hyena::AccessAttr getAccess(int64_t i) {
      return ::llvm::cast<AccessAttr>(getAccesses()[i]);
    }
    ::mlir::AffineMap getResultMap(int64_t i) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getResultMaps()[i]).getValue();
    }
  }];
}

def Hyena_YieldOp : Hyena_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["FusedConvOp"]>]> {
  let summary = "ends a region of `hyena.fused_conv`";
  let description = [{
    Yields the scalar u of a prologue, or one scalar for each result of an
    epilogue.

    Example: `hyena.yield %u : f32`.
  }];
  let arguments = (ins Arg<Variadic<AnyType>, "the scalars">:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Hyena_PackFilterOp : Hyena_Op<"pack_filter", [Pure]> {
  let summary = "spectrum of a filter as a planned convolution reads it";
  let description = [{
    Lags at which the filter acts, of a signal of `signal_length` samples, are
    laid on a circle of 2M points with sign: lag d >= 0 at position d, lag d < 0
    at position 2M + d with a minus sign, which makes t[0 ... 2M-1]. The result
    is the transform of `z[n] = (t[n] + i t[n+M]) exp(i pi n / 2M)` divided by
    M, in the order in which the plan's forward transform leaves it: element
    [q, k, 0 or 1, j] is the real or imaginary part of point k of channel
    `q * lanes + j`; lanes beyond the last channel are zero. Mode, lag 0 and tap
    order are those of `hyena.fftconv`.

    Constraints:
    - (C1) filter and reverse are static (G, K) and (G, J) matrices of one
      element type, G divides `channels`, and `channels` and `signal_length`
      are 1 to 2^40.
    - (C2) `reverse` is given with `bidirectional` and with it alone; `lag0`
      with `noncausal` or `circular` only, within 0 ... K-1; a `circular` filter
      is no longer than the signal; `newest_last` is given with `causal` only.
    - (C3) the circle of 2M points is large enough that nothing wraps around.
    - (C4) the result is (ceil(channels / lanes), M, 2, lanes).

    Example:

    ```mlir
    // %h = [[1, 2]]
    %s = hyena.pack_filter %h {channels = 1 : i64, signal_length = 2 : i64,
          plan = #hyena.fft_plan<length = 2, factors = [2], lanes = 1>}
        : (tensor<1x2xf32>) -> tensor<1x2x2x1xf32>
    // %s = [[[[1.20711], [0.70711]], [[-0.20711], [-0.70711]]]]
    ```
  }];
  let arguments = (ins
    Arg<Hyena_RealTensor, "filter, (G, K)">:$filter,
    Arg<Optional<Hyena_RealTensor>, "filter of the negative lags, (G, J)">:$reverse,
    I64Attr:$channels,
    I64Attr:$signal_length,
    DefaultValuedAttr<Hyena_ConvModeAttr, "ConvMode::Causal">:$mode,
    OptionalAttr<I64Attr>:$lag0,
    DefaultValuedAttr<Hyena_TapOrderAttr, "TapOrder::Lag0First">:$tap_order,
    Hyena_FFTPlanAttr:$plan);
  let results = (outs
    Res<Hyena_WideTensor, "spectrum, (ceil(C/lanes), M, 2, lanes)">:$spectrum);
  let assemblyFormat = [{
    $filter (`reverse` `(` $reverse^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // HYENA_DIALECT_HYENA_IR_HYENAFUSEDOPS_TD
