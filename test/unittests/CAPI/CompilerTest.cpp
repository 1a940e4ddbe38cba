//===- CompilerTest.cpp - The C interface, mistakes included --------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena-c/Compiler.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstring>
#include <string>
#include <vector>

using testing::HasSubstr;

namespace {

constexpr char gated[] = R"(
func.func @gated(%u: tensor<?x2x4xf32>, %taps.0: tensor<2x4xf32> {hyena.param},
                 %g: tensor<?x2x4xf32>) -> tensor<?x2x4xf32> {
  %0 = hyena.fftconv %u, %taps.0 : (tensor<?x2x4xf32>, tensor<2x4xf32>) -> tensor<?x2x4xf32>
  %1 = hyena.gate %0, %g : (tensor<?x2x4xf32>, tensor<?x2x4xf32>) -> tensor<?x2x4xf32>
  return %1 : tensor<?x2x4xf32>
}
)";

/// A dense array of floats.
struct Array {
  std::vector<int64_t> shape;
  std::vector<float> values;

  explicit Array(std::vector<int64_t> extents, float value = 1.0f)
      : shape(std::move(extents)) {
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    values.assign(count, value);
  }
  HyenaTensor tensor() {
    return {values.data(), HYENA_ELEMENT_F32,
            static_cast<int64_t>(shape.size()), shape.data()};
  }
};

class CompilerTest : public testing::TestWithParam<const char *> {
protected:
  void TearDown() override {
    hyenaParametersDestroy(parameters);
    hyenaProgramDestroy(program);
  }

  HyenaStatus create(const char *text, const char *entry = nullptr) {
    HyenaCompileOptions options = {};
    options.size = sizeof(options);
    options.target = GetParam();
    options.entry = entry;
    options.fileName = "graph.mlir";
    return hyenaProgramCreate(text, SIZE_MAX, &options, &program, &message);
  }

  HyenaProgram *program = nullptr;
  HyenaParameters *parameters = nullptr;
  const char *message = "";
};

} // namespace

