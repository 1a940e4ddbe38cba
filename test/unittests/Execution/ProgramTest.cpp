//===- ProgramTest.cpp - Compiled programs --------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Execution/Program.h"

#include "gtest/gtest.h"

#include <cmath>
#include <thread>

using namespace mlir;
using namespace mlir::hyena;

namespace {

/// Compiles the text's function @f; fails the test with the message.
std::unique_ptr<Program> compile(StringRef text, std::string *error = nullptr) {
  std::string message;
  Program::Options options;
  options.threads = 2;
  std::unique_ptr<Program> program;
  if (auto source = Source::parse(text, "test.mlir", "f", message))
    program = Program::compile(std::move(source), options, message);
  if (error)
    *error = message;
  else
    EXPECT_TRUE(program) << message;
  return program;
}

/// A buffer of floats with a shape.
struct Floats {
  Floats(std::vector<int64_t> shape, uint32_t seed) : shape(shape) {
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    for (int64_t i = 0; i < count; ++i) {
      seed = seed * 1664525u + 1013904223u;
      values.push_back(static_cast<float>(seed >> 8) / (1 << 23) - 1.0f);
    }
  }
  Array array(const Program &program) {
    Array array;
    array.data = values.data();
    array.elementType = program.getArguments()[0].type.getElementType();
    array.shape.assign(shape.begin(), shape.end());
    return array;
  }
  std::vector<int64_t> shape;
  std::vector<float> values;
};

constexpr StringLiteral kLayer = R"mlir(
  func.func @f(%x: tensor<?x5x4xf32>, %w: tensor<3x4xf32>, %bias: tensor<3xf32>)
      -> tensor<?x5x3xf32> {
    %p = hyena.project %x, %w bias(%bias)
        : (tensor<?x5x4xf32>, tensor<3x4xf32>, tensor<3xf32>) -> tensor<?x5x3xf32>
    %y = hyena.gate %p, %p
        : (tensor<?x5x3xf32>, tensor<?x5x3xf32>) -> tensor<?x5x3xf32>
    return %y : tensor<?x5x3xf32>
  }
)mlir";

/// (x w^T + bias)^2 against the result.
double layerError(const Floats &x, const Floats &w, const Floats &bias,
                  const Floats &y) {
  double largest = 0;
  for (int64_t row = 0; row < x.shape[0] * 5; ++row)
    for (int64_t i = 0; i < 3; ++i) {
      double sum = bias.values[i];
      for (int64_t j = 0; j < 4; ++j)
        sum += double(x.values[row * 4 + j]) * w.values[i * 4 + j];
      largest = std::max(largest, std::abs(sum * sum - y.values[row * 3 + i]));
    }
  return largest;
}

TEST(Program, DynamicBatch) {
  // Wrong if a program is bound to the batch of its first call, or if an empty
  // batch is no batch.
  auto program = compile(kLayer);
  ASSERT_TRUE(program);
  Floats w({3, 4}, 1), bias({3}, 2);
  for (int64_t batch : {3, 0, 1, 200}) {
    Floats x({batch, 5, 4}, 3);
    SmallVector<Array> arguments = {x.array(*program), w.array(*program),
                                    bias.array(*program)};
    std::string error;
    auto parameters = program->prepare(arguments, error);
    ASSERT_TRUE(parameters) << error;
    SmallVector<SmallVector<int64_t>> shapes;
    int64_t bytes = -1;
    ASSERT_TRUE(
        succeeded(program->query(arguments, *parameters, shapes, bytes, error)))
        << error;
    EXPECT_EQ(shapes[0], (SmallVector<int64_t>{batch, 5, 3}));
    EXPECT_GE(bytes, 0);
    Floats y({batch, 5, 3}, 4);
    ASSERT_TRUE(succeeded(
        program->forward(arguments, *parameters, {y.array(*program)}, error)))
        << error;
    EXPECT_LE(layerError(x, w, bias, y), 2e-6) << "batch " << batch;
  }
}

