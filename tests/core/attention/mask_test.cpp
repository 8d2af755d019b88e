#include "attention/mask.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"

namespace attn::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Mask, WithoutRulesHidesNothing) {
  EXPECT_EQ(hidden_by(Mask{}, {}, 3, 7), kVisible);
  EXPECT_EQ(bias_at(Mask{}, {}, 3, 7), 0.0F);
}

TEST(Mask, CausalShowsKeysUpToTheQueryPlusTheOffset) {
  Mask mask;
  mask.causal = true;
  EXPECT_EQ(hidden_by(mask, {}, 2, 2), kVisible);
  EXPECT_EQ(hidden_by(mask, {}, 2, 3), kHiddenByCausal);
  mask.causal_offset = {1};
  EXPECT_EQ(hidden_by(mask, {}, 2, 3), kVisible);
  EXPECT_EQ(hidden_by(mask, {}, 2, 4), kHiddenByCausal);
  mask.causal_offset = {-2};
  EXPECT_EQ(hidden_by(mask, {}, 1, 0), kHiddenByCausal);
  EXPECT_EQ(hidden_by(mask, {}, 2, 0), kVisible);
}

TEST(Mask, AnOffsetWithoutCausalHidesNothing) {
  Mask mask;
  mask.causal_offset = {-5};
  EXPECT_EQ(hidden_by(mask, {}, 0, 9), kVisible);
}

TEST(Mask, OffsetsMayDifferPerSample) {
  Mask mask;
  mask.causal = true;
  mask.causal_offset = {0, 2};
  EXPECT_EQ(hidden_by(mask, {0, 0, 0}, 0, 2), kHiddenByCausal);
  EXPECT_EQ(hidden_by(mask, {0, 1, 0}, 0, 2), kVisible);
  EXPECT_EQ(mask.offset_of(0), 0);
  EXPECT_EQ(mask.offset_of(1), 2);
}

