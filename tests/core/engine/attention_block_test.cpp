// Attention in blocks: bits equal those of its stages in sequence, for all splits.
#include "engine/kernels/attention_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "base/special_numbers.h"
#include "engine/kernels/packed_product.h"
#include "every_instruction_set.h"
#include "problems.h"

namespace attn::test {
namespace {

class AttentionBlock : public EveryInstructionSet {};
INSTANTIATE_TEST_SUITE_P(Kernels, AttentionBlock, testing::ValuesIn(instruction_sets()),
                         name_of_set);

// One head with random rules.
struct Head {
  Head(std::size_t queries, std::size_t key_count, std::uint64_t seed)
      : n_q(queries), n_k(key_count), random(seed) {
    d_k = uniform(random, 1, 70);
    d_v = uniform(random, 1, 70);
    q = values(n_q * d_k);
    k = values(n_k * d_k);
    v = values(n_k * d_v);
    choose_rules();
    if (uniform(random, 0, 3) == 0) v[uniform(random, 0, v.size() - 1)] = kNaN;
    pack();
  }

  std::vector<float> values(std::size_t count) {
    std::vector<float> out(count);
    for (float& value : out) value = random.normal();
    return out;
  }

  // Query q sees keys from first_seen(q) to last_seen(q).
  void choose_rules() {
    rules.scale = 0.3F;
    if (uniform(random, 0, 2) == 0) rules.softcap = 3.0F;
    if (uniform(random, 0, 2) == 0) rules.temperature = 1.7F;
    if (uniform(random, 0, 2) == 0) rules.sink = 2.5F;
    if (uniform(random, 0, 1) == 0) {
      const std::size_t width = uniform(random, 1, 2 * n_k);
      const std::size_t offset = uniform(random, 0, n_k);
      rules.seen = [=](std::size_t query) {
        const std::size_t end = query + offset;
        return KeySpan{end < width ? 0 : end - width, end};
      };
    }
    if (uniform(random, 0, 1) == 0) {
      rules.add_bias = [](std::size_t query, std::size_t first, std::span<float> logits) {
        for (std::size_t i = 0; i < logits.size(); ++i) {
          logits[i] -= 0.01F * static_cast<float>((query + first + i) % 97);
        }
      };
    }
    if (uniform(random, 0, 1) == 0) {
      rules.hidden = [](std::size_t query, std::size_t first, std::span<HiddenRules> hidden) {
        for (std::size_t i = 0; i < hidden.size(); ++i) {
          hidden[i] = query % 7 == 3 || (first + i + query) % 3 == 0 ? kHiddenByHand : kVisible;
        }
      };
    }
  }

  MatrixView queries() const { return {q.data(), n_q, d_k, d_k}; }
  MatrixView keys() const { return {k.data(), n_k, d_k, d_k}; }
  MatrixView head_values() const { return {v.data(), n_k, d_v, d_v}; }
  void pack() {
    packed_keys.pack_rows(keys());
    packed_values.pack_columns(head_values());
    values_are_finite = summary_of(v).non_finite == 0;
  }
  ScoredHead scored() const {
    return {rules, queries(), packed_keys, &packed_values, values_are_finite};
  }

