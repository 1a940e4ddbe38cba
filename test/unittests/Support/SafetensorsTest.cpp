//===- SafetensorsTest.cpp - tests of the safetensors reader --------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Support/Safetensors.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace hyena::support;

namespace {

/// A file with this header, of `claimed` bytes if that is given, and `data`
/// zero bytes behind it.
std::string makeFile(const std::string &header, size_t data,
                     std::optional<uint64_t> claimed = std::nullopt) {
  uint64_t length = claimed.value_or(header.size());
  std::string file(sizeof(length), '\0');
  std::memcpy(file.data(), &length, sizeof(length));
  return file + header + std::string(data, '\0');
}

std::optional<TensorFile> parse(const std::string &file, std::string &error) {
  return parseSafetensors(file.data(), file.size(), error);
}

struct Malformed {
  const char *what;
  std::string file;
  const char *message;
};

std::string one(const std::string &fields) {
  return R"({"x":{)" + fields + "}}";
}

const std::string goodX =
    R"({"x":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})";

std::vector<Malformed> malformedFiles() {
  auto fields = [](const char *dtype, const char *shape, const char *offsets) {
    return one(std::string(R"("dtype":")") + dtype + R"(","shape":)" + shape +
               R"(,"data_offsets":)" + offsets);
  };
  return {
      {"empty file", "",
       "0 bytes, expected 8 at least: the length of the header"},
      {"half a length", "abcd",
       "4 bytes, expected 8 at least: the length of the header"},
      {"no header", makeFile("", 0),
       "header, byte 0: expected '{' at the start, found the end of the "
       "header"},
      {"header longer than the file", makeFile(goodX, 0, 4096),
       "the header has 4096 bytes, expected at most 57 in a file of 65"},
      {"header length of 2^64 - 1", makeFile(goodX, 24, UINT64_MAX),
       "the header has 18446744073709551615 bytes, expected at most 81 in a "
       "file of 89"},
      {"truncated data", makeFile(goodX, 23),
       "tensor 'x' (F32 [2, 3]) has data_offsets 0 to 24, expected a range "
       "within the 23 bytes behind the header"},
      {"surplus data", makeFile(goodX, 25),
       "no tensor owns bytes 24 to 25, the last ones of the file"},
      {"not JSON", makeFile("hello", 0),
       "header, byte 0: expected '{' at the start, found 'h'"},
      {"an array", makeFile("[]", 0),
       "header, byte 0: expected '{' at the start, found '['"},
      {"cut short", makeFile(goodX.substr(0, 30), 0),
       "header, byte 30: expected ']' or ',' after a number, found the end of "
       "the header"},
      {"text behind the header", makeFile(goodX + " x", 24),
       "header, byte 58: expected only spaces after the last '}', found 'x'"},
      {"not UTF-8", makeFile("{\"\xff\":{}}", 0), "header, byte 2: not UTF-8"},
      {"overlong UTF-8", makeFile("{\"\xc0\x80\":{}}", 0),
       "header, byte 2: not UTF-8"},
      {"a surrogate in UTF-8", makeFile("{\"\xed\xa0\x80\":{}}", 0),
       "header, byte 2: not UTF-8"},
      {"cut UTF-8", makeFile("{\"\xe2\x82", 0), "header, byte 2: not UTF-8"},
      {"half a surrogate pair", makeFile(R"({"\ud800":{}})", 0),
       "header, byte 8: expected the second half of a surrogate pair"},
      {"the other half", makeFile(R"({"\udc00":{}})", 0),
       "header, byte 8: the second half of a surrogate pair without the first"},
      {"unknown escape", makeFile(R"({"\q":{}})", 0),
       "header, byte 3: expected an escape of JSON after \\, found 'q'"},
      {"bad digits", makeFile(R"({"\u12g4":{}})", 0),
       "header, byte 6: expected 4 hexadecimal digits after \\u, found 'g'"},
      {"line break in a name", makeFile("{\"a\nb\":{}}", 0),
       "header, byte 3: the control character '\\x0a' in a string"},
      {"no end of a name", makeFile("{\"abc", 0),
       "header, byte 5: the string has no end"},
      {"name without quotes", makeFile("{x:{}}", 0),
       "header, byte 1: expected a name in double quotes, found 'x'"},
      {"comma at the end", makeFile("{\"__metadata__\":{},}", 0),
       "header, byte 19: expected a name in double quotes, found '}'"},
      {"one name twice",
       makeFile(R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)"
                R"("x":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
                0),
       "header, byte 53: the name 'x' occurs twice"},
      {"one name twice, spelled differently",
       makeFile(R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)"
                R"("\u0078":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
                0),
       "header, byte 53: the name 'x' occurs twice"},
      {"one field twice",
       makeFile(one(R"("dtype":"U8","dtype":"U8","shape":[0])"), 0),
       "header, byte 19: the name 'dtype' occurs twice"},
      {"no dtype", makeFile(one(R"("shape":[0],"data_offsets":[0,0])"), 0),
       "header, byte 39: tensor 'x' has no dtype"},
      {"no shape", makeFile(one(R"("dtype":"U8","data_offsets":[0,0])"), 0),
       "header, byte 40: tensor 'x' has no shape"},
      {"no offsets", makeFile(one(R"("dtype":"U8","shape":[0])"), 0),
       "header, byte 31: tensor 'x' has no data_offsets"},
      {"unknown field", makeFile(one(R"("device":"cpu")"), 0),
       "header, byte 15: tensor 'x' has a field 'device', expected dtype, "
       "shape and data_offsets"},
      {"unknown dtype", makeFile(fields("F8", "[1]", "[0,1]"), 1),
       "header, byte 14: tensor 'x' has dtype 'F8', expected F64, F32, F16, "
       "BF16, C64, I64, I32, I8, U8, BOOL"},
      {"dtype in lower case", makeFile(fields("f32", "[1]", "[0,4]"), 4),
       "header, byte 14: tensor 'x' has dtype 'f32', expected F64, F32, F16, "
       "BF16, C64, I64, I32, I8, U8, BOOL"},
      {"negative extent", makeFile(fields("U8", "[-1]", "[0,0]"), 0),
       "header, byte 28: an extent of tensor 'x' is '-1', expected an integer "
       "from 0 to 2^63 - 1"},
      {"fraction", makeFile(fields("U8", "[1.5]", "[0,0]"), 0),
       "header, byte 28: an extent of tensor 'x' is '1.5', expected an integer "
       "from 0 to 2^63 - 1"},
      {"leading zero", makeFile(fields("U8", "[01]", "[0,1]"), 1),
       "header, byte 28: an extent of tensor 'x' is '01', expected an integer "
       "from 0 to 2^63 - 1"},
      {"2^63", makeFile(fields("U8", "[9223372036854775808]", "[0,0]"), 0),
       "header, byte 28: an extent of tensor 'x' is '9223372036854775808', "
       "expected an integer from 0 to 2^63 - 1"},
      {"a nested shape", makeFile(fields("U8", "[[1]]", "[0,1]"), 1),
       "header, byte 28: an extent of tensor 'x' is '[1', expected an integer "
       "from 0 to 2^63 - 1"},
      {"2^70 elements",
       makeFile(fields("U8", "[1099511627776,1073741824]", "[0,0]"), 0),
       "tensor 'x' (U8 [1099511627776, 1073741824]) has more than 2^63 - 1 "
       "bytes"},
      {"2^63 bytes",
       makeFile(fields("F64", "[1152921504606846976]", "[0,0]"), 0),
       "tensor 'x' (F64 [1152921504606846976]) has more than 2^63 - 1 bytes"},
      {"one offset", makeFile(fields("U8", "[0]", "[0]"), 0),
       "header, byte 49: tensor 'x' has 1 data_offsets, expected 2"},
      {"three offsets", makeFile(fields("U8", "[0]", "[0,0,0]"), 0),
       "header, byte 53: tensor 'x' has 3 data_offsets, expected 2"},
      {"offsets in reverse", makeFile(fields("U8", "[4]", "[4,0]"), 4),
       "tensor 'x' (U8 [4]) has data_offsets 4 to 0, expected a range within "
       "the 4 bytes behind the header"},
      {"shape and offsets differ",
       makeFile(fields("F32", "[2,2]", "[0,24]"), 24),
       "tensor 'x' (F32 [2, 2]) has data_offsets 0 to 24, expected 16 bytes"},
      {"a scalar of no bytes", makeFile(fields("F32", "[]", "[0,0]"), 0),
       "tensor 'x' (F32 []) has data_offsets 0 to 0, expected 4 bytes"},
      {"overlap",
       makeFile(R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                R"("y":{"dtype":"U8","shape":[4],"data_offsets":[3,7]}})",
                7),
       "tensor 'y' (U8 [4]) begins at 3 and overlaps tensor 'x' (U8 [4]), "
       "which ends at 4"},
      {"hole",
       makeFile(R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[5,9]},)"
                R"("y":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})",
                9),
       "no tensor owns bytes 4 to 5, before tensor 'x' (U8 [4])"},
      {"metadata that are no text", makeFile(R"({"__metadata__":{"a":1}})", 0),
       "header, byte 21: expected a text of the metadata in double quotes, "
       "found '1'"},
      {"a number for a tensor", makeFile(R"({"x":1})", 0),
       "header, byte 5: expected '{' before the fields of a tensor, found "
       "'1'"},
      {"a bool of 2",
       makeFile(fields("BOOL", "[1]", "[0,1]"), 0) + std::string(1, '\2'),
       "element 0 of tensor 'x' (BOOL) is 2, expected 0 or 1"},
  };
}

} // namespace

