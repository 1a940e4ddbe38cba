//===- ScalarOpsTest.cpp - tests of arith, math and complex ---------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

#include <cmath>

using namespace hyena::interp;

namespace {

const double notANumber = std::nan("");
const double infinity = INFINITY;

/// `%r = NAME %a0, %a1, ... : type` for scalars of one type.
Outcome apply(const std::string &op, const std::string &type,
              const std::vector<Value> &args, std::string resultType = "",
              const std::string &suffix = "") {
  std::string signature, operands;
  for (size_t i = 0; i < args.size(); ++i) {
    std::string name = "%a" + std::to_string(i);
    signature += (i ? ", " : "") + name + ": " + type;
    operands += (i ? ", " : "") + name;
  }
  if (resultType.empty())
    resultType = type;
  return runBody("(" + signature + ") -> " + resultType,
                 "%r = " + op + " " + operands + " : " + type + suffix +
                     "\nreturn %r : " + resultType,
                 args);
}

struct RealCase {
  const char *op;
  Reals args;
  double expected;
};

} // namespace

// Would fail if a float operation computed another function. The expected
// values are written down or follow from other functions, to 1e-15.
TEST(ScalarOps, Reals) {
  const double e = 2.718281828459045, pi = 3.141592653589793;
  for (const RealCase &test :
       std::vector<RealCase>{{"arith.addf", {1.5, 2.25}, 3.75},
                             {"arith.subf", {1.5, 2.25}, -0.75},
                             {"arith.mulf", {1.5, -2.0}, -3.0},
                             {"arith.divf", {1.0, 8.0}, 0.125},
                             {"arith.divf", {1.0, 0.0}, infinity},
                             {"arith.remf", {-7.5, 2.0}, -1.5},
                             {"arith.negf", {2.0}, -2.0},
                             {"arith.maximumf", {1.0, 2.0}, 2.0},
                             {"arith.maximumf", {1.0, notANumber}, notANumber},
                             {"arith.minimumf", {1.0, 2.0}, 1.0},
                             {"arith.minimumf", {notANumber, 2.0}, notANumber},
                             {"arith.maxnumf", {1.0, notANumber}, 1.0},
                             {"arith.minnumf", {notANumber, 2.0}, 2.0},
                             {"math.absf", {-2.5}, 2.5},
                             {"math.exp", {1.0}, e},
                             {"math.exp2", {10.0}, 1024.0},
                             {"math.expm1", {1e-10}, 1.00000000005e-10},
                             {"math.log", {e}, 1.0},
                             {"math.log2", {8.0}, 3.0},
                             {"math.log10", {1000.0}, 3.0},
                             {"math.log1p", {1e-10}, 9.9999999995e-11},
                             {"math.sin", {pi / 6}, 0.5},
                             {"math.cos", {pi / 3}, 0.5},
                             {"math.tan", {pi / 4}, 1.0},
                             {"math.sinh", {1.0}, (e - 1 / e) / 2},
                             {"math.cosh", {1.0}, (e + 1 / e) / 2},
                             {"math.tanh", {1.0}, (e * e - 1) / (e * e + 1)},
                             {"math.asin", {0.5}, pi / 6},
                             {"math.acos", {0.5}, pi / 3},
                             {"math.atan", {1.0}, pi / 4},
                             {"math.asinh", {(e - 1 / e) / 2}, 1.0},
                             {"math.acosh", {(e + 1 / e) / 2}, 1.0},
                             {"math.atanh", {(e * e - 1) / (e * e + 1)}, 1.0},
                             {"math.erf", {0.5}, 0.5204998778130465},
                             {"math.erfc", {0.5}, 0.4795001221869535},
                             {"math.sqrt", {2.0}, 1.4142135623730951},
                             {"math.rsqrt", {4.0}, 0.5},
                             {"math.cbrt", {-27.0}, -3.0},
                             {"math.ceil", {-1.5}, -1.0},
                             {"math.floor", {-1.5}, -2.0},
                             {"math.round", {2.5}, 3.0},
                             {"math.roundeven", {2.5}, 2.0},
                             {"math.trunc", {-1.5}, -1.0},
                             {"math.powf", {2.0, -3.0}, 0.125},
                             {"math.atan2", {-1.0, -1.0}, -3 * pi / 4},
                             {"math.copysign", {3.0, -1.0}, -3.0},
                             {"math.fma", {2.0, 3.0, 4.0}, 10.0}}) {
    std::vector<Value> args;
    for (double arg : test.args)
      args.push_back(scalar(arg));
    const Value &result = apply(test.op, "f64", args).only();
    expectClose(result, scalar(test.expected),
                std::isfinite(test.expected)
                    ? 2e-15 * std::max(1.0, std::fabs(test.expected))
                    : 0);
  }
}

