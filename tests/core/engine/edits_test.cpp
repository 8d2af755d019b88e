// Random sequences of edits: results made from their predecessors against full computation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/special_numbers.h"
#include "engine/layers_result.h"
#include "engine/matrix/comparison.h"
#include "engine/matrix/matrix.h"
#include "engine/matrix/pool.h"
#include "kinds/blocks/stack_result.h"
#include "problems.h"

namespace attn::test {
namespace {

constexpr int kEdits = 8;

void change_element(Tensor& tensor, Random& random) {
  if (tensor.empty()) return;
  tensor = tensor.with(uniform(random, 0, tensor.size() - 1), 2.0F * random.normal());
}

void change_flag(BoolTensor& flags, Random& random) {
  if (flags.empty()) return;
  const std::size_t at = uniform(random, 0, flags.size() - 1);
  flags = flags.with(at, flags[at] == 0 ? 1 : 0);
}

// Changes a row of embeddings in all tensors that contain it.
void change_token(AttentionProblem& problem, Random& random) {
  const bool is_one = problem.query_embeddings.shares_with(problem.key_embeddings);
  const std::size_t width = problem.query_embeddings.extent(2);
  const std::size_t token = uniform(random, 0, problem.query_embeddings.size() / width - 1);
  std::vector<float> values(problem.query_embeddings.values().begin(),
                            problem.query_embeddings.values().end());
  for (std::size_t c = 0; c < width; ++c) values[token * width + c] = random.normal();
  problem.query_embeddings = Tensor(problem.query_embeddings.shape(), std::move(values));
  if (is_one) problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
}

void edit_inputs(AttentionProblem& problem, Random& random) {
  if (problem.kind == &kQkvProblems) {
    Tensor* tensors[] = {&problem.q, &problem.k, &problem.v};
    return change_element(*tensors[uniform(random, 0, 2)], random);
  }
  if (uniform(random, 0, 1) == 0) return change_token(problem, random);
  Projections& by =
      problem.stack.blocks.empty()
          ? problem.projections
          : problem.stack.blocks[uniform(random, 0, problem.stack.blocks.size() - 1)].projections;
  Tensor* tensors[] = {&by.w_q, &by.w_k, &by.w_v, &by.w_o, &by.b_k};
  change_element(*tensors[uniform(random, 0, 4)], random);
}

// Changes norms, their order or the rules of a block.
void edit_stack(AttentionProblem& problem, Random& random) {
  Stack& stack = problem.stack;
  TransformerBlock& block = stack.blocks[uniform(random, 0, stack.blocks.size() - 1)];
  const std::size_t d_k = problem.shape.d_k, width = problem.shape.d_model;
  switch (uniform(random, 0, 9)) {
    case 0:
      stack.order = static_cast<NormOrder>(uniform(random, 0, 3));
      stack.parallel = stack.parallel && stack.order != NormOrder::Post;
      break;
    case 1:
      stack.parallel = !stack.parallel && stack.order != NormOrder::Post;
      break;
    case 2:
      stack.weight_offset = 1.0F - stack.weight_offset;
      break;
    case 3:
      block.rules.window = Window{uniform(random, 0, 3), std::nullopt, 1};
      break;
    case 4:
      block.rules.sinks = {random.normal()};
      break;
    case 5:
      if (!is_added(problem.position)) block.rules.position.emplace();
      break;
    case 6:
      block.attention_out_norm.none = !block.attention_out_norm.none;
      break;
    case 7:
      stack.embedding_norm.emplace().weight = random_tensor({width}, random);
      break;
    case 8:
      for (TransformerBlock& each : stack.blocks) {
        each.projections.q_norm = random_tensor({d_k}, random);
      }
      break;
    default:
      change_element(block.projections.k_norm, random);
      change_element(block.feed_forward_out_norm.weight, random);
  }
}

void edit(AttentionProblem& problem, Random& random) {
  if (!problem.stack.blocks.empty() && uniform(random, 0, 2) == 0) {
    return edit_stack(problem, random);
  }
  const std::size_t what = uniform(random, 0, 9);
  if (what == 0) return change_flag(problem.mask.visible, random);
  if (what == 1) return change_element(problem.mask.bias, random);
  if (what == 2) problem.mask.causal = !problem.mask.causal;
  if (what == 3) problem.scoring.temperature = 0.5F + random.uniform();
  if (what < 6) change_gate(problem, random);
  if (what == 5) return;
  if (what == 6) return change_pattern(problem, random);
  if (what == 7) return change_edge(problem, random);
  edit_inputs(problem, random);
}

// Tolerates roundings of sums that were updated instead of recomputed.
void expect_near(const std::vector<float>& got, const std::vector<float>& expected,
                 const std::string& what) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(expected[i]) || std::isinf(expected[i])) {
      ASSERT_EQ(std::isnan(got[i]), std::isnan(expected[i])) << what << ", " << i;
      continue;
    }
    ASSERT_NEAR(got[i], expected[i], 2e-6 + 4e-6 * std::abs(expected[i])) << what << ", " << i;
  }
}

