// Inputs that are too large are refused before memory is taken, with the figures.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>

#include "document/load/open.h"
#include "document/load/read.h"
#include "support/errors_of.h"

namespace attn {
namespace {

// Peak resident memory of this process so far.
std::uint64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

constexpr std::uint64_t kOneMebibyte = std::uint64_t{1} << 20;

Error refused(const std::string& text, const ReadOptions& options = {}) {
  const Result<Reading> report = read_document(text, "large.json", options);
  if (!report) return report.error();
  ADD_FAILURE() << report->reading;
  return {};
}

TEST(Oversize, HugeDeclaredSizesAreRefusedWithoutTakingMemory) {
  const std::uint64_t before = peak_bytes();
  for (const char* text : {R"({"tokens": ["a"], "d_model": 1000000000000})",
                           R"({"tokens": ["a"], "d_model": 9000000000000000000, "heads": 1})",
                           R"({"tokens": ["a"], "heads": 9000000000000000000})",
                           R"({"tokens": ["a"], "d_model": 100000})"}) {
    const Error error = refused(text);
    EXPECT_EQ(error.kind, ErrorKind::OverMemoryLimit) << describe(error);
    EXPECT_NE(error.found.find("iB"), std::string::npos) << error.found;
    EXPECT_EQ(error.expected, "at most 4.0 GiB");
  }
  EXPECT_LT(peak_bytes() - before, 64 * kOneMebibyte);
}

TEST(Oversize, StagesOfAVeryLongSequenceAreRefusedWithTheirSize) {
  const std::uint64_t before = peak_bytes();
  std::string text = R"({"d_model": 4000, "heads": 1, "tokens": ["a")";
  for (int i = 1; i < 100000; ++i) text += ",\"a\"";
  const Error error = refused(text + "]}");
  EXPECT_EQ(error.kind, ErrorKind::OverMemoryLimit);
  EXPECT_NE(error.found.find("GiB"), std::string::npos) << error.found;
  EXPECT_LT(peak_bytes() - before, 256 * kOneMebibyte);
}

TEST(Oversize, CountsOfTokensAreRefusedWithTheirPlaceAndWithoutTakingMemory) {
  const std::uint64_t before = peak_bytes();
  for (const char* text :
       {R"({"tokens": 18446744073709551615})", R"({"tokens": {"count": 9000000000000}})",
        R"({"tokens": [["a"], {"count": 2000000000}]})"}) {
    const Error error = refused(text);
    EXPECT_EQ(error.kind, ErrorKind::OverMemoryLimit) << describe(error);
    EXPECT_TRUE(error.pointer.starts_with("/tokens")) << error.pointer;
    EXPECT_TRUE(error.expected.starts_with("at most 1,073,741")) << error.expected;
  }
  // Few enough to be read, and too many to be filled up to, or to be given numbers.
  for (const char* text : {R"({"tokens": [["a"], {"count": 200000000}]})",
                           R"({"query_tokens": 1, "key_tokens": 200000000})"}) {
    const Error error = refused(text);
    EXPECT_EQ(error.kind, ErrorKind::OverMemoryLimit) << describe(error);
    EXPECT_NE(error.found.find("iB"), std::string::npos) << error.found;
  }
  EXPECT_LT(peak_bytes() - before, 64 * kOneMebibyte);
}

TEST(Oversize, NumbersBeyondTheLimitAreRefusedWhileReading) {
  std::string text = "{\"q\": [[1";
  for (int i = 0; i < 200000; ++i) text += ",1";
  text += "]]}";
  const Error error = refused(text, {.memory_limit_bytes = kOneMebibyte, .folder = {}});
  EXPECT_EQ(error.kind, ErrorKind::OverMemoryLimit);
  EXPECT_EQ(error.expected, "at most 1.0 MiB");
  EXPECT_EQ(error.pointer.substr(0, 5), "/q/0/");
}

TEST(Oversize, ATextBeyondTheLimitIsRefusedUnread) {
  const Error error = refused(std::string(2000, ' '), {.memory_limit_bytes = 1000, .folder = {}});
  EXPECT_EQ(error.kind, ErrorKind::OverMemoryLimit);
}

TEST(Oversize, AFileBeyondTheLimitIsRefusedUnread) {
  const auto path = std::filesystem::path(testing::TempDir()) / "attnscope_sparse.json";
  std::ofstream(path).put(' ');
  std::filesystem::resize_file(path, std::uintmax_t{1} << 36);
  const std::uint64_t before = peak_bytes();
  const auto report = open_document(path.string());
  std::filesystem::remove(path);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().kind, ErrorKind::OverMemoryLimit);
  EXPECT_EQ(report.error().file, path.string());
  EXPECT_LT(peak_bytes() - before, 64 * kOneMebibyte);
}

TEST(Oversize, DeepNestsAreRefusedAtTheLimit) {
  for (const char* bracket : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 200000; ++i) text += bracket;
    const Error error = refused(text);
    EXPECT_EQ(error.kind, ErrorKind::BadInput);
    EXPECT_FALSE(error.pointer.empty());
  }
  const auto nested = [](std::size_t levels) {
    return "{\"x\": " + std::string(levels - 1, '[') + std::string(levels - 1, ']') + "}";
  };
  EXPECT_EQ(refused(nested(65)).expected, "at most 64");
  EXPECT_EQ(refused(nested(64)).message, "unknown key");
}