TEST(Program, CallsFromSeveralThreads) {
  // Wrong if two calls share a workspace or an error.
  auto program = compile(kLayer);
  ASSERT_TRUE(program);
  Floats w({3, 4}, 1), bias({3}, 2);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 50; ++round) {
        Floats x({20, 5, 4}, 100 * caller + round), y({20, 5, 3}, 0);
        SmallVector<Array> arguments = {x.array(*program), w.array(*program),
                                        bias.array(*program)};
        std::string error;
        auto parameters = program->prepare(arguments, error);
        if (!parameters ||
            failed(program->forward(arguments, *parameters, {y.array(*program)},
                                    error)) ||
            layerError(x, w, bias, y) > 2e-6)
          ++wrong;
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Program, BadArgumentsAreNamed) {
  // Wrong if a bad argument is read, or the message does not say which it was.
  auto program = compile(kLayer);
  ASSERT_TRUE(program);
  Floats x({2, 5, 4}, 3), w({3, 4}, 1), bias({3}, 2), y({2, 5, 3}, 4);
  auto messageOf = [&](auto change) {
    SmallVector<Array> arguments = {x.array(*program), w.array(*program),
                                    bias.array(*program)};
    SmallVector<Array> results = {y.array(*program)};
    change(arguments, results);
    std::string error;
    auto parameters = program->prepare(arguments, error);
    if (parameters)
      EXPECT_TRUE(
          failed(program->forward(arguments, *parameters, results, error)));
    return error;
  };
  using Arrays = SmallVector<Array>;
  EXPECT_EQ(messageOf([](Arrays &a, Arrays &) { a.pop_back(); }),
            "2 arguments are given; there must be 3");
  EXPECT_EQ(messageOf([](Arrays &a, Arrays &) { a[1].shape = {3, 5}; }),
            "argument 'w': the shape is (3, 5); it must be (3, 4)");
  EXPECT_EQ(messageOf([](Arrays &a, Arrays &) { a[0].shape = {2, 4}; }),
            "argument 'x': the shape is (2, 4); it must be (?, 5, 4)");
  EXPECT_EQ(messageOf([](Arrays &a, Arrays &) { a[0].shape[0] = -2; }),
            "argument 'x': the shape is (-2, 5, 4); it must be (?, 5, 4)");
  EXPECT_EQ(messageOf([](Arrays &a, Arrays &) {
              a[2].elementType =
                  Float64Type::get(a[2].elementType.getContext());
            }),
            "argument 'bias': the element type is f64; it must be f32");
  EXPECT_EQ(messageOf([](Arrays &a, Arrays &) { a[0].strides = {20, 1, 5}; }),
            "argument 'x': the strides are (20, 1, 5); the array must be "
            "row-major without gaps");
  EXPECT_EQ(messageOf([](Arrays &a, Arrays &) { a[0].data = nullptr; }),
            "argument 'x': there is no data");
  EXPECT_EQ(messageOf([](Arrays &, Arrays &r) { r[0].shape[0] = 3; }),
            "result 'result0': the shape is (3, 5, 3); it must be (2, 5, 3)");
  EXPECT_EQ(messageOf([](Arrays &, Arrays &r) { r.clear(); }),
            "memory for 0 results is given; there must be 1");
}

TEST(Program, ExtentsThatMustAgree) {
  // Wrong if two arguments of different batches make a kernel read beyond one.
  auto program = compile(R"mlir(
    func.func private @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %y = hyena.gate %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    }
    func.func @f(%x: tensor<?x?xf32>, %g: tensor<?x?xf32>, %mask: tensor<?xf32>)
        -> (tensor<?x?xf32>, tensor<5x?xf32>) {
      %p = call @product(%x, %g) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %init = tensor.empty() : tensor<5x3xf32>
      %c = tensor.cast %init : tensor<5x3xf32> to tensor<5x?xf32>
      %m = hyena.broadcast %mask like %c {dims = array<i64: 1>}
          : (tensor<?xf32>, tensor<5x?xf32>) -> tensor<5x?xf32>
      %q = hyena.transpose %p : (tensor<?x?xf32>) -> tensor<?x?xf32>
      return %q, %m : tensor<?x?xf32>, tensor<5x?xf32>
    }
  )mlir");
  ASSERT_TRUE(program);
  auto messageOf = [&](int64_t xRows, int64_t gRows, int64_t gColumns,
                       int64_t masks) {
    Floats x({xRows, 4}, 1), g({gRows, gColumns}, 2), mask({masks}, 3);
    SmallVector<Array> arguments = {x.array(*program), g.array(*program),
                                    mask.array(*program)};
    std::string error;
    auto parameters = program->prepare(arguments, error);
    if (!parameters)
      return error;
    SmallVector<SmallVector<int64_t>> shapes;
    int64_t bytes = 0;
    if (succeeded(program->query(arguments, *parameters, shapes, bytes, error)))
      EXPECT_EQ(shapes[0], (SmallVector<int64_t>{4, xRows}));
    return error;
  };
  EXPECT_EQ(messageOf(2, 2, 4, 3), "");
  EXPECT_EQ(messageOf(2, 3, 4, 3), "argument 'g': dimension 0 is 3; it must be "
                                   "2, as dimension 0 of argument 'x'");
  EXPECT_EQ(messageOf(2, 2, 5, 3), "argument 'g': dimension 1 is 5; it must be "
                                   "4, as dimension 1 of argument 'x'");
  EXPECT_EQ(messageOf(2, 2, 4, 4),
            "argument 'mask': dimension 0 is 4; it must be 3");
}

