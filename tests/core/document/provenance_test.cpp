// Generated numbers are distinguished from entered ones.
#include "document/provenance.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "document/edit.h"
#include "document/edit/sentence.h"
#include "document/json/write.h"
#include "documents.h"

namespace attn {
namespace {

using test::read_ok;
using Labels = std::vector<std::string>;

TEST(Provenance, NothingEnteredIsGenerated) {
  const Document document =
      read_ok(
          R"({"tokens": ["a", "b"], "q": [[1, 0, 2, 1], [0, 1, 1, 3]], "k": [[1, 0, 2, 2], [0, 1, 5, 4]],
          "v": [[1, 2, 3, 4], [5, 6, 7, 8]]})")
          .document;
  EXPECT_EQ(generated_labels(document), Labels());
  EXPECT_EQ(generated_sentence(document), "");
}

TEST(Provenance, TokensAloneLeaveEverythingToTheSeed) {
  const Document document = read_ok(R"({"tokens": ["a", "b", "c"], "seed": 7})").document;
  EXPECT_EQ(generated_sentence(document), "Generated from seed 7: X, W_Q, W_K, W_V, W_O");
}

TEST(Provenance, NamesWhatWasLeftOut) {
  const Document document =
      read_ok(
          R"({"embeddings": [[1, 2, 3, 4], [4, 3, 2, 1]], "heads": 2, "projections": {
          "w_q": [[1, 0, 2, 0], [0, 1, 0, 3], [1, 1, 4, 1], [0, 0, 5, 1]]}})")
          .document;
  const Labels labels = generated_labels(document);
  EXPECT_EQ(std::ranges::count(labels, "W_Q"), 0);
  EXPECT_EQ(std::ranges::count(labels, "W_K"), 1);
}

TEST(Provenance, OfBlocksRecurrenceScoringAndPositionsIsKnown) {
  const auto has = [](const char* text, const std::string& label) {
    const Labels labels = generated_labels(read_ok(text).document);
    return std::ranges::count(labels, label) == 1;
  };
  EXPECT_TRUE(has(R"({"tokens": ["a", "b"], "blocks": [{}, {}]})", "W_Q"));
  EXPECT_TRUE(has(R"({"tokens": ["a", "b"], "scoring": {"function": "additive"}})", "W_q"));
  EXPECT_TRUE(has(R"({"tokens": ["a", "b"], "position": "learned"})", "P"));
}

TEST(Provenance, StaysThroughTheFileAnEditAndAFactorButNotThroughNewNumbers) {
  const Document document = read_ok(R"({"tokens": ["a", "b", "c"]})").document;
  const Document read = read_ok(write_document(document)).document;
  EXPECT_EQ(generated_labels(read), generated_labels(document));
  const MatrixRef w_q{"/projections/w_q", {}};
  const auto edited = with_cell(document, w_q, 0, 0, 5.0F);
  const auto scaled = with_matrix_scaled(document, w_q, 3.0F);
  ASSERT_TRUE(edited && scaled);
  EXPECT_EQ(generated_labels(*edited), generated_labels(document));
  EXPECT_EQ(generated_labels(*scaled), generated_labels(document));
  const auto zero = with_matrix_scaled(document, w_q, 0.0F);
  ASSERT_TRUE(zero);
  const Labels left = generated_labels(*zero);
  EXPECT_EQ(std::ranges::count(left, "W_Q"), 0);
}

TEST(Provenance, NewTokensOfNarrowMatricesAreTheSeeds) {
  const Document document =
      read_ok(R"({"tokens": ["I", "love", "cats"], "q": [[1, 0], [0, 1], [1, 1]],
                  "k": [[1, 0], [0, 1], [1, 1]], "v": [[1, 0], [0, 1], [1, 1]]})")
          .document;
  EXPECT_EQ(generated_labels(document), Labels());
  const auto longer = with_tokens(document, Side::Query, 0, {"I", "love", "cats", "a", "lot"});
  ASSERT_TRUE(longer.ok());
  EXPECT_EQ(generated_labels(*longer), (Labels{"Q", "K", "V"}));
}

}  // namespace
}  // namespace attn
