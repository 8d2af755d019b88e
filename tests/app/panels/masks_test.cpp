// Counts of hidden cells agree with a count of every cell.
#include <gtest/gtest.h>

#include "attention/mask.h"
#include "base/random.h"
#include "gui/panels/rules/rules.h"

namespace attn::gui {
namespace {

// Reference counts, cell by cell.
HiddenCounts counted_by_cells(const Mask& mask, const HeadAddress& head, std::size_t n_q,
                              std::size_t n_k) {
  HiddenCounts counts;
  counts.cells = n_q * n_k;
  for (std::size_t q = 0; q < n_q; ++q) {
    for (std::size_t k = 0; k < n_k; ++k) {
      const HiddenRules rules = hidden_by(mask, head, q, k);
      counts.hidden += rules != kVisible ? 1 : 0;
      for (unsigned bit = 0; bit < 8; ++bit) counts.by_rule[bit] += (rules >> bit) & 1U;
    }
  }
  return counts;
}

std::vector<std::uint8_t> random_flags(Random& random, std::size_t count) {
  std::vector<std::uint8_t> flags(count);
  for (auto& flag : flags) flag = random.uniform() < 0.7F ? 1 : 0;
  return flags;
}

Mask random_mask(Random& random, std::size_t n_q, std::size_t n_k) {
  Mask mask;
  mask.causal = random.uniform() < 0.5F;
  if (random.uniform() < 0.5F) {
    mask.causal_offset = {static_cast<std::int64_t>(random.next() % 9) - 4};
  }
  if (random.uniform() < 0.5F) mask.key_padding = {random_flags(random, n_k)};
  if (random.uniform() < 0.5F) {
    mask.query_padding = {random_flags(random, n_q), random_flags(random, n_q)};
  }
  if (random.uniform() < 0.4F) {
    mask.visible = BoolTensor({n_q, n_k}, random_flags(random, n_q * n_k));
  }
  if (random.uniform() < 0.3F) mask.window = Window{random.next() % 3, std::nullopt, 2};
  if (random.uniform() < 0.3F) mask.prefix = {random.next() % 4};
  return mask;
}

TEST(HiddenCounts, AgreeWithEveryCellForRandomMasks) {
  Random random(20);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n_q = 1 + random.next() % 7;
    const std::size_t n_k = 1 + random.next() % 7;
    const Mask mask = random_mask(random, n_q, n_k);
    const HeadAddress head{0, random.next() % 2, 0};
    const HiddenCounts expected = counted_by_cells(mask, head, n_q, n_k);
    const HiddenCounts counts = count_hidden(mask, head, n_q, n_k);
    ASSERT_EQ(counts.cells, expected.cells) << round;
    ASSERT_EQ(counts.hidden, expected.hidden) << round;
    ASSERT_EQ(counts.by_rule, expected.by_rule) << round;
  }
}

// Visiting all 17 thousand million cells would take minutes.
TEST(HiddenCounts, OfVeryManyCellsAreEstimatedFromSomeRows) {
  constexpr std::size_t kLong = 131072;
  Mask mask;
  mask.causal = true;
  mask.window = Window{std::nullopt, std::nullopt, 1};
  const HiddenCounts counts = count_hidden(mask, {}, kLong, kLong);
  EXPECT_TRUE(counts.is_estimate);
  const double exact = 0.5 * kLong * (kLong - 1.0);
  EXPECT_NEAR(static_cast<double>(counts.hidden), exact, 0.001 * exact);
  EXPECT_EQ(counts.by_rule[0], counts.hidden);
  EXPECT_FALSE(count_hidden(mask, {}, 2048, 2048).is_estimate);
}

}  // namespace
}  // namespace attn::gui
