//===- Arrays.cpp - Arrays of Python as tensors of the C interface --------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"

#include <nanobind/stl/string.h>

#include <algorithm>

using namespace hyena::python;

namespace {

/// An element type in Python's words and in DLPack's.
struct ElementKind {
  HyenaElementType type;
  const char *name;
  nb::dlpack::dtype dtype;
};

// The numbers of DLDataTypeCode, which nanobind does not name in all versions.
constexpr uint8_t kInt = 0, kFloat = 2, kBfloat = 4, kComplex = 5, kBool = 6;

constexpr ElementKind kinds[] = {
    {HYENA_ELEMENT_F32, "f32", {kFloat, 32, 1}},
    {HYENA_ELEMENT_F64, "f64", {kFloat, 64, 1}},
    {HYENA_ELEMENT_BF16, "bf16", {kBfloat, 16, 1}},
    {HYENA_ELEMENT_F16, "f16", {kFloat, 16, 1}},
    {HYENA_ELEMENT_COMPLEX64, "c64", {kComplex, 64, 1}},
    {HYENA_ELEMENT_COMPLEX128, "c128", {kComplex, 128, 1}},
    {HYENA_ELEMENT_I64, "i64", {kInt, 64, 1}},
    {HYENA_ELEMENT_I32, "i32", {kInt, 32, 1}},
    {HYENA_ELEMENT_BOOL, "i1", {kBool, 8, 1}},
};

std::string spell(nb::dlpack::dtype dtype) {
  for (const ElementKind &kind : kinds)
    if (kind.dtype == dtype)
      return kind.name;
  static const char *const codes[] = {"int",    "uint",    "float", "opaque",
                                      "bfloat", "complex", "bool"};
  std::string code = dtype.code < std::size(codes) ? codes[dtype.code] : "code";
  code += std::to_string(dtype.bits);
  return dtype.lanes == 1 ? code : code + "x" + std::to_string(dtype.lanes);
}

std::string spellDevice(int type, int id) {
  static const std::pair<int, const char *> names[] = {{2, "cuda"},
                                                       {3, "cuda_host"},
                                                       {8, "metal"},
                                                       {10, "rocm"},
                                                       {13, "cuda_managed"}};
  for (auto [number, name] : names)
    if (number == type)
      return std::string(name) + ":" + std::to_string(id);
  return "DLPack device " + std::to_string(type) + ":" + std::to_string(id);
}

std::string spellShape(const int64_t *shape, int64_t rank) {
  std::string text = "(";
  for (int64_t i = 0; i < rank; ++i) {
    text += shape[i] == HYENA_DYNAMIC ? "?" : std::to_string(shape[i]);
    if (i + 1 < rank || rank == 1)
      text += i + 1 < rank ? ", " : ",";
  }
  return text + ")";
}

/// Whether elements follow each other in row-major order. Extents of 1 may
/// have any stride, and an empty array is in order.
template <typename Array> bool isDense(const Array &array) {
  int64_t expected = 1;
  bool dense = true;
  for (size_t i = array.ndim(); i-- > 0;) {
    if (array.shape(i) == 0)
      return true;
    dense &= array.shape(i) == 1 || array.stride(i) == expected;
    expected *= static_cast<int64_t>(array.shape(i));
  }
  return dense;
}

[[noreturn]] void raiseType(const std::string &text) {
  throw nb::type_error(text.c_str());
}

[[noreturn]] void raiseValue(const std::string &text) {
  throw nb::value_error(text.c_str());
}

/// What the object's own exporter says against handing its memory out.
std::string exportError(nb::handle object) {
  if (!nb::hasattr(object, "__dlpack__"))
    return "it has neither __dlpack__ nor a buffer";
  try {
    nb::object capsule = object.attr("__dlpack__")();
    return "its memory cannot be used in place";
  } catch (nb::python_error &error) {
    return nb::cast<std::string>(nb::str(error.value()));
  }
}

/// The checks that inputs and outputs share; returns the shape.
template <typename Array>
std::vector<int64_t> check(const Array &array, const HyenaValueInfo &info,
                           const std::string &who) {
  if (array.device_type() != nb::device::cpu::value)
    raiseValue(who + " is on device " +
               spellDevice(array.device_type(), array.device_id()) +
               "; this program takes arrays in host memory");
  const ElementKind &kind = *std::find_if(
      std::begin(kinds), std::end(kinds),
      [&](const ElementKind &entry) { return entry.type == info.type; });
  if (array.dtype() != kind.dtype)
    raiseType(who + " has elements of " + spell(array.dtype()) + "; " +
              kind.name + " is needed");

  std::vector<int64_t> shape(array.ndim());
  for (size_t i = 0; i < array.ndim(); ++i)
    shape[i] = static_cast<int64_t>(array.shape(i));
  bool fits = static_cast<int64_t>(array.ndim()) == info.rank;
  for (int64_t i = 0; fits && i < info.rank; ++i)
    fits = info.shape[i] == HYENA_DYNAMIC || info.shape[i] == shape[i];
  if (!fits)
    raiseValue(who + " has shape " + spellShape(shape.data(), shape.size()) +
               "; " + spellShape(info.shape, info.rank) + " is needed");
  if (!isDense(array))
    raiseValue(who + " is not contiguous in row-major order; pass a contiguous "
                     "copy");
  size_t alignment = kind.dtype.bits / 8;
  if (kind.dtype.code == kComplex)
    alignment /= 2;
  if (reinterpret_cast<uintptr_t>(array.data()) % alignment != 0)
    raiseValue(who + " is not aligned to its elements of " +
               std::to_string(alignment) + " bytes; pass a copy");
  return shape;
}

} // namespace

const char *hyena::python::elementName(HyenaElementType type) {
  for (const ElementKind &kind : kinds)
    if (kind.type == type)
      return kind.name;
  return "unknown";
}

nb::tuple hyena::python::shapeTuple(const int64_t *shape, int64_t rank) {
  nb::list extents;
  for (int64_t i = 0; i < rank; ++i) {
    if (shape[i] == HYENA_DYNAMIC)
      extents.append(nb::none());
    else
      extents.append(shape[i]);
  }
  return nb::tuple(extents);
}

void Arrays::add(nb::handle object, const HyenaValueInfo &info,
                 const char *role, bool writable) {
  std::string who = std::string(role) + " '" + info.name + "'";
  Entry entry;
  bool taken = writable ? nb::try_cast(object, entry.output, false)
                        : nb::try_cast(object, entry.input, false);
  if (!taken) {
    std::string type =
        nb::cast<std::string>(nb::str(object.type().attr("__name__")));
    if (writable && nb::try_cast(object, entry.input, false))
      raiseValue(who + " is read-only");
    raiseType(who + " is of type " + type + ": " + exportError(object));
  }
  entry.shape =
      writable ? check(entry.output, info, who) : check(entry.input, info, who);
  entry.tensor.data =
      writable
          ? entry.output.data()
          : const_cast<void *>(static_cast<const void *>(entry.input.data()));
  entry.tensor.type = info.type;
  entry.tensor.rank = info.rank;
  entries.push_back(std::move(entry));
}

std::vector<HyenaTensor> Arrays::tensors() const {
  std::vector<HyenaTensor> list;
  for (const Entry &entry : entries) {
    list.push_back(entry.tensor);
    list.back().shape = entry.shape.data();
  }
  return list;
}
