//===- ConvolutionOpsTest.cpp - tests of convolutions and filters ---------===//
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

// Would fail if the short convolution were off by a step.
TEST(HyenaOps, ShortConv) {
  Example e(R"(
!s = tensor<2x16x64xf32>
func.func @f(%x: !s, %w: tensor<16x3xf32>, %b: tensor<16xf32>) -> !s {
  %y = hyena.shortconv %x, %w bias(%b) {padding = #hyena.padding<same>}
      : (!s, tensor<16x3xf32>, tensor<16xf32>) -> !s
  return %y : !s
})");
  expectClose(e.outcome.only(), make({2, 16, 64}, [&](const auto &i) {
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
              Value expected = make(to, [&](const auto &i) {
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
              expectClose(callOp("shortconv", "%a0, %a1 bias(%a2)", attributes,
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
  expectClose(e.outcome.only(), make({2, 16, 64}, [&](const auto &i) {
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
          Value expected = make(shape, [&](const auto &i) {
            int64_t c = last ? i[2] : i[1], n = last ? i[1] : i[2];
            return sum(i[0], c, n) + at(skip, {c / 2}) * sample(i[0], c, n);
          });
          std::vector<Value> args = {u, h};
          if (bidirectional)
            args.push_back(r);
          args.push_back(skip);
          Outcome outcome = callOp(
              "fftconv",
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
  Value expected = make({16, 64}, [&](const auto &i) {
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
    Value expected = make({3, 9}, [&](const auto &i) {
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
