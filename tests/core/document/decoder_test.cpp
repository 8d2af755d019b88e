// Documents whose blocks attend to their own rows and to a second sequence.
#include <gtest/gtest.h>

#include <algorithm>

#include "document/edit.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "documents.h"

namespace attn {
namespace {

using test::read_error;
using test::read_ok;

// `more`: further keys after the tokens, each with a comma in front.
std::string decoder_with(const std::string& more) {
  return R"({"query_tokens": ["a", "b", "c"], "key_tokens": ["x", "y"], "d_model": 4, "heads": 2)" +
         more + "}";
}

Document decoder(const std::string& more = "") {
  return read_ok(decoder_with(R"(, "blocks": 2)" + more)).document;
}

const TransformerBlock& block_of(const Document& document, std::size_t layer) {
  return stack_of(document.model)->blocks.at(layer);
}

bool mentions(const std::vector<std::string>& notes, const std::string& text) {
  return std::ranges::any_of(
      notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

TEST(Decoder, IsWhatBlocksOfTwoSequencesAre) {
  const Reading report = read_ok(decoder_with(R"(, "blocks": 2)"));
  ASSERT_EQ(attentions_of(report.document).size(), 2U);
  EXPECT_EQ(report.reading,
            "Tokens only: 2 decoder blocks, 2 heads, 3 query and 2 key tokens, d_model 4, d_k 2, "
            "d_v 2, d_ff 16");
  const TransformerBlock& block = block_of(report.document, 1);
  ASSERT_TRUE(block.cross.has_value());
  EXPECT_EQ(block.cross->projections.w_k.shape(), (Shape{4, 4}));
  EXPECT_NE(block.cross->projections.w_k, block.projections.w_k);
  EXPECT_NE(block.cross->projections.w_k, block_of(report.document, 0).cross->projections.w_k);
  EXPECT_EQ(attentions_of(read_ok(R"({"tokens": ["a"], "blocks": 1})").document).size(), 1U);
  EXPECT_EQ(attentions_of(read_ok(decoder_with("")).document).size(), 1U);
}

TEST(Decoder, MayHaveKeysOfAnotherWidth) {
  const Document document =
      read_ok(R"({"query_embeddings": [[1, 2], [3, 4]], "key_embeddings": [[1, 2, 3]],
                  "heads": 1, "blocks": [{"cross_projections": {"b_v": [5, 6]}}]})")
          .document;
  const Projections& cross = block_of(document, 0).cross->projections;
  EXPECT_EQ(cross.w_k.shape(), (Shape{3, 2}));
  EXPECT_EQ(cross.w_q.shape(), (Shape{2, 2}));
  EXPECT_EQ(cross.b_v, Tensor({2}, {5, 6}));
  EXPECT_EQ(block_of(document, 0).projections.w_k.shape(), (Shape{2, 2}));
}

TEST(Decoder, TakesTheWidthOfGeneratedKeysFromTheMatrixThatMultipliesThem) {
  const Document document =
      read_ok(decoder_with(
                  R"(, "blocks": [{"cross_projections": {"w_k": [[1, 2, 3, 4], [5, 6, 7, 8]]}}])"))
          .document;
  EXPECT_EQ(embeddings_of(document.model)->key.shape(), (Shape{2, 2}));
}

TEST(Decoder, ReadsCrossProjectionsInEveryForm) {
  const Document by_head =
      read_ok(decoder_with(
                  R"(, "blocks": [{"cross_projections": {"w_q": [[[1, 2], [3, 4], [5, 6], [7, 8]],
                                                     [[9, 10], [11, 12], [13, 14], [15, 16]]]}}])"))
          .document;
  const Document turned = read_ok(decoder_with(
                                      R"(, "blocks": [{"cross_projections": {"order": "out_in",
           "w_q": [[1, 3, 5, 7], [2, 4, 6, 8], [9, 11, 13, 15], [10, 12, 14, 16]]}}])"))
                              .document;
  const Tensor expected({4, 4}, {1, 2, 9, 10, 3, 4, 11, 12, 5, 6, 13, 14, 7, 8, 15, 16});
  EXPECT_EQ(block_of(by_head, 0).cross->projections.w_q, expected);
  EXPECT_EQ(block_of(turned, 0).cross->projections.w_q, expected);
}

