// Decoder blocks in the window: the selected attention, and the masks of both.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"
#include "document/problem.h"
#include "plot/all_plots.h"
#include "support/oracle/reference.h"

namespace attn::test {
namespace {

class DecoderTest : public AppTest {
 protected:
  void SetUp() override { open("example:transformer-decoder"); }

  // The shown weights agree with the reference.
  void expect_true_weights() {
    show();
    const HeadAddress& at = focused_view(state()).options.at;
    const auto expected = reference::compute(make_problem(state().document), Stage::Weights, at);
    ASSERT_EQ(expected.cols, at.attention == kSelfAttention ? 5U : 4U);
    for (std::size_t q = 0; q < expected.rows; ++q) {
      for (std::size_t k = 0; k < expected.cols; ++k) {
        const float shown = state().result->value(Stage::Weights, at, q, k);
        EXPECT_NEAR(static_cast<double>(shown), expected.at(q, k), 1e-5);
      }
    }
  }
};

TEST_F(DecoderTest, EitherAttentionIsChosenByButtonAndKey) {
  EXPECT_EQ(focused_view(state()).options.at.attention, kSelfAttention);
  EXPECT_TRUE(ui.shows("plot/heatmap/cell/0,4"));
  ui.click("strip/attention/cross");
  EXPECT_EQ(focused_view(state()).options.at.attention, kLastAttention);
  show();
  EXPECT_FALSE(ui.shows("plot/heatmap/cell/0,4"));
  expect_true_weights();
  ui.type("x");
  EXPECT_EQ(focused_view(state()).options.at.attention, kSelfAttention);
  expect_true_weights();
  open("example:transformer-blocks");
  EXPECT_FALSE(ui.shows("strip/attention/self"));
}

TEST_F(DecoderTest, TheTagIsOfTheAttentionOfThePaneThatIsPointedAt) {
  const PaneId left = state().focus;
  app.apply(command::SplitPane{left, SplitDirection::Right});
  app.apply(command::LinkPane{state().focus, false});
  app.apply(command::SetOption{"attention", "cross"});
  show();
  const Document& document = state().document;
  const auto expected = [&](Side side) {
    const TokenList& keys = tokens_of(document, side, 0);
    return "“" + tokens_of(document, Side::Query, 0)[3] + "” → “" + keys[2] + "” ";
  };
  ASSERT_NE(expected(Side::Query), expected(Side::Key));
  const std::string unfocused = "pane/" + std::to_string(left) + "/plot/";
  ui.hover(unfocused + "heatmap/cell/3,2");
  EXPECT_TRUE(ui.value(unfocused + "tag").starts_with(expected(Side::Query)));
  ui.hover("plot/heatmap/cell/3,2");
  EXPECT_TRUE(ui.value("plot/tag").starts_with(expected(Side::Key)));
  ui.hover(unfocused + "heatmap/token/key/2");
  EXPECT_TRUE(ui.value(unfocused + "tag").ends_with(" key 3 of 5"));
}

TEST_F(DecoderTest, MasksAreOfTheAttentionThatIsShown) {
  EXPECT_EQ(ui.value("masks/attention"), "Self-attention");
  ui.click("masks/causal");
  EXPECT_FALSE(state().document.self_mask.causal);
  expect_true_weights();
  ui.type("x");
  show();
  EXPECT_EQ(ui.value("masks/attention"), "Cross-attention");
  ui.click("masks/causal");
  EXPECT_TRUE(state().document.mask.causal);
  EXPECT_FALSE(state().document.self_mask.causal);
  expect_true_weights();
}

TEST_F(DecoderTest, CellsArePaintedInTheAttentionThatIsShown) {
  ui.type("m");
  ui.click("plot/heatmap/cell/4,0");
  EXPECT_EQ(state().document.self_mask.visible.shape(), (Shape{5, 5}));
  EXPECT_TRUE(state().document.mask.visible.empty());
  expect_true_weights();
}

TEST_F(DecoderTest, RowsArePaddedOnBothSidesOfTheirOwnAttention) {
  EXPECT_TRUE(ui.shows("masks/key/0"));
  ui.click("masks/key/1");
  EXPECT_EQ(state().document.self_mask.key_padding, (PaddingLists{{1, 0, 1, 1, 1}}));
  expect_true_weights();
  ui.type("x");
  show();
  ui.click("masks/key/1");
  EXPECT_EQ(state().document.mask.key_padding, (PaddingLists{{1, 0, 1, 1}}));
  expect_true_weights();
}

TEST_F(DecoderTest, EveryPlotDrawsBothAttentions) {
  for (const PlotEntry& plot : all_plots()) {
    if (!why_nothing(plot, *state().result, focused_view(state()).options.at).empty()) continue;
    show_plot(plot.name);
    show();
    ui.type("x");
    show();
    EXPECT_FALSE(ui.shows("plot/problem")) << plot.name;
  }
}

TEST_F(DecoderTest, TheInspectorSpeaksOfTheShownAttention) {
  ui.hover("plot/heatmap/cell/2,1");
  show();
  EXPECT_NE(ui.value("inspector/sentence").find("“the” (key 2), self-attention"), std::string::npos)
      << ui.value("inspector/sentence");
  ui.type("x");
  ui.hover("plot/heatmap/cell/2,1");
  show();
  EXPECT_NE(ui.value("inspector/sentence").find("“schläft” (key 2), cross-attention"),
            std::string::npos)
      << ui.value("inspector/sentence");
}

TEST_F(DecoderTest, MatricesOfTheCrossAttentionAreEdited) {
  ui.type("x");
  show();
  const float before = state().result->value(Stage::Weights, {}, 0, 0);
  ui.click("inputs/tensor");
  ui.click("inputs/tensor/cross W_K");
  EXPECT_EQ(ui.value("inputs/tensor"), "cross W_K");
  ui.click("inputs/more");
  ui.click("inputs/zeros");
  show();
  EXPECT_EQ(state().result->value(Stage::Weights, {}, 0, 0), 0.25F);
  EXPECT_NE(before, 0.25F);
}

TEST_F(DecoderTest, ManyMatricesAreAMenuThatLeavesTheNumbersTheirRoom) {
  EXPECT_FALSE(ui.shows("inputs/W_Q"));
  EXPECT_TRUE(ui.shows("inputs/grid/cell/4,0"));
  open("example:four-heads");
  EXPECT_FALSE(ui.shows("inputs/tensor"));
  EXPECT_TRUE(ui.shows("inputs/W_Q"));
}

class SmallWindowTest : public AppTest {
 protected:
  SmallWindowTest() : AppTest({.width = 1000, .height = 650}) {}
};

TEST_F(SmallWindowTest, ManyStagesAreAListThatLeavesTheHeatmapItsRoom) {
  open("example:transformer-decoder");
  EXPECT_FALSE(ui.names("strip/group/").empty());
  EXPECT_FALSE(ui.shows("strip/stage/hidden"));
  EXPECT_TRUE(ui.shows("plot/heatmap/cell/4,4"));
  open_stage("cross_norm");
  EXPECT_EQ(focused_view(state()).options.stage, Stage::CrossNorm);
  open("example:i-love-cats");
  EXPECT_TRUE(ui.shows("strip/stage/weights"));
}

}  // namespace
}  // namespace attn::test
