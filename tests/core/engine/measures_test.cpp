// Measures of a head: by hand, against PyTorch, and against plain loops on random problems.
#include "engine/measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "agreement.h"
#include "problems.h"
#include "reference_case.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

HeadMeasures measured(std::size_t n_q, std::size_t n_k, std::vector<float> weights, Mask mask = {},
                      const TokenIds& tokens = {}) {
  AttentionProblem problem = weights_problem({1, 1, 1, n_q, n_k}, std::move(weights));
  problem.mask = std::move(mask);
  return measure_head(*computed(problem), {}, tokens);
}

std::set<std::string> labels(const HeadMeasures& measures) {
  std::set<std::string> names;
  for (const HeadLabelInfo* info : labels_of(measures)) names.emplace(info->name);
  return names;
}

using Names = std::set<std::string>;

// The head that attends to the key `back` positions before each query, or to key 0.
std::vector<float> shifted(std::size_t n, std::size_t back) {
  std::vector<float> weights(n * n, 0.0F);
  for (std::size_t q = 0; q < n; ++q) weights[q * n + (q >= back ? q - back : 0)] = 1.0F;
  return weights;
}

TEST(Measures, OfAHeadByHand) {
  const HeadMeasures m = measured(2, 2, {0.5F, 0.5F, 0.25F, 0.75F});
  const double second = -0.25 * std::log(0.25) - 0.75 * std::log(0.75);
  ASSERT_EQ(m.row_entropy.size(), 2U);
  EXPECT_NEAR(m.row_entropy[0], std::log(2.0), 1e-6);
  EXPECT_NEAR(m.row_entropy[1], second, 1e-6);
  EXPECT_NEAR(*m.entropy, (std::log(2.0) + second) / 2.0, 1e-6);
  EXPECT_NEAR(*m.normalised_entropy, (1.0 + second / std::log(2.0)) / 2.0, 1e-6);
  EXPECT_NEAR(*m.largest_weight, 0.625, 1e-6);
  EXPECT_NEAR(*m.distance, (0.5 + 0.25) / 2.0, 1e-6);
  EXPECT_NEAR(*m.equal_distance, 0.5, 1e-6);
  EXPECT_NEAR(m.first_token.weight, 0.375, 1e-6);
  EXPECT_NEAR(m.same_token.weight, 0.625, 1e-6);
  EXPECT_EQ(m.previous_token.rows, 1U);
  EXPECT_NEAR(m.previous_token.weight, 0.25, 1e-6);
  EXPECT_NEAR(m.previous_token.equal, 0.5, 1e-6);
  // A − Aᵀ = ±0.25 off the diagonal; A + Aᵀ = (1, 0.75; 0.75, 1.5).
  EXPECT_NEAR(*m.symmetry, 1.0 - std::sqrt(0.125 / (1.0 + 1.125 + 2.25)), 1e-6);
  EXPECT_NEAR(m.received[0], 0.75, 1e-6);
  EXPECT_NEAR(m.received[1], 1.25, 1e-6);
}

TEST(Measures, AQueryThatSeesOneKeyHasNoChoice) {
  Mask causal;
  causal.causal = true;
  const HeadMeasures m = measured(2, 2, {1.0F, 0.0F, 0.25F, 0.75F}, causal);
  EXPECT_EQ(m.rows, 2U);
  EXPECT_EQ(m.first_token.rows, 1U);
  EXPECT_NEAR(m.first_token.weight, 0.25, 1e-6);
  EXPECT_NEAR(m.same_token.weight, 0.75, 1e-6);
  EXPECT_NEAR(*m.normalised_entropy, m.row_entropy[1] / std::log(2.0), 1e-6);
  EXPECT_NEAR(*m.entropy, m.row_entropy[1] / 2.0, 1e-6);
}