  std::size_t n_q, n_k, d_k, d_v;
  Random random;
  std::vector<float> q, k, v;
  LogitRules rules;
  PackedPanels packed_keys, packed_values;
  bool values_are_finite = true;
};

struct Outcome {
  std::vector<float> logits, weights, output;
};

std::vector<HiddenRules> rules_of(const Head& head, std::size_t q) {
  std::vector<HiddenRules> hidden(head.n_k);
  if (head.rules.hidden) head.rules.hidden(q, 0, hidden);
  for (std::size_t k = 0; k < head.n_k; ++k) {
    const KeySpan seen = head.rules.seen ? head.rules.seen(q) : KeySpan{0, head.n_k};
    if (k < seen.begin || k >= seen.end) hidden[k] = kHiddenByCausal;
  }
  return hidden;
}

// Stage by stage, whole rows.
Outcome by_stages(const Head& head) {
  Outcome out;
  for (std::size_t q = 0; q < head.n_q; ++q) {
    std::vector<float> row(head.n_k);
    std::vector<float> output(head.d_v);
    const std::vector<HiddenRules> hidden = rules_of(head, q);
    multiply_packed(rows_of(head.queries(), q, 1), head.packed_keys, 0,
                    {row.data(), 1, head.n_k, head.n_k});
    scale_row(row, head.rules.scale, row);
    if (head.rules.softcap) softcap_row(row, *head.rules.softcap, row);
    if (head.rules.add_bias) head.rules.add_bias(q, 0, row);
    mask_row(row, {}, hidden, row);
    divide_row(row, head.rules.temperature, row);
    out.logits.insert(out.logits.end(), row.begin(), row.end());
    softmax_row(row, hidden, row, head.rules.sink);
    multiply_visible_packed(row, hidden, head.packed_values, output.data());
    out.weights.insert(out.weights.end(), row.begin(), row.end());
    out.output.insert(out.output.end(), output.begin(), output.end());
  }
  return out;
}

// `rows` rows per call, into memory that is not cleared.
Outcome by_blocks(const Head& head, std::size_t rows) {
  Outcome out;
  out.logits.assign(head.n_q * head.n_k, 7.0F);
  out.weights.assign(head.n_q * head.n_k, 7.0F);
  out.output.assign(head.n_q * head.d_v, 7.0F);
  for (std::size_t q = 0; q < head.n_q; q += rows) {
    const std::size_t count = std::min(rows, head.n_q - q);
    const AttentionOut to{{&out.weights[q * head.n_k], count, head.n_k, head.n_k},
                          {&out.output[q * head.d_v], count, head.d_v, head.d_v},
                          {}};
    attend_block(head.scored(), {q, 0, count}, to);
    logits_of(head.scored(), {q, 0, count, head.n_k},
              {&out.logits[q * head.n_k], count, head.n_k, head.n_k});
  }
  return out;
}

void check_blocks(const Head& head, const Outcome& expected) {
  for (const std::size_t rows : {std::size_t{1}, std::size_t{10}, std::size_t{100}}) {
    const Outcome got = by_blocks(head, rows);
    EXPECT_TRUE(same_bits(got.logits, expected.logits)) << rows;
    EXPECT_TRUE(same_bits(got.weights, expected.weights)) << rows;
    EXPECT_TRUE(same_bits(got.output, expected.output)) << rows;
  }
}

// Computes without weights, and without output.
void check_halves(const Head& head, const Outcome& expected) {
  Outcome got = expected;
  std::ranges::fill(got.weights, 7.0F);
  std::ranges::fill(got.output, 7.0F);
  const MutableMatrix weights{got.weights.data(), head.n_q, head.n_k, head.n_k};
  const MutableMatrix output{got.output.data(), head.n_q, head.d_v, head.d_v};
  const CellRange all{0, 0, head.n_q};
  attend_block(head.scored(), all, {weights, {}, {}});
  attend_block(head.scored(), all, {{}, output, {}});
  EXPECT_TRUE(same_bits(got.weights, expected.weights));
  EXPECT_TRUE(same_bits(got.output, expected.output));
}

// Tiles of weights follow from the sums of their rows.
void check_tile(Head& head, const Outcome& expected) {
  CellRange rows{.row = uniform(head.random, 0, head.n_q - 1)};
  rows.row_step = uniform(head.random, 1, 3);
  rows.rows = uniform(head.random, 1, (head.n_q - rows.row - 1) / rows.row_step + 1);
  const std::size_t col = rows.col = uniform(head.random, 0, head.n_k - 1);
  const std::size_t cols = rows.cols = uniform(head.random, 1, head.n_k - col);
  std::vector<RowSum> sums(rows.rows), beside(rows.rows);
  std::vector<float> tile(rows.rows * cols), whole(rows.rows * head.n_k);
  sums_of_rows(head.scored(), rows, sums);
  weights_of(head.scored(), rows, sums, {tile.data(), rows.rows, cols, cols});
  attend_block(head.scored(), rows, {{whole.data(), rows.rows, head.n_k, head.n_k}, {}, beside});
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const float* of_row = &expected.weights[rows.row_at(r) * head.n_k];
    const std::vector<float> row(of_row, of_row + head.n_k);
    const auto got = tile.begin() + static_cast<std::ptrdiff_t>(r * cols);
    ASSERT_TRUE(same_bits({got, got + static_cast<std::ptrdiff_t>(cols)},
                          {of_row + col, of_row + col + cols}));
    const auto at_once = whole.begin() + static_cast<std::ptrdiff_t>(r * head.n_k);
    ASSERT_TRUE(same_bits({at_once, at_once + static_cast<std::ptrdiff_t>(head.n_k)}, row));
    EXPECT_EQ(sums[r].is_undefined(), beside[r].is_undefined());
    if (sums[r].is_undefined()) continue;
    EXPECT_EQ(sums[r].shift, beside[r].shift);
    EXPECT_EQ(sums[r].total, beside[r].total);
  }
}

// Largest logit of every bin.
void check_bins(Head& head, const Outcome& expected) {
  const std::size_t width = uniform(head.random, 1, 40);
  const std::size_t first = uniform(head.random, 0, head.n_k - 1);
  const std::size_t count = uniform(head.random, 1, (head.n_k - first - 1) / width + 1);
  const std::size_t past = first + uniform(head.random, (count - 1) * width + 1,
                                           std::min(count * width, head.n_k - first));
  std::vector<float> bins(head.n_q * count, -kInfinity);
  std::vector<RowSum> sums(head.n_q);
  sums_of_rows(head.scored(), {0, 0, head.n_q}, sums,
               {{first, past}, width, {bins.data(), head.n_q, count, count}});
  for (std::size_t q = 0; q < head.n_q; ++q) {
    if (std::isnan(sums[q].total)) continue;
    const std::span<const float> logits(&expected.logits[q * head.n_k], head.n_k);
    for (std::size_t bin = 0; bin < count; ++bin) {
      const std::size_t begin = first + bin * width;
      const auto cells = logits.subspan(begin, std::min(width, past - begin));
      ASSERT_EQ(bins[q * count + bin], std::ranges::max(cells)) << q << ", " << bin;
    }
  }
}

void check_head(Head&& head) {
  const Outcome expected = by_stages(head);
  check_blocks(head, expected);
  check_halves(head, expected);
  check_tile(head, expected);
  check_bins(head, expected);
}

TEST_P(AttentionBlock, HasTheBitsOfItsStages) {
  std::uint64_t seed = 0;
  for (const std::size_t keys : {1U, 15U, 16U, 17U, 63U, 64U, 65U, 255U, 257U, 600U}) {
    for (const std::size_t queries : {1U, 16U, 23U, 30U, 51U}) {
      SCOPED_TRACE(shape_text({queries, keys, seed}));
      check_head(Head(queries, keys, ++seed));
    }
  }
}

TEST_P(AttentionBlock, HasTheBitsOfItsStagesInLongRows) {
  std::uint64_t seed = 100;
  for (const std::size_t keys : {8191U, 8192U, 8193U, 17'000U}) {
    for (int i = 0; i < 2; ++i) {
      SCOPED_TRACE(shape_text({keys, seed}));
      check_head(Head(3, keys, ++seed));
    }
  }
}

TEST_P(AttentionBlock, CarriesExtremesAsItsStagesDo) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Head head(9, 70, seed);
    for (int i = 0; i < 3; ++i) {
      constexpr float kExtremes[] = {1e30F, -1e30F, kNaN, kInfinity, -kInfinity, -0.0F};
      head.q[uniform(head.random, 0, head.q.size() - 1)] = kExtremes[uniform(head.random, 0, 5)];
      head.k[uniform(head.random, 0, head.k.size() - 1)] = kExtremes[uniform(head.random, 0, 5)];
    }
    head.pack();
    check_head(std::move(head));
  }
}

