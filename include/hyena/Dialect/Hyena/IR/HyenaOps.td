//===- HyenaOps.td - Graph-level operations ----------------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_DIALECT_HYENA_IR_HYENAOPS_TD
#define HYENA_DIALECT_HYENA_IR_HYENAOPS_TD

include "hyena/Dialect/Hyena/IR/HyenaBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Hyena_RealTensor : RankedTensorOf<[F16, BF16, F32, F64]>;
def Hyena_WideTensor : RankedTensorOf<[F32, F64]>;
def Hyena_ComplexTensor : RankedTensorOf<[Complex<F32>, Complex<F64>]>;
def Hyena_ModalTensor
    : RankedTensorOf<[F32, F64, Complex<F32>, Complex<F64>]>;

class Hyena_Op<string mnemonic, list<Trait> traits = []>
    : Op<Hyena_Dialect, mnemonic, traits>;

def Hyena_VerifiedByInference : NativeOpTrait<"VerifiedByInference"> {
  let cppNamespace = "::mlir::hyena";
}

/// A pure operation whose result type follows from its operands and attributes.
/// A written result type may be less or more static than the inferred one.
class Hyena_InferredOp<string mnemonic, list<Trait> traits = []>
    : Hyena_Op<mnemonic, !listconcat(traits, [
        Pure, Hyena_VerifiedByInference,
        InferTypeOpAdaptorWithIsCompatible,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>])>;

//===----------------------------------------------------------------------===//
// Linear layer and streams
//===----------------------------------------------------------------------===//

