// Weights without some tokens, compared with attention that does not see them.
#include "document/left_out.h"

#include <gtest/gtest.h>

#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"

namespace attn {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{1} << 30U;

Document read_whole(const std::string& text) {
  const Result<Reading> reading = read_document(text, "test");
  EXPECT_TRUE(reading) << describe(reading.error());
  return reading ? reading->document : Document();
}

ResultPtr result_of(const Document& document) { return compute(make_problem(document)).value(); }

Result<Document> left_of(const Document& document, const LeftOut& out,
                         std::uint64_t limit = kLimit) {
  return without_tokens(document, *result_of(document), out, limit);
}

const std::string kFourTokens = R"("q": [[1, 0.5], [0.2, -1], [2, 1], [0.3, 0.4]],
  "k": [[0.1, 2], [1, 1], [-0.5, 0.25], [0.75, -1]], "v": [[1, 2], [3, 4], [5, 6], [7, 8]])";

// A softmax without a key is the softmax over the others: leaving out equals masking, computed
// independently.
TEST(LeftOut, GivesTheWeightsOfAttentionThatDoesNotSeeThem) {
  for (const std::string rule : {"", R"("causal": true)"}) {
    const std::string tokens = R"({"tokens": ["[CLS]", "a", "b", "[SEP]"], )";
    const Document whole = read_whole(tokens + kFourTokens + R"(, "mask": {)" + rule + "}}");
    const Document padded =
        read_whole(tokens + kFourTokens + R"(, "mask": {)" + rule + (rule.empty() ? "" : ", ") +
                   R"("key_padding": [0, 1, 1, 0]}})");
    const Result<Document> left = left_of(whole, {.queries = {{0, 3}}, .keys = {{}}});
    ASSERT_TRUE(left) << describe(left.error());
    EXPECT_EQ(left->query_tokens, TokenLists({TokenList({"a", "b"})}));
    const ResultPtr expected = result_of(padded), made = result_of(*left);
    ASSERT_EQ(made->shape().n_q, 2U);
    for (std::size_t q = 0; q < 2; ++q) {
      float want[4], have[2];
      expected->read(Stage::Weights, {}, {q + 1, 0, 1, 4}, want);
      made->read(Stage::Weights, {}, {q, 0, 1, 2}, have);
      EXPECT_NEAR(have[0], want[1], 1e-6F);
      EXPECT_NEAR(have[1], want[2], 1e-6F);
    }
    EXPECT_EQ(can_hide(left->mask), !rule.empty());
  }
}

TEST(LeftOut, IsSaidWithWhatWasGenerated) {
  const Document whole = read_whole(
      R"({"tokens": ["<s>", "a", "b"], "blocks": 1, "heads": 1, "d_model": 4, "seed": 3})");
  const Result<Document> left = left_of(whole, {.queries = {{0}}, .keys = {{}}});
  ASSERT_TRUE(left);
  EXPECT_TRUE(left->remark.starts_with("Generated from seed 3: "));
  EXPECT_TRUE(left->remark.ends_with(
      "Without the tokens “<s>”: rows renormalised. Numbers count the tokens that are left."))
      << left->remark;
}

// Rows that are no shares keep their numbers, and one without anything left stays 0.
TEST(LeftOut, RenormalisesOnlyShares) {
  const Document whole = read_whole(R"({"query_tokens": ["a", "b", "c"], "key_tokens": ["x", "y"],
                                  "attention": [[0.25, 0.75], [1, 0], [0.5, 0.2]]})");
  const Result<Document> left = left_of(whole, {.queries = {{}}, .keys = {{0}}});
  ASSERT_TRUE(left);
  const Tensor& weights = std::get<GivenWeights>(left->model).weights;
  EXPECT_EQ(weights, Tensor({1, 1, 1, 3, 1}, {1.0F, 0.0F, 0.2F}));
  EXPECT_TRUE(
      left->remark.starts_with("Without the keys “x”: rows renormalised, but 1 that did not "
                               "sum to 1; 1 row without weight left 0."))
      << left->remark;
}

