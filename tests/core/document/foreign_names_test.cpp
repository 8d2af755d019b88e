// Documents as other programs write them: names of keys and of matrices, levels, orders of axes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "document/document.h"
#include "document/json/write.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "documents.h"
#include "engine/compute.h"
#include "support/errors_of.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using test::read_error;
using test::read_ok;

const std::string kTwo = "[[0.5, 0.5], [0.25, 0.75]]";

bool has_note(const Reading& reading, const std::string& part) {
  return std::ranges::any_of(
      reading.notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

double weight(const Reading& reading, std::size_t query, std::size_t key, std::size_t head = 0) {
  const ResultPtr result = *compute(make_problem(reading.document));
  return static_cast<double>(result->value(Stage::Weights, {0, 0, head}, query, key));
}

Projections projections_of(const std::string& json) {
  return std::get<AttentionLayer>(read_ok(json).document.model).projections;
}

// --- keys

TEST(ForeignNames, ReadsAttentionUnderTheNamesOfLibraries) {
  const Document ours = read_ok(R"({"tokens": ["a", "b"], "attention": )" + kTwo + "}").document;
  for (const std::string& key : std::vector<std::string>{
           "attn", "att", "pattern", "attention_probs", "attention_weights", "weights",
           "alignments", "attentionWeights", "layer0_attn", "scores"}) {
    const Reading reading = read_ok(R"({"tokens": ["a", "b"], ")" + key + "\": " + kTwo + "}");
    EXPECT_EQ(reading.document, ours) << key;
    EXPECT_TRUE(has_note(reading, "\"" + key + "\" is read as \"attention\"")) << key;
  }
}

TEST(ForeignNames, ReadsQueriesKeysAndValues) {
  const std::string numbers = "[[1, 2], [3, 4]]";
  const Document ours =
      read_ok(R"({"q": )" + numbers + R"(, "k": )" + numbers + R"(, "v": )" + numbers + "}")
          .document;
  for (const auto& [q, k, v] : {std::array{"query", "key", "value"},
                                {"queries", "keys", "values"},
                                {"query_states", "key_states", "value_states"}}) {
    const std::string json = "{\"" + std::string(q) + "\": " + numbers + ", \"" + k +
                             "\": " + numbers + ", \"" + v + "\": " + numbers + "}";
    EXPECT_EQ(read_ok(json).document, ours) << q;
  }
}

TEST(ForeignNames, ReadsRowsAsTheTargetAndColumnsAsTheSource) {
  const Document ours = read_ok(R"({"query_tokens": ["x", "y"], "key_tokens": ["a", "b", "c"],
      "attention": [[1, 0, 0], [0, 1, 0]]})")
                            .document;
  for (const auto& [rows, columns] : {std::pair{"target", "source"},
                                      {"tgt", "src"},
                                      {"hypothesis", "source"},
                                      {"left_text", "right_text"},
                                      {"top_text", "bot_text"},
                                      {"output", "input"}}) {
    const std::string json = R"({")" + std::string(columns) + R"(": ["a", "b", "c"], ")" + rows +
                             R"(": ["x", "y"], "attn": [[1, 0, 0], [0, 1, 0]]})";
    EXPECT_EQ(read_ok(json).document, ours) << rows;
  }
  EXPECT_EQ(read_ok(R"({"tokens": ["a"], "source": "a paper"})").document.source, "a paper");
}

TEST(ForeignNames, NamesTokensByIdsWhereTheyHaveNoNames) {
  const Reading ids = read_ok(R"({"input_ids": [101, 7592], "attn": )" + kTwo + "}");
  EXPECT_EQ(ids.document.query_tokens, (TokenLists{{"101", "7592"}}));
  EXPECT_TRUE(has_note(ids, "named by their ids"));
  const Reading both =
      read_ok(R"({"input_ids": [[101, 7592]], "tokens": ["a", "b"], "attn": )" + kTwo + "}");
  EXPECT_EQ(both.document.query_tokens, (TokenLists{{"a", "b"}}));
  EXPECT_TRUE(has_note(both, "are not used"));
  EXPECT_EQ(read_error(R"({"input_ids": [1], "token_ids": [1], "attn": )" + kTwo + "}").pointer,
            "/token_ids");
}

