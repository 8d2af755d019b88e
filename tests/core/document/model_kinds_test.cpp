// Facts about kinds of model, and the documents that use them.
#include <gtest/gtest.h>

#include "document/document.h"
#include "document/edit.h"
#include "document/problem.h"
#include "documents.h"

namespace attn {
namespace {

using test::random_document;
using test::read_error;
using test::read_ok;

Document document_of(const std::string& text) { return read_ok(text).document; }

TEST(ModelKinds, SayWhatIsTrueOfThem) {
  const Document weights = document_of(R"({"attention": [[1]]})");
  const Document layer = document_of(R"({"tokens": ["a"]})");
  const Document cells = document_of(R"({"tokens": ["a"], "recurrent": {}})");
  EXPECT_FALSE(info_of(weights.model).has_scores);
  EXPECT_TRUE(info_of(layer.model).projects);
  EXPECT_TRUE(info_of(layer.model).no_positions.empty());
  EXPECT_EQ(info_of(layer.model).usual_scoring, Scoring{}.function);
  EXPECT_FALSE(info_of(cells.model).projects);
  EXPECT_TRUE(info_of(cells.model).has_steps);
  EXPECT_FALSE(info_of(cells.model).no_positions.empty());
  EXPECT_EQ(info_of(cells.model).usual_scoring, cells.scoring.function);
}

const GivenQkv& qkv(const Document& document) { return std::get<GivenQkv>(document.model); }

TEST(GivenQkv, TakesLayersOfQkvByDepthFiveOrByTheirAxis) {
  const auto deep =
      read_ok(R"({"q": [[[[[1, 2]]]], [[[[3, 4]]]]], "k": [[[[[1, 2]]]], [[[[3, 4]]]]],
                                "v": [[[[[1]]]], [[[[3]]]]]})");
  EXPECT_EQ(deep.reading, "Q, K, V of depth 5: 2 layers, 1 head, 1 token, d_k 2, d_v 1");
  const auto named = read_ok(R"({"axes": ["token", "layer", "head", "feature"],
      "q": [[[[1], [2]], [[3], [4]]]], "k": [[[[5]], [[6]]]], "v": [[[[7]], [[8]]]]})");
  EXPECT_EQ(
      named.reading,
      "Q, K, V of depth 4 with axes token, layer, head, feature: 2 layers, 2 query heads on 1 "
      "key-value head, 1 token, d_k 1, d_v 1");
  const auto values = qkv(named.document).q.values();
  EXPECT_EQ(std::vector<float>(values.begin(), values.end()), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(qkv(named.document).q.shape(), (Shape{2, 2, 1, 1}));
}

TEST(GivenQkv, RefusesKeysAndValuesOfAnotherNumberOfLayers) {
  const Error keys = read_error(R"({"axes": ["layer", "token", "feature"],
      "q": [[[1]], [[2]]], "k": [[[1]]], "v": [[[1]], [[2]]]})");
  EXPECT_EQ(keys.pointer, "/k");
  EXPECT_EQ(keys.found, "1 layer");
  EXPECT_EQ(keys.expected, "2, as q has");
}

TEST(GivenQkv, TakesQueriesAndKeysWithoutValues) {
  const auto report = read_ok(R"({"q": [[1, 2], [3, 4]], "k": [[1, 2], [3, 4]]})");
  EXPECT_EQ(report.reading, "Q and K without V, of depth 2: 1 head, 2 tokens, d_k 2");
  EXPECT_TRUE(qkv(report.document).v.empty());
  EXPECT_EQ(read_error(R"({"q": [[1]], "v": [[1]]})").found, "q and v without k");
}

// Edits could make such matrices; the reader has words of its own.
TEST(Layer, RefusesMatricesThatAreNoWholeNumberOfHeads) {
  struct Case {
    std::size_t w_q, w_k, w_v;  // columns, of two heads
    const char *pointer, *found, *expected;
  };
  constexpr Case kCases[] = {
      {3, 4, 4, "/heads", "2 heads", "a divisor of the 3 columns of w_q"},
      {4, 1, 4, "/projections/w_k", "1 column", "a multiple of d_k = 2"},
      {4, 6, 4, "/projections/w_k", "3 key-value heads", "a divisor of 2 query heads"},
      {4, 4, 3, "/projections/w_v", "3 columns", "a multiple of 2"}};
  for (const Case& of : kCases) {
    Document document = read_ok(R"({"embeddings": [[1, 2]], "heads": 2})").document;
    Projections& p = std::get<AttentionLayer>(document.model).projections;
    const auto of_columns = [](std::size_t n) { return Tensor({2, n}, std::vector<float>(2 * n)); };
    p = {};
    p.w_q = of_columns(of.w_q);
    p.w_k = of_columns(of.w_k);
    p.w_v = of_columns(of.w_v);
    const Status status = check(document);
    ASSERT_FALSE(status) << of.found;
    EXPECT_EQ(status.error().pointer, of.pointer);
    EXPECT_EQ(status.error().found, of.found);
    EXPECT_EQ(status.error().expected, of.expected);
  }
}

TEST(Masks, AreOneForEachAttentionAndNamedByTheirKeys) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Document document = random_document(seed);
    const std::span<const MaskPlace> masks = masks_of(document);
    ASSERT_EQ(masks.size(), attentions_of(document).size());
    EXPECT_EQ(pointer_of(masks.front()), "/mask");
    for (const MaskPlace& place : masks) {
      EXPECT_EQ(&(document.*place.mask), &mask_of(document, place.at));
    }
    EXPECT_EQ(&positioned_mask(document), &masks.back());
  }
}

TEST(Choices, AreRefusedByModelsOfAnotherKind) {
  const Document layer = document_of(R"({"tokens": ["a"]})");
  const Document cells = document_of(R"({"tokens": ["a"], "recurrent": {}})");
  const Document blocks = document_of(R"({"tokens": ["a"], "blocks": 1})");
  const ModelChoice of_blocks = *stack_of(blocks.model), of_cells = RecurrentChoice{};
  for (const Document* document : {&layer, &cells}) {
    EXPECT_FALSE(reason_against(*document, of_blocks).empty());
  }
  for (const Document* document : {&layer, &blocks}) {
    EXPECT_FALSE(reason_against(*document, of_cells).empty());
  }
  EXPECT_EQ(reason_against(blocks, of_blocks), "");
  EXPECT_EQ(reason_against(cells, of_cells), "");
  EXPECT_EQ(with_choice(blocks, of_blocks).value(), blocks);
}

}  // namespace
}  // namespace attn
