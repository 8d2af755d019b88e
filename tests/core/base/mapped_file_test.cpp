// Mappings of files that are deleted, replaced or truncated.
#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/files.h"
#include "support/process.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBytes = 64 * 1024;

class MappedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_file_atomically(path, std::string(kBytes, 'x'), Overwrite::Refuse));
    file = *MappedFile::open(path);
    ASSERT_EQ(file->bytes().size(), kBytes);
  }

  test::TemporaryFolder folder;
  std::string path = folder.file("numbers");
  std::shared_ptr<const MappedFile> file;
};

TEST_F(MappedFileTest, TakenAwayOrReplacedItShowsWhatItWas) {
  EXPECT_FALSE(file->has_changed());
  ASSERT_TRUE(write_file_atomically(path, "other", Overwrite::Replace));
  EXPECT_EQ(file->bytes().back(), 'x');
  EXPECT_TRUE(file->has_changed());
  fs::remove(path);
  EXPECT_EQ(file->bytes().front(), 'x');
  EXPECT_FALSE(file->has_changed());
}

TEST_F(MappedFileTest, WrittenInPlaceItSaysSo) {
  const std::shared_ptr<const MappedFile> known = file->without_bytes();
  EXPECT_FALSE(known->has_changed());
  test::write_in_place(path, std::string(kBytes, 'y'));
  EXPECT_TRUE(file->has_changed());
  EXPECT_TRUE(known->has_changed());
  EXPECT_FALSE((*MappedFile::open(path))->has_changed());
}

TEST_F(MappedFileTest, IsSharedUntilItChanges) {
  EXPECT_EQ(*MappedFile::open(path), file);
  test::write_in_place(path, "other");
  EXPECT_NE(*MappedFile::open(path), file);
}

TEST_F(MappedFileTest, CutShortItReadsAsZerosAndSaysSo) {
  fs::resize_file(path, 10);
  EXPECT_TRUE(file->has_changed());
  EXPECT_EQ(file->bytes()[9], 'x');
  EXPECT_EQ(file->bytes()[kBytes - 1], '\0');
  EXPECT_EQ(file->bytes()[kBytes / 2], '\0');
}

TEST_F(MappedFileTest, ManyAreMappedAndGivenBackInAnyOrder) {
  std::vector<std::shared_ptr<const MappedFile>> files;
  for (int i = 0; i < 300; ++i) {
    fs::create_hard_link(path, path + std::to_string(i));
    files.push_back(*MappedFile::open(path + std::to_string(i)));
  }
  for (std::size_t i = 0; i < files.size(); i += 2) files[i].reset();
  fs::resize_file(path, 0);
  for (std::size_t i = 1; i < files.size(); i += 2) {
    EXPECT_EQ(files[i]->bytes()[kBytes - 1], '\0') << i;
  }
  EXPECT_EQ(file->bytes()[kBytes - 1], '\0') << "of the first one";
}

TEST_F(MappedFileTest, OnlyRegularFilesAreMappedAndNobodyWaits) {
  EXPECT_EQ(MappedFile::open(folder.file("none")).error().message, "the file does not exist");
  EXPECT_EQ(MappedFile::open(folder.path()).error().message, "this is a folder, not a file");
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(MappedFile::open(pipe).error().message,
            "this is no file that can be read more than once");
  EXPECT_FALSE(MappedFile::open("/dev/zero").ok());
}

TEST_F(MappedFileTest, AnEmptyFileHasNoBytes) {
  const std::string empty = folder.file("empty");
  ASSERT_TRUE(write_file_atomically(empty, "", Overwrite::Refuse));
  EXPECT_EQ((*MappedFile::open(empty))->bytes().size(), 0U);
}

}  // namespace
}  // namespace attn