TEST(Measures, PositionsFollowTheCausalOffset) {
  Mask mask;
  mask.causal_offset = {2};
  const HeadMeasures m = measured(1, 4, {0.1F, 0.2F, 0.3F, 0.4F}, mask);
  EXPECT_NEAR(m.same_token.weight, 0.3, 1e-6);
  EXPECT_NEAR(m.previous_token.weight, 0.2, 1e-6);
  EXPECT_NEAR(*m.distance, 0.1 * 2 + 0.2 + 0.4, 1e-6);
  EXPECT_FALSE(m.symmetry) << "one query, four keys";
  mask.causal_offset = {std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(measured(1, 4, {0.1F, 0.2F, 0.3F, 0.4F}, mask).same_token.rows, 0U);
}

// Readers of documents decide whether weights are causal.
TEST(Measures, TakeGivenWeightsAsTheirMaskSays) {
  const std::vector<float> weights = {1, 0, 0, 0.5, 0.5, 0, 0.5, 0.25, 0.25};
  Mask causal;
  causal.causal = true;
  const HeadMeasures with = measured(3, 3, weights, causal);
  EXPECT_EQ(with.first_token.rows, 2U);
  EXPECT_NEAR(with.first_token.equal, (1.0 / 2.0 + 1.0 / 3.0) / 2.0, 1e-6);
  const HeadMeasures without = measured(3, 3, weights);
  EXPECT_EQ(without.first_token.rows, 3U);
  EXPECT_NEAR(without.first_token.equal, 1.0 / 3.0, 1e-6);
}

// An equal share is the largest entropy of a row, whatever a mask marks.
TEST(Measures, AMarkedKeyWithAGivenWeightIsSeen) {
  Mask causal;
  causal.causal = true;
  const std::vector<float> equal(9, 1.0F / 3.0F);
  const HeadMeasures m = measured(3, 3, equal, causal);
  EXPECT_NEAR(*m.normalised_entropy, 1.0, 1e-6);
  EXPECT_EQ(m.next_token.rows, 2U);
  EXPECT_NEAR(m.next_token.weight, 1.0 / 3.0, 1e-6);
  for (const std::vector<float>& weights :
       {std::vector<float>{0.2F, 0.3F, 0.5F, 0.1F, 0.1F, 0.8F, 0.3F, 0.4F, 0.3F},
        {1, 0, 0, 0.5F, 0.5F, 0, 0.4F, 0.3F, 0.3F}}) {
    EXPECT_LE(*measured(3, 3, weights, causal).normalised_entropy, 1.0);
  }
}

TEST(Measures, RowsThatDoNotSumToOneCountByTheirShape) {
  const HeadMeasures half = measured(2, 2, {0.25F, 0.25F, 0.125F, 0.375F});
  const HeadMeasures whole = measured(2, 2, {0.5F, 0.5F, 0.25F, 0.75F});
  EXPECT_NEAR(*half.entropy, *whole.entropy, 1e-6);
  EXPECT_NEAR(*half.distance, *whole.distance, 1e-6);
  EXPECT_NEAR(half.same_token.weight, whole.same_token.weight / 2.0, 1e-6);
}

// Weights that are judged one by one may all be large: none is most of its row.
TEST(Measures, LabelsAreOfPartsOfRows) {
  const HeadMeasures every = measured(3, 3, std::vector<float>(9, 0.9F));
  EXPECT_NEAR(every.same_token.weight, 0.9, 1e-6);
  EXPECT_NEAR(every.same_token.part, 1.0 / 3.0, 1e-6);
  EXPECT_EQ(labels(every), labels(measured(3, 3, std::vector<float>(9, 1.0F / 3.0F))));
}

TEST(Measures, OfOneTokenAreFewButSound) {
  const HeadMeasures m = measured(1, 1, {1.0F});
  EXPECT_EQ(*m.entropy, 0.0);
  EXPECT_FALSE(m.normalised_entropy);
  EXPECT_EQ(*m.largest_weight, 1.0);
  EXPECT_EQ(*m.distance, 0.0);
  EXPECT_EQ(m.first_token.rows + m.same_token.rows + m.previous_token.rows, 0U);
  EXPECT_EQ(*m.symmetry, 1.0);
  EXPECT_EQ(labels(m), Names{});
}

TEST(Measures, OfAHeadThatSeesNothingAreNotDefined) {
  Mask mask;
  mask.key_padding = {{0, 0}};
  for (const HeadMeasures& m :
       {measured(2, 2, {0.5F, 0.5F, 1.0F, 0.0F}, mask), measured(2, 2, {0.0F, 0.0F, 0.0F, 0.0F})}) {
    EXPECT_EQ(m.rows, 0U);
    EXPECT_EQ(m.left_out.unseeing + m.left_out.all_zero, 2U);
    for (const MeasureInfo& info : all_measures()) EXPECT_FALSE(info.value(m)) << info.name;
    EXPECT_EQ(m.received, (std::vector<double>{0.0, 0.0}));
    EXPECT_EQ(labels(m), Names{});
  }
}

TEST(Measures, LeaveOutRowsThatAreNotNumbersAndCountThem) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const HeadMeasures m = measured(4, 2, {nan, 0.5F, 0.5F, 0.5F, 1.0F, inf, 1.5F, -0.5F});
  EXPECT_EQ(m.rows, 1U);
  EXPECT_EQ(m.left_out.non_finite, 2U);
  EXPECT_EQ(m.left_out.negative, 1U);
  EXPECT_NEAR(*m.entropy, std::log(2.0), 1e-6);
  EXPECT_TRUE(std::isnan(m.row_entropy[0]) && std::isnan(m.row_entropy[3]));
  EXPECT_EQ(m.received, (std::vector<double>{0.5, 0.5}));
  const HeadMeasures square = measured(2, 2, {nan, 0.5F, 0.25F, 0.75F});
  EXPECT_EQ(*square.symmetry, 1.0) << "one row is left, with its own diagonal cell";
}