std::vector<float> pooled(const ResultPtr& result, const HeadAddress& head) {
  const StageShape shape = result->stage_shape(Stage::Weights);
  const MatrixPtr matrix = stage_matrix(result, {Stage::Weights, head});
  return pooled_by_rows(*matrix, {0, 0, shape.rows, shape.cols}, shape.rows / 2 + 1,
                        shape.cols / 3 + 1, Pooling::Maximum)
      .values;
}

void expect_same_results(const ResultPtr& edited, const ResultPtr& anew, Random& random) {
  for (const HeadAddress& head : heads_of(anew->shape())) {
    if (uniform(random, 0, 2) == 0) continue;  // so that caches are sometimes empty
    // Pooling computes sums of rows: not always before they are used.
    if (uniform(random, 0, 2) == 0) {
      expect_near(pooled(edited, head), pooled(anew, head), "pooled weights");
    }
    for (const Stage stage : anew->stages()) {
      if (uniform(random, 0, 3) == 0) continue;
      expect_near(cells(*edited, stage, head), cells(*anew, stage, head),
                  std::string(stage_info(stage).name));
    }
  }
}

void expect_same_after_edits(AttentionProblem problem, std::uint64_t seed,
                             std::uint64_t most_kept = 0) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  problem.most_materialised_map_bytes = most_kept;
  ComputeOptions options;
  options.before = computed(problem);
  for (int step = 0; step < kEdits && !testing::Test::HasFatalFailure(); ++step) {
    SCOPED_TRACE("edit " + std::to_string(step));
    edit(problem, random);
    const Result<ResultPtr> edited = compute(problem, options);
    ASSERT_TRUE(edited) << describe(edited.error());
    expect_same_results(*edited, computed(problem), random);
    options.before = *edited;
  }
}

TEST(Edits, GiveWhatComputingAnewDoes) {
  for (std::uint64_t seed = 0; seed < 8 && !HasFatalFailure(); ++seed) {
    expect_same_after_edits(float_problem(seed), seed);
  }
}

TEST(Edits, GiveItInSmallProblemsOfEveryKind) {
  for (std::uint64_t seed = 0; seed < 30 && !HasFatalFailure(); ++seed) {
    expect_same_after_edits(random_problem(seed), seed);
    expect_same_after_edits(random_problem(seed), seed, kMostMaterialisedMapBytes);
  }
}

TEST(Edits, GiveItInLayersOfQueriesKeysAndValues) {
  for (std::uint64_t seed = 0; seed < 20 && !HasFatalFailure(); ++seed) {
    expect_same_after_edits(layers_problem(seed), seed, seed % 2 * kMostMaterialisedMapBytes);
  }
}

// Every stage of every attention.
void expect_same_bits(const AttentionResult& a, const AttentionResult& b) {
  for (const AttentionInfo& info : attentions_of(a.problem())) {
    for (const HeadAddress& head : heads_of(a.shape(), info.attention)) {
      for (const Stage stage : a.stages(head)) {
        ASSERT_TRUE(same_bits(cells(a, stage, head), cells(b, stage, head)))
            << stage_info(stage).name << ", layer " << head.layer;
      }
    }
  }
}

