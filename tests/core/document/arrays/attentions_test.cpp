// Weights of a decoder's and an encoder's own attention in addition to those across: in documents,
// under edits, and in array files.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "document/edit.h"
#include "document/edit/sentence.h"
#include "document/edit/structure.h"
#include "document/json/write.h"
#include "document/load/array_reading.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"
#include "tests/core/document/documents.h"

namespace attn {
namespace {

using test::float_npy;
using test::read_error;
using test::read_ok;
using test::zip_of;

constexpr HeadAddress kSelf{.attention = kSelfAttention}, kEncoder{.attention = kEncoderAttention};

// Two queries, three keys; the decoder is causal.
Document translation() {
  return read_ok(R"({"query_tokens": ["le", "chat"], "key_tokens": ["the", "cat", "sat"],
      "attention": [[0.5, 0.25, 0.25], [0, 1, 0]], "self_attention": [[1, 0], [0.5, 0.5]],
      "encoder_attention": [[1, 0, 0], [0, 0.5, 0.5], [0.25, 0.5, 0.25]]})")
      .document;
}

const GivenWeights& weights_of(const Document& document) {
  return std::get<GivenWeights>(document.model);
}

Document edited_of(const Result<Document>& made) {
  EXPECT_TRUE(made) << (made ? "" : describe(made.error()));
  EXPECT_TRUE(check(*made));
  EXPECT_EQ(read_ok(write_document(*made)).document, *made);
  return *made;
}

TEST(SeveralAttentions, HaveShapesTokensAndMasksOfTheirOwn) {
  const Document document = translation();
  EXPECT_TRUE(document.cross);
  ASSERT_EQ(attentions_of(document).size(), 3U);
  EXPECT_EQ(attentions_of(document).back().attention, kLastAttention);
  EXPECT_EQ(shape_of(document, kSelf).n_k, 2U);
  EXPECT_EQ(shape_of(document, kEncoder).n_q, 3U);
  EXPECT_EQ(tokens_of(document, Side::Query, kEncoder).texts().back(), "sat");
  EXPECT_EQ(tokens_of(document, Side::Key, kSelf).texts().back(), "chat");
  EXPECT_TRUE(document.self_mask.causal);
  EXPECT_FALSE(document.mask.causal);
  EXPECT_FALSE(document.encoder_mask.causal);
}

TEST(SeveralAttentions, SayWhatWasReadAndAssumed) {
  const Reading reading = read_ok(write_document(translation()));
  EXPECT_EQ(
      reading.reading,
      "Finished attention with axes query, key, with the decoder's own and the encoder's own: "
      "1 head, 2 query and 3 key tokens");
  const Reading assumed = read_ok(R"({"attention": [[1, 0]], "self_attention": [[1]],
                                      "encoder_attention": [[1, 0], [0.5, 0.5]]})");
  ASSERT_FALSE(assumed.notes.empty());
  EXPECT_EQ(assumed.notes.front(),
            "encoder attention: the weights above the diagonal are all 0: read as causal; "
            "\"encoder_mask\": {\"causal\": false} says otherwise");
  EXPECT_FALSE(assumed.assumed_causal) << "no question about what is not shown first";
}

TEST(SeveralAttentions, AnySubsetWithTheOneAcrossIsADocument) {
  for (const bool self : {false, true}) {
    for (const bool encoder : {false, true}) {
      const std::string json = std::string(R"({"attention": [[0.5, 0.5]])") +
                               (self ? R"(, "self_attention": [[1]])" : "") +
                               (encoder ? R"(, "encoder_attention": [[0, 1], [1, 0]])" : "") + "}";
      const Document document = read_ok(json).document;
      EXPECT_EQ(has(attentions_of(document), kSelf), self);
      EXPECT_EQ(has(attentions_of(document), kEncoder), encoder);
      EXPECT_EQ(masks_of(document).size(), attentions_of(document).size());
      EXPECT_EQ(edited_of(document), document);
    }
  }
}

