// Position encodings against their formulas.
#include "attention/position.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace attn::test {
namespace {

Position of_kind(PositionKind kind, PositionLayout layout = PositionLayout::Interleaved) {
  Position position;
  position.kind = kind;
  position.layout = layout;
  return position;
}

TEST(PositionKinds, AreListedInOrderWithWords) {
  std::size_t number = 0;
  for (const PositionKindInfo& info : all_position_kinds()) {
    EXPECT_EQ(static_cast<std::size_t>(info.kind), number++);
    EXPECT_EQ(&position_info(info.kind), &info);
    EXPECT_FALSE(info.name.empty() || info.label.empty() || info.sentence.empty());
  }
}

TEST(PositionKinds, AreAddedToEmbeddingsOrTurnQueriesAndKeys) {
  const PositionKind none = PositionKind::None, sinusoidal = PositionKind::Sinusoidal,
                     learned = PositionKind::Learned, rope = PositionKind::Rope;
  for (const PositionKindInfo& info : all_position_kinds()) {
    const PositionKind kind = info.kind;
    EXPECT_EQ(is_added(of_kind(kind)), kind == sinusoidal || kind == learned) << info.name;
    EXPECT_EQ(is_turned(of_kind(kind)), kind == rope) << info.name;
    EXPECT_EQ(is_there(of_kind(kind)), kind != none) << info.name;
    EXPECT_EQ(info.waves, kind == sinusoidal || kind == rope) << info.name;
    EXPECT_EQ(info.has_table, kind == learned) << info.name;
  }
}

TEST(Positions, StayAtTheLastNumberThereIs) {
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(position_of_row(-3, 5), 2);
  EXPECT_EQ(position_of_row(kLast - 1, 1), kLast);
  EXPECT_EQ(position_of_row(kLast, 2), kLast);
}

TEST(Sinusoidal, AlternatesOrHalvesSinesAndCosines) {
  const Position interleaved = of_kind(PositionKind::Sinusoidal);
  const Position halves = of_kind(PositionKind::Sinusoidal, PositionLayout::Halves);
  for (std::size_t pair = 0; pair < 2; ++pair) {
    const double phase = 3.0 * std::pow(10000.0, -2.0 * static_cast<double>(pair) / 4.0);
    EXPECT_NEAR(position_value(interleaved, 3, 2 * pair, 4), std::sin(phase), 1e-12);
    EXPECT_NEAR(position_value(interleaved, 3, 2 * pair + 1, 4), std::cos(phase), 1e-12);
    EXPECT_NEAR(position_value(halves, 3, pair, 4), std::sin(phase), 1e-12);
    EXPECT_NEAR(position_value(halves, 3, pair + 2, 4), std::cos(phase), 1e-12);
  }
}

TEST(Learned, IsTheGivenTable) {
  Position position = of_kind(PositionKind::Learned);
  position.table = Tensor({2, 2}, {1, 2, 3, 4});
  EXPECT_TRUE(is_added(position));
  EXPECT_EQ(position_value(position, 1, 0, 2), 3.0);
}

TEST(Rope, TurnsNearPairsFastAndLatePairsSlowly) {
  Position rope = of_kind(PositionKind::Rope);
  EXPECT_FALSE(is_added(rope));
  EXPECT_NEAR(rope_angle(rope, 5, 0, 4), 5.0, 1e-12);
  EXPECT_NEAR(rope_angle(rope, 5, 1, 4), 0.05, 1e-12);
  rope.scaling = RopeScaling::Linear;
  rope.factor = 4.0F;
  EXPECT_NEAR(rope_angle(rope, 8, 0, 4), 2.0, 1e-12);
  rope.scaling = RopeScaling::Ntk;  // base · 4^(4/2): the fast pair stays, the slow one slows by 4
  EXPECT_NEAR(rope_angle(rope, 8, 0, 4), 8.0, 1e-12);
  EXPECT_NEAR(rope_angle(rope, 8, 1, 4), 8.0 / 100 / 4, 1e-12);
}

// A pair and its share of the frequency without scaling.
using Shares = std::vector<std::pair<std::size_t, double>>;

void expect_shares(const Position& rope, std::size_t width, const Shares& shares) {
  for (const auto& [pair, share] : shares) {
    const double plain = std::pow(static_cast<double>(rope.base),
                                  -2.0 * static_cast<double>(pair) / static_cast<double>(width));
    EXPECT_NEAR(rope_frequency(rope, pair, width) / plain, share, 1e-9) << pair;
  }
}

// Shares from a transcription of the published functions in Python, for the models' settings.
TEST(Rope, ScalesAsLlama31) {
  Position rope = of_kind(PositionKind::Rope);
  rope.base = 500000.0F;
  rope.scaling = RopeScaling::Llama3;
  rope.factor = 8.0F;
  rope.original = 8192;
  expect_shares(rope, 128,
                {{0, 1.0},
                 {20, 1.0},
                 {29, 0.8281684118371798},
                 {30, 0.6437431331275951},
                 {33, 0.2714254770727862},
                 {35, 0.125},
                 {63, 0.125}});
  EXPECT_EQ(rope_gain(rope), 1.0);
}

TEST(Rope, ScalesAsYarnWithBordersOfWholePairsOrNot) {
  Position rope = of_kind(PositionKind::Rope);
  rope.base = 150000.0F;
  rope.scaling = RopeScaling::Yarn;
  rope.factor = 32.0F;
  rope.original = 4096;
  expect_shares(rope, 64, {{8, 1.0}, {9, 0.903125}, {12, 0.6125}, {17, 0.128125}, {18, 0.03125}});
  rope.truncate = false;  // as gpt-oss
  expect_shares(rope, 64,
                {{8, 1.0},
                 {9, 0.9055510956043725},
                 {12, 0.5932272525009172},
                 {17, 0.07268751399515859},
                 {18, 0.03125}});
  EXPECT_NEAR(rope_gain(rope), 1.3465735902799727, 1e-12);
  rope.gain = 1.0F;
  EXPECT_EQ(rope_gain(rope), 1.0);
}

TEST(Rope, ScalesPairsByTheirFactorsForLongOrShortTexts) {
  Position rope = of_kind(PositionKind::Rope);
  rope.scaling = RopeScaling::Longrope;
  rope.factor = 32.0F;
  rope.original = 4096;
  rope.factors = {1.0F, 4.0F};
  rope.short_factors = {1.0F, 2.0F};
  expect_shares(for_length(rope, 4097), 4, {{0, 1.0}, {1, 0.25}});
  expect_shares(for_length(rope, 4096), 4, {{0, 1.0}, {1, 0.5}});
  EXPECT_NEAR(rope_gain(rope), 1.1902380714238083, 1e-12);
}

TEST(Rope, PairsNeighboursOrHalves) {
  EXPECT_EQ(rope_pair(PositionLayout::Interleaved, 1, 8).first, 2U);
  EXPECT_EQ(rope_pair(PositionLayout::Interleaved, 1, 8).second, 3U);
  EXPECT_EQ(rope_pair(PositionLayout::Halves, 1, 8).first, 1U);
  EXPECT_EQ(rope_pair(PositionLayout::Halves, 1, 8).second, 5U);
}

}  // namespace
}  // namespace attn::test
