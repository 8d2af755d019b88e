// Byte streams: whole, truncated, over the limit, cancelled, with progress.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "base/files.h"
#include "base/large_memory.h"
#include "base/random.h"
#include "support/process.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBytes = 100'000;
constexpr std::uint64_t kStreamLimit = 1U << 20U;

std::string random_bytes(std::size_t count) {
  Random random(5);
  std::string bytes;
  while (bytes.size() < count) bytes += static_cast<char>(random.next() & 0xFFU);
  return bytes;
}

class ByteStreamTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(write_file_atomically(path, bytes, Overwrite::Refuse)); }
  std::shared_ptr<ByteStream> open(Progress* progress = nullptr) const {
    return *ByteStream::open(path, {kStreamLimit, progress});
  }

  test::TemporaryFolder folder;
  std::string path = folder.file("bytes");
  std::string bytes = random_bytes(kBytes);
  std::string block = std::string(1000, '\0');
};

TEST_F(ByteStreamTest, GivesWhatWasLookedAtAndThenTheRest) {
  const auto stream = open();
  EXPECT_EQ(stream->peek(10).value(), bytes.substr(0, 10));
  EXPECT_EQ(stream->peek(300).value(), bytes.substr(0, 300));
  EXPECT_EQ(read_rest(*stream).value(), bytes);
  EXPECT_EQ(stream->read(block).value(), 0U);
  EXPECT_TRUE(stream->is_regular_file());
  EXPECT_EQ(stream->size(), kBytes);
}

TEST_F(ByteStreamTest, OfATextGivesTheText) {
  ByteStream stream("some text");
  EXPECT_EQ(stream.peek(4).value(), "some");
  EXPECT_EQ(stream.peek(400).value(), "some text");
  EXPECT_EQ(read_rest(stream).value(), "some text");
  EXPECT_FALSE(stream.is_regular_file());
}

TEST_F(ByteStreamTest, KnowsTheVersionOfWhatWasRead) {
  const auto stream = open();
  ASSERT_TRUE(stream->peek(13).ok());
  ASSERT_TRUE(read_rest(*stream).ok());
  EXPECT_EQ(stream->version(), version_of(bytes));
  EXPECT_FALSE(has_changed(path, stream->version()));
  bytes[kBytes / 2] = static_cast<char>(~bytes[kBytes / 2]);
  EXPECT_NE(stream->version(), version_of(bytes));
  ASSERT_TRUE(write_file_atomically(path, bytes, Overwrite::Replace));
  EXPECT_TRUE(has_changed(path, stream->version()));
}

TEST_F(ByteStreamTest, OfAFileThatIsCutShortIsAnErrorNotLess) {
  const auto stream = open();
  ASSERT_TRUE(stream->read(block).ok());
  fs::resize_file(path, kBytes / 2);
  const Result<std::string> rest = read_rest(*stream);
  ASSERT_FALSE(rest.ok());
  EXPECT_EQ(rest.error().kind, ErrorKind::BadInput);
  EXPECT_EQ(rest.error().message, "the file was cut short while it was read");
  EXPECT_EQ(rest.error().found, "50,000 bytes");
  EXPECT_EQ(rest.error().file, path);
}

TEST_F(ByteStreamTest, TakesWhatIsAddedUpToTheLimit) {
  const auto stream = open();
  ASSERT_TRUE(stream->read(block).ok());
  fs::resize_file(path, kBytes + 7);
  EXPECT_EQ(read_rest(*stream).value().size(), kBytes + 7 - block.size());
  const auto limited = *ByteStream::open(path, {kBytes + 7});
  fs::resize_file(path, kBytes + 8);
  EXPECT_EQ(read_rest(*limited).error().kind, ErrorKind::OverMemoryLimit);
  EXPECT_EQ(ByteStream::open(path, {kBytes}).error().kind, ErrorKind::OverMemoryLimit);
}

TEST_F(ByteStreamTest, SaysHowFarItIsAndNeverLessThanBefore) {
  Progress progress;
  const auto stream = open(&progress);
  float before = progress.fraction;
  std::size_t steps = 0;
  while (stream->read(block).value() > 0) {
    ASSERT_GT(progress.fraction, before);
    before = progress.fraction;
    ++steps;
  }
  EXPECT_EQ(steps, kBytes / block.size());
  EXPECT_EQ(progress.fraction, 1.0F);
}

TEST_F(ByteStreamTest, EndsInInterruptedWhenNobodyWantsItAnyMore) {
  Progress progress;
  const auto stream = open(&progress);
  ASSERT_TRUE(stream->read(block).ok());
  progress.cancelled = true;
  EXPECT_EQ(stream->read(block).error().kind, ErrorKind::Interrupted);
}

TEST_F(ByteStreamTest, StopsWaitingForAPipeToo) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Progress progress;
  const auto stream =
      *ByteStream::open("/dev/fd/" + std::to_string(ends[0]), {kStreamLimit, &progress});
  ASSERT_EQ(::write(ends[1], "abc", 3), 3);
  EXPECT_EQ(stream->read(block).value(), 3U);
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    progress.cancelled = true;
  });
  EXPECT_EQ(stream->read(block).error().kind, ErrorKind::Interrupted);
  canceller.join();
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(ByteStreamTest, APipeThatNobodyWritesToYetIsWaitedForWhileReading) {
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Progress progress;
  const auto stream = *ByteStream::open(pipe, {kStreamLimit, &progress});  // does not block
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    progress.cancelled = true;
  });
  EXPECT_EQ(stream->read(block).error().kind, ErrorKind::Interrupted);
  canceller.join();

  const auto unwatched = *ByteStream::open(pipe, {kStreamLimit});
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    std::ofstream(pipe) << "late";
  });
  EXPECT_EQ(read_rest(*unwatched).value(), "late");
  writer.join();
}

TEST(FileHash, IsThatOfAllBytesWhateverThePieces) {
  const std::string bytes = random_bytes(1000);
  for (std::size_t piece = 1; piece < 40; ++piece) {
    FileHash hash;
    for (std::size_t at = 0; at < bytes.size(); at += piece) hash.add(bytes.substr(at, piece));
    EXPECT_EQ(hash.version(), version_of(bytes)) << piece;
  }
  EXPECT_NE(version_of("a"), version_of(std::string("a\0", 2)));
  EXPECT_NE(version_of("abcdefgh12345678"), version_of("12345678abcdefgh"));
}

TEST(GrowingArray, KeepsAllNumbersInOnePiece) {
  GrowingArray<int> array;
  for (int i = 0; i < 100'000; ++i) {
    if (i % 3 == 0) {
      array.push_back(i);
    } else {
      array.room().front() = i;
      array.took(1);
    }
  }
  ASSERT_EQ(array.size(), 100'000U);
  const std::shared_ptr<const int> numbers = array.release();
  for (int i = 0; i < 100'000; ++i) ASSERT_EQ(numbers.get()[i], i);
  EXPECT_EQ(array.size(), 0U);
}

}  // namespace
}  // namespace attn
