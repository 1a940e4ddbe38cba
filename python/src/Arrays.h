//===- Arrays.h - Arrays of Python as tensors of the C interface *- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_PYTHON_ARRAYS_H
#define HYENA_PYTHON_ARRAYS_H

#include "hyena-c/Compiler.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

namespace hyena::python {

namespace nb = nanobind;

/// The spelling of an element type in Python: `f32`, `c64` ...
const char *elementName(HyenaElementType type);

/// A tuple of extents, None for a dynamic one.
nb::tuple shapeTuple(const int64_t *shape, int64_t rank);

/// Arrays that a call reads or writes, kept alive for as long as it runs.
class Arrays {
public:
  /// Takes any object with `__dlpack__` or a buffer as the value that \p info
  /// describes. Throws a Python exception that names \p role and the value
  /// when element type, rank, an extent, the memory order, the alignment or
  /// the device is another, or, with \p writable, when it is read-only.
  void add(nb::handle object, const HyenaValueInfo &info, const char *role,
           bool writable);

  /// The tensors, valid for as long as this object is.
  std::vector<HyenaTensor> tensors() const;

private:
  struct Entry {
    nb::ndarray<nb::ro> input;
    nb::ndarray<> output;
    HyenaTensor tensor;
    std::vector<int64_t> shape;
  };
  std::vector<Entry> entries;
};

} // namespace hyena::python

#endif // HYENA_PYTHON_ARRAYS_H
