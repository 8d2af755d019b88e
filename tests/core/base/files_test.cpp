// Files written whole or not at all, and read back.
#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPlenty = 1U << 20U;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "attnscope-files-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(Files, WhatIsWrittenIsReadAndNothingElseStays) {
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(write_file_atomically(path("x.json"), bytes, Overwrite::Refuse));
  EXPECT_EQ(read_file(path("x.json"), kPlenty).value(), bytes);
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(Files, RefusesToOverwriteUnlessTold) {
  ASSERT_TRUE(write_file_atomically(path("x"), "old", Overwrite::Refuse));
  const Status refused = write_file_atomically(path("x"), "new", Overwrite::Refuse);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::CannotWrite);
  EXPECT_EQ(refused.error().message, "the file exists already");
  EXPECT_EQ(read_file(path("x"), kPlenty).value(), "old");
  ASSERT_TRUE(write_file_atomically(path("x"), "new", Overwrite::Replace));
  EXPECT_EQ(read_file(path("x"), kPlenty).value(), "new");
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(Files, KeepsPermissionsAndLinks) {
  ASSERT_TRUE(write_file_atomically(path("real"), "old", Overwrite::Refuse));
  fs::permissions(path("real"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real", path("link"));
  ASSERT_TRUE(write_file_atomically(path("link"), "new", Overwrite::Replace));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("real"), kPlenty).value(), "new");
  EXPECT_EQ(fs::status(path("real")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Files, AWriteProtectedFileIsNotReplaced) {
  ASSERT_TRUE(write_file_atomically(path("x"), "old", Overwrite::Refuse));
  EXPECT_EQ(write_protection(path("x")), "");
  fs::permissions(path("x"), fs::perms::owner_read | fs::perms::others_read);
  EXPECT_EQ(write_protection(path("x")), "its permissions let nobody write");
  const Status refused = write_file_atomically(path("x"), "new", Overwrite::Replace);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::CannotWrite);
  EXPECT_EQ(refused.error().message,
            "the file is write-protected (its permissions let nobody write)");
  EXPECT_EQ(refused.error().hint, "choose another name, or allow writing to it");
  EXPECT_EQ(read_file(path("x"), kPlenty).value(), "old");
  EXPECT_EQ(files_in_folder(), 1U);
  EXPECT_EQ(write_protection(path("none")), "");
}

TEST_F(Files, KnowsWhenItsBytesHaveChanged) {
  const FileVersion old = version_of("old");
  EXPECT_FALSE(has_changed(path("x"), old)) << "what is gone holds nothing to lose";
  for (const auto& [bytes, changed] : std::initializer_list<std::pair<const char*, bool>>{
           {"old", false}, {"new", true}, {"older", true}, {"", true}, {"old", false}}) {
    ASSERT_TRUE(write_file_atomically(path("x"), bytes, Overwrite::Replace));
    EXPECT_EQ(has_changed(path("x"), old), changed) << bytes;
  }
}

TEST_F(Files, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(read_file(path("none"), kPlenty).error().message, "the file does not exist");
  EXPECT_EQ(read_file(folder_.string(), kPlenty).error().message, "this is a folder, not a file");
}

TEST_F(Files, RefusesBeforeReadingWhatIsTooLarge) {
  ASSERT_TRUE(write_file_atomically(path("big"), std::string(100, 'x'), Overwrite::Refuse));
  const Result<std::string> refused = read_file(path("big"), 99);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::OverMemoryLimit);
  EXPECT_EQ(refused.error().found, "100 bytes");
  EXPECT_EQ(refused.error().expected, "at most 99 bytes");
}

TEST_F(Files, SaysWhyAFileCannotBeWritten) {
  const Status missing = write_file_atomically(path("no/such/x"), "a", Overwrite::Refuse);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::CannotWrite);
  EXPECT_EQ(missing.error().hint, "create the folder first");
  EXPECT_FALSE(write_file_atomically(folder_.string(), "a", Overwrite::Replace));
}

TEST_F(Files, AFolderThatTakesNoFilesIsNotToBeCreated) {
  if (!fs::is_directory("/proc/self")) GTEST_SKIP() << "this system has no /proc";
  const Status refused = write_file_atomically("/proc/self/x", "a", Overwrite::Refuse);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().hint.find("create"), std::string::npos) << refused.error().hint;
  EXPECT_FALSE(refused.error().hint.empty());
}

TEST_F(Files, AFullDeviceIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const Status full = write_file_atomically("/dev/full", "a", Overwrite::Replace);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().hint, "free some space or choose another disk");
}

TEST(ConfigFolder, FollowsTheEnvironment) {
  ::setenv("XDG_CONFIG_HOME", "/somewhere", 1);
  EXPECT_EQ(config_folder(), "/somewhere/attnscope");
  ::unsetenv("XDG_CONFIG_HOME");
  ::setenv("HOME", "/home/ada", 1);
  EXPECT_EQ(config_folder(), "/home/ada/.config/attnscope");
}

TEST(StateFolder, FollowsTheEnvironment) {
  ::setenv("XDG_STATE_HOME", "/somewhere", 1);
  EXPECT_EQ(state_folder(), "/somewhere/attnscope");
  ::unsetenv("XDG_STATE_HOME");
  ::setenv("HOME", "/home/ada", 1);
  EXPECT_EQ(state_folder(), "/home/ada/.local/state/attnscope");
}

}  // namespace
}  // namespace attn
