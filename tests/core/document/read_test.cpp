// Inference and generation by readers of short documents.
#include "document/load/read.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "document/edit.h"
#include "document/json/write.h"
#include "document/problem.h"
#include "documents.h"
#include "support/errors_of.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using test::read_error;
using test::read_ok;

const GivenQkv& qkv(const Reading& report) { return std::get<GivenQkv>(report.document.model); }
const AttentionLayer& layer(const Reading& report) {
  return std::get<AttentionLayer>(report.document.model);
}
const GivenWeights& weights(const Reading& report) {
  return std::get<GivenWeights>(report.document.model);
}
std::vector<float> numbers(const Tensor& tensor) {
  return {tensor.values().begin(), tensor.values().end()};
}

TEST(Read, TakesAListOfTokensAndGeneratesTheRest) {
  const Reading report = read_ok(R"(["I", "love", "cats", "I"])");
  EXPECT_EQ(report.document.query_tokens, (TokenLists{{"I", "love", "cats", "I"}}));
  EXPECT_EQ(layer(report).embeddings.query.shape(), (Shape{4, 16}));
  EXPECT_EQ(layer(report).heads, 2U);
  EXPECT_EQ(report.document.seed, 1U);
  EXPECT_EQ(report.notes.size(), 2U);
  EXPECT_EQ(report.reading, "Tokens only: 2 heads, 4 tokens, d_model 16, d_k 8, d_v 8");
  EXPECT_TRUE(check(report.document).ok());
}

TEST(Read, GivesEqualTokensEqualEmbeddings) {
  const Tensor x = layer(read_ok(R"(["I", "love", "I"])")).embeddings.query;
  EXPECT_TRUE(std::equal(x.data(), x.data() + 16, x.data() + 32));
  EXPECT_FALSE(std::equal(x.data(), x.data() + 16, x.data() + 16));
}

TEST(Read, TakesAListAndAnObjectOfTokensAlike) {
  EXPECT_EQ(read_ok(R"(["a", "b"])").document, read_ok(R"({"tokens": ["a", "b"]})").document);
}

TEST(Read, GeneratesOtherNumbersForAnotherSeed) {
  const auto seven = read_ok(R"({"tokens": ["a"], "seed": 7})");
  EXPECT_EQ(seven.document.seed, 7U);
  EXPECT_NE(layer(seven).embeddings.query, layer(read_ok(R"({"tokens": ["a"]})")).embeddings.query);
}

TEST(Read, GeneratesAsWideAndAsManyHeadsAsAsked) {
  const auto report = read_ok(R"({"tokens": ["a", "b"], "d_model": 12, "heads": 3})");
  EXPECT_EQ(shape_of(report.document).d_model, 12U);
  EXPECT_EQ(shape_of(report.document).d_k, 4U);
  EXPECT_EQ(shape_of(read_ok(R"({"tokens": ["a"], "heads": 5})").document).d_model, 20U);
}

TEST(Read, TakesQkvOfDepthTwo) {
  const auto report =
      read_ok(R"({"tokens": ["a", "b"], "q": [[1, 2], [3, 4]], "k": [[5, 6], [7, 8]],
                                  "v": [[9, 10, 11], [12, 13, 14]]})");
  EXPECT_EQ(numbers(qkv(report).k), (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(report.reading, "Q, K, V of depth 2: 1 head, 2 tokens, d_k 2, d_v 3");
}

TEST(Read, TakesQkvOfDepthThreeWithGroupedHeads) {
  const auto report = read_ok(R"({"q": [[[1]], [[2]], [[3]], [[4]]], "k": [[[1]], [[2]]],
                                  "v": [[[1]], [[2]]]})");
  const AttentionShape shape = shape_of(report.document);
  EXPECT_EQ(shape.heads, 4U);
  EXPECT_EQ(shape.kv_heads, 2U);
  EXPECT_EQ(report.document.query_tokens, TokenLists{TokenList::counted(1)});
  EXPECT_EQ(report.reading,
            "Q, K, V of depth 3: 4 query heads on 2 key-value heads, 1 token, d_k 1, d_v 1");
}

TEST(Read, TakesQkvOfDepthFour) {
  const auto report = read_ok(R"({"q": [[[[1, 2]]], [[[3, 4]]]], "k": [[[[1, 2]]], [[[3, 4]]]],
                                  "v": [[[[1, 2]]], [[[3, 4]]]]})");
  EXPECT_EQ(shape_of(report.document).samples, 2U);
}