TEST(ForeignNames, SaysWhatIsNoAttention) {
  for (const std::string& key :
       std::vector<std::string>{"special_tokens_mask", "token_type_ids", "labels", "logits"}) {
    const Reading reading =
        read_ok(R"({"tokens": ["a", "b"], "attn": )" + kTwo + ", \"" + key + "\": [1, 0]}");
    EXPECT_TRUE(has_note(reading, "\"" + key + "\" is not used")) << key;
    EXPECT_EQ(reading.document.mask, Mask{}) << key;
  }
}

TEST(ForeignNames, RefusesTwoOfOneRoleWithBothPlaces) {
  const std::pair<std::string, std::string> cases[] = {
      {"{\"attention\": " + kTwo + ",\n\"attn\": " + kTwo + "}", "/attention in line 1"},
      {"{\"attn\": " + kTwo + ",\n\"attention\": " + kTwo + "}", "/attn in line 1"},
      {"{\"layer01_attn\": " + kTwo + ",\n\"layer1_attn\": " + kTwo + "}",
       "/layer01_attn in line 1"},
      {"{\"weights\": " + kTwo + ",\n\"all\": {\"att\": " + kTwo + "}}", "/weights in line 1"},
  };
  for (const auto& [json, other] : cases) {
    const Error error = read_error(json);
    EXPECT_EQ(error.message, "two keys are read as \"attention\"") << json;
    EXPECT_EQ(error.line, 2U) << json;
    EXPECT_EQ(error.hint, "the other one is " + other) << json;
  }
}

TEST(ForeignNames, PlacesLaterErrorsWhereTheNumbersStand) {
  const Error error =
      read_error("{\"tokens\": [\"a\"],\n\"attn\": [[1, 0], [0, 1]],\n\"src\": [\"a\"]}");
  EXPECT_EQ(error.pointer, "/src");
  EXPECT_EQ(error.line, 3U);
}

TEST(ForeignNames, LeavesUnknownKeysErrors) {
  for (const std::string key : {"w_q", "w_output", "b_k", "tenosr"}) {
    EXPECT_EQ(read_error(R"({"tokens": ["a"], ")" + key + "\": [[3]]}").message, "unknown key")
        << key;
  }
  EXPECT_EQ(read_error(R"({"tokens": ["a"], "projectinos": {"w_q": [[1]]}})").hint,
            "did you mean \"projections\"?");
  for (const std::string& key :
       std::vector<std::string>{"attnx", "tokenz", "wights", "top_k", "scale"}) {
    EXPECT_EQ(read_error(R"({"tokens": ["a"], ")" + key + "\": 3}").message, "unknown key") << key;
  }
}

// --- masks

Reading with_mask(const std::string& member) {
  return read_ok(R"({"q": [[1], [2], [3]], "k": [[1], [2], [3]], )" + member + "}");
}

TEST(ForeignNames, ReadsMasksByWhatTheyWouldHide) {
  const BoolTensor lower({3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1});
  for (const std::string key : {"attn_mask", "causal_mask", "src_mask", "attention_mask"}) {
    const std::string name = "\"" + key + "\": ";
    EXPECT_EQ(with_mask(name + "[[1, 0, 0], [1, 1, 0], [1, 1, 1]]").document.mask.visible, lower);
    const Reading hides =
        with_mask(name + "[[false, true, true], [false, false, true], [false, false, false]]");
    EXPECT_EQ(hides.document.mask.visible, lower) << key;
    EXPECT_TRUE(
        has_note(hides, "\"" + key + "\" (3, 3) is read as \"visible\" of the mask: true hides"))
        << key;
  }
  EXPECT_EQ(with_mask("\"mask\": [[1, 0, 0], [1, 1, 0], [1, 1, 1]]").document.mask.visible, lower);
}