TEST(Oversize, NumbersOfTenThousandDigitsAreReadOrRefusedByValue) {
  const std::string digits(10000, '7');
  const auto with = [](const std::string& number) {
    return "{\"q\": [[" + number + "]], \"k\": [[1]], \"v\": [[1]]}";
  };
  const Error error = refused(with(digits));
  EXPECT_EQ(error.message, "the number is too large for a 32-bit float");
  EXPECT_LT(error.found.size(), 200U);
  EXPECT_EQ(refused(with("-1e" + digits)).pointer, "/q/0/0");
  for (const std::string& small :
       {"0." + digits, "1e-" + digits, "0." + std::string(9000, '0') + "1", digits + "e-9999",
        "0e" + digits}) {
    EXPECT_TRUE(read_document(with(small), "f").ok()) << small.substr(0, 20);
  }
}

TEST(Oversize, ErrorsAreCountedButNotEndless) {
  std::string text = "{\"a0\": 1";
  for (int i = 1; i < 5000; ++i) text += ", \"a" + std::to_string(i) + "\": 1";
  const std::vector<Error> errors = test::errors_of(text + "}", "f");
  EXPECT_EQ(errors.size(), 100U);
}

TEST(Oversize, TensOfThousandsOfMistakesCostNoMoreThanAHundred) {
  std::string keys = "{\"a0\": 1";
  std::string lists = "{\"tokens\": [[\"a\"]";
  std::string padding = "], \"mask\": {\"key_padding\": [[true, true]";
  for (int i = 1; i < 20000; ++i) {
    keys += ", \"unknown" + std::to_string(i) + "\": 1";
    lists += ",[\"a\"]";
    padding += ",[true, true]";
  }
  // No clock: what grows with the square of the mistakes would never end.
  EXPECT_EQ(test::errors_of(keys + "}", "f").size(), 100U);
  EXPECT_EQ(test::errors_of(lists + padding + "]}}", "f").size(), 100U);
}

// Work that grows with the square of the number of blocks would take hours here.
TEST(Oversize, ThousandsOfBlocksAreReadInTimeThatGrowsWithTheirNumber) {
  const auto report =
      read_document(R"({"tokens": ["a"], "d_model": 1, "heads": 1, "blocks": 10000})", "blocks");
  ASSERT_TRUE(report.ok()) << describe(report.error());
  EXPECT_EQ(shape_of(report->document).layers, 10'000U);
}

}  // namespace
}  // namespace attn
