// Folding of the stages of the strip, and its order.
#include <gtest/gtest.h>

#include <algorithm>

#include "attention/stage.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "gui/panels/strip/stage_strip.h"

namespace attn::gui {
namespace {

// The width of a row is its number of buttons.
float counted(const std::vector<StripChip>& chips) { return static_cast<float>(chips.size()); }

std::vector<Stage> stages_of_example(const char* name) {
  return stages_of(make_problem(open_document(std::string(kExamplePrefix) + name)->document));
}

std::vector<Stage> joined(const std::vector<StripChip>& chips) {
  std::vector<Stage> stages;
  for (const StripChip& chip : chips) {
    stages.insert(stages.end(), chip.stages.begin(), chip.stages.end());
  }
  return stages;
}

TEST(StripLayout, WithRoomEveryStageStandsForItself) {
  const std::vector<Stage> stages = stages_of_example("four-heads");
  const std::vector<StripChip> chips = strip_chips(stages, Stage::Weights, 100.0F, counted);
  ASSERT_EQ(chips.size(), stages.size());
  for (std::size_t i = 0; i < chips.size(); ++i) {
    EXPECT_EQ(chips[i], (StripChip{{stages[i]}}));
  }
}

TEST(StripLayout, WhatFoldsIsFarthestFromTheSelectedStageFirst) {
  const std::vector<Stage> stages{Stage::BlockInput, Stage::AttentionNorm, Stage::Query,
                                  Stage::Key,        Stage::Value,         Stage::Scores,
                                  Stage::Weights,    Stage::Output,        Stage::FeedForwardNorm,
                                  Stage::Hidden,     Stage::FeedForward,   Stage::BlockOutput};
  const std::vector<StripChip> chips = strip_chips(stages, Stage::Weights, 11.0F, counted);
  ASSERT_EQ(chips.size(), 11U);
  EXPECT_EQ(chips.front(), (StripChip{{Stage::BlockInput, Stage::AttentionNorm}, "block"}));
  const std::vector<StripChip> fewer = strip_chips(stages, Stage::Weights, 9.0F, counted);
  ASSERT_EQ(fewer.size(), 9U);
  EXPECT_EQ(fewer[7].label, "feed-forward");
  EXPECT_EQ(fewer[7].stages.size(), 3U);
}

TEST(StripLayout, TheSelectedStageNeverFoldsUntilAllDo) {
  for (const char* example : {"four-heads", "transformer-decoder", "encoder-decoder"}) {
    const std::vector<Stage> stages = stages_of_example(example);
    for (const Stage selected : stages) {
      for (float room = static_cast<float>(stages.size()); room >= 1.0F; room -= 1.0F) {
        const std::vector<StripChip> chips = strip_chips(stages, selected, room, counted);
        EXPECT_EQ(joined(chips), stages);
        if (chips.size() == 1) continue;
        EXPECT_LE(counted(chips), room);
        EXPECT_NE(std::ranges::find(chips, StripChip{{selected}}), chips.end());
      }
    }
  }
}

TEST(StripLayout, NothingIsFoldedThatHasRoom) {
  const auto width = [](const std::vector<StripChip>& chips) {
    float sum = 0.0F;
    for (const StripChip& chip : chips) {
      sum += chip.label.empty() ? 1.0F : static_cast<float>(chip.label.size()) / 4.0F;
    }
    return sum;
  };
  for (const char* example : {"transformer-decoder", "rollout", "encoder-decoder"}) {
    const std::vector<Stage> stages = stages_of_example(example);
    for (float space = static_cast<float>(stages.size()); space >= 4.0F; space -= 0.5F) {
      const std::vector<StripChip> chips = strip_chips(stages, stages[6], space, width);
      ASSERT_GT(chips.size(), 1U) << example << " " << space;
      EXPECT_LE(width(chips), space);
      for (const StripChip& folded : chips) {
        if (folded.label.empty() || folded.label == "earlier" || folded.label == "later") continue;
        const float opened = width(chips) - static_cast<float>(folded.label.size()) / 4.0F +
                             static_cast<float>(folded.stages.size());
        EXPECT_GT(opened, space) << example << ": " << folded.label;
      }
    }
  }
}

TEST(StripLayout, WithLittleRoomTheSelectedStageIsBetweenAllEarlierAndAllLaterOnes) {
  const std::vector<Stage> stages = stages_of_example("transformer-decoder");
  const std::vector<StripChip> chips = strip_chips(stages, Stage::Weights, 3.0F, counted);
  ASSERT_EQ(chips.size(), 3U);
  EXPECT_EQ(chips[0].label, "earlier");
  EXPECT_EQ(chips[1], (StripChip{{Stage::Weights}}));
  EXPECT_EQ(chips[2].label, "later");
}

TEST(StripLayout, NoArrowLeadsFromTheQueriesToTheKeys) {
  EXPECT_TRUE(is_parallel({{Stage::Query}}, {{Stage::Key}}));
  EXPECT_TRUE(is_parallel({{Stage::Key}}, {{Stage::Value}}));
  EXPECT_FALSE(is_parallel({{Stage::Value}}, {{Stage::Scores}}));
  EXPECT_FALSE(is_parallel({{Stage::Scores}}, {{Stage::Scaled}}));
}

}  // namespace
}  // namespace attn::gui
