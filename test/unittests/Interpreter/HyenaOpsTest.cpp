//===- HyenaOpsTest.cpp - tests of the graph-level operations -------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expected values are the formulas of the documentation, element by
// element.
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

#include <cmath>

using namespace hyena::interp;

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

// Would fail if project summed over the wrong index or lost the bias.
TEST(HyenaOps, Project) {
  Example e(R"(
func.func @f(%x: tensor<2x64x16xf32>, %w: tensor<48x16xf32>, %b: tensor<48xf32>) -> tensor<2x64x48xf32> {
  %y = hyena.project %x, %w bias(%b)
      : (tensor<2x64x16xf32>, tensor<48x16xf32>, tensor<48xf32>)
      -> tensor<2x64x48xf32>
  return %y : tensor<2x64x48xf32>
})");
  Value expected = make({2, 64, 48}, [&](const auto &i) {
    double sum = at(e.args[2], {i[2]});
    for (int64_t j = 0; j < 16; ++j)
      sum += at(e.args[1], {i[2], j}) * at(e.args[0], {i[0], i[1], j});
    return sum;
  });
  expectClose(e.outcome.only(), expected);
}

// Would fail if a layout of project swapped the wrong side.
TEST(HyenaOps, ProjectLayouts) {
  Value first = randomReal({2, 3, 5}, 1), w = randomReal({4, 3}, 2);
  Value last = make(
      {2, 5, 3}, [&](const auto &i) { return at(first, {i[0], i[2], i[1]}); });
  auto sum = [&](int64_t b, int64_t l, int64_t o) {
    double result = 0;
    for (int64_t j = 0; j < 3; ++j)
      result += at(w, {o, j}) * at(first, {b, j, l});
    return result;
  };
  std::string in = "input_layout = #hyena.layout<channels_first>",
              out = "result_layout = #hyena.layout<channels_first>";
  Value yLast =
      make({2, 5, 4}, [&](const auto &i) { return sum(i[0], i[1], i[2]); });
  Value yFirst =
      make({2, 4, 5}, [&](const auto &i) { return sum(i[0], i[2], i[1]); });
  expectClose(callOp("project", "%a0, %a1", in, {first, w}, {2, 5, 4}).only(),
              yLast);
  expectClose(callOp("project", "%a0, %a1", out, {last, w}, {2, 4, 5}).only(),
              yFirst);
  expectClose(
      callOp("project", "%a0, %a1", in + ", " + out, {first, w}, {2, 4, 5})
          .only(),
      yFirst);
}

// Would fail if the streams of chunk were stored elsewhere.
TEST(HyenaOps, ChunkBlocks) {
  Example e(R"(
func.func @f(%p: tensor<2x64x32xf32>)
    -> (tensor<2x64x16xf32>, tensor<2x64x16xf32>) {
  %v, %g = hyena.chunk %p
      : (tensor<2x64x32xf32>) -> (tensor<2x64x16xf32>, tensor<2x64x16xf32>)
  return %v, %g : tensor<2x64x16xf32>, tensor<2x64x16xf32>
})");
  ASSERT_EQ(e.outcome.results.size(), 2u) << e.outcome.error;
  for (int64_t s = 0; s < 2; ++s)
    expectClose(e.outcome.results[s], make({2, 64, 16}, [&](const auto &i) {
                  return at(e.args[0], {i[0], i[1], s * 16 + i[2]});
                }));
}