TEST(ForeignNames, ReadsPaddingByItsName) {
  const PaddingLists padding{{1, 1, 0}};
  EXPECT_EQ(with_mask("\"key_padding_mask\": [[0, 0, 1]]").document.mask.key_padding, padding);
  EXPECT_EQ(with_mask("\"src_key_padding_mask\": [false, false, true]").document.mask.key_padding,
            padding);
  EXPECT_EQ(with_mask("\"attention_mask\": [1, 1, 0]").document.mask.key_padding, padding);
  const Reading both = with_mask(
      "\"key_padding_mask\": [0, 0, 1], \"attn_mask\": [[0, 1, 1], [0, 0, 1], [0, 0, 0]]");
  EXPECT_EQ(both.document.mask.key_padding, padding);
  EXPECT_FALSE(both.document.mask.visible.empty());
}

TEST(ForeignNames, AddsBiases) {
  for (const std::string key : {"attention_bias", "attn_bias", "bias"}) {
    const Reading reading = with_mask("\"" + key + "\": [[0.5, 1, 2], [0, 0, 1], [0, 0, 0]]");
    EXPECT_EQ(reading.document.mask.bias[2], 2.0F) << key;
  }
}

TEST(ForeignNames, RefusesMasksThatNothingTells) {
  const auto refused = [](const std::string& member) {
    return read_error(R"({"q": [[1], [2], [3]], "k": [[1], [2], [3]], )" + member + "}");
  };
  const Error open = refused("\"attn_mask\": [[1, 0, 1], [0, 1, 0], [1, 0, 1]]");
  EXPECT_EQ(open.message, "true may hide or attend, and the numbers do not decide");
  EXPECT_EQ(open.expected, "\"mask\": {\"visible\": …}, where true attends");
  EXPECT_EQ(open.pointer, "/attn_mask");
  EXPECT_EQ(refused("\"attn_mask\": [[0.5, 1, 1], [1, 1, 1], [1, 1, 1]]").pointer,
            "/attn_mask/0/0");
  EXPECT_EQ(refused("\"padding_mask\": [0, 0, 1]").pointer, "/padding_mask");
  EXPECT_EQ(refused("\"attention_mask\": [1, 1, 0], \"input_mask\": [1, 1, 0]").pointer,
            "/input_mask");
  EXPECT_EQ(refused("\"attention_mask\": [1, 1, 0], \"mask\": {\"causal\": true}").pointer,
            "/mask");
}

// --- levels

TEST(ForeignNames, UnwrapsOneLevel) {
  const Document ours = read_ok(R"({"query_tokens": ["x", "y"], "key_tokens": ["a", "b"],
      "attention": )" + kTwo + "}")
                            .document;
  const std::string texts = R"("left_text": ["x", "y"], "right_text": ["a", "b"])";
  for (const std::string& json : std::vector<std::string>{
           R"({"attention": {"attn": )" + kTwo + ", " + texts + "}}",
           R"({"all": {"att": )" + kTwo + R"(, "top_text": ["x", "y"], "bot_text": ["a", "b"]}})",
           R"({"attention": [{"attn": )" + kTwo + ", " + texts + "}]}",
           R"({"layers": [{"attn": )" + kTwo + "}], " + texts + "}"}) {
    EXPECT_EQ(read_ok(json).document, ours) << json;
  }
}

TEST(ForeignNames, StacksLayersOfAList) {
  const Reading reading = read_ok(R"({"tokens": ["a", "b"], "layers": [{"attn": )" + kTwo +
                                  R"(}, {"attn": [[1, 0], [0, 1]]}, {"attn": )" + kTwo + "}]}");
  EXPECT_EQ(shape_of(reading.document).layers, 3U);
  EXPECT_EQ(shape_of(reading.document).heads, 1U);
  EXPECT_EQ(read_error(R"({"layers": [{"attn": )" + kTwo + R"(}, {"attn": [[1]]}]})").pointer,
            "/layers/1");
}

TEST(ForeignNames, TellsAttentionsOfAnEncoderAndADecoderApart) {
  const Document document = read_ok(R"({"target": ["x"], "source": ["a", "b"],
      "cross_attentions": [[0.5, 0.5]], "decoder_attentions": [[1]], "encoder_attentions": )" +
                                    kTwo + "}")
                                .document;
  EXPECT_EQ(attentions_of(document).size(), 3U);
}

// --- levels of lists

