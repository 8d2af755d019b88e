// Clicks and selection on plots other than the heatmap.
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/shell/app_fixture.h"
#include "engine/measures.h"

namespace attn::gui {
namespace {

class PlotsTest : public test::AppTest {};

TEST_F(PlotsTest, TheDimensionsPlotOpensTheStageThatIsClicked) {
  open("example:four-heads");
  show_plot("dimensions");
  const std::vector<std::string> stages = ui.names("plot/dimensions/stage/");
  ASSERT_FALSE(stages.empty());
  ASSERT_TRUE(ui.shows("plot/dimensions/stage/scores"));
  ui.hover("plot/dimensions/stage/scores");
  EXPECT_EQ(state().tensor_hover, TensorHit(StageHit{Stage::Scores}));
  ui.click("plot/dimensions/stage/scores");
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Scores);
  EXPECT_EQ(focused_view(state()).plot, "heatmap");
}

TEST_F(PlotsTest, TheDimensionsPlotMarksEmbeddingsAndShowsThemAmongTheInputs) {
  open_text(R"({"query_tokens": ["a", "b"], "key_tokens": ["x", "y", "z"],
                "query_embeddings": [[1, 0], [0, 1]], "key_embeddings": [[1, 0], [0, 1], [1, 1]]})");
  show_plot("dimensions");
  ui.hover("plot/dimensions/input/X_K");
  EXPECT_EQ(state().tensor_hover, TensorHit(InputHit{"/key_embeddings", "X_K"}));
  ui.click("plot/dimensions/input/X_K");
  EXPECT_EQ(state().grid.matrix.tensor, "/key_embeddings");
  EXPECT_EQ(focused_view(state()).plot, "dimensions");
  ui.hover("plot/tab");
  EXPECT_FALSE(state().tensor_hover);
}

class PlotMenuTest : public test::AppTest {
 protected:
  PlotMenuTest() : AppTest({.width = 900, .height = 600}) {}
};

TEST_F(PlotMenuTest, TheMenuOfPlotsShowsThemAllWithoutScrolling) {
  open("example:four-heads");
  ui.click("plot/tab");
  ui.frames(2);
  for (const PlotEntry& plot : all_plots()) {
    const auto row = ui.find("plot/tab/" + std::string(plot.label));
    ASSERT_TRUE(row) << plot.label;
    EXPECT_GE(row->min.y, ui.find("plot/tab")->max.y) << plot.label;
    EXPECT_LE(row->max.y, 600.0F) << plot.label;
  }
  EXPECT_EQ(ImGui::GetCurrentContext()->OpenPopupStack.back().Window->ScrollMax.y, 0.0F);
}

TEST_F(PlotsTest, EveryPlotOffersWhatChangesIt) {
  open("example:four-heads");
  ui.click("strip/stage/concat");
  for (const PlotEntry& plot : all_plots()) {
    ui.click("plot/tab");
    const bool has_something = why_nothing(plot, *state().result).empty();
    EXPECT_TRUE(ui.enabled("plot/tab/" + std::string(plot.label)));
    ui.key("Esc");
    if (!has_something) continue;
    show_plot(plot.name);
    if (plot.name == "heatmap") continue;
    const bool joins_heads = plot.name == "derived";  // a rollout
    const bool has_head = !joins_heads && (uses(plot, Option::Head) || uses(plot, Option::Heads));
    EXPECT_EQ(ui.shows("strip/head"), has_head) << plot.name;
  }
  show_plot("compare");
  ui.click("strip/head");
  ui.click("strip/head/Head 2");
  EXPECT_EQ(focused_view(state()).options.at.head, 1U);
}

TEST_F(PlotsTest, TheWordsAtTheColourBarOfferOtherRanges) {
  open("example:four-heads");
  ui.click("plot/heatmap/range");
  ui.click("plot/range/This head");
  EXPECT_EQ(focused_view(state()).options.range, ColorSpan::Head);
  ui.click("plot/heatmap/range");
  EXPECT_EQ(ui.value("plot/range/This head"), "on");
  ui.click("plot/range/Logarithmic");
  EXPECT_TRUE(focused_view(state()).options.log);
  EXPECT_TRUE(state().pins.empty()) << "and nothing else";
  show_plot("heads");
  ui.click("plot/heads/range");
  ui.click("plot/range/Each head");
  EXPECT_EQ(focused_view(state()).options.head_range, HeadRange::Head);
}

TEST_F(PlotsTest, GivenEndsOfTheColoursStayUntilARangeIsChosen) {
  open("example:four-heads");
  app.apply(command::SetOption{"range_high", "0.5"});
  ui.frames();
  ui.click("plot/heatmap/range");
  EXPECT_EQ(ui.value("plot/range/0 to 1, uneven"), "");
  ui.click("plot/range/0 to 1, uneven");
  EXPECT_FALSE(focused_view(state()).options.range_high);
}

TEST_F(PlotsTest, APlotThatHasNothingToShowSaysWhyInItsPlace) {
  open("example:i-love-cats");
  show_plot("positions");
  ui.frames();
  EXPECT_NE(ui.value("plot/refused").find("no positions to show"), std::string::npos);
  show_plot("heatmap");
  ui.frames();
  EXPECT_FALSE(ui.shows("plot/refused"));
}

TEST_F(PlotsTest, TheComparedFunctionOfTheDocumentOpensItsWeights) {
  open("example:four-heads");
  ui.click("strip/stage/scores");
  show_plot("compare");
  ui.click("plot/compare/stage/weights");
  EXPECT_EQ(focused_view(state()).plot, "heatmap");
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Weights);
}

