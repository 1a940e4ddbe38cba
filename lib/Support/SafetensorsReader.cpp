//===- SafetensorsReader.cpp - reads files of named tensors ---------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeaderParser.h"
#include "hyena/Support/Safetensors.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <new>
#include <numeric>
#include <sys/stat.h>
#include <unistd.h>

using namespace hyena::support;
using namespace hyena::support::detail;

namespace {

/// Copies `size` bytes at `offset` of the file to `destination`; says in
/// `error` what is wrong and returns false if that fails.
using ReadAt = std::function<bool(uint64_t offset, void *destination,
                                  size_t size, std::string &error)>;

constexpr uint64_t prefixBytes = 8;

std::string describe(const HeaderEntry &entry) {
  return "tensor " + quoted(entry.name) + " (" +
         std::string(dtypeName(entry.dtype)) + " " + shapeText(entry.shape) +
         ")";
}

/// Checks that the tensors fill `dataBytes` bytes with no hole or overlap, each
/// with as many bytes as its shape asks for.
bool checkOffsets(const std::vector<HeaderEntry> &entries, uint64_t dataBytes,
                  std::string &error) {
  std::vector<size_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::make_pair(entries[a].begin, entries[a].end) <
           std::make_pair(entries[b].begin, entries[b].end);
  });
  for (const HeaderEntry &entry : entries) {
    std::string range = " has data_offsets " + std::to_string(entry.begin) +
                        " to " + std::to_string(entry.end);
    if (entry.begin > entry.end || entry.end > dataBytes) {
      error = describe(entry) + range + ", expected a range within the " +
              std::to_string(dataBytes) + " bytes behind the header";
      return false;
    }
    std::optional<int64_t> count = countElements(entry.shape);
    int64_t bytes = 0;
    if (!count ||
        __builtin_mul_overflow(
            *count, static_cast<int64_t>(dtypeSize(entry.dtype)), &bytes)) {
      error = describe(entry) + " has more than 2^63 - 1 bytes";
      return false;
    }
    if (entry.end - entry.begin != static_cast<uint64_t>(bytes)) {
      error = describe(entry) + range + ", expected " + std::to_string(bytes) +
              " bytes";
      return false;
    }
  }
  uint64_t end = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const HeaderEntry &entry = entries[order[i]];
    if (entry.begin < end) {
      error = describe(entry) + " begins at " + std::to_string(entry.begin) +
              " and overlaps " + describe(entries[order[i - 1]]) +
              ", which ends at " + std::to_string(end);
      return false;
    }
    if (entry.begin > end) {
      error = "no tensor owns bytes " + std::to_string(end) + " to " +
              std::to_string(entry.begin) + ", before " + describe(entry);
      return false;
    }
    end = entry.end;
  }
  if (end != dataBytes) {
    error = "no tensor owns bytes " + std::to_string(end) + " to " +
            std::to_string(dataBytes) + ", the last ones of the file";
    return false;
  }
  return true;
}

bool checkBools(const Tensor &tensor, std::string &error) {
  if (tensor.dtype != DType::Bool)
    return true;
  for (size_t i = 0; i < tensor.bytes.size(); ++i) {
    if (tensor.bytes[i] <= 1)
      continue;
    error = "element " + std::to_string(i) + " of tensor " +
            quoted(tensor.name) + " (BOOL) is " +
            std::to_string(tensor.bytes[i]) + ", expected 0 or 1";
    return false;
  }
  return true;
}

std::optional<TensorFile> readFrom(uint64_t fileBytes, const ReadAt &readAt,
                                   std::string &error) {
  if (fileBytes < prefixBytes) {
    error = std::to_string(fileBytes) +
            " bytes, expected 8 at least: the length of the header";
    return std::nullopt;
  }
  uint64_t headerBytes = 0;
  if (!readAt(0, &headerBytes, prefixBytes, error))
    return std::nullopt;
  if (headerBytes > fileBytes - prefixBytes) {
    error = "the header has " + std::to_string(headerBytes) +
            " bytes, expected at most " +
            std::to_string(fileBytes - prefixBytes) + " in a file of " +
            std::to_string(fileBytes);
    return std::nullopt;
  }
  if (headerBytes > kMaxHeaderBytes) {
    error = "the header has " + std::to_string(headerBytes) +
            " bytes, expected at most " + std::to_string(kMaxHeaderBytes);
    return std::nullopt;
  }
  std::string text(headerBytes, '\0');
  if (!readAt(prefixBytes, text.data(), headerBytes, error))
    return std::nullopt;
  std::optional<Header> header = parseHeader(text, error);
  if (!header)
    return std::nullopt;
  uint64_t dataStart = prefixBytes + headerBytes;
  if (!checkOffsets(header->entries, fileBytes - dataStart, error))
    return std::nullopt;

  // The tensors do not overlap, so they take no more memory than the file.
  TensorFile file;
  file.metadata = std::move(header->metadata);
  for (HeaderEntry &entry : header->entries) {
    Tensor tensor = {
        std::move(entry.name), entry.dtype, std::move(entry.shape), {}};
    tensor.bytes.resize(entry.end - entry.begin);
    if (!readAt(dataStart + entry.begin, tensor.bytes.data(),
                tensor.bytes.size(), error) ||
        !checkBools(tensor, error))
      return std::nullopt;
    file.tensors.push_back(std::move(tensor));
  }
  return file;
}

std::optional<TensorFile> readOrRunOut(uint64_t fileBytes, const ReadAt &readAt,
                                       std::string &error) {
  try {
    return readFrom(fileBytes, readAt, error);
  } catch (const std::bad_alloc &) {
    error = "no memory for a file of " + std::to_string(fileBytes) + " bytes";
    return std::nullopt;
  }
}

/// Closes a file at the end of a scope.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
};

} // namespace

std::optional<TensorFile> hyena::support::parseSafetensors(const void *data,
                                                           size_t size,
                                                           std::string &error) {
  return readOrRunOut(
      size,
      [&](uint64_t offset, void *destination, size_t count, std::string &) {
        if (count)
          std::memcpy(destination, static_cast<const char *>(data) + offset,
                      count);
        return true;
      },
      error);
}

std::optional<TensorFile>
hyena::support::readSafetensors(const std::string &path, std::string &error) {
  auto fail = [&](const std::string &message) {
    error = path + ": " + message;
    return std::nullopt;
  };
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat status;
  if (file.number < 0 || ::fstat(file.number, &status) != 0)
    return fail(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return fail("not a regular file");

  auto readAt = [&](uint64_t offset, void *destination, size_t size,
                    std::string &message) {
    auto *to = static_cast<char *>(destination);
    while (size > 0) {
      ssize_t count =
          ::pread(file.number, to, size, static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0) {
        message = count < 0 ? std::strerror(errno)
                            : "the file became shorter while it was read";
        return false;
      }
      to += count;
      offset += count;
      size -= count;
    }
    return true;
  };
  std::string message;
  std::optional<TensorFile> result =
      readOrRunOut(static_cast<uint64_t>(status.st_size), readAt, message);
  if (!result)
    return fail(message);
  return result;
}