TEST(Read, TakesSamplesInsteadOfHeadsWhenTheAxesSaySo) {
  const auto report = read_ok(R"({"axes": ["sample", "token", "feature"],
      "q": [[[1, 2]], [[3, 4]]], "k": [[[1, 2]], [[3, 4]]], "v": [[[1, 2]], [[3, 4]]]})");
  EXPECT_EQ(qkv(report).q.shape(), (Shape{2, 1, 2}));
  EXPECT_EQ(shape_of(report.document).samples, 2U);
}

TEST(Read, TransposesQkvIntoCanonicalOrder) {
  const auto report = read_ok(R"({"axes": ["token", "head", "feature"],
      "q": [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]],
      "k": [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]],
      "v": [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]})");
  EXPECT_EQ(qkv(report).q.shape(), (Shape{2, 3, 2}));
  EXPECT_EQ(numbers(qkv(report).q), (std::vector<float>{1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12}));
}

TEST(Read, TakesEmbeddingsWithTheirProjections) {
  const auto report = read_ok(R"({"tokens": ["a", "b"], "embeddings": [[1, 0], [0, 1]], "heads": 2,
      "projections": {"order": "in_out", "w_q": [[1, 2], [3, 4]], "w_k": [[1, 2], [3, 4]],
                      "w_v": [[1, 2], [3, 4]], "w_o": null, "b_q": [5, 6]}})");
  EXPECT_TRUE(layer(report).projections.w_o.empty());
  EXPECT_EQ(numbers(layer(report).projections.b_q), (std::vector<float>{5, 6}));
  EXPECT_EQ(shape_of(report.document).d_k, 1U);
  EXPECT_TRUE(report.notes.empty());
}

TEST(Read, GeneratesMissingProjectionsOnly) {
  const auto report = read_ok(R"({"embeddings": [[1, 0], [0, 1]],
      "projections": {"order": "in_out", "w_q": [[1, 2], [3, 4]]}})");
  EXPECT_EQ(numbers(layer(report).projections.w_q), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(layer(report).projections.w_o.shape(), (Shape{2, 2}));
  EXPECT_EQ(layer(report).heads, 1U) << "given matrices are one head unless heads says more";
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_EQ(report.notes[0], "generated from the seed: w_k, w_v, w_o");
}

TEST(Read, TakesCrossAttentionOfDifferentLengths) {
  const auto report = read_ok(R"({"query_tokens": ["a"], "key_tokens": ["x", "y"],
      "query_embeddings": [[1, 2]], "key_embeddings": [[1, 2, 3], [4, 5, 6]],
      "value_embeddings": [[1], [2]], "heads": 1})");
  const AttentionShape shape = shape_of(report.document);
  EXPECT_TRUE(report.document.cross);
  EXPECT_EQ(shape.n_q, 1U);
  EXPECT_EQ(shape.n_k, 2U);
  EXPECT_EQ(layer(report).projections.w_v.extent(0), 1U);
}

TEST(Read, GeneratesBothSidesOfCrossAttentionFromTokens) {
  const auto report = read_ok(R"({"query_tokens": ["a", "b"], "key_tokens": ["a"]})");
  const Tensor& x = layer(report).embeddings.query;
  EXPECT_TRUE(std::equal(x.data(), x.data() + 16, layer(report).embeddings.key.data()))
      << "equal tokens get equal embeddings on both sides";
}

TEST(Read, CallsItCrossAttentionWhenLengthsDifferAndNobodyNamesTokens) {
  EXPECT_TRUE(read_ok(R"({"attention": [[0.5, 0.5]]})").document.cross);
  EXPECT_FALSE(read_ok(R"({"attention": [[1]]})").document.cross);
}

TEST(Read, TakesFinishedAttentionOfEveryDepth) {
  EXPECT_EQ(weights(read_ok(R"({"attention": [[1]]})")).axes,
            (std::vector{Extent::Queries, Extent::Keys}));
  EXPECT_EQ(weights(read_ok(R"({"attention": [[[1]]]})")).axes.front(), Extent::Heads);
  EXPECT_EQ(weights(read_ok(R"({"attention": [[[[1]]]]})")).axes,
            (std::vector{Extent::Layers, Extent::Heads, Extent::Queries, Extent::Keys}));
  const auto report = read_ok(R"({"attention": [[[[[1]]], [[[2]]]]]})");
  EXPECT_EQ(shape_of(report.document).samples, 2U);
  EXPECT_EQ(report.reading,
            "Finished attention with axes layer, sample, head, query, key: 2 samples, 1 head, "
            "1 token");
}