// Would fail if a lying file were believed, or if its message were vague.
TEST(Safetensors, RefusesMalformedFiles) {
  for (const Malformed &test : malformedFiles()) {
    std::string error;
    EXPECT_FALSE(parse(test.file, error)) << test.what;
    EXPECT_EQ(error, test.message) << test.what;
  }
}

// Would fail if a header could make the reader allocate without bound.
TEST(Safetensors, RefusesHugeHeaders) {
  std::string header(kMaxHeaderBytes + 1, ' ');
  std::string error;
  EXPECT_FALSE(parse(makeFile(header, 0), error));
  EXPECT_EQ(error, "the header has 100000001 bytes, expected at most "
                   "100000000");
}

// Would fail if a nesting of brackets could exhaust the stack.
TEST(Safetensors, RefusesDeepNesting) {
  for (const char *opening : {"{\"a\":", "["}) {
    std::string header;
    for (int i = 0; i < 100000; ++i)
      header += opening;
    std::string error;
    EXPECT_FALSE(parse(makeFile(header, 0), error));
    EXPECT_NE(error, "");
  }
}

// Would fail if any one wrong byte, or a cut anywhere, made the reader crash
// (the sanitizer build looks on).
TEST(Safetensors, SurvivesDamage) {
  std::string file =
      makeFile(R"({"__metadata__":{"k":"v\u00e9"},"x":{"dtype":"F32","shape":)"
               R"([2,3],"data_offsets":[0,24]},"é":{"dtype":"BOOL","shape":[],)"
               R"("data_offsets":[24,25]}})",
               25);
  std::string error;
  ASSERT_TRUE(parse(file, error)) << error;
  for (size_t length = 0; length < file.size(); ++length)
    EXPECT_FALSE(parse(file.substr(0, length), error)) << length;
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = file;
    for (unsigned i = 0; i <= random() % 3; ++i)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    error.clear();
    EXPECT_TRUE(parse(damaged, error) || !error.empty());
  }
}