// Would fail if an arrangement of chunk were another one.
TEST(HyenaOps, ChunkArrangements) {
  // Two streams of four channels; stored channels of stream 0, then 1.
  struct Case {
    const char *attributes;
    Reals streams[2];
  };
  for (const Case &test : std::vector<Case>{
           {"arrangement = #hyena.arrangement<blocks>",
            {{0, 1, 2, 3}, {4, 5, 6, 7}}},
           {"arrangement = #hyena.arrangement<interleaved>",
            {{0, 2, 4, 6}, {1, 3, 5, 7}}},
           {"arrangement = #hyena.arrangement<per_head>, heads = 2",
            {{0, 1, 4, 5}, {2, 3, 6, 7}}}}) {
    std::string body = std::string("%0, %1 = hyena.chunk %x {") +
                       test.attributes +
                       ", layout = #hyena.layout<channels_first>} : "
                       "(tensor<1x8x1xf32>) -> (tensor<1x4x1xf32>, "
                       "tensor<1x4x1xf32>)\nreturn %0, %1 : "
                       "tensor<1x4x1xf32>, tensor<1x4x1xf32>";
    Outcome outcome =
        runBody("(%x: tensor<1x8x1xf32>) -> (tensor<1x4x1xf32>, "
                "tensor<1x4x1xf32>)",
                body, {Value::real({1, 8, 1}, {0, 1, 2, 3, 4, 5, 6, 7})});
    ASSERT_EQ(outcome.results.size(), 2u) << outcome.error;
    for (int s = 0; s < 2; ++s)
      EXPECT_EQ(outcome.results[s].reals, test.streams[s]) << test.attributes;
  }
}

// Would fail if transpose swapped other dimensions.
TEST(HyenaOps, Transpose) {
  Example e(R"(
func.func @f(%x: tensor<2x64x16xf32>) -> tensor<2x16x64xf32> {
  %y = hyena.transpose %x : (tensor<2x64x16xf32>) -> tensor<2x16x64xf32>
  return %y : tensor<2x16x64xf32>
})");
  expectClose(e.outcome.only(), make({2, 16, 64}, [&](const auto &i) {
                return at(e.args[0], {i[0], i[2], i[1]});
              }));
}

// Would fail if gate left out a factor.
TEST(HyenaOps, Gate) {
  Example e(R"(
!s = tensor<2x16x64xf32>
func.func @f(%v: !s, %g0: !s, %g1: !s) -> !s {
  %y = hyena.gate %v, %g0, %g1 : (!s, !s, !s) -> !s
  return %y : !s
})");
  expectClose(e.outcome.only(), make({2, 16, 64}, [&](const auto &i) {
                return at(e.args[0], i) * at(e.args[1], i) * at(e.args[2], i);
              }));
}

// Would fail if broadcast repeated along another dimension.
TEST(HyenaOps, Broadcast) {
  Example e(R"(
!s = tensor<2x16x64xf32>
func.func @f(%scale: tensor<16xf32>, %u: !s) -> !s {
  %y = hyena.broadcast %scale like %u {dims = array<i64: 1>}
      : (tensor<16xf32>, !s) -> !s
  return %y : !s
})");
  expectClose(e.outcome.only(), make({2, 16, 64}, [&](const auto &i) {
                return at(e.args[0], {i[1]});
              }));
}

// Would fail if a mask (B, L) or a scalar were broadcast wrongly, or if the
// result took the element type of the other tensor.
TEST(HyenaOps, BroadcastMaskAndScalar) {
  Outcome outcome =
      runBody("(%m: tensor<2x3xi1>, %s: tensor<f32>, %x: tensor<2x2x3xf64>) -> "
              "(tensor<2x2x3xi1>, tensor<2x2x3xf32>)",
              R"(%0 = hyena.broadcast %m like %x {dims = array<i64: 0, 2>}
        : (tensor<2x3xi1>, tensor<2x2x3xf64>) -> tensor<2x2x3xi1>
    %1 = hyena.broadcast %s like %x {dims = array<i64>}
        : (tensor<f32>, tensor<2x2x3xf64>) -> tensor<2x2x3xf32>
    return %0, %1 : tensor<2x2x3xi1>, tensor<2x2x3xf32>)",
              {Value::integer({2, 3}, {1, 0, 0, 0, 1, 1}), scalar(2.0),
               randomReal({2, 2, 3}, 1)});
  ASSERT_EQ(outcome.results.size(), 2u) << outcome.error;
  EXPECT_EQ(outcome.results[0].integers,
            Integers({1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1}));
  EXPECT_EQ(outcome.results[1].reals, Reals(12, 2.0));
}

