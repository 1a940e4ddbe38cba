//===- gated.mlir - One long convolution with one gate --------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The smallest graph that has everything: a linear layer makes two streams, one
// is convolved with a filter as long as it is, the other passes a short
// convolution and gates the result. docs/Tour.md walks through it.
//
//===----------------------------------------------------------------------===//

func.func @gated(%x: tensor<1x64x16xf32>,
                 %w: tensor<32x16xf32> {hyena.param},
                 %taps: tensor<16x2xf32> {hyena.param},
                 %h: tensor<16x64xf32> {hyena.param}) -> tensor<1x16x64xf32> {
  %p = hyena.project %x, %w : (tensor<1x64x16xf32>, tensor<32x16xf32>) -> tensor<1x64x32xf32>
  %v, %g = hyena.chunk %p : (tensor<1x64x32xf32>) -> (tensor<1x64x16xf32>, tensor<1x64x16xf32>)
  %vt = hyena.transpose %v : (tensor<1x64x16xf32>) -> tensor<1x16x64xf32>
  %gt = hyena.transpose %g : (tensor<1x64x16xf32>) -> tensor<1x16x64xf32>
  %s = hyena.shortconv %gt, %taps : (tensor<1x16x64xf32>, tensor<16x2xf32>) -> tensor<1x16x64xf32>
  %c = hyena.fftconv %vt, %h : (tensor<1x16x64xf32>, tensor<16x64xf32>) -> tensor<1x16x64xf32>
  %y = hyena.gate %c, %s : (tensor<1x16x64xf32>, tensor<1x16x64xf32>) -> tensor<1x16x64xf32>
  return %y : tensor<1x16x64xf32>
}