TEST(SeveralAttentions, OfOtherShapesAreRefused) {
  const auto refused = [](const std::string& members) {
    const Error error = read_error(R"({"attention": [[0.5, 0.25, 0.25], [0, 1, 0]], )" + members);
    return error.pointer + ": " + error.message + ": " + error.found + ", " + error.expected;
  };
  EXPECT_EQ(
      refused(R"("self_attention": [[1]]})"),
      "/self_attention: self_attention does not fit attention, whose shape is (2, 3): (1, 1), "
      "(2, 2)");
  EXPECT_EQ(refused(R"("encoder_attention": [[1, 0], [0, 1]]})"),
            "/encoder_attention: encoder_attention does not fit attention, whose shape is (2, 3): "
            "(2, 2), (3, 3)");
  EXPECT_EQ(refused(R"("self_attention": [[[1, 0], [0, 1]]]})").substr(0, 15), "/self_attention");
  EXPECT_EQ(refused(R"("encoder_mask": {"causal": true}})").substr(0, 13), "/encoder_mask");
  EXPECT_EQ(refused(R"("self_mask": {"causal": true}})").substr(0, 10), "/self_mask");
  EXPECT_EQ(read_error(R"({"self_attention": [[1]]})").message,
            "self_attention needs attention as well");
  EXPECT_EQ(read_error(R"({"tokens": ["a"], "attention": [[1]], "self_attention": [[1]]})").found,
            "tokens and self_attention");
  EXPECT_EQ(read_error(R"({"q": [[1]], "k": [[1]], "encoder_attention": [[1]]})").message,
            "two inputs exclude each other");
}

TEST(SeveralAttentions, FollowTheirTokens) {
  const Document added = edited_of(with_token_inserted(translation(), Side::Query, 1, "petit"));
  const GivenWeights& after = weights_of(added);
  EXPECT_EQ(after.weights.shape(), (Shape{3, 3}));
  EXPECT_EQ(after.self.shape(), (Shape{3, 3}));
  EXPECT_TRUE(after.encoder.shares_with(weights_of(translation()).encoder) ||
              after.encoder == weights_of(translation()).encoder);
  EXPECT_EQ(after.self[0], 1.0F);
  EXPECT_EQ(after.self[1], 0.0F) << "no former query attends to the new one";
  const float sum = after.self[3] + after.self[4] + after.self[5];
  EXPECT_NEAR(sum, 1.0F, 1e-5F);
  const Document moved = edited_of(with_token_moved(translation(), Side::Key, 2, 0));
  EXPECT_EQ(weights_of(moved).encoder,
            Tensor({3, 3}, {0.25F, 0.25F, 0.5F, 0, 1, 0, 0.5F, 0, 0.5F}));
  EXPECT_EQ(weights_of(moved).weights, Tensor({2, 3}, {0.25F, 0.5F, 0.25F, 0, 0, 1}));
  EXPECT_EQ(weights_of(moved).self, weights_of(translation()).self);
  const Document shorter = edited_of(with_token_deleted(translation(), Side::Key, 0));
  EXPECT_EQ(weights_of(shorter).encoder, Tensor({2, 2}, {0.5F, 0.5F, 0.5F, 0.25F}));
}

TEST(SeveralAttentions, OfOtherWordsAreNew) {
  Document document = translation();
  document.encoder_mask.key_padding = {{1, 1, 0}};
  const Document other = edited_of(with_tokens(document, Side::Key, 0, {"a", "dog"}));
  const GivenWeights& after = weights_of(other);
  EXPECT_EQ(after.encoder.shape(), (Shape{2, 2}));
  EXPECT_EQ(after.weights.shape(), (Shape{2, 2}));
  EXPECT_EQ(other.encoder_mask.key_padding.front().size(), 2U);
  for (const Tensor* tensor : {&after.encoder, &after.weights}) {
    EXPECT_NEAR((*tensor)[0] + (*tensor)[1], 1.0F, 1e-5F);
    EXPECT_NEAR((*tensor)[2] + (*tensor)[3], 1.0F, 1e-5F);
  }
}

