//===- SafetensorsWriter.cpp - writes files of named tensors --------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeaderParser.h"
#include "hyena/Support/Safetensors.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <numeric>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>

using namespace hyena::support;
using namespace hyena::support::detail;

namespace {

bool checkTensors(const TensorFile &file, std::string &error) {
  std::unordered_set<std::string_view> names;
  size_t bad;
  for (const Tensor &tensor : file.tensors) {
    std::string name = "tensor " + quoted(tensor.name);
    if (!isUTF8(tensor.name, bad)) {
      error = "the name of " + name + " is not UTF-8";
      return false;
    }
    if (tensor.name == "__metadata__") {
      error = name + " has the name that is kept for the metadata";
      return false;
    }
    if (!names.insert(tensor.name).second) {
      error = "there are two tensors of the name " + quoted(tensor.name);
      return false;
    }
    for (int64_t extent : tensor.shape) {
      if (extent >= 0)
        continue;
      error = name + " has the shape " + shapeText(tensor.shape) +
              ", expected no negative extent";
      return false;
    }
    std::optional<int64_t> count = countElements(tensor.shape);
    // No overflow: the number of bytes that exist bounds the product.
    size_t size = dtypeSize(tensor.dtype);
    if (!count || tensor.bytes.size() % size != 0 ||
        tensor.bytes.size() / size != static_cast<size_t>(*count)) {
      error = name + " (" + std::string(dtypeName(tensor.dtype)) + " " +
              shapeText(tensor.shape) + ") has " +
              std::to_string(tensor.bytes.size()) + " bytes, expected " +
              (count ? std::to_string(*count) + " elements of " +
                           std::to_string(size)
                     : "fewer than 2^63 elements");
      return false;
    }
  }
  for (const auto &[key, value] : file.metadata) {
    if (!isUTF8(key, bad) || !isUTF8(value, bad)) {
      error = "the metadata under " + quoted(key) + " are not UTF-8";
      return false;
    }
  }
  return true;
}

/// The header, its length included, for tensors stored in `order`.
std::string makeHeader(const TensorFile &file,
                       const std::vector<size_t> &order) {
  std::vector<uint64_t> begins(file.tensors.size());
  uint64_t offset = 0;
  for (size_t index : order) {
    begins[index] = offset;
    offset += file.tensors[index].bytes.size();
  }
  std::string text = "{";
  if (!file.metadata.empty()) {
    text += "\"__metadata__\":{";
    for (const auto &[key, value] : file.metadata)
      text += jsonString(key) + ":" + jsonString(value) + ",";
    text.back() = '}';
    text += ",";
  }
  for (size_t i = 0; i < file.tensors.size(); ++i) {
    const Tensor &tensor = file.tensors[i];
    text += jsonString(tensor.name) + R"(:{"dtype":")" +
            std::string(dtypeName(tensor.dtype)) + R"(","shape":[)";
    for (size_t d = 0; d < tensor.shape.size(); ++d)
      text += (d ? "," : "") + std::to_string(tensor.shape[d]);
    text += "],\"data_offsets\":[" + std::to_string(begins[i]) + "," +
            std::to_string(begins[i] + tensor.bytes.size()) + "]},";
  }
  if (text.back() == ',')
    text.pop_back();
  text += "}";
  // Elements then lie at multiples of their size.
  text.resize((text.size() + 7) / 8 * 8, ' ');
  uint64_t length = text.size();
  std::string prefix(sizeof(length), '\0');
  std::memcpy(prefix.data(), &length, sizeof(length));
  return prefix + text;
}

bool writeAll(int descriptor, const void *data, size_t size) {
  const char *from = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t count = ::write(descriptor, from, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return false;
    from += count;
    size -= count;
  }
  return true;
}

/// Opens a new file beside `path` and puts its name into `name`. The mode is
/// that of any new file, which mkstemp would not give.
int openBeside(const std::string &path, std::string &name) {
  static std::atomic<unsigned> counter{0};
  while (true) {
    name = path + ".tmp-" + std::to_string(::getpid()) + "-" +
           std::to_string(counter++);
    int descriptor =
        ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST)
      return descriptor;
  }
}

} // namespace

bool hyena::support::writeSafetensors(const std::string &path,
                                      const TensorFile &file,
                                      std::string &error) {
  auto fail = [&](const std::string &message) {
    error = path + ": " + message;
    return false;
  };
  std::string message;
  if (!checkTensors(file, message))
    return fail(message);

  // A link is followed, so that it still is one afterwards; a device would be
  // replaced by a file, so it is refused.
  std::string target = path;
  struct stat status;
  if (::stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode))
      return fail("exists and is not a regular file");
    if (char *resolved = ::realpath(path.c_str(), nullptr)) {
      target = resolved;
      std::free(resolved);
    }
  }

  std::vector<size_t> order(file.tensors.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    size_t sizeA = dtypeSize(file.tensors[a].dtype);
    size_t sizeB = dtypeSize(file.tensors[b].dtype);
    return sizeA != sizeB ? sizeA > sizeB : a < b;
  });
  std::string header = makeHeader(file, order);

  std::string temporary;
  int descriptor = openBeside(target, temporary);
  if (descriptor < 0)
    return fail(std::strerror(errno));
  bool written = writeAll(descriptor, header.data(), header.size());
  for (size_t index : order)
    written = written && writeAll(descriptor, file.tensors[index].bytes.data(),
                                  file.tensors[index].bytes.size());
  // Some file systems report a full disk only here.
  written = written && ::fsync(descriptor) == 0;
  int failure = written ? 0 : errno;
  if (::close(descriptor) != 0 && failure == 0)
    failure = errno;
  if (failure == 0 && std::rename(temporary.c_str(), target.c_str()) != 0)
    failure = errno;
  if (failure == 0)
    return true;
  ::unlink(temporary.c_str());
  return fail(std::strerror(failure));
}
