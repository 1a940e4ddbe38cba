//===- KernelErrorsTest.cpp - what no kernel can be made for --------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvolutionCase.h"

#include "gtest/gtest.h"

using namespace mlir::hyena;

namespace {

std::string replaced(std::string text, const std::string &from,
                     const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

void expectError(const std::string &text, const std::string &message) {
  KernelRunner runner(text);
  EXPECT_NE(runner.error.find(message), std::string::npos)
      << runner.error << text;
}

std::string goodText() {
  Case c = {1, 32, 8, 32, 8};
  return bareText(c, *hyena::fft::Plan::forSize(32), "f32");
}

// Wrong if a convolution that was never planned crashes the generator.
TEST(KernelErrorsTest, Unplanned) {
  std::string text = replaced(goodText(), "spectrum(%s : tensor<1x32x2x8xf32>)",
                              "filter(%s : tensor<8x32xf32>)");
  text = replaced(text, "tensor<1x32x2x8xf32>", "tensor<8x32xf32>");
  text = replaced(
      text,
      "{plan = #hyena.fft_plan<length = 32, factors = [4, 8], lanes = 8>}", "");
  expectError(text, "has no spectrum and plan");
}

// Wrong if a dynamic length is taken for a number.
TEST(KernelErrorsTest, DynamicLength) {
  expectError(replaced(goodText(), "tensor<1x32x8xf32>", "tensor<1x?x8xf32>"),
              "dynamic length");
}

// Wrong if a plan that cannot hold the signal is used: scratch would overflow.
TEST(KernelErrorsTest, PlanTooShort) {
  expectError(replaced(goodText(), "tensor<1x32x8xf32>", "tensor<1x65x8xf32>"),
              "twice the plan's length");
}

// Wrong if factors without a codelet crash the emitter.
TEST(KernelErrorsTest, FactorWithoutCodelet) {
  expectError(replaced(goodText(), "[4, 8]", "[32, 1]"),
              "factors of 1 to 16 without a prime factor above 7");
}

// Wrong if an operation that has no vector form is copied into the kernel.
TEST(KernelErrorsTest, RegionWithoutVectorForm) {
  std::string text = replaced(goodText(), "hyena.yield %a : f32",
                              "%z = tensor.from_elements %a : tensor<1xf32>\n"
                              "  hyena.yield %a : f32");
  expectError(text, "has no vector form");
}

} // namespace