// Each rule hides the same cells among the remaining tokens, under its own name unless it depends
// on distance.
TEST(LeftOut, KeepsTheRulesOfMasks) {
  const std::pair<const char*, HiddenRules> rules[] = {
      {R"("causal": true)", kHiddenByCausal},
      {R"("key_padding": [1, 1, 1, 0])", kHiddenByKeyPadding},
      {R"("query_padding": [1, 1, 1, 0])", kHiddenByQueryPadding},
      {R"("segments": [0, 0, 1, 1])", kHiddenBySegment},
      {R"("visible": [[true, true, true, true], [true, true, false, true],
          [true, true, true, true], [false, true, true, true]])",
       kHiddenByHand},
      {R"("bias": [[0, 0, "-inf", 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])", kHiddenByBias}};
  for (const auto& [text, rule] : rules) {
    const Document whole = read_whole(R"({"tokens": ["a", "b", "c", "d"], )" + kFourTokens +
                                      R"(, "mask": {)" + text + "}}");
    const Result<Document> left = left_of(whole, {.queries = {{1}}, .keys = {{}}});
    ASSERT_TRUE(left);
    const std::size_t kept[] = {0, 2, 3};
    for (std::size_t q = 0; q < 3; ++q) {
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(hidden_by(left->mask, {}, q, k), hidden_by(whole.mask, {}, kept[q], kept[k]))
            << text;
      }
    }
    EXPECT_EQ(rules_of(left->mask, 0), rule) << text;
    EXPECT_EQ(left->remark.find("painted"), std::string::npos);
  }
}

// Distances among the remaining tokens differ.
TEST(LeftOut, PaintsWhatDistanceHides) {
  const Document whole = read_whole(R"({"tokens": ["a", "b", "c", "d"], )" + kFourTokens +
                                    R"(, "mask": {"window": [1, 0]}})");
  const Result<Document> left = left_of(whole, {.queries = {{1}}, .keys = {{}}});
  ASSERT_TRUE(left);
  const std::size_t kept[] = {0, 2, 3};
  for (std::size_t q = 0; q < 3; ++q) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(hidden_by(left->mask, {}, q, k) == kVisible,
                hidden_by(whole.mask, {}, kept[q], kept[k]) == kVisible);
    }
  }
  EXPECT_NE(left->remark.find("hatched as painted ones"), std::string::npos);
}

// Each sample loses its own tokens, and every attention of a decoder those of its sides.
TEST(LeftOut, CutsSamplesAndAttentionsApart) {
  const Document pair = read_whole(R"({"tokens": [["[CLS]", "a", "b"], ["x", "[CLS]", "y"]],
                                       "blocks": 1, "heads": 2, "d_model": 4})");
  const Result<Document> left = left_of(pair, {.queries = {{0}, {1}}, .keys = {{}, {}}});
  ASSERT_TRUE(left);
  EXPECT_EQ(left->query_tokens, TokenLists({TokenList({"a", "b"}), TokenList({"x", "y"})}));
  EXPECT_TRUE(left->remark.find("“[CLS]”") != std::string::npos) << left->remark;
  const Document decoder = open_document("example:transformer-decoder")->document;
  const Result<Document> cut = left_of(decoder, {.queries = {{}}, .keys = {{0}}});
  ASSERT_TRUE(cut);
  const ResultPtr before = result_of(decoder), after = result_of(*cut);
  for (const AttentionInfo& attention : attentions_of(decoder)) {
    const AttentionShape was = before->shape(attention.at()), is = after->shape(attention.at());
    const std::size_t lost = attention.at() == HeadAddress{} ? 1 : 0;
    EXPECT_EQ(is.n_q, was.n_q);
    EXPECT_EQ(is.n_k, was.n_k - lost) << attention.name;
    std::vector<float> whole(was.n_k), kept(is.n_k);
    before->read(Stage::Weights, attention.at(), {1, 0, 1, was.n_k}, whole.data());
    after->read(Stage::Weights, attention.at(), {1, 0, 1, is.n_k}, kept.data());
    const float rest = lost > 0 ? 1.0F - whole[0] : 1.0F;
    EXPECT_NEAR(kept[0], whole[lost] / rest, 1e-6F) << attention.name;
  }
}

// The number by which an unnamed token is shown stays its name.
TEST(LeftOut, KeepsNumbersOfTokensWithoutNames) {
  const Document whole = read_whole(R"({"tokens": 4, "blocks": 1, "heads": 2, "d_model": 4})");
  const Result<Document> left = left_of(whole, {.queries = {{0}}, .keys = {{}}});
  ASSERT_TRUE(left);
  EXPECT_EQ(left->query_tokens.front().spoken(0), whole.query_tokens.front().spoken(1));
}

TEST(LeftOut, RefusesWhatCannotBe) {
  const Document whole =
      read_whole(R"({"tokens": ["a", "b"], "blocks": 1, "heads": 1, "d_model": 4})");
  EXPECT_EQ(left_of(whole, {.queries = {{0, 1}}, .keys = {{}}}).error().message,
            "no token is left");
  EXPECT_EQ(left_of(whole, {.queries = {{0}}, .keys = {{}}}, 3).error().kind,
            ErrorKind::OverMemoryLimit);
}

}  // namespace
}  // namespace attn
