//===- HeaderParser.cpp - the JSON of a safetensors header ----------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeaderParser.h"

#include <algorithm>
#include <cstdio>
#include <unordered_set>

using namespace hyena::support;
using namespace hyena::support::detail;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

bool detail::isUTF8(std::string_view text, size_t &position) {
  size_t i = 0;
  while (i < text.size()) {
    position = i;
    auto byte = [&](size_t offset) -> unsigned {
      return i + offset < text.size()
                 ? static_cast<unsigned char>(text[i + offset])
                 : 0;
    };
    unsigned first = byte(0);
    size_t length = first < 0x80             ? 1
                    : (first & 0xe0) == 0xc0 ? 2
                    : (first & 0xf0) == 0xe0 ? 3
                    : (first & 0xf8) == 0xf0 ? 4
                                             : 0;
    if (length == 0)
      return false;
    unsigned code = length == 1 ? first : first & (0x7f >> length);
    for (size_t k = 1; k < length; ++k) {
      if ((byte(k) & 0xc0) != 0x80)
        return false;
      code = code << 6 | (byte(k) & 0x3f);
    }
    // Overlong forms, surrogates, and what lies beyond Unicode.
    static constexpr unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < smallest[length] || code > 0x10ffff ||
        (code >= 0xd800 && code < 0xe000))
      return false;
    i += length;
  }
  return true;
}

std::string detail::quoted(std::string_view name) {
  constexpr size_t limit = 80;
  std::string result = "'";
  for (char c : name.substr(0, limit)) {
    auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code != 0x7f) {
      result += c;
      continue;
    }
    char text[8];
    std::snprintf(text, sizeof(text), "\\x%02x", code);
    result += text;
  }
  // A cut may fall within a character of several bytes: drop its beginning.
  size_t bad;
  if (name.size() > limit && !isUTF8(result, bad))
    result.resize(bad);
  return result + (name.size() > limit ? "...'" : "'");
}

std::string detail::jsonString(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", c);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string detail::shapeText(const std::vector<int64_t> &shape) {
  constexpr size_t limit = 16;
  std::string result = "[";
  for (size_t i = 0; i < shape.size() && i < limit; ++i)
    result += (i ? ", " : "") + std::to_string(shape[i]);
  return result + (shape.size() > limit ? ", ...]" : "]");
}

std::optional<int64_t>
detail::countElements(const std::vector<int64_t> &shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  int64_t count = 1;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(count, extent, &count))
      return std::nullopt;
  return count;
}

//===----------------------------------------------------------------------===//
// Parser
//===----------------------------------------------------------------------===//

namespace {

class Parser {
public:
  Parser(std::string_view text, std::string &error)
      : text(text), error(error) {}

  bool parse(Header &header);

private:
  bool fail(const std::string &message) {
    error = "header, byte " + std::to_string(position) + ": " + message;
    return false;
  }

  void skipSpaces() {
    while (position < text.size() &&
           (text[position] == ' ' || text[position] == '\t' ||
            text[position] == '\n' || text[position] == '\r'))
      ++position;
  }

  /// What stands at the position, for messages.
  std::string found() const {
    return position < text.size() ? quoted(text.substr(position, 1))
                                  : "the end of the header";
  }

  bool peek(char c) {
    skipSpaces();
    return position < text.size() && text[position] == c;
  }

  bool expect(char c, const char *where) {
    if (!peek(c))
      return fail("expected '" + std::string(1, c) + "' " + where + ", found " +
                  found());
    ++position;
    return true;
  }

  /// `{ "key": value, ... }`; `parseValue(key)` reads one value.
  template <typename Fn> bool parseObject(const char *where, Fn parseValue);

  /// `[ item, ... ]`; `parseItem()` reads one item.
  template <typename Fn> bool parseArray(const char *where, Fn parseItem);

  bool parseString(std::string &value, const char *what);
  bool parseEscape(std::string &value);
  bool parseHex(unsigned &code);
  bool parseInteger(uint64_t &value, const std::string &what);
  bool parseEntry(HeaderEntry &entry);

  std::string_view text;
  std::string &error;
  size_t position = 0;
};

} // namespace

template <typename Fn>
bool Parser::parseObject(const char *where, Fn parseValue) {
  if (!expect('{', where))
    return false;
  std::unordered_set<std::string> keys;
  if (peek('}')) {
    ++position;
    return true;
  }
  while (true) {
    skipSpaces();
    size_t start = position;
    std::string key;
    if (!parseString(key, "a name"))
      return false;
    if (!keys.insert(key).second) {
      position = start;
      return fail("the name " + quoted(key) + " occurs twice");
    }
    if (!expect(':', "after a name"))
      return false;
    if (!parseValue(key))
      return false;
    if (peek(',')) {
      ++position;
      continue;
    }
    return expect('}', "or ',' after a value");
  }
}

template <typename Fn>
bool Parser::parseArray(const char *where, Fn parseItem) {
  if (!expect('[', where))
    return false;
  if (peek(']')) {
    ++position;
    return true;
  }
  while (true) {
    if (!parseItem())
      return false;
    if (peek(',')) {
      ++position;
      continue;
    }
    return expect(']', "or ',' after a number");
  }
}

bool Parser::parseString(std::string &value, const char *what) {
  if (!peek('"'))
    return fail(std::string("expected ") + what + " in double quotes, found " +
                found());
  ++position;
  while (position < text.size()) {
    char c = text[position];
    if (c == '"') {
      ++position;
      return true;
    }
    if (static_cast<unsigned char>(c) < 0x20)
      return fail("the control character " + found() + " in a string");
    ++position;
    if (c != '\\')
      value += c;
    else if (!parseEscape(value))
      return false;
  }
  return fail("the string has no end");
}