// Would fail if fma rounded its product.
TEST(ScalarOps, FmaRoundsOnce) {
  double x = 1 + std::ldexp(1.0, -30);
  const Value &result =
      apply("math.fma", "f64", {scalar(x), scalar(x), scalar(-1.0)}).only();
  EXPECT_EQ(result.reals[0], std::ldexp(1.0, -29) + std::ldexp(1.0, -60));
}

// Would fail if something were rounded to the type in the IR.
TEST(ScalarOps, NarrowTypesAreDoubles) {
  Outcome outcome = runBody("(%x: f64) -> f64",
                            R"(%0 = arith.truncf %x : f64 to f32
    %1 = arith.truncf %0 : f32 to bf16
    %2 = arith.addf %1, %1 : bf16
    %3 = arith.extf %2 : bf16 to f64
    return %3 : f64)",
                            {scalar(1.0 / 3)});
  EXPECT_EQ(outcome.only().reals[0], 2.0 / 3);
}

// Would fail if a comparison of floats treated NaN otherwise than its name
// says.
TEST(ScalarOps, CompareFloats) {
  // The results for (1, 2), (2, 2), (3, 2) and (NaN, 2).
  struct Case {
    const char *predicate;
    Integers expected;
  };
  for (const Case &test : std::vector<Case>{{"false", {0, 0, 0, 0}},
                                            {"oeq", {0, 1, 0, 0}},
                                            {"ogt", {0, 0, 1, 0}},
                                            {"oge", {0, 1, 1, 0}},
                                            {"olt", {1, 0, 0, 0}},
                                            {"ole", {1, 1, 0, 0}},
                                            {"one", {1, 0, 1, 0}},
                                            {"ord", {1, 1, 1, 0}},
                                            {"ueq", {0, 1, 0, 1}},
                                            {"ugt", {0, 0, 1, 1}},
                                            {"uge", {0, 1, 1, 1}},
                                            {"ult", {1, 0, 0, 1}},
                                            {"ule", {1, 1, 0, 1}},
                                            {"une", {1, 0, 1, 1}},
                                            {"uno", {0, 0, 0, 1}},
                                            {"true", {1, 1, 1, 1}}}) {
    Outcome outcome =
        runBody("(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xi1>",
                std::string("%r = arith.cmpf ") + test.predicate +
                    ", %a, %b : tensor<4xf32>\nreturn %r : tensor<4xi1>",
                {Value::real({4}, {1, 2, 3, notANumber}),
                 Value::real({4}, {2, 2, 2, 2})});
    EXPECT_EQ(outcome.only().integers, test.expected) << test.predicate;
  }
}

