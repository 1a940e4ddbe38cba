//===- hyena.mlir - The reference operator as a graph ---------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Hyena operator of order 2 at batch 2, length 2048, width 256:
//
//   v, g0, g1 = x W_in^T + b_in
//   y[n]      = sum over m <= n of h[n-m] v[m]      one filter h per channel
//   out       = (y * short(g0) * short(g1)) W_out^T + b_out
//
// `short` is a depthwise convolution of three taps that sees one step back and
// one step ahead. The filter h comes from a small network on positions.
//
// Run it:   hyena-run examples/hyena.mlir --entry=hyena --target=cpu
// Fuse it:  hyena-opt examples/hyena.mlir --hyena-raise --hyena-fuse
//
//===----------------------------------------------------------------------===//

!rows = tensor<2x2048x256xf32>     // (batch, time, channel)
!stream = tensor<2x256x2048xf32>   // (batch, channel, time)

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
  // The filter, from parameters alone: mlp1(gelu(mlp0(pos))).
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

  // Three streams from one projection; short convolutions on the gates.
  %p = hyena.project %x, %w_in bias(%b_in)
      : (!rows, tensor<768x256xf32>, tensor<768xf32>) -> tensor<2x2048x768xf32>
  %v_rows, %g0_rows, %g1_rows = hyena.chunk %p
      : (tensor<2x2048x768xf32>) -> (!rows, !rows, !rows)
  %v = hyena.transpose %v_rows : (!rows) -> !stream
  %g0_raw = hyena.transpose %g0_rows : (!rows) -> !stream
  %g1_raw = hyena.transpose %g1_rows : (!rows) -> !stream
  %g0 = hyena.shortconv %g0_raw, %short0_w bias(%short0_b) {padding = #hyena.padding<same>}
      : (!stream, tensor<256x3xf32>, tensor<256xf32>) -> !stream
  %g1 = hyena.shortconv %g1_raw, %short1_w bias(%short1_b) {padding = #hyena.padding<same>}
      : (!stream, tensor<256x3xf32>, tensor<256xf32>) -> !stream

  // The long convolution, gated, and the projection back.
  %y = hyena.fftconv %v, %h : (!stream, tensor<256x2048xf32>) -> !stream
  %gated = hyena.gate %y, %g0, %g1 : (!stream, !stream, !stream) -> !stream
  %gated_rows = hyena.transpose %gated : (!stream) -> !rows
  %out = hyena.project %gated_rows, %w_out bias(%b_out)
      : (!rows, tensor<256x256xf32>, tensor<256xf32>) -> !rows
  return %out : !rows
}