TEST(Measures, TellRowsOfZerosFromThoseThatSeeNoKey) {
  Mask mask;
  mask.key_padding = {{1, 1}};
  mask.query_padding = {{1, 1, 0}};
  const HeadMeasures m = measured(3, 2, {0, 0, 0.5F, 0.5F, 0, 0}, mask);
  EXPECT_EQ(m.left_out.all_zero, 1U);
  EXPECT_EQ(m.left_out.unseeing, 1U);
  EXPECT_EQ(left_out_words(m.left_out), "left out: 1 row that sees no key and 1 row of zeros");
  EXPECT_EQ(left_out_words({2, 1, 3, 1}),
            "left out: 2 rows that see no key, 1 row of zeros, 3 rows with negative weights and 1 "
            "row with NaN or infinite weights");
  EXPECT_EQ(left_out_words(LeftOutRows{}), "");
}

TEST(Measures, OfDifferentSequencesKnowNoPositions) {
  AttentionProblem problem = weights_problem({1, 1, 1, 3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  problem.cross = true;
  const HeadMeasures across = measure_head(*computed(problem), {});
  for (const char* name : {"distance", "same_token", "previous_token", "next_token", "symmetry"}) {
    const auto info = std::ranges::find(all_measures(), name, &MeasureInfo::name);
    EXPECT_FALSE(info->value(across)) << name;
  }
  EXPECT_EQ(*across.entropy, 0.0);
  EXPECT_EQ(across.first_token.rows, 3U);
  EXPECT_EQ(labels(across), Names{});
  problem.mask.causal = true;
  EXPECT_TRUE(measure_head(*computed(problem), {}).distance) << "the rule relates their positions";
  problem.cross = false;
  EXPECT_EQ(*measure_head(*computed(problem), {}).symmetry, 1.0);
}

TEST(HeadLabels, AreTheObviousOnes) {
  const std::vector<float> equal(64, 0.125F);
  EXPECT_EQ(labels(measured(8, 8, equal)), Names{"uniform"});
  EXPECT_EQ(labels(measured(8, 8, shifted(8, 1))), (Names{"previous_token", "local"}));
  EXPECT_EQ(labels(measured(8, 8, shifted(8, 0))), (Names{"same_token", "local"}));
  std::vector<float> ahead = shifted(8, 1);
  std::reverse(ahead.begin(), ahead.end());
  EXPECT_EQ(labels(measured(8, 8, ahead)), (Names{"next_token", "local"}));
  EXPECT_EQ(labels(measured(8, 8, shifted(8, 8))), Names{"first_token"});
}

TEST(HeadLabels, AreNotGivenToTwoTokensWithEqualWeights) {
  EXPECT_EQ(labels(measured(2, 2, std::vector<float>(4, 0.5F))), Names{"uniform"});
}

// a b c a b c: the second a attends to the first b, and so on.
TEST(HeadLabels, InductionLooksAtWhatFollowedTheSameToken) {
  const TokenIds tokens{{0, 1, 2, 0, 1, 2}, {0, 1, 2, 0, 1, 2}};
  std::vector<float> weights = shifted(6, 6);
  for (std::size_t q = 3; q < 6; ++q) {
    weights[q * 6] = 0.0F;
    weights[q * 6 + q - 2] = 1.0F;
  }
  Mask causal;
  causal.causal = true;
  const HeadMeasures m = measured(6, 6, weights, causal, tokens);
  EXPECT_EQ(m.induction.rows, 3U);
  EXPECT_NEAR(m.induction.weight, 1.0, 1e-6);
  EXPECT_NEAR(m.induction.equal, (1.0 / 4 + 1.0 / 5 + 1.0 / 6) / 3.0, 1e-6);
  EXPECT_TRUE(labels(m).contains("induction"));
  EXPECT_EQ(measured(6, 6, weights).induction.rows, 0U) << "the tokens are unknown";
}

TEST(HeadLabels, InductionNeedsMoreThanEqualWeightsGive) {
  const TokenIds all_the_same{std::vector<std::size_t>(8, 0), std::vector<std::size_t>(8, 0)};
  Mask causal;
  causal.causal = true;
  std::vector<float> weights(64, 0.0F);
  for (std::size_t q = 0; q < 8; ++q) {
    for (std::size_t k = 0; k <= q; ++k) weights[q * 8 + k] = 1.0F / static_cast<float>(q + 1);
  }
  const HeadMeasures m = measured(8, 8, weights, causal, all_the_same);
  EXPECT_GT(m.induction.weight, 0.4);
  EXPECT_FALSE(labels(m).contains("induction"));
}

// --- the slow and obvious version --------------------------------------------------------------

struct Plain {
  double sum = 0.0;
  std::size_t count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
};

void expect_mean(const std::optional<double>& got, const Plain& plain, const char* what) {
  ASSERT_EQ(got.has_value(), plain.count > 0) << what;
  if (got) {
    EXPECT_NEAR(*got, plain.sum / static_cast<double>(plain.count), 1e-6) << what;
  }
}

void expect_share(const Share& got, const Plain& plain, const char* what) {
  ASSERT_EQ(got.rows, plain.count) << what;
  if (got.rows > 0) {
    EXPECT_NEAR(got.weight, plain.sum / static_cast<double>(plain.count), 1e-6) << what;
  }
}

// Checks results whose rows are finite and not negative.
void expect_plain_measures(const AttentionResult& result, const HeadAddress& head) {
  const AttentionShape& s = result.shape();
  const std::int64_t offset = result.problem().mask.offset_of(head.sample);
  Plain entropy, largest, distance, first, same, previous, next;
  std::size_t unseeing = 0;
  for (std::size_t q = 0; q < s.n_q; ++q) {
    double sum = 0.0, top = 0.0;
    std::size_t seen = 0;
    for (std::size_t k = 0; k < s.n_k; ++k) {
      if (result.hidden(head, q, k) == kVisible) ++seen;
      const double w = static_cast<double>(result.value(Stage::Weights, head, q, k));
      sum += w;
      top = std::max(top, w);
    }
    if (sum == 0.0) {
      ++unseeing;
      continue;
    }
    double nats = 0.0, away = 0.0;
    for (std::size_t k = 0; k < s.n_k; ++k) {
      const double w = static_cast<double>(result.value(Stage::Weights, head, q, k));
      const std::int64_t from =
          static_cast<std::int64_t>(k) - static_cast<std::int64_t>(q) - offset;
      if (w > 0.0) nats -= w / sum * std::log(w / sum);
      away += w / sum * static_cast<double>(std::abs(from));
      if (seen < 2 || result.hidden(head, q, k) != kVisible) continue;
      if (k == 0) first.add(w);
      if (from == 0) same.add(w);
      if (from == -1) previous.add(w);
      if (from == 1) next.add(w);
    }
    entropy.add(nats);
    largest.add(top);
    distance.add(away);
  }
  const HeadMeasures got = measure_head(result, head);
  EXPECT_EQ(got.left_out.count(), unseeing);
  EXPECT_EQ(got.rows + got.left_out.count(), s.n_q);
  expect_mean(got.entropy, entropy, "entropy");
  expect_mean(got.largest_weight, largest, "largest");
  expect_mean(got.distance, distance, "distance");
  expect_share(got.first_token, first, "first");
  expect_share(got.same_token, same, "same");
  expect_share(got.previous_token, previous, "previous");
  expect_share(got.next_token, next, "next");
}

TEST(Measures, AgreeWithTheObviousVersionOnRandomProblems) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    AttentionProblem problem = random_problem(seed);
    if (!has_scores(problem)) continue;
    const ResultPtr result = computed(problem);
    for (const HeadAddress& head : heads_of(problem.shape)) expect_plain_measures(*result, head);
  }
}