TEST(Edits, KeepTheBitsOfStacksWhateverTheThreads) {
  for (std::uint64_t seed = 0; seed < 60 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    AttentionProblem problem = seed % 3 == 0 ? decoder_problem(seed) : stack_problem(seed);
    Random random(mix(seed, 9));
    ComputeOptions options;
    options.before = computed(problem);
    for (int step = 0; step < kEdits && !HasFatalFailure(); ++step) {
      edit(problem, random);
      const ResultPtr anew = computed(problem, 1);
      for (const unsigned threads : {1U, 2U, 8U}) {
        options.threads = threads;
        const Result<ResultPtr> edited = compute(problem, options);
        ASSERT_TRUE(edited) << describe(edited.error());
        expect_same_bits(*anew, **edited);
        if (threads == 8) options.before = *edited;
      }
    }
  }
}

TEST(Edits, LeaveOtherLayersAlone) {
  AttentionProblem problem = layers_problem(0);
  ComputeOptions options;
  options.before = computed(problem);
  problem.q = problem.q.with(problem.q.size() - 1, 4.0F);
  const ResultPtr edited = *compute(problem, options);
  const auto layers = [](const ResultPtr& result) {
    return dynamic_cast<const LayersResult&>(*result).layers();
  };
  EXPECT_EQ(layers(edited).front(), layers(options.before).front());
  EXPECT_NE(layers(edited).back(), layers(options.before).back());
}

// Blocks in which nothing has changed are the same objects; the last has the norm behind it.
TEST(Edits, ShareTheBlocksThatTheyDoNotReach) {
  std::uint64_t seed = 0;
  while (stack_problem(seed).shape.layers < 2) ++seed;
  AttentionProblem problem = stack_problem(seed);
  problem.stack.final_norm.emplace();
  ComputeOptions options;
  options.before = computed(problem);
  const auto is_shared = [&](const ResultPtr& now, std::size_t layer) {
    const auto& before = dynamic_cast<const StackResult&>(*options.before);
    return &dynamic_cast<const StackResult&>(*now).layer(layer) == &before.layer(layer);
  };
  const std::size_t last = problem.shape.layers - 1;
  const ResultPtr same = *compute(problem, options);
  for (std::size_t layer = 0; layer <= last; ++layer) EXPECT_TRUE(is_shared(same, layer));
  const std::size_t width = problem.shape.d_model;
  problem.stack.final_norm->bias = Tensor({width}, std::vector<float>(width, 1.0F));
  const ResultPtr edited = *compute(problem, options);
  EXPECT_TRUE(is_shared(edited, 0));
  EXPECT_FALSE(is_shared(edited, last));
  expect_same_bits(*edited, *computed(problem));
  expect_same_bits(*same, *options.before);
}

TEST(Edits, GiveItInStacksAndDecoders) {
  for (std::uint64_t seed = 0; seed < 15 && !HasFatalFailure(); ++seed) {
    expect_same_after_edits(stack_problem(seed), seed, seed % 2 * kMostMaterialisedMapBytes);
    expect_same_after_edits(decoder_problem(seed), seed, seed % 2 * kMostMaterialisedMapBytes);
  }
}

// Long enough that most rows precede the edit or lie outside of its window.
TEST(Edits, GiveItInLongStacks) {
  for (std::uint64_t seed = 0; seed < 4 && !HasFatalFailure(); ++seed) {
    Random random(seed);
    AttentionProblem problem = stack_problem(seed);
    AttentionShape& s = problem.shape;
    s.n_q = s.n_k = 140;
    problem.query_embeddings = random_tensor({s.samples, s.n_q, s.d_model}, random);
    problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
    problem.mask = {};
    problem.mask.causal = true;
    if (seed % 3 == 0) problem.mask.window = Window{20, 3, 1};
    expect_same_after_edits(problem, seed);
  }
}

TEST(Edits, GiveItAmongExtremeValues) {
  constexpr float kExtremes[] = {1e30F, -1e30F, kNaN, kInfinity, -kInfinity, 80.0F};
  for (std::uint64_t seed = 0; seed < 6 && !HasFatalFailure(); ++seed) {
    Random random(seed);
    AttentionProblem problem = float_problem(seed);
    ComputeOptions options;
    options.before = computed(problem);
    for (int step = 0; step < 6 && !HasFatalFailure(); ++step) {
      Tensor& tensor = step % 2 == 0 ? problem.k : problem.q;
      const std::size_t at = uniform(random, 0, tensor.size() - 1);
      tensor = tensor.with(at, kExtremes[uniform(random, 0, 5)]);
      const Result<ResultPtr> edited = compute(problem, options);
      ASSERT_TRUE(edited);
      expect_same_results(*edited, computed(problem), random);
      options.before = *edited;
      if (step == 3) tensor = tensor.with(at, 1.0F);
    }
  }
}

