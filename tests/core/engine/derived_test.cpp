// Derived matrices: by hand, against PyTorch, and flow against every cut of its graph.
#include "engine/matrix/derived.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "agreement.h"
#include "engine/matrix/layer_flow.h"
#include "problems.h"
#include "reference_case.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

constexpr double kClose = 1e-6;

std::vector<double> as_doubles(const Tensor& tensor) {
  return {tensor.values().begin(), tensor.values().end()};
}

std::vector<float> cells_of(const Matrix& matrix) {
  const StageShape extents = matrix.extents();
  std::vector<float> cells(extents.rows * extents.cols);
  matrix.read({0, 0, extents.rows, extents.cols}, cells.data());
  return cells;
}

// A derived matrix of the first head, (n_q, n_k).
Tensor derived(const ResultPtr& from, const made::FromWeights& how) {
  const Result<MatrixPtr> made = derive(from, how, {});
  EXPECT_TRUE(made);
  return Tensor({(*made)->extents().rows, (*made)->extents().cols}, cells_of(**made));
}

Tensor rollout(const ResultPtr& from, double residual) {
  return derived(from, {Derived::Rollout, residual});
}

void expect_values(const Tensor& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(got[i]), expected[i], kClose) << i;
  }
}

// Two layers of one causal head of two tokens with equal weights.
ResultPtr two_layers() {
  return computed(weights_problem({2, 1, 1, 2, 2}, {1, 0, 0.5F, 0.5F, 1, 0, 0.5F, 0.5F}));
}

TEST(Rollout, IsTheProductOfTheLayers) {
  expect_values(rollout(two_layers(), 0.0), {1, 0, 0.75, 0.25});
  // Each layer becomes (1, 0; 0.25, 0.75).
  expect_values(rollout(two_layers(), 0.5), {1, 0, 0.25 + 0.75 * 0.25, 0.75 * 0.75});
  expect_values(rollout(two_layers(), 1.0), {1, 0, 0, 1});
}

TEST(Rollout, HasTheLastLayerLeftmost) {
  const ResultPtr result =
      computed(weights_problem({2, 1, 1, 2, 2}, {0, 1, 0, 1, 1, 0, 0.5F, 0.5F}));
  expect_values(rollout(result, 0.0), {0, 1, 0, 1});
  const ResultPtr turned =
      computed(weights_problem({2, 1, 1, 2, 2}, {1, 0, 0.5F, 0.5F, 0, 1, 0, 1}));
  expect_values(rollout(turned, 0.0), {0.5, 0.5, 0.5, 0.5});
}

TEST(Rollout, ATokenThatSeesNothingStaysItself) {
  const ResultPtr result = computed(weights_problem({1, 1, 1, 2, 2}, {0, 0, 0.5F, 0.5F}));
  expect_values(rollout(result, 0.5), {1, 0, 0.25, 0.75});
}

TEST(Rollout, NaNReachesOnlyWhatHoldsIt) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const ResultPtr result =
      computed(weights_problem({2, 1, 1, 2, 2}, {1, 0, nan, 0.5F, 1, 0, 0.5F, 0.5F}));
  const Tensor got = rollout(result, 0.5);
  EXPECT_EQ(got[0], 1.0F);
  EXPECT_EQ(got[1], 0.0F);
  EXPECT_TRUE(std::isnan(got[2]));
}

TEST(Rollout, AgreesWithPyTorch) {
  ATTNSCOPE_SKIP_WITHOUT(shared_file("reference/torch"));
  const ReferenceCase reference = read_reference_case(reference_case_path("metrics_rollout"));
  const CaseTensor& layers = reference.inputs.at("layers");
  const AttentionProblem problem =
      weights_problem({layers.shape[0], 1, layers.shape[1], layers.shape[2], layers.shape[3]},
                      std::vector<float>(layers.values.begin(), layers.values.end()));
  const ResultPtr result = computed(problem);
  const Tensor got = rollout(result, reference.numbers.at("residual"));
  expect_agreement(as_doubles(got), reference, "rollout");
}