//===----------------------------------------------------------------------===//
// Decomposed forms
//===----------------------------------------------------------------------===//

// Would fail if pad put its zeros on the wrong side.
TEST(HyenaOps, Pad) {
  Example e(R"(
!s = tensor<2x16x64xf32>
func.func @f(%x: !s) -> tensor<2x16x128xf32> {
  %y = hyena.pad %x {dim = 2 : i64, low = 0 : i64, high = 64 : i64}
      : (!s) -> tensor<2x16x128xf32>
  return %y : tensor<2x16x128xf32>
})");
  expectClose(e.outcome.only(), make({2, 16, 128}, [&](const auto &i) {
                return at(e.args[0], i);
              }));
  Value x = randomReal({2, 3}, 1);
  expectClose(
      callOp("pad", "%a0", "dim = 0, low = 2, high = 1", {x}, {5, 3}).only(),
      make({5, 3}, [&](const auto &i) { return at(x, {i[0] - 2, i[1]}); }));
}

// Would fail if truncate kept another part.
TEST(HyenaOps, Truncate) {
  Example e(R"(
!s = tensor<2x16x64xf32>
func.func @f(%x: tensor<2x16x128xf32>) -> !s {
  %y = hyena.truncate %x {dim = 2 : i64, length = 64 : i64}
      : (tensor<2x16x128xf32>) -> !s
  return %y : !s
})");
  expectClose(e.outcome.only(), make({2, 16, 64}, [&](const auto &i) {
                return at(e.args[0], i);
              }));
  Value x = randomReal({5, 3}, 1);
  expectClose(
      callOp("truncate", "%a0", "dim = 0, offset = 2, length = 2", {x}, {2, 3})
          .only(),
      make({2, 3}, [&](const auto &i) { return at(x, {i[0] + 2, i[1]}); }));
}

// Would fail if flip were off by one.
TEST(HyenaOps, Flip) {
  Example e(R"(
func.func @f(%x: tensor<16x7xf32>) -> tensor<16x7xf32> {
  %y = hyena.flip %x {dim = 1 : i64} : (tensor<16x7xf32>) -> tensor<16x7xf32>
  return %y : tensor<16x7xf32>
})");
  expectClose(e.outcome.only(), make({16, 7}, [&](const auto &i) {
                return at(e.args[0], {i[0], 6 - i[1]});
              }));
}

// Would fail if the transform had another sign or scale.
TEST(HyenaOps, RFFT) {
  Example e(R"(
!s = tensor<2x16x64xf32>
func.func @f(%x: !s) -> tensor<2x16x65xcomplex<f32>> {
  %y = hyena.rfft %x {n = 128 : i64} : (!s) -> tensor<2x16x65xcomplex<f32>>
  return %y : tensor<2x16x65xcomplex<f32>>
})");
  Value expected = Value::complex({2, 16, 65}, {});
  for (int64_t row = 0; row < 32; ++row)
    for (int64_t k = 0; k < 65; ++k) {
      std::complex<double> sum = 0;
      for (int64_t m = 0; m < 64; ++m)
        sum += e.args[0].reals[row * 64 + m] *
               std::polar(1.0, -2 * M_PI * static_cast<double>(k * m) / 128);
      expected.complexes.push_back(sum);
    }
  expectClose(e.outcome.only(), expected, 1e-12);
}

// Would fail if the product were not complex, or not per channel.
TEST(HyenaOps, SpectralMul) {
  Example e(R"(
!f = tensor<2x16x65xcomplex<f32>>
func.func @f(%x: !f, %h: tensor<16x65xcomplex<f32>>) -> !f {
  %y = hyena.spectral_mul %x, %h : (!f, tensor<16x65xcomplex<f32>>) -> !f
  return %y : !f
})");
  Value expected = Value::complex({2, 16, 65}, {});
  for (int64_t i = 0; i < 2 * 16 * 65; ++i)
    expected.complexes.push_back(e.args[0].complexes[i] *
                                 e.args[1].complexes[i % (16 * 65)]);
  expectClose(e.outcome.only(), expected);
}