// Would fail if an integer operation did not wrap, or mixed up signed and
// unsigned.
TEST(ScalarOps, Integers) {
  struct Case {
    const char *op, *type;
    Integers args;
    int64_t expected;
  };
  const int64_t smallest = INT64_MIN;
  for (const Case &test :
       std::vector<Case>{{"arith.addi", "i8", {100, 100}, -56},
                         {"arith.addi", "i64", {INT64_MAX, 1}, smallest},
                         {"arith.addi", "i1", {1, 1}, 0},
                         {"arith.subi", "i8", {-100, 100}, 56},
                         {"arith.muli", "i16", {300, 300}, 24464},
                         {"arith.muli", "index", {-3, 5}, -15},
                         {"arith.divsi", "i32", {-7, 2}, -3},
                         {"arith.divui", "i8", {-1, 2}, 127},
                         {"arith.floordivsi", "i32", {-7, 2}, -4},
                         {"arith.ceildivsi", "i32", {7, 2}, 4},
                         {"arith.ceildivsi", "i32", {-7, 2}, -3},
                         {"arith.ceildivui", "i32", {7, 2}, 4},
                         {"arith.remsi", "i32", {-7, 2}, -1},
                         {"arith.remui", "i8", {-1, 16}, 15},
                         {"arith.andi", "i32", {12, 10}, 8},
                         {"arith.ori", "i32", {12, 10}, 14},
                         {"arith.xori", "i32", {12, 10}, 6},
                         {"arith.xori", "i1", {1, 1}, 0},
                         {"arith.shli", "i8", {3, 7}, -128},
                         {"arith.shrsi", "i8", {-128, 7}, -1},
                         {"arith.shrui", "i8", {-128, 7}, 1},
                         {"arith.maxsi", "i32", {-1, 1}, 1},
                         {"arith.maxui", "i32", {-1, 1}, -1},
                         {"arith.minsi", "i32", {-1, 1}, -1},
                         {"arith.minui", "i32", {-1, 1}, 1},
                         {"arith.maxsi", "i1", {0, 1}, 0},
                         {"math.absi", "i32", {-5}, 5}}) {
    std::vector<Value> args;
    for (int64_t arg : test.args)
      args.push_back(scalar(arg));
    EXPECT_EQ(apply(test.op, test.type, args).only().integers,
              Integers({test.expected}))
        << test.op << " " << test.type;
  }
}

// Would fail if a comparison of integers mixed up signed and unsigned.
TEST(ScalarOps, CompareIntegers) {
  struct Case {
    const char *predicate;
    Integers expected;
  };
  for (const Case &test : std::vector<Case>{{"eq", {0, 1, 0}},
                                            {"ne", {1, 0, 1}},
                                            {"slt", {1, 0, 0}},
                                            {"sle", {1, 1, 0}},
                                            {"sgt", {0, 0, 1}},
                                            {"sge", {0, 1, 1}},
                                            {"ult", {0, 0, 0}},
                                            {"ule", {0, 1, 0}},
                                            {"ugt", {1, 0, 1}},
                                            {"uge", {1, 1, 1}}}) {
    Outcome outcome = runBody(
        "(%a: tensor<3xi16>, %b: tensor<3xi16>) -> tensor<3xi1>",
        std::string("%r = arith.cmpi ") + test.predicate +
            ", %a, %b : tensor<3xi16>\nreturn %r : tensor<3xi1>",
        {Value::integer({3}, {-1, 2, 3}), Value::integer({3}, {2, 2, 2})});
    EXPECT_EQ(outcome.only().integers, test.expected) << test.predicate;
  }
}