bool Parser::parseHex(unsigned &code) {
  code = 0;
  for (int i = 0; i < 4; ++i) {
    char c = position < text.size() ? text[position] : '\0';
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0)
      return fail("expected 4 hexadecimal digits after \\u, found " + found());
    code = code << 4 | digit;
    ++position;
  }
  return true;
}

bool Parser::parseEscape(std::string &value) {
  static constexpr std::string_view names = "\"\\/bfnrt";
  static constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  char c = position < text.size() ? text[position] : '\0';
  size_t index = names.find(c);
  if (c != '\0' && index != std::string_view::npos) {
    ++position;
    value += meanings[index];
    return true;
  }
  if (c != 'u')
    return fail("expected an escape of JSON after \\, found " + found());
  ++position;
  unsigned code;
  if (!parseHex(code))
    return false;
  if (code >= 0xd800 && code < 0xdc00) {
    unsigned low = 0;
    if (text.substr(position, 2) != "\\u")
      return fail("expected the second half of a surrogate pair");
    position += 2;
    if (!parseHex(low))
      return false;
    if (low < 0xdc00 || low >= 0xe000)
      return fail("expected the second half of a surrogate pair");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  } else if (code >= 0xdc00 && code < 0xe000) {
    return fail("the second half of a surrogate pair without the first");
  }
  if (code < 0x80) {
    value += static_cast<char>(code);
  } else if (code < 0x800) {
    value += static_cast<char>(0xc0 | code >> 6);
    value += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    value += static_cast<char>(0xe0 | code >> 12);
    value += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    value += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    value += static_cast<char>(0xf0 | code >> 18);
    value += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    value += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    value += static_cast<char>(0x80 | (code & 0x3f));
  }
  return true;
}

bool Parser::parseInteger(uint64_t &value, const std::string &what) {
  skipSpaces();
  size_t start = position;
  value = 0;
  bool fits = true;
  while (position < text.size() && text[position] >= '0' &&
         text[position] <= '9') {
    unsigned digit = text[position] - '0';
    fits = fits && value <= (static_cast<uint64_t>(INT64_MAX) - digit) / 10;
    value = fits ? value * 10 + digit : 0;
    ++position;
  }
  size_t digits = position - start;
  bool fraction =
      position < text.size() &&
      (text[position] == '.' || text[position] == 'e' || text[position] == 'E');
  bool leadingZero = digits > 1 && text[start] == '0';
  if (digits > 0 && !fraction && !leadingZero && fits)
    return true;
  size_t end = start;
  while (end < text.size() && end < start + 40 &&
         std::string_view(",]} \t\r\n").find(text[end]) ==
             std::string_view::npos)
    ++end;
  position = start;
  return fail(
      what + " is " +
      (end > start ? quoted(text.substr(start, end - start)) : found()) +
      ", expected an integer from 0 to 2^63 - 1");
}

bool Parser::parseEntry(HeaderEntry &entry) {
  bool hasDType = false, hasShape = false, hasOffsets = false;
  std::string tensor = "tensor " + quoted(entry.name);
  auto parseField = [&](const std::string &key) {
    if (key == "dtype") {
      hasDType = true;
      std::string name;
      skipSpaces();
      size_t start = position;
      if (!parseString(name, "a dtype"))
        return false;
      std::optional<DType> dtype = parseDType(name);
      if (!dtype) {
        position = start;
        return fail(tensor + " has dtype " + quoted(name) + ", expected " +
                    dtypeNames());
      }
      entry.dtype = *dtype;
      return true;
    }
    if (key == "shape") {
      hasShape = true;
      return parseArray("before a shape", [&] {
        uint64_t extent;
        if (!parseInteger(extent, "an extent of " + tensor))
          return false;
        entry.shape.push_back(static_cast<int64_t>(extent));
        return true;
      });
    }
    if (key == "data_offsets") {
      hasOffsets = true;
      size_t count = 0;
      bool parsed = parseArray("before offsets", [&] {
        uint64_t offset;
        if (!parseInteger(offset, "an offset of " + tensor))
          return false;
        (count++ == 0 ? entry.begin : entry.end) = offset;
        return true;
      });
      if (parsed && count != 2)
        return fail(tensor + " has " + std::to_string(count) +
                    " data_offsets, expected 2");
      return parsed;
    }
    return fail(tensor + " has a field " + quoted(key) +
                ", expected dtype, shape and data_offsets");
  };
  if (!parseObject("before the fields of a tensor", parseField))
    return false;
  if (!hasDType || !hasShape || !hasOffsets)
    return fail(tensor + " has no " +
                (!hasDType   ? "dtype"
                 : !hasShape ? "shape"
                             : "data_offsets"));
  return true;
}

bool Parser::parse(Header &header) {
  bool parsed = parseObject("at the start", [&](const std::string &name) {
    if (name == "__metadata__")
      return parseObject("before the metadata", [&](const std::string &key) {
        std::string value;
        if (!parseString(value, "a text of the metadata"))
          return false;
        header.metadata.emplace_back(key, std::move(value));
        return true;
      });
    header.entries.emplace_back();
    header.entries.back().name = name;
    return parseEntry(header.entries.back());
  });
  if (!parsed)
    return false;
  skipSpaces();
  if (position < text.size())
    return fail("expected only spaces after the last '}', found " + found());
  return true;
}

std::optional<Header> detail::parseHeader(std::string_view text,
                                          std::string &error) {
  size_t bad;
  if (!isUTF8(text, bad)) {
    error = "header, byte " + std::to_string(bad) + ": not UTF-8";
    return std::nullopt;
  }
  Header header;
  if (!Parser(text, error).parse(header))
    return std::nullopt;
  return header;
}
