// Damaged documents never crash the reader and are never refused without a place.
#include <gtest/gtest.h>

#include "base/random.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/load/read.h"
#include "document/problem.h"

namespace attn {
namespace {

// Small limits keep mutated sizes from costing time.
const ReadOptions kOptions{.memory_limit_bytes = std::uint64_t{16} << 20, .folder = {}};

// Good, or refused by an error that says where.
void expect_answer(const std::string& text) {
  const Result<Reading> report = read_document(text, "damaged.json", kOptions);
  if (report) {
    const Status status = check(report->document);
    ASSERT_TRUE(status.ok()) << describe(status.error()) << "\n" << text;
    const Result<Reading> again = read_document(write_document(report->document), "again");
    ASSERT_TRUE(again.ok()) << describe(again.error()) << "\n" << text;
    return;
  }
  const Error& error = report.error();
  ASSERT_EQ(error.file, "damaged.json");
  ASSERT_GE(error.line, 1U) << text;
  ASSERT_GE(error.column, 1U) << text;
  ASSERT_FALSE(error.message.empty()) << text;
  ASSERT_FALSE(error.found.empty()) << describe(error) << "\n" << text;
  ASSERT_FALSE(error.expected.empty()) << describe(error) << "\n" << text;
}

TEST(Damage, TruncationAtEveryByteIsRefusedAtItsEnd) {
  for (const Example& example : all_examples()) {
    const std::string whole(example.json.substr(0, example.json.find_last_of('}')));
    const std::size_t step = 1 + whole.size() / 600;
    for (std::size_t length = 0; length < whole.size(); length += step) {
      const Result<Reading> report = read_document(whole.substr(0, length), "cut.json");
      ASSERT_FALSE(report.ok()) << example.name << " cut at " << length;
      ASSERT_GE(report.error().line, 1U);
      ASSERT_EQ(report.error().file, "cut.json");
    }
  }
}

std::string mutated(std::string text, Random& random) {
  constexpr std::string_view kBytes = "[]{},:\"\\0123456789.eE+-ntfu \n\x01\x80\xff/";
  for (std::uint64_t i = 1 + random.next() % 3; i > 0; --i) {
    const std::size_t at = random.next() % text.size();
    const char byte = kBytes[random.next() % kBytes.size()];
    switch (random.next() % 4) {
      case 0:
        text[at] = byte;
        break;
      case 1:
        text.insert(at, 1, byte);
        break;
      case 2:
        text.erase(at, 1 + random.next() % 8);
        break;
      default:
        text.insert(at, text.substr(random.next() % text.size(), random.next() % 40));
    }
    if (text.empty()) text = " ";
  }
  return text;
}

TEST(Damage, MutatedExamplesAreReadOrRefusedWithAPlace) {
  Random random(20);
  for (int i = 0; i < 1000; ++i) {
    const auto examples = all_examples();
    const Example& example = examples[random.next() % examples.size()];
    expect_answer(mutated(std::string(example.json), random));
    if (HasFatalFailure()) return;
  }
}

TEST(Damage, MutatedSmallFormsAreReadOrRefusedWithAPlace) {
  constexpr const char* kForms[] = {
      R"([["a", "b"], ["c"]])",
      R"({"tokens": ["a", "b"], "heads": 2, "d_model": 4, "seed": 7})",
      R"({"axes": ["head", "query", "key"], "attention": [[[1, 0], [0.5, 0.5]]]})",
      R"({"axes": ["sample", "token", "feature"], "q": [[[1]]], "k": [[[1]]], "v": [[[1]]]})",
      R"({"query_tokens": ["a"], "key_tokens": ["b", "c"], "mask": {"causal_offset": [1]}})",
      R"({"embeddings": [[1, 2]], "projections": {"w_q": [[1], [2]], "w_o": null, "b_k": [1]}})",
      R"({"tokens": ["a", "b"], "mask": {"visible": [[true, 0]], "bias": [1, "-inf"],
          "key_padding": [[1, 1]]}, "scoring": {"scale": 2}, "view": {"stage": "scores"}})"};
  Random random(21);
  for (int i = 0; i < 5000; ++i) {
    expect_answer(mutated(kForms[random.next() % std::size(kForms)], random));
    if (HasFatalFailure()) return;
  }
}

TEST(Damage, EveryByteOfSmallTextsIsHarmless) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      expect_answer(text);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace attn
