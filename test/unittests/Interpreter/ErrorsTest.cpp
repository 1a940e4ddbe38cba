//===- ErrorsTest.cpp - tests of the interpreter's errors -----------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

using namespace hyena::interp;

namespace {

struct Case {
  const char *signature;
  const char *body;
  std::vector<Value> args;
  const char *error;
};

Value index(int64_t value) { return scalar(value); }

} // namespace

// Would fail if the caller's mistakes were not named.
TEST(Errors, Arguments) {
  const char *signature = "(%x: tensor<?x3xf32>, %i: i8) -> i8";
  for (const Case &test : std::vector<Case>{
           {signature,
            "return %i : i8",
            {},
            "1:1: 'f' is given 0 arguments, expected 2\n"},
           {signature,
            "return %i : i8",
            {Value::real({1, 2}, {1, 2}), index(1)},
            "1:1: argument 0 of 'f' is real of shape [1, 2], expected "
            "'tensor<?x3xf32>'\n"},
           {signature,
            "return %i : i8",
            {Value::integer({0, 3}, {}), index(1)},
            "1:1: argument 0 of 'f' is integer of shape [0, 3], expected "
            "'tensor<?x3xf32>'\n"},
           {signature,
            "return %i : i8",
            {Value::real({1, 3}, {1, 2, 3}), scalar(1.0)},
            "1:1: argument 1 of 'f' is real of shape [], expected 'i8'\n"},
           {signature,
            "return %i : i8",
            {Value::real({1, 3}, {1, 2}), index(1)},
            "1:1: argument 0 of 'f' has 2 elements, expected 3 for the shape "
            "[1, 3]\n"}})
    EXPECT_EQ(runBody(test.signature, test.body, test.args).error, test.error);
  EXPECT_EQ(
      run("func.func @f() { return }\nfunc.func @g() { return }", {}, {}, "h")
          .error,
      "0:0: there is no function 'h', expected one of 'f', 'g'\n");
  EXPECT_EQ(run("func.func private @f()").error,
            "1:1: the function 'f' has no body\n");
}

