// Log: lines, size limit, and files that are no logs.
#include "session/log_file.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "base/descriptor.h"
#include "base/files.h"
#include "support/process.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using Level = Notice::Level;

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 24U;

std::string log_at(const std::string& path) { return read_file(path, kPlenty).value(); }

TEST(LogFile, LinesHaveTimesLevelsAndIndentedDetails) {
  EXPECT_EQ(log_text(0, Level::Info, "Started"), "1970-01-01T00:00:00Z info: Started\n");
  EXPECT_EQ(log_text(951'827'696, Level::Warning, "a", "a"), "2000-02-29T12:34:56Z warning: a\n");
  EXPECT_EQ(log_text(0, Level::Error, "a\033[1m", "b\nc\n"),
            "1970-01-01T00:00:00Z error: a␛[1m\n    b\n    c\n");
}

TEST(LogFile, LevelsLetThroughWhatIsAsGrave) {
  EXPECT_EQ(log_level_named("warning"), LogLevel::Warning);
  EXPECT_FALSE(log_level_named("loud"));
  EXPECT_EQ(log_level_names().size(), 4U);
  for (const Level level : {Level::Info, Level::Warning, Level::Error}) {
    EXPECT_FALSE(is_logged(LogLevel::Off, level));
    EXPECT_TRUE(is_logged(LogLevel::Info, level));
  }
  EXPECT_FALSE(is_logged(LogLevel::Error, Level::Warning));
  EXPECT_TRUE(is_logged(LogLevel::Error, Level::Error));
  EXPECT_TRUE(is_logged(LogLevel::Warning, Level::Error));
  EXPECT_FALSE(is_logged(LogLevel::Warning, Level::Info));
}

TEST(LogFile, GrowsInAFolderThatIsMadeForIt) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("deep/er/log.txt");
  const std::string first = log_text(0, Level::Info, "first");
  const std::string second = log_text(1, Level::Info, "second");
  ASSERT_TRUE(append_to_log(path, first));
  ASSERT_TRUE(append_to_log(path, second));
  EXPECT_EQ(log_at(path), first + second);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(LogFile, LosesItsOlderHalfWhenItIsFull) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("log.txt");
  std::string all;
  const std::string details(1000, 'x');
  for (int i = 0; i < 2000; ++i) {
    const std::string entry = log_text(i, Level::Info, "entry", details);
    ASSERT_TRUE(append_to_log(path, entry));
    ASSERT_LE(fs::file_size(path), kLargestLogBytes);
    all += entry;
  }
  const std::string kept = log_at(path);
  EXPECT_GE(kept.size(), kLargestLogBytes / 2 - 2 * details.size());
  EXPECT_TRUE(all.ends_with(kept)) << "the newest entries, each whole";
  EXPECT_TRUE(kept.starts_with("1970-01-01T00:")) << kept.substr(0, 40);
}

TEST(LogFile, WhatIsNoLogIsLeftAlone) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("precious.json");
  for (const std::string text : {"{}", "2026 was a good year for cats and dogs"}) {
    ASSERT_TRUE(write_file_atomically(path, text, Overwrite::Replace));
    EXPECT_FALSE(check_log(path));
    const Status written = append_to_log(path, log_text(0, Level::Info, "x"));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::CannotWrite);
    EXPECT_EQ(log_at(path), text);
  }
  EXPECT_TRUE(check_log(folder.file("missing.txt")));
}

TEST(LogFile, AFullDiskIsAnError) {
  const test::TemporaryFolder folder;
  file_calls().write = [](int, const void*, std::size_t) -> ssize_t {
    errno = ENOSPC;
    return -1;
  };
  const Status written = append_to_log(folder.file("log.txt"), "text");
  file_calls() = {};
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().hint, "free some space or choose another disk");
}

}  // namespace
}  // namespace attn