TEST(ForeignNames, TakesOneRowForOneQuery) {
  for (const std::string& json : std::vector<std::string>{
           R"({"tokens": ["a", "b", "c"], "attention": [0.5, 0.25, 0.25]})",
           R"({"tokens": ["a", "b", "c"], "attn": [[0.5, 0.25, 0.25]]})",
           R"({"key_tokens": ["a", "b", "c"], "weights": [0.5, 0.25, 0.25]})"}) {
    const Reading reading = read_ok(json);
    EXPECT_EQ(shape_of(reading.document).n_q, 1U) << json;
    EXPECT_EQ(reading.document.key_tokens, (TokenLists{{"a", "b", "c"}})) << json;
    EXPECT_EQ(weight(reading, 0, 2), 0.25) << json;
  }
  EXPECT_EQ(read_error(R"({"tokens": ["a", "b"], "attention": 0.5})").pointer, "/attention");
  EXPECT_EQ(read_error(R"({"tokens": ["a", "b"], "attention": [0.5, 0.25, 0.25]})").pointer,
            "/tokens");
}

TEST(ForeignNames, ReadsAListOfMatricesAsAttention) {
  const Reading heads = read_ok("[" + kTwo + ", " + kTwo + "]");
  EXPECT_EQ(heads.document.model.index(),
            read_ok(R"({"attention": )" + kTwo + "}").document.model.index());
  EXPECT_EQ(weight(heads, 1, 1, 1), 0.75);
  EXPECT_TRUE(has_note(heads, "the matrices of the list are read as"));
  EXPECT_EQ(read_ok("[[[[0.5, 0.5]]]]").document.title, "");
  EXPECT_EQ(read_error("[[[\"a\"]]]").found, "the text \"a\"");
  EXPECT_FALSE(has_note(read_ok(R"([["a", "b"], ["c"]])"), "matrices"));
}

TEST(ForeignNames, NamesTheSecondReadingOfLevels) {
  const Reading heads = read_ok("{\"attn\": [" + kTwo + ", " + kTwo + "]}");
  EXPECT_EQ(shape_of(heads.document).heads, 2U);
  EXPECT_TRUE(has_note(heads, "the axes sample, query, key fit as well"));
  EXPECT_FALSE(has_note(heads, "sample\", \"head"));
  const Reading layers = read_ok("{\"attn\": [[" + kTwo + "], [" + kTwo + "]]}");
  EXPECT_TRUE(has_note(layers, "the axes sample, head, query, key fit as well"));
  EXPECT_FALSE(has_note(read_ok("{\"attn\": [[" + kTwo + "]]}"), "fit as well"));
  EXPECT_FALSE(has_note(read_ok(write_document(layers.document)), "fit as well"));
}

// --- orders of projections

TEST(ForeignNames, ReadsKernelsPerHeadAsKerasAndFlaxStoreThem) {
  // 3 inputs, 2 heads of 2: (heads, inputs, outputs), and (inputs, heads, outputs).
  const std::string ours = R"({"embeddings": [[1, 2, 3]], "projections": {
      "w_q": [[[1, 2], [5, 6], [9, 10]], [[3, 4], [7, 8], [11, 12]]]}})";
  const std::string kernel = "[[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]";
  const auto with = [&](const std::string& member) {
    return R"({"embeddings": [[1, 2, 3]], "projections": {)" + member + "}}";
  };
  const Tensor expected({3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  EXPECT_EQ(projections_of(ours).w_q, expected);
  for (const std::string& member : std::vector<std::string>{
           "\"w_q\": " + kernel, R"("order": "in_heads_out", "w_q": )" + kernel,
           "\"query/kernel\": " + kernel, R"("query": {"kernel": )" + kernel + "}"}) {
    EXPECT_EQ(projections_of(with(member)).w_q, expected) << member;
  }
  EXPECT_TRUE(has_note(read_ok(with("\"w_q\": " + kernel)),
                       "w_q (3, 2, 2) is read in the order in_heads_out"));
}

TEST(ForeignNames, NamesTheOtherOrderWhereBothFit) {
  const std::string cube = "[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]";
  const Reading both = read_ok(R"({"embeddings": [[1, 2]], "projections": {"w_q": )" + cube + "}}");
  EXPECT_TRUE(has_note(both, "is read in the order in_out, for embeddings of 2 columns"));
  EXPECT_TRUE(has_note(both, "the order in_heads_out fits as well"));
  const Reading square =
      read_ok(R"({"embeddings": [[1, 2]], "projections": {"w_q": [[1, 2], [3, 4]]}})");
  EXPECT_TRUE(has_note(square, "the order out_in fits as well"));
  for (const std::string& order : std::vector<std::string>{"in_out", "out_in"}) {
    const Reading said = read_ok(R"({"embeddings": [[1, 2]], "projections": {"order": ")" + order +
                                 R"(", "w_q": [[1, 2], [3, 4]]}})");
    EXPECT_FALSE(has_note(said, "fits as well")) << order;
    EXPECT_FALSE(has_note(read_ok(write_document(said.document)), "w_q (2, 2)")) << order;
  }
}