TEST(Decoder, HasAMaskForEachAttention) {
  const Document document =
      decoder(R"(, "mask": {"visible": [[true, false]]}, "self_mask": {"causal": true})");
  EXPECT_FALSE(document.mask.causal);
  EXPECT_TRUE(document.self_mask.causal);
  EXPECT_EQ(&mask_of(document, {.attention = kSelfAttention}), &document.self_mask);
  EXPECT_EQ(&mask_of(document, {}), &document.mask);
  const AttentionProblem problem = make_problem(document);
  EXPECT_EQ(problem.self_mask, document.self_mask);
  EXPECT_EQ(read_ok(write_document(document)).document, document);
}

TEST(Decoder, HidesTheFillOfShortSamplesInBothAttentions) {
  const Document document = read_ok(R"({"query_tokens": [["a", "b"], ["c"]], "d_model": 2,
      "key_tokens": [["x"], ["y", "z"]], "blocks": 1, "heads": 1})")
                                .document;
  const PaddingLists rows{{1, 1}, {1, 0}};
  EXPECT_EQ(document.self_mask.key_padding, rows);
  EXPECT_EQ(document.self_mask.query_padding, rows);
  EXPECT_EQ(document.mask.query_padding, rows);
  EXPECT_EQ(document.mask.key_padding, (PaddingLists{{1, 0}, {1, 1}}));
}

TEST(Decoder, TakesLengthsForItsOwnRowsToo) {
  const Document document = decoder(R"(, "self_mask": {"key_lengths": 2})");
  EXPECT_EQ(document.self_mask.key_padding, (PaddingLists{{1, 1, 0}}));
  EXPECT_EQ(read_error(decoder_with(R"(, "blocks": 1, "self_mask": {"key_lengths": 4})")).pointer,
            "/self_mask/key_lengths");
}

TEST(Decoder, RefusesWhatDoesNotFitByItsPlace) {
  const std::pair<std::string, std::string> cases[] = {
      {R"(, "blocks": 1, "self_mask": {"visible": [[true, true]]})", "/self_mask/visible"},
      {R"(, "blocks": 1, "mask": {"visible": [[true, true, true]]})", "/mask/visible"},
      {R"(, "blocks": [{}, {"cross_projections": {"w_q": [[1, 2], [3, 4]]}}])",
       "/blocks/1/cross_projections/w_q"},
      {R"(, "blocks": [{"cross_projections": {"w_o": null}}])", "/blocks/0/cross_projections/w_o"},
      {R"(, "blocks": [{"cross_projections": {"b_k": [1]}}])", "/blocks/0/cross_projections/b_k"},
      {R"(, "blocks": [{"cross_norm": {"bias": [1]}}])", "/blocks/0/cross_norm/bias"},
      {R"(, "blocks": [{"cross_projections": {"w_qkv": [[1]]}}])",
       "/blocks/0/cross_projections/w_qkv"},
      {R"(, "self_mask": {})", "/self_mask"},
  };
  for (const auto& [more, pointer] : cases) {
    EXPECT_EQ(read_error(decoder_with(more)).pointer, pointer) << more;
  }
  EXPECT_EQ(read_error(R"({"tokens": ["a"], "blocks": [{"cross_norm": {}},
      {"cross_projections": {}}]})")
                .pointer,
            "/blocks/1/cross_projections");
  EXPECT_EQ(read_error(R"({"query_embeddings": [[1]], "key_embeddings": [[1]], "blocks": 1,
      "value_embeddings": [[1]]})")
                .pointer,
            "/value_embeddings");
}