// Unaffected cells have equal bits without being computed.
TEST(Edits, LeaveOtherRowsAndHeadsAlone) {
  AttentionProblem problem = qkv_problem(1, 2, 100, 120, 40, 7);
  problem.most_materialised_map_bytes = 0;
  ComputeOptions options;
  options.before = computed(problem);
  const std::vector<float> first = cells(*options.before, Stage::Weights, {0, 0, 0});
  const std::vector<float> second = cells(*options.before, Stage::Weights, {0, 0, 1});
  problem.q = problem.q.with(5 * 40 + 3, 4.0F);
  const ResultPtr edited = *compute(problem, options);
  const std::vector<float> now = cells(*edited, Stage::Weights, {0, 0, 0});
  EXPECT_FALSE(std::equal(&now[5 * 120], &now[6 * 120], &first[5 * 120]));
  EXPECT_TRUE(std::equal(&now[0], &now[5 * 120], &first[0]));
  EXPECT_TRUE(std::equal(&now[6 * 120], &now[0] + now.size(), &first[6 * 120]));
  EXPECT_EQ(cells(*edited, Stage::Weights, {0, 0, 1}), second);
}

TEST(Tensor, KnowsTheElementInWhichACopyDiffers) {
  const Tensor one({2, 2}, {1.0F, 2.0F, 3.0F, 4.0F});
  const Tensor two = one.with(3, 5.0F);
  EXPECT_EQ(two.edited_since(one), 3U);
  EXPECT_EQ(one.edited_since(two), 3U);
  EXPECT_FALSE(two.with(1, 0.0F).edited_since(one).has_value());
  EXPECT_FALSE(Tensor().edited_since(one).has_value());
  EXPECT_FALSE(two.reshaped({4}).edited_since(one).has_value());
}

// --- gates of heads: against zeroed rows of W_O, and what they share with the result before

// The problem with zeros in the head's rows of W_O.
AttentionProblem without_rows(AttentionProblem problem, const HeadAddress& at) {
  TransformerBlock* block =
      problem.stack.blocks.empty() ? nullptr : &problem.stack.blocks[at.layer];
  Projections& by = block == nullptr              ? problem.projections
                    : attends_across(problem, at) ? block->cross->projections
                                                  : block->projections;
  const std::size_t rows = problem.shape.d_v, cols = by.w_o.extent(1);
  std::vector<float> values(by.w_o.values().begin(), by.w_o.values().end());
  std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(at.head * rows * cols), rows * cols,
              0.0F);
  by.w_o = Tensor(by.w_o.shape(), std::move(values));
  return problem;
}

void expect_as_without_rows(AttentionProblem problem, const HeadAddress& at) {
  const ResultPtr zeroed = computed(without_rows(problem, at));
  set_gate(problem.what_if, at, 0.0F);
  const ResultPtr gated = computed(problem);
  for (const AttentionInfo& info : attentions_of(problem)) {
    for (const HeadAddress& head : heads_of(problem.shape, info.attention)) {
      for (const Stage stage : gated->stages(head)) {
        ASSERT_TRUE(same_bits(cells(*gated, stage, head), cells(*zeroed, stage, head)))
            << stage_info(stage).name << ", layer " << head.layer;
      }
    }
  }
}

TEST(Gates, OfNothingAreZerosInTheOutputProjectionToTheBit) {
  int tried = 0;
  for (std::uint64_t seed = 0; seed < 30 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (const auto make : {random_problem, stack_problem, decoder_problem}) {
      const AttentionProblem problem = make(seed);
      for (const AttentionInfo& info : attentions_of(problem)) {
        const HeadAddress at = info.at().moved_to(0, 0, problem.shape.heads - 1);
        if (!linear_stage(problem, Stage::Projected, at)) continue;
        ++tried;
        expect_as_without_rows(problem, at);
      }
    }
  }
  EXPECT_GT(tried, 60);
}

