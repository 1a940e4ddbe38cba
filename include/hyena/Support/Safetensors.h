//===- Safetensors.h - files of named tensors -------------------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes the safetensors format: the length of a header as 8 bytes,
// little-endian; the header, a JSON object `name -> {dtype, shape,
// data_offsets}`; the elements of all tensors, row-major and little-endian.
//
// The reader believes nothing. A file is refused, with one message that says
// what was found and what is allowed, unless the tensors fill the file without
// a hole or an overlap. Neither MLIR nor LLVM is needed.
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_SUPPORT_SAFETENSORS_H
#define HYENA_SUPPORT_SAFETENSORS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hyena::support {

/// Element types of a file.
enum class DType { F64, F32, F16, BF16, C64, I64, I32, I8, U8, Bool };

/// The spelling in a file: `F64`, `BF16`, `BOOL`, ...
std::string_view dtypeName(DType dtype);

/// The element type with this spelling, or nothing.
std::optional<DType> parseDType(std::string_view name);

/// Bytes of one element.
size_t dtypeSize(DType dtype);

/// All spellings, separated by commas, for messages.
std::string dtypeNames();

/// A tensor of a file.
struct Tensor {
  std::string name;
  DType dtype = DType::F32;
  /// Extents, none of them negative; empty for a scalar.
  std::vector<int64_t> shape;
  /// The elements, row-major, in the byte order of the host (little-endian).
  std::vector<uint8_t> bytes;

  /// Product of the extents.
  int64_t numElements() const;
};

/// What a file holds.
struct TensorFile {
  /// In the order of the header.
  std::vector<Tensor> tensors;
  /// Free text under `__metadata__`, in the order of the header.
  std::vector<std::pair<std::string, std::string>> metadata;

  /// The tensor of this name, or null.
  const Tensor *find(std::string_view name) const;
};

/// Headers may have this many bytes.
inline constexpr uint64_t kMaxHeaderBytes = 100'000'000;

/// Reads the file at `path`. On failure returns nothing and puts one line into
/// `error` that begins with the path.
std::optional<TensorFile> readSafetensors(const std::string &path,
                                          std::string &error);

/// Reads a file's contents from memory. `error` has no path in it.
std::optional<TensorFile> parseSafetensors(const void *data, size_t size,
                                           std::string &error);

/// Writes `file` to `path`. An existing file is replaced as a whole or left as
/// it is: the bytes go to a temporary file beside it, which is renamed at the
/// end and removed on failure. On failure returns false and puts one line into
/// `error` that begins with the path; a full disk, a tensor whose bytes do not
/// match its shape and two tensors of one name are failures.
bool writeSafetensors(const std::string &path, const TensorFile &file,
                      std::string &error);

/// The numbers of a tensor, widened to double; a bool is 0 or 1, and a complex
/// element is two numbers, real and imaginary part. Integers beyond 2^53 are
/// rounded.
std::vector<double> toDoubles(const Tensor &tensor);

/// A tensor made of numbers in the order of toDoubles(). Floats are rounded to
/// nearest even; for integers and bools the numbers must be values of the type.
/// Nothing, and a message, if they are not or if there are too many or too few.
std::optional<Tensor> fromDoubles(std::string name, DType dtype,
                                  std::vector<int64_t> shape,
                                  const std::vector<double> &values,
                                  std::string &error);

} // namespace hyena::support

#endif // HYENA_SUPPORT_SAFETENSORS_H
