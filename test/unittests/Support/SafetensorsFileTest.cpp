//===- SafetensorsFileTest.cpp - tests of safetensors on disk -------------===//
//
// Part of hyena-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hyena/Support/Safetensors.h"

#include "gtest/gtest.h"

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>

using namespace hyena::support;
namespace fs = std::filesystem;

namespace {

class SafetensorsFile : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/hyena-safetensors-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
    path = directory / "a.safetensors";
  }
  void TearDown() override { fs::remove_all(directory); }

  size_t filesInDirectory() const {
    return std::distance(fs::directory_iterator(directory),
                         fs::directory_iterator());
  }

  fs::path directory, path;
  std::string error;
};

TensorFile sample() {
  TensorFile file;
  file.metadata = {{"made by", "a \"test\"\n\\"}};
  file.tensors = {
      {"flag", DType::Bool, {}, {1}},
      {"\xc3\xa9/\"\x01", DType::I32, {1, 2}, {1, 0, 0, 0, 2, 0, 0, 0}},
      {"none", DType::F64, {0, 3}, {}},
      {"half", DType::F16, {1}, {0, 0x3c}}};
  return file;
}

std::string contents(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

// Would fail if what is written were not what is read.
TEST_F(SafetensorsFile, RoundTrips) {
  TensorFile file = sample();
  ASSERT_TRUE(writeSafetensors(path, file, error)) << error;
  EXPECT_EQ(filesInDirectory(), 1u);
  std::optional<TensorFile> read = readSafetensors(path, error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(read->metadata, file.metadata);
  ASSERT_EQ(read->tensors.size(), file.tensors.size());
  for (size_t i = 0; i < file.tensors.size(); ++i) {
    EXPECT_EQ(read->tensors[i].name, file.tensors[i].name);
    EXPECT_EQ(read->tensors[i].dtype, file.tensors[i].dtype);
    EXPECT_EQ(read->tensors[i].shape, file.tensors[i].shape);
    EXPECT_EQ(read->tensors[i].bytes, file.tensors[i].bytes);
  }
}

// Would fail if elements could lie at an address that their type does not
// allow: readers map files into memory.
TEST_F(SafetensorsFile, AlignsElements) {
  ASSERT_TRUE(writeSafetensors(path, sample(), error)) << error;
  std::string bytes = contents(path);
  uint64_t header = 0;
  std::memcpy(&header, bytes.data(), 8);
  EXPECT_EQ(header % 8, 0u);
  // i32, then f16, then bool.
  EXPECT_EQ(bytes.substr(8 + header),
            std::string("\1\0\0\0\2\0\0\0\0\x3c\1", 11));
}

// Would fail if a file that cannot be read gave no reason.
TEST_F(SafetensorsFile, SaysWhyAFileCannotBeRead) {
  EXPECT_FALSE(readSafetensors(path, error));
  EXPECT_EQ(error, path.string() + ": No such file or directory");
  EXPECT_FALSE(readSafetensors(directory, error));
  EXPECT_EQ(error, directory.string() + ": not a regular file");
  std::ofstream(path) << "1234";
  EXPECT_FALSE(readSafetensors(path, error));
  EXPECT_EQ(error, path.string() + ": 4 bytes, expected 8 at least: the "
                                   "length of the header");
}

// Would fail if a failing disk left half a file, or lost the old one. A limit
// on file sizes stands for the full disk.
TEST_F(SafetensorsFile, KeepsTheOldFileWhenTheDiskIsFull) {
  ASSERT_TRUE(writeSafetensors(path, sample(), error)) << error;
  std::string before = contents(path);
  TensorFile big;
  big.tensors = {{"big", DType::U8, {1 << 20}, std::vector<uint8_t>(1 << 20)}};

  rlimit limit, small;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  small = {1 << 16, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  bool written = writeSafetensors(path, big, error);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, handler);

  EXPECT_FALSE(written);
  EXPECT_EQ(error, path.string() + ": File too large");
  EXPECT_EQ(contents(path), before);
  EXPECT_EQ(filesInDirectory(), 1u);
}

// Would fail if a device were replaced by a file, or a link by its target.
TEST_F(SafetensorsFile, RespectsLinksAndDevices) {
  EXPECT_FALSE(writeSafetensors("/dev/null", sample(), error));
  EXPECT_EQ(error, "/dev/null: exists and is not a regular file");
  EXPECT_FALSE(writeSafetensors(directory / "no" / "x", sample(), error));
  EXPECT_EQ(error,
            (directory / "no" / "x").string() + ": No such file or directory");
  std::ofstream(path) << "old";
  fs::path link = directory / "link";
  fs::create_symlink(path, link);
  ASSERT_TRUE(writeSafetensors(link, sample(), error)) << error;
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_TRUE(readSafetensors(path, error)) << error;
}

// Would fail if a file that nothing can read were written.
TEST_F(SafetensorsFile, RefusesInconsistentTensors) {
  struct Case {
    std::vector<Tensor> tensors;
    const char *message;
  };
  for (const Case &test : std::vector<Case>{
           {{{"a", DType::U8, {1}, {0}}, {"a", DType::U8, {1}, {0}}},
            "there are two tensors of the name 'a'"},
           {{{"a", DType::F32, {2}, {0, 0, 0, 0}}},
            "tensor 'a' (F32 [2]) has 4 bytes, expected 2 elements of 4"},
           {{{"a", DType::U8, {-1}, {}}},
            "tensor 'a' has the shape [-1], expected no negative extent"},
           {{{"__metadata__", DType::U8, {0}, {}}},
            "tensor '__metadata__' has the name that is kept for the metadata"},
           {{{"\xff", DType::U8, {0}, {}}},
            "the name of tensor '\xff' is not UTF-8"}}) {
    TensorFile file;
    file.tensors = test.tensors;
    EXPECT_FALSE(writeSafetensors(path, file, error));
    EXPECT_EQ(error, path.string() + ": " + test.message);
    EXPECT_FALSE(fs::exists(path));
  }
}

// Would fail if the files that other software has written were refused.
TEST(SafetensorsGolden, ReadsTheGoldenData) {
  size_t files = 0;
  for (const auto &entry : fs::directory_iterator(HYENA_GOLDEN_DATA)) {
    if (entry.path().extension() != ".safetensors")
      continue;
    std::string error;
    std::optional<TensorFile> file = readSafetensors(entry.path(), error);
    ASSERT_TRUE(file) << error;
    EXPECT_TRUE(file->find("y")) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0u);
}
