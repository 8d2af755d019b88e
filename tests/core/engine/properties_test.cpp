// The engine against the oracle, and properties of attention for any numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/special_numbers.h"
#include "engine/layers_result.h"
#include "problems.h"
#include "row_check.h"
#include "support/oracle/reference.h"

namespace attn::test {
namespace {

constexpr std::uint64_t kRandomProblems = 100;
constexpr std::uint64_t kRandomStacks = 30;    // the oracle computes all blocks for each stage
constexpr std::uint64_t kRandomDecoders = 12;  // all blocks for each stage, twice

double largest_finite(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

void expect_reference(const AttentionProblem& problem, double tolerance,
                      std::size_t attention = kLastAttention) {
  const ResultPtr result = computed(problem);
  for (const HeadAddress& head : heads_of(problem.shape, attention)) {
    for (const Stage stage : result->stages(head)) {
      const reference::Matrix expected = reference::compute(problem, stage, head);
      const std::vector<float> got = cells(*result, stage, head);
      ASSERT_EQ(got.size(), expected.values.size()) << stage_info(stage).name;
      // Sums of large terms may cancel, and eˣ amplifies errors of large scores.
      const double absolute = tolerance * (1.0 + largest_finite(expected.values));
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_TRUE(near(wide(got[i]), expected.values[i], absolute, 20 * tolerance))
            << stage_info(stage).name << " cell " << i << ": " << got[i] << ", reference "
            << expected.values[i];
      }
    }
  }
}

TEST(Engine, AgreesWithTheReferenceOnRandomProblems) {
  for (std::uint64_t seed = 0; seed < kRandomProblems && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_reference(random_problem(seed), 1e-6);
  }
}

TEST(Engine, AgreesWithTheReferenceOnLayersOfGivenQueriesKeysAndValues) {
  std::size_t without_values = 0;
  for (std::uint64_t seed = 0; seed < kRandomProblems && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    AttentionProblem problem = layers_problem(seed);
    without_values += problem.v.empty() ? 1 : 0;
    expect_reference(problem, 1e-6);
    problem.most_materialised_map_bytes = 0;
    expect_reference(problem, 1e-6);
  }
  EXPECT_GT(without_values, 10U);
}

TEST(Engine, OneLayerOfSeveralIsComputedAsIfAlone) {
  AttentionProblem problem = layers_problem(3);
  const ResultPtr all = computed(problem);
  const std::size_t layers = std::exchange(problem.shape.layers, 1);
  const auto own_part = [&](const Tensor& tensor, std::size_t layer) {
    if (tensor.empty()) return Tensor();
    const std::span<const float> own =
        tensor.values().subspan(layer * tensor.size() / layers, tensor.size() / layers);
    return Tensor(Shape(tensor.shape().begin() + 1, tensor.shape().end()),
                  std::vector<float>(own.begin(), own.end()));
  };
  const AttentionProblem whole = problem;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    problem.q = own_part(whole.q, layer);
    problem.k = own_part(whole.k, layer);
    problem.v = own_part(whole.v, layer);
    const ResultPtr one = computed(problem);
    for (const Stage stage : one->stages()) {
      for (const HeadAddress& head : heads_of(problem.shape)) {
        const HeadAddress at = head.moved_to(layer, head.sample, head.head);
        EXPECT_TRUE(same_bits(cells(*one, stage, head), cells(*all, stage, at)));
        EXPECT_EQ(one->range(stage, head)->high, all->range(stage, at)->high);
      }
    }
  }
}

// Norms of nearly constant rows amplify rounding errors.
TEST(Engine, AgreesWithTheReferenceOnRandomStacksOfBlocks) {
  for (std::uint64_t seed = 0; seed < kRandomStacks && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_reference(stack_problem(seed), 2e-5);
  }
}

TEST(Engine, AgreesWithTheReferenceOnLearnedPositions) {
  for (std::uint64_t seed = 0; seed < 6 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    AttentionProblem problem = stack_problem(seed);
    Random random(mix(seed, 5));
    const AttentionShape& s = problem.shape;
    problem.mask.causal_offset = {2};
    problem.position = {};
    problem.position.kind = PositionKind::Learned;
    problem.position.table = random_tensor({s.n_q + 2, s.d_model}, random);
    expect_reference(problem, 2e-5);
  }
}

TEST(Engine, AgreesWithTheReferenceOnBothAttentionsOfRandomDecoders) {
  for (std::uint64_t seed = 0; seed < kRandomDecoders && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_reference(decoder_problem(seed), 2e-5, kLastAttention);
    expect_reference(decoder_problem(seed), 2e-5, kSelfAttention);
  }
}

TEST(Engine, AgreesWithTheReferenceOnEveryIntervention) {
  std::size_t gates = 0, patterns = 0, edges = 0;
  for (std::uint64_t seed = 0; seed < kRandomStacks && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    AttentionProblem problem = with_what_if(random_problem(seed), seed);
    expect_reference(problem, 1e-6);
    patterns += problem.what_if.patterns.size();
    problem.what_if.patterns.clear();
    problem.most_materialised_map_bytes = 0;
    expect_reference(problem, 1e-6);
    const AttentionProblem stack = with_what_if(stack_problem(seed), seed);
    expect_reference(stack, 2e-5);
    patterns += stack.what_if.patterns.size();
    edges += stack.what_if.edges.size();
    gates += problem.what_if.gates.size() + stack.what_if.gates.size();
  }
  for (std::uint64_t seed = 0; seed < kRandomDecoders && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("decoder, seed " + std::to_string(seed));
    expect_reference(with_what_if(decoder_problem(seed), seed), 2e-5);
  }
  EXPECT_GT(gates, 40U);
  EXPECT_GT(patterns, 40U);
  EXPECT_GT(edges, 0U);
}

TEST(Engine, AgreesWithTheReferenceOnCutEdges) {
  std::size_t edges = 0;
  for (std::uint64_t seed = 0; edges < 20 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    AttentionProblem problem = stack_problem(seed);
    Random random(mix(seed, 48));
    for (int i = 0; i < 4; ++i) change_edge(problem, random);
    edges += problem.what_if.edges.size();
    if (!problem.what_if.edges.empty()) expect_reference(gated(problem, seed), 2e-5);
  }
}

TEST(Engine, ShowsEachOfSeveralGivenAttentionsAsItIs) {
  for (std::uint64_t seed = 0; seed < kRandomDecoders && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const AttentionProblem problem = several_weights_problem(seed);
    const ResultPtr result = computed(problem);
    const std::span<const AttentionInfo> attentions = attentions_of(problem);
    EXPECT_EQ(attentions.size(), seed % 3 == 2 ? 3U : 2U);
    for (const AttentionInfo& info : attentions) {
      expect_reference(problem, 0.0, info.attention);
      const Tensor& given = given_weights(problem, info.at());
      const auto [low, high] = std::ranges::minmax(given.values());
      float least = high, most = low;
      for (const HeadAddress& head : heads_of(problem.shape, info.attention)) {
        EXPECT_EQ(result->stage_shape(Stage::Weights, head).cols, given.shape().back());
        least = std::min(least, result->range(Stage::Weights, head)->low);
        most = std::max(most, result->range(Stage::Weights, head)->high);
      }
      if (can_hide(mask_of(problem, info.at()))) continue;
      EXPECT_EQ(least, low);
      EXPECT_EQ(most, high);
    }
  }
}

TEST(Engine, KeepsAttentionsThatAnEditDoesNotReach) {
  const AttentionProblem before = several_weights_problem(2);
  AttentionProblem after = before;
  std::vector<float> changed(before.weights.values().begin(), before.weights.values().end());
  changed.front() = 7.0F;
  after.weights = Tensor(before.weights.shape(), std::move(changed));
  ComputeOptions options;
  options.before = computed(before);
  const Result<ResultPtr> result = compute(after, options);
  ASSERT_TRUE(result);
  const auto& then = dynamic_cast<const LayersResult&>(*options.before);
  const auto& now = dynamic_cast<const LayersResult&>(**result);
  for (const AttentionInfo& info : attentions_of(after)) {
    const bool edited = info.at() == HeadAddress{};
    EXPECT_EQ(now.layers(info.at()).front() == then.layers(info.at()).front(), !edited);
    EXPECT_EQ(now.layers(info.at()).back() == then.layers(info.at()).back(),
              !edited || after.shape.layers > 1);
  }
  EXPECT_EQ(cells(**result, Stage::Weights, {}).front(), 7.0F);
}

TEST(Engine, NotesNameTheAttentionWhoseRowsAreOdd) {
  AttentionProblem problem = weights_problem({1, 1, 1, 1, 2}, {0.5F, 0.5F});
  problem.cross = true;
  problem.encoder_weights = Tensor({1, 1, 1, 2, 2}, {1.0F, 0.0F, 0.25F, 0.25F});
  const std::vector<ResultNote> notes = notes_on_all(*computed(problem));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes.front().text,
            "Encoder self-attention: 1 row of 2 of the weights does not sum to 1 and is shown as "
            "given (worst: query 2 sums to 0.5)");
}