TEST(HeadMean, AgreesWithPyTorch) {
  ATTNSCOPE_SKIP_WITHOUT(shared_file("reference/torch"));
  for (const char* name : {"metrics_entropy", "metrics_entropy_extremes"}) {
    const ReferenceCase reference = read_reference_case(reference_case_path(name));
    const CaseTensor& input = reference.inputs.at("weights");
    const AttentionProblem problem =
        weights_problem({1, 1, input.shape[0], input.shape[1], input.shape[2]},
                        std::vector<float>(input.values.begin(), input.values.end()));
    const ResultPtr from = computed(problem);
    const Result<MatrixPtr> mean = derive(from, {Derived::HeadMean}, {});
    ASSERT_TRUE(mean);
    const std::vector<float> got = cells_of(**mean);
    expect_agreement({got.begin(), got.end()}, reference, "head_mean");
  }
}

TEST(Flow, IsTheLargestThroughTheLayers) {
  // Two paths of 0.5 each lead from token 1 to token 0, and one of 0.5 to token 1.
  expect_values(derived(two_layers(), {Derived::Flow, 0.0}), {1, 0, 1, 0.5});
}

TEST(Flow, OfOneLayerIsTheLayer) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const ResultPtr result = computed(qkv_problem(1, 3, 5, 5, 2, seed));
    expect_values(derived(result, {Derived::Flow, 0.3}), as_doubles(rollout(result, 0.3)));
  }
}

// --- every cut of a small graph ----------------------------------------------------------------

// Capacity of the edges that lead out of `side` (a bit per node, level by level).
double cut_of(const std::vector<Tensor>& layers, std::size_t n, std::uint32_t side) {
  const auto on_side = [&](std::size_t node) { return ((side >> node) & 1U) != 0; };
  double total = 0.0;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (on_side((l + 1) * n + i) && !on_side(l * n + j)) {
          total += static_cast<double>(layers[l][i * n + j]);
        }
      }
    }
  }
  return total;
}

double smallest_cut(const std::vector<Tensor>& layers, std::size_t n, std::size_t q,
                    std::size_t k) {
  const std::size_t nodes = (layers.size() + 1) * n;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::uint32_t side = 0; side < (1U << nodes); ++side) {
    const bool apart = ((side >> (layers.size() * n + q)) & 1U) != 0 && ((side >> k) & 1U) == 0;
    if (apart) smallest = std::min(smallest, cut_of(layers, n, side));
  }
  return smallest;
}

// Sparse weights, so that the first paths found are often not optimal.
std::vector<float> sparse_rows(std::size_t rows, std::size_t n, Random& random) {
  std::vector<float> cells;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<float> row(n);
    float sum = 0.0F;
    for (float& cell : row) sum += cell = random.uniform() < 0.4F ? 0.0F : random.uniform();
    for (const float cell : row) cells.push_back(sum > 0.0F ? cell / sum : 0.0F);
  }
  return cells;
}

// --- the plain way -----------------------------------------------------------------------------

// Residual capacities between any two nodes, in both directions.
using Rooms = std::vector<std::vector<double>>;

// Nodes of a path from `source` to `sink`, by breadth-first search; empty if there is none.
std::vector<std::size_t> path_in(const Rooms& rooms, std::size_t source, std::size_t sink) {
  std::vector<std::size_t> from(rooms.size(), rooms.size()), queue{source};
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (std::size_t to = 0; to < rooms.size(); ++to) {
      if (to == source || from[to] != rooms.size() || rooms[queue[at]][to] <= 1e-12) continue;
      from[to] = queue[at];
      queue.push_back(to);
    }
  }
  if (from[sink] == rooms.size()) return {};
  std::vector<std::size_t> path{sink};
  while (path.back() != source) path.push_back(from[path.back()]);
  return {path.rbegin(), path.rend()};
}