TEST(Gates, LeaveAllStagesInFrontOfTheProjectionInOneMemory) {
  AttentionProblem problem = stack_problem(0);
  ComputeOptions options;
  options.before = computed(problem);
  set_gate(problem.what_if, {}, 0.5F);
  const ResultPtr edited = *compute(problem, options);
  const auto weights_in = [](const ResultPtr& result) {
    return dynamic_cast<const LayersResult&>(*result).layers().front()->matrix(Stage::Weights, {});
  };
  EXPECT_EQ(weights_in(edited).data, weights_in(options.before).data);
}

TEST(Gates, AreKeptInOrderWithoutThoseOfOne) {
  Interventions what_if;
  set_gate(what_if, {2, 0, 1}, 0.0F);
  set_gate(what_if, {0, 0, 3}, 2.0F);
  set_gate(what_if, {2, 5, 1}, 0.5F);
  ASSERT_EQ(what_if.gates.size(), 2U);
  EXPECT_EQ(what_if.gates.front().at, (HeadAddress{0, 0, 3}));
  EXPECT_EQ(gate_of(what_if, {2, 9, 1}), 0.5F);
  EXPECT_EQ(gates_of(what_if, {2, 0, 0}, 3), (std::vector{1.0F, 0.5F, 1.0F}));
  EXPECT_TRUE(gates_of(what_if, {1, 0, 0}, 3).empty());
  set_gate(what_if, {2, 0, 1}, 1.0F);
  set_gate(what_if, {0, 0, 3}, 1.0F);
  EXPECT_EQ(what_if, Interventions{});
}

// --- patterns of heads

// Its own weights as numbers change nothing.
TEST(Patterns, OfTheirOwnWeightsGiveEqualBits) {
  int tried = 0;
  for (std::uint64_t seed = 0; seed < 20 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (const auto make : {random_problem, stack_problem, decoder_problem}) {
      AttentionProblem problem = make(seed);
      if (!why_no_patterns(problem).empty()) continue;
      const ResultPtr own = computed(problem);
      const HeadAddress at = attentions_of(problem).front().at();
      set_pattern(problem.what_if, at, whole_stage(*own, Stage::Weights, at));
      const ResultPtr given = computed(problem);
      ++tried;
      for (const Stage stage : own->stages({})) {
        ASSERT_TRUE(same_bits(cells(*own, stage, {}), cells(*given, stage, {})))
            << stage_info(stage).name;
      }
    }
  }
  EXPECT_GT(tried, 20);
}

TEST(Patterns, AreZeroWhereTheMaskHides) {
  AttentionProblem problem = stack_problem(0);
  problem.mask.causal = true;
  const AttentionShape s = problem.shape;
  set_pattern(problem.what_if, {}, Tensor({s.n_q, s.n_k}, std::vector(s.n_q * s.n_k, 0.5F)));
  const ResultPtr result = computed(problem);
  for (std::size_t q = 0; q < s.n_q; ++q) {
    for (std::size_t k = 0; k < s.n_k; ++k) {
      const bool hidden = result->hidden({}, q, k) != kVisible;
      EXPECT_EQ(result->value(Stage::Weights, {}, q, k), hidden ? 0.0F : 0.5F);
    }
  }
}

TEST(Patterns, AreKeptByHeadAndSample) {
  Interventions what_if;
  set_pattern(what_if, {1, 1, 0}, Tensor({1, 1}, {0.25F}));
  set_pattern(what_if, {1, 0, 0}, Tensor({1, 1}, {0.5F}));
  EXPECT_EQ((*pattern_of(what_if, {1, 0, 0}))[0], 0.5F);
  EXPECT_EQ((*pattern_of(what_if, {1, 1, 0}))[0], 0.25F);
  EXPECT_EQ(pattern_of(what_if, {1, 2, 0}), nullptr);
  EXPECT_EQ(of_one_layer(what_if, {.layer = 1}).patterns.front().at, (HeadAddress{0, 0, 0}));
  EXPECT_EQ(words_of(what_if), "patterns");
  set_pattern(what_if, {1, 0, 0}, {});
  set_pattern(what_if, {1, 1, 0}, {});
  EXPECT_EQ(what_if, Interventions{});
}