// Would fail if what goes wrong at run time had no location or no reason.
TEST(Errors, RunTime) {
  for (const Case &test : std::vector<Case>{
           {"(%x: tensor<3xf32>, %i: index) -> f32",
            "%0 = tensor.extract %x[%i] : tensor<3xf32>\nreturn %0 : f32",
            {Value::real({3}, {1, 2, 3}), index(3)},
            "2:6: 'tensor.extract' op index 3 of dimension 0 is out of bounds, "
            "expected 0 to 2\n"},
           {"(%x: tensor<3xf32>, %i: index, %v: f32) -> tensor<3xf32>",
            "%0 = tensor.insert %v into %x[%i] : tensor<3xf32>\n"
            "return %0 : tensor<3xf32>",
            {Value::real({3}, {1, 2, 3}), index(-1), scalar(1.0)},
            "2:6: 'tensor.insert' op index -1 of dimension 0 is out of bounds, "
            "expected 0 to 2\n"},
           {"(%x: tensor<3xf32>, %i: index) -> tensor<2xf32>",
            "%0 = tensor.extract_slice %x[%i] [2] [1] : tensor<3xf32> to "
            "tensor<2xf32>\nreturn %0 : tensor<2xf32>",
            {Value::real({3}, {1, 2, 3}), index(2)},
            "2:6: 'tensor.extract_slice' op takes 2 elements from 2 to 3 of "
            "dimension 0, expected 0 to 2\n"},
           {"(%x: tensor<?xf32>) -> tensor<2xf32>",
            "%0 = tensor.cast %x : tensor<?xf32> to tensor<2xf32>\n"
            "return %0 : tensor<2xf32>",
            {Value::real({3}, {1, 2, 3})},
            "2:6: 'tensor.cast' op result 0 has the shape [3] at run time, "
            "expected 'tensor<2xf32>'\n"},
           {"(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32>",
            "%0 = arith.addf %x, %y : tensor<?xf32>\n"
            "return %0 : tensor<?xf32>",
            {Value::real({2}, {1, 2}), Value::real({1}, {1})},
            "2:6: 'arith.addf' op operand 1 has the shape [1] at run time, "
            "expected [2]\n"},
           {"(%n: index) -> tensor<?x?xf32>",
            "%0 = tensor.empty(%n, %n) : tensor<?x?xf32>\n"
            "return %0 : tensor<?x?xf32>",
            {index(INT64_MAX)},
            "2:6: 'tensor.empty' op makes a tensor of shape "
            "[9223372036854775807, 9223372036854775807], expected 2147483648 "
            "elements at most\n"},
           {"(%n: index) -> tensor<?xf32>",
            "%0 = tensor.empty(%n) : tensor<?xf32>\nreturn %0 : tensor<?xf32>",
            {index(-1)},
            "2:6: 'tensor.empty' op makes a tensor of shape [-1], expected no "
            "negative extent\n"},
           {"() -> tensor<100000x100000xf32>",
            "%0 = arith.constant dense<0.0> : tensor<100000x100000xf32>\n"
            "return %0 : tensor<100000x100000xf32>",
            {},
            "2:6: 'arith.constant' op makes a tensor of shape [100000, "
            "100000], expected 2147483648 elements at most\n"},
           {"(%a: tensor<?x2xf32>, %b: tensor<?x2xf32>) -> tensor<?x2xf32>",
            "%0 = linalg.add ins(%a, %a : tensor<?x2xf32>, tensor<?x2xf32>) "
            "outs(%b : tensor<?x2xf32>) -> tensor<?x2xf32>\n"
            "return %0 : tensor<?x2xf32>",
            {Value::real({1, 2}, {1, 2}), Value::real({0, 2}, {})},
            "2:6: 'linalg.add' op operand 2 has the extent 0 in dimension 0 at "
            "run time, expected 1, that of loop 0\n"},
           {"(%u: tensor<1x1x?xf32>, %h: tensor<1x3xf32>) -> "
            "tensor<1x1x?xf32>",
            "%0 = hyena.fftconv %u, %h {mode = #hyena.conv_mode<circular>} : "
            "(tensor<1x1x?xf32>, tensor<1x3xf32>) -> tensor<1x1x?xf32>\n"
            "return %0 : tensor<1x1x?xf32>",
            {Value::real({1, 1, 2}, {1, 2}), Value::real({1, 3}, {1, 2, 3})},
            "2:6: 'hyena.fftconv' op C7: the circular filter has 3 taps, "
            "expected no more than the 2 samples of the signal\n"},
           {"(%u: tensor<1x1x?xf32>, %h: tensor<1x3xf32>) -> "
            "tensor<1x1x?xf32>",
            "%0 = hyena.fftconv %u, %h : (tensor<1x1x?xf32>, "
            "tensor<1x3xf32>) -> tensor<1x1x?xf32>\n"
            "return %0 : tensor<1x1x?xf32>",
            {Value::real({1, 1, 0}, {}), Value::real({1, 3}, {1, 2, 3})},
            "2:6: 'hyena.fftconv' op C1: the signal has no samples at run "
            "time, expected 1 at least\n"},
           {"(%x: tensor<?xf32>) -> tensor<4xf32>",
            "%0 = hyena.truncate %x {dim = 0, length = 4} : (tensor<?xf32>) "
            "-> tensor<4xf32>\nreturn %0 : tensor<4xf32>",
            {Value::real({3}, {1, 2, 3})},
            "2:6: 'hyena.truncate' op keeps elements 0 to 3 of dimension 0, "
            "expected 0 to 2\n"},
           {"(%n: index) -> index",
            "%c0 = arith.constant 0 : index\n"
            "%0 = scf.for %i = %c0 to %n step %c0 iter_args(%a = %c0) -> "
            "(index) { scf.yield %a : index }\nreturn %0 : index",
            {index(3)},
            "3:6: 'scf.for' op has the step 0, expected a positive one\n"}})
    EXPECT_EQ(runBody(test.signature, test.body, test.args).error, test.error);
}

// Would fail if an operation that the interpreter does not know ended the
// process, or were passed over in silence.
TEST(Errors, UnknownOperations) {
  for (const Case &test : std::vector<Case>{
           {"(%x: i32) -> i32",
            "%0 = math.ctpop %x : i32\nreturn %0 : i32",
            {index(1)},
            "2:6: the interpreter does not know 'math.ctpop'\n"},
           {"(%x: tensor<2xi32>) -> tensor<2xi32>",
            "%e = tensor.empty() : tensor<2xi32>\n"
            "%0 = linalg.map ins(%x : tensor<2xi32>) outs(%e : tensor<2xi32>)\n"
            "(%a : i32, %o : i32) {\n"
            "%1 = math.ctpop %a : i32\nlinalg.yield %1 : i32\n}\n"
            "return %0 : tensor<2xi32>",
            {Value::integer({2}, {1, 2})},
            "5:6: the interpreter does not know 'math.ctpop' in this form, on "
            "scalars\n"}})
    EXPECT_EQ(runBody(test.signature, test.body, test.args).error, test.error);
  EXPECT_EQ(run("func.func @f() {\n  cf.br ^a\n^a:\n  return\n}").error,
            "1:1: the interpreter does not know functions of several blocks\n");
}

// Would fail if an endless recursion exhausted the stack.
TEST(Errors, EndlessRecursion) {
  EXPECT_EQ(
      run("func.func @f() {\n  func.call @f() : () -> ()\n  return\n}").error,
      "2:3: calls nest more than 200 deep at 'f'\n");
}