TEST(Read, TransposesAttentionAsItsAxesSay) {
  const auto report = read_ok(R"({"axes": ["key", "query", "layer"],
                                  "attention": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]})");
  EXPECT_EQ(weights(report).axes, (std::vector{Extent::Layers, Extent::Queries, Extent::Keys}));
  EXPECT_EQ(numbers(weights(report).weights), (std::vector<float>{1, 5, 3, 7, 2, 6, 4, 8}));
}

TEST(Read, PadsSentencesOfDifferentLengthAndHidesWhatItAdded) {
  const auto report = read_ok(R"({"tokens": [["a", "b", "c"], ["d"]]})");
  EXPECT_EQ(report.document.query_tokens[1], (TokenList{"d", "<pad>", "<pad>"}));
  EXPECT_EQ(report.document.mask.key_padding, (PaddingLists{{1, 1, 1}, {1, 0, 0}}));
  EXPECT_EQ(report.document.mask.query_padding, report.document.mask.key_padding);
  EXPECT_EQ(layer(report).embeddings.query.shape(), (Shape{2, 3, 16}));
}

TEST(Read, KeepsAPaddingMaskThatIsGiven) {
  const auto report =
      read_ok(R"({"tokens": [["a", "b"], ["d"]], "mask": {"key_padding": [true, true]}})");
  EXPECT_EQ(report.document.mask.key_padding, (PaddingLists{{1, 1}}));
  EXPECT_TRUE(report.document.mask.query_padding.empty());
}

TEST(Read, TakesEveryMaskAndScoring) {
  const auto report = read_ok(R"({"tokens": ["a", "b"],
      "mask": {"causal": true, "causal_offset": -1, "key_padding": [true, false],
               "query_padding": [[1, 0]], "visible": [[true, false], [true, true]],
               "bias": [0.5, "-inf"]},
      "scoring": {"function": "scaled_dot", "scale": 0.25, "softcap": 30}, "position": "none"})");
  const Mask& mask = report.document.mask;
  EXPECT_TRUE(mask.causal);
  EXPECT_EQ(mask.causal_offset, (std::vector<std::int64_t>{-1}));
  EXPECT_EQ(mask.query_padding, (PaddingLists{{1, 0}}));
  EXPECT_EQ(mask.visible.shape(), (Shape{2, 2}));
  EXPECT_TRUE(std::isinf(mask.bias[1]));
  EXPECT_EQ(report.document.scoring.scale, 0.25F);
  EXPECT_EQ(report.document.scoring.softcap, 30.0F);
}

