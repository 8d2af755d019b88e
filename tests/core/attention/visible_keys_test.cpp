// The most keys that a row sees, against a count of all cells.
#include "attention/visible_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace attn {
namespace {

std::size_t counted(const Mask& mask, const AttentionShape& shape) {
  std::size_t most = 0;
  for (std::size_t layer = 0; layer < shape.layers; ++layer) {
    for (std::size_t sample = 0; sample < shape.samples; ++sample) {
      for (std::size_t head = 0; head < shape.heads; ++head) {
        for (std::size_t q = 0; q < shape.n_q; ++q) {
          std::size_t seen = 0;
          for (std::size_t k = 0; k < shape.n_k; ++k) {
            seen += hidden_by(mask, {layer, sample, head}, q, k) == kVisible ? 1 : 0;
          }
          most = std::max(most, seen);
        }
      }
    }
  }
  return std::max<std::size_t>(most, 1);
}

AttentionShape shape_of(std::size_t n_q, std::size_t n_k) {
  AttentionShape shape;
  shape.layers = shape.samples = shape.heads = shape.kv_heads = 2;
  shape.n_q = n_q;
  shape.n_k = n_k;
  return shape;
}

// Masks by position, for which keys are counted at any length: those with a dilated window up to
// one key.
std::vector<Mask> masks_of_positions() {
  std::vector<Mask> all(9);
  all[1].causal = true;
  all[2].causal = true;
  all[2].causal_offset = {-3, 2};
  all[3].window = Window{5, 0, 1};
  all[4].causal = true;
  all[4].window = Window{5, std::nullopt, 1};
  all[4].sink_tokens = 3;
  all[5].window = Window{3, 3, 2};
  all[6].causal = true;
  all[6].prefix = {4, 7};
  all[7].window = Window{4, 2, 3};
  all[7].causal = true;
  all[8].window = Window{2, 2, 1};
  all[8].sink_tokens = 4;
  return all;
}

TEST(VisibleKeys, AreCountedAsIfEveryCellWereLookedAt) {
  std::vector<Mask> masks = masks_of_positions();
  Mask padded;
  padded.key_padding = {{1, 0, 1, 1, 0, 1, 1, 1, 0}, {0, 0, 0, 0, 1, 1, 0, 1, 0}};
  masks.push_back(padded);
  Mask packed;
  packed.causal = true;
  packed.query_segments = packed.key_segments = {{0, 0, 0, 1, 1, 1, 1, 1, 2}};
  masks.push_back(packed);
  Mask painted;
  painted.visible = BoolTensor({2, 1, 2, 9, 9}, [] {
    std::vector<std::uint8_t> cells(2 * 2 * 81);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = i % 7 < 2 || (i > 200 && i % 3 == 0);
    return cells;
  }());
  masks.push_back(painted);
  for (const Mask& mask : masks) {
    EXPECT_EQ(most_visible_keys(mask, shape_of(9, 9)), counted(mask, shape_of(9, 9)));
  }
  EXPECT_EQ(most_visible_keys(masks[1], shape_of(5, 40)), 5U);
}

TEST(VisibleKeys, OfLongSequencesFollowFromTheirPositions) {
  for (const Mask& mask : masks_of_positions()) {
    const std::size_t most = most_visible_keys(mask, shape_of(600, 600));
    const std::size_t seen = counted(mask, shape_of(600, 600));
    const bool is_dilated = mask.window && mask.window->dilation > 1;
    EXPECT_GE(most, seen);
    EXPECT_LE(most, seen + (is_dilated ? 1 : 0));
  }
}

TEST(VisibleKeys, OfManyPaintedCellsAreAtMostThoseInReach) {
  Mask mask;
  mask.window = Window{50, 0, 1};
  mask.visible = BoolTensor({600, 600}, std::vector<std::uint8_t>(360'000));
  EXPECT_EQ(most_visible_keys(mask, shape_of(600, 600)), 51U);
}

TEST(VisibleKeys, AreOneWhereNoRowSeesAny) {
  Mask mask;
  mask.key_padding = {std::vector<std::uint8_t>(9, 0)};
  EXPECT_EQ(most_visible_keys(mask, shape_of(9, 9)), 1U);
}

}  // namespace
}  // namespace attn