// Would fail if a cast changed a value that both types have, or extended the
// wrong bit.
TEST(ScalarOps, Casts) {
  struct Case {
    const char *op, *from, *to;
    Value arg, expected;
  };
  for (const Case &test : std::vector<Case>{
           {"arith.extsi", "i8", "i32", scalar(int64_t(-1)),
            scalar(int64_t(-1))},
           {"arith.extsi", "i1", "i32", scalar(int64_t(1)),
            scalar(int64_t(-1))},
           {"arith.extui", "i8", "i32", scalar(int64_t(-1)),
            scalar(int64_t(255))},
           {"arith.extui", "i1", "i32", scalar(int64_t(1)), scalar(int64_t(1))},
           {"arith.trunci", "i32", "i8", scalar(int64_t(511)),
            scalar(int64_t(-1))},
           {"arith.trunci", "i32", "i1", scalar(int64_t(2)),
            scalar(int64_t(0))},
           {"arith.index_cast", "i32", "index", scalar(int64_t(-3)),
            scalar(int64_t(-3))},
           {"arith.index_castui", "i8", "index", scalar(int64_t(-3)),
            scalar(int64_t(253))},
           {"arith.sitofp", "i8", "f32", scalar(int64_t(-3)), scalar(-3.0)},
           {"arith.uitofp", "i8", "f32", scalar(int64_t(-3)), scalar(253.0)},
           {"arith.uitofp", "i1", "f32", scalar(int64_t(1)), scalar(1.0)},
           {"arith.fptosi", "f32", "i8", scalar(-3.9), scalar(int64_t(-3))},
           {"arith.fptoui", "f32", "i8", scalar(200.5), scalar(int64_t(-56))},
           {"arith.bitcast", "f32", "i32", scalar(1.0),
            scalar(int64_t(0x3f800000))},
           {"arith.bitcast", "i16", "bf16", scalar(int64_t(0x4049)),
            scalar(3.140625)}}) {
    Outcome outcome = apply(test.op, test.from, {test.arg}, test.to,
                            std::string(" to ") + test.to);
    expectClose(outcome.only(), test.expected, 0);
  }
}

// Would fail if select took the other operand, for any kind of element.
TEST(ScalarOps, Select) {
  Outcome outcome = runBody(
      "(%c: tensor<2xi1>, %s: i1, %a: tensor<2xf32>, %b: tensor<2xf32>, "
      "%x: tensor<2xcomplex<f32>>, %y: tensor<2xcomplex<f32>>) -> "
      "(tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>)",
      R"(%0 = arith.select %c, %a, %b : tensor<2xi1>, tensor<2xf32>
    %1 = arith.select %s, %a, %b : tensor<2xf32>
    %2 = arith.select %c, %x, %y : tensor<2xi1>, tensor<2xcomplex<f32>>
    return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>)",
      {Value::integer({2}, {1, 0}), scalar(int64_t(0)),
       Value::real({2}, {1, 2}), Value::real({2}, {3, 4}),
       Value::complex({2}, {{1, 2}, {3, 4}}),
       Value::complex({2}, {{5, 6}, {7, 8}})});
  ASSERT_EQ(outcome.results.size(), 3u) << outcome.error;
  EXPECT_EQ(outcome.results[0].reals, Reals({1, 4}));
  EXPECT_EQ(outcome.results[1].reals, Reals({3, 4}));
  EXPECT_EQ(outcome.results[2].complexes, Complexes({{1, 2}, {7, 8}}));
}