TEST(Read, TakesNonFiniteNumbersAsTexts) {
  const Tensor q =
      qkv(read_ok(R"({"q": [["nan", "inf", "-inf", 1e-60, -1e-60]], "k": [[1, 2, 3, 4, 5]],
                                   "v": [[1]]})"))
          .q;
  EXPECT_TRUE(std::isnan(q[0]));
  EXPECT_EQ(q[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(q[2], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(q[3], 0.0F);
  EXPECT_TRUE(std::signbit(q[4]));
}

TEST(Read, TakesAByteOrderMarkAndEveryEscape) {
  const auto report = read_ok("\xEF\xBB\xBF[\"\\u4f60\\ud83d\\ude00\\n\\\"\\\\\\/\\b\\f\\r\\t\"]");
  EXPECT_EQ(report.document.query_tokens[0][0], "你😀\n\"\\/\b\f\r\t");
}

TEST(Read, BringsTheViewInsideTheDocument) {
  const auto report = read_ok(R"({"tokens": ["a"], "view": {"plot": "heatmap", "stage": "scores",
      "head": 7, "colormap": "magma", "values": false}})");
  ASSERT_TRUE(report.document.panes);
  EXPECT_EQ(focused_view(*report.document.panes).options.at.head, 1U);
  EXPECT_EQ(focused_view(*report.document.panes).options.stage, Stage::Scores);
  EXPECT_FALSE(focused_view(*report.document.panes).options.values);
}

TEST(Read, TakesLengthsOfFiguresWithTheirUnits) {
  const auto report = read_ok(R"({"tokens": ["a"], "view": {"width": "127 mm", "height": "2in"}})");
  EXPECT_EQ(focused_view(*report.document.panes).options.width, 360.0);
  EXPECT_EQ(focused_view(*report.document.panes).options.height, 144.0);
  EXPECT_NE(write_document(report.document).find("\"width\": 360"), std::string::npos);
}

TEST(Read, SaysWhatHasNoEffectOnGivenWeights) {
  const auto report =
      read_ok(R"({"attention": [[1]], "scoring": {"scale": 2}, "mask": {"key_padding": [false]}})");
  EXPECT_EQ(report.notes.size(), 2U);
  EXPECT_TRUE(read_ok(R"({"attention": [[1]]})").notes.empty());
}

constexpr const char* kReadAsCausal =
    "the weights above the diagonal are all 0: read as causal; \"mask\": {\"causal\": false} says "
    "otherwise";

TEST(Read, TakesFinishedWeightsThatNeverLookAheadForCausalOnes) {
  for (const char* text :
       {R"({"attention": [[1, 0], [0.5, 0.5]]})",
        R"({"attention": [[[1, -0.0], [1, 0]], [[1, 0], [0.5, 0.5]]]})",
        R"({"attention": [[1, 0], [0.5, 0.5]], "mask": {"key_padding": [true, false]}})",
        R"({"attention": [[1, 0], [0.5, 0.5]], "mask": {"segments": [0, 0]}})"}) {
    const Reading report = read_ok(text);
    EXPECT_TRUE(report.document.mask.causal) << text;
    EXPECT_TRUE(report.assumed_causal) << text;
    EXPECT_EQ(report.notes.back(), kReadAsCausal) << text;
  }
}

TEST(Read, TakesNoOtherFinishedWeightsForCausalOnes) {
  for (const char* text :
       {R"({"attention": [[1, 0], [0.5, 0.5]], "mask": {"causal": false}})",
        R"({"attention": [[1, 0], [0.5, 0.5]], "mask": {"visible": [[true, true], [true, true]]}})",
        R"({"attention": [[1, 0], [0.5, 0.5]], "mask": {"window": [1, 1]}})",
        R"({"attention": [[[1, 0], [1, 0]], [[1, 1e-30], [0.5, 0.5]]]})",
        R"({"attention": [[1, "nan"], [0.5, 0.5]]})",
        R"({"attention": [[1, 0], [0.5, 0.5]], "query_tokens": ["a", "b"],
            "key_tokens": ["c", "d"]})",
        R"({"attention": [[1]]})", R"({"attention": [[1, 0]]})",
        R"({"attention": [[1, 0], [0, 1]]})"}) {
    const Reading report = read_ok(text);
    EXPECT_FALSE(report.document.mask.causal) << text;
    EXPECT_FALSE(report.assumed_causal) << text;
    for (const std::string& note : report.notes) EXPECT_NE(note, kReadAsCausal) << text;
  }
  EXPECT_FALSE(read_ok(R"({"q": [[1], [1]], "k": [[1], [1]], "v": [[1], [1]]})").assumed_causal);
}

TEST(Read, TakesNullForNoBias) {
  const char* const with = R"({"tokens": ["a", "b"], "d_model": 4, "blocks": [{"attention_norm":
      {"bias": null}, "feed_forward": {"activation": "swiglu", "b_1": null, "b_gate": null,
      "b_2": null}}]})";
  const char* const without = R"({"tokens": ["a", "b"], "d_model": 4,
      "blocks": [{"feed_forward": {"activation": "swiglu"}}]})";
  EXPECT_EQ(read_ok(with).document, read_ok(without).document);
  const char* const states = R"({"query_tokens": ["a"], "key_tokens": ["b"], "recurrent": {
      "encoder": {"b_x": null, "b_h": null}, "b_initial": null, "b_output": null}})";
  EXPECT_EQ(read_ok(states).document,
            read_ok(R"({"query_tokens": ["a"], "key_tokens": ["b"], "recurrent": {}})").document);
}

TEST(Read, TakesOffsetsOnePerSample) {
  const auto report =
      read_ok(R"({"tokens": [["a"], ["b"]], "mask": {"causal": true, "causal_offset": [0, 2]}})");
  EXPECT_EQ(report.document.mask.offset_of(1), 2);
}

TEST(Read, TakesWholeNumbersHoweverTheyAreWritten) {
  EXPECT_EQ(read_ok(R"({"tokens": ["a"], "seed": 1e3})").document.seed, 1000U);
  EXPECT_EQ(read_ok(R"({"tokens": ["a"], "seed": 18446744073709551615})").document.seed,
            18446744073709551615ULL);
}

