//===- hyena_decomposed.mlir - The reference operator, as PyTorch spells it ===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operator of hyena.mlir without a single convolution in it: what a front
// end sees that only knows what the PyTorch code says.
//
//   v, g0, g1 = in_proj(x).chunk(3, dim=-1)     each .transpose(1, 2).contiguous()
//   g         = conv1d(g, padding=1, groups=D)[..., :L]
//   y         = irfft(rfft(v, n=2L) * rfft(h, n=2L)[None], n=2L)[..., :L]
//   out       = out_proj((y * g0 * g1).transpose(1, 2))
//
// `hyena-opt --hyena-raise` turns it into the operations of hyena.mlir.
//
//===----------------------------------------------------------------------===//

!rows = tensor<2x2048x256xf32>                  // (batch, time, channel)
!stream = tensor<2x256x2048xf32>                // (batch, channel, time)
!spectrum = tensor<2x256x2049xcomplex<f32>>     // of 4096 samples

func.func @hyena(
    %x: !rows,
    %pos: tensor<2048x1xf32> {hyena.param},
    %w_in: tensor<768x256xf32> {hyena.param},
    %b_in: tensor<768xf32> {hyena.param},
    %short0_w: tensor<256x3xf32> {hyena.param},
    %short0_b: tensor<256xf32> {hyena.param},
    %short1_w: tensor<256x3xf32> {hyena.param},
    %short1_b: tensor<256xf32> {hyena.param},
    %mlp0_w: tensor<64x1xf32> {hyena.param},
    %mlp0_b: tensor<64xf32> {hyena.param},
    %mlp1_w: tensor<256x64xf32> {hyena.param},
    %mlp1_b: tensor<256xf32> {hyena.param},
    %w_out: tensor<256x256xf32> {hyena.param},
    %b_out: tensor<256xf32> {hyena.param}) -> !rows {
  // filter_mlp(pos).transpose(0, 1)
  %a = hyena.project %pos, %mlp0_w bias(%mlp0_b)
      : (tensor<2048x1xf32>, tensor<64x1xf32>, tensor<64xf32>) -> tensor<2048x64xf32>
  %half = arith.constant dense<0.5> : tensor<2048x64xf32>
  %one = arith.constant dense<1.0> : tensor<2048x64xf32>
  %sqrt_half = arith.constant dense<0.70710678118654757> : tensor<2048x64xf32>
  %scaled = arith.mulf %a, %sqrt_half : tensor<2048x64xf32>
  %erf = math.erf %scaled : tensor<2048x64xf32>
  %erf1 = arith.addf %erf, %one : tensor<2048x64xf32>
  %half_a = arith.mulf %a, %half : tensor<2048x64xf32>
  %gelu = arith.mulf %half_a, %erf1 : tensor<2048x64xf32>
  %taps = hyena.project %gelu, %mlp1_w bias(%mlp1_b)
      : (tensor<2048x64xf32>, tensor<256x64xf32>, tensor<256xf32>) -> tensor<2048x256xf32>
  %h = hyena.transpose %taps : (tensor<2048x256xf32>) -> tensor<256x2048xf32>

  // in_proj(x).chunk(3, dim=-1), transposed and copied
  %p = hyena.project %x, %w_in bias(%b_in)
      : (!rows, tensor<768x256xf32>, tensor<768xf32>) -> tensor<2x2048x768xf32>
  %v_rows, %g0_rows, %g1_rows = hyena.chunk %p
      : (tensor<2x2048x768xf32>) -> (!rows, !rows, !rows)
  %v_view = hyena.transpose %v_rows : (!rows) -> !stream
  %g0_view = hyena.transpose %g0_rows : (!rows) -> !stream
  %g1_view = hyena.transpose %g1_rows : (!rows) -> !stream
  %memory = tensor.empty() : !stream
  %v = linalg.copy ins(%v_view : !stream) outs(%memory : !stream) -> !stream
  %g0_copy = linalg.copy ins(%g0_view : !stream) outs(%memory : !stream) -> !stream
  %g1_copy = linalg.copy ins(%g1_view : !stream) outs(%memory : !stream) -> !stream

  // conv1d(g, padding=1, groups=D)[..., :L]
  %g0_padded = hyena.pad %g0_copy {dim = 2, low = 1, high = 1}
      : (!stream) -> tensor<2x256x2050xf32>
  %g0_whole = hyena.shortconv %g0_padded, %short0_w bias(%short0_b)
      {padding = #hyena.padding<explicit>, pad_low = 0, pad_high = 0}
      : (tensor<2x256x2050xf32>, tensor<256x3xf32>, tensor<256xf32>) -> !stream
  %g0 = hyena.truncate %g0_whole {dim = 2, length = 2048} : (!stream) -> !stream
  %g1_padded = hyena.pad %g1_copy {dim = 2, low = 1, high = 1}
      : (!stream) -> tensor<2x256x2050xf32>
  %g1_whole = hyena.shortconv %g1_padded, %short1_w bias(%short1_b)
      {padding = #hyena.padding<explicit>, pad_low = 0, pad_high = 0}
      : (tensor<2x256x2050xf32>, tensor<256x3xf32>, tensor<256xf32>) -> !stream
  %g1 = hyena.truncate %g1_whole {dim = 2, length = 2048} : (!stream) -> !stream

  // irfft(rfft(v, n=2L) * rfft(h, n=2L)[None], n=2L)[..., :L]
  %v_spectrum = hyena.rfft %v {n = 4096} : (!stream) -> !spectrum
  %h_spectrum = hyena.rfft %h {n = 4096}
      : (tensor<256x2048xf32>) -> tensor<256x2049xcomplex<f32>>
  %h_everywhere = hyena.broadcast %h_spectrum like %v_spectrum {dims = array<i64: 1, 2>}
      : (tensor<256x2049xcomplex<f32>>, !spectrum) -> !spectrum
  %product = hyena.spectral_mul %v_spectrum, %h_everywhere
      : (!spectrum, !spectrum) -> !spectrum
  %whole = hyena.irfft %product {n = 4096} : (!spectrum) -> tensor<2x256x4096xf32>
  %y = hyena.truncate %whole {dim = 2, length = 2048}
      : (tensor<2x256x4096xf32>) -> !stream

  // out_proj((y * g0 * g1).transpose(1, 2))
  %y0 = arith.mulf %y, %g0 : !stream
  %gated = arith.mulf %y0, %g1 : !stream
  %gated_rows = hyena.transpose %gated : (!stream) -> !rows
  %out = hyena.project %gated_rows, %w_out bias(%b_out)
      : (!rows, tensor<256x256xf32>, tensor<256xf32>) -> !rows
  return %out : !rows
}
