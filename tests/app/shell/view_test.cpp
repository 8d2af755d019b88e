// The view: heads, stages, zoom, pins, the inspector, palette and help windows.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "app/shell/app_fixture.h"
#include "base/number_text.h"
#include "document/load/open.h"
#include "figure/text.h"
#include "gui/panels/inspector/inspector.h"
#include "gui/platform/fonts.h"
#include "plot/account/account.h"
#include "plot/all_plots.h"
#include "session/command.h"
#include "session/preferences.h"
#include "support/sanitizers.h"

namespace attn::gui {
namespace {

class ViewTest : public test::AppTest {};

TEST_F(ViewTest, DigitsAndBracketsChooseTheHead) {
  open("example:four-heads");
  ui.type("3");
  EXPECT_EQ(focused_view(state()).options.at.head, 2U);
  ui.type("]");
  EXPECT_EQ(focused_view(state()).options.at.head, 3U);
  ui.type("]");
  EXPECT_EQ(focused_view(state()).options.at.head, 0U);
  ui.type("[");
  EXPECT_EQ(focused_view(state()).options.at.head, 3U);
  EXPECT_EQ(ui.value("strip/head"), "Head 4");
  EXPECT_EQ(ui.value("plot/heatmap/cell/7,1"), shortest_text(weight(7, 1)));
}

TEST_F(ViewTest, TheInspectorNamesTheRowInAnyScript) {
  open_text(R"({"tokens": ["我喜欢", "猫"]})");
  ui.hover("plot/heatmap/cell/0,1");
  const std::string title = "Row of “我喜欢”";
  const auto line = ui.find("section/" + title);
  ASSERT_TRUE(line.has_value());
  const double drawn = pango_metrics().measure(title, {kLabelSize, true, false}).width;
  EXPECT_NEAR(static_cast<double>(line->max.x - line->min.x), drawn, 1.0)
      << "letters that the window's own font lacks";
}

TEST_F(ViewTest, SelectorsChooseHeadAndSample) {
  open("example:random-batch");
  ui.click("strip/head");
  ui.click("strip/head/Head 2");
  EXPECT_EQ(focused_view(state()).options.at.head, 1U);
  ui.click("strip/sample");
  ui.click("strip/sample/Sample 2");
  EXPECT_EQ(focused_view(state()).options.at.sample, 1U);
  EXPECT_EQ(ui.value("plot/heatmap/cell/1,0"), shortest_text(weight(1, 0)));
}

TEST_F(ViewTest, StageButtonsChooseTheStage) {
  open("example:four-heads");
  app.apply(command::SetCausal{true});
  app.wait_until_idle();
  show();
  for (const Stage stage : state().result->stages()) {
    ui.click("strip/stage/" + std::string(stage_info(stage).name));
    EXPECT_EQ(focused_view(state()).options.stage, stage);
    EXPECT_EQ(ui.value("plot/heatmap/cell/0,0"),
              shortest_text(state().result->value(stage, focused_view(state()).options.at, 0, 0)));
  }
}

TEST_F(ViewTest, HoveringSaysTheSentenceAndTheChainOfNumbers) {
  open("example:i-love-cats");
  ui.hover("plot/heatmap/cell/0,2");
  EXPECT_EQ(ui.value("inspector/sentence"),
            "“I” (query 1) takes 32.0 % from “cats” (key 3), head 1");
  EXPECT_EQ(ui.value("inspector/chain/scores"), "0.5");
  EXPECT_EQ(ui.value("inspector/chain/scaled"), "0.3536");
  EXPECT_EQ(ui.value("inspector/chain/weights"), short_text(weight(0, 2)));
  EXPECT_EQ(ui.value("inspector/product/0"), "0.5");
  EXPECT_EQ(ui.value("inspector/row/0"), short_text(weight(0, 0)));
  ui.hover("menu/File");
  EXPECT_FALSE(ui.shows("inspector/sentence"));
}

TEST_F(ViewTest, NotesBeginWithACapitalUnlessWithAName) {
  open_text(R"({"tokens": ["a", "b"], "heads": 1, "mask": {"sink_tokens": 1}})");
  std::set<std::string> notes;
  for (int i = 0; ui.shows("inspector/note/" + std::to_string(i)); ++i) {
    notes.insert(ui.value("inspector/note/" + std::to_string(i)));
  }
  EXPECT_TRUE(notes.contains("Embeddings are generated from the seed and the tokens"));
  EXPECT_TRUE(notes.contains("sink_tokens have no effect without a window"));
}

TEST_F(ViewTest, HoveringDrawsTheFigureOnlyOnce) {
  open("example:i-love-cats");
  FigureCache cache;
  const PlotOptions options = plot_options(state());
  const PlotEntry& plot = *plot_named("heatmap");
  ASSERT_NE(cache.figure(state(), plot, options, pango_metrics()), nullptr);
  AppState hovered = state();
  hovered.hover = CellHit{{Stage::Weights, {}}, 1, 1};
  cache.figure(hovered, plot, plot_options(hovered), pango_metrics());
  EXPECT_EQ(cache.draw_count(), 1);
  bool& values = pane_of(hovered.layout, hovered.focus)->view.options.values;
  values = !values;
  cache.figure(hovered, plot, plot_options(hovered), pango_metrics());
  EXPECT_EQ(cache.draw_count(), 2);
}

TEST_F(ViewTest, AnOlderPictureStaysUntilWhatThePlotNeedsIsThere) {
  open("example:four-heads");
  show_plot("derived");
  FigureCache cache;
  const PlotEntry& plot = *plot_named("derived");
  const PlotOptions options = plot_options(state());
  const Result<Figure>* figure = cache.figure(state(), plot, options, pango_metrics());
  ASSERT_NE(figure, nullptr);
  EXPECT_FALSE(cache.is_outdated());
  const auto waiting_for = [&](const char* name) {
    AppState waiting = state();
    const PlotInput input{*waiting.result_document, *waiting.result};
    for (const Need& need : needs_of(*plot_named(name), input, options)) {
      waiting.deriving.push_back(need.key);
    }
    return waiting;
  };
  EXPECT_EQ(cache.figure(waiting_for("derived"), plot, options, pango_metrics()), figure);
  EXPECT_TRUE(cache.is_outdated());
  cache.figure(waiting_for("compare"), plot, options, pango_metrics());
  EXPECT_FALSE(cache.is_outdated()) << "what another plot waits for is not needed here";
  EXPECT_EQ(cache.draw_count(), 1);
  const PlotEntry& other = *plot_named("compare");
  EXPECT_EQ(cache.figure(waiting_for("compare"), other, options, pango_metrics()), nullptr)
      << "another plot's picture is no older one of this";
}

TEST_F(ViewTest, ADragShowsTheNewestNumbersThatAreThereMarkedAsOlder) {
  open("example:four-heads");
  show_plot("derived");
  FigureCache cache;
  const PlotEntry& plot = *plot_named("derived");
  const PlotOptions options = plot_options(state());
  ASSERT_NE(cache.figure(state(), plot, options, pango_metrics()), nullptr);
  const AppState before = state();
  app.apply(command::SetCausal{true});
  app.wait_until_idle();
  ASSERT_NE(state().result, before.result);
  const OlderNumbers finished{state().result, state().result_document, state().result_revision,
                              state().derivations};
  app.apply(command::SetCausal{false});
  app.wait_until_idle();
  AppState dragging = state();  // newer numbers without derivations
  dragging.derivations = {};
  for (const Need& need : needs_of(plot, {*dragging.result_document, *dragging.result}, options)) {
    dragging.deriving.push_back(need.key);
  }
  cache.figure(dragging, plot, options, pango_metrics());
  EXPECT_EQ(cache.draw_count(), 1) << "the picture of before";
  dragging.older = finished;
  cache.figure(dragging, plot, options, pango_metrics());
  EXPECT_EQ(cache.draw_count(), 2);
  EXPECT_TRUE(cache.is_outdated());
  cache.figure(dragging, plot, options, pango_metrics());
  EXPECT_EQ(cache.draw_count(), 2);
  dragging.older->derivations = {};
  cache.figure(dragging, plot, options, pango_metrics());
  EXPECT_EQ(cache.draw_count(), 2) << "a picture is of one state, with all that it needs";
}

TEST_F(ViewTest, ClickPinsShiftClickComparesEscReleases) {
  open("example:i-love-cats");
  ui.click("plot/heatmap/cell/0,0");
  ui.shift_click("plot/heatmap/cell/2,1");
  ASSERT_EQ(state().pins.size(), 2U);
  ui.hover("menu/File");
  EXPECT_EQ(ui.value("inspector/chain/weights"), short_text(weight(0, 0)));
  EXPECT_EQ(ui.value("inspector/chain/weights/1"), short_text(weight(2, 1)));
  ui.key("Esc");
  EXPECT_TRUE(state().pins.empty());
}

// Each row divides its weight by its own sum.
TEST_F(ViewTest, EachOfTwoPinsHasItsOwnProductAndSum) {
  open("example:i-love-cats");
  ui.click("plot/heatmap/cell/0,0");
  ui.shift_click("plot/heatmap/cell/2,1");
  ui.hover("menu/File");
  const auto sum_of_row = [&](std::size_t row) {
    return short_text(softmax_sum(state().result->problem(), {},
                                  row_of_stage(*state().result, Stage::Masked, {}, row))
                          .sum);
  };
  ASSERT_NE(sum_of_row(0), sum_of_row(2));
  EXPECT_EQ(ui.value("inspector/chain/row_sum"), sum_of_row(0));
  EXPECT_EQ(ui.value("inspector/chain/row_sum/1"), sum_of_row(2));
  EXPECT_EQ(ui.value("inspector/chain/scores/label"), "q₁ · k₁");
  EXPECT_EQ(ui.value("inspector/chain/scores/1/label"), "q₃ · k₂");
  EXPECT_FALSE(ui.shows("inspector/chain/scaled/label")) << "one for both";
}

TEST_F(ViewTest, SaysWhichOfTwoPinsItsBarsAreOf) {
  open("example:i-love-cats");
  ui.click("plot/heatmap/cell/0,0");
  ui.hover("menu/File");
  EXPECT_TRUE(ui.shows("section/q · k by dimension"));
  ui.shift_click("plot/heatmap/cell/2,1");
  ui.hover("menu/File");
  EXPECT_TRUE(ui.shows("section/Pin 1: q · k by dimension"));
}

TEST_F(ViewTest, AHiddenPinLeavesTheOtherOneItsLines) {
  open("example:causal-decoder");
  ui.click("plot/heatmap/cell/0,3");
  ui.shift_click("plot/heatmap/cell/3,0");
  ui.hover("menu/File");
  EXPECT_EQ(ui.value("inspector/chain/masked"), "hidden by causal mask");
  EXPECT_FALSE(ui.shows("inspector/chain/exp"));
  EXPECT_TRUE(ui.shows("inspector/chain/exp/1"));
}

TEST_F(ViewTest, AHiddenCellNamesItsRule) {
  open("example:causal-decoder");
  ui.hover("plot/heatmap/cell/0,3");
  EXPECT_NE(ui.value("inspector/sentence").find("hidden by causal mask"), std::string::npos);
  EXPECT_EQ(ui.value("inspector/chain/masked"), "hidden by causal mask");
}

TEST_F(ViewTest, TheWheelZoomsDragPansAndFitShowsAll) {
  open("example:four-heads");
  ui.wheel("plot/heatmap/cell/4,4", 3);
  const CellWindow zoomed = focused_view(state()).options.window;
  ASSERT_GT(zoomed.rows, 0.0);
  EXPECT_LT(zoomed.rows, 10.0);
  ui.drag("plot/heatmap/cell/4,4", 40, 0);
  EXPECT_LT(focused_view(state()).options.window.col, zoomed.col);
  EXPECT_EQ(focused_view(state()).options.window.rows, zoomed.rows);
  ui.type("f");
  EXPECT_EQ(focused_view(state()).options.window.rows, 0.0);
  ui.wheel("plot/heatmap/cell/4,4", 2);
  ui.double_click("plot/heatmap/cell/4,4");
  EXPECT_EQ(focused_view(state()).options.window.rows, 0.0);
  EXPECT_TRUE(state().pins.empty());
}

TEST_F(ViewTest, TheOverviewMovesThePartInViewUntilItIsSwitchedOff) {
  open_text(R"({"tokens": 60, "d_model": 8, "heads": 1})");
  EXPECT_FALSE(ui.shows("plot/heatmap/overview"));
  ui.wheel("plot/heatmap/cell/10,10", 6);
  const CellWindow zoomed = focused_view(state()).options.window;
  ui.click("plot/heatmap/overview");
  const CellWindow middle = focused_view(state()).options.window;
  EXPECT_EQ(middle.rows, zoomed.rows);
  EXPECT_NEAR(middle.row + middle.rows / 2.0, 30.0, 1.0);
  EXPECT_NEAR(middle.col + middle.cols / 2.0, 30.0, 1.0);
  ui.drag("plot/heatmap/overview", 0, 20);
  EXPECT_GT(focused_view(state()).options.window.row, middle.row + 1.0);
  EXPECT_TRUE(state().pins.empty());
  ui.type("o");
  show();
  EXPECT_FALSE(ui.shows("plot/heatmap/overview"));
}

TEST_F(ViewTest, ADoubleClickLeavesThePinsAsTheyWere) {
  open("example:four-heads");
  ui.click("plot/heatmap/cell/0,0");
  ui.shift_click("plot/heatmap/cell/2,1");
  const std::vector<CellHit> pins = state().pins;
  pass(2.0);
  ui.double_click("plot/heatmap/cell/4,4");
  EXPECT_EQ(state().pins, pins);
  ui.drag("plot/heatmap/cell/4,4", 40, 0);
  EXPECT_EQ(state().pins, pins);
}

TEST_F(ViewTest, StagesOfAllHeadsHaveNoHeadToChoose) {
  open("example:four-heads");
  ui.click("strip/stage/concat");
  EXPECT_FALSE(ui.find("strip/head")->enabled);
  ui.type("]");
  EXPECT_EQ(focused_view(state()).options.at.head, 0U);
}

TEST_F(ViewTest, TheMasksStayWhereTheyAreWhenACellIsInspected) {
  open("example:causal-decoder");
  const auto before = ui.find("masks/clear");
  ui.hover("plot/heatmap/cell/3,1");
  ui.frames(3);
  EXPECT_EQ(ui.find("masks/clear")->min.y, before->min.y);
  EXPECT_EQ(ui.value("inspector/row/full"), "A full bar is 1");
}

TEST_F(ViewTest, ThePaletteFindsAndRunsACommand) {
  open("example:i-love-cats");
  ui.key("Ctrl+Shift+P");
  ASSERT_TRUE(ui.shows("palette/filter"));
  ui.type("caus");
  ui.key("Enter");
  EXPECT_TRUE(state().document.mask.causal);
  EXPECT_FALSE(state().overlay);
}

TEST_F(ViewTest, ArrowsChooseInThePalette) {
  open("example:i-love-cats");
  ui.key("Ctrl+Shift+P");
  ui.type("theme");
  for (const char* key : {"Down", "Down", "Down", "Up", "Enter"}) ui.key(key);
  EXPECT_EQ(state().preferences.theme, ThemeKind::Dark);
  ui.key("Ctrl+Shift+P");
  ui.type("theme high");
  ui.key("Enter");
  EXPECT_EQ(state().preferences.theme, ThemeKind::Contrast);
  ui.key("Ctrl+Shift+P");
  ui.key("Esc");
  EXPECT_FALSE(state().overlay);
}

TEST_F(ViewTest, ShortcutsAndAboutOpenAndClose) {
  open("example:i-love-cats");
  ui.key("F1");
  EXPECT_TRUE(ui.shows("shortcuts"));
  ui.key("F1");
  EXPECT_FALSE(ui.shows("shortcuts"));
  ui.type("?");
  EXPECT_TRUE(ui.shows("shortcuts"));
  ui.click("shortcuts/close");
  EXPECT_FALSE(ui.shows("shortcuts"));
  ui.click("menu/Help");
  ui.click("menu/Help/about");
  EXPECT_TRUE(ui.shows("about"));
  ui.key("Esc");
  EXPECT_FALSE(ui.shows("about"));
}

TEST_F(ViewTest, EveryMenuShowsItsActions) {
  open("example:four-heads");
  const std::vector<Action> actions = all_actions(state());
  for (const auto& [menu, help] : all_menus()) {
    ui.click("menu/" + std::string(menu));
    for (const Action& action : actions) {
      if (action.menu != menu) continue;
      EXPECT_TRUE(ui.shows("menu/" + action.menu + "/" + action.id)) << action.id;
    }
    ui.key("Esc");
  }
}

TEST_F(ViewTest, EscClosesAMenuAndKeepsThePins) {
  open("example:i-love-cats");
  ui.click("plot/heatmap/cell/0,0");
  ui.click("menu/File");
  ASSERT_TRUE(ui.shows("menu/File/open"));
  ui.key("Esc");
  EXPECT_FALSE(ui.shows("menu/File/open"));
  EXPECT_EQ(state().pins.size(), 1U);
  ui.click("plot/options");
  ui.key("Esc");
  EXPECT_EQ(state().pins.size(), 1U);
  ui.key("Esc");
  EXPECT_TRUE(state().pins.empty());
}

TEST_F(ViewTest, TheListOfExamplesOpensAtItsTop) {
  open("example:four-heads");
  const Example& first = all_examples().front();
  ui.click("menu/File");
  ui.click("menu/File/Examples");
  const std::string group = "menu/File/Examples/" + std::string(first.group);
  ui.click(group);
  ui.click(group + "/example/" + std::string(first.name));
  EXPECT_EQ(state().document.title, first.title);
}

TEST_F(ViewTest, EveryActionRunsFromThePaletteWithoutHarm) {
  open("example:four-heads");
  const std::vector<Action> actions = all_actions(state());
  std::vector<std::string> ids;
  for (const Action& action : actions) ids.push_back(action.id);
  std::size_t seen = 0;
  for (const std::string& id : ids) {
    if (id == "quit" || seen++ % test::kEvery != 0) continue;
    for (const Action& action : all_actions(state())) {
      if (action.id != id || !action.enabled) continue;
      std::function<void(gui::Ui&)> run = action.run;
      bool done = false;
      ui.frame([&](gui::Ui& u) {
        if (!std::exchange(done, true)) run(u);
      });
      break;
    }
    show();
  }
  EXPECT_FALSE(state().quitting);
}

TEST_F(ViewTest, CopiesTheSentence) {
  open("example:i-love-cats");
  ui.click("plot/heatmap/cell/0,0");
  ui.key("Ctrl+Shift+C");
  EXPECT_EQ(ui.clipboard, "“I” (query 1) takes 45.6 % from “I” (key 1), head 1");
}

TEST_F(ViewTest, InformationLeavesByItselfAndErrorsStay) {
  open("example:i-love-cats");
  app.apply(command::Notify{Notice::Level::Info, "Just so you know", ""});
  app.apply(command::Notify{Notice::Level::Error, "That went wrong", "all of it"});
  ui.frames(3);
  ASSERT_TRUE(app.seconds_until_frame());
  EXPECT_LE(*app.seconds_until_frame(), kInfoSeconds);
  pass(kInfoSeconds - 1.0);
  EXPECT_EQ(state().notices.size(), 2U);
  pass(1.5);
  ASSERT_EQ(state().notices.size(), 1U);
  EXPECT_FALSE(app.seconds_until_frame());
  ui.frames(2);
  ui.click("notice/0/copy");
  EXPECT_EQ(ui.clipboard, "all of it");
  ui.click("notice/0/dismiss");
  EXPECT_TRUE(state().notices.empty());
}

TEST_F(ViewTest, EdgesBetweenPanelsCanBeDragged) {
  open("example:i-love-cats");
  const auto before = ui.find("plot/heatmap");
  ui.drag("layout/left", 80, 0);
  const auto after = ui.find("plot/heatmap");
  ASSERT_TRUE(before && after);
  EXPECT_NEAR(after->min.x - before->min.x, 80.0F, 2.0F);
  EXPECT_NEAR(after->max.x, before->max.x, 1.0F);
}

TEST_F(ViewTest, TheSidesFoldAwayAndTheMiddleTakesTheirRoom) {
  open("example:i-love-cats");
  const auto before = ui.find("plot/heatmap");
  ui.key("Ctrl+B");
  EXPECT_FALSE(ui.shows("tokens/0"));
  EXPECT_FALSE(ui.shows("layout/left"));
  EXPECT_LT(ui.find("plot/heatmap")->min.x, before->min.x - 150.0F);
  ui.key("Ctrl+J");
  EXPECT_FALSE(ui.shows("masks/causal"));
  EXPECT_GT(ui.find("plot/heatmap")->max.x, before->max.x + 150.0F);
  ui.click("layout/fold_left");
  ui.click("layout/fold_right");
  EXPECT_TRUE(ui.shows("tokens/0"));
  EXPECT_TRUE(ui.shows("masks/causal"));
  EXPECT_EQ(ui.find("plot/heatmap")->min.x, before->min.x);
}

TEST_F(ViewTest, OneKeyLeavesNothingButThePlotAndBringsAllBack) {
  open("example:i-love-cats");
  const float before = ui.find("plot/heatmap")->max.x - ui.find("plot/heatmap")->min.x;
  ui.key("F11");
  EXPECT_FALSE(ui.shows("tokens/0"));
  EXPECT_FALSE(ui.shows("masks/causal"));
  for (const char* name : {"menu/File", "document/title", "panel/strip", "status/shape"}) {
    EXPECT_FALSE(ui.shows(name)) << name;
  }
  EXPECT_GT(ui.find("plot/heatmap")->max.x - ui.find("plot/heatmap")->min.x, before + 300.0F);
  ui.key("Esc");
  EXPECT_TRUE(ui.shows("menu/File"));
  for (int i = 0; i < 2; ++i) ui.key("F11");
  EXPECT_TRUE(ui.shows("tokens/0"));
  EXPECT_TRUE(ui.shows("masks/causal"));
}

TEST_F(ViewTest, ThePlotAloneIsNotKeptForTheNextStart) {
  app.start_with({}, Preferences{});
  open("example:i-love-cats");
  ui.key("F11");
  EXPECT_EQ(state().preferences.sides, Sides{});
  ui.key("Ctrl+B");
  EXPECT_TRUE(ui.shows("tokens/0")) << "a side that is asked for comes back";
  EXPECT_EQ(state().preferences.sides, Sides{});
}

// The pointer rests while the plot moves below it.
TEST_F(ViewTest, WhatIsUnderARestingPointerFollowsTheLayout) {
  open("example:four-heads");
  for (const char* keys : {"F11", "F11", "Ctrl+B", "Ctrl+J", "Ctrl+B", "Ctrl+J", "Ctrl+\\", "F"}) {
    ui.hover("plot/heatmap/cell/4,4");
    ui.key(keys);
    const std::string tag = ui.shows("plot/tag") ? ui.value("plot/tag") : "";
    ASSERT_EQ(state().hover.has_value(), !tag.empty()) << keys;
    if (!state().hover) continue;
    const CellHit& cell = *state().hover;
    EXPECT_NE(tag.find(with_minus(short_text(weight(cell.row, cell.col)))), std::string::npos)
        << keys << tag;
    EXPECT_EQ(ui.shows("inspector/sentence"), ui.shows("panel/inspector")) << keys;
  }
}

TEST_F(ViewTest, ADescriptionOfOtherNumbersIsMarked) {
  open("example:i-love-cats");
  EXPECT_TRUE(ui.shows("document/description"));
  EXPECT_FALSE(ui.shows("document/described_others"));
  app.apply(command::SetCell{{"/q", {}}, 0, 0, 7.0F});
  show();
  EXPECT_TRUE(ui.shows("document/described_others"));
  ui.key("Ctrl+Z");
  EXPECT_FALSE(ui.shows("document/described_others"));
  open("example:rope");
  app.apply(command::SetCell{{"/q", {}}, 0, 0, 7.0F});
  show();
  EXPECT_FALSE(ui.shows("document/described_others")) << "it has no numbers";
}

TEST_F(ViewTest, TheMenuOfATokenMovesAndDeletesIt) {
  open("example:i-love-cats");
  ui.click("tokens/0", 1);
  ui.click("context/move_token_down");
  EXPECT_EQ(token(1), "I");
  ui.click("tokens/0", 1);
  ui.click("context/delete_token");
  EXPECT_EQ(token(0), "I");
}

TEST_F(ViewTest, AHeightThatTheContentTakesIsSaidToBeAutomatic) {
  open("example:i-love-cats");
  ui.key("Ctrl+E");
  EXPECT_EQ(ui.value("export/height"), "");
  ui.click("export/height");
  ui.type("120");
  ui.key("Enter");
  EXPECT_GT(focused_view(state()).options.height, 300.0) << "of millimetres, in points";
  ui.click("export/height");
  ui.key("Ctrl+A");
  ui.key("Delete");
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.height, 0.0);
}

TEST_F(ViewTest, SizesAndFoldsOfTheSidesSurviveARestart) {
  app.start_with({}, Preferences{});
  open("example:i-love-cats");
  ui.drag("layout/left", 60, 0);
  ui.drag("layout/right_top", 0, -70);
  ui.key("Ctrl+J");
  app.wait_until_idle();
  EXPECT_EQ(load_preferences().sides, state().preferences.sides);
  EXPECT_GT(load_preferences().sides.left, 60.0F);
  EXPECT_GT(load_preferences().sides.right_top, 0.0F);
  EXPECT_TRUE(load_preferences().sides.right_folded);
}

TEST_F(ViewTest, ADoubleClickOnTheTabChangesTheTitle) {
  open("example:i-love-cats");
  EXPECT_EQ(ui.value("document/title"), state().document.title);
  ui.double_click("document/title");
  ui.key("Ctrl+A");
  ui.type("猫 again");
  ui.key("Enter");
  EXPECT_EQ(state().document.title, "猫 again");
  EXPECT_EQ(ui.value("document/title"), "猫 again");
  ui.double_click("document/title");
  ui.type("no");
  ui.key("Esc");
  EXPECT_EQ(state().document.title, "猫 again");
}

TEST_F(ViewTest, TheTabSaysWhatTheDocumentIsAbout) {
  open("example:i-love-cats");
  ui.hover("document/title");
  ui.frames(30);
  EXPECT_TRUE(ui.value("tooltip").starts_with(state().document.description));
}

TEST_F(ViewTest, TheBoxInTheMenuRowOpensThePalette) {
  open("example:i-love-cats");
  ui.click("palette/open");
  ASSERT_EQ(state().overlay, Overlay::Palette);
  ui.type("caus");
  ui.key("Enter");
  EXPECT_TRUE(state().document.mask.causal);
}

TEST(Columns, KeepTheMiddleWideAtEverySize) {
  for (const float width : {900.0F, 1400.0F, 3840.0F}) {
    const Columns columns = columns_of({}, width);
    EXPECT_GE(columns.middle, 300.0F) << width;
    EXPECT_NEAR(columns.left + columns.middle + columns.right, width, 16.0F);
  }
  EXPECT_GE(columns_of({.left = 700, .right = 700}, 1000.0F).middle, 290.0F);
}

}  // namespace
}  // namespace attn::gui