TEST(Decoder, KnowsPositionsAmongItsOwnRowsOnly) {
  const Document document = decoder(R"(, "position": "learned")");
  EXPECT_EQ(document.position.table.shape(), (Shape{3, 4}));
  EXPECT_TRUE(mentions(read_ok(decoder_with(R"(, "blocks": 1, "position": "rope",
      "mask": {"causal_offset": 1}, "self_mask": {"causal_offset": 1})"))
                           .notes,
                       "causal_offset changes no weight"));
  EXPECT_FALSE(mentions(read_ok(decoder_with(R"(, "blocks": 1, "position": "rope",
      "self_mask": {"causal_offset": 1})"))
                            .notes,
                        "causal_offset"));
}

TEST(Decoder, ScoresByLocationWithRowsForTheLongerOfBothSequences) {
  const Document document = decoder(R"(, "scoring": {"function": "location"})");
  EXPECT_EQ(document.scoring.w.extent(0), 3U);
}

TEST(Decoder, HasExtentsAMaskAndTokensOfItsSelfAttention) {
  const Document document =
      decoder(R"(, "mask": {"visible": [[true, false]]}, "self_mask": {"causal": true})");
  const HeadAddress self{.attention = kSelfAttention};
  EXPECT_EQ(shape_of(document, self).n_k, 3U);
  EXPECT_TRUE(mask_of(document, self).causal);
  EXPECT_TRUE(keys_are_queries(document, self));
  EXPECT_EQ(tokens_of(document, Side::Key, self), tokens_of(document, Side::Query));
  EXPECT_EQ(tokens_of(document, Side::Key, HeadAddress{}), tokens_of(document, Side::Key));
  const Document other = read_ok(R"({"tokens": ["a", "b"], "mask": {"causal": true}})").document;
  EXPECT_EQ(shape_of(other, self), shape_of(other)) << "which is all that it has";
  EXPECT_EQ(mask_of(other, self), other.mask);
}

TEST(Decoder, TakesMaskEditsOfEitherAttention) {
  const Document document = decoder();
  const Document changed = with_causal(document, true, {.attention = kSelfAttention});
  EXPECT_TRUE(changed.self_mask.causal);
  EXPECT_EQ(changed.mask, document.mask);
  EXPECT_EQ(changed.model, document.model);
  EXPECT_TRUE(with_causal(document, true).mask.causal);
  EXPECT_EQ(with_causal(document, true).self_mask, document.self_mask);
}

TEST(Decoder, GrowsWithItsTokensOnBothSidesOfItsSelfMask) {
  const Document document =
      decoder(R"(, "self_mask": {"visible": [[1, 0, 0], [1, 1, 0], [1, 1, 1]]},
                  "mask": {"visible": [[1, 0], [0, 1], [1, 1]]})");
  const Document longer = *with_token_inserted(document, Side::Query, 3, "d");
  EXPECT_EQ(longer.self_mask.visible.shape(), (Shape{4, 4}));
  EXPECT_EQ(longer.mask.visible.shape(), (Shape{4, 2}));
  EXPECT_TRUE(check(longer).ok());
  const Document fewer_keys = *with_token_deleted(document, Side::Key, 0);
  EXPECT_EQ(fewer_keys.self_mask, document.self_mask);
  EXPECT_EQ(fewer_keys.mask.visible, BoolTensor({3, 1}, {0, 1, 1}));
  EXPECT_TRUE(check(fewer_keys).ok());
}

TEST(Decoder, GetsBlocksThatAttendTwiceToo) {
  const Document document = decoder();
  Stack stack = *stack_of(document.model);
  stack.blocks.emplace_back();
  const Result<Document> longer = with_choice(document, stack);
  ASSERT_TRUE(longer) << describe(longer.error());
  EXPECT_TRUE(block_of(*longer, 2).cross.has_value());
  EXPECT_EQ(*longer, read_ok(decoder_with(R"(, "blocks": 3)")).document);
}

TEST(Decoder, HasEveryMatrixOfBothAttentionsToEdit) {
  const Document document =
      decoder(R"(, "self_mask": {"relative_buckets": {"table": [[1], [2], [3], [4]]}})");
  const TensorList tensors = editable_tensors(document, 1);
  for (const char* path :
       {"/blocks/1/projections/w_q", "/blocks/1/cross_projections/w_q",
        "/blocks/1/cross_projections/w_k", "/blocks/1/cross_projections/w_v",
        "/blocks/1/cross_projections/w_o", "/self_mask/relative_buckets/table"}) {
    EXPECT_NE(find_tensor(tensors, path), nullptr) << path;
  }
  const MatrixRef ref{"/blocks/1/cross_projections/w_k", {}};
  const Document changed = *with_cell(document, ref, 2, 3, 42.0F);
  EXPECT_EQ(block_of(changed, 1).cross->projections.w_k[11], 42.0F);
  EXPECT_EQ(block_of(changed, 0), block_of(document, 0));
  EXPECT_EQ(block_of(changed, 1).projections, block_of(document, 1).projections);
}

TEST(Decoder, IsWhatAnAttentionOfTheViewNeeds) {
  const Reading report = read_ok(R"({"tokens": ["a"], "view": {"attention": "self"}})");
  EXPECT_EQ(focused_view(*report.document.panes).options.at.attention, kLastAttention);
  EXPECT_TRUE(mentions(report.notes, "attention has no effect without a decoder"));
}

TEST(Decoder, KeepsWhichAttentionIsLookedAt) {
  Document document = decoder(R"(, "view": {"attention": "self"})");
  EXPECT_EQ(focused_view(*document.panes).options.at.attention, kSelfAttention);
  EXPECT_EQ(read_ok(write_document(document)).document.panes, document.panes);
}

}  // namespace
}  // namespace attn
