// Mappings of files that are deleted, replaced or truncated, and numbers that are made when they
// are read.
#include "base/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "support/process.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMappedBytes = 64 * 1024;

class MappedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_file_atomically(path, std::string(kMappedBytes, 'x'), Overwrite::Refuse));
    file = *MappedFile::open(path);
    ASSERT_EQ(file->bytes().size(), kMappedBytes);
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
  test::write_in_place(path, std::string(kMappedBytes, 'y'));
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
  EXPECT_EQ(file->bytes()[kMappedBytes - 1], '\0');
  EXPECT_EQ(file->bytes()[kMappedBytes / 2], '\0');
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
    EXPECT_EQ(files[i]->bytes()[kMappedBytes - 1], '\0') << i;
  }
  EXPECT_EQ(file->bytes()[kMappedBytes - 1], '\0') << "of the first one";
}

TEST_F(MappedFileTest, OnlyRegularFilesAreMappedAndNobodyWaits) {
  EXPECT_EQ(MappedFile::open(folder.file("none")).error().message, "the file does not exist");
  EXPECT_EQ(MappedFile::open(folder.path()).error().message, "this is a folder, not a file");
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(MappedFile::open(pipe).error().message,
            "this is not a regular file, so it can be read only once");
  EXPECT_FALSE(MappedFile::open("/dev/zero").ok());
}

TEST_F(MappedFileTest, AnEmptyFileHasNoBytes) {
  const std::string empty = folder.file("empty");
  ASSERT_TRUE(write_file_atomically(empty, "", Overwrite::Refuse));
  EXPECT_EQ((*MappedFile::open(empty))->bytes().size(), 0U);
}

constexpr std::size_t kPage = 4096, kBlock = 64 * 1024 / sizeof(float);

class OnDemandTest : public testing::Test {
 protected:
  // Number i is the float i; `made` counts them.
  void make(std::size_t count, std::uint64_t most_bytes = 0) {
    const auto fill = [this](std::size_t first, std::span<float> out) {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(first + i);
      made += out.size();
    };
    numbers = floats_on_demand(count, fill, most_bytes);
    if (numbers == nullptr) GTEST_SKIP() << "this system does not report first reads";
  }
  bool is_right(std::size_t at) const { return numbers.get()[at] == static_cast<float>(at); }

  std::atomic<std::size_t> made = 0;
  std::shared_ptr<const float> numbers;
};

TEST_F(OnDemandTest, OnlyWhatIsReadIsMade) {
  ASSERT_NO_FATAL_FAILURE(make(100 * kBlock + 3));
  if (IsSkipped()) return;
  EXPECT_TRUE(is_mapped(numbers.get()));
  EXPECT_EQ(made, 0U);
  EXPECT_TRUE(is_right(50 * kBlock));
  EXPECT_LE(made, kBlock);
  EXPECT_TRUE(is_right(100 * kBlock + 2)) << "the last";
  EXPECT_TRUE(is_right(0));
  EXPECT_LE(made, 3 * kBlock);
  for (std::size_t i = 0; i < 100 * kBlock + 3; ++i) ASSERT_TRUE(is_right(i)) << i;
  EXPECT_EQ(made, 100 * kBlock + 3) << "once each";
}

TEST_F(OnDemandTest, WhatWasGivenBackIsMadeAgain) {
  ASSERT_NO_FATAL_FAILURE(make(8 * kBlock));
  if (IsSkipped()) return;
  for (std::size_t i = 0; i < 8 * kBlock; ++i) ASSERT_TRUE(is_right(i)) << i;
  give_back(numbers.get() + kBlock, 5 * kBlock * sizeof(float));
  EXPECT_EQ(made, 8 * kBlock);
  for (std::size_t i = 0; i < 8 * kBlock; ++i) ASSERT_TRUE(is_right(i)) << i;
  EXPECT_GE(made, 12 * kBlock);
  give_back(numbers.get() + 1, 1);
  EXPECT_TRUE(is_right(0));
  EXPECT_LE(made, 14 * kBlock) << "the block that is being read stays";
}

TEST_F(OnDemandTest, ThreadsReadAndGiveBackAtOnce) {
  ASSERT_NO_FATAL_FAILURE(make(40 * kBlock));
  if (IsSkipped()) return;
  std::atomic<std::size_t> wrong = 0;
  const auto pass = [&](std::size_t step) {
    for (std::size_t turn = 0, at = 0; turn < 20'000; ++turn, at = (at + step) % (40 * kBlock)) {
      wrong += is_right(at) ? 0 : 1;
      if (turn % 8 == step % 8) give_back(numbers.get() + at / 2, at / 2 * sizeof(float));
    }
  };
  std::vector<std::thread> threads;
  for (const std::size_t step : {7919U, 7919U, 104'729U, 15'485U}) threads.emplace_back(pass, step);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0U);
}

TEST_F(OnDemandTest, NoMoreThanIsAllowedStays) {
  constexpr std::size_t kCount = 40'000'000, kLeast = std::size_t{64} << 20U;
  ASSERT_NO_FATAL_FAILURE(make(kCount));
  if (IsSkipped()) return;
  for (std::size_t i = 0; i < kCount; i += kBlock / 2) ASSERT_TRUE(is_right(i)) << i;
  std::vector<unsigned char> stays(kCount * sizeof(float) / kPage);
  ASSERT_EQ(::mincore(const_cast<float*>(numbers.get()), stays.size() * kPage, stays.data()), 0);
  std::size_t bytes = 0;
  for (const unsigned char page : stays) bytes += (page & 1U) * kPage;
  EXPECT_GT(bytes, 0U);
  EXPECT_LE(bytes, kLeast);
}

TEST_F(OnDemandTest, TooManyAreNotPromised) {
  EXPECT_EQ(floats_on_demand(SIZE_MAX, nullptr, 0), nullptr);
  EXPECT_EQ(floats_on_demand(std::size_t{1} << 58U, nullptr, 0), nullptr);
}

// Zeros would be taken for numbers.
TEST_F(OnDemandTest, AnotherProcessCannotReadThem) {
  ASSERT_NO_FATAL_FAILURE(make(kBlock));
  if (IsSkipped()) return;
  EXPECT_DEATH(EXPECT_TRUE(is_right(1)), "");
}

TEST_F(MappedFileTest, NumbersMadeOfMissingPagesAreZeros) {
  const auto make = [this](std::size_t first, std::span<float> out) {
    std::memcpy(out.data(), file->bytes().data() + first * sizeof(float), out.size_bytes());
  };
  const auto numbers = floats_on_demand(kMappedBytes / sizeof(float), make, 0);
  if (numbers == nullptr) GTEST_SKIP() << "this system does not report first reads";
  fs::resize_file(path, 8);
  EXPECT_NE(numbers.get()[0], 0.0F);
  EXPECT_EQ(numbers.get()[2], 0.0F);
  EXPECT_EQ(numbers.get()[kMappedBytes / sizeof(float) - 1], 0.0F);
  EXPECT_TRUE(file->has_changed());
}

TEST_F(MappedFileTest, FaultsElsewhereStayFaults) {
  const int other = ::open(path.c_str(), O_RDONLY);
  const auto* bytes =
      static_cast<const char*>(::mmap(nullptr, kMappedBytes, PROT_READ, MAP_PRIVATE, other, 0));
  fs::resize_file(path, 0);
  EXPECT_DEATH(EXPECT_EQ(*bytes, 'x'), "");
  ::munmap(const_cast<char*>(bytes), kMappedBytes);
  ::close(other);
}

}  // namespace
}  // namespace attn