double plain_flow(Rooms rooms, std::size_t source, std::size_t sink) {
  double total = 0.0;
  for (auto path = path_in(rooms, source, sink); !path.empty();
       path = path_in(rooms, source, sink)) {
    double amount = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < path.size(); ++i) {
      amount = std::min(amount, rooms[path[i - 1]][path[i]]);
    }
    for (std::size_t i = 1; i < path.size(); ++i) {
      rooms[path[i - 1]][path[i]] -= amount;
      rooms[path[i]][path[i - 1]] += amount;
    }
    total += amount;
  }
  return total;
}

// Rows that sum to 1; causal, or over random subsets of keys.
std::vector<double> capacities_at_random(std::size_t layers, std::size_t n, bool causal,
                                         Random& random) {
  std::vector<double> cells(layers * n * n);
  const double hidden = causal ? 0.0 : static_cast<double>(random.uniform()) * 0.8;
  for (std::size_t r = 0; r < layers * n; ++r) {
    double sum = 1e-9;
    for (std::size_t j = 0; j < n; ++j) {
      const bool sees = (!causal || j <= r % n) && static_cast<double>(random.uniform()) >= hidden;
      const double weight = std::exp(4.0 * static_cast<double>(random.uniform()));
      sum += cells[r * n + j] = sees ? weight : 0.0;
    }
    for (std::size_t j = 0; j < n; ++j) cells[r * n + j] *= 0.7 / sum;
    cells[r * n + r % n] += 0.3;
  }
  return cells;
}

TEST(Flow, IsThatOfThePlainWay) {
  Random random(5);
  for (int round = 0; round < 24; ++round) {
    const std::size_t layers = 1 + static_cast<std::size_t>(round) % 5, n = 7;
    const std::vector<double> cells = capacities_at_random(layers, n, round % 2 == 0, random);
    Rooms rooms((layers + 1) * n, std::vector<double>((layers + 1) * n, 0.0));
    for (std::size_t upper = n; upper < rooms.size(); ++upper) {
      for (std::size_t j = 0; j < n; ++j) {
        rooms[upper][(upper / n - 1) * n + j] = cells[(upper - n) * n + j];
      }
    }
    LayerFlow graph(layers, n, cells);
    for (std::size_t i = 0; i < n * n; ++i) {
      EXPECT_NEAR(graph.largest(i / n, i % n), plain_flow(rooms, layers * n + i / n, i % n), 1e-9)
          << "round " << round << ", " << i / n << " to " << i % n;
    }
  }
}

TEST(Flow, SaysHowLongItTakes) {
  AttentionShape shape;
  shape.heads = shape.kv_heads = 12;
  shape.layers = 12;
  shape.n_q = shape.n_k = 30;
  EXPECT_LT(flow_seconds(shape), 1.0);
  EXPECT_TRUE(check_flow_time(shape));
  shape.n_q = shape.n_k = 8000;
  const Status refused = check_flow_time(shape);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
  EXPECT_EQ(refused.error().found, "12 layers of 8,000 tokens");
  EXPECT_NE(refused.error().hint.find("--long"), std::string::npos);
}

TEST(Flow, EqualsTheSmallestCut) {
  Random random(11);
  for (int round = 0; round < 12; ++round) {
    constexpr std::size_t kTokens = 3, kLayers = 3;
    const AttentionProblem problem = weights_problem(
        {kLayers, 1, 1, kTokens, kTokens}, sparse_rows(kLayers * kTokens, kTokens, random));
    const double residual = round % 3 == 0 ? 0.0 : 0.3;
    std::vector<Tensor> layers;
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      std::vector<float> one(problem.weights.data() + layer * 9,
                             problem.weights.data() + layer * 9 + 9);
      layers.push_back(
          rollout(computed(weights_problem({1, 1, 1, kTokens, kTokens}, one)), residual));
    }
    const Tensor flow = derived(computed(problem), {Derived::Flow, residual});
    for (std::size_t q = 0; q < kTokens; ++q) {
      for (std::size_t k = 0; k < kTokens; ++k) {
        EXPECT_NEAR(static_cast<double>(flow[q * kTokens + k]), smallest_cut(layers, kTokens, q, k),
                    kClose)
            << "round " << round << ", " << q << " to " << k;
      }
    }
  }
}