// Would fail if the inverse had another scale, or minded the imaginary parts
// that have no meaning.
TEST(HyenaOps, IRFFT) {
  Example e(R"(
!f = tensor<2x16x65xcomplex<f32>>
func.func @f(%s: !f) -> tensor<2x16x128xf32> {
  %y = hyena.irfft %s {n = 128 : i64} : (!f) -> tensor<2x16x128xf32>
  return %y : tensor<2x16x128xf32>
})");
  Value expected = make({2, 16, 128}, [&](const auto &i) {
    const std::complex<double> *x =
        e.args[0].complexes.data() + (i[0] * 16 + i[1]) * 65;
    double sum = 0;
    for (int64_t k = 0; k < 128; ++k) {
      std::complex<double> value = k <= 64 ? x[k] : std::conj(x[128 - k]);
      if (k % 64 == 0)
        value = value.real();
      sum += (value *
              std::polar(1.0, 2 * M_PI * static_cast<double>(k * i[2]) / 128))
                 .real();
    }
    return sum / 128;
  });
  expectClose(e.outcome.only(), expected, 1e-12);
}

// Would fail if the decomposed form of a causal convolution were not one:
// transforms of odd and even length, with padding and cutting inside them.
TEST(HyenaOps, DecomposedConvolution) {
  for (int64_t n : {19, 20, 23}) {
    Value u = randomReal({2, 4, 10}, 1), h = randomReal({2, 10}, 2);
    std::string f = std::to_string(n / 2 + 1), size = std::to_string(n);
    std::string spectrumU = "tensor<2x4x" + f + "xcomplex<f64>>",
                spectrumH = "tensor<2x" + f + "xcomplex<f64>>",
                whole = "tensor<2x4x" + size + "xf64>";
    Outcome outcome = runBody(
        "(%u: tensor<2x4x10xf64>, %h: tensor<2x10xf64>) -> "
        "(tensor<2x4x10xf64>, tensor<2x4x10xf64>)",
        "%a = hyena.rfft %u {n = " + size + "} : (tensor<2x4x10xf64>) -> " +
            spectrumU + "\n%b = hyena.rfft %h {n = " + size +
            "} : (tensor<2x10xf64>) -> " + spectrumH +
            "\n%c = hyena.spectral_mul %a, %b : (" + spectrumU + ", " +
            spectrumH + ") -> " + spectrumU + "\n%d = hyena.irfft %c {n = " +
            size + "} : (" + spectrumU + ") -> " + whole +
            "\n%e = hyena.truncate %d {dim = 2, length = 10} : (" + whole +
            ") -> tensor<2x4x10xf64>\n%g = hyena.fftconv %u, %h : "
            "(tensor<2x4x10xf64>, tensor<2x10xf64>) -> tensor<2x4x10xf64>\n"
            "return %e, %g : tensor<2x4x10xf64>, tensor<2x4x10xf64>",
        {u, h});
    ASSERT_EQ(outcome.results.size(), 2u) << outcome.error;
    expectClose(outcome.results[0], outcome.results[1]);
  }
}

// Would fail if a batch of nothing were anything but nothing.
TEST(HyenaOps, EmptyBatch) {
  Outcome outcome = runBody(
      "(%u: tensor<?x4x?xf32>, %h: tensor<2x10xf32>, %w: tensor<2x3xf32>) -> "
      "tensor<?x4x?xf32>",
      R"(%0 = hyena.shortconv %u, %w : (tensor<?x4x?xf32>, tensor<2x3xf32>)
        -> tensor<?x4x?xf32>
    %1 = hyena.fftconv %0, %h : (tensor<?x4x?xf32>, tensor<2x10xf32>)
        -> tensor<?x4x?xf32>
    return %1 : tensor<?x4x?xf32>)",
      {Value::real({0, 4, 6}, {}), randomReal({2, 10}, 1),
       randomReal({2, 3}, 2)});
  EXPECT_EQ(outcome.only().shape, std::vector<int64_t>({0, 4, 6}));
}
