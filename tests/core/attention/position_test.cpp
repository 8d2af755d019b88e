// Position encodings against their formulas.
#include "attention/position.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

TEST(Rope, PairsNeighboursOrHalves) {
  EXPECT_EQ(rope_pair(PositionLayout::Interleaved, 1, 8).first, 2U);
  EXPECT_EQ(rope_pair(PositionLayout::Interleaved, 1, 8).second, 3U);
  EXPECT_EQ(rope_pair(PositionLayout::Halves, 1, 8).first, 1U);
  EXPECT_EQ(rope_pair(PositionLayout::Halves, 1, 8).second, 5U);
}

}  // namespace
}  // namespace attn::test
