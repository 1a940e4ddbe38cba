//===- HeaderParser.h - the JSON of a safetensors header --------*- C++ -*-===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HYENA_LIB_SUPPORT_HEADERPARSER_H
#define HYENA_LIB_SUPPORT_HEADERPARSER_H

#include "hyena/Support/Safetensors.h"

namespace hyena::support::detail {

/// An entry of a header: a tensor without its bytes, and where they are.
struct HeaderEntry {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  uint64_t begin = 0;
  uint64_t end = 0;
};

struct Header {
  std::vector<HeaderEntry> entries;
  std::vector<std::pair<std::string, std::string>> metadata;
};

/// Parses `text`, which is JSON of the shape that the format prescribes and
/// nothing else: no other value may occur, so that the depth is fixed. Offsets
/// are not checked here. On failure returns nothing and a message that names
/// the byte of the header.
std::optional<Header> parseHeader(std::string_view text, std::string &error);

/// Whether `text` is well-formed UTF-8; `position` is that of the first bad
/// byte otherwise.
bool isUTF8(std::string_view text, size_t &position);

/// `name` in single quotes for a message: what does not print is escaped, and
/// a long name is cut.
std::string quoted(std::string_view name);

/// `text` as a JSON string, quotes included. It must be UTF-8.
std::string jsonString(std::string_view text);

/// The number of elements of `shape`, or nothing if it passes 2^63 - 1.
std::optional<int64_t> countElements(const std::vector<int64_t> &shape);

/// `[2, 3]`.
std::string shapeText(const std::vector<int64_t> &shape);

} // namespace hyena::support::detail

#endif // HYENA_LIB_SUPPORT_HEADERPARSER_H