// --- values ----------------------------------------------------------------------------------

AttentionProblem two_values() {
  AttentionProblem problem = qkv_problem(1, 1, 2, 2, 2, 1);
  problem.q = Tensor({1, 1, 2, 2}, {0, 0, 0, 0});
  problem.v = Tensor({1, 1, 2, 2}, {3, 4, 0, 2});
  return problem;
}

TEST(ValueNorm, IsTheWeightTimesTheLengthOfTheValue) {
  const ResultPtr from = computed(two_values());
  const Result<MatrixPtr> derived = derive(from, {Derived::ValueNorm}, {});
  ASSERT_TRUE(derived);
  EXPECT_EQ(cells_of(**derived), (std::vector<float>{2.5F, 1.0F, 2.5F, 1.0F}));
  EXPECT_EQ((*derived)->value(1, 1), 1.0F) << "any block can be read";
  EXPECT_EQ((*derived)->summary()->high, 2.5F);
}

TEST(ValueNorm, WhatIsHiddenPoisonsNothing) {
  AttentionProblem problem = two_values();
  problem.v = Tensor({1, 1, 2, 2}, {3, 4, std::numeric_limits<float>::quiet_NaN(), 2});
  problem.mask.causal = true;
  const ResultPtr from = computed(problem);
  const Result<MatrixPtr> derived = derive(from, {Derived::ValueNorm}, {});
  ASSERT_TRUE(derived);
  EXPECT_EQ((*derived)->value(0, 1), 0.0F);
  EXPECT_TRUE(std::isnan((*derived)->value(1, 1)));
  EXPECT_EQ((*derived)->summary()->non_finite, 1U);
  EXPECT_NE((*derived)->hidden(0, 1), kVisible);
}

TEST(ValueNorm, GoesThroughTheHeadsRowsOfTheOutputProjection) {
  AttentionProblem problem;
  problem.kind = &kLayerProblems;
  AttentionShape& s = problem.shape;
  s.heads = s.kv_heads = 2;
  s.n_q = s.n_k = s.d_k = s.d_v = 1;
  s.d_model = s.d_out = 2;
  problem.query_embeddings = Tensor({1, 1, 2}, {1, 1});
  problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
  Projections& by = problem.projections;
  by.w_q = by.w_k = Tensor({2, 2}, {1, 0, 0, 1});
  by.w_v = Tensor({2, 2}, {1, 0, 0, 2});   // values 1 and 2
  by.w_o = Tensor({2, 2}, {3, 4, 5, 12});  // one row per head
  const ResultPtr result = computed(problem);
  for (const auto& [head, norm] : {std::pair{0U, 5.0F}, {1U, 26.0F}}) {
    const Result<MatrixPtr> made = derive(result, {Derived::ValueNorm}, {0, 0, head});
    ASSERT_TRUE(made);
    EXPECT_EQ(cells_of(**made), std::vector<float>{norm});
  }
}

// --- refusals --------------------------------------------------------------------------------

TEST(Derive, StopsWhenNobodyWaits) {
  const ResultPtr result = computed(qkv_problem(1, 1, 20, 20, 2, 1));
  Progress progress;
  progress.cancelled = true;
  for (const DerivedInfo& info : all_derived()) {
    const Result<MatrixPtr> stopped = derive(result, {info.derived}, {}, &progress);
    ASSERT_FALSE(stopped) << info.name;
    EXPECT_EQ(stopped.error().kind, ErrorKind::Interrupted);
  }
}