TEST(SeveralAttentions, AreResizedTogether) {
  Structure wanted = structure_of(translation());
  wanted.heads = wanted.key_value_heads = 2;
  wanted.layers = 3;
  const Restructured made = with_structure(translation(), wanted).value();
  const Document document = edited_of(made.document);
  EXPECT_EQ(weights_of(document).weights.shape(), (Shape{3, 2, 2, 3}));
  EXPECT_EQ(weights_of(document).self.shape(), (Shape{3, 2, 2, 2}));
  EXPECT_EQ(weights_of(document).encoder.shape(), (Shape{3, 2, 3, 3}));
  EXPECT_EQ(made.remarks.front(),
            "New rows and columns generated from seed 1: A, self A, encoder A");
  wanted = structure_of(document);
  wanted.heads = wanted.key_value_heads = wanted.layers = 1;
  const Document back = with_structure(document, wanted).value().document;
  EXPECT_EQ(weights_of(back), weights_of(translation()));
}

TEST(SeveralAttentions, OfOneSequenceKeepTheDecodersOwn) {
  Structure wanted = structure_of(translation());
  wanted.cross = false;
  const Document one = edited_of(with_structure(translation(), wanted).value().document);
  EXPECT_EQ(weights_of(one).weights, weights_of(translation()).self);
  EXPECT_TRUE(weights_of(one).self.empty() && weights_of(one).encoder.empty());
  EXPECT_TRUE(one.mask.causal);
  EXPECT_EQ(attentions_of(one).size(), 1U);
  const Document without_self =
      read_ok(
          R"({"attention": [[1, 0, 0]], "encoder_attention": [[1, 0, 0], [0, 1, 0], [1, 0, 0]]})")
          .document;
  wanted = structure_of(without_self);
  wanted.cross = false;
  const Document other = edited_of(with_structure(without_self, wanted).value().document);
  EXPECT_EQ(attentions_of(other).size(), 1U);
  EXPECT_EQ(shape_of(other).n_k, 1U);
}

TEST(SeveralAttentions, OfADecoderAreBothKeptAsWeights) {
  const Document decoder = read_ok(R"({"query_tokens": ["a", "b"], "key_tokens": ["c", "d", "e"],
      "blocks": 2, "self_mask": {"causal": true}})")
                               .document;
  Structure wanted = structure_of(decoder);
  wanted.kind = &GivenWeights::kInfo;
  const Document given = edited_of(with_structure(decoder, wanted).value().document);
  const ResultPtr before = compute(make_problem(decoder)).value();
  const ResultPtr after = compute(make_problem(given)).value();
  EXPECT_TRUE(given.self_mask.causal);
  for (const AttentionInfo& info : attentions_of(given)) {
    const HeadAddress at = info.at().moved_to(1, 0, 1);
    EXPECT_EQ(before->value(Stage::Weights, at, 1, 0), after->value(Stage::Weights, at, 1, 0));
    EXPECT_NE(after->value(Stage::Weights, at, 1, 0), 0.0F);
  }
}

TEST(MasksOfLayers, BroadcastLikeThoseOfSamplesAndHeads) {
  const Document document =
      read_ok(R"({"q": [[[[[1]]]], [[[[1]]]]], "k": [[[[[1], [1]]]], [[[[1], [1]]]]],
      "mask": {"visible": [[[[[1, 0]]]], [[[[1, 1]]]]], "bias": [[[[[0, 0]]]], [[[[0, 1]]]]]}})")
          .document;
  EXPECT_EQ(edited_of(document), document);
  const ResultPtr result = compute(make_problem(document)).value();
  EXPECT_EQ(result->value(Stage::Weights, {}, 0, 1), 0.0F);
  EXPECT_NEAR(result->value(Stage::Weights, {.layer = 1}, 0, 1), 0.7310586F, 1e-6F);
  EXPECT_EQ(
      read_error(
          R"({"q": [[1]], "k": [[1], [1]], "mask": {"visible": [[[[[1, 0]]]], [[[[1, 0]]]]]}})")
          .expected,
      "the last extents of (samples, heads, n_q, n_k) = (1, 1, 1, 2), or 1");
  Structure wanted = structure_of(document);
  wanted.layers = 1;
  const Document one = edited_of(with_structure(document, wanted).value().document);
  EXPECT_EQ(compute(make_problem(one)).value()->value(Stage::Weights, {}, 0, 1), 0.0F);
}