TEST(Measures, StayInTheirBoundsWhateverTheNumbers) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    const AttentionProblem problem = extreme_problem(seed);
    const ResultPtr result = computed(problem);
    for (const HeadAddress& head : heads_of(problem.shape)) {
      const HeadMeasures m = measure_head(*result, head);
      EXPECT_EQ(rows_read(m), problem.shape.n_q);
      for (const MeasureInfo& info : all_measures()) {
        const std::optional<double> value = info.value(m);
        EXPECT_TRUE(!value || std::isfinite(*value)) << info.name;
        const bool sums_to_one =
            has_scores(problem) && problem.scoring.normaliser != Normaliser::Sigmoid;
        if (!value || !info.is_share || !sums_to_one) continue;
        EXPECT_GE(*value, -1e-6) << info.name;
        EXPECT_LE(*value, 1.0 + 1e-6) << info.name;
      }
    }
  }
}

// Expects known values, so that no measure is a sum in place of a mean, or never added up.
TEST(Measures, AreAllKnownOfEqualWeights) {
  const TokenIds tokens{{0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, 1}};
  const HeadMeasures m = measured(6, 6, std::vector<float>(36, 1.0F / 6.0F), {}, tokens);
  for (const MeasureInfo& info : all_measures()) {
    const std::optional<double> value = info.value(m);
    ASSERT_TRUE(value) << info.name;
    if (info.is_share) {
      EXPECT_LE(*value, 1.0 + 1e-6) << info.name;
    }
  }
}

