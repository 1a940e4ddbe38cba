//===- Interpreted.cpp - Programs that the interpreter runs ---------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executable.h"
#include "ResultShapes.h"

#include "hyena/Interpreter/Interpreter.h"
#include "hyena/Support/Float16.h"

#include <algorithm>
#include <cstring>
#include <mutex>

using namespace ::hyena::capi;
using Tensor = ::hyena::interp::Value;

namespace {

int64_t elementCount(const HyenaTensor &tensor) {
  int64_t count = 1;
  for (int64_t i = 0; i < tensor.rank; ++i)
    count *= tensor.shape[i];
  return count;
}

/// Appends \p count elements of type T, read from memory, to \p to.
template <typename T, typename To>
void widen(const void *data, int64_t count, std::vector<To> &to) {
  const T *from = static_cast<const T *>(data);
  to.assign(from, from + count);
}

template <typename T, typename From>
void narrow(const std::vector<From> &from, void *data) {
  std::transform(from.begin(), from.end(), static_cast<T *>(data),
                 [](const From &x) { return static_cast<T>(x); });
}

Tensor toValue(const HyenaTensor &tensor) {
  Tensor value;
  value.shape.assign(tensor.shape, tensor.shape + tensor.rank);
  int64_t count = elementCount(tensor);
  auto fromHalf = [&](double (*convert)(uint16_t)) {
    const auto *bits = static_cast<const uint16_t *>(tensor.data);
    value.reals.resize(count);
    std::transform(bits, bits + count, value.reals.begin(), convert);
  };
  switch (tensor.type) {
  case HYENA_ELEMENT_F32:
    widen<float>(tensor.data, count, value.reals);
    break;
  case HYENA_ELEMENT_F64:
    widen<double>(tensor.data, count, value.reals);
    break;
  case HYENA_ELEMENT_BF16:
    fromHalf(hyena::support::bfloatToDouble);
    break;
  case HYENA_ELEMENT_F16:
    fromHalf(hyena::support::halfToDouble);
    break;
  case HYENA_ELEMENT_COMPLEX64:
    value.kind = ::hyena::interp::Kind::Complex;
    widen<std::complex<float>>(tensor.data, count, value.complexes);
    break;
  case HYENA_ELEMENT_COMPLEX128:
    value.kind = ::hyena::interp::Kind::Complex;
    widen<std::complex<double>>(tensor.data, count, value.complexes);
    break;
  case HYENA_ELEMENT_I64:
    value.kind = ::hyena::interp::Kind::Integer;
    widen<int64_t>(tensor.data, count, value.integers);
    break;
  case HYENA_ELEMENT_I32:
    value.kind = ::hyena::interp::Kind::Integer;
    widen<int32_t>(tensor.data, count, value.integers);
    break;
  case HYENA_ELEMENT_BOOL:
    value.kind = ::hyena::interp::Kind::Integer;
    widen<uint8_t>(tensor.data, count, value.integers);
    break;
  }
  return value;
}

void fromValue(const Tensor &value, const HyenaTensor &tensor) {
  auto toHalf = [&](uint16_t (*convert)(double)) {
    std::transform(value.reals.begin(), value.reals.end(),
                   static_cast<uint16_t *>(tensor.data), convert);
  };
  switch (tensor.type) {
  case HYENA_ELEMENT_F32:
    return narrow<float>(value.reals, tensor.data);
  case HYENA_ELEMENT_F64:
    return narrow<double>(value.reals, tensor.data);
  case HYENA_ELEMENT_BF16:
    return toHalf(hyena::support::doubleToBfloat);
  case HYENA_ELEMENT_F16:
    return toHalf(hyena::support::doubleToHalf);
  case HYENA_ELEMENT_COMPLEX64:
    return narrow<std::complex<float>>(value.complexes, tensor.data);
  case HYENA_ELEMENT_COMPLEX128:
    return narrow<std::complex<double>>(value.complexes, tensor.data);
  case HYENA_ELEMENT_I64:
    return narrow<int64_t>(value.integers, tensor.data);
  case HYENA_ELEMENT_I32:
    return narrow<int32_t>(value.integers, tensor.data);
  case HYENA_ELEMENT_BOOL:
    return narrow<uint8_t>(value.integers, tensor.data);
  }
}

/// Parameters as they were given: the interpreter does no work ahead.
class KeptParameters : public Prepared {
public:
  std::vector<Tensor> values;
};

class Interpreted : public Executable {
public:
  Interpreted(std::unique_ptr<mlir::hyena::Source> source,
              llvm::ArrayRef<ValueDescription> arguments,
              ResultShapes resultShapes, int64_t threads)
      : source(std::move(source)), arguments(arguments),
        resultShapes(std::move(resultShapes)) {
    if (threads != HYENA_THREADS_DEFAULT)
      options.threads = static_cast<unsigned>(threads);
  }

  Outcome prepare(llvm::ArrayRef<HyenaTensor> parameters,
                  std::unique_ptr<Prepared> &prepared) override {
    auto kept = std::make_unique<KeptParameters>();
    for (const HyenaTensor &tensor : parameters)
      kept->values.push_back(toValue(tensor));
    prepared = std::move(kept);
    return {};
  }

  Outcome query(llvm::ArrayRef<HyenaTensor> inputs,
                std::vector<std::vector<int64_t>> &shapes,
                int64_t &workspaceBytes) override {
    std::vector<std::vector<int64_t>> given;
    for (const ValueDescription &argument : arguments) {
      given.push_back(argument.shape);
      if (argument.isParameter)
        continue;
      given.back().assign(inputs.front().shape,
                          inputs.front().shape + inputs.front().rank);
      inputs = inputs.drop_front();
    }
    shapes = resultShapes.get(given);
    workspaceBytes = 0; // every value is a vector of its own
    return {};
  }

  Outcome run(const Prepared &prepared, llvm::ArrayRef<HyenaTensor> inputs,
              llvm::ArrayRef<HyenaTensor> results) override {
    const auto &kept = static_cast<const KeptParameters &>(prepared);
    std::vector<Tensor> values;
    size_t nextInput = 0, nextParameter = 0;
    for (const ValueDescription &argument : arguments)
      values.push_back(argument.isParameter ? kept.values[nextParameter++]
                                            : toValue(inputs[nextInput++]));
    // The context's diagnostics belong to one run at a time.
    std::lock_guard<std::mutex> lock(mutex);
    mlir::hyena::ErrorCollector errors(source->getContext());
    auto computed = ::hyena::interp::interpret(
        source->getModule(), source->getEntry().getName(), values, options);
    if (failed(computed))
      return Outcome::invalid(errors.getText("the interpreter failed"));
    for (auto [value, tensor] : llvm::zip_equal(*computed, results))
      fromValue(value, tensor);
    return {};
  }

private:
  std::unique_ptr<mlir::hyena::Source> source;
  std::vector<ValueDescription> arguments;
  ResultShapes resultShapes;
  ::hyena::interp::Options options;
  std::mutex mutex;
};

} // namespace

std::shared_ptr<Executable>
hyena::capi::makeInterpreted(std::unique_ptr<mlir::hyena::Source> source,
                             llvm::ArrayRef<ValueDescription> arguments,
                             int64_t threads, Outcome &outcome) {
  ResultShapes resultShapes;
  std::string error;
  if (!resultShapes.analyse(source->getEntry(), error)) {
    outcome = Outcome::invalid(std::move(error));
    return nullptr;
  }
  return std::make_shared<Interpreted>(std::move(source), arguments,
                                       std::move(resultShapes), threads);
}