TEST(ForeignNames, TurnsWhatFitsTheEmbeddingsOnlyTurned) {
  EXPECT_EQ(projections_of(R"({"embeddings": [[1, 2]], "projections": {
                "w_q": [[1, 2], [3, 4], [5, 6]]}})")
                .w_q,
            Tensor({2, 3}, {1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(projections_of(R"({"embeddings": [[1]], "projections": {
                "w_qkv": [[1], [2], [3]]}})")
                .w_v,
            Tensor({1, 1}, {3}));
  EXPECT_EQ(projections_of(R"({"tokens": ["a"], "projections": {
                "w_qkv": [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]]}})")
                .w_k,
            Tensor({2, 2}, {5, 7, 6, 8}));
}

TEST(ForeignNames, TakesTheOrderFromNamesOfMatrices) {
  const auto w_q = [](const std::string& name) {
    return projections_of(R"({"embeddings": [[1, 2]], "projections": {")" + name +
                          R"(": [[1, 2], [3, 4]]}})")
        .w_q;
  };
  for (const char* name : {"q_proj.weight", "query.weight", "wq.weight", "to_q.weight"}) {
    EXPECT_EQ(w_q(name), Tensor({2, 2}, {1, 3, 2, 4})) << name;
  }
  for (const char* name : {"query/kernel", "wq", "W_Q", "q_proj"}) {
    EXPECT_EQ(w_q(name), Tensor({2, 2}, {1, 2, 3, 4})) << name;
  }
  const Projections torch = projections_of(R"({"embeddings": [[1]], "projections": {
      "in_proj_weight": [[1], [2], [3]], "in_proj_bias": [4, 5, 6], "out_proj.weight": [[7]],
      "out_proj.bias": [8]}})");
  EXPECT_EQ(torch.w_k, Tensor({1, 1}, {2}));
  EXPECT_EQ(torch.b_v, Tensor({1}, {6}));
  EXPECT_EQ(torch.b_o, Tensor({1}, {8}));
  const Projections gpt2 =
      projections_of(R"({"embeddings": [[1, 2, 3]], "heads": 1, "projections": {
      "c_attn.weight": [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 6, 7, 8, 9],
                        [1, 2, 3, 4, 5, 6, 7, 8, 9]]}})");
  EXPECT_EQ(gpt2.w_v[0], 7.0F);
}

TEST(ForeignNames, SaysHowAKernelIsCutThatLibrariesStoreInTwoWays) {
  const Result<Reading> reading = read_document(R"({"embeddings": [[1]], "projections": {
      "query_key_value.weight": [[1], [2], [3]]}})",
                                                "x");
  ASSERT_TRUE(reading) << describe(reading.error());
  const auto says = [](const std::string& note) { return note.find("GPT-NeoX") != note.npos; };
  EXPECT_EQ(std::ranges::count_if(reading->notes, says), 1);
}