TEST_P(AttentionBlock, HasTheSameBitsAsOtherSetsWithFusedMultiplyAdd) {
  const std::string other = set_to_compare_with();
  if (other.empty()) GTEST_SKIP() << "this processor has no fused multiply-add";
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Head head(30, 300, seed);
    const Outcome got = by_blocks(head, 24);
    use_instruction_set(other);
    const Outcome expected = by_blocks(head, 24);
    use_instruction_set(GetParam());
    if (has_fused_multiply_add(GetParam())) {
      EXPECT_TRUE(same_bits(got.weights, expected.weights)) << seed;
      EXPECT_TRUE(same_bits(got.output, expected.output)) << seed;
      continue;
    }
    for (std::size_t i = 0; i < got.weights.size(); ++i) {
      ASSERT_NEAR(got.weights[i], expected.weights[i], 2e-6);
    }
  }
}

// Against sums in double.
TEST_P(AttentionBlock, AgreesWithDouble) {
  Random random(1);
  constexpr std::size_t kKeys = 1500;
  constexpr std::size_t kWidth = 64;
  std::vector<float> q(kWidth);
  std::vector<float> k(kKeys * kWidth);
  for (float& value : q) value = 4.0F * random.normal();
  for (float& value : k) value = random.normal();
  LogitRules rules;
  rules.scale = 0.125F;
  PackedPanels keys, values;
  keys.pack_rows({k.data(), kKeys, kWidth, kWidth});
  values.pack_columns({k.data(), kKeys, kWidth, kWidth});
  std::vector<float> weights(kKeys);
  std::vector<float> output(kWidth);
  attend_block({rules, {q.data(), 1, kWidth, kWidth}, keys, &values}, {0, 0, 1},
               {{weights.data(), 1, kKeys, kKeys}, {output.data(), 1, kWidth, kWidth}, {}});
  std::vector<double> e(kKeys);
  double total = 0.0;
  for (std::size_t i = 0; i < kKeys; ++i) {
    double score = 0.0;
    for (std::size_t c = 0; c < kWidth; ++c)
      score += static_cast<double>(q[c]) * static_cast<double>(k[i * kWidth + c]);
    total += e[i] = std::exp(0.125 * score);
  }
  for (std::size_t c = 0; c < kWidth; ++c) {
    double sum = 0.0;
    for (std::size_t i = 0; i < kKeys; ++i)
      sum += e[i] / total * static_cast<double>(k[i * kWidth + c]);
    EXPECT_NEAR(output[c], sum, 1.4e-5);
  }
  for (std::size_t i = 0; i < kKeys; ++i) EXPECT_NEAR(weights[i], e[i] / total, 1.6e-6);
}

}  // namespace
}  // namespace attn::test
