// Documents read in blocks: wherever one ends, they are what they are in one piece.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "document/json.h"
#include "document/open.h"
#include "documents.h"
#include "support/process.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlocks[] = {1, 2, 3, 5, 7, 64, 1000};

ReadOptions in_blocks(std::size_t bytes) {
  ReadOptions options;
  options.block_bytes = bytes;
  return options;
}

// Equal documents, or the same errors at the same places.
void expect_same(const std::string& text, std::size_t block) {
  const Result<ReadReport> whole = read_document(text, "text");
  const Result<ReadReport> pieces = read_document(text, "text", in_blocks(block));
  ASSERT_EQ(whole.ok(), pieces.ok()) << block << "\n" << text.substr(0, 200);
  if (whole) {
    EXPECT_EQ(whole->document, pieces->document) << block << "\n" << text.substr(0, 200);
    EXPECT_EQ(whole->notes, pieces->notes);
  }
  const std::vector<Error> errors = validate_document(text, "text");
  const std::vector<Error> same = validate_document(text, "text", in_blocks(block));
  ASSERT_EQ(errors.size(), same.size()) << block << "\n" << text;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    EXPECT_EQ(describe_in_full(errors[i]), describe_in_full(same[i])) << block << "\n" << text;
  }
}

TEST(Blocks, OfAnySizeGiveTheSameExamples) {
  for (const Example& example : all_examples()) {
    for (const std::size_t block : kBlocks) expect_same(std::string(example.json), block);
  }
}

TEST(Blocks, OfAnySizeGiveTheSameWrittenDocuments) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::string text = write_document(test::random_document(seed));
    expect_same(text, kBlocks[seed % std::size(kBlocks)]);
  }
}

// All borders, one after the other.
TEST(Blocks, MayEndAnywhere) {
  const std::string text =
      "\xEF\xBB\xBF{\"title\": \"\xE2\x82\xAC\\ud83d\\ude00\\n\xF0\x9F\x98\x80\","
      "\r\n\t\"tokens\": [ [\"\xC3\xA9\", \"b\"] ], \"q\": [[-1.2345678e-05,\n"
      " 0.123456], [16777217, \"-inf\"]], \"k\": [[1e-45, -0], [3E+2, 0.5]],"
      "\"v\":[[1,2.5,3],[4,5,1e-60]],\"mask\":{\"causal\":true,\"visible\":"
      "[[true,1],[0,false]], \"window\" : [null, 3]}, \"seed\": 12 } \n";
  ASSERT_TRUE(read_document(text, "text").ok());
  for (std::size_t block = 1; block <= text.size() + 1; ++block) expect_same(text, block);
}

TEST(Blocks, BrokenAnywhereGiveTheSameErrors) {
  const std::string good =
      "{\"tokens\": [\"a\\u00e9\", \"\xE2\x82\xAC\"],\n \"q\": [[1.5, -2e3],\n"
      "[0.25, null]], \"maks\": {\"x\": [1, {\"y\": tru}]}}";
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string text = good;
    text[at] = at % 3 == 0 ? '\xFF' : at % 3 == 1 ? '\n' : ']';
    for (const std::size_t block : {1U, 2U, 3U, 7U}) expect_same(text, block);
    expect_same(good.substr(0, at), 1 + at % 5);
  }
}

TEST(Blocks, TakeWordsThatAreLongerThanThey) {
  const std::string digits(3000, '7');
  for (const std::string& number : {"0." + digits, digits, digits + "e-2990", "-" + digits + "x"}) {
    expect_same("{\"q\": [[" + number + "]], \"k\": [[1]], \"v\": [[1]]}", 16);
  }
  expect_same("[\"" + std::string(3000, 'x') + "\", 3]", 16);
  expect_same("[" + std::string(3000, ' ') + "[\"a\"], [\"b\"]]", 16);
}

TEST(Blocks, RefuseANumberThatNobodyWrote) {
  const Result<ReadReport> report =
      read_document("{\"q\": [[" + std::string(std::size_t{3} << 20U, '7') + "]]}", "text");
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().message, "the number has too many digits");
  EXPECT_EQ(report.error().pointer, "/q/0/0");
  EXPECT_LT(report.error().found.size(), 100U);
}

// A file of numbers, long enough that reading it takes many blocks.
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
    const std::string numbers = matrix(3000);
    text = "{\"q\": " + numbers + ", \"k\": " + numbers + ", \"v\": " + numbers + "}\n";
    ASSERT_TRUE(write_file_atomically(path, text, Overwrite::Refuse));
    options.block_bytes = 1000;
  }

  test::TemporaryFolder folder;
  std::string path = folder.file("numbers.json");
  std::string text;
  ReadOptions options;
};

TEST_F(StreamedFile, IsTheDocumentOfItsTextAndKnowsItsVersion) {
  const Result<ReadReport> report = open_document(path, options);
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

// Looks on from a thread of its own, as a window does.
TEST_F(StreamedFile, SaysHowFarItIs) {
  Progress progress;
  options.progress = &progress;
  options.block_bytes = 1;
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