TEST(Derive, AMatrixKnowsWhichItIs) {
  const ResultPtr result = computed(qkv_problem(2, 3, 4, 4, 2, 1));
  const HeadAddress at{0, 1, 2};
  const MatrixPtr rollout = derive(result, {Derived::Rollout}, at).value();
  EXPECT_EQ(rollout->id().head, (HeadAddress{0, 1, 0})) << "is of all heads";
  EXPECT_EQ(rollout->id(), derived_id({Derived::Rollout, 0.5}, {0, 1, 0}));
  const MatrixPtr norms = derive(result, {Derived::ValueNorm}, at).value();
  EXPECT_EQ(norms->id().head, at);
  std::set<std::string> names;
  for (const DerivedInfo& info : all_derived()) {
    names.insert(text_of(derive(result, {info.derived}, at).value()->id()));
  }
  EXPECT_EQ(names.size(), all_derived().size());
}

TEST(Derive, RefusesWhatIsNotThere) {
  const ResultPtr weights = computed(weights_problem({1, 1, 1, 1, 2}, {0.5F, 0.5F}));
  EXPECT_FALSE(derive(weights, {Derived::ValueNorm}, {}));
  EXPECT_FALSE(derive(weights, {Derived::Rollout}, {}));
  EXPECT_FALSE(derive(weights, {Derived::Flow}, {}));
  EXPECT_TRUE(derive(weights, {Derived::HeadMean}, {}));
}