TEST(Measures, DoNotDependOnHowManyRowsAreReadAtOnce) {
  constexpr std::size_t kMany = 300;  // more than one block of rows, more than one tile
  const ResultPtr result = computed(qkv_problem(1, 1, kMany, kMany, 4, 3));
  expect_plain_measures(*result, {});
  double difference = 0.0, total = 0.0;
  for (std::size_t i = 0; i < kMany; ++i) {
    for (std::size_t j = 0; j < kMany; ++j) {
      const double a = static_cast<double>(result->value(Stage::Weights, {}, i, j));
      const double b = static_cast<double>(result->value(Stage::Weights, {}, j, i));
      difference += (a - b) * (a - b);
      total += (a + b) * (a + b);
    }
  }
  EXPECT_NEAR(*measure_head(*result, {}).symmetry, 1.0 - std::sqrt(difference / total), 1e-6);
}

TEST(Measures, AreThoseOfKeptWeightsWhereNobodyKeepsThem) {
  AttentionProblem problem = qkv_problem(1, 1, 600, 600, 4, 3);
  problem.mask.causal = true;
  problem.mask.window = Window{100, {}};
  const HeadMeasures kept = measure_head(*computed(problem), {});
  problem.most_materialised_map_bytes = 0;
  const HeadMeasures got = measure_head(*computed(problem), {});
  for (const MeasureInfo& info : all_measures()) {
    ASSERT_EQ(info.value(got).has_value(), info.value(kept).has_value()) << info.name;
    const double value = info.value(kept).value_or(0.0);
    EXPECT_NEAR(info.value(got).value_or(0.0), value, 1e-9) << info.name;
  }
  ASSERT_TRUE(got.symmetry && kept.symmetry);
  EXPECT_NEAR(*got.symmetry, *kept.symmetry, 1e-9);
  EXPECT_EQ(got.received, kept.received);
}