class AttentionsInFiles : public testing::Test {
 protected:
  Reading opened(const std::string& name, const std::string& bytes) const {
    const std::string path = folder.file(name);
    EXPECT_TRUE(write_file_atomically(path, bytes, Overwrite::Replace).ok());
    const Result<Reading> reading = open_document(path);
    if (!reading) ADD_FAILURE() << describe(reading.error());
    return reading ? *reading : Reading{};
  }

  test::TemporaryFolder folder;
};

const std::string kAcross = float_npy("(1, 1, 2)", {0.5F, 0.5F}),
                  kOwn = float_npy("(1, 1, 1)", {1}),
                  kOfKeys = float_npy("(1, 2, 2)", {0, 1, 0.5F, 0.5F});

TEST_F(AttentionsInFiles, AreTakenTogetherAndWrittenAsReferences) {
  const Reading reading = opened("run.npz", zip_of({{"encoder_attentions.npy", kOfKeys},
                                                    {"cross_attentions.npy", kAcross},
                                                    {"decoder_attentions.npy", kOwn}}));
  EXPECT_EQ(
      reading.notes.front(),
      "`encoder_attentions` (1 × 2 × 2): attention of the encoder · `cross_attentions` (1 × 1 × "
      "2): attention, a map of 1 × 2 · `decoder_attentions` (1 × 1 × 1): attention of the "
      "decoder");
  EXPECT_EQ(weights_of(reading.document).encoder[1], 1.0F);
  const std::string text = write_document(reading.document);
  for (const char* name : {"cross_attentions", "decoder_attentions", "encoder_attentions"}) {
    EXPECT_NE(text.find(R"({"file": "run.npz", "array": ")" + std::string(name)), text.npos)
        << text;
  }
  ReadOptions options;
  options.folder = folder.path();
  const Result<Reading> again = read_document(text, "again", options);
  ASSERT_TRUE(again.ok()) << describe(again.error());
  EXPECT_EQ(again->document, reading.document);
}

TEST_F(AttentionsInFiles, OfOtherLayersAreLeftOutByName) {
  const Reading reading = opened(
      "run.npz",
      zip_of({{"encoder_attentions.npy", float_npy("(2, 2, 2)", std::vector<float>(8, 0.5F))},
              {"cross_attentions.npy", kAcross},
              {"decoder_attentions.npy", kOwn}}));
  EXPECT_FALSE(weights_of(reading.document).self.empty());
  EXPECT_TRUE(weights_of(reading.document).encoder.empty());
  EXPECT_NE(reading.notes.front().find(
                "`encoder_attentions` (2 × 2 × 2): not used: encoder_attention does not fit "
                "attention, whose shape is (1, 1, 2)"),
            std::string::npos)
      << reading.notes.front();
}

TEST_F(AttentionsInFiles, TokensAndMasksOfTheNoteAreThoseOfTheirSequences) {
  const auto entry = [](const std::u32string& note) {
    const std::string bytes(reinterpret_cast<const char*>(note.data()), note.size() * 4);
    return test::ZipEntry{"attnscope.npy",
                          test::npy("<U" + std::to_string(note.size()), "()", bytes)};
  };
  const auto with_note = [&](const std::u32string& note) {
    return opened("run.npz", zip_of({{"encoder_attention.npy", kOfKeys},
                                     {"cross_attention.npy", kAcross},
                                     {"decoder_attention.npy", kOwn},
                                     entry(note)}))
        .document;
  };
  const Document both =
      with_note(UR"({"tokens": ["le"], "key_tokens": ["a", "b"], "causal": true})");
  EXPECT_TRUE(both.self_mask.causal);
  EXPECT_EQ(both.mask, Mask{});
  EXPECT_EQ(both.encoder_mask, Mask{});
  EXPECT_EQ(both.key_tokens.front().texts().back(), "b");
  const Document one = with_note(UR"({"tokens": ["le"], "causal": false})");
  EXPECT_TRUE(one.cross);
  EXPECT_EQ(one.query_tokens.front().texts().front(), "le");
  EXPECT_EQ(one.self_mask, Mask{});
  const Reading alone =
      opened("alone.npz", zip_of({{"encoder_attention.npy", kOfKeys},
                                  entry(UR"({"tokens": ["le"], "key_tokens": ["a", "b"]})")}));
  EXPECT_FALSE(alone.document.cross);
  EXPECT_EQ(alone.document.query_tokens.front().texts().back(), "b");
}

TEST_F(AttentionsInFiles, MasksHaveTheAxesThatTheNoteNames) {
  const std::u32string note =
      UR"({"axes": {"q": ["samples", "queries", "features"],
      "k": ["samples", "keys", "features"], "mask": ["samples", "queries", "keys"]}})";
  const std::string text(reinterpret_cast<const char*>(note.data()), note.size() * 4);
  const std::string rows = float_npy("(2, 2, 1)", {1, 1, 1, 1});
  const Document document =
      opened(
          "run.npz",
          zip_of({{"q.npy", rows},
                  {"k.npy", rows},
                  {"mask.npy", test::npy("|b1", "(2, 2, 2)", std::string("\1\0\1\1\1\1\1\1", 8))},
                  {"attnscope.npy", test::npy("<U" + std::to_string(note.size()), "()", text)}}))
          .document;
  EXPECT_EQ(document.mask.visible.shape(), (Shape{2, 1, 2, 2}));
  const ResultPtr result = compute(make_problem(document)).value();
  EXPECT_EQ(result->value(Stage::Weights, {}, 0, 1), 0.0F);
  EXPECT_EQ(result->value(Stage::Weights, {.sample = 1}, 0, 1), 0.5F);
}

