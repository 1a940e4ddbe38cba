//===- Safetensors.cpp - files of named tensors ---------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Support/Safetensors.h"

#include "HeaderParser.h"
#include "hyena/Support/Float16.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace hyena::support;
using namespace hyena::support::detail;

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "elements are stored as they are in memory");

namespace {

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  size_t size;
};

constexpr DTypeInfo dtypes[] = {
    {DType::F64, "F64", 8},   {DType::F32, "F32", 4}, {DType::F16, "F16", 2},
    {DType::BF16, "BF16", 2}, {DType::C64, "C64", 8}, {DType::I64, "I64", 8},
    {DType::I32, "I32", 4},   {DType::I8, "I8", 1},   {DType::U8, "U8", 1},
    {DType::Bool, "BOOL", 1}};

const DTypeInfo &info(DType dtype) {
  return dtypes[static_cast<size_t>(dtype)];
}

/// Appends the elements of `bytes`, read as Storage and widened by `widen`.
template <typename Storage, typename Fn>
void widenAll(const std::vector<uint8_t> &bytes, std::vector<double> &result,
              Fn widen) {
  result.resize(bytes.size() / sizeof(Storage));
  for (size_t i = 0; i < result.size(); ++i) {
    Storage element;
    std::memcpy(&element, bytes.data() + i * sizeof(Storage), sizeof(Storage));
    result[i] = widen(element);
  }
}

template <typename Storage, typename Fn>
void narrowAll(const std::vector<double> &values, std::vector<uint8_t> &bytes,
               Fn narrow) {
  for (size_t i = 0; i < values.size(); ++i) {
    Storage element = narrow(values[i]);
    std::memcpy(bytes.data() + i * sizeof(Storage), &element, sizeof(Storage));
  }
}

/// The index of the first value that is no value of the integer type `Int`.
template <typename Int> size_t firstMisfit(const std::vector<double> &values) {
  // The largest value is not always a double, the one behind it is.
  double low = static_cast<double>(std::numeric_limits<Int>::min());
  double beyond = std::ldexp(1.0, std::numeric_limits<Int>::digits);
  size_t i = 0;
  while (i < values.size() && values[i] >= low && values[i] < beyond &&
         std::trunc(values[i]) == values[i])
    ++i;
  return i;
}

} // namespace

std::string_view hyena::support::dtypeName(DType dtype) {
  return info(dtype).name;
}

std::optional<DType> hyena::support::parseDType(std::string_view name) {
  for (const DTypeInfo &entry : dtypes)
    if (entry.name == name)
      return entry.dtype;
  return std::nullopt;
}

size_t hyena::support::dtypeSize(DType dtype) { return info(dtype).size; }

std::string hyena::support::dtypeNames() {
  std::string result;
  for (const DTypeInfo &entry : dtypes)
    result += (result.empty() ? "" : ", ") + std::string(entry.name);
  return result;
}

int64_t Tensor::numElements() const { return countElements(shape).value_or(0); }

const Tensor *TensorFile::find(std::string_view name) const {
  for (const Tensor &tensor : tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

std::vector<double> hyena::support::toDoubles(const Tensor &tensor) {
  std::vector<double> result;
  auto same = [](auto element) { return static_cast<double>(element); };
  switch (tensor.dtype) {
  case DType::F64:
    widenAll<double>(tensor.bytes, result, same);
    break;
  case DType::F32:
  case DType::C64:
    widenAll<float>(tensor.bytes, result, same);
    break;
  case DType::F16:
    widenAll<uint16_t>(tensor.bytes, result, halfToDouble);
    break;
  case DType::BF16:
    widenAll<uint16_t>(tensor.bytes, result, bfloatToDouble);
    break;
  case DType::I64:
    widenAll<int64_t>(tensor.bytes, result, same);
    break;
  case DType::I32:
    widenAll<int32_t>(tensor.bytes, result, same);
    break;
  case DType::I8:
    widenAll<int8_t>(tensor.bytes, result, same);
    break;
  case DType::U8:
  case DType::Bool:
    widenAll<uint8_t>(tensor.bytes, result, same);
    break;
  }
  return result;
}

std::optional<Tensor> hyena::support::fromDoubles(
    std::string name, DType dtype, std::vector<int64_t> shape,
    const std::vector<double> &values, std::string &error) {
  Tensor tensor = {std::move(name), dtype, std::move(shape), {}};
  std::optional<int64_t> count = countElements(tensor.shape);
  size_t perElement = dtype == DType::C64 ? 2 : 1;
  if (!count || static_cast<size_t>(*count) * perElement != values.size()) {
    error = "tensor " + quoted(tensor.name) + " of shape " +
            shapeText(tensor.shape) + " is given " +
            std::to_string(values.size()) + " numbers";
    return std::nullopt;
  }
  tensor.bytes.resize(values.size() / perElement * dtypeSize(dtype));

  auto narrowIntegers = [&](auto zero) {
    using Int = decltype(zero);
    size_t misfit = firstMisfit<Int>(values);
    if (dtype == DType::Bool && misfit == values.size())
      for (misfit = 0; misfit < values.size() && values[misfit] <= 1;)
        ++misfit;
    if (misfit < values.size()) {
      error = "element " + std::to_string(misfit) + " of tensor " +
              quoted(tensor.name) + " is " + std::to_string(values[misfit]) +
              ", expected a value of " + std::string(dtypeName(dtype));
      return false;
    }
    narrowAll<Int>(values, tensor.bytes,
                   [](double value) { return static_cast<Int>(value); });
    return true;
  };
  bool fits = true;
  switch (dtype) {
  case DType::F64:
    narrowAll<double>(values, tensor.bytes, [](double value) { return value; });
    break;
  case DType::F32:
  case DType::C64:
    narrowAll<float>(values, tensor.bytes,
                     [](double value) { return static_cast<float>(value); });
    break;
  case DType::F16:
    narrowAll<uint16_t>(values, tensor.bytes, doubleToHalf);
    break;
  case DType::BF16:
    narrowAll<uint16_t>(values, tensor.bytes, doubleToBfloat);
    break;
  case DType::I64:
    fits = narrowIntegers(int64_t(0));
    break;
  case DType::I32:
    fits = narrowIntegers(int32_t(0));
    break;
  case DType::I8:
    fits = narrowIntegers(int8_t(0));
    break;
  case DType::U8:
  case DType::Bool:
    fits = narrowIntegers(uint8_t(0));
    break;
  }
  if (!fits)
    return std::nullopt;
  return tensor;
}