TEST(Derive, FlowNeedsCapacities) {
  for (const float bad :
       {-0.5F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const ResultPtr result = computed(weights_problem({1, 1, 1, 1, 1}, {bad}));
    const Result<MatrixPtr> refused = derive(result, {Derived::Flow}, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::BadInput);
    EXPECT_TRUE(derive(result, {Derived::Rollout}, {}));
  }
}

TEST(Derive, KeepsTheMaskOnlyWhereHiddenCellsStayHidden) {
  AttentionProblem problem = qkv_problem(1, 2, 3, 3, 2, 1);
  problem.mask.causal = true;
  const ResultPtr same = computed(problem);
  EXPECT_NE((*derive(same, {Derived::HeadMean}, {}))->hidden(0, 1), kVisible);
  EXPECT_NE((*derive(same, {Derived::Rollout}, {}))->hidden(0, 1), kVisible);
  problem.mask.causal = false;
  problem.mask.visible = BoolTensor({2, 1, 3}, {1, 1, 0, 0, 1, 1});
  const ResultPtr different = computed(problem);
  EXPECT_EQ((*derive(different, {Derived::HeadMean}, {}))->hidden(0, 2), kVisible);
  EXPECT_NE((*derive(different, {Derived::ValueNorm}, {}))->hidden(0, 2), kVisible);
}

// Cells hidden in a rollout have no path in the graph, whatever the rule; hidden tokens keep
// themselves.
TEST(Derive, HidesThroughAllLayersWhatNoPathReaches) {
  Mask causal, window, sinks, prefix, padded, segments, later, dilated;
  causal.causal = sinks.causal = prefix.causal = later.causal = true;
  window.window = Window{.left = 1, .right = 0};
  sinks.window = window.window;
  sinks.sink_tokens = 1;
  prefix.prefix = {3};
  padded.key_padding = padded.query_padding = {{1, 1, 1, 0, 1, 1}};
  segments.query_segments = {{0, 0, 1, 1, 1, 0}};
  later.causal_offset = {1};
  dilated.window = Window{.left = 1, .right = 1, .dilation = 2};
  std::size_t hidden = 0;
  for (const Mask& mask : {causal, window, sinks, prefix, padded, segments, later, dilated}) {
    AttentionProblem problem = qkv_problem(1, 1, 6, 6, 2, 1);
    problem.mask = mask;
    const ResultPtr one = computed(problem);
    std::vector<float> weights(36);
    one->read(Stage::Weights, {}, {0, 0, 6, 6}, weights.data());
    weights.insert(weights.end(), weights.begin(), weights.end());
    AttentionProblem two = weights_problem({2, 1, 1, 6, 6}, weights);
    two.mask = mask;
    const MatrixPtr rollout = derive(computed(two), {Derived::Rollout}, {}).value();
    for (std::size_t q = 0; q < 6; ++q) {
      for (std::size_t k = 0; k < 6; ++k) {
        if (rollout->hidden(q, k) == kVisible) continue;
        ++hidden;
        EXPECT_TRUE(q == k || rollout->value(q, k) == 0.0F) << q << " " << k;
      }
    }
  }
  EXPECT_GT(hidden, 80U);
}

TEST(Derive, AWindowReachesFurtherThroughMoreLayers) {
  AttentionProblem problem = weights_problem({2, 1, 1, 4, 4}, std::vector<float>(32, 0.25F));
  problem.mask.window = Window{.left = 1, .right = 0};
  const MatrixPtr rollout = derive(computed(problem), {Derived::Rollout}, {}).value();
  EXPECT_EQ(rollout->hidden(3, 1), kVisible);
  EXPECT_EQ(rollout->hidden(3, 0), kHiddenByWindow);
}

TEST(Derive, ARolloutWithoutItsFirstTokenIsRenormalised) {
  made::FromWeights how{Derived::Rollout, 0.0, true};
  const ResultPtr result =
      computed(weights_problem({1, 1, 1, 3, 3}, {1, 0, 0, 0.5F, 0.5F, 0, 0.5F, 0.125F, 0.375F}));
  const MatrixPtr rest = derive(result, how, {}).value();
  EXPECT_EQ(cells_of(*rest), (std::vector<float>{0, 0, 0, 0, 1, 0, 0, 0.25F, 0.75F}));
  EXPECT_EQ(hidden_words(rest->id(), rest->hidden(1, 0)), "the first token is left out");
  EXPECT_EQ(rest->hidden(1, 1), kVisible);
  EXPECT_NE(rest->id(), derive(result, {Derived::Rollout, 0.0}, {})->get()->id());
  EXPECT_NE(text_of(rest->id()), text_of(derive(result, {Derived::Rollout, 0.0}, {})->get()->id()));
  EXPECT_EQ(derive(result, {Derived::HeadMean, 0.0, true}, {}).value()->id(),
            derive(result, {Derived::HeadMean}, {}).value()->id());
  const ResultPtr one = computed(weights_problem({1, 1, 1, 1, 1}, {1}));
  EXPECT_FALSE(derive(one, how, {}));
}

TEST(Derive, IsListedInTheOrderOfItsKinds) {
  std::set<std::string_view> names;
  for (const DerivedInfo& info : all_derived()) {
    EXPECT_EQ(&derived_info(info.derived), &info);
    names.insert(info.name);
  }
  EXPECT_EQ(names.size(), all_derived().size());
}

TEST(Derived, FollowsNoCrossAttentionThroughTheLayers) {
  AttentionProblem problem;
  for (std::uint64_t seed = 0; problem.shape.n_q != problem.shape.n_k || seed == 0; ++seed) {
    problem = decoder_problem(seed);
  }
  const ResultPtr result = computed(problem);
  EXPECT_FALSE(derive(result, {Derived::Rollout}, {}));
  EXPECT_TRUE(derive(result, {Derived::Rollout}, {.attention = kSelfAttention}));
  EXPECT_TRUE(derive(result, {Derived::HeadMean}, {}));
}

// Rollouts need one sequence, even if two have equal lengths.
TEST(Derived, FollowsNoTokensFromOneSequenceIntoAnother) {
  AttentionProblem problem = qkv_problem(1, 2, 3, 3, 2, 1);
  EXPECT_TRUE(derive(computed(problem), {Derived::Rollout}, {}));
  problem.cross = true;
  const ResultPtr across = computed(problem);
  for (const Derived derived : {Derived::Rollout, Derived::Flow}) {
    const Result<MatrixPtr> refused = derive(across, {derived}, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
    EXPECT_EQ(refused.error().found, "queries and keys of different sequences");
  }
  EXPECT_TRUE(derive(across, {Derived::HeadMean}, {}));
  EXPECT_TRUE(derive(across, {Derived::ValueNorm}, {}));
}

}  // namespace
}  // namespace attn::test
