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
#include <functional>

using namespace hyena::interp;

namespace {

/// The tensor of this shape whose elements are `fn(index)`.
Value make(std::vector<int64_t> shape,
           const std::function<double(const std::vector<int64_t> &)> &fn) {
  Value value = Value::real(std::move(shape), {});
  std::vector<int64_t> index(value.shape.size(), 0);
  for (int64_t i = 0, e = value.numElements(); i < e; ++i) {
    value.reals.push_back(fn(index));
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < value.shape[d])
        break;
      index[d] = 0;
    }
  }
  return value;
}

/// Runs the function @f of a module with random arguments.
struct Example {
  explicit Example(const std::string &text)
      : args(randomArguments(text)), outcome(run(text, args)) {}

  std::vector<Value> args;
  Outcome outcome;
};

std::string typeOf(const std::vector<int64_t> &shape) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + "f64>";
}

/// Calls `%r = hyena.NAME %a0, %a1 KEYWORD(%a2) ... {attributes}`, where
/// `operands` is all that stands before the attributes.
Outcome call(const std::string &name, const std::string &operands,
             const std::string &attributes, const std::vector<Value> &args,
             const std::vector<int64_t> &resultShape) {
  std::string signature, types;
  for (size_t i = 0; i < args.size(); ++i) {
    std::string separator = i ? ", " : "";
    signature +=
        separator + "%a" + std::to_string(i) + ": " + typeOf(args[i].shape);
    types += separator + typeOf(args[i].shape);
  }
  std::string result = typeOf(resultShape);
  return runBody("(" + signature + ") -> " + result,
                 "%r = hyena." + name + " " + operands + " {" + attributes +
                     "} : (" + types + ") -> " + result +
                     "\nreturn %r : " + result,
                 args);
}

} // namespace

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
  Value expected = make({2, 64, 48}, [&](auto i) {
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
  Value last =
      make({2, 5, 3}, [&](auto i) { return at(first, {i[0], i[2], i[1]}); });
  auto sum = [&](int64_t b, int64_t l, int64_t o) {
    double result = 0;
    for (int64_t j = 0; j < 3; ++j)
      result += at(w, {o, j}) * at(first, {b, j, l});
    return result;
  };
  std::string in = "input_layout = #hyena.layout<channels_first>",
              out = "result_layout = #hyena.layout<channels_first>";
  Value yLast = make({2, 5, 4}, [&](auto i) { return sum(i[0], i[1], i[2]); });
  Value yFirst = make({2, 4, 5}, [&](auto i) { return sum(i[0], i[2], i[1]); });
  expectClose(call("project", "%a0, %a1", in, {first, w}, {2, 5, 4}).only(),
              yLast);
  expectClose(call("project", "%a0, %a1", out, {last, w}, {2, 4, 5}).only(),
              yFirst);
  expectClose(
      call("project", "%a0, %a1", in + ", " + out, {first, w}, {2, 4, 5})
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
    expectClose(e.outcome.results[s], make({2, 64, 16}, [&](auto i) {
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
  expectClose(e.outcome.only(), make({2, 16, 64}, [&](auto i) {
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
  expectClose(e.outcome.only(), make({2, 16, 64}, [&](auto i) {
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
  expectClose(e.outcome.only(),
              make({2, 16, 64}, [&](auto i) { return at(e.args[0], {i[1]}); }));
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
// Convolutions
//===----------------------------------------------------------------------===//

// Would fail if the short convolution were off by a step.
TEST(HyenaOps, ShortConv) {
  Example e(R"(
!s = tensor<2x16x64xf32>
func.func @f(%x: !s, %w: tensor<16x3xf32>, %b: tensor<16xf32>) -> !s {
  %y = hyena.shortconv %x, %w bias(%b) {padding = #hyena.padding<same>}
      : (!s, tensor<16x3xf32>, tensor<16xf32>) -> !s
  return %y : !s
})");
  expectClose(e.outcome.only(), make({2, 16, 64}, [&](auto i) {
                double sum = at(e.args[2], {i[1]});
                for (int64_t k = 0; k < 3; ++k)
                  sum += at(e.args[1], {i[1], k}) *
                         at(e.args[0], {i[0], i[1], i[2] - 1 + k});
                return sum;
              }));
}

// Would fail if padding, tap order, grouping, layout or the number of taps of a
// short convolution were treated wrongly.
TEST(HyenaOps, ShortConvVariants) {
  struct Padding {
    std::string attributes;
    int64_t low(int64_t taps) const {
      return attributes.find("causal") != std::string::npos ? taps - 1
             : attributes.find("same") != std::string::npos ? taps / 2
                                                            : 2;
    }
    int64_t outputs(int64_t length, int64_t taps) const {
      return attributes.find("explicit") == std::string::npos
                 ? length
                 : length + 2 + 5 - taps + 1;
    }
  };
  const int64_t channels = 4;
  for (const Padding &padding : std::vector<Padding>{
           {"padding = #hyena.padding<causal>"},
           {"padding = #hyena.padding<same>"},
           {"padding = #hyena.padding<explicit>, pad_low = 2, pad_high = 5"}})
    for (int64_t taps : {1, 3, 4, 7})
      for (int64_t length : {1, 2, 9})
        for (int64_t groups : {1, 2, 4})
          for (bool last : {false, true})
            for (bool lag0First : {false, true}) {
              int64_t outputs = padding.outputs(length, taps);
              std::vector<int64_t> shape = {2, channels, length},
                                   to = {2, channels, outputs};
              if (last) {
                std::swap(shape[1], shape[2]);
                std::swap(to[1], to[2]);
              }
              Value x = randomReal(shape, 1), w = randomReal({groups, taps}, 2),
                    bias = randomReal({channels}, 3);
              Value expected = make(to, [&](auto i) {
                int64_t c = last ? i[2] : i[1], n = last ? i[1] : i[2];
                double sum = at(bias, {c});
                for (int64_t k = 0; k < taps; ++k) {
                  int64_t m = n - padding.low(taps) + k;
                  int64_t tap = lag0First ? taps - 1 - k : k;
                  sum += at(w, {c / (channels / groups), tap}) *
                         (last ? at(x, {i[0], m, c}) : at(x, {i[0], c, m}));
                }
                return sum;
              });
              std::string attributes =
                  padding.attributes +
                  (last ? ", layout = #hyena.layout<channels_last>" : "") +
                  (lag0First ? ", tap_order = #hyena.tap_order<lag0_first>"
                             : "");
              expectClose(call("shortconv", "%a0, %a1 bias(%a2)", attributes,
                               {x, w, bias}, to)
                              .only(),
                          expected);
            }
}

// Would fail if the long convolution lost its skip or shifted.
TEST(HyenaOps, FFTConv) {
  Example e(R"(
!s = tensor<2x16x64xf32>
func.func @f(%u: !s, %h: tensor<16x64xf32>, %d: tensor<16xf32>) -> !s {
  %y = hyena.fftconv %u, %h skip(%d)
      : (!s, tensor<16x64xf32>, tensor<16xf32>) -> !s
  return %y : !s
})");
  expectClose(e.outcome.only(), make({2, 16, 64}, [&](auto i) {
                double sum = at(e.args[2], {i[1]}) * at(e.args[0], i);
                for (int64_t m = 0; m <= i[2]; ++m)
                  sum += at(e.args[1], {i[1], i[2] - m}) *
                         at(e.args[0], {i[0], i[1], m});
                return sum;
              }));
}

// Would fail if a mode of the long convolution had other lags, for filters
// shorter and longer than the signal.
TEST(HyenaOps, FFTConvModes) {
  const int64_t channels = 4, groups = 2, future = 3;
  for (int64_t length : {1, 2, 7, 12})
    for (int64_t taps : {1, 3, 7, 12, 20})
      for (bool last : {false, true}) {
        std::vector<int64_t> shape = {2, channels, length};
        if (last)
          std::swap(shape[1], shape[2]);
        Value u = randomReal(shape, 1), h = randomReal({groups, taps}, 2),
              r = randomReal({groups, future}, 3), skip = randomReal({2}, 4);
        auto sample = [&](int64_t b, int64_t c, int64_t n) {
          return last ? at(u, {b, n, c}) : at(u, {b, c, n});
        };
        using Sum = std::function<double(int64_t, int64_t, int64_t)>;
        auto check = [&](const std::string &attributes, bool bidirectional,
                         const Sum &sum) {
          Value expected = make(shape, [&](auto i) {
            int64_t c = last ? i[2] : i[1], n = last ? i[1] : i[2];
            return sum(i[0], c, n) + at(skip, {c / 2}) * sample(i[0], c, n);
          });
          std::vector<Value> args = {u, h};
          if (bidirectional)
            args.push_back(r);
          args.push_back(skip);
          Outcome outcome =
              call("fftconv",
                   bidirectional ? "%a0, %a1 reverse(%a2) skip(%a3)"
                                 : "%a0, %a1 skip(%a2)",
                   attributes +
                       (last ? ", layout = #hyena.layout<channels_last>" : ""),
                   args, shape);
          expectClose(outcome.only(), expected);
        };
        Sum causal = [&](int64_t b, int64_t c, int64_t n) {
          double sum = 0;
          for (int64_t m = 0; m <= n; ++m)
            sum += at(h, {c / 2, n - m}) * sample(b, c, m);
          return sum;
        };
        check("mode = #hyena.conv_mode<causal>", false, causal);
        check("tap_order = #hyena.tap_order<newest_last>", false,
              [&](int64_t b, int64_t c, int64_t n) {
                double sum = 0;
                for (int64_t m = 0; m <= n; ++m)
                  sum += at(h, {c / 2, taps - 1 - (n - m)}) * sample(b, c, m);
                return sum;
              });
        check("mode = #hyena.conv_mode<bidirectional>", true,
              [&](int64_t b, int64_t c, int64_t n) {
                double sum = causal(b, c, n);
                for (int64_t m = n + 1; m < length; ++m)
                  sum += at(r, {c / 2, m - n - 1}) * sample(b, c, m);
                return sum;
              });
        for (int64_t lag0 : {int64_t(-1), int64_t(0), taps - 1}) {
          std::string suffix =
              lag0 < 0 ? "" : ", lag0 = " + std::to_string(lag0);
          int64_t centre = lag0 < 0 ? (taps - 1) / 2 : lag0;
          check("mode = #hyena.conv_mode<noncausal>" + suffix, false,
                [&](int64_t b, int64_t c, int64_t n) {
                  double sum = 0;
                  for (int64_t m = 0; m < length; ++m)
                    sum += at(h, {c / 2, n - m + centre}) * sample(b, c, m);
                  return sum;
                });
          if (taps <= length)
            check("mode = #hyena.conv_mode<circular>" + suffix, false,
                  [&](int64_t b, int64_t c, int64_t n) {
                    double sum = 0;
                    for (int64_t j = 0; j < taps; ++j)
                      sum +=
                          at(h, {c / 2, j}) *
                          sample(b, c,
                                 ((n - j + centre) % length + length) % length);
                    return sum;
                  });
        }
      }
}

// Would fail if the threads of a convolution changed a bit of its result.
TEST(HyenaOps, ThreadsDoNotMatter) {
  Value u = randomReal({2, 8, 500}, 1), h = randomReal({8, 500}, 2);
  std::string text = "%r = hyena.fftconv %u, %h : (tensor<2x8x500xf32>, "
                     "tensor<8x500xf32>) -> tensor<2x8x500xf32>\n"
                     "return %r : tensor<2x8x500xf32>";
  Reals results[2];
  for (int i = 0; i < 2; ++i) {
    Options options;
    options.threads = i ? 5 : 1;
    results[i] = runBody("(%u: tensor<2x8x500xf32>, %h: tensor<8x500xf32>) -> "
                         "tensor<2x8x500xf32>",
                         text, {u, h}, options)
                     .only()
                     .reals;
  }
  EXPECT_EQ(results[0], results[1]);
}

// Would fail if modal_filter took the wrong exponential.
TEST(HyenaOps, ModalFilter) {
  Example e(R"(
func.func @f(%poles: tensor<16x4xf32>, %residues: tensor<16x4xf32>) -> tensor<16x64xf32> {
  %y = hyena.modal_filter %poles, %residues
      {length = 64 : i64, form = #hyena.modal_form<log_pole>}
      : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x64xf32>
  return %y : tensor<16x64xf32>
})");
  Value expected = make({16, 64}, [&](auto i) {
    double sum = 0;
    for (int64_t s = 0; s < 4; ++s)
      sum += at(e.args[1], {i[0], s}) *
             std::exp(at(e.args[0], {i[0], s}) * static_cast<double>(i[1]));
    return sum;
  });
  // The filters grow as exp(64), so only relative errors mean anything.
  EXPECT_LE(compare(e.outcome.only(), expected).relativeL2, 1e-13);
}

// Would fail if complex poles lost their phase, or if either form were the
// other one.
TEST(HyenaOps, ModalFilterForms) {
  Value poles = randomComplex({3, 2}, 1), residues = randomComplex({3, 2}, 2);
  for (auto &pole : poles.complexes)
    pole *= 0.7;
  for (bool isLog : {false, true}) {
    Outcome outcome = runBody(
        "(%p: tensor<3x2xcomplex<f64>>, %r: tensor<3x2xcomplex<f64>>) -> "
        "tensor<3x9xf64>",
        std::string("%h = hyena.modal_filter %p, %r {length = 9 : i64, form = "
                    "#hyena.modal_form<") +
            (isLog ? "log_pole" : "pole") +
            ">} : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> "
            "tensor<3x9xf64>\nreturn %h : tensor<3x9xf64>",
        {poles, residues});
    Value expected = make({3, 9}, [&](auto i) {
      std::complex<double> sum = 0;
      for (int64_t s = 0; s < 2; ++s) {
        std::complex<double> pole = poles.complexes[i[0] * 2 + s];
        if (isLog)
          pole = std::exp(pole);
        sum += residues.complexes[i[0] * 2 + s] *
               std::pow(pole, static_cast<int>(i[1]));
      }
      return sum.real();
    });
    EXPECT_LE(compare(outcome.only(), expected).relativeL2, 1e-13);
  }
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
  expectClose(e.outcome.only(),
              make({2, 16, 128}, [&](auto i) { return at(e.args[0], i); }));
  Value x = randomReal({2, 3}, 1);
  expectClose(
      call("pad", "%a0", "dim = 0, low = 2, high = 1", {x}, {5, 3}).only(),
      make({5, 3}, [&](auto i) { return at(x, {i[0] - 2, i[1]}); }));
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
  expectClose(e.outcome.only(),
              make({2, 16, 64}, [&](auto i) { return at(e.args[0], i); }));
  Value x = randomReal({5, 3}, 1);
  expectClose(
      call("truncate", "%a0", "dim = 0, offset = 2, length = 2", {x}, {2, 3})
          .only(),
      make({2, 3}, [&](auto i) { return at(x, {i[0] + 2, i[1]}); }));
}

// Would fail if flip were off by one.
TEST(HyenaOps, Flip) {
  Example e(R"(
func.func @f(%x: tensor<16x7xf32>) -> tensor<16x7xf32> {
  %y = hyena.flip %x {dim = 1 : i64} : (tensor<16x7xf32>) -> tensor<16x7xf32>
  return %y : tensor<16x7xf32>
})");
  expectClose(e.outcome.only(), make({16, 7}, [&](auto i) {
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
  Value expected = make({2, 16, 128}, [&](auto i) {
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