// Would fail if what the format allows were refused.
TEST(Safetensors, ReadsWhatIsAllowed) {
  std::string error;
  std::optional<TensorFile> file = parse(makeFile("{}", 0), error);
  ASSERT_TRUE(file) << error;
  EXPECT_TRUE(file->tensors.empty());

  std::string header =
      " { \"b\\u0020\\n\\ud83d\\ude00\" :\t{\"data_offsets\" : [ 6 , 8 ],\n"
      "\"shape\": [ ], \"dtype\":\"BF16\"},"
      "\"a\":{\"dtype\":\"I8\",\"shape\":[2,3],\"data_offsets\":[0,6]},"
      "\"none\":{\"dtype\":\"F64\",\"shape\":[4,0],\"data_offsets\":[6,6]},"
      "\"__metadata__\":{\"format\":\"pt\"}}  ";
  file = parse(makeFile(header, 0) + "\x01\x02\x03\xff\xfe\xfd\x80\x3f", error);
  ASSERT_TRUE(file) << error;
  ASSERT_EQ(file->tensors.size(), 3u);
  EXPECT_EQ(file->tensors[0].name, "b \n\xf0\x9f\x98\x80");
  EXPECT_EQ(toDoubles(file->tensors[0]), std::vector<double>({1.0}));
  const Tensor *a = file->find("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->shape, std::vector<int64_t>({2, 3}));
  EXPECT_EQ(a->numElements(), 6);
  EXPECT_EQ(toDoubles(*a), std::vector<double>({1, 2, 3, -1, -2, -3}));
  EXPECT_EQ(file->find("none")->numElements(), 0);
  EXPECT_EQ(file->find("c"), nullptr);
  ASSERT_EQ(file->metadata.size(), 1u);
  EXPECT_EQ(file->metadata[0].second, "pt");
}

// Would fail if an element type had another size, spelling or rounding.
TEST(Safetensors, ConvertsElements) {
  struct Case {
    DType dtype;
    std::vector<double> in, out;
  };
  const double third = 1.0 / 3;
  std::vector<Case> cases = {
      {DType::F64, {third, -0.0}, {third, -0.0}},
      {DType::F32, {third, 1e300}, {static_cast<float>(third), INFINITY}},
      {DType::F16, {third, 65504}, {0.333251953125, 65504}},
      {DType::BF16, {third, 3.0}, {0.333984375, 3.0}},
      {DType::C64, {1.5, -2.5}, {1.5, -2.5}},
      {DType::I64, {-9223372036854775808.0, 5}, {-9223372036854775808.0, 5}},
      {DType::I32,
       {-2147483648.0, 2147483647.0},
       {-2147483648.0, 2147483647.0}},
      {DType::I8, {-128, 127}, {-128, 127}},
      {DType::U8, {0, 255}, {0, 255}},
      {DType::Bool, {0, 1}, {0, 1}},
  };
  for (const Case &test : cases) {
    std::string error, name(dtypeName(test.dtype));
    EXPECT_EQ(parseDType(name), test.dtype);
    int64_t count = test.dtype == DType::C64 ? 1 : 2;
    std::optional<Tensor> tensor =
        fromDoubles("x", test.dtype, {count}, test.in, error);
    ASSERT_TRUE(tensor) << error;
    EXPECT_EQ(tensor->bytes.size(), count * dtypeSize(test.dtype));
    EXPECT_EQ(toDoubles(*tensor), test.out) << name;
  }
}

// Would fail if a number that a type does not have were stored.
TEST(Safetensors, RefusesForeignValues) {
  struct Case {
    DType dtype;
    double value;
    const char *message;
  };
  for (const Case &test : std::vector<Case>{
           {DType::U8, 256,
            "element 1 of tensor 'x' is 256.000000, expected a "
            "value of U8"},
           {DType::I8, 0.5,
            "element 1 of tensor 'x' is 0.500000, expected a "
            "value of I8"},
           {DType::I64, NAN,
            "element 1 of tensor 'x' is nan, expected a value of I64"},
           {DType::Bool, 2,
            "element 1 of tensor 'x' is 2.000000, expected a "
            "value of BOOL"}}) {
    std::string error;
    EXPECT_FALSE(fromDoubles("x", test.dtype, {2}, {1, test.value}, error));
    EXPECT_EQ(error, test.message);
  }
  std::string error;
  EXPECT_FALSE(fromDoubles("x", DType::F32, {2, 2}, {1, 2, 3}, error));
  EXPECT_EQ(error, "tensor 'x' of shape [2, 2] is given 3 numbers");
}
