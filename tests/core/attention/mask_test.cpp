// Rules of masks in hand-made cases.
#include "attention/mask.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/special_numbers.h"

namespace attn::test {
namespace {

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
  std::vector<HiddenRules> rules(3);
  EXPECT_EQ(hidden_row(mask, {}, 0, rules), 3U);
  EXPECT_EQ(hidden_row(mask, {}, 1, rules), 0U);
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
            "hidden by causal mask, key padding, query padding, painted cells and a bias of -inf");
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

TEST(Window, ShowsKeysAroundThePositionOfTheQuery) {
  Mask mask;
  mask.window = Window{2, 1, 1};
  EXPECT_EQ(hidden_by(mask, {}, 4, 1), kHiddenByWindow);
  EXPECT_EQ(hidden_by(mask, {}, 4, 2), kVisible);
  EXPECT_EQ(hidden_by(mask, {}, 4, 5), kVisible);
  EXPECT_EQ(hidden_by(mask, {}, 4, 6), kHiddenByWindow);
  mask.causal_offset = {3};  // the query's position is q + 3, causal or not
  EXPECT_EQ(hidden_by(mask, {}, 4, 4), kHiddenByWindow);
  EXPECT_EQ(hidden_by(mask, {}, 4, 8), kVisible);
  mask.window = Window{std::nullopt, 0, 1};
  EXPECT_EQ(hidden_by(mask, {}, 4, 0), kVisible);
  EXPECT_EQ(hidden_by(mask, {}, 4, 8), kHiddenByWindow);
}

TEST(Window, ADilationOfOneIsNone) {
  Mask mask;
  mask.window = Window{2, 0, 1};
  EXPECT_EQ(rules_of(mask, 0), kHiddenByWindow);
  mask.window->dilation = 2;
  EXPECT_EQ(rules_of(mask, 0), kHiddenByWindow | kHiddenByDilation);
}

TEST(Window, DilationTakesEveryNthKeyAndReachesThatMuchFurther) {
  Mask mask;
  mask.window = Window{2, 1, 3};
  const HiddenRules far = kHiddenByWindow | kHiddenByDilation;
  const HiddenRules expected[] = {far,      kVisible,          kHiddenByDilation, kHiddenByDilation,
                                  kVisible, kHiddenByDilation, kHiddenByDilation, kVisible};
  for (std::size_t k = 1; k < 8; ++k) EXPECT_EQ(hidden_by(mask, {}, 7, k), expected[k]) << k;
  EXPECT_EQ(hidden_by(mask, {}, 7, 0), kHiddenByDilation);  // 7 / 3 is still within 2 steps
  EXPECT_EQ(hidden_by(mask, {}, 7, 10), kVisible);
  EXPECT_EQ(hidden_by(mask, {}, 7, 13), kHiddenByWindow);
  EXPECT_EQ(hidden_by(mask, {}, 7, 14), kHiddenByWindow | kHiddenByDilation);
}

TEST(Window, SinkTokensEscapeIt) {
  Mask mask;
  mask.causal = true;
  mask.window = Window{1, std::nullopt, 1};
  mask.sink_tokens = 2;
  EXPECT_EQ(hidden_by(mask, {}, 9, 1), kVisible);
  EXPECT_EQ(hidden_by(mask, {}, 9, 2), kHiddenByWindow);
  EXPECT_EQ(hidden_by(mask, {}, 0, 1), kHiddenByCausal);  // but not from the causal rule
}

TEST(Window, SurvivesOffsetsAtTheEndsOfTheirRange) {
  Mask mask;
  mask.window = Window{5, 5, 1};
  for (const std::int64_t offset :
       {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    mask.causal_offset = {offset};
    EXPECT_NE(hidden_by(mask, {}, 3, 9) & kHiddenByWindow, 0);
    EXPECT_NE(hidden_by(mask, {}, 9, 3) & kHiddenByWindow, 0);
  }
}

TEST(Prefix, EscapesTheCausalRuleOnly) {
  Mask mask;
  mask.causal = true;
  mask.prefix = {3};
  EXPECT_EQ(hidden_by(mask, {}, 0, 2), kVisible);
  EXPECT_EQ(hidden_by(mask, {}, 0, 3), kHiddenByCausal);
  mask.window = Window{0, 0, 1};
  EXPECT_EQ(hidden_by(mask, {}, 0, 2), kHiddenByWindow);
  mask.prefix = {0, 1};
  mask.window.reset();
  EXPECT_EQ(hidden_by(mask, {0, 1, 0}, 0, 1), kHiddenByCausal);
}

TEST(Segments, SeparateDocumentsInOneSequence) {
  Mask mask;
  mask.query_segments = {{0, 0, 1}};
  EXPECT_EQ(hidden_by(mask, {}, 0, 1), kVisible);
  EXPECT_EQ(hidden_by(mask, {}, 0, 2), kHiddenBySegment);
  mask.key_segments = {{1, 1, 1, 0}};
  EXPECT_EQ(hidden_by(mask, {}, 0, 3), kVisible);
  EXPECT_EQ(hidden_by(mask, {}, 2, 3), kHiddenBySegment);
}

TEST(Alibi, HasTheSlopesOfThePaper) {
  Mask mask;
  mask.alibi.emplace();
  EXPECT_EQ(*with_slopes(mask, 8).alibi, (std::vector<float>{0.5F, 0.25F, 0.125F, 0.0625F, 0.03125F,
                                                             0.015625F, 0.0078125F, 0.00390625F}));
  const std::vector<float> twelve = *with_slopes(mask, 12).alibi;
  ASSERT_EQ(twelve.size(), 12U);
  EXPECT_FLOAT_EQ(twelve[8], 0.70710678F);   // 2^-0.5
  EXPECT_FLOAT_EQ(twelve[11], 0.08838835F);  // 2^-3.5
}

TEST(Alibi, LowersScoresInProportionToTheDistance) {
  Mask mask;
  mask.alibi.emplace();
  mask = with_slopes(mask, 2);
  EXPECT_TRUE(has_bias(mask));
  EXPECT_EQ(bias_at(mask, {0, 0, 0}, 5, 5), 0.0F);
  EXPECT_EQ(bias_at(mask, {0, 0, 0}, 5, 1), -4.0F / 16);
  EXPECT_EQ(bias_at(mask, {0, 0, 1}, 5, 8), -3.0F / 256);
  mask.bias = Tensor({1}, {10.0F});
  EXPECT_EQ(bias_at(mask, {0, 0, 0}, 5, 1), 10.0F - 0.25F);
  mask.causal_offset = {2};
  EXPECT_EQ(bias_at(mask, {0, 0, 0}, 5, 1), 10.0F - 6.0F / 16);
}

// Values of T5's own function for 32 buckets and a largest distance of 128.
TEST(RelativeBuckets, AreThoseOfT5) {
  Mask mask;
  std::vector<float> buckets(32);
  std::iota(buckets.begin(), buckets.end(), 0.0F);
  mask.relative.emplace().table = Tensor({32, 1}, std::move(buckets));
  const auto bucket_of = [&](std::int64_t distance) {
    mask.causal_offset = {-distance};
    return bias_at(mask, {}, 0, 0);
  };
  const std::pair<std::int64_t, float> both[] = {
      {0, 0},   {1, 17},  {-1, 1},   {7, 23},    {8, 24},    {-8, 8},    {16, 26},
      {32, 28}, {64, 30}, {127, 31}, {-128, 15}, {1000, 31}, {-1000, 15}};
  for (const auto& [distance, bucket] : both) {
    EXPECT_EQ(bucket_of(distance), bucket) << distance;
  }
  mask.relative->bidirectional = false;
  const std::pair<std::int64_t, float> one[] = {{0, 0},    {5, 0},    {-1, 1},
                                                {-15, 15}, {-16, 16}, {-128, 31}};
  for (const auto& [distance, bucket] : one) {
    EXPECT_EQ(bucket_of(distance), bucket) << distance;
  }
}

TEST(RelativeBuckets, TakeTheColumnOfTheHead) {
  Mask mask;
  mask.relative.emplace();
  mask.relative->table = Tensor({4, 2}, {1, 2, 3, 4, 5, 6, 7, -kInfinity});
  EXPECT_EQ(bias_at(mask, {0, 0, 1}, 3, 3), 2.0F);
  EXPECT_EQ(bias_at(mask, {0, 0, 0}, 3, 2), 3.0F);
  EXPECT_EQ(bias_at(mask, {0, 0, 0}, 3, 4), 7.0F);
  EXPECT_EQ(hidden_by(mask, {0, 0, 1}, 3, 4), kHiddenByBias);
}

TEST(HiddenRules, HaveEachANameAndABitOfTheirOwn) {
  unsigned all = 0;
  for (const HiddenRuleInfo& info : all_hidden_rules()) {
    EXPECT_EQ(all & info.rule, 0U);
    EXPECT_FALSE(info.name.empty());
    all |= info.rule;
  }
  EXPECT_EQ(all, 255U);
}

constexpr HeadAddress kThere{.layer = 1, .sample = 1, .head = 2};

TEST(BroadcastIndex, AlignsEveryRankToTheRight) {
  EXPECT_EQ(broadcast_index({5}, kThere, 3, 4), 4U);
  EXPECT_EQ(broadcast_index({4, 5}, kThere, 3, 4), 3U * 5 + 4);
  EXPECT_EQ(broadcast_index({3, 4, 5}, kThere, 3, 4), (2U * 4 + 3) * 5 + 4);
  EXPECT_EQ(broadcast_index({2, 3, 4, 5}, kThere, 3, 4), ((1U * 3 + 2) * 4 + 3) * 5 + 4);
  EXPECT_EQ(broadcast_index({2, 2, 3, 4, 5}, kThere, 3, 4),
            (((1U * 2 + 1) * 3 + 2) * 4 + 3) * 5 + 4);
}

TEST(BroadcastIndex, RepeatsExtentsOfOne) {
  EXPECT_EQ(broadcast_index({1}, kThere, 3, 4), 0U);
  EXPECT_EQ(broadcast_index({4, 1}, kThere, 3, 4), 3U);
  EXPECT_EQ(broadcast_index({2, 1, 1, 5}, kThere, 3, 4), 1U * 5 + 4);
  EXPECT_EQ(broadcast_index({1, 3, 1, 1}, kThere, 3, 4), 2U);
  EXPECT_EQ(broadcast_index({2, 1, 1, 1, 5}, kThere, 3, 4), 1U * 5 + 4);
}

TEST(Mask, OfOneLayerIsThatPartOfAll) {
  Mask mask;
  mask.visible = BoolTensor({2, 1, 1, 1, 2}, {1, 0, 0, 1});
  mask.bias = Tensor({1, 1, 1, 1, 2}, {3.0F, 4.0F});
  mask.causal = true;
  for (std::size_t layer = 0; layer < 2; ++layer) {
    const Mask own = mask_of_layer(mask, layer);
    EXPECT_TRUE(own.causal);
    EXPECT_EQ(own.visible.shape(), (Shape{1, 1, 1, 2}));
    for (std::size_t q = 0; q < 2; ++q) {
      for (std::size_t k = 0; k < 2; ++k) {
        const HeadAddress there{.layer = layer};
        EXPECT_EQ(hidden_by(own, {}, q, k), hidden_by(mask, there, q, k));
        EXPECT_EQ(bias_at(own, {}, q, k), bias_at(mask, there, q, k));
      }
    }
  }
  EXPECT_EQ(hidden_by(mask, {}, 1, 1) & kHiddenByHand, kHiddenByHand);
  EXPECT_EQ(hidden_by(mask, {.layer = 1}, 1, 1) & kHiddenByHand, 0);
  Mask shared;
  shared.visible = BoolTensor({2}, {1, 0});
  EXPECT_EQ(mask_of_layer(shared, 1), shared);
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
  if (random.next() % 2 == 0) {
    mask.window = Window{random.next() % 3, random.next() % 3, 1 + random.next() % 2};
    mask.sink_tokens = random.next() % 2;
  }
  if (random.next() % 3 == 0) mask.prefix = {random.next() % 4};
  if (random.next() % 3 == 0) mask.query_segments = {{0, 0, 1, 1}};
  if (random.next() % 3 == 0) mask.key_segments = {{0, 1, 0, 1, 2}};
  if (mask.key_segments.empty()) mask.query_segments.clear();
  if (random.next() % 3 == 0) mask.alibi.emplace();
  mask = with_slopes(std::move(mask), 3);
  if (random.next() % 3 == 0) mask.relative = RelativeBias{Tensor({4, 1}, {1, 2, -kInfinity, 4})};
  return mask;
}

TEST(MaskRows, SayWhatTheCellFunctionsSay) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const Mask mask = random_mask(random);
    const HeadAddress head{0, random.next() % 2, random.next() % 3};
    for (std::size_t q = 0; q < 4; ++q) {
      std::vector<HiddenRules> rules(5);
      std::vector<float> bias(5);
      const std::size_t count = hidden_row(mask, head, q, rules);
      bias_row(mask, head, q, bias);
      std::size_t expected_count = 0;
      for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_EQ(rules[k], hidden_by(mask, head, q, k));
        EXPECT_EQ(bias[k], bias_at(mask, head, q, k));
        expected_count += rules[k] == kVisible ? 1 : 0;
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