TEST(Engine, FollowsIeeeArithmeticThroughEveryStageOfExtremeProblems) {
  std::uint64_t non_finite = 0;
  for (std::uint64_t seed = 0; seed < kRandomProblems && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const AttentionProblem problem = extreme_problem(seed);
    const ResultPtr result = computed(problem);
    non_finite += *result->non_finite_count(Stage::Weights);
    for (const HeadAddress& head : heads_of(problem.shape)) {
      for (std::size_t q = 0; q < problem.shape.n_q; ++q) {
        expect_ieee_row(*result, head, q);
      }
    }
  }
  EXPECT_GT(non_finite, 100U);  // the problems are extreme
}

TEST(Engine, RowsOfWeightsSumToOneUnlessTheySeeNoKey) {
  std::size_t rows_without_key = 0;
  for (std::uint64_t seed = 0; seed < kRandomProblems; ++seed) {
    const AttentionProblem problem = random_problem(seed);
    const ResultPtr result = computed(problem);
    for (const HeadAddress& head : heads_of(problem.shape)) {
      const std::vector<float> weights = cells(*result, Stage::Weights, head);
      for (std::size_t q = 0; q < problem.shape.n_q; ++q) {
        const auto row = weights.begin() + static_cast<std::ptrdiff_t>(q * problem.shape.n_k);
        const double sum =
            std::accumulate(row, row + static_cast<std::ptrdiff_t>(problem.shape.n_k), 0.0);
        if (result->sees_no_key(head, q)) {
          ++rows_without_key;
          EXPECT_EQ(sum, 0.0) << "seed " << seed;
        } else if (!problem.scoring.sinks.empty()) {
          EXPECT_LE(sum, 1.0 + 1e-6) << "seed " << seed;
        } else if (problem.scoring.normaliser != Normaliser::Sigmoid) {
          EXPECT_NEAR(sum, 1.0, 1e-6) << "seed " << seed;
        }
      }
    }
  }
  EXPECT_GT(rows_without_key, 0U);
}

