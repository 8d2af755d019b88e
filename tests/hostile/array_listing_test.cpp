// Lists of arrays are made within the memory limit, and can be cancelled; their speed is measured
// in document_bench.
#include <gtest/gtest.h>

#include "base/files.h"
#include "document/load/open.h"
#include "document/tensors/array_file.h"
#include "document/tensors/tensor_file.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
constexpr std::size_t kMany = 60'000;

// A legal header of 64 KiB, most of it the same sign.
std::string npy_with_much(char sign) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1),";
  header.resize(65'000, sign);
  return test::npy_with_header(header + "}", std::string(4, '\0'));
}

TEST(ArrayListing, LeavesOutHeadersOfOneSign) {
  std::vector<test::ZipEntry> members;
  for (const char sign : {' ', '\t', '\n', ',', '(', ')', '\'', '\\'}) {
    for (int i = 0; i < 10; ++i) {
      members.push_back(
          {std::string(1, sign) + std::to_string(i) + ".npy", npy_with_much(sign), true});
    }
  }
  const std::string bytes = test::zip_of(members);
  const Result<ArrayListing> listing = list_npz(bytes);
  ASSERT_TRUE(listing.ok()) << describe(listing.error());
  EXPECT_EQ(listing->arrays.size(), 30U) << "blanks, which are legal";
  EXPECT_EQ(listing->left_out.size(), 50U);
}

std::string many_members() {
  const std::string numbers = test::float_npy("(1, 1)", {1.0F});
  std::vector<test::ZipEntry> members;
  for (std::size_t i = 0; i < kMany; ++i) members.push_back({std::to_string(i) + ".npy", numbers});
  return test::zip_of(members, true);
}

std::string many_tensors(std::size_t count, const std::string& name, bool are_empty) {
  std::string header = "{";
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = are_empty ? 0 : 4 * i, end = are_empty ? 0 : begin + 4;
    header += (i > 0 ? ",\"" : "\"") + name + std::to_string(i) + R"(":{"dtype":"F32","shape":[)" +
              (are_empty ? "0" : "1") + R"(],"data_offsets":[)" + std::to_string(begin) + "," +
              std::to_string(end) + "]}";
  }
  return test::safetensors(header + "}", std::string(are_empty ? 0 : 4 * count, '\0'));
}

std::string many_of_gguf(std::size_t count, const std::string& name) {
  std::vector<test::GgufTensor> tensors;
  for (std::size_t i = 0; i < count; ++i) {
    tensors.push_back({name + std::to_string(i), {1}, 0, std::string(4, '\0')});
  }
  return test::gguf(tensors);
}

TEST(ArrayListing, IsRefusedBeyondTheMemoryLimit) {
  ReadOptions options;
  options.memory_limit_bytes = 20 * kMebibyte;
  const std::string many = many_members();
  const Result<ArrayListing> archive = list_npz(many, options);
  const Result<ArrayListing> empty = list_safetensors(many_tensors(100'000, "a", true), options);
  const Result<ArrayListing> full = list_safetensors(many_tensors(100'000, "a", false), options);
  const Result<ArrayListing> gguf = list_gguf(many_of_gguf(30'000, std::string(500, 'n')), options);
  for (const auto* listing : {&archive, &empty, &full, &gguf}) {
    ASSERT_FALSE(listing->ok());
    EXPECT_EQ(listing->error().kind, ErrorKind::OverMemoryLimit) << describe(listing->error());
    EXPECT_FALSE(listing->error().hint.empty());
  }
  EXPECT_TRUE(list_npz(many).ok());
}

TEST(ArrayListing, CountsItsNames) {
  ReadOptions options;
  options.memory_limit_bytes = 20 * kMebibyte;
  const std::string name(2'000'000, 'n');
  for (const auto& listing : {list_gguf(many_of_gguf(2, name), options),
                              list_safetensors(many_tensors(2, name, false), options)}) {
    ASSERT_FALSE(listing.ok());
    EXPECT_EQ(listing.error().kind, ErrorKind::OverMemoryLimit);
    EXPECT_LT(describe(listing.error()).size(), 500U);
  }
}

TEST(ArrayListing, RefusesHeadersThatAreLongerThanTheFormatAllows) {
  const std::string bytes = test::safetensors("{}" + std::string(100'000'000, ' '), "");
  const Result<ArrayListing> listing = list_safetensors(bytes);
  ASSERT_FALSE(listing.ok());
  EXPECT_NE(
      describe(listing.error()).find("found 100,000,002 bytes, expected at most 100,000,000 bytes"),
      std::string::npos)
      << describe(listing.error());
}

TEST(ArrayListing, CanBeCalledOff) {
  Progress progress;
  progress.cancelled = true;
  ReadOptions options;
  options.progress = &progress;
  const std::string npz = many_members(), tensors = many_tensors(1000, "a", false),
                    gguf = many_of_gguf(1000, "a");
  for (const auto& listing :
       {list_npz(npz, options), list_safetensors(tensors, options), list_gguf(gguf, options)}) {
    ASSERT_FALSE(listing.ok());
    EXPECT_EQ(listing.error().kind, ErrorKind::Interrupted) << describe(listing.error());
  }
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.npz");
  ASSERT_TRUE(write_file_atomically(path, npz, Overwrite::Replace).ok());
  EXPECT_EQ(open_document(path, options).error().kind, ErrorKind::Interrupted);
  EXPECT_EQ(open_array<float>({"a.npz", {"7"}}, folder.path(), 1U << 30U, &progress).error().kind,
            ErrorKind::Interrupted);
}

TEST(ArrayListing, ManyNamesAreFoundInAnyOrder) {
  const std::string npz = many_members();
  const ArrayListing listing = list_npz(npz).value();
  TensorReference all{"a.npz"};
  for (std::size_t i = 0; i < kMany; ++i) all.arrays.push_back(std::to_string(kMany - 1 - i));
  const Result<Tensor> stacked = referred_array<float>(listing, all, nullptr, 1U << 30U);
  ASSERT_TRUE(stacked.ok());
  EXPECT_EQ(stacked->shape(), (Shape{kMany, 1, 1}));
}

TEST(ArrayListing, OneOfManyNamesIsFoundAndMissed) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.file("a.safetensors"), many_tensors(kMany, "a", false),
                                    Overwrite::Replace)
                  .ok());
  const auto opened = shared_arrays(folder.file("a.safetensors"));
  ASSERT_TRUE(opened.ok()) << describe(opened.error());
  for (std::size_t i = 0; i < 1000; ++i) {
    const std::string& name = (*opened)->listing.arrays[i].name;
    ASSERT_TRUE(open_array<float>({"a.safetensors", {name}}, folder.path(), 1U << 30U).ok());
  }
  EXPECT_FALSE(open_array<float>({"a.safetensors", {"b"}}, folder.path(), 1U << 30U).ok());
}

}  // namespace
}  // namespace attn
