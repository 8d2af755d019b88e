// Paths from files: with a zero byte they name no other file, and blocking files delay nothing.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/json.h"
#include "document/load/open.h"
#include "document/tensors/tensor_file.h"
#include "session/unsaved_work.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn {
namespace {

void write_at(const std::string& path, const std::string& bytes) {
  ASSERT_TRUE(write_file_atomically(path, bytes, Overwrite::Replace).ok());
}

std::string with_zero(const std::string& path) { return path + std::string("\0.txt", 5); }

TEST(ZeroInAPath, IsRefusedWhereFilesAreReadAndWritten) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.npy");
  write_at(path, test::float_npy("(1, 1)", {1.0F}));
  EXPECT_EQ(read_file(with_zero(path), 1000).error().kind, ErrorKind::BadInput);
  EXPECT_EQ(read_regular_file(with_zero(path), 1000).error().kind, ErrorKind::BadInput);
  EXPECT_EQ(open_document(with_zero(path)).error().kind, ErrorKind::BadInput);
  EXPECT_EQ(open_array<float>({with_zero("a.npy")}, folder.path(), 1000).error().kind,
            ErrorKind::BadInput);
  EXPECT_EQ(write_file_atomically(with_zero(path), "x", Overwrite::Replace).error().kind,
            ErrorKind::CannotWrite);
  EXPECT_EQ(read_file(path, 1000)->size(), 132U) << "untouched";
}

TEST(ZeroInAPath, IsRefusedInDocuments) {
  const test::TemporaryFolder folder;
  write_at(folder.file("a.npy"), test::float_npy("(1, 1)", {1.0F}));
  write_at(folder.file("a.safetensors"),
           test::safetensors(R"({"a": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]}})",
                             std::string(4, '\0')));
  write_at(folder.file("tensor.json"), R"({"attention": {"file": "a.npy\u0000.txt"}})");
  write_at(folder.file("model.safetensors.index.json"),
           R"({"weight_map": {"a": "a.safetensors\u0000.txt"}})");
  for (const char* name : {"tensor.json", "model.safetensors.index.json"}) {
    const Result<Reading> reading = open_document(folder.file(name));
    ASSERT_FALSE(reading.ok()) << name;
    EXPECT_EQ(reading.error().kind, ErrorKind::BadInput) << describe(reading.error());
  }
}

TEST(ZeroInAPath, IsNoPathInTheProgramsOwnFiles) {
  EXPECT_EQ(path_of(Json(with_zero("/a"))), "");
  EXPECT_EQ(path_of(Json::parse("[47, 97, 0, 46]")), "");
  EXPECT_EQ(path_of(Json::parse("[47, 97, 255]")), "/a\xFF");
}

TEST(Pipe, WithoutAReaderIsRefusedAtOnceWhereAFileIsWritten) {
  const test::TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(write_file_atomically(pipe, "x", Overwrite::Replace).error().kind,
            ErrorKind::CannotWrite);
  EXPECT_EQ(write_private_file(pipe, "x").error().kind, ErrorKind::CannotWrite);
}

TEST(Pipe, WithAReaderTakesWhatIsWritten) {
  const test::TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Descriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  ASSERT_TRUE(write_file_atomically(pipe, "x", Overwrite::Replace).ok());
  char read = 0;
  EXPECT_EQ(::read(reader.get(), &read, 1), 1);
  EXPECT_EQ(read, 'x');
}

TEST(Pipe, AsANoteOfUnsavedWorkHoldsNothingUp) {
  const test::TemporaryFolder parent;
  std::string folder;
  {
    const auto run = RunFolder::make(parent.path());
    folder = run->path;
    write_at(folder + "/1.attn.json", "[\"a\"]");
  }
  ASSERT_EQ(::mkfifo((folder + "/1.note.json").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((folder + "/open.json").c_str(), 0600), 0);
  EXPECT_EQ(find_unsaved(parent.path(), 1'800'000'000).work.size(), 1U);
  EXPECT_FALSE(is_open_elsewhere(parent.file("1-1"), folder + "/1.attn.json"));
}

}  // namespace
}  // namespace attn
