//===- Values.cpp - Arguments and results in C terms ----------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ::hyena::capi;

namespace {

/// How elements of each HyenaElementType are called and held.
constexpr struct {
  const char *name;
  size_t size, alignment;
} elements[] = {{"f32", 4, 4}, {"f64", 8, 8}, {"bf16", 2, 2},
                {"f16", 2, 2}, {"c64", 8, 4}, {"c128", 16, 8},
                {"i64", 8, 8}, {"i32", 4, 4}, {"bool", 1, 1}};

std::optional<HyenaElementType> elementTypeOf(mlir::Type type) {
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type)) {
    if (complex.getElementType().isF32())
      return HYENA_ELEMENT_COMPLEX64;
    if (complex.getElementType().isF64())
      return HYENA_ELEMENT_COMPLEX128;
    return std::nullopt;
  }
  if (type.isF32())
    return HYENA_ELEMENT_F32;
  if (type.isF64())
    return HYENA_ELEMENT_F64;
  if (type.isBF16())
    return HYENA_ELEMENT_BF16;
  if (type.isF16())
    return HYENA_ELEMENT_F16;
  if (type.isSignlessInteger(64))
    return HYENA_ELEMENT_I64;
  if (type.isSignlessInteger(32))
    return HYENA_ELEMENT_I32;
  if (type.isSignlessInteger(1))
    return HYENA_ELEMENT_BOOL;
  return std::nullopt;
}

const char *elementName(HyenaElementType type) {
  return static_cast<size_t>(type) < std::size(elements) ? elements[type].name
                                                         : "an unknown type";
}

Outcome checkTensor(const HyenaTensor &tensor, const ValueDescription &value,
                    const std::string &who, bool needsData) {
  if (tensor.type != value.type)
    return Outcome::invalid(who + " has elements of " +
                            elementName(tensor.type) + "; " +
                            elementName(value.type) + " is needed");
  const int64_t rank = value.shape.size();
  bool fits = tensor.rank == rank && (rank == 0 || tensor.shape);
  for (int64_t i = 0; fits && i < rank; ++i)
    fits = tensor.shape[i] >= 0 && (value.shape[i] == HYENA_DYNAMIC ||
                                    value.shape[i] == tensor.shape[i]);
  if (!fits)
    return Outcome::invalid(
        who + " has shape " +
        (tensor.shape && tensor.rank >= 0
             ? shapeText({tensor.shape, static_cast<size_t>(tensor.rank)})
             : "of rank " + std::to_string(tensor.rank)) +
        "; " + shapeText(value.shape) + " is needed");
  if (!needsData || byteCount(tensor) == 0)
    return {};
  if (!tensor.data)
    return Outcome::invalid(who + " has no data");
  if (reinterpret_cast<uintptr_t>(tensor.data) % elements[value.type].alignment)
    return Outcome::invalid(who + " is not aligned to its elements");
  return {};
}

} // namespace

std::vector<ValueDescription>
hyena::capi::describe(llvm::ArrayRef<mlir::hyena::ValueInfo> infos,
                      Outcome &outcome) {
  std::vector<ValueDescription> values;
  for (const mlir::hyena::ValueInfo &info : infos) {
    std::optional<HyenaElementType> element =
        elementTypeOf(info.type.getElementType());
    if (!element) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "'" << info.name << "' has the type " << info.type
          << "; its elements must be f16, bf16, f32, f64, complex<f32>, "
             "complex<f64>, i1, i32 or i64";
      outcome = Outcome::invalid(std::move(text));
      return {};
    }
    ValueDescription value{info.name, *element, {}, info.isParam};
    for (int64_t extent : info.type.getShape())
      value.shape.push_back(mlir::ShapedType::isDynamic(extent) ? HYENA_DYNAMIC
                                                                : extent);
    if (value.isParameter && llvm::is_contained(value.shape, HYENA_DYNAMIC)) {
      outcome = Outcome::invalid("parameter '" + info.name + "' has shape " +
                                 shapeText(value.shape) +
                                 "; the shape of a parameter is static");
      return {};
    }
    values.push_back(std::move(value));
  }
  return values;
}

int64_t hyena::capi::byteCount(const HyenaTensor &tensor) {
  int64_t bytes = elements[tensor.type].size;
  for (int64_t i = 0; i < tensor.rank; ++i)
    bytes *= tensor.shape[i];
  return bytes;
}

bool hyena::capi::overlap(const HyenaTensor &a, const HyenaTensor &b) {
  auto start = [](const HyenaTensor &tensor) {
    return static_cast<const char *>(tensor.data);
  };
  int64_t aBytes = byteCount(a), bBytes = byteCount(b);
  return aBytes && bBytes && start(a) < start(b) + bBytes &&
         start(b) < start(a) + aBytes;
}

std::string hyena::capi::shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (auto [i, extent] : llvm::enumerate(shape))
    text += (i ? ", " : "") +
            (extent == HYENA_DYNAMIC ? "?" : std::to_string(extent));
  return text + (shape.size() == 1 ? ",)" : ")");
}

Outcome hyena::capi::checkTensors(llvm::ArrayRef<HyenaTensor> tensors,
                                  llvm::ArrayRef<ValueDescription> values,
                                  llvm::ArrayRef<size_t> indices,
                                  const char *role, bool needsData) {
  if (tensors.size() != indices.size())
    return Outcome::invalid(std::to_string(tensors.size()) + " tensors for " +
                            std::to_string(indices.size()) + " " + role + "s");
  for (auto [tensor, index] : llvm::zip_equal(tensors, indices)) {
    std::string who = std::string(role) + " '" + values[index].name + "'";
    if (Outcome outcome = checkTensor(tensor, values[index], who, needsData);
        !outcome)
      return outcome;
  }
  return {};
}