TEST(ForeignNames, CutsFusedKernelsInThree) {
  // (1, 3, 2, 1): one input, three parts of two heads.
  const Projections flax = projections_of(R"({"embeddings": [[1]], "projections": {
      "qkv": {"kernel": [[[[1], [2]], [[3], [4]], [[5], [6]]]], "bias": [[[7], [8]], [[9], [10]], [[11], [12]]]}}})");
  EXPECT_EQ(flax.w_k, Tensor({1, 2}, {3, 4}));
  EXPECT_EQ(flax.b_v, Tensor({2}, {11, 12}));
  const Projections stacked = projections_of(R"({"embeddings": [[1, 2]], "projections": {
      "w_qkv": [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]}})");
  EXPECT_EQ(stacked.w_k, Tensor({2, 2}, {5, 6, 7, 8}));
  const Error error = read_error(R"({"embeddings": [[1, 2]], "projections": {
      "w_qkv": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]}})");
  EXPECT_EQ(error.pointer, "/projections/w_qkv");
  EXPECT_EQ(error.found, "(2, 2, 2)");
  EXPECT_EQ(error.expected, "3 parts, and as many inputs as the embeddings have columns");
}

TEST(ForeignNames, NamesTheMatrixThatDoesNotFit) {
  const Error q = read_error(R"({"embeddings": [[1, 2, 3, 4, 5]], "projections": {
      "w_q": [[[1, 2]], [[3, 4]], [[5, 6]]], "w_o": [[[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]]}})");
  EXPECT_EQ(q.pointer, "/projections/w_q");
  EXPECT_EQ(q.found, "(3, 1, 2)");
  EXPECT_EQ(q.expected, "5 inputs");
  const Error o = read_error(R"({"embeddings": [[1, 2]], "projections": {"order": "in_out",
      "w_q": [[[1], [2]], [[3], [4]]], "w_o": [[[1, 2]], [[1, 2]], [[1, 2]]]}})");
  EXPECT_EQ(o.pointer, "/projections/w_o");
  EXPECT_EQ(o.expected, "2, as w_q (2, 2, 1)");
  const Error two = read_error(R"({"embeddings": [[1, 2]], "projections": {
      "q_proj": [[1, 2], [3, 4]], "w_q": [[1, 2], [3, 4]]}})");
  EXPECT_EQ(two.message, "two keys are read as \"w_q\"");
  EXPECT_EQ(read_error(R"({"embeddings": [[1, 2]], "projections": {
      "q_proj.weight": [[1, 2], [3, 4]], "key/kernel": [[1, 2], [3, 4]]}})")
                .pointer,
            "/projections/key~1kernel");
  EXPECT_EQ(read_error(R"({"tokens": ["a"], "projections": {"query": {"gamma": [1]}}})").message,
            "unknown key");
}

// --- files of tutorials

TEST(ForeignNames, ReadsFilesOfTutorials) {
  const auto self = test::shared_file("inputs/attention_weights.json");
  const auto cross = test::shared_file("inputs/source-target.json");
  const auto row = test::shared_file("inputs/one-row.json");
  const auto kernels = test::shared_file("inputs/kernels-flax.json");
  ATTNSCOPE_SKIP_WITHOUT(self && cross && row && kernels);
  const Reading own = read_ok(test::read_text(*self));
  EXPECT_EQ(own.document.query_tokens, (TokenLists{{"je", "suis", "las", "</s>"}}));
  EXPECT_NEAR(weight(own, 2, 1), 0.7014, 1e-6);
  const Reading two = read_ok(test::read_text(*cross));
  EXPECT_EQ(two.document.query_tokens, (TokenLists{{"i", "am", "tired", "</s>"}}));
  EXPECT_EQ(two.document.key_tokens, (TokenLists{{"je", "suis", "las", "</s>"}}));
  EXPECT_NEAR(weight(two, 2, 1), 0.7014, 1e-6);
  const Reading one = read_ok(test::read_text(*row));
  EXPECT_EQ(one.document.key_tokens, (TokenLists{{"Hello", "world"}}));
  EXPECT_EQ(shape_of(one.document).n_q, 1U);
  EXPECT_NEAR(weight(one, 0, 0), 0.9, 1e-6);
  const Reading flax = read_ok(test::read_text(*kernels));
  EXPECT_NEAR(weight(flax, 0, 0), 0.1310, 5e-5);
  EXPECT_NEAR(weight(flax, 0, 1), 0.8690, 5e-5);
  EXPECT_NEAR(weight(flax, 1, 0), 0.2806, 5e-5);
  EXPECT_TRUE(has_note(flax, "in_heads_out"));
}

}  // namespace
}  // namespace attn