TEST_F(PlotsTest, CellsOfSmallMapsAnswerLikeThoseOfTheHeatmap) {
  open("example:four-heads");
  show_plot("compare");
  ui.frames(2);
  ui.hover("plot/compare/map/1/cell/2,0");
  ASSERT_TRUE(state().hover.has_value());
  const MatrixId map = state().hover->matrix;
  const auto* making = std::get_if<made::UnderFunction>(&map.making);
  ASSERT_NE(making, nullptr);
  const std::string label(scoring_info(making->function).label);
  EXPECT_NE(ui.value("inspector/sentence").find("under " + label), std::string::npos);
  ui.click("plot/compare/map/1/cell/2,0");
  EXPECT_EQ(state().pins, (std::vector<CellHit>{{map, 2, 0}}));
  ui.wheel("plot/compare/map/1/cell/2,0", 4.0F);
  EXPECT_GT(focused_view(state()).options.window.rows, 0.0);
  EXPECT_FALSE(ui.shows("plot/compare/map/1/cell/0,4")) << "zoomed in";
}

TEST_F(PlotsTest, CellsOfDerivedMatricesAnswerToo) {
  open("example:four-heads");
  show_plot("derived");
  ui.frames(2);
  ui.hover("plot/derived/cell/2,1");
  EXPECT_NE(ui.value("inspector/sentence").find("holds"), std::string::npos);
  ui.click("plot/derived/cell/2,1");
  ASSERT_EQ(state().pins.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<made::FromWeights>(state().pins[0].matrix.making));
  ui.wheel("plot/derived/cell/2,1", 4.0F);
  EXPECT_GT(focused_view(state()).options.window.rows, 0.0);
}

TEST_F(PlotsTest, TheMeasuresOpenTheHeadThatIsClicked) {
  open("example:four-heads");
  show_plot("measures");
  ui.click("plot/measures/head/2");
  EXPECT_EQ(focused_view(state()).options.at.head, 2U);
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Weights);
  EXPECT_EQ(focused_view(state()).plot, "heatmap");
}

TEST_F(PlotsTest, TheHeadsOpenTheOneThatIsClicked) {
  open("example:four-heads");
  show_plot("heads");
  ui.hover("plot/heads/head/3");
  ui.frames(2);
  ui.click("plot/heads/head/3");
  EXPECT_EQ(focused_view(state()).options.at.head, 3U);
  EXPECT_EQ(focused_view(state()).plot, "heatmap");
}

TEST_F(PlotsTest, ThroughAllLayersThereIsNoLayerOrHeadToChoose) {
  open("example:todays-block");
  show_plot("derived");
  for (const char* chooser : {"strip/layer", "strip/next_layer", "strip/head"}) {
    EXPECT_FALSE(ui.shows(chooser)) << chooser;
  }
  ui.click("plot/derived/matrix");
  ui.click("plot/derived/matrix/Mean of the heads");
  ui.frames(2);
  EXPECT_TRUE(ui.enabled("strip/layer"));
  EXPECT_FALSE(ui.shows("strip/head"));
}

TEST_F(PlotsTest, ValuesAreOfferedWhereTheCellsHaveRoomForNumbers) {
  open("example:four-heads");
  ui.frames(2);
  EXPECT_TRUE(ui.enabled("plot/values"));
  std::string tokens;
  for (int i = 0; i < 120; ++i) tokens += (i == 0 ? "\"t" : ", \"t") + std::to_string(i) + "\"";
  open_text(R"({"heads": 1, "d_model": 4, "tokens": [)" + tokens + "]}");
  ui.frames(2);
  EXPECT_FALSE(ui.enabled("plot/values"));
}

TEST_F(PlotsTest, ALabelOfAHeadSaysItsRule) {
  open("example:four-heads");
  show_plot("measures");
  const std::vector<std::string> labels = ui.names("plot/measures/label/");
  ASSERT_FALSE(labels.empty());
  for (const std::string& label : labels) {
    ui.hover(label);
    ui.frames(30);
    const auto info = std::ranges::find_if(all_head_labels(), [&](const HeadLabelInfo& known) {
      return label.ends_with("/" + std::string(known.name));
    });
    ASSERT_NE(info, all_head_labels().end()) << label;
    EXPECT_EQ(ui.value("tooltip"), info->rule);
  }
  ui.hover("plot/tab");
  ui.frames(2);
  ui.click(labels.front());
  EXPECT_EQ(focused_view(state()).plot, "heatmap") << "and opens its head";
}

TEST_F(PlotsTest, TheKernelIsSetAboveTheCost) {
  open("example:four-heads");
  show_plot("cost");
  EXPECT_EQ(ui.value("plot/kernel/value"), "3");
  ui.click("plot/kernel/value");
  ui.key("Ctrl+A");
  ui.type("9");
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.kernel, 9U);
  ui.click("plot/kernel/value");
  ui.key("Ctrl+A");
  ui.type("1");
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.kernel, 9U);
  EXPECT_EQ(ui.value("plot/kernel/value/problem"), "A whole number from 2 to 1000");
  show_plot("dimensions");
  EXPECT_FALSE(ui.shows("plot/kernel/value"));
}

TEST_F(PlotsTest, TheDerivedMatrixIsChosenAboveIt) {
  open("example:four-heads");
  show_plot("derived");
  ASSERT_TRUE(ui.shows("plot/derived/residual"));
  ui.click("plot/derived/residual");
  ui.key("Ctrl+A");
  ui.type("0.25");
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.residual, 0.25);
  ui.click("plot/derived/matrix");
  ui.click("plot/derived/matrix/Mean of the heads");
  EXPECT_EQ(focused_view(state()).options.derived, Derived::HeadMean);
  ui.frames(2);
  EXPECT_FALSE(ui.shows("plot/derived/residual")) << "one layer has none";
}

}  // namespace
}  // namespace attn::gui