TEST(Program, BadThreadCount) {
  // Wrong if a program cannot say that its thread count is no count.
  std::string error;
  auto source = Source::parse(kLayer, "test.mlir", "f", error);
  ASSERT_TRUE(source) << error;
  Program::Options options;
  options.threads = 0;
  EXPECT_FALSE(Program::compile(std::move(source), options, error));
  EXPECT_EQ(error, "the number of threads is 0; it must be a whole number from "
                   "1 to 4096");
}

TEST(Program, HalfPrecisionLayer) {
  // Wrong if bf16 operands are summed in bf16.
  auto program = compile(R"mlir(
    func.func @f(%x: tensor<1x2xbf16>, %w: tensor<1x2xbf16>) -> tensor<1x1xbf16> {
      %y = hyena.project %x, %w
          : (tensor<1x2xbf16>, tensor<1x2xbf16>) -> tensor<1x1xbf16>
      return %y : tensor<1x1xbf16>
    }
  )mlir");
  ASSERT_TRUE(program);
  // 256 + 1 needs nine bits: 257 * 0.5 rounded once is 128, and 1.5 * 1 + 2 * 3
  // is exact.
  uint16_t x[] = {0x3fc0, 0x4000}, w[] = {0x3f80, 0x4040}, y[1];
  auto array = [&](uint16_t *data, SmallVector<int64_t> shape) {
    Array array;
    array.data = data;
    array.elementType = program->getArguments()[0].type.getElementType();
    array.shape = shape;
    return array;
  };
  SmallVector<Array> arguments = {array(x, {1, 2}), array(w, {1, 2})};
  std::string error;
  auto parameters = program->prepare(arguments, error);
  ASSERT_TRUE(parameters) << error;
  ASSERT_TRUE(succeeded(
      program->forward(arguments, *parameters, {array(y, {1, 1})}, error)))
      << error;
  EXPECT_EQ(y[0], 0x40f0); // 7.5
}

TEST(Source, ErrorsHaveALocation) {
  // Wrong if a user has to guess where the mistake is.
  std::string error;
  EXPECT_FALSE(Source::parse("func.func @f(", "a.mlir", "f", error));
  EXPECT_EQ(StringRef(error).split(": error: ").first, "a.mlir:1:13");
  EXPECT_FALSE(Source::parse(kLayer, "a.mlir", "g", error));
  EXPECT_EQ(error, "a.mlir: error: there is no function @g; the functions are: "
                   "@f");
  EXPECT_FALSE(
      Source::parse("func.func @f(%n: index) { return }", "a.mlir", "", error));
  EXPECT_NE(error.find("'n' of @f has the type 'index'"), std::string::npos);
  EXPECT_FALSE(Source::parseFile("/no/such/file.mlir", "f", error));
  EXPECT_EQ(StringRef(error).split(": error: ").first, "/no/such/file.mlir");
}

TEST(Source, OtherFunctionsDoNotMatter) {
  // Wrong if a function that is not run can make the run fail.
  auto program = compile(R"mlir(
    func.func @g(%x: tensor<?xf32>) -> index {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?xf32>
      return %n : index
    }
    func.func @helper(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = arith.addf %x, %x : tensor<2xf32>
      return %y : tensor<2xf32>
    }
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = call @helper(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    }
  )mlir");
  ASSERT_TRUE(program);
  Floats x({2}, 1), y({2}, 2);
  std::string error;
  auto parameters = program->prepare({x.array(*program)}, error);
  ASSERT_TRUE(parameters) << error;
  ASSERT_TRUE(succeeded(program->forward({x.array(*program)}, *parameters,
                                         {y.array(*program)}, error)));
  EXPECT_EQ(y.values[1], 2 * x.values[1]);
}

TEST(Program, WhatIsMultiplied) {
  // Wrong if the report of a program does not name its parts.
  auto program = compile(kLayer);
  ASSERT_TRUE(program);
  ASSERT_EQ(program->getKernels().size(), 2u);
  EXPECT_EQ(program->getKernels()[0].kind, "gemm");
  EXPECT_EQ(program->getKernels()[1].kind, "loop");
}

} // namespace