TEST(Read, SaysHowItReadRealData) {
  const auto stories = test::shared_file("data/stories260k_layer1.attn.json");
  const auto gpt2 = test::shared_file("data/gpt2_small_0.attn.json");
  ATTNSCOPE_SKIP_WITHOUT(stories && gpt2);
  EXPECT_EQ(read_ok(test::read_text(*stories)).reading,
            "Q, K, V of depth 3: 8 query heads on 4 key-value heads, 28 tokens, d_k 8, d_v 8");
  EXPECT_EQ(read_ok(test::read_text(*gpt2)).reading,
            "Finished attention with axes layer, head, query, key: 12 layers, 12 heads, 6 tokens");
}

TEST(Read, ReportsEveryProblemThatItCanFind) {
  const auto errors = test::errors_of(R"({"tokenz": ["a"],
      "q": [[1], [2, 3]], "k": [["x"]], "v": [[true]], "seed": -1})",
                                      "many.json");
  ASSERT_EQ(errors.size(), 5U);
  EXPECT_EQ(errors[0].pointer, "/tokenz");
  EXPECT_EQ(errors[0].hint, "did you mean \"tokens\"?");
  EXPECT_EQ(errors[1].pointer, "/q/1");
  EXPECT_EQ(errors[2].pointer, "/k/0/0");
  EXPECT_EQ(errors[3].pointer, "/v/0/0");
  EXPECT_EQ(errors[4].pointer, "/seed");
  for (const Error& error : errors) EXPECT_EQ(error.file, "many.json");
}

TEST(Read, ReportsEveryMisfitOfShapes) {
  const auto errors = test::errors_of(R"({"tokens": ["a", "b", "c"], "q": [[1, 2], [3, 4]],
      "k": [[1, 2], [3, 4]], "v": [[1], [2]], "mask": {"key_padding": [true], "bias": [[1, 2, 3]]}})",
                                      "f");
  ASSERT_EQ(errors.size(), 3U);
  EXPECT_EQ(errors[0].pointer, "/tokens");
  EXPECT_EQ(errors[1].pointer, "/mask/key_padding");
  EXPECT_EQ(errors[2].pointer, "/mask/bias");
}

TEST(Read, SaysWhatAnOffsetAloneDoes) {
  const auto report = read_ok(R"({"attention": [[1]], "mask": {"causal_offset": 1}})");
  EXPECT_EQ(
      report.notes.front(),
      "causal_offset changes no weight without a causal mask, a window, positions or a bias by "
      "distance; measures and distances count from where it puts the queries");
  EXPECT_TRUE(read_ok(R"({"q": [[1]], "k": [[1]], "v": [[1]],
      "mask": {"causal": true, "causal_offset": 1}})")
                  .notes.empty());
}

TEST(Read, NamesTheAxesOfQkvAndTheDepthAsGiven) {
  const auto report = read_ok(R"({"q": [[[1], [2]]], "k": [[[1], [2]]], "v": [[[1], [2]]],
      "axes": ["sample", "token", "feature"]})");
  EXPECT_EQ(report.reading,
            "Q, K, V of depth 3 with axes sample, token, feature: 1 head, 2 tokens, d_k 1, d_v 1");
}

TEST(Read, TakesNoLetterForAnotherButSmallForCapital) {
  EXPECT_EQ(read_error(R"({"Heads": 1})").hint, "did you mean \"heads\"?");
  EXPECT_EQ(read_error(R"({"Seed": 1})").hint, "did you mean \"seed\"?");
  EXPECT_EQ(read_error(R"({"x": 1})").hint, "attnscope schema prints all keys");
}

TEST(Read, ListsAFewKnownKeysOnce) {
  const auto errors = test::errors_of(R"({"learning_rate": 1, "optimizer": 2, "x": 3})", "f");
  ASSERT_EQ(errors.size(), 3U);
  const std::string& known = errors[0].expected;
  EXPECT_EQ(std::count(known.begin(), known.end(), ','), 2) << known;
  EXPECT_EQ(errors[1].expected + errors[1].hint + errors[2].expected + errors[2].hint, "");
}

TEST(Read, RefusesItsOwnResultsWithOneMessage) {
  const auto errors = test::errors_of(
      R"({"tokens": ["a"], "shape": {}, "weights": [], "q": 1, "attnscope_result": 1})", "r.json");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].pointer, "/attnscope_result");
  EXPECT_EQ(errors[0].message, "this is a result of attnscope compute, not a document");
}