TEST(Engine, LongRowsSumToOne) {
  AttentionProblem problem = qkv_problem(1, 1, 3, 50'000, 4, 1);
  const std::vector<float> weights = cells(*computed(problem), Stage::Weights, {});
  for (std::size_t q = 0; q < 3; ++q) {
    const auto row = weights.begin() + static_cast<std::ptrdiff_t>(q * 50'000);
    EXPECT_NEAR(std::accumulate(row, row + 50'000, 0.0), 1.0, 1e-6);
  }
}

TEST(Engine, GivesTheSameBitsWhateverTheNumberOfThreads) {
  AttentionProblem problem = qkv_problem(2, 3, 150, 170, 20, 7);
  problem.mask.causal = true;
  problem.v = problem.v.with(5, kNaN);
  const ResultPtr one = computed(problem, 1);
  for (const unsigned threads : {2U, 3U}) {
    const ResultPtr several = computed(problem, threads);
    for (const Stage stage : one->stages()) {
      for (const HeadAddress& head : heads_of(problem.shape)) {
        EXPECT_TRUE(same_bits(cells(*one, stage, head), cells(*several, stage, head)));
        EXPECT_EQ(one->range(stage, head)->low, several->range(stage, head)->low);
        EXPECT_EQ(one->range(stage, head)->high, several->range(stage, head)->high);
      }
      EXPECT_EQ(one->non_finite_count(stage), several->non_finite_count(stage));
    }
  }
}

AttentionProblem one_row_of(const AttentionProblem& problem, std::size_t q) {
  AttentionProblem row = problem;
  const std::size_t d = problem.shape.d_k;
  const auto from = problem.q.values().begin() + static_cast<std::ptrdiff_t>(q * d);
  row.q = Tensor({1, 1, 1, d}, std::vector<float>(from, from + static_cast<std::ptrdiff_t>(d)));
  row.shape.n_q = 1;
  return row;
}

TEST(Engine, ARowDoesNotDependOnTheRowsAroundIt) {
  const AttentionProblem problem = qkv_problem(1, 1, 131, 37, 9, 3);
  const std::vector<float> all = cells(*computed(problem), Stage::Output, {});
  for (std::size_t q = 0; q < 131; ++q) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(q * 9);
    EXPECT_TRUE(
        same_bits({from, from + 9}, cells(*computed(one_row_of(problem, q)), Stage::Output, {})));
  }
}

// Keys of one head in reverse order.
Tensor reversed_rows(const Tensor& tensor) {
  const std::size_t cols = tensor.shape().back();
  const std::size_t rows = tensor.size() / cols;
  std::vector<float> values;
  for (std::size_t r = rows; r-- > 0;) {
    for (std::size_t c = 0; c < cols; ++c) values.push_back(tensor[r * cols + c]);
  }
  return Tensor(tensor.shape(), std::move(values));
}

TEST(Engine, PermutingKeysPermutesColumnsAndKeepsTheOutput) {
  const AttentionProblem problem = qkv_problem(1, 1, 11, 13, 6, 5);
  AttentionProblem permuted = problem;
  permuted.k = reversed_rows(problem.k);
  permuted.v = reversed_rows(problem.v);
  const ResultPtr a = computed(problem);
  const ResultPtr b = computed(permuted);
  for (std::size_t q = 0; q < 11; ++q) {
    for (std::size_t k = 0; k < 13; ++k) {
      EXPECT_EQ(a->value(Stage::Scores, {}, q, k), b->value(Stage::Scores, {}, q, 12 - k));
      EXPECT_NEAR(a->value(Stage::Weights, {}, q, k), b->value(Stage::Weights, {}, q, 12 - k),
                  1e-6);
    }
    for (std::size_t c = 0; c < 6; ++c) {
      EXPECT_NEAR(a->value(Stage::Output, {}, q, c), b->value(Stage::Output, {}, q, c), 1e-6);
    }
  }
}

TEST(Engine, AddingAConstantToTheScoresOfARowChangesNothing) {
  AttentionProblem problem = qkv_problem(1, 2, 6, 7, 4, 9);
  const ResultPtr plain = computed(problem);
  problem.mask.bias = Tensor({6, 1}, {0.0F, 1.0F, -3.5F, 8.0F, -0.25F, 16.0F});
  const ResultPtr shifted = computed(problem);
  for (const HeadAddress& head : heads_of(problem.shape)) {
    for (std::size_t q = 0; q < 6; ++q) {
      for (std::size_t k = 0; k < 7; ++k) {
        EXPECT_NEAR(plain->value(Stage::Weights, head, q, k),
                    shifted->value(Stage::Weights, head, q, k), 2e-6);
      }
    }
  }
}

Tensor times(const Tensor& tensor, float factor) {
  std::vector<float> values(tensor.values().begin(), tensor.values().end());
  for (float& value : values) value *= factor;
  return Tensor(tensor.shape(), std::move(values));
}

// True if doubled queries double the scores of the oracle.
bool is_linear(const AttentionProblem& problem) {
  AttentionProblem doubled = problem;
  doubled.q = times(problem.q, 2.0F);
  const reference::Matrix once = reference::compute(problem, Stage::Scores, {});
  const reference::Matrix twice = reference::compute(doubled, Stage::Scores, {});
  return std::ranges::equal(once.values, twice.values, [](double a, double b) {
    return std::abs(2.0 * a - b) <= 1e-9 * (1.0 + std::abs(b));
  });
}

// Powers of two are exact, so all bits must be equal.
TEST(Engine, ScalingTheQueriesIsScalingTheScale) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < kRandomProblems; ++seed) {
    const AttentionProblem problem = random_problem(seed);
    if (problem.kind != &kQkvProblems) continue;
    if (!is_linear(problem)) continue;
    for (const float factor : {4.0F, 0.125F, -1.0F, 3.7F}) {
      AttentionProblem queries = problem;
      queries.q = times(problem.q, factor);
      AttentionProblem scale = problem;
      scale.scoring.scale = scale_of(problem) * factor;
      const ResultPtr a = computed(queries);
      const ResultPtr b = computed(scale);
      for (const HeadAddress& head : heads_of(problem.shape)) {
        for (const Stage stage : a->stages()) {
          if (stage < Stage::Scaled) continue;
          const std::vector<float> got = cells(*a, stage, head);
          const std::vector<float> expected = cells(*b, stage, head);
          if (factor != 3.7F) {
            ASSERT_TRUE(same_bits(got, expected)) << "seed " << seed << ", factor " << factor;
            continue;
          }
          for (std::size_t i = 0; i < got.size(); ++i) {
            ASSERT_TRUE(near(wide(got[i]), wide(expected[i]), 2e-4, 2e-4)) << "seed " << seed;
          }
        }
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 80U);
}

TEST(Engine, ACausalRowIgnoresLaterKeysBitForBit) {
  AttentionProblem problem = qkv_problem(1, 2, 20, 20, 5, 11);
  problem.mask.causal = true;
  const ResultPtr before = computed(problem);
  // Replaces keys from 8 on, in both heads, by numbers, NaN and Inf.
  std::vector<float> k(problem.k.values().begin(), problem.k.values().end());
  std::vector<float> v(problem.v.values().begin(), problem.v.values().end());
  for (std::size_t i = 0; i < k.size(); ++i) {
    if (i / 5 % 20 < 8) continue;
    k[i] = i % 3 == 0 ? kNaN : 3.0F;
    v[i] = i % 3 == 1 ? kInfinity : -2.0F;
  }
  problem.k = Tensor(problem.k.shape(), k);
  problem.v = Tensor(problem.v.shape(), v);
  const ResultPtr after = computed(problem);
  for (const HeadAddress& head : heads_of(problem.shape)) {
    for (const Stage stage : {Stage::Weights, Stage::Output}) {
      const std::vector<float> a = cells(*before, stage, head);
      const std::vector<float> b = cells(*after, stage, head);
      const auto end = static_cast<std::ptrdiff_t>(8 * before->stage_shape(stage).cols);
      EXPECT_TRUE(same_bits({a.begin(), a.begin() + end}, {b.begin(), b.begin() + end}));
      EXPECT_FALSE(same_bits(a, b));
    }
  }
}

TEST(Engine, HeadsAndSamplesAreIndependent) {
  const AttentionProblem problem = qkv_problem(2, 3, 9, 8, 4, 13);
  AttentionProblem changed = problem;
  const std::size_t head_1_of_sample_1 = (1 * 3 + 1) * 9 * 4;
  changed.q = problem.q.with(head_1_of_sample_1, kNaN);
  const ResultPtr a = computed(problem);
  const ResultPtr b = computed(changed);
  for (const HeadAddress& head : heads_of(problem.shape)) {
    const bool same = same_bits(cells(*a, Stage::Output, head), cells(*b, Stage::Output, head));
    EXPECT_EQ(same, !(head == HeadAddress{0, 1, 1}));
  }
}

TEST(Engine, GroupedQueriesEqualRepeatedKeyValueHeadsBitForBit) {
  const AttentionProblem grouped = qkv_problem(2, 6, 7, 9, 4, 17, 2);
  AttentionProblem repeated = grouped;
  repeated.shape.kv_heads = 6;
  const auto repeat = [](const Tensor& tensor) {
    const std::size_t matrix = tensor.extent(2) * tensor.extent(3);
    std::vector<float> values;
    for (std::size_t m = 0; m < tensor.size() / matrix; ++m) {
      for (int copy = 0; copy < 3; ++copy) {
        const auto from = tensor.values().begin() + static_cast<std::ptrdiff_t>(m * matrix);
        values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(matrix));
      }
    }
    return Tensor({tensor.extent(0), 6, tensor.extent(2), tensor.extent(3)}, std::move(values));
  };
  repeated.k = repeat(grouped.k);
  repeated.v = repeat(grouped.v);
  const ResultPtr a = computed(grouped);
  const ResultPtr b = computed(repeated);
  for (const Stage stage : a->stages()) {
    for (const HeadAddress& head : heads_of(grouped.shape)) {
      EXPECT_TRUE(same_bits(cells(*a, stage, head), cells(*b, stage, head)));
    }
  }
}

TEST(Engine, HiddenKeysPoisonNothing) {
  AttentionProblem problem = qkv_problem(1, 2, 5, 6, 3, 19);
  problem.mask.key_padding = {{1, 1, 0, 1, 1, 0}};
  const ResultPtr clean = computed(problem);
  std::vector<float> k(problem.k.values().begin(), problem.k.values().end());
  std::vector<float> v(problem.v.values().begin(), problem.v.values().end());
  for (std::size_t i = 0; i < k.size(); ++i) {
    if (problem.mask.key_padding[0][i / 3 % 6] != 0) continue;
    k[i] = kNaN;
    v[i] = i % 2 == 0 ? kNaN : -kInfinity;
  }
  problem.k = Tensor(problem.k.shape(), k);
  problem.v = Tensor(problem.v.shape(), v);
  const ResultPtr poisoned = computed(problem);
  for (const HeadAddress& head : heads_of(problem.shape)) {
    for (const Stage stage : {Stage::Masked, Stage::Weights, Stage::Output}) {
      EXPECT_TRUE(same_bits(cells(*clean, stage, head), cells(*poisoned, stage, head)));
    }
  }
  EXPECT_EQ(poisoned->non_finite_count(Stage::Masked), 0U);
  EXPECT_EQ(poisoned->non_finite_count(Stage::Scores), 2U * 5 * 2);
}

TEST(Engine, AVisibleWeightOfZeroTimesInfinityIsNaN) {
  AttentionProblem problem = qkv_problem(1, 1, 1, 2, 1, 1);
  problem.q = Tensor({1, 1, 1, 1}, {1.0F});
  problem.k = Tensor({1, 1, 2, 1}, {500.0F, 0.0F});
  problem.v = Tensor({1, 1, 2, 1}, {1.0F, kInfinity});
  const ResultPtr result = computed(problem);
  EXPECT_EQ(result->value(Stage::Weights, {}, 0, 1), 0.0F);
  EXPECT_TRUE(std::isnan(result->value(Stage::Output, {}, 0, 0)));
}

TEST(Engine, ABiasOfMinusInfinityHides) {
  AttentionProblem problem = qkv_problem(1, 1, 2, 2, 1, 1);
  problem.mask.bias = Tensor({2, 2}, {-kInfinity, -kInfinity, 0.0F, -kInfinity});
  const ResultPtr result = computed(problem);
  EXPECT_TRUE(result->sees_no_key({}, 0));
  EXPECT_EQ(cells(*result, Stage::Weights, {}), (std::vector<float>{0, 0, 1, 0}));
  EXPECT_EQ(result->value(Stage::Output, {}, 0, 0), 0.0F);
  EXPECT_EQ(result->hidden({}, 1, 1), kHiddenByBias);
}

}  // namespace
}  // namespace attn::test