// --- cut edges

// An edge changes what its head makes, and what comes after; no other head of the layer.
TEST(Edges, ChangeTheirHeadAloneInItsLayer) {
  int tried = 0;
  for (std::uint64_t seed = 0; seed < 60 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    AttentionProblem problem = stack_problem(seed);
    const AttentionShape s = problem.shape;
    if (!why_no_edges(problem).empty() || s.layers < 2 || s.heads < 2) continue;
    const ResultPtr own = computed(problem);
    const HeadAddress to{.layer = 1, .head = 1}, other{.layer = 1, .head = 0};
    set_edge(problem.what_if, {to, Stage::Query, {}}, true);
    const ResultPtr cut = computed(problem);
    EXPECT_TRUE(same_bits(cells(*own, Stage::Query, other), cells(*cut, Stage::Query, other)));
    EXPECT_TRUE(same_bits(cells(*own, Stage::Output, {}), cells(*cut, Stage::Output, {})));
    EXPECT_FALSE(same_bits(cells(*own, Stage::Query, to), cells(*cut, Stage::Query, to)));
    if (s.kv_heads == s.heads) {
      EXPECT_TRUE(same_bits(cells(*own, Stage::Key, to), cells(*cut, Stage::Key, to)));
    }
    EXPECT_FALSE(linear_stage(cut->problem(), Stage::Query, to)) << "made from other rows";
    EXPECT_TRUE(linear_stage(cut->problem(), Stage::Query, other));
    ++tried;
  }
  EXPECT_GT(tried, 2);
}

// A head whose output is 0 loses nothing.
TEST(Edges, FromAHeadThatIsOutChangeNothing) {
  for (std::uint64_t seed = 0; seed < 60 && !HasFatalFailure(); ++seed) {
    AttentionProblem problem = stack_problem(seed);
    if (!why_no_edges(problem).empty() || problem.shape.layers < 2) continue;
    set_gate(problem.what_if, {}, 0.0F);
    const ResultPtr own = computed(problem);
    const HeadAddress to{.layer = 1};
    set_edge(problem.what_if, {to, Stage::Query, {}}, true);
    EXPECT_EQ(whole_stage(*own, Stage::Weights, to),
              whole_stage(*computed(problem), Stage::Weights, to));
  }
}

TEST(Edges, AreKeptInOrder) {
  Interventions what_if;
  const CutEdge queries{{2, 0, 1}, Stage::Query, {1, 0, 0}}, keys{{2, 0, 1}, Stage::Key, {0, 0, 3}};
  set_edge(what_if, keys, true);
  set_edge(what_if, queries, true);
  set_edge(what_if, keys, true);
  EXPECT_EQ(what_if.edges, (std::vector{queries, keys}));
  EXPECT_TRUE(cuts_edge_to(what_if, {2, 5, 1}, Stage::Key)) << "of every sample";
  EXPECT_FALSE(cuts_edge_to(what_if, {2, 0, 1}, Stage::Value));
  EXPECT_EQ(words_of(what_if), "cut edges");
  EXPECT_EQ(edge_words(keys, {.layers = 3}), "L3 H2 without L1 H4 in its keys");
  set_edge(what_if, queries, false);
  set_edge(what_if, keys, false);
  EXPECT_EQ(what_if, Interventions{});
}

// A row that moves all of its weight has a variation of 1.
TEST(Gates, ChangeIsTheMeanVariationOfRows) {
  const auto weights = [](std::vector<float> values) {
    return stage_matrix(computed(weights_problem({1, 1, 1, 2, 2}, std::move(values))),
                        {Stage::Weights, {}});
  };
  const MatrixPtr a = weights({1.0F, 0.0F, 0.5F, 0.5F}), b = weights({0.0F, 1.0F, 0.75F, 0.25F});
  EXPECT_DOUBLE_EQ(mean_variation(*a, *b), (1.0 + 0.25) / 2.0);
  EXPECT_EQ(mean_variation(*a, *a), 0.0);
}

}  // namespace
}  // namespace attn::test
