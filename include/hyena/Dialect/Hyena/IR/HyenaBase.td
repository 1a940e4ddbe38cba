//===- HyenaBase.td - The hyena dialect, its attributes ----*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_DIALECT_HYENA_IR_HYENABASE_TD
#define HYENA_DIALECT_HYENA_IR_HYENABASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

def Hyena_Dialect : Dialect {
  let name = "hyena";
  let cppNamespace = "::mlir::hyena";
  let summary = "Long-convolution operators and their fused form";
  let description = [{
    Operators of the Hyena family of long-convolution models (Hyena, HyenaDNA,
    Monarch Mixer, H3, StripedHyena, Evo) on tensors, at two levels.

    The *graph* level says what a model computes: linear layers, streams, short
    depthwise convolutions, long convolutions and gates, next to whatever
    `arith`, `math`, `linalg` and `tensor` operations surround them. Front ends
    that only know FFTs produce the *decomposed* forms (`hyena.rfft` and so on),
    which `hyena-raise` turns into `hyena.fftconv`.

    The *fused* level has one operation, `hyena.fused_conv`: a long convolution
    with a scalar prologue and a scalar epilogue, into which everything
    pointwise around the convolution disappears.

    Throughout, B is the batch, L the sequence length (time) and C or D a number
    of channels. B and L may be dynamic (`?`), channel and tap counts may not.
    Outside 0 ... L-1 every signal is zero. Element types are f16, bf16, f32 and
    f64; arithmetic is carried out in f32 at least.

    Every operation numbers its constraints, and an error cites the number of
    the one that is broken. Where a result's type follows from the operands
    there is one more, (C0): the written type has the element type and the
    extents that are inferred, an extent that either side does not know aside.

    A function argument with the unit attribute `hyena.param` is a parameter of
    the model: what depends on parameters alone may be computed once.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class Hyena_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Hyena_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

class Hyena_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::mlir::hyena";
}

def Hyena_Layout : Hyena_I32Enum<"Layout",
    "order of the dimensions of a (batch, time, channel) activation", [
      I32EnumAttrCase<"ChannelsLast", 0, "channels_last">,
      I32EnumAttrCase<"ChannelsFirst", 1, "channels_first">]>;
def Hyena_LayoutAttr : Hyena_EnumAttr<Hyena_Layout, "layout">;

def Hyena_Arrangement : Hyena_I32Enum<"Arrangement",
    "where channel c of stream s of S streams of D channels is stored", [
      // s * D + c
      I32EnumAttrCase<"Blocks", 0, "blocks">,
      // (c div hd) * S * hd + s * hd + (c mod hd), hd = D / heads
      I32EnumAttrCase<"PerHead", 1, "per_head">,
      // S * c + s
      I32EnumAttrCase<"Interleaved", 2, "interleaved">]>;
def Hyena_ArrangementAttr : Hyena_EnumAttr<Hyena_Arrangement, "arrangement">;

def Hyena_Padding : Hyena_I32Enum<"Padding",
    "zeros around the input of a short convolution", [
      I32EnumAttrCase<"Causal", 0, "causal">,
      I32EnumAttrCase<"Same", 1, "same">,
      I32EnumAttrCase<"Explicit", 2, "explicit">]>;
def Hyena_PaddingAttr : Hyena_EnumAttr<Hyena_Padding, "padding">;

def Hyena_TapOrder : Hyena_I32Enum<"TapOrder",
    "which end of a stored filter acts on the newest sample", [
      I32EnumAttrCase<"NewestLast", 0, "newest_last">,
      I32EnumAttrCase<"Lag0First", 1, "lag0_first">]>;
def Hyena_TapOrderAttr : Hyena_EnumAttr<Hyena_TapOrder, "tap_order">;

def Hyena_ConvMode : Hyena_I32Enum<"ConvMode",
    "which lags a long convolution has, and what lies outside the signal", [
      I32EnumAttrCase<"Causal", 0, "causal">,
      I32EnumAttrCase<"Bidirectional", 1, "bidirectional">,
      I32EnumAttrCase<"NonCausal", 2, "noncausal">,
      I32EnumAttrCase<"Circular", 3, "circular">]>;
def Hyena_ConvModeAttr : Hyena_EnumAttr<Hyena_ConvMode, "conv_mode">;

def Hyena_ModalForm : Hyena_I32Enum<"ModalForm",
    "how the poles of a modal filter are stored", [
      I32EnumAttrCase<"Pole", 0, "pole">,
      I32EnumAttrCase<"LogPole", 1, "log_pole">]>;
def Hyena_ModalFormAttr : Hyena_EnumAttr<Hyena_ModalForm, "modal_form">;

//===----------------------------------------------------------------------===//
// Attributes of the fused level
//===----------------------------------------------------------------------===//

def Hyena_AccessAttr : AttrDef<Hyena_Dialect, "Access"> {
  let mnemonic = "access";
  let summary = "a scalar that a fused convolution reads at each (b, c, l)";
  let description = [{
    Names an operand of `hyena.fused_conv` and the element that is read at batch
    b, channel c and time l: an affine map (b, c, l) -> indices of the operand.
    A tap of a short convolution is a map with `l - 1`, a channel view one with
    `c + 256`, a grouped weight one with `c floordiv 4`, a mask `(b, l)`, a
    per-channel vector `(c)`, a scalar `()`. An element outside the operand
    reads as zero.

    Example: `#hyena.access<0, (b, c, l) -> (b, l - 1, c + 256)>`.
  }];
  let parameters = (ins "int64_t":$operand, "::mlir::AffineMap":$map);
  let assemblyFormat = "`<` $operand `,` $map `>`";
}

def Hyena_FFTPlanAttr : AttrDef<Hyena_Dialect, "FFTPlan"> {
  let mnemonic = "fft_plan";
  let summary = "a plan of the right-angle convolution's transform";
  let description = [{
    The complex length M of the transform, its factors from the first pass to
    the leaf (their product is M), and the number of channels that one vector
    holds. The plan fixes the order in which a spectrum is stored.

    Example: `#hyena.fft_plan<length = 2048, factors = [8, 4, 8, 8], lanes = 16>`.
  }];
  let parameters = (ins "int64_t":$length,
                        ArrayRefParameter<"int64_t">:$factors,
                        "int64_t":$lanes);
  let assemblyFormat = [{
    `<` `length` `=` $length `,` `factors` `=` `[` $factors `]` `,`
        `lanes` `=` $lanes `>`
  }];
  let genVerifyDecl = 1;
}

#endif // HYENA_DIALECT_HYENA_IR_HYENABASE_TD
