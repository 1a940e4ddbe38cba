//===- Oracle.cpp - Results that cannot be wrong in the same way ----------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::run;
using Value64 = ::hyena::interp::Value;

Value64 mlir::hyena::run::toValue(const Tensor &tensor) {
  std::vector<double> numbers = ::hyena::support::toDoubles(tensor);
  switch (tensor.dtype) {
  case DType::C64: {
    std::vector<std::complex<double>> elements(numbers.size() / 2);
    for (size_t i = 0; i < elements.size(); ++i)
      elements[i] = {numbers[2 * i], numbers[2 * i + 1]};
    return Value64::complex(tensor.shape, std::move(elements));
  }
  case DType::I64:
  case DType::I32:
  case DType::I8:
  case DType::U8:
  case DType::Bool: {
    std::vector<int64_t> elements(numbers.begin(), numbers.end());
    return Value64::integer(tensor.shape, std::move(elements));
  }
  default:
    return Value64::real(tensor.shape, std::move(numbers));
  }
}

std::optional<Tensor>
mlir::hyena::run::fromValue(const ::hyena::interp::Value &value,
                            const ValueInfo &info, std::string &error) {
  std::optional<Tensor> tensor = makeTensor(info, value.shape, error);
  if (!tensor)
    return std::nullopt;
  std::vector<double> numbers;
  switch (value.kind) {
  case ::hyena::interp::Kind::Real:
    numbers = value.reals;
    break;
  case ::hyena::interp::Kind::Complex:
    for (const std::complex<double> &element : value.complexes) {
      numbers.push_back(element.real());
      numbers.push_back(element.imag());
    }
    break;
  case ::hyena::interp::Kind::Integer:
    numbers.assign(value.integers.begin(), value.integers.end());
    break;
  }
  return ::hyena::support::fromDoubles(info.name, tensor->dtype, value.shape,
                                       numbers, error);
}

FailureOr<SmallVector<Value64>>
mlir::hyena::run::interpretEntry(Source &source, ArrayRef<Tensor> arguments,
                                 int64_t threads, int64_t samples,
                                 std::string &error) {
  ErrorCollector errors(source.getContext());
  SmallVector<Value64> values;
  for (const Tensor &tensor : arguments)
    values.push_back(toValue(tensor));
  ::hyena::interp::Options options;
  options.threads = threads > 0 ? static_cast<unsigned>(threads) : 0;
  options.timeSamples = samples;
  FailureOr<SmallVector<Value64>> results = ::hyena::interp::interpret(
      source.getModule(), source.getEntry().getName(), values, options);
  if (failed(results))
    error = errors.getText("the interpreter cannot run the function");
  return results;
}