TEST_F(AttentionsInFiles, WithoutOneAcrossTheDecodersIsShown) {
  const Reading reading = opened(
      "run.npz", zip_of({{"encoder_attentions.npy", kOfKeys}, {"decoder_attentions.npy", kOwn}}));
  EXPECT_EQ(reading.notes.front(),
            "`encoder_attentions` (1 × 2 × 2): not used, `decoder_attentions` is; `--arrays "
            "attention=encoder_attentions` reads it · "
            "`decoder_attentions` (1 × 1 × 1): attention of the decoder, a map of 1 × 1");
  EXPECT_EQ(shape_of(reading.document).n_k, 1U);
  EXPECT_EQ(attentions_of(reading.document).size(), 1U);
}

ArrayMeanings meant_by(const std::vector<std::string>& names) {
  std::vector<ArrayFacts> arrays;
  for (const std::string& name : names) arrays.push_back({name, "float32", {2, 2}});
  return meanings_of(choices_of(arrays));
}

TEST(ArrayNames, OfEncoderAndDecoderAreToldApart) {
  const ArrayMeanings hooks =
      meant_by({"encoder.1.attn.hook_pattern", "decoder.0.attn.hook_pattern",
                "decoder.0.cross_attn.hook_pattern", "encoder.0.attn.hook_pattern",
                "decoder.1.cross_attn.hook_pattern", "decoder.1.attn.hook_pattern"});
  EXPECT_EQ(hooks.attention.back(), "decoder.1.cross_attn.hook_pattern");
  EXPECT_EQ(hooks.self_attention.front(), "decoder.0.attn.hook_pattern");
  EXPECT_EQ(hooks.encoder_attention.front(), "encoder.0.attn.hook_pattern");
  EXPECT_EQ(hooks.encoder_attention.size(), 2U);
  const ArrayMeanings modules =
      meant_by({"model.decoder.layers.0.encoder_attn", "model.decoder.layers.0.self_attn",
                "model.encoder.layers.0.self_attn", "encoder.q_proj.weight"});
  EXPECT_EQ(modules.attention.front(), "model.decoder.layers.0.encoder_attn");
  EXPECT_EQ(modules.self_attention.front(), "model.decoder.layers.0.self_attn");
  EXPECT_EQ(modules.encoder_attention.front(), "model.encoder.layers.0.self_attn");
  EXPECT_EQ(meant_by({"attentions", "cross_attentions"}).self_attention.front(), "attentions");
  EXPECT_EQ(meant_by({"attentions", "cross_attentions"}).attention.front(), "cross_attentions");
  const ArrayMeanings three = meant_by({"attentions", "cross_attentions", "decoder_attentions"});
  EXPECT_EQ(three.self_attention, std::vector<std::string>{"decoder_attentions"});
  EXPECT_EQ(three.attention.front(), "cross_attentions");
}

}  // namespace
}  // namespace attn