TEST(Read, NamesBothSidesWhenOneListOfTokensFitsOnlyOne) {
  const auto errors =
      test::errors_of(R"({"tokens": ["a", "b", "c"], "attention": [[1, 0, 0], [0, 1, 0]]})", "f");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].found, "3 tokens for 2 rows and 3 columns");
  EXPECT_EQ(errors[0].expected, "3 of both");
}

TEST(Read, SpeaksOfGeneratedMatricesAsSuch) {
  EXPECT_EQ(read_error(R"({"embeddings": [[1, 2]], "projections": {"b_q": [1]}})").expected,
            "2, as the generated w_q has");
}

TEST(Read, RefusesAbsurdNumbersOfHeadsAtTheirPlace) {
  const Error error = read_error(R"({"tokens": ["a"], "heads": 1000000000000})");
  EXPECT_EQ(error.kind, ErrorKind::OverMemoryLimit);
  EXPECT_EQ(error.pointer, "/heads");
}

TEST(Read, RefusesWhatIsTooMuchAltogetherBeforeGeneratingIt) {
  ReadOptions options;
  options.memory_limit_bytes = 1 << 20;
  const auto error = [&](const std::string& text) {
    const auto errors = test::errors_of(text, "it", options);
    return errors.empty() ? Error{} : errors.front();
  };
  // One matrix or block fits, four or many do not.
  for (const char* text :
       {R"({"tokens": ["a"], "d_model": 400})", R"({"tokens": ["a"], "d_model": 32, "blocks": 30})",
        R"({"tokens": ["a"], "d_model": 1, "recurrent": {"hidden": 180}})",
        R"({"tokens": ["a"], "d_model": 16, "position": "learned",
            "mask": {"causal": true, "causal_offset": 20000}})"}) {
    EXPECT_EQ(error(text).kind, ErrorKind::OverMemoryLimit) << text;
    EXPECT_NE(error(text).message.find("generating"), std::string::npos) << error(text).message;
  }
  EXPECT_EQ(error(R"({"tokens": ["a"], "d_model": 200})").message, "");
}

TEST(Read, CountsTokensAndNumbersTogether) {
  std::string tokens = "[\"\"", numbers = "[[1";
  for (int i = 1; i < 8000; ++i) tokens += ", \"\"";
  for (int i = 1; i < 80'000; ++i) numbers += ", 1";
  tokens += "]";
  numbers += "]]";
  ReadOptions options;
  options.memory_limit_bytes = 1 << 20;
  const auto kind = [&](const std::string& text) {
    const auto errors = test::errors_of(text, "it", options);
    return errors.empty() ? ErrorKind::Internal : errors.front().kind;
  };
  EXPECT_NE(kind("{\"tokens\": " + tokens + ", \"q\": [[1]]}"), ErrorKind::OverMemoryLimit);
  EXPECT_NE(kind("{\"tokens\": [\"\"], \"q\": " + numbers + "}"), ErrorKind::OverMemoryLimit);
  EXPECT_EQ(kind("{\"tokens\": " + tokens + ", \"q\": " + numbers + "}"),
            ErrorKind::OverMemoryLimit);
}

TEST(Read, SaysHowFarPositionsAreGenerated) {
  const Error error = read_error(R"({"tokens": ["a"], "position": "learned",
                                     "mask": {"causal": true, "causal_offset": 1000000}})");
  EXPECT_EQ(error.pointer, "/mask/causal_offset");
  EXPECT_EQ(error.expected, "at most 100000, or a table of positions");
  // The offset between a decoder's queries and keys moves no position.
  read_ok(R"({"query_tokens": ["a"], "key_tokens": ["b"], "blocks": 1, "position": "learned",
              "mask": {"causal": true, "causal_offset": 1000000}})");
  const Error table = read_error(R"({"embeddings": [[1]], "heads": 1,
      "position": {"kind": "learned", "table": [[1]]},
      "mask": {"causal": true, "causal_offset": 1000000}})");
  EXPECT_EQ(table.expected, "at least 1000001");
}

TEST(Read, FindsNoProblemInAGoodDocument) { EXPECT_TRUE(test::errors_of(R"(["a"])", "f").empty()); }

