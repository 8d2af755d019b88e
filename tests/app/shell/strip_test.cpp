// Strip of stages and its selectors.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/shell/app_fixture.h"
#include "gui/panels/strip/stage_strip.h"

namespace attn::gui {
namespace {

class StripTest : public test::AppTest {};

class SmallStripTest : public test::AppTest {
 protected:
  SmallStripTest() : AppTest({.width = 900, .height = 600}) {}
};

TEST_F(StripTest, ShowsThePipelineInOneRowInOrder) {
  open("example:four-heads");
  EXPECT_FALSE(ui.shows("strip/stage/masked")) << "nothing is masked";
  app.apply(command::SetCausal{true});
  app.wait_until_idle();
  show();
  float x = 0.0F;
  const float y = ui.find("strip/stage/weights")->min.y;
  EXPECT_TRUE(ui.shows("strip/input/X"));
  for (const Stage stage : state().result->stages()) {
    const auto chip = ui.find("strip/stage/" + std::string(stage_info(stage).name));
    ASSERT_TRUE(chip) << stage_info(stage).name;
    EXPECT_GT(chip->min.x, x);
    EXPECT_EQ(chip->min.y, y);
    x = chip->min.x;
  }
  EXPECT_LT(x, ui.find("strip/head")->min.x);
}

TEST_F(StripTest, PointingAtAStageSaysItsFormulaWithTheNumbersOfTheDocument) {
  open("example:four-heads");
  ui.hover("strip/stage/scaled");
  ui.frames(30);
  const std::string said = ui.value("tooltip");
  EXPECT_EQ(said, stage_explanation(*state().result, Stage::Scaled));
  EXPECT_NE(said.find("÷ √3"), std::string::npos) << said;
  EXPECT_NE(said.find("(10 × 10)"), std::string::npos) << said;
  const std::string scores = stage_explanation(*state().result, Stage::Scores);
  EXPECT_NE(scores.find("(10 × 3) · (3 × 10) → (10 × 10)"), std::string::npos) << scores;
}

TEST_F(StripTest, AStageOpensInTheHeatmapWhateverPlotIsShown) {
  open("example:four-heads");
  show_plot("cost");
  ui.click("strip/stage/scores");
  EXPECT_EQ(focused_view(state()).plot, "heatmap");
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Scores);
  EXPECT_EQ(ui.value("strip/stage/scores"), "on");
}

TEST_F(StripTest, TheEmbeddingsLeadToTheInputs) {
  open("example:four-heads");
  ui.click("inputs/W_Q");
  ui.key("Ctrl+B");
  ASSERT_FALSE(ui.shows("inputs/X"));
  ui.click("strip/input/X");
  EXPECT_EQ(ui.value("inputs/X"), "on");
}

TEST_F(StripTest, AltAndArrowsWalkTheStages) {
  open("example:four-heads");
  ui.key("Alt+Left");
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Masked);
  ui.key("Alt+Right");
  ui.key("Alt+Right");
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Output);
  for (int i = 0; i < 10; ++i) ui.key("Alt+Right");
  EXPECT_EQ(focused_view(state()).options.stage, state().result->stages().back());
}

TEST_F(StripTest, BracketsWalkTheHeadsAcrossLayersAndPageKeysTheLayers) {
  open_text(R"({"tokens": ["a", "b"], "heads": 2,
                "attention": [[[[1, 0], [0, 1]], [[0, 1], [1, 0]]],
                              [[[0.5, 0.5], [1, 0]], [[0, 1], [0.5, 0.5]]]]})");
  const auto at = [&] { return focused_view(state()).options.at; };
  ui.type("]");
  EXPECT_EQ(at(), (HeadAddress{0, 0, 1}));
  ui.type("]");
  EXPECT_EQ(at(), (HeadAddress{1, 0, 0}));
  ui.type("[");
  EXPECT_EQ(at(), (HeadAddress{0, 0, 1}));
  ui.key("PageDown");
  EXPECT_EQ(at(), (HeadAddress{1, 0, 1}));
  ui.key("PageUp");
  EXPECT_EQ(at(), (HeadAddress{0, 0, 1}));
  EXPECT_EQ(ui.value("strip/layer"), "Layer 1");
  ui.click("strip/next_layer");
  EXPECT_EQ(ui.value("strip/layer"), "Layer 2");
  ui.click("strip/layer");
  ui.click("strip/layer/Layer 1");
  EXPECT_EQ(ui.value("strip/layer"), "Layer 1");
}

TEST_F(StripTest, LayersOfGivenQueriesKeysAndValuesAreStepped) {
  open_text(R"({"tokens": ["a", "b"], "axes": ["layer", "token", "feature"],
                "q": [[[1], [0]], [[9], [9]]], "k": [[[0], [0]], [[1], [-1]]],
                "v": [[[1], [2]], [[3], [4]]]})");
  const auto weight = [&] {
    return state().result->value(Stage::Weights, focused_view(state()).options.at, 0, 0);
  };
  EXPECT_EQ(weight(), 0.5F);
  ui.click("strip/next_layer");
  EXPECT_EQ(ui.value("strip/layer"), "Layer 2");
  EXPECT_GT(weight(), 0.99F);
  ui.key("PageUp");
  EXPECT_EQ(weight(), 0.5F);
}

TEST_F(StripTest, WithoutValuesTheStagesEndWithTheWeights) {
  open_text(R"({"tokens": ["a", "b"], "q": [[1], [0]], "k": [[0], [1]]})");
  EXPECT_EQ(state().result->stages().back(), Stage::Weights);
  for (int i = 0; i < 10; ++i) ui.key("Alt+Right");
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Weights);
}

TEST_F(SmallStripTest, ManyStagesFoldAndAreStillReached) {
  open("example:transformer-decoder");
  const auto strip = ui.find("panel/strip");
  ASSERT_TRUE(strip);
  EXPECT_FALSE(ui.shows("strip/stage/hidden"));
  for (const std::string& name : ui.names("strip/")) {
    EXPECT_LE(ui.find(name)->max.x, strip->max.x) << name;
    EXPECT_LE(ui.find(name)->max.y, strip->max.y) << name;
  }
  const std::vector<std::string> groups = ui.names("strip/group/");
  ASSERT_FALSE(groups.empty());
  const auto holds = [&](const std::string& group) {
    ui.click(group);
    if (ui.shows("strip/stage/hidden")) return true;
    ui.key("Esc");
    return false;
  };
  ASSERT_TRUE(std::ranges::any_of(groups, holds));
  ui.click("strip/stage/hidden");
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Hidden);
  EXPECT_EQ(ui.value("plot/heatmap/cell/0,0").empty(), false);
}

}  // namespace
}  // namespace attn::gui