def Hyena_ProjectOp : Hyena_InferredOp<"project"> {
  let summary = "linear layer on the channel dimension";
  let description = [{
    `result[..., i] = sum_j weight[i, j] * input[..., j] + bias[i]`

    The channel dimension is the last one. With `input_layout` or
    `result_layout` equal to `channels_first` the last two dimensions of the
    input or of the result are swapped: (B, C, L) instead of (B, L, C).

    Constraints:
    - (C1) the input has rank 2 at least.
    - (C2) the weight is a static (C_out, C_in) matrix, both 1 at least, and
      C_in is the number of channels of the input.
    - (C3) the bias, if there is one, is a vector of C_out elements.
    - (C4) input, weight and bias have one element type.
    - (C5) a layout other than `channels_last` needs an input of rank 3.

    Example:

    ```mlir
    // %x = [[1, 2], [3, 4]], %w = [[1, 0], [0, 1], [1, 1]], %b = [10, 20, 30]
    %y = hyena.project %x, %w bias(%b)
        : (tensor<2x2xf32>, tensor<3x2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    // %y = [[11, 22, 33], [13, 24, 37]]
    ```
  }];
  let arguments = (ins
    Arg<Hyena_RealTensor, "activation, (..., C_in)">:$input,
    Arg<Hyena_RealTensor, "weight, (C_out, C_in)">:$weight,
    Arg<Optional<Hyena_RealTensor>, "bias, (C_out)">:$bias,
    DefaultValuedAttr<Hyena_LayoutAttr, "Layout::ChannelsLast">:$input_layout,
    DefaultValuedAttr<Hyena_LayoutAttr, "Layout::ChannelsLast">:$result_layout);
  let results = (outs
    Res<Hyena_RealTensor, "projected activation, (..., C_out)">:$result);
  let assemblyFormat = [{
    $input `,` $weight (`bias` `(` $bias^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Hyena_ChunkOp : Hyena_Op<"chunk", [
    Pure, DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                    ["reifyResultShapes"]>]> {
  let summary = "splits the channels of an activation into streams";
  let description = [{
    The input has S * D channels, S the number of results. Channel c of stream s
    is channel

    - `blocks`: `s * D + c`
    - `per_head`: `(c div hd) * S * hd + s * hd + (c mod hd)`, `hd = D / heads`
    - `interleaved`: `S * c + s`

    of the input. Every stream keeps the layout of the input.

    Constraints:
    - (C1) the input has rank 3.
    - (C2) there is at least one result, and the number of results divides the
      number of channels of the input, which is static and 1 at least.
    - (C3) `heads` is given with `per_head` and with it alone, and divides D.
    - (C4) every result has the input's shape and element type but D channels.

    Example:

    ```mlir
    // %p = [[[1, 2, 3, 4]]]
    %v, %g = hyena.chunk %p
        : (tensor<1x1x4xf32>) -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>)
    // %v = [[[1, 2]]], %g = [[[3, 4]]]
    %x, %y = hyena.chunk %p {arrangement = #hyena.arrangement<interleaved>}
        : (tensor<1x1x4xf32>) -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>)
    // %x = [[[1, 3]]], %y = [[[2, 4]]]
    ```
  }];
  let arguments = (ins
    Arg<Hyena_RealTensor, "all streams, (B, L, S*D) or (B, S*D, L)">:$input,
    DefaultValuedAttr<Hyena_ArrangementAttr, "Arrangement::Blocks">:$arrangement,
    OptionalAttr<I64Attr>:$heads,
    DefaultValuedAttr<Hyena_LayoutAttr, "Layout::ChannelsLast">:$layout);
  let results = (outs
    Res<Variadic<Hyena_RealTensor>, "the streams, (B, L, D) or (B, D, L)">:$streams);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The channel of the input that stores channel d0 of stream `stream`.
    ::mlir::AffineMap getChannelMap(int64_t stream);
    /// The dimension of the input that holds the channels: 1 or 2.
    int64_t getChannelDim() {
      return getLayout() == Layout::ChannelsLast ? 2 : 1;
    }
  }];
}

def Hyena_TransposeOp : Hyena_InferredOp<"transpose"> {
  let summary = "swaps the last two dimensions";
  let description = [{
    `result[..., i, j] = input[..., j, i]`: between (B, L, C) and (B, C, L).

    Constraints:
    - (C1) the input has rank 2 at least.

    Example:

    ```mlir
    // %x = [[1, 2, 3], [4, 5, 6]]
    %y = hyena.transpose %x : (tensor<2x3xf32>) -> tensor<3x2xf32>
    // %y = [[1, 4], [2, 5], [3, 6]]
    ```
  }];
  let arguments = (ins Arg<AnyRankedTensor, "activation, (..., M, N)">:$input);
  let results = (outs Res<AnyRankedTensor, "transposed, (..., N, M)">:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Hyena_GateOp : Hyena_InferredOp<"gate"> {
  let summary = "elementwise product of streams";
  let description = [{
    `result = inputs[0] * inputs[1] * ...`, elementwise, from left to right. Of
    f16 and bf16 the product is formed in f32 and rounded once.

    Constraints:
    - (C1) there are two inputs at least.
    - (C2) all inputs have one shape and one element type.

    Example:

    ```mlir
    // %v = [1, 2, 3], %g0 = [2, 2, 2], %g1 = [1, 10, 100]
    %y = hyena.gate %v, %g0, %g1
        : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    // %y = [2, 40, 600]
    ```
  }];
  let arguments = (ins
    Arg<Variadic<Hyena_RealTensor>, "factors, all of one shape">:$inputs);
  let results = (outs Res<Hyena_RealTensor, "the product">:$result);
  let assemblyFormat = "$inputs attr-dict `:` functional-type(operands, results)";
  let hasCanonicalizer = 1;
}

def Hyena_BroadcastOp : Hyena_InferredOp<"broadcast"> {
  let summary = "repeats a vector or a mask over the shape of another tensor";
  let description = [{
    The result has the shape of `like` and the element type of `input`;
    dimension i of the input runs along dimension `dims[i]` of the result:
    `result[j_0, ..., j_n] = input[j_dims[0], j_dims[1], ...]`.

    Constraints:
    - (C1) `dims` has one entry for each dimension of the input.
    - (C2) the entries of `dims` increase and lie within the rank of `like`.
    - (C3) dimension i of the input and dimension `dims[i]` of `like` are equal.

    Example:

    ```mlir
    // %scale = [2, 3], %u = [[[0, 0, 0], [0, 0, 0]]]
    %s = hyena.broadcast %scale like %u {dims = array<i64: 1>}
        : (tensor<2xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    // %s = [[[2, 2, 2], [3, 3, 3]]]
    ```
  }];
  let arguments = (ins
    Arg<AnyRankedTensor, "what is repeated">:$input,
    Arg<AnyRankedTensor, "tensor whose shape the result takes">:$like,
    DenseI64ArrayAttr:$dims);
  let results = (outs Res<AnyRankedTensor, "the repeated tensor">:$result);
  let assemblyFormat = [{
    $input `like` $like attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Convolutions and filters
//===----------------------------------------------------------------------===//

def Hyena_ShortConvOp : Hyena_InferredOp<"shortconv"> {
  let summary = "depthwise convolution with a few taps";
  let description = [{
    `result[b,c,n] = bias[c] + sum_k w[g(c),k] * input[b,c,n - low + k]`,
    k = 0 ... K-1, with `g(c) = c div (C / G)`: the last tap meets the newest
    sample. With `tap_order = lag0_first` the stored taps are reversed:
    `w[g(c),K-1-k]` in place of `w[g(c),k]`.

    - `causal`: `low = K - 1`, the result has length L.
    - `same`: `low = K div 2`, the result has length L (for K = 3 it looks one
      step ahead).
    - `explicit`: `low = pad_low`, the result has length
      `L + pad_low + pad_high - K + 1`.

    Constraints:
    - (C1) the input has rank 3.
    - (C2) the weight is a static (G, K) matrix, K >= 1, and G divides C, which
      is static and 1 at least.
    - (C3) the bias, if there is one, is a vector of C elements.
    - (C4) input, weight and bias have one element type.
    - (C5) `pad_low` and `pad_high` are given with `explicit` and with it alone,
      and are 0 to 2^40.
    - (C6) the length of the input and of the result, where static, is 1 at
      least (and the input's 2^40 at most).

    Example:

    ```mlir
    // %x = [[[1, 2, 3, 4]]], %w = [[1, 10, 100]], %b = [0.5]
    %y = hyena.shortconv %x, %w bias(%b)
        : (tensor<1x1x4xf32>, tensor<1x3xf32>, tensor<1xf32>)
        -> tensor<1x1x4xf32>
    // %y = [[[100.5, 210.5, 321.5, 432.5]]]
    %z = hyena.shortconv %x, %w bias(%b) {padding = #hyena.padding<same>}
        : (tensor<1x1x4xf32>, tensor<1x3xf32>, tensor<1xf32>)
        -> tensor<1x1x4xf32>
    // %z = [[[210.5, 321.5, 432.5, 43.5]]]
    ```
  }];
  let arguments = (ins
    Arg<Hyena_RealTensor, "signal, (B, C, L) or (B, L, C)">:$input,
    Arg<Hyena_RealTensor, "taps, (G, K)">:$weight,
    Arg<Optional<Hyena_RealTensor>, "bias, (C)">:$bias,
    DefaultValuedAttr<Hyena_PaddingAttr, "Padding::Causal">:$padding,
    OptionalAttr<I64Attr>:$pad_low,
    OptionalAttr<I64Attr>:$pad_high,
    DefaultValuedAttr<Hyena_TapOrderAttr, "TapOrder::NewestLast">:$tap_order,
    DefaultValuedAttr<Hyena_LayoutAttr, "Layout::ChannelsFirst">:$layout);
  let results = (outs
    Res<Hyena_RealTensor, "filtered signal, in the input's layout">:$result);
  let assemblyFormat = [{
    $input `,` $weight (`bias` `(` $bias^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// Number of taps K.
    int64_t getNumTaps();
    /// Zeros in front of the signal: `low` of the formula.
    int64_t getLowPadding();
    int64_t getChannelDim() {
      return getLayout() == Layout::ChannelsLast ? 2 : 1;
    }
    int64_t getTimeDim() { return 3 - getChannelDim(); }
  }];
}

def Hyena_FFTConvOp : Hyena_InferredOp<"fftconv", [AttrSizedOperandSegments]> {
  let summary = "depthwise long convolution, filter as long as the signal";
  let description = [{
    With filter `h = filter[g(c), :]` of K taps, `g(c) = c div (C / G)`, and u
    zero outside 0 ... L-1:

    - `causal`: `y[n] = sum_{m <= n} h[n-m] u[m]`, h = 0 from K on
    - `bidirectional`: `sum_{m <= n} h[n-m] u[m] + sum_{m > n} r[m-n-1] u[m]`,
      `r = reverse[g(c), :]`: r[j] acts at lag -(j+1)
    - `noncausal`: `y[n] = sum_m h[n-m+lag0] u[m]`
    - `circular`: `y[n] = sum_j h[j] u[(n-j+lag0) mod L]`

    and `result = y + skip[s(c)] * u`, `s(c) = c div (C / S)`. `lag0` is the
    index of lag 0 in the filter, (K-1) div 2 unless given. The filter is stored
    lag 0 first; with `tap_order = newest_last` it is reversed. Taps that reach
    beyond the signal never act. The sum, skip included, is formed in the widest
    of f32 and the element types of input and filter; the result has the element
    type of the input.

    Constraints:
    - (C1) the input has rank 3 and its length, where static, is 1 to 2^40.
    - (C2) the filter is a static (G, K) matrix, K >= 1, and G divides C, which
      is static and 1 at least.
    - (C3) `reverse` is given with `bidirectional` and with it alone; it is a
      static (G, J) matrix, J >= 1.
    - (C4) the skip, if there is one, is a vector of S elements, S divides C.
    - (C5) filter, reverse and skip have one element type.
    - (C6) `lag0` is given with `noncausal` or `circular` only, and lies in
      0 ... K-1.
    - (C7) a `circular` filter has no more taps than the signal has samples.
    - (C8) `newest_last` is given with `causal` only.

    Example:

    ```mlir
    // %u = [[[1, 2, 3]]], %h = [[1, 10, 100]], %d = [1000]
    %y = hyena.fftconv %u, %h skip(%d)
        : (tensor<1x1x3xf32>, tensor<1x3xf32>, tensor<1xf32>)
        -> tensor<1x1x3xf32>
    // %y = [[[1001, 2012, 3123]]]
    %z = hyena.fftconv %u, %h {mode = #hyena.conv_mode<circular>, lag0 = 0 : i64}
        : (tensor<1x1x3xf32>, tensor<1x3xf32>) -> tensor<1x1x3xf32>
    // %z = [[[231, 312, 123]]]
    ```
  }];
  let arguments = (ins
    Arg<Hyena_RealTensor, "signal u, (B, C, L) or (B, L, C)">:$input,
    Arg<Hyena_RealTensor, "filter, (G, K)">:$filter,
    Arg<Optional<Hyena_RealTensor>, "filter of the negative lags, (G, J)">:$reverse,
    Arg<Optional<Hyena_RealTensor>, "weight of the signal itself, (S)">:$skip,
    DefaultValuedAttr<Hyena_ConvModeAttr, "ConvMode::Causal">:$mode,
    OptionalAttr<I64Attr>:$lag0,
    DefaultValuedAttr<Hyena_TapOrderAttr, "TapOrder::Lag0First">:$tap_order,
    DefaultValuedAttr<Hyena_LayoutAttr, "Layout::ChannelsFirst">:$layout);
  let results = (outs
    Res<Hyena_RealTensor, "convolved signal, in the input's layout">:$result);
  let assemblyFormat = [{
    $input `,` $filter (`reverse` `(` $reverse^ `)`)? (`skip` `(` $skip^ `)`)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// Number of stored taps K of the filter.
    int64_t getNumTaps();
    /// Index of lag 0 in the filter once `tap_order` is undone: 0 for causal
    /// and bidirectional filters.
    int64_t getLag0Index();
    int64_t getChannelDim() {
      return getLayout() == Layout::ChannelsLast ? 2 : 1;
    }
    int64_t getTimeDim() { return 3 - getChannelDim(); }
  }];
}

def Hyena_ModalFilterOp : Hyena_InferredOp<"modal_filter"> {
  let summary = "long filter as a sum of decaying exponentials";
  let description = [{
    `result[c,t] = Re sum_s residues[c,s] * p[c,s]^t`, t = 0 ... length-1, where
    p is `poles` with form `pole` and `exp(poles)` with form `log_pole`. Poles
    and residues are both complex (StripedHyena 1, H3) or both real
    (StripedHyena 2).

    Constraints:
    - (C1) poles and residues have one type and rank 2.
    - (C2) `length` is 1 to 2^40.

    Example:

    ```mlir
    // %poles = [[1, 0.5]], %residues = [[1, 2]]
    %h = hyena.modal_filter %poles, %residues {length = 4 : i64}
        : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
    // %h = [[3, 2, 1.5, 1.25]]
    ```
  }];
  let arguments = (ins
    Arg<Hyena_ModalTensor, "poles or their logarithms, (C, S)">:$poles,
    Arg<Hyena_ModalTensor, "residues, (C, S)">:$residues,
    I64Attr:$length,
    DefaultValuedAttr<Hyena_ModalFormAttr, "ModalForm::Pole">:$form);
  let results = (outs Res<Hyena_WideTensor, "filter, (C, length)">:$result);
  let assemblyFormat = [{
    $poles `,` $residues attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Decomposed forms
//===----------------------------------------------------------------------===//

def Hyena_PadOp : Hyena_InferredOp<"pad"> {
  let summary = "zeros before and after a signal";
  let description = [{
    Puts `low` zeros before and `high` zeros after dimension `dim`.

    Constraints:
    - (C1) `dim` lies within the rank of the input.
    - (C2) `low`, `high` and the dimension, where static, are 0 to 2^40.

    Example:

    ```mlir
    // %x = [[1, 2]]
    %y = hyena.pad %x {dim = 1 : i64, low = 1 : i64, high = 2 : i64}
        : (tensor<1x2xf32>) -> tensor<1x5xf32>
    // %y = [[0, 1, 2, 0, 0]]
    ```
  }];
  let arguments = (ins
    Arg<AnyRankedTensor, "signal">:$input,
    I64Attr:$dim, I64Attr:$low, I64Attr:$high);
  let results = (outs Res<AnyRankedTensor, "padded signal">:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Hyena_TruncateOp : Hyena_InferredOp<"truncate"> {
  let summary = "a contiguous part of a signal";
  let description = [{
    Keeps elements `offset` ... `offset + length - 1` of dimension `dim`.

    Constraints:
    - (C1) `dim` lies within the rank of the input.
    - (C2) `offset` is 0 to 2^40, `length` is 1 to 2^40, and `offset + length`
      is no more than the input's dimension.

    Example:

    ```mlir
    // %x = [[1, 2, 3, 4]]
    %y = hyena.truncate %x {dim = 1 : i64, offset = 1 : i64, length = 2 : i64}
        : (tensor<1x4xf32>) -> tensor<1x2xf32>
    // %y = [[2, 3]]
    ```
  }];
  let arguments = (ins
    Arg<AnyRankedTensor, "signal">:$input,
    I64Attr:$dim, DefaultValuedAttr<I64Attr, "0">:$offset, I64Attr:$length);
  let results = (outs Res<AnyRankedTensor, "part of the signal">:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Hyena_FlipOp : Hyena_InferredOp<"flip"> {
  let summary = "reverses a dimension";
  let description = [{
    `result[..., i, ...] = input[..., N-1-i, ...]` along dimension `dim` of
    extent N.

    Constraints:
    - (C1) `dim` lies within the rank of the input.

    Example:

    ```mlir
    // %x = [[1, 2, 3]]
    %y = hyena.flip %x {dim = 1 : i64} : (tensor<1x3xf32>) -> tensor<1x3xf32>
    // %y = [[3, 2, 1]]
    ```
  }];
  let arguments = (ins Arg<AnyRankedTensor, "signal">:$input, I64Attr:$dim);
  let results = (outs Res<AnyRankedTensor, "reversed signal">:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Hyena_RFFTOp : Hyena_InferredOp<"rfft"> {
  let summary = "discrete Fourier transform of a real signal";
  let description = [{
    `result[..., k] = sum_{m < n} x[..., m] exp(-2 pi i k m / n)`,
    k = 0 ... n div 2, where x is the input with its last dimension cut or
    padded with zeros to n. No scaling.

    Constraints:
    - (C1) the input has rank 1 at least.
    - (C2) `n` is 1 to 2^40.

    Example:

    ```mlir
    // %x = [[1, 2]]
    %s = hyena.rfft %x {n = 4 : i64}
        : (tensor<1x2xf32>) -> tensor<1x3xcomplex<f32>>
    // %s = [[(3, 0), (1, -2), (-1, 0)]]
    ```
  }];
  let arguments = (ins
    Arg<Hyena_WideTensor, "signal, (..., L)">:$input, I64Attr:$n);
  let results = (outs
    Res<Hyena_ComplexTensor, "spectrum, (..., n div 2 + 1)">:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}

def Hyena_SpectralMulOp : Hyena_InferredOp<"spectral_mul"> {
  let summary = "product of two spectra";
  let description = [{
    `result[b,c,k] = lhs[b,c,k] * rhs[c div (C / G), k]` for a (G, F) right-hand
    side, or elementwise for two spectra of one shape.

    Constraints:
    - (C1) both sides have one element type.
    - (C2) the right-hand side has the shape of the left one, or is (G, F)
      beside (B, C, F) with G dividing C.

    Example:

    ```mlir
    // %x = [[[(1, 1), (0, 2)]]], %h = [[(2, 0), (0, 1)]]
    %y = hyena.spectral_mul %x, %h
        : (tensor<1x1x2xcomplex<f32>>, tensor<1x2xcomplex<f32>>)
        -> tensor<1x1x2xcomplex<f32>>
    // %y = [[[(2, 2), (-2, 0)]]]
    ```
  }];
  let arguments = (ins
    Arg<Hyena_ComplexTensor, "spectrum of the signal, (B, C, F)">:$lhs,
    Arg<Hyena_ComplexTensor, "spectrum of the filter, (G, F) or (B, C, F)">:$rhs);
  let results = (outs Res<Hyena_ComplexTensor, "product, (B, C, F)">:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` functional-type(operands, results)
  }];
}

def Hyena_IRFFTOp : Hyena_InferredOp<"irfft"> {
  let summary = "inverse of `hyena.rfft`";
  let description = [{
    `result[..., m] = 1/n sum_{k < n} X[..., k] exp(2 pi i k m / n)`,
    m = 0 ... n-1, where X is the input, continued to n values by
    `X[n-k] = conj X[k]`; the imaginary parts of X[0], and of X[n/2] for an even
    n, are ignored.

    Constraints:
    - (C1) `n` is 1 to 2^40.
    - (C2) the last dimension of the input is n div 2 + 1.

    Example:

    ```mlir
    // %s = [[(3, 0), (1, -2), (-1, 0)]]
    %y = hyena.irfft %s {n = 4 : i64}
        : (tensor<1x3xcomplex<f32>>) -> tensor<1x4xf32>
    // %y = [[1, 2, 0, 0]]
    ```
  }];
  let arguments = (ins
    Arg<Hyena_ComplexTensor, "spectrum, (..., n div 2 + 1)">:$input, I64Attr:$n);
  let results = (outs Res<Hyena_WideTensor, "signal, (..., n)">:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}

#endif // HYENA_DIALECT_HYENA_IR_HYENAOPS_TD
