//===- Arguments.cpp - Arguments from files and seeds ---------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "hyena/Dialect/Hyena/IR/HyenaOps.h"

#include <cmath>
#include <set>

using namespace mlir;
using namespace mlir::hyena;
using namespace mlir::hyena::run;

std::optional<DType> mlir::hyena::run::getDType(Type type) {
  if (type.isF64())
    return DType::F64;
  if (type.isF32())
    return DType::F32;
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  if (type.isInteger(64))
    return DType::I64;
  if (type.isInteger(32))
    return DType::I32;
  if (type.isUnsignedInteger(8))
    return DType::U8;
  if (type.isInteger(8))
    return DType::I8;
  if (type.isInteger(1))
    return DType::Bool;
  if (auto complexType = dyn_cast<ComplexType>(type))
    if (complexType.getElementType().isF32())
      return DType::C64;
  return std::nullopt;
}

static std::string printShape(ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (auto [i, extent] : llvm::enumerate(shape))
    text += (i ? ", " : "") +
            (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent));
  return text + ")";
}

std::optional<Tensor> mlir::hyena::run::makeTensor(const ValueInfo &info,
                                                   ArrayRef<int64_t> shape,
                                                   std::string &error) {
  std::optional<DType> dtype = getDType(info.type.getElementType());
  if (!dtype) {
    llvm::raw_string_ostream(error)
        << "'" << info.name << "' has the element type "
        << info.type.getElementType()
        << ", which no file holds; allowed are the types for "
        << ::hyena::support::dtypeNames();
    return std::nullopt;
  }
  Tensor tensor;
  tensor.name = info.name;
  tensor.dtype = *dtype;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.bytes.resize(static_cast<size_t>(tensor.numElements()) *
                      ::hyena::support::dtypeSize(*dtype));
  return tensor;
}

Array mlir::hyena::run::makeArray(Tensor &tensor, const ValueInfo &info) {
  Array array;
  array.data = tensor.bytes.data();
  array.elementType = info.type.getElementType();
  array.shape.assign(tensor.shape.begin(), tensor.shape.end());
  return array;
}

//===----------------------------------------------------------------------===//
// Random arguments
//===----------------------------------------------------------------------===//

namespace {
/// SplitMix64: the same numbers on every machine.
class Random {
public:
  Random(uint64_t seed, StringRef name) : state(seed) {
    // Every argument has a sequence of its own, whatever stands beside it.
    for (char c : name)
      state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }

  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  /// Uniform in [-1, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-52 - 1.0; }

private:
  uint64_t state;
};
} // namespace

/// How an argument serves as the poles of a filter, which must decay.
static std::optional<ModalForm> getPoleForm(BlockArgument argument) {
  for (OpOperand &use : argument.getUses())
    if (auto filter = dyn_cast<ModalFilterOp>(use.getOwner()))
      if (use.get() == filter.getPoles())
        return filter.getForm();
  return std::nullopt;
}

static std::optional<Tensor> makeRandom(const ValueInfo &info,
                                        BlockArgument argument, uint64_t seed,
                                        int64_t extent, std::string &error) {
  SmallVector<int64_t> shape(info.type.getShape());
  for (int64_t &dim : shape)
    if (ShapedType::isDynamic(dim))
      dim = extent;
  std::optional<Tensor> tensor = makeTensor(info, shape, error);
  if (!tensor)
    return std::nullopt;
  Random random(seed, info.name);
  const std::optional<ModalForm> poles = getPoleForm(argument);
  const bool isComplex = tensor->dtype == DType::C64;
  const bool isInteger = isa<IntegerType>(info.type.getElementType());
  // Weights are scaled so that a layer keeps the size of what goes through it.
  const double scale = info.isParam && !shape.empty() && shape.back() > 1
                           ? 1.0 / std::sqrt(static_cast<double>(shape.back()))
                           : 1.0;
  std::vector<double> values(static_cast<size_t>(tensor->numElements()) *
                             (isComplex ? 2 : 1));
  for (size_t i = 0; i < values.size(); ++i) {
    const double u = random.uniform();
    if (isInteger)
      values[i] = u < 0 ? 0 : 1;
    else if (poles == ModalForm::LogPole)
      // The real part is negative; of a complex number it comes first.
      values[i] = isComplex && i % 2 ? 3 * u : -0.5 * std::abs(u) - 1e-3;
    else if (poles == ModalForm::Pole)
      values[i] = 0.65 * u;
    else
      values[i] = scale * u;
  }
  return ::hyena::support::fromDoubles(info.name, tensor->dtype, tensor->shape,
                                       values, error);
}

//===----------------------------------------------------------------------===//
// Arguments of a file
//===----------------------------------------------------------------------===//

/// Whether a tensor of a file can be the argument; \p error says why not.
static bool checkTensor(const Tensor &tensor, const ValueInfo &info,
                        std::string &error) {
  const std::optional<DType> dtype = getDType(info.type.getElementType());
  if (!dtype || tensor.dtype != *dtype) {
    llvm::raw_string_ostream(error)
        << "argument '" << info.name << "': the file holds elements of type "
        << ::hyena::support::dtypeName(tensor.dtype) << "; they must be "
        << (dtype ? ::hyena::support::dtypeName(*dtype) : "of another type")
        << " (" << info.type.getElementType() << ")";
    return false;
  }
  bool fits = tensor.shape.size() == static_cast<size_t>(info.type.getRank());
  for (int64_t i = 0; fits && i < info.type.getRank(); ++i)
    fits =
        info.type.isDynamicDim(i) || tensor.shape[i] == info.type.getDimSize(i);
  if (!fits)
    error = "argument '" + info.name + "': the file holds the shape " +
            printShape(tensor.shape) + "; it must be " +
            printShape(info.type.getShape());
  return fits;
}

std::optional<std::vector<Tensor>>
mlir::hyena::run::makeArguments(Source &source, const std::string &path,
                                uint64_t seed, int64_t extent,
                                std::string &warning, std::string &error) {
  ::hyena::support::TensorFile file;
  if (!path.empty()) {
    auto read = ::hyena::support::readSafetensors(path, error);
    if (!read)
      return std::nullopt;
    file = std::move(*read);
  }
  std::vector<Tensor> arguments;
  std::set<std::string> used;
  for (auto [i, info] : llvm::enumerate(source.getArguments())) {
    std::string name = info.name;
    const Tensor *found = file.find(name);
    if (!found) {
      name = "arg" + std::to_string(i);
      found = file.find(name);
    }
    if (found) {
      if (!checkTensor(*found, info, error)) {
        error = path + ": " + error;
        return std::nullopt;
      }
      arguments.push_back(*found);
      used.insert(name);
      continue;
    }
    std::optional<Tensor> made =
        makeRandom(info, source.getEntry().getArgument(i), seed, extent, error);
    if (!made)
      return std::nullopt;
    arguments.push_back(std::move(*made));
  }
  for (const Tensor &tensor : file.tensors)
    if (!used.count(tensor.name))
      warning += (warning.empty() ? "'" : ", '") + tensor.name + "'";
  return arguments;
}