TEST(Read, GeneratesWhatTheScoringFunctionNeeds) {
  const Reading report = read_ok(R"({"q": [[1, 2]], "k": [[1, 2, 3]], "v": [[1]],
                  "scoring": {"function": "additive", "d_a": 5}})");
  const Scoring& scoring = report.document.scoring;
  EXPECT_EQ(scoring.w_query.shape(), (Shape{5, 2}));
  EXPECT_EQ(scoring.w_key.shape(), (Shape{5, 3}));
  EXPECT_EQ(scoring.v.shape(), (Shape{5}));
  EXPECT_TRUE(scoring.b.empty());
  EXPECT_EQ(report.notes[0], "generated from the seed: scoring w_query, scoring w_key, scoring v");
  EXPECT_EQ(shape_of(report.document).d_q, 2U);
  EXPECT_EQ(shape_of(report.document).d_a, 5U);
}

TEST(Read, TakesHiddenUnitsFromAMatrixThatIsGiven) {
  const Document document = read_ok(R"({"q": [[1, 2]], "k": [[1, 2]], "v": [[1]],
      "scoring": {"function": "concat", "w": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]}})")
                                .document;
  EXPECT_EQ(document.scoring.v.shape(), (Shape{3}));
}

TEST(Read, TurnsProjectionsStoredAsOutputsTimesInputs) {
  const Reading in_out = read_ok(R"({"embeddings": [[1, 2]], "heads": 1, "projections": {
      "w_q": [[1, 2, 3], [4, 5, 6]], "w_k": [[1, 2, 3], [4, 5, 6]], "w_v": [[1], [2]],
      "w_o": [[7, 8]]}})");
  const Reading out_in = read_ok(R"({"embeddings": [[1, 2]], "heads": 1, "projections": {
      "order": "out_in", "w_q": [[1, 4], [2, 5], [3, 6]], "w_k": [[1, 4], [2, 5], [3, 6]],
      "w_v": [[1, 2]], "w_o": [[7], [8]]}})");
  EXPECT_EQ(out_in.document, in_out.document);
  EXPECT_EQ(out_in.notes.size(), 1U);
}

TEST(Read, PacksMatricesOfSingleHeads) {
  const Reading packed = read_ok(R"({"embeddings": [[1, 2]], "heads": 2, "projections": {
      "w_q": [[1, 2], [3, 4]], "w_k": [[5, 6], [7, 8]], "w_v": [[1, 1], [2, 2]],
      "w_o": [[1, 2], [3, 4]], "b_q": [9, 10]}})");
  const Reading per_head = read_ok(R"({"embeddings": [[1, 2]], "projections": {
      "w_q": [[[1], [3]], [[2], [4]]], "w_k": [[[5], [7]], [[6], [8]]],
      "w_v": [[[1], [2]], [[1], [2]]], "w_o": [[[1, 2]], [[3, 4]]], "b_q": [[9], [10]]}})");
  EXPECT_EQ(per_head.document, packed.document);
}

TEST(Read, SplitsAMatrixThatHoldsQueriesKeysAndValues) {
  const Document document = read_ok(R"({"embeddings": [[1]], "heads": 2, "kv_heads": 1,
      "projections": {"w_qkv": [[1, 2, 3, 4]], "b_qkv": [5, 6, 7, 8], "w_o": null}})")
                                .document;
  const auto& p = std::get<AttentionLayer>(document.model).projections;
  EXPECT_EQ(p.w_q, Tensor({1, 2}, {1, 2}));
  EXPECT_EQ(p.w_k, Tensor({1, 1}, {3}));
  EXPECT_EQ(p.w_v, Tensor({1, 1}, {4}));
  EXPECT_EQ(p.b_v, Tensor({1}, {8}));
}

TEST(Read, GeneratesGroupedQueriesFromTokens) {
  const Document document =
      read_ok(R"({"tokens": ["a", "b"], "heads": 4, "kv_heads": 2, "d_model": 8})").document;
  EXPECT_EQ(shape_of(document).heads, 4U);
  EXPECT_EQ(shape_of(document).kv_heads, 2U);
  EXPECT_EQ(shape_of(document).d_k, 2U);
}

TEST(Read, MakesPaddingOfLengths) {
  const Document document = read_ok(R"({"q": [[[[1], [1]]], [[[1], [1]]]],
      "k": [[[[1], [1]]], [[[1], [1]]]], "v": [[[[1], [1]]], [[[1], [1]]]],
      "mask": {"key_lengths": [2, 1]}})")
                                .document;
  EXPECT_EQ(document.mask.key_padding, (PaddingLists{{1, 1}, {1, 0}}));
  EXPECT_TRUE(document.mask.query_padding.empty());
}