// Names, kinds or extents that are not those of the text.
TEST_P(CompilerTest, DescribesArguments) {
  ASSERT_EQ(create(gated), HYENA_STATUS_OK) << message;
  ASSERT_EQ(hyenaProgramArgumentCount(program), 3);
  HyenaValueInfo info;
  ASSERT_EQ(hyenaProgramArgument(program, 1, &info, &message), HYENA_STATUS_OK);
  EXPECT_STREQ(info.name, "taps.0");
  EXPECT_EQ(info.isParameter, 1);
  EXPECT_EQ(info.type, HYENA_ELEMENT_F32);
  ASSERT_EQ(hyenaProgramArgument(program, 2, &info, &message), HYENA_STATUS_OK);
  EXPECT_STREQ(info.name, "g");
  EXPECT_EQ(info.isParameter, 0);
  ASSERT_EQ(info.rank, 3);
  EXPECT_EQ(info.shape[0], HYENA_DYNAMIC);
  EXPECT_EQ(info.shape[2], 4);
  EXPECT_EQ(hyenaProgramArgument(program, 3, &info, &message),
            HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_THAT(message, HasSubstr("argument 3 of a function with 3"));
}

// A dynamic batch that is computed wrongly or whose result is not known.
TEST_P(CompilerTest, RunsDynamicBatches) {
  ASSERT_EQ(create(gated), HYENA_STATUS_OK) << message;
  Array tapsArray({2, 4});
  HyenaTensor taps[] = {tapsArray.tensor()};
  ASSERT_EQ(hyenaProgramPrepare(program, taps, 1, &parameters, &message),
            HYENA_STATUS_OK)
      << message;
  for (int64_t batch : {0, 1, 3}) {
    Array u({batch, 2, 4}), g({batch, 2, 4}, 2.0f), y({batch, 2, 4}, -1.0f);
    HyenaTensor inputs[] = {u.tensor(), g.tensor()}, results[] = {y.tensor()};
    int64_t shape[3] = {-1, -1, -1}, bytes = -1;
    ASSERT_EQ(hyenaProgramResultShape(program, inputs, 2, 0, shape, &message),
              HYENA_STATUS_OK)
        << message;
    EXPECT_EQ(shape[0], batch);
    EXPECT_EQ(shape[2], 4);
    ASSERT_EQ(hyenaProgramWorkspaceBytes(program, inputs, 2, &bytes, &message),
              HYENA_STATUS_OK)
        << message;
    EXPECT_GE(bytes, 0);
    ASSERT_EQ(
        hyenaProgramRun(program, parameters, inputs, 2, results, 1, &message),
        HYENA_STATUS_OK)
        << message;
    for (size_t i = 0; i < y.values.size(); ++i)
      EXPECT_NEAR(y.values[i], 2.0f * (i % 4 + 1), 1e-5f);
  }
}

// A run on arrays that do not fit, or without parameters.
TEST_P(CompilerTest, RefusesWrongTensors) {
  ASSERT_EQ(create(gated), HYENA_STATUS_OK) << message;
  Array taps({2, 4}), wide({2, 5}), u({1, 2, 4}), flat({2, 4}), y({1, 2, 4});
  HyenaTensor wrong = wide.tensor(), right = taps.tensor();
  EXPECT_EQ(hyenaProgramPrepare(program, &wrong, 1, &parameters, &message),
            HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(parameters, nullptr);
  EXPECT_STREQ(message,
               "parameter 'taps.0' has shape (2, 5); (2, 4) is needed");
  EXPECT_EQ(hyenaProgramPrepare(program, nullptr, 0, &parameters, &message),
            HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(message, "0 tensors for 1 parameters");

  HyenaTensor inputs[] = {u.tensor(), u.tensor()}, results[] = {y.tensor()};
  auto run = [&](const HyenaParameters *with) {
    return hyenaProgramRun(program, with, inputs, 2, results, 1, &message);
  };
  EXPECT_EQ(run(nullptr), HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_THAT(message, HasSubstr("prepare them first"));
  ASSERT_EQ(hyenaProgramPrepare(program, &right, 1, &parameters, &message),
            HYENA_STATUS_OK);
  inputs[1] = flat.tensor();
  EXPECT_EQ(run(parameters), HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(message, "argument 'g' has shape (2, 4); (?, 2, 4) is needed");
  inputs[1] = u.tensor();
  inputs[1].type = HYENA_ELEMENT_F64;
  EXPECT_EQ(run(parameters), HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(message, "argument 'g' has elements of f64; f32 is needed");
  inputs[1] = u.tensor();
  inputs[1].data = nullptr;
  EXPECT_EQ(run(parameters), HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(message, "argument 'g' has no data");
  inputs[1] = u.tensor();
  results[0] = u.tensor();
  EXPECT_EQ(run(parameters), HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(message, "result 'result0' overlaps argument 'u'");
  Array larger({2, 2, 4});
  results[0] = larger.tensor();
  EXPECT_EQ(run(parameters), HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_THAT(message, HasSubstr("has shape (2, 2, 4); (1, 2, 4) is needed"));
}

// Text that does not compile, reported without its place or with a crash.
TEST_P(CompilerTest, RefusesWrongText) {
  EXPECT_EQ(create("func.func @f("), HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(program, nullptr);
  EXPECT_THAT(message, HasSubstr("graph.mlir:1:"));
  EXPECT_EQ(create(""), HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_THAT(message, HasSubstr("the functions are: none"));
  EXPECT_EQ(create(gated, "other"), HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(message, "graph.mlir: error: there is no function @other; the "
                        "functions are: @gated");
  EXPECT_EQ(create("func.func @f(%a: f32) -> f32 { return %a : f32 }"),
            HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_THAT(message, HasSubstr("'a' of @f has the type 'f32'"));
}

// Options of another version or with values that are not allowed.
TEST(CompilerOptions, AreChecked) {
  HyenaProgram *program = nullptr;
  const char *message = "";
  HyenaCompileOptions options = {};
  options.size = sizeof(options) + 8;
  EXPECT_EQ(hyenaProgramCreate(gated, SIZE_MAX, &options, &program, &message),
            HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_THAT(message, HasSubstr("this library knows"));
  options.size = sizeof(options);
  options.target = "abacus";
  EXPECT_EQ(hyenaProgramCreate(gated, SIZE_MAX, &options, &program, &message),
            HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(message, "target 'abacus' is not one of cpu, interpret");
  options.target = "cpu";
  options.threads = -2;
  EXPECT_EQ(hyenaProgramCreate(gated, SIZE_MAX, &options, &program, &message),
            HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(message, "-2 threads; 1 to 4096 are allowed");
  EXPECT_EQ(hyenaProgramCreate(nullptr, 0, nullptr, &program, nullptr),
            HYENA_STATUS_INVALID_ARGUMENT);
}

// A stage that is missing or is another.
TEST(CompilerText, ShowsStages) {
  HyenaProgram *program = nullptr;
  const char *message = "", *text = nullptr;
  ASSERT_EQ(hyenaProgramCreate(gated, std::strlen(gated), nullptr, &program,
                               &message),
            HYENA_STATUS_OK)
      << message;
  for (auto [stage, part] :
       {std::pair("graph", "hyena.fftconv"),
        std::pair("fused", "hyena.fused_conv"),
        std::pair("exec", "exec.launch"), std::pair("llvm", "llvm.func")}) {
    ASSERT_EQ(hyenaProgramText(program, stage, &text, &message),
              HYENA_STATUS_OK)
        << message;
    EXPECT_THAT(text, HasSubstr(part)) << stage;
  }
  EXPECT_EQ(hyenaProgramText(program, "ptx", &text, &message),
            HYENA_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(message, "stage 'ptx' is not one of graph, fused, exec, llvm");
  hyenaProgramDestroy(program);
}

INSTANTIATE_TEST_SUITE_P(Targets, CompilerTest,
                         testing::Values("interpret", "cpu"));