TEST(Measures, OfSomeRowsAreMeansOverThem) {
  const ResultPtr result = computed(qkv_problem(1, 1, 300, 300, 4, 3));
  const HeadMeasures all = measure_head(*result, {});
  const HeadMeasures some = measure_head(*result, {}, {}, 50);
  EXPECT_EQ(some.rows, 6U);
  EXPECT_FALSE(some.symmetry) << "is of all rows";
  double sum = 0.0;
  for (std::size_t row = 25; row < 300; row += 50) sum += all.row_entropy[row];
  EXPECT_NEAR(*some.entropy, sum / 6.0, 1e-12);
}

TEST(Measures, AreListedUnderDifferentNames) {
  std::set<std::string_view> names;
  for (const MeasureInfo& info : all_measures()) names.insert(info.name);
  EXPECT_EQ(names.size(), all_measures().size());
  std::set<std::string_view> label_names;
  for (const HeadLabelInfo& info : all_head_labels()) {
    label_names.insert(info.name);
    EXPECT_FALSE(info.rule.ends_with('.')) << info.name;
  }
  EXPECT_EQ(label_names.size(), all_head_labels().size());
}

// --- PyTorch ---------------------------------------------------------------------------------

void expect_pytorchs_measures(const std::string& name) {
  const ReferenceCase reference = read_reference_case(reference_case_path(name));
  const CaseTensor& input = reference.inputs.at("weights");
  const std::size_t heads = input.shape[0], n = input.shape[1];
  const AttentionProblem problem = weights_problem(
      {1, 1, heads, n, n}, std::vector<float>(input.values.begin(), input.values.end()));
  const ResultPtr result = computed(problem);
  std::map<std::string, std::vector<double>> got;
  for (std::size_t head = 0; head < heads; ++head) {
    const HeadMeasures m = measure_head(*result, {0, 0, head});
    const std::vector<double>& torch_max = reference.outputs.at("max").values;
    const auto first = torch_max.begin() + static_cast<std::ptrdiff_t>(head * n);
    const double mean = std::accumulate(first, first + static_cast<std::ptrdiff_t>(n), 0.0);
    EXPECT_NEAR(*m.largest_weight, mean / static_cast<double>(n), 2e-6);
    for (const double nats : m.row_entropy) {
      got["entropy_nats"].push_back(nats);
      got["entropy_bits"].push_back(nats / std::log(2.0));
    }
    got["received"].insert(got["received"].end(), m.received.begin(), m.received.end());
  }
  for (const auto& [output, values] : got) expect_agreement(values, reference, output);
}

TEST(Measures, AgreeWithPyTorch) {
  ATTNSCOPE_SKIP_WITHOUT(shared_file("reference/torch"));
  for (const char* name : {"metrics_entropy", "metrics_entropy_extremes"}) {
    SCOPED_TRACE(name);
    expect_pytorchs_measures(name);
  }
}

TEST(MetricsCasesFolder, HoldsTheExpectedNumberOfCases) {
  ATTNSCOPE_SKIP_WITHOUT(shared_file("reference/torch"));
  EXPECT_EQ(reference_case_names({"metrics"}).size(), 3U);
}

}  // namespace
}  // namespace attn::test