TEST(Mask, OffsetsAtTheEndsOfTheirRangeDoNotOverflow) {
  Mask mask;
  mask.causal = true;
  mask.causal_offset = {std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(hidden_by(mask, {}, 5, 100), kVisible);
  mask.causal_offset = {std::numeric_limits<std::int64_t>::min()};
  EXPECT_EQ(hidden_by(mask, {}, 100, 0), kHiddenByCausal);
}

TEST(Mask, PaddingIsOneListForAllSamplesOrOneEach) {
  Mask mask;
  mask.key_padding = {{1, 0}};
  EXPECT_EQ(hidden_by(mask, {0, 1, 0}, 0, 1), kHiddenByKeyPadding);
  mask.key_padding = {{1, 0}, {0, 1}};
  EXPECT_EQ(hidden_by(mask, {0, 1, 0}, 0, 1), kVisible);
  EXPECT_EQ(hidden_by(mask, {0, 1, 0}, 0, 0), kHiddenByKeyPadding);
}

TEST(Mask, APaddedQuerySeesNoKey) {
  Mask mask;
  mask.query_padding = {{1, 0}};
  std::vector<std::uint8_t> visible(3);
  EXPECT_EQ(visible_row(mask, {}, 0, visible), 3U);
  EXPECT_EQ(visible_row(mask, {}, 1, visible), 0U);
  EXPECT_EQ(hidden_by(mask, {}, 1, 2), kHiddenByQueryPadding);
}

TEST(Mask, EveryRuleThatHidesACellIsNamed) {
  Mask mask;
  mask.causal = true;
  mask.key_padding = {{1, 0}};
  mask.query_padding = {{0}};
  mask.visible = BoolTensor({1, 2}, {1, 0});
  mask.bias = Tensor({1, 2}, {0.0F, -kInfinity});
  const HiddenRules rules = hidden_by(mask, {}, 0, 1);
  EXPECT_EQ(rules, kHiddenByCausal | kHiddenByKeyPadding | kHiddenByQueryPadding | kHiddenByHand |
                       kHiddenByBias);
  EXPECT_EQ(hidden_sentence(rules),
            "hidden by causal mask, key padding, query padding, hand and a bias of -inf");
  EXPECT_EQ(hidden_sentence(kHiddenByCausal), "hidden by causal mask");
  EXPECT_EQ(hidden_sentence(kHiddenByCausal | kHiddenByKeyPadding),
            "hidden by causal mask and key padding");
  EXPECT_EQ(hidden_sentence(kVisible), "");
}

TEST(Mask, OnlyABiasOfMinusInfinityHides) {
  Mask mask;
  mask.bias =
      Tensor({4}, {-3.4e38F, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_EQ(hidden_by(mask, {}, 0, 0), kVisible);
  EXPECT_EQ(hidden_by(mask, {}, 0, 1), kVisible);
  EXPECT_EQ(hidden_by(mask, {}, 0, 2), kHiddenByBias);
  EXPECT_EQ(hidden_by(mask, {}, 0, 3), kVisible);
}

TEST(BroadcastIndex, AlignsEveryRankToTheRight) {
  EXPECT_EQ(broadcast_index({5}, 1, 2, 3, 4), 4U);
  EXPECT_EQ(broadcast_index({4, 5}, 1, 2, 3, 4), 3U * 5 + 4);
  EXPECT_EQ(broadcast_index({3, 4, 5}, 1, 2, 3, 4), (2U * 4 + 3) * 5 + 4);
  EXPECT_EQ(broadcast_index({2, 3, 4, 5}, 1, 2, 3, 4), ((1U * 3 + 2) * 4 + 3) * 5 + 4);
}

TEST(BroadcastIndex, RepeatsExtentsOfOne) {
  EXPECT_EQ(broadcast_index({1}, 1, 2, 3, 4), 0U);
  EXPECT_EQ(broadcast_index({4, 1}, 1, 2, 3, 4), 3U);
  EXPECT_EQ(broadcast_index({2, 1, 1, 5}, 1, 2, 3, 4), 1U * 5 + 4);
  EXPECT_EQ(broadcast_index({1, 3, 1, 1}, 1, 2, 3, 4), 2U);
}

Shape random_shape(Random& random) {
  Shape shape{2, 3, 4, 5};
  for (std::size_t& extent : shape) extent = random.next() % 3 == 0 ? 1 : extent;
  shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(random.next() % 4));
  return shape;
}

Mask random_mask(Random& random) {
  Mask mask;
  mask.causal = random.next() % 2 == 0;
  mask.causal_offset = {static_cast<std::int64_t>(random.next() % 5) - 2, 1};
  mask.key_padding = {{1, 1, 0, 1, 1}, {1, 0, 1, 1, 0}};
  mask.query_padding = {{1, 0, 1, 1}};
  const Shape visible = random_shape(random);
  std::vector<std::uint8_t> flags(element_count(visible));
  for (std::uint8_t& flag : flags) flag = random.next() % 4 == 0 ? 0 : 1;
  mask.visible = BoolTensor(visible, flags);
  const Shape bias = random_shape(random);
  std::vector<float> values(element_count(bias));
  for (float& value : values) value = random.next() % 5 == 0 ? -kInfinity : random.normal();
  mask.bias = Tensor(bias, values);
  return mask;
}

TEST(MaskRows, SayWhatTheCellFunctionsSay) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const Mask mask = random_mask(random);
    const HeadAddress head{0, random.next() % 2, random.next() % 3};
    for (std::size_t q = 0; q < 4; ++q) {
      std::vector<HiddenRules> rules(5);
      std::vector<std::uint8_t> visible(5);
      std::vector<float> bias(5);
      const std::size_t count = hidden_row(mask, head, q, rules);
      EXPECT_EQ(visible_row(mask, head, q, visible), count);
      bias_row(mask, head, q, bias);
      std::size_t expected_count = 0;
      for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_EQ(rules[k], hidden_by(mask, head, q, k));
        EXPECT_EQ(visible[k] != 0, hidden_by(mask, head, q, k) == kVisible);
        EXPECT_EQ(bias[k], bias_at(mask, head, q, k));
        expected_count += visible[k];
      }
      EXPECT_EQ(count, expected_count);
    }
  }
}

TEST(MaskRows, BiasIsZeroWithoutOne) {
  std::vector<float> bias(2, 7.0F);
  bias_row(Mask{}, {}, 0, bias);
  EXPECT_EQ(bias, (std::vector<float>{0.0F, 0.0F}));
}

}  // namespace
}  // namespace attn::test
