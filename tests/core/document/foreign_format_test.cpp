// Files of other programs are named, with code that converts them to an array.
#include <gtest/gtest.h>

#include "base/files.h"
#include "document/load/open.h"
#include "export/provenance.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn {
namespace {

struct ForeignFile {
  std::string name, bytes, label;
};

std::vector<ForeignFile> foreign_files() {
  const std::string zip("PK\x03\x04\x14\0\0\0", 8);
  return {{"a.pt", zip + "archive/data.pkl", "a PyTorch file"},
          {"a.pth", "\x80\x02\x8a\nl\xfc", "a Python pickle"},
          {"a.pkl", "\x80\x04\x95\x10", "a Python pickle"},
          {"a.h5", "\x89HDF\r\n\x1a\n", "an HDF5 file"},
          {"a.bin", "tjgg\3", "a GGML file"}};
}

TEST(ForeignFormat, IsNamedWithTheWayToConvertIt) {
  for (const ForeignFile& file : foreign_files()) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file(file.name);
    ASSERT_TRUE(write_file_atomically(path, file.bytes, Overwrite::Replace).ok());
    const Result<Reading> opened = open_document(path);
    ASSERT_FALSE(opened) << file.name;
    const Error& error = opened.error();
    EXPECT_EQ(error.kind, ErrorKind::BadInput) << file.name;
    EXPECT_NE(error.message.find(file.label), std::string::npos) << error.message;
    const bool is_ggml = file.name == "a.bin";
    const std::string made = is_ggml ? "--output 'a.gguf'" : "numpy.save('a.npy', ";
    EXPECT_NE(error.hint.find(made), std::string::npos) << error.hint;
    EXPECT_NE(error.hint.find("'" + file.name + "'"), std::string::npos) << error.hint;
  }
}

TEST(ForeignFormat, IsNoDocumentAndNoArray) {
  for (const char* start : {"{\"tokens\": 3}", "[1, 2]", "\x93NUMPY\x01", "", "P", "PK"}) {
    EXPECT_FALSE(foreign_format(start, "a")) << start;
  }
}

// Headers of .safetensors with names that other formats know, too.
std::string start_with_length(std::uint64_t length, const std::string& name) {
  std::string header =
      "{\"" + name + R"(": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]}})";
  header.resize(std::max<std::size_t>(header.size(), kSniffBytes), ' ');
  return test::little_endian(length, 8) + header.substr(0, kSniffBytes - 8);
}

void expect_safetensors(const std::string& start) {
  const ArrayFormat* format = array_format_of(start);
  const std::uint64_t length = little_endian(std::string_view(start).substr(0, 8));
  ASSERT_NE(format, nullptr) << length;
  ASSERT_EQ(format->list, list_safetensors) << length;
  ASSERT_EQ(foreign_format(start, "a.safetensors"), std::nullopt) << length;
  ASSERT_EQ(loader_for(start, "a.safetensors").name, "arrays") << length;
  ASSERT_FALSE(is_shard_index(start, "a.safetensors")) << length;
  ASSERT_EQ(picture_format(start), "") << length;
}

// The lowest bytes of the length may be those with which any other format begins.
TEST(ForeignFormat, ASafetensorsFileOfAnyLengthIsNone) {
  for (const char* name : {"attention", "weight_map", "data.pkl", "<svg"}) {
    for (std::uint64_t length = 8; length <= 70'000; ++length) {
      expect_safetensors(start_with_length(length, name));
      if (testing::Test::HasFatalFailure()) return;
    }
    for (std::uint64_t high = 1; high < 1'500; high += 7) {
      for (const std::uint64_t low :
           {0x0280U, 0x0380U, 0x0480U, 0x0580U, 0x4B50U, 0x7B20U, 0x0A7BU, 0x4D93U, 0x5547U,
            0x6D6CU, 0x6A74U, 0x4489U, 0xBBEFU, 0x3C0AU, 0x213CU}) {
        expect_safetensors(start_with_length(high << 16U | low, name));
      }
    }
  }
  expect_safetensors(start_with_length(0x04034B50, "data.pkl"));  // an archive's first four bytes
}

TEST(ForeignFormat, SafetensorsOfEveryLengthAreOpened) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.safetensors");
  for (const std::size_t length : {640U, 896U, 1'152U, 1'408U, 66'176U, 66'432U, 123U, 379U, 635U,
                                   8'315U, 316U, 91U, 347U, 19'280U, 28'012U}) {
    std::string header =
        R"({"attention": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]}})";
    header.resize(length, ' ');
    ASSERT_TRUE(write_file_atomically(path, test::safetensors(header, test::bytes_of<float>({1})),
                                      Overwrite::Replace)
                    .ok());
    const Result<Reading> reading = open_document(path);
    EXPECT_TRUE(reading.ok()) << length << ": " << (reading ? "" : describe(reading.error()));
  }
}

// Counts of tensors whose lowest byte is "{" make no .safetensors of a GGUF file.
TEST(ForeignFormat, GgufOfAnyCountIsGguf) {
  for (std::uint64_t count = 1; count < 70'000; count += 61) {
    const std::string start = "GGUF" + test::little_endian(3, 4) + test::little_endian(count, 8);
    ASSERT_EQ(array_format_of(start)->list, list_gguf) << count;
  }
  const std::string start = "GGUF" + test::little_endian(3, 4) + test::little_endian('{', 8);
  EXPECT_EQ(array_format_of(start)->list, list_gguf);
}

}  // namespace
}  // namespace attn