// Would fail if a complex operation computed another function.
TEST(ScalarOps, ComplexNumbers) {
  using Number = std::complex<double>;
  struct Case {
    const char *op;
    Complexes args;
    Number expected;
  };
  const double e = 2.718281828459045, pi = 3.141592653589793;
  const double root = std::sqrt(0.5);
  for (const Case &test : std::vector<Case>{
           {"complex.add", {{1, 2}, {3, -5}}, {4, -3}},
           {"complex.sub", {{1, 2}, {3, -5}}, {-2, 7}},
           {"complex.mul", {{1, 2}, {3, -5}}, {13, 1}},
           {"complex.div", {{13, 1}, {3, -5}}, {1, 2}},
           {"complex.neg", {{1, -2}}, {-1, 2}},
           {"complex.conj", {{1, -2}}, {1, 2}},
           {"complex.exp", {{1, pi / 2}}, {0, e}},
           {"complex.expm1", {{0, 1e-10}}, {-5e-21, 1e-10}},
           {"complex.log", {{0, e}}, {1, pi / 2}},
           {"complex.log1p", {{0, 1e-10}}, {5e-21, 1e-10}},
           {"complex.sqrt", {{0, 1}}, {root, root}},
           {"complex.rsqrt", {{0, 1}}, {root, -root}},
           {"complex.sin", {{0, 1}}, {0, (e - 1 / e) / 2}},
           {"complex.cos", {{0, 1}}, {(e + 1 / e) / 2, 0}},
           {"complex.tan", {{0, 1}}, {0, (e * e - 1) / (e * e + 1)}},
           {"complex.tanh", {{1, 0}}, {(e * e - 1) / (e * e + 1), 0}},
           {"complex.sign", {{3, -4}}, {0.6, -0.8}},
           {"complex.pow", {{0, 1}, {2, 0}}, {-1, 0}}}) {
    std::vector<Value> args;
    for (Number arg : test.args)
      args.push_back(Value::complex({}, {arg}));
    expectClose(apply(test.op, "complex<f64>", args).only(),
                Value::complex({}, {test.expected}), 4e-15);
  }
  Value z = Value::complex({}, {{3, 4}}), w = Value::complex({}, {{3, -4}});
  EXPECT_EQ(apply("complex.re", "complex<f64>", {z}, "f64").only().reals[0], 3);
  EXPECT_EQ(apply("complex.im", "complex<f64>", {z}, "f64").only().reals[0], 4);
  EXPECT_EQ(apply("complex.abs", "complex<f64>", {z}, "f64").only().reals[0],
            5);
  EXPECT_NEAR(
      apply("complex.angle", "complex<f64>", {z}, "f64").only().reals[0],
      std::atan2(4.0, 3.0), 1e-15);
  for (auto [op, expected] :
       {std::pair("complex.eq", 0), std::pair("complex.neq", 1)})
    EXPECT_EQ(apply(op, "complex<f64>", {z, w}, "i1").only().integers[0],
              expected);
  Outcome outcome = runBody("(%a: f32, %b: f32) -> complex<f32>",
                            R"(%0 = complex.create %a, %b : complex<f32>
    %1 = complex.constant [0.5 : f32, -1.0 : f32] : complex<f32>
    %2 = complex.add %0, %1 : complex<f32>
    return %2 : complex<f32>)",
                            {scalar(1.0), scalar(2.0)});
  EXPECT_EQ(outcome.only().complexes, Complexes({{1.5, 1}}));
}

// Would fail if what has no result gave one, or ended the process.
TEST(ScalarOps, Errors) {
  struct Case {
    const char *op, *type;
    Integers args;
    const char *error;
  };
  for (const Case &test : std::vector<Case>{
           {"arith.divsi",
            "i32",
            {1, 0},
            "2:6: 'arith.divsi' op divides by zero\n"},
           {"arith.remui",
            "i32",
            {1, 0},
            "2:6: 'arith.remui' op divides by zero\n"},
           {"arith.divsi",
            "i8",
            {-128, -1},
            "2:6: 'arith.divsi' op overflows: divides -128 by -1\n"},
           {"arith.shli",
            "i8",
            {1, 8},
            "2:6: 'arith.shli' op shifts by 8, expected 0 to 7\n"}}) {
    std::vector<Value> args;
    for (int64_t arg : test.args)
      args.push_back(scalar(arg));
    EXPECT_EQ(apply(test.op, test.type, args).error, test.error);
  }
  EXPECT_EQ(
      apply("arith.fptosi", "f32", {scalar(200.0)}, "i8", " to i8").error,
      "2:6: 'arith.fptosi' op converts 200.000000, which an integer of 8 bits "
      "does not hold\n");
  EXPECT_EQ(apply("math.ctpop", "i32", {scalar(int64_t(3))}).error,
            "2:6: the interpreter does not know 'math.ctpop'\n");
  EXPECT_EQ(
      apply("arith.addi", "i128", {scalar(int64_t(3)), scalar(int64_t(3))})
          .error,
      "1:1: argument 0 of 'f' is 'i128', which the interpreter does not "
      "know\n");
}
