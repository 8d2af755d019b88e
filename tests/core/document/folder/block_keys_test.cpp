// Keys of blocks that current models need: what is read from them, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "attention/problem.h"
#include "base/joined.h"
#include "document/json/write.h"
#include "document/problem.h"
#include "tests/core/document/documents.h"

namespace attn {
namespace {

using test::read_ok;

// A document of two generated blocks with further keys.
std::string blocks(const std::string& keys) {
  return R"({"tokens": ["a", "b", "c"], "d_model": 8, "heads": 2, )" + keys + "}";
}

const Stack& stack_of_text(const Document& document) { return *stack_of(document.model); }

void expect_refused(const std::string& keys, const std::string& pointer,
                    const std::string& message) {
  const Error error = test::read_error(blocks(keys));
  EXPECT_EQ(error.pointer, pointer) << keys;
  EXPECT_NE(error.message.find(message), error.message.npos) << error.message;
}

TEST(BlockKeys, OrderNormsAsModelsDo) {
  const Reading read = read_ok(blocks(R"("blocks": [
      {"attention_norm": null, "attention_out_norm": {"weight": [1, 2, 3, 4, 5, 6, 7, 8]}}, {}],
      "norms": {"order": "both", "kind": "rms", "offset": 1, "parallel": true,
                "embeddings": true})"));
  const Stack& stack = stack_of_text(read.document);
  EXPECT_EQ(stack.order, NormOrder::Both);
  EXPECT_TRUE(stack.parallel);
  EXPECT_EQ(stack.weight_offset, 1.0F);
  EXPECT_EQ(stack.embedding_norm, Norm{});
  EXPECT_TRUE(stack.blocks[0].attention_norm.none);
  EXPECT_EQ(stack.blocks[0].attention_out_norm.weight.size(), 8U);
  EXPECT_EQ(read_ok(write_document(read.document)).document, read.document);
  expect_refused(R"("blocks": 2, "norms": {"parallel": true})", "/norms/parallel", "sum");
  expect_refused(R"("blocks": [{"attention_out_norm": {"weight": [1]}}])",
                 "/blocks/0/attention_out_norm/weight", "width of the model");
}

TEST(BlockKeys, SayWhichNormsHaveNoEffect) {
  const char* const kNorms =
      R"("blocks": [{"attention_norm": null, "feed_forward_out_norm": null}], "norms": {"order": )";
  const auto notes = [&](const std::string& order) {
    return joined(read_ok(blocks(kNorms + order + "}")).notes, "; ");
  };
  EXPECT_NE(notes("\"pre\"").find("out_norm have no effect"), std::string::npos);
  EXPECT_NE(notes("\"branch\"").find("attention_norm and feed_forward_norm have no effect"),
            std::string::npos);
  EXPECT_EQ(notes("\"both\"").find("effect"), std::string::npos);
}

TEST(BlockKeys, NormQueriesAndKeysOfOneHeadOrAll) {
  const Document document = read_ok(blocks(R"("blocks": [
      {"projections": {"q_norm": [1, 2, 3, 4], "k_norm": [1, 2, 3, 4, 5, 6, 7, 8]}}])"))
                                .document;
  const std::vector<Stage> stages = stages_of(make_problem(document));
  EXPECT_EQ(std::ranges::count(stages, Stage::NormedQuery), 1);
  EXPECT_EQ(std::ranges::count(stages, Stage::NormedKey), 1);
  expect_refused(R"("projections": {"q_norm": [1, 2]})", "/projections/q_norm", "as wide");
  expect_refused(R"("blocks": [{"projections": {"q_norm": [1, 2, 3, 4]}}, {}])",
                 "/blocks/1/projections/q_norm", "all blocks");
}

TEST(BlockKeys, GiveABlockItsOwnRules) {
  const Document document = read_ok(blocks(R"("mask": {"causal": true, "window": [1, 0]},
      "position": "rope", "scoring": {"sinks": 1},
      "blocks": [{}, {"window": [null, null], "position": "none", "sinks": [2, 3]},
                 {"position": {"kind": "rope", "base": 50}}])"))
                                .document;
  const AttentionProblem problem = with_layer_masks(make_problem(document));
  const auto at = [](std::size_t layer) { return HeadAddress{layer, 0, 0}; };
  EXPECT_EQ(hidden_by(mask_of(problem, at(0)), at(0), 2, 0), kHiddenByWindow);
  EXPECT_EQ(hidden_by(mask_of(problem, at(1)), at(1), 2, 0), kVisible);
  EXPECT_EQ(sinks_of(problem, at(0)), std::vector<float>{1.0F});
  EXPECT_EQ(sinks_of(problem, at(1)), (std::vector<float>{2.0F, 3.0F}));
  EXPECT_EQ(rope_angle(position_of(problem, at(1)), 7, 0, 4), 0.0);
  EXPECT_EQ(position_of(problem, at(2)).base, 50.0F);
  EXPECT_EQ(read_ok(write_document(document)).document, document);
  expect_refused(R"("blocks": [{"position": "sinusoidal"}])", "/blocks/0/position", "own position");
  expect_refused(R"("position": "sinusoidal", "blocks": [{"position": "rope"}])",
                 "/blocks/0/position", "own position");
  expect_refused(R"("blocks": [{"sinks": [1, 2, 3]}])", "/blocks/0/sinks", "sinks as heads");
  expect_refused(R"("scoring": {"normaliser": "sigmoid"}, "blocks": [{"sinks": 1}])",
                 "/blocks/0/sinks", "softmax");
  expect_refused(R"("blocks": [{"window": [1]}])", "/blocks/0/window", "two sides");
}

TEST(BlockKeys, ScaleRopeWithWhatTheScalingNeeds) {
  const auto rope = [](const std::string& keys) {
    return R"("position": {"kind": "rope", )" + keys + "}";
  };
  const Document yarn =
      read_ok(blocks(rope(R"("scaling": "yarn", "factor": 4, "original": 32, "truncate": false,
                             "low": 1, "high": 16, "gain": 1.5)")))
          .document;
  EXPECT_EQ(yarn.position.original, 32U);
  EXPECT_FALSE(yarn.position.truncate);
  EXPECT_EQ(read_ok(write_document(yarn)).document, yarn);
  expect_refused(rope(R"("scaling": "llama3", "factor": 8)"), "/position/original", "length");
  expect_refused(rope(R"("scaling": "llama3", "original": 9, "low": 4, "high": 4)"),
                 "/position/low", "below");
  expect_refused(rope(R"("scaling": "longrope", "original": 9, "factors": [1, 2, 3])"),
                 "/position/factors", "each pair");
  expect_refused(rope(R"("scaling": "longrope", "original": 9, "factors": [1, 0])"),
                 "/position/factors", "above zero");
  expect_refused(rope(R"("scaling": "yarn", "original": 9, "base": 1)"), "/position/base", "grow");
  EXPECT_NE(joined(read_ok(blocks(rope(R"("low": 2)"))).notes, "").find("low has no effect"),
            std::string::npos);
}

TEST(BlockKeys, TakeEveryActivation) {
  for (const ActivationInfo& info : all_activations()) {
    const Document document = read_ok(blocks(R"("blocks": [{"feed_forward": {"activation": ")" +
                                             std::string(info.name) + R"("}}])"))
                                  .document;
    const FeedForward& network = stack_of_text(document).blocks[0].feed_forward;
    EXPECT_EQ(network.activation, info.activation);
    EXPECT_EQ(network.w_gate.empty(), !info.gated) << info.name;
  }
}

}  // namespace
}  // namespace attn
