//===- Constants.cpp - attributes as values -------------------------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constants.h"

#include "ScalarProgram.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <algorithm>
#include <complex>

namespace hyena::interp {

using namespace mlir;

static double toDouble(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

static int64_t toInteger(const APInt &value) {
  return value.getBitWidth() == 1 ? value.getZExtValue() : value.getSExtValue();
}

/// The float of type `type` with these bits.
static double floatFromBits(uint64_t bits, FloatType type) {
  return toDouble(
      APFloat(type.getFloatSemantics(), APInt(type.getWidth(), bits)));
}

/// Reads the elements of a dense_resource, which are stored as in memory.
static bool readResource(ArrayRef<char> data, Type type, Value &value) {
  int64_t count = value.numElements();
  Type part = type;
  if (auto complex = dyn_cast<ComplexType>(type))
    part = complex.getElementType();
  unsigned width = part.isIndex() ? 64 : part.getIntOrFloatBitWidth();
  // A bool takes a byte.
  unsigned bytes = (width + 7) / 8;
  unsigned parts = value.kind == Kind::Complex ? 2 : 1;
  if (static_cast<int64_t>(data.size()) != count * parts * bytes || bytes > 8)
    return false;
  auto bitsAt = [&](int64_t index) {
    uint64_t bits = 0;
    memcpy(&bits, data.data() + index * bytes, bytes);
    return bits;
  };
  for (int64_t i = 0; i < count; ++i) {
    if (value.kind == Kind::Real)
      value.reals.push_back(floatFromBits(bitsAt(i), cast<FloatType>(part)));
    else if (value.kind == Kind::Complex)
      value.complexes.emplace_back(
          floatFromBits(bitsAt(2 * i), cast<FloatType>(part)),
          floatFromBits(bitsAt(2 * i + 1), cast<FloatType>(part)));
    else
      value.integers.push_back(wrap(static_cast<int64_t>(bitsAt(i)), width));
  }
  return true;
}

static bool readElements(Attribute attribute, ShapedType type, Value &value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob && readResource(blob->getData(), type.getElementType(), value);
  }
  auto elements = dyn_cast<DenseElementsAttr>(attribute);
  if (!elements)
    return false;
  switch (value.kind) {
  case Kind::Real:
    if (elements.isSplat()) {
      value.reals.assign(value.numElements(),
                         toDouble(elements.getSplatValue<APFloat>()));
      break;
    }
    for (const APFloat &element : elements.getValues<APFloat>())
      value.reals.push_back(toDouble(element));
    break;
  case Kind::Complex:
    for (const std::complex<APFloat> &element :
         elements.getValues<std::complex<APFloat>>())
      value.complexes.emplace_back(toDouble(element.real()),
                                   toDouble(element.imag()));
    break;
  case Kind::Integer:
    for (const APInt &element : elements.getValues<APInt>())
      value.integers.push_back(toInteger(element));
  }
  return true;
}

static bool readScalar(Attribute attribute, Value &value) {
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    value.reals = {toDouble(number.getValue())};
    return value.kind == Kind::Real;
  }
  if (auto number = dyn_cast<IntegerAttr>(attribute)) {
    value.integers = {toInteger(number.getValue())};
    return value.kind == Kind::Integer;
  }
  auto parts = dyn_cast<ArrayAttr>(attribute);
  if (!parts || parts.size() != 2 || value.kind != Kind::Complex)
    return false;
  auto re = dyn_cast<FloatAttr>(parts[0]), im = dyn_cast<FloatAttr>(parts[1]);
  if (!re || !im)
    return false;
  value.complexes.emplace_back(toDouble(re.getValue()),
                               toDouble(im.getValue()));
  return true;
}

FailureOr<Value> convertAttribute(Operation *op, Attribute attribute,
                                  Type type) {
  Value value;
  std::optional<Kind> kind = kindOf(type);
  bool known = false;
  if (kind) {
    value.kind = *kind;
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped) {
      known = readScalar(attribute, value);
    } else if (shaped.hasStaticShape()) {
      value.shape = shaped.getShape().vec();
      known = readElements(attribute, shaped, value);
    }
  }
  if (known)
    return value;
  return op->emitError() << "the interpreter does not know a constant of type "
                         << type << " in this form";
}

} // namespace hyena::interp
