// Documents that the script of a page can compute.
#include "export/page/page_inputs.h"

#include <gtest/gtest.h>

#include <set>

#include "document/load/open.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "support/examples.h"

namespace attn {
namespace {

std::string why(const Document& document) {
  return std::string(why_not_in_page(document, make_problem(document)));
}

std::string why_of(const std::string& text) {
  const Result<Reading> read = read_document(text, "a.json");
  EXPECT_TRUE(read.ok());
  return read ? why(read->document) : "unread";
}

std::string numbers(std::size_t count, const std::string& first = "0") {
  std::string list = "[" + first;
  for (std::size_t i = 1; i < count; ++i) list += ",0";
  return list + "]";
}

TEST(PageInputs, AreNoneWhereHeadsHavePatterns) {
  Document document = open_document("example:four-heads")->document;
  ASSERT_EQ(why(document), "");
  const AttentionShape s = shape_of(document);
  set_pattern(document.what_if, {},
              Tensor({s.n_q, s.n_k}, std::vector<float>(s.n_q * s.n_k, 0.5F)));
  EXPECT_EQ(why(document), "pattern");
}

TEST(PageInputs, AreThoseOfOneAttention) {
  std::set<std::string> others;
  for (const Example& example : test::short_examples()) {
    const Result<Reading> read = open_document(example_path(example));
    const std::string word = read ? why(read->document) : "unread";
    if (!word.empty()) others.insert(std::string(example.name) + ": " + word);
  }
  EXPECT_EQ(others, (std::set<std::string>{"encoder-decoder-luong: kind",
                                           "encoder-decoder: kind",
                                           "induction-head: weights",
                                           "lesson-a-model-reads-your-sentence.zh: kind",
                                           "lesson-a-model-reads-your-sentence: kind",
                                           "lesson-which-head-knows-it.zh: kind",
                                           "lesson-which-head-knows-it: kind",
                                           "lesson-a-transformer-block.zh: kind",
                                           "lesson-a-transformer-block: kind",
                                           "lesson-from-bottleneck-to-alignment.zh: kind",
                                           "lesson-from-bottleneck-to-alignment: kind",
                                           "lesson-reading-a-models-heads.zh: weights",
                                           "lesson-reading-a-models-heads: weights",
                                           "rollout: kind",
                                           "todays-block: kind",
                                           "trained-transformer: kind",
                                           "transformer-blocks: kind",
                                           "transformer-decoder: kind",
                                           "translation-alignment: weights",
                                           "what-it-means: kind",
                                           "who-was-hungry: kind",
                                           "why-sqrt-dk: size"}));
}

TEST(PageInputs, AreNoMoreThanShowWithinAFrame) {
  const std::string k = R"(, "k": [)" + numbers(1999) + "]";
  EXPECT_EQ(why_of(R"({"q": [)" + numbers(1999) + "]" + k + R"(, "v": [[0, 0]]})"), "");
  EXPECT_EQ(why_of(R"({"q": [)" + numbers(1999) + "]" + k + R"(, "v": [[0, 0, 0]]})"), "size");
}

TEST(PageInputs, AreFinite) {
  EXPECT_EQ(why_of(R"({"q": [[1]], "k": [[2]]})"), "");
  EXPECT_EQ(why_of(R"({"q": [[1]], "k": [["inf"]]})"), "finite");
}

}  // namespace
}  // namespace attn
