// Files of other programs are named, with what makes an array of them.
#include <gtest/gtest.h>

#include "base/files.h"
#include "document/load/open.h"
#include "support/process.h"

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

}  // namespace
}  // namespace attn
