//===- Passes.td - Passes from hyena to hyena --------------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_DIALECT_HYENA_TRANSFORMS_PASSES_TD
#define HYENA_DIALECT_HYENA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Raise and decompose
//===----------------------------------------------------------------------===//

def HyenaRaise : Pass<"hyena-raise"> {
  let summary = "Turn transforms, slices and products into hyena operations";
  let description = [{
    Front ends say what a framework's code says: products of transforms, slices,
    copies, matrix products. This pass finds the operators in it, so that all
    later passes see one spelling. `hyena-decompose` is its inverse: a long or
    short convolution that is decomposed and raised is the same operation again.

    Before, PyTorch's `irfft(rfft(u, 16) * rfft(h, 16), 16)[..., :8] + d * u`:

    ```mlir
    func.func @conv(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>, %d: tensor<4xf32>)
        -> tensor<2x4x8xf32> {
      %us = hyena.rfft %u {n = 16 : i64}
          : (tensor<2x4x8xf32>) -> tensor<2x4x9xcomplex<f32>>
      %hs = hyena.rfft %h {n = 16 : i64}
          : (tensor<4x8xf32>) -> tensor<4x9xcomplex<f32>>
      %product = hyena.spectral_mul %us, %hs
          : (tensor<2x4x9xcomplex<f32>>, tensor<4x9xcomplex<f32>>)
          -> tensor<2x4x9xcomplex<f32>>
      %whole = hyena.irfft %product {n = 16 : i64}
          : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
      %y = tensor.extract_slice %whole[0, 0, 0] [2, 4, 8] [1, 1, 1]
          : tensor<2x4x16xf32> to tensor<2x4x8xf32>
      %ds = hyena.broadcast %d like %u {dims = array<i64: 1>}
          : (tensor<4xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
      %du = arith.mulf %ds, %u : tensor<2x4x8xf32>
      %sum = arith.addf %y, %du : tensor<2x4x8xf32>
      return %sum : tensor<2x4x8xf32>
    }
    ```

    After:

    ```mlir
    func.func @conv(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>, %d: tensor<4xf32>)
        -> tensor<2x4x8xf32> {
      %y = hyena.fftconv %u, %h skip(%d)
          : (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<4xf32>)
          -> tensor<2x4x8xf32>
      return %y : tensor<2x4x8xf32>
    }
    ```

    Before, streams, a padded depthwise convolution that is cut, and a gate:

    ```mlir
    func.func @streams(%p: tensor<2x8x8xf32>, %w: tensor<4x3xf32>,
                       %h: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
      %a = tensor.extract_slice %p[0, 0, 0] [2, 4, 8] [1, 1, 1]
          : tensor<2x8x8xf32> to tensor<2x4x8xf32>
      %b = tensor.extract_slice %p[0, 4, 0] [2, 4, 8] [1, 1, 1]
          : tensor<2x8x8xf32> to tensor<2x4x8xf32>
      %zero = arith.constant 0.0 : f32
      %padded = tensor.pad %b low[0, 0, 2] high[0, 0, 2] {
      ^bb0(%i: index, %j: index, %k: index):
        tensor.yield %zero : f32
      } : tensor<2x4x8xf32> to tensor<2x4x12xf32>
      %e = tensor.empty() : tensor<2x4x10xf32>
      %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x10xf32>)
          -> tensor<2x4x10xf32>
      %whole = linalg.depthwise_conv_1d_ncw_cw
          {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
          ins(%padded, %w : tensor<2x4x12xf32>, tensor<4x3xf32>)
          outs(%zeros : tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
      %s = tensor.extract_slice %whole[0, 0, 0] [2, 4, 8] [1, 1, 1]
          : tensor<2x4x10xf32> to tensor<2x4x8xf32>
      %y = hyena.fftconv %a, %h
          : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
      %g = arith.mulf %y, %s : tensor<2x4x8xf32>
      return %g : tensor<2x4x8xf32>
    }
    ```

    After:

    ```mlir
    func.func @streams(%p: tensor<2x8x8xf32>, %w: tensor<4x3xf32>,
                       %h: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
      %s:2 = hyena.chunk %p {layout = #hyena.layout<channels_first>}
          : (tensor<2x8x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>)
      %g = hyena.shortconv %s#1, %w
          : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
      %y = hyena.fftconv %s#0, %h
          : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
      %z = hyena.gate %y, %g
          : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
      return %z : tensor<2x4x8xf32>
    }
    ```

    Of products of transforms, `irfft(rfft(u, n) * rfft(h, n), n)` for a signal
    u of L samples, (B, C, L), and a filter h of K taps, (G, K), both static,
    cut to values o, o + 1, ...:

    - causal: o = 0 and n >= L + K - 1;
    - a cut of the causal or bidirectional one, if all values that are kept are
      within the first L;
    - noncausal with `lag0 = min(o, K - 1)`: o + n >= L + K - 1;
    - bidirectional: o = 0 and h is pad(f) + pad(flip(r)) or concat(f, flip(r)),
      r at the end of the n values, f of K and r of J taps, n >= L + J and
      n >= L + K - 1;
    - circular: n = L, not cut; concat(y[o:], y[:o]) of it sets `lag0`;
    - otherwise the product wraps around onto the result: it is left alone, and
      a remark says how many points it needs.

    The product may be `hyena.spectral_mul`, with the filter's spectrum grouped
    or repeated, or a `linalg.generic` of `complex.mul`; zeros may be implicit
    (n) or written (`hyena.pad`, `tensor.pad`, `tensor.concat`).

    Into a long convolution: a skip (`d * u` added, in f32 or f64, where u is
    its own input), a flipped filter (causal alone: `tap_order`), repeated rows
    of a filter (groups; of a short one too), transpositions before and after
    (`layout`), casts before and after that do not change the type in which the
    sum is formed; products with it or in front of it become `hyena.gate`.

    Besides:
    - `tensor.extract_slice`: slices of equal width that together are all
      channels, reshaped per head or not, become `hyena.chunk`, other slices of
      rank 3 without strides `hyena.truncate`; `tensor.pad` with 0.0, and `tensor.concat` with zeros,
      `hyena.pad`;
    - linalg operations that only move elements: nothing, `hyena.transpose` (the
      last two dimensions) or `hyena.broadcast`;
    - linalg operations of one or two products and sums: `arith` on tensors;
    - `linalg.depthwise_conv_1d_ncw_cw` and `_nwc_wc` of stride and dilation 1:
      `hyena.shortconv`, its padding and cuts included;
    - contractions of the last dimension with a static matrix, f32 or f64:
      `hyena.project`, without reshapes around it that merge and split rows; a
      sum that begins with a repeated vector, or a repeated
      vector that is added, is the bias of either.

    Numerics: a convolution that was a product of transforms of n points may be
    computed otherwise, and the order of a sum's terms may change; no value is
    rounded to a narrower type than before.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::hyena::HyenaDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def HyenaDecompose : Pass<"hyena-decompose"> {
  let summary = "Turn convolutions into transforms, pads and cuts";
  let description = [{
    Writes long convolutions with transforms, as a framework's code would, and
    short ones with explicit zeros: for comparison, for libraries that have
    transforms alone, and as the inverse of `hyena-raise`.

    Before:

    ```mlir
    func.func @conv(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>, %w: tensor<4x3xf32>)
        -> tensor<2x4x8xf32> {
      %s = hyena.shortconv %u, %w
          : (tensor<2x4x8xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
      %y = hyena.fftconv %s, %h
          : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
      return %y : tensor<2x4x8xf32>
    }
    ```

    After:

    ```mlir
    func.func @conv(%u: tensor<2x4x8xf32>, %h: tensor<4x8xf32>, %w: tensor<4x3xf32>)
        -> tensor<2x4x8xf32> {
      %p = hyena.pad %u {dim = 2 : i64, low = 2 : i64, high = 0 : i64}
          : (tensor<2x4x8xf32>) -> tensor<2x4x10xf32>
      %s = hyena.shortconv %p, %w {padding = #hyena.padding<explicit>,
                                   pad_low = 0 : i64, pad_high = 0 : i64}
          : (tensor<2x4x10xf32>, tensor<4x3xf32>) -> tensor<2x4x8xf32>
      %ss = hyena.rfft %s {n = 16 : i64}
          : (tensor<2x4x8xf32>) -> tensor<2x4x9xcomplex<f32>>
      %hs = hyena.rfft %h {n = 16 : i64}
          : (tensor<4x8xf32>) -> tensor<4x9xcomplex<f32>>
      %product = hyena.spectral_mul %ss, %hs
          : (tensor<2x4x9xcomplex<f32>>, tensor<4x9xcomplex<f32>>)
          -> tensor<2x4x9xcomplex<f32>>
      %whole = hyena.irfft %product {n = 16 : i64}
          : (tensor<2x4x9xcomplex<f32>>) -> tensor<2x4x16xf32>
      %y = hyena.truncate %whole {dim = 2 : i64, length = 8 : i64}
          : (tensor<2x4x16xf32>) -> tensor<2x4x8xf32>
      return %y : tensor<2x4x8xf32>
    }
    ```

    - `hyena.fftconv` of L samples and K taps (J in `reverse`): the transforms
      have L + K points (causal, noncausal), L + max(K, J) (bidirectional: r[j]
      is put at the end, at position n - 1 - j) or L (circular), and the result
      is cut at `lag0`, or rotated by it. Skip, tap order, layout and casts
      become operations. L must be static; where it is not, or the transform
      would be larger than 2^40, the operation stays and a remark says why.
    - `hyena.shortconv`: the padding becomes `hyena.pad`, the tap order
      `hyena.flip`.

    Numerics: the sum is formed by transforms in the same type (f32 or f64).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::hyena::HyenaDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

def HyenaFuse : Pass<"hyena-fuse"> {
  let summary = "Fuse long convolutions with everything pointwise around them";
  let description = [{
    Turns every `hyena.fftconv` into a `hyena.fused_conv` that computes what
    stands in front of it in its prologue and what stands behind it in its
    epilogue. Numbers change only as sums are formed in another order; what the
    graph rounds (`arith.truncf`, half-precision results) is rounded there too.

    Fused are elementwise operations of `arith` and `math`, `hyena.gate`,
    `hyena.broadcast`, `hyena.shortconv` in every variant, casts, constants with
    one value, `linalg` operations whose loops are all parallel; and as views
    `hyena.chunk`, `transpose`, `pad`, `truncate`, `flip` (of channels),
    `tensor.cast`, `expand_shape`, `collapse_shape` and `extract_slice`. The skip
    of a convolution goes into its epilogue.

    - *In front.* Each element is followed back to stored tensors. Where a tap
      or a pad reads beyond the end of something computed, which need not be
      zero there (a bias, a signal that was cut), it is guarded by a table of
      ones as long as the signal; where the length is dynamic, the computed
      signal is kept in memory instead.
    - *Behind.* A tensor is a result of the last convolution that it depends on
      if it has that convolution's shape, in any order of dimensions, and nothing
      else that it needs waits for that convolution. Several results are
      possible, the convolution's own and its input among them.
    - *Cuts.* `hyena.truncate` of a causal convolution's result moves in front of
      it, through pointwise operations, if nothing reads what is cut off.
    - *Parameters.* What depends on parameters (`hyena.param`) and constants
      alone is not computed again for each element: it stays an operation, which
      `hyena-hoist-params` moves.

    Which tensors are kept in memory is decided over the whole block: a local
    search tries to keep or to compute again each tensor that several
    convolutions need, that crosses from one to another, or that is read by taps,
    and compares the bytes that all operations together move. Each view of an
    operand counts once, shifts in time not at all; an operation that is left
    pays for being a pass of its own; arithmetic counts a tenth of a byte.

    Every fused convolution is a passed remark. Every tensor that stays in memory
    for one, and every operation that needs a convolution but stays alone, is a
    missed remark with reason and suggestion (`--remarks-filter=hyena-fuse`).

    Before:

    ```mlir
    func.func @mix(%p: tensor<2x64x32xf32>, %w: tensor<16x2xf32>,
                   %h: tensor<16x64xf32>) -> tensor<2x64x16xf32> {
      %v, %g = hyena.chunk %p
          : (tensor<2x64x32xf32>) -> (tensor<2x64x16xf32>, tensor<2x64x16xf32>)
      %vt = hyena.transpose %v : (tensor<2x64x16xf32>) -> tensor<2x16x64xf32>
      %gt = hyena.transpose %g : (tensor<2x64x16xf32>) -> tensor<2x16x64xf32>
      %s = hyena.shortconv %gt, %w
          : (tensor<2x16x64xf32>, tensor<16x2xf32>) -> tensor<2x16x64xf32>
      %y = hyena.fftconv %vt, %h
          : (tensor<2x16x64xf32>, tensor<16x64xf32>) -> tensor<2x16x64xf32>
      %z = hyena.gate %y, %s
          : (tensor<2x16x64xf32>, tensor<2x16x64xf32>) -> tensor<2x16x64xf32>
      %r = hyena.transpose %z : (tensor<2x16x64xf32>) -> tensor<2x64x16xf32>
      return %r : tensor<2x64x16xf32>
    }
    ```

    After:

    ```mlir
    func.func @mix(%p: tensor<2x64x32xf32>, %w: tensor<16x2xf32>,
                   %h: tensor<16x64xf32>) -> tensor<2x64x16xf32> {
      %r = hyena.fused_conv ins(%p, %w : tensor<2x64x32xf32>, tensor<16x2xf32>)
          filter(%h : tensor<16x64xf32>)
          accesses [#hyena.access<0, (b, c, l) -> (b, l, c)>,
                    #hyena.access<1, (b, c, l) -> (c, 0)>,
                    #hyena.access<0, (b, c, l) -> (b, l - 1, c + 16)>,
                    #hyena.access<1, (b, c, l) -> (c, 1)>,
                    #hyena.access<0, (b, c, l) -> (b, l, c + 16)>]
          results [affine_map<(b, c, l) -> (b, l, c)>]
          prologue {
          ^bb0(%v: f32, %w0: f32, %g1: f32, %w1: f32, %g0: f32):
            hyena.yield %v : f32
          } epilogue {
          ^bb0(%y: f32, %u: f32,
               %v: f32, %w0: f32, %g1: f32, %w1: f32, %g0: f32):
            %0 = arith.mulf %w0, %g1 : f32
            %1 = arith.mulf %w1, %g0 : f32
            %2 = arith.addf %0, %1 : f32
            %3 = arith.mulf %y, %2 : f32
            hyena.yield %3 : f32
          } : tensor<2x64x16xf32>
      return %r : tensor<2x64x16xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::hyena::HyenaDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def HyenaIsolate : Pass<"hyena-isolate"> {
  let summary = "Give long convolutions the fused form without fusing anything";
  let description = [{
    Every `hyena.fftconv` becomes a `hyena.fused_conv` that reads its input,
    writes its result, and takes in nothing but its skip. Whatever stands around
    it stays. This is the unfused program that a fused one is compared with, and
    `hyena-to-fused=fuse=false` is a pipeline with this pass in place of
    `hyena-fuse`. Numerics do not change.

    Before:

    ```mlir
    func.func @f(%u: tensor<1x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<1x4x8xf32> {
      %y = hyena.fftconv %u, %h
          : (tensor<1x4x8xf32>, tensor<4x8xf32>) -> tensor<1x4x8xf32>
      return %y : tensor<1x4x8xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%u: tensor<1x4x8xf32>, %h: tensor<4x8xf32>) -> tensor<1x4x8xf32> {
      %y = hyena.fused_conv ins(%u : tensor<1x4x8xf32>)
          filter(%h : tensor<4x8xf32>)
          accesses [#hyena.access<0, (b, c, l) -> (b, c, l)>]
          results [affine_map<(b, c, l) -> (b, c, l)>]
          prologue {
          ^bb0(%a: f32):
            hyena.yield %a : f32
          } epilogue {
          ^bb0(%c: f32, %s: f32, %a: f32):
            hyena.yield %c : f32
          } : tensor<1x4x8xf32>
      return %y : tensor<1x4x8xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::hyena::HyenaDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Parameters, plans, layouts
//===----------------------------------------------------------------------===//

def HyenaPlanConv : Pass<"hyena-plan-conv"> {
  let summary = "Choose transforms and pack filters into spectra";
  let description = [{
    Gives every `hyena.fused_conv` that holds its filter as taps a plan, the
    length and the factors of its transform, and makes the spectrum of the filter
    an operation of its own, `hyena.pack_filter`, which depends on parameters
    alone. Mode, lag 0 and tap order are folded into the spectrum. Numbers do not
    change until the plan is carried out: sums become transforms then.

    The length M is the smallest of the form 2^a * {1, 3, 5, 7, 9, 15} and of
    the lowest cost at which a circle of 2M samples holds the signal and every
    lag: 2M >= L + max(K - 1, J) for K past and J future taps that act within L
    samples. A vector holds `lanes` channels of f32, or half as many of f64.

    The length of the signal must be static; a dynamic one is an error. The batch
    may be dynamic.

    Before:

    ```mlir
    func.func @convolve(%u: tensor<2x64x16xf32>, %h: tensor<16x64xf32>)
        -> tensor<2x64x16xf32> {
      %y = hyena.fused_conv ins(%u : tensor<2x64x16xf32>)
          filter(%h : tensor<16x64xf32>)
          accesses [#hyena.access<0, (b, c, l) -> (b, l, c)>]
          results [affine_map<(b, c, l) -> (b, l, c)>]
          prologue {
          ^bb0(%a: f32):
            hyena.yield %a : f32
          } epilogue {
          ^bb0(%c: f32, %s: f32, %a: f32):
            hyena.yield %c : f32
          } : tensor<2x64x16xf32>
      return %y : tensor<2x64x16xf32>
    }
    ```

    After:

    ```mlir
    func.func @convolve(%u: tensor<2x64x16xf32>, %h: tensor<16x64xf32>)
        -> tensor<2x64x16xf32> {
      %spectrum = hyena.pack_filter %h {channels = 16 : i64,
            plan = #hyena.fft_plan<length = 64, factors = [8, 8], lanes = 16>,
            signal_length = 64 : i64}
          : (tensor<16x64xf32>) -> tensor<1x64x2x16xf32>
      %y = hyena.fused_conv ins(%u : tensor<2x64x16xf32>)
          spectrum(%spectrum : tensor<1x64x2x16xf32>)
          accesses [#hyena.access<0, (b, c, l) -> (b, l, c)>]
          results [affine_map<(b, c, l) -> (b, l, c)>]
          {plan = #hyena.fft_plan<length = 64, factors = [8, 8], lanes = 16>}
          prologue {
          ^bb0(%a: f32):
            hyena.yield %a : f32
          } epilogue {
          ^bb0(%c: f32, %s: f32, %a: f32):
            hyena.yield %c : f32
          } : tensor<2x64x16xf32>
      return %y : tensor<2x64x16xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::hyena::HyenaDialect"];
  let options = [
    Option<"lanes", "lanes", "int64_t", "16",
           "Channels that one vector of f32 holds (of f64: half as many)">,
    Option<"maxRadix", "max-radix", "int64_t", "8",
           "Largest factor of a transform that is a power of two">
  ];
}

def HyenaAssignLayout : Pass<"hyena-assign-layout"> {
  let summary = "Lay tensors out as the target reads and writes them";
  let description = [{
    A tensor that a `hyena.project` or a `hyena.fused_conv` makes, and that none
    but accesses of fused convolutions and projections read, may have any layout.
    The pass gives it the target's. Numbers do not change.

    - `cpu`: `channels_last`, as the lanes of a vector are channels. Where the
      streams of a projection are not blocks (`per_head`, `interleaved`), the rows
      of its weight and of its bias are reordered so that each stream's channels
      are neighbours: work on parameters, in place of gathering elements at each
      step.
    - `gpu`: `channels_first`, as the threads of a block are samples.

    A projection that something else reads keeps its layout: a missed remark.

    Before:

    ```mlir
    func.func @layer(%x: tensor<2x64x8xf32>, %w: tensor<16x8xf32>,
                     %h: tensor<8x64xf32>) -> tensor<2x8x64xf32> {
      %p = hyena.project %x, %w {result_layout = #hyena.layout<channels_first>}
          : (tensor<2x64x8xf32>, tensor<16x8xf32>) -> tensor<2x16x64xf32>
      %y = hyena.fused_conv ins(%p : tensor<2x16x64xf32>)
          filter(%h : tensor<8x64xf32>)
          accesses [#hyena.access<0, (b, c, l) -> (b, c * 2, l)>,
                    #hyena.access<0, (b, c, l) -> (b, c * 2 + 1, l)>]
          results [affine_map<(b, c, l) -> (b, c, l)>]
          prologue {
          ^bb0(%v: f32, %g: f32):
            hyena.yield %v : f32
          } epilogue {
          ^bb0(%c: f32, %u: f32, %v: f32, %g: f32):
            %z = arith.mulf %c, %g : f32
            hyena.yield %z : f32
          } : tensor<2x8x64xf32>
      return %y : tensor<2x8x64xf32>
    }
    ```

    After:

    ```mlir
    func.func @layer(%x: tensor<2x64x8xf32>, %w: tensor<16x8xf32>,
                     %h: tensor<8x64xf32>) -> tensor<2x8x64xf32> {
      %parts = tensor.expand_shape %w [[0, 1], [2]] output_shape [8, 2, 8]
          : tensor<16x8xf32> into tensor<8x2x8xf32>
      %memory = tensor.empty() : tensor<2x8x8xf32>
      %moved = linalg.generic {
          indexing_maps = [affine_map<(s, d, i) -> (d, s, i)>,
                           affine_map<(s, d, i) -> (s, d, i)>],
          iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%parts : tensor<8x2x8xf32>) outs(%memory : tensor<2x8x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x8x8xf32>
      %rows = tensor.collapse_shape %moved [[0, 1], [2]]
          : tensor<2x8x8xf32> into tensor<16x8xf32>
      %p = hyena.project %x, %rows
          : (tensor<2x64x8xf32>, tensor<16x8xf32>) -> tensor<2x64x16xf32>
      %y = hyena.fused_conv ins(%p : tensor<2x64x16xf32>)
          filter(%h : tensor<8x64xf32>)
          accesses [#hyena.access<0, (b, c, l) -> (b, l, c)>,
                    #hyena.access<0, (b, c, l) -> (b, l, c + 8)>]
          results [affine_map<(b, c, l) -> (b, c, l)>]
          prologue {
          ^bb0(%v: f32, %g: f32):
            hyena.yield %v : f32
          } epilogue {
          ^bb0(%c: f32, %u: f32, %v: f32, %g: f32):
            %z = arith.mulf %c, %g : f32
            hyena.yield %z : f32
          } : tensor<2x8x64xf32>
      return %y : tensor<2x8x64xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::hyena::HyenaDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"",
           "cpu: channels next to one another; gpu: samples">
  ];
}

def HyenaHoistParams : Pass<"hyena-hoist-params", "::mlir::ModuleOp"> {
  let summary = "Split a function into what parameters decide and the rest";
  let description = [{
    Splits a function that has arguments marked `hyena.param` into a function
    `@prepare`, which computes everything that depends on parameters and
    constants alone, and `@forward`, which does the rest. If several functions of
    the module have such arguments, they become `@NAME_prepare` and
    `@NAME_forward`. Numbers do not change.

    - `@prepare` takes all parameters, in their order, and returns the *packed*
      values: those that `@forward` reads, in the order in which they are made.
    - `@forward` takes the arguments that are no parameters, in their order, then
      the parameters that it reads as they are (still marked `hyena.param`), then
      the packed values (marked `hyena.packed`).

    Both carry `hyena.entry`, the name of the function that they come from,
    `hyena.role`, which is `"prepare"` or `"forward"`, and `hyena.sources`, where
    each of their arguments comes from: `i >= 0` is argument i of that function,
    `-1 - i` is result i of `@prepare`.

    Constants, `tensor.empty`, and what only repeats a smaller tensor
    (`hyena.broadcast`, `linalg.fill`, a `linalg` operation that copies) are done
    again in `@forward` instead of being packed.

    A function without such arguments stays as it is; so does, with a missed
    remark, one that something refers to. Taken names are an error.

    Before:

    ```mlir
    func.func @layer(%x: tensor<2x64x16xf32>, %t: tensor<64x4xf32> {hyena.param},
                     %w: tensor<16x4xf32> {hyena.param},
                     %d: tensor<16xf32> {hyena.param}) -> tensor<2x64x16xf32> {
      %f = hyena.project %t, %w
          : (tensor<64x4xf32>, tensor<16x4xf32>) -> tensor<64x16xf32>
      %h = hyena.transpose %f : (tensor<64x16xf32>) -> tensor<16x64xf32>
      %y = hyena.fftconv %x, %h skip(%d) {layout = #hyena.layout<channels_last>}
          : (tensor<2x64x16xf32>, tensor<16x64xf32>, tensor<16xf32>)
          -> tensor<2x64x16xf32>
      return %y : tensor<2x64x16xf32>
    }
    ```

    After:

    ```mlir
    func.func @prepare(%t: tensor<64x4xf32> {hyena.param},
                       %w: tensor<16x4xf32> {hyena.param},
                       %d: tensor<16xf32> {hyena.param}) -> tensor<16x64xf32>
        attributes {hyena.entry = "layer", hyena.role = "prepare",
                    hyena.sources = array<i64: 1, 2, 3>} {
      %f = hyena.project %t, %w
          : (tensor<64x4xf32>, tensor<16x4xf32>) -> tensor<64x16xf32>
      %h = hyena.transpose %f : (tensor<64x16xf32>) -> tensor<16x64xf32>
      return %h : tensor<16x64xf32>
    }
    func.func @forward(%x: tensor<2x64x16xf32>, %d: tensor<16xf32> {hyena.param},
                       %h: tensor<16x64xf32> {hyena.packed})
        -> tensor<2x64x16xf32>
        attributes {hyena.entry = "layer", hyena.role = "forward",
                    hyena.sources = array<i64: 0, 3, -1>} {
      %y = hyena.fftconv %x, %h skip(%d) {layout = #hyena.layout<channels_last>}
          : (tensor<2x64x16xf32>, tensor<16x64xf32>, tensor<16xf32>)
          -> tensor<2x64x16xf32>
      return %y : tensor<2x64x16xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // HYENA_DIALECT_HYENA_TRANSFORMS_PASSES_TD
