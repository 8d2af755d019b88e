// Documents read from files: their version, the progress of reading, and files that change
// meanwhile.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "document/load/open.h"
#include "document/load/read.h"
#include "support/process.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

// A file of numbers, long enough that reading it takes a while.
class StreamedFile : public testing::Test {
 protected:
  static std::string matrix(std::size_t rows) {
    std::string text = "[";
    for (std::size_t row = 0; row < rows; ++row) {
      text += (row == 0 ? "[" : ",[") + std::to_string(row) + ", 0.123456, -1.2345678e-05]";
    }
    return text + "]";
  }
  void SetUp() override {
    const std::string numbers = matrix(40'000);
    text = "{\"q\": " + numbers + ", \"k\": " + numbers + ", \"v\": " + numbers + "}\n";
    ASSERT_TRUE(write_file_atomically(path, text, Overwrite::Refuse));
  }

  test::TemporaryFolder folder;
  std::string path = folder.file("numbers.json");
  std::string text;
  ReadOptions options;
};

TEST_F(StreamedFile, IsTheDocumentOfItsTextAndKnowsItsVersion) {
  const Result<Reading> report = open_document(path, options);
  ASSERT_TRUE(report.ok()) << describe(report.error());
  EXPECT_EQ(report->document, read_document(text, "text")->document);
  EXPECT_EQ(report->version, version_of(text));
}

TEST_F(StreamedFile, CutShortWhileItIsReadIsAnError) {
  const Result<DocumentFile> file = find_document(path, options);
  ASSERT_TRUE(file.ok());
  fs::resize_file(path, text.size() / 2);
  const Reading reading = read_document(*file);
  ASSERT_EQ(reading.errors.size(), 1U);
  EXPECT_EQ(reading.errors.front().message, "the file was cut short while it was read");
  EXPECT_EQ(reading.errors.front().file, path);
}

// Watches from a separate thread, as a window does.
TEST_F(StreamedFile, SaysHowFarItIs) {
  Progress progress;
  options.progress = &progress;
  std::atomic<bool> looks{false}, done{false};
  bool falls = false, is_seen_between = false;
  std::thread watcher([&] {
    looks = true;
    for (float before = 0.0F; !done;) {
      const float now = progress.fraction;
      falls = falls || now < before;
      is_seen_between = is_seen_between || (now > 0.0F && now < 1.0F);
      before = now;
    }
  });
  while (!looks) std::this_thread::yield();
  EXPECT_TRUE(open_document(path, options).ok());
  done = true;
  watcher.join();
  EXPECT_FALSE(falls);
  EXPECT_TRUE(is_seen_between);
  EXPECT_EQ(progress.fraction, 1.0F);
}

TEST_F(StreamedFile, StopsWhenNobodyWantsIt) {
  Progress progress;
  options.progress = &progress;
  const Result<DocumentFile> file = find_document(path, options);
  ASSERT_TRUE(file.ok());
  progress.cancelled = true;
  const Reading reading = read_document(*file);
  ASSERT_EQ(reading.errors.size(), 1U);
  EXPECT_EQ(reading.errors.front().kind, ErrorKind::Interrupted);
  EXPECT_LT(progress.fraction, 0.1F);
}

}  // namespace
}  // namespace attn