TEST(Read, TakesLengthsInsteadOfThoseOfShorterTokenLists) {
  const Mask mask = read_ok(R"({"tokens": [["a", "b"], ["c"]],
      "mask": {"key_lengths": [1, 2], "query_lengths": [2, 1]}})")
                        .document.mask;
  EXPECT_EQ(mask.key_padding, (PaddingLists{{1, 0}, {1, 1}}));
  EXPECT_EQ(mask.query_padding, (PaddingLists{{1, 1}, {1, 0}}));
}

TEST(Read, SaysOnceThatATableOfBucketsIsWrong) {
  const auto errors =
      test::errors_of(R"({"tokens": ["a"], "mask": {"relative_buckets": {"table": []}}})", "it");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].pointer, "/mask/relative_buckets/table");
}

TEST(Read, TakesOneLengthForAllSamples) {
  const Document document =
      read_ok(R"({"tokens": [["a", "b"], ["c", "d"]], "mask": {"query_lengths": 1}})").document;
  EXPECT_EQ(document.mask.query_padding, (PaddingLists{{1, 0}}));
}

TEST(Read, GivesPositionsTheirUsualLayout) {
  const auto position = [](const std::string& value) {
    return read_ok(R"({"tokens": ["a", "b"], "position": )" + value + "}").document.position;
  };
  EXPECT_EQ(position("\"rope\"").layout, PositionLayout::Halves);
  EXPECT_EQ(position("\"sinusoidal\"").layout, PositionLayout::Interleaved);
  EXPECT_EQ(position(R"({"kind": "rope", "layout": "interleaved"})").layout,
            PositionLayout::Interleaved);
  EXPECT_EQ(position("\"learned\"").table.shape(), (Shape{2, 16}));
}

TEST(Read, GeneratesAsManyBlocksAsAsked) {
  const Reading report = read_ok(R"({"tokens": ["a", "b"], "d_model": 8, "heads": 2, "blocks": 3,
                                        "norms": {"order": "pre", "final": true}})");
  const auto& stack = (*stack_of(report.document.model));
  ASSERT_EQ(stack.blocks.size(), 3U);
  EXPECT_EQ(stack.order, NormOrder::Pre);
  EXPECT_TRUE(stack.final_norm.has_value());
  EXPECT_EQ(stack.blocks[2].feed_forward.w_1.shape(), (Shape{8, 32}));
  EXPECT_NE(stack.blocks[0].projections.w_q, stack.blocks[1].projections.w_q);
  const AttentionShape shape = shape_of(report.document);
  EXPECT_EQ(shape.layers, 3U);
  EXPECT_EQ(shape.d_ff, 32U);
  EXPECT_EQ(report.reading,
            "Tokens only: 3 blocks, 2 heads, 2 tokens, d_model 8, d_k 4, d_v 4, d_ff 32");
}

TEST(Read, TakesBlocksAsTheyAreGiven) {
  const Document document = read_ok(R"({"embeddings": [[1, 2]], "heads": 1, "dropout": 0.1,
      "norms": {"kind": "rms", "eps": 0.5},
      "blocks": [{"attention_norm": {"weight": [3, 4]},
                  "feed_forward": {"activation": "swiglu", "order": "out_in",
                                   "w_1": [[1, 2], [3, 4], [5, 6]]}}]})")
                                .document;
  const auto& stack = (*stack_of(document.model));
  EXPECT_EQ(stack.norm, NormKind::Rms);
  EXPECT_EQ(stack.eps, 0.5F);
  EXPECT_EQ(stack.dropout, 0.1F);
  EXPECT_EQ(stack.blocks[0].attention_norm.weight, Tensor({2}, {3, 4}));
  const FeedForward& network = stack.blocks[0].feed_forward;
  EXPECT_EQ(network.w_1, Tensor({2, 3}, {1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(network.w_gate.shape(), (Shape{2, 3}));
}

TEST(Read, BlocksNeedAnOutputProjection) {
  const auto errors = test::errors_of(
      R"({"tokens": ["a"], "d_model": 4, "blocks": [{}, {"projections": {"w_o": null}}]})", "it");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].pointer, "/blocks/1/projections/w_o");
  EXPECT_EQ(errors[0].found, "no w_o");
}

TEST(Read, SaysOnceThatTokenListsAreAsManyAsNoSamples) {
  const auto errors = test::errors_of(R"({"tokens": [["a", "b"], ["c"]],
      "embeddings": [[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]]]})",
                                      "it");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].pointer, "/tokens");
}

}  // namespace
}  // namespace attn
