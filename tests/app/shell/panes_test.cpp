// Panes and tabs in the window, by mouse and by keyboard.
#include <gtest/gtest.h>

#include <fstream>

#include "plot/all_plots.h"
#include "tests/app/shell/app_fixture.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

class PanesTest : public test::AppTest {
 protected:
  PanesTest() : AppTest({.width = 1400, .height = 900, .scale = 1.0F}) {}

  std::size_t count() { return panes_of(state().layout).size(); }
  // Probe name of a widget in a pane without the focus.
  std::string other(std::size_t place, const std::string& name) {
    return "pane/" + std::to_string(panes_of(state().layout)[place]->id) + "/" + name;
  }
};

TEST_F(PanesTest, AreSplitClosedAndShownAloneByKeys) {
  open("example:four-heads");
  ui.key("Ctrl+\\");
  ui.frames(2);
  EXPECT_EQ(count(), 2U);
  const auto left = ui.find(other(0, "plot/heatmap")), right = ui.find("plot/heatmap");
  ASSERT_TRUE(left && right);
  EXPECT_LT(left->max.x, right->min.x);
  ui.key("Ctrl+Shift+M");
  ui.frames(2);
  EXPECT_TRUE(state().maximised);
  EXPECT_FALSE(ui.find(other(0, "plot/heatmap")));
  ui.key("Ctrl+Shift+M");
  ui.key("Ctrl+F6");
  EXPECT_EQ(state().focus, panes_of(state().layout)[0]->id);
  ui.key("Ctrl+Shift+W");
  EXPECT_EQ(count(), 1U);
}

TEST_F(PanesTest, AreSplitAndClosedByTheirBar) {
  open("example:four-heads");
  EXPECT_FALSE(ui.shows("plot/close"));
  ui.click("plot/options");
  ui.click("plot/split/Down");
  ui.frames(2);
  ASSERT_EQ(count(), 2U);
  EXPECT_LT(ui.find(other(0, "plot/heatmap"))->max.y, ui.find("plot/heatmap")->min.y);
  ui.click("plot/close");
  EXPECT_EQ(count(), 1U);
}

TEST_F(PanesTest, FollowThePointerFromOneToAnotherAndOut) {
  open("example:four-heads");
  ui.key("Ctrl+\\");
  ui.frames(2);
  const std::string left = other(0, "plot/heatmap/cell/"), right = "plot/heatmap/cell/";
  const auto row = [&] { return state().hover ? static_cast<int>(state().hover->row) : -1; };
  for (const auto& [from, to] : {std::pair{left, right}, std::pair{right, left}}) {
    ui.hover(from + "1,0");
    EXPECT_EQ(row(), 1) << from;
    ui.hover(to + "2,0");
    EXPECT_EQ(row(), 2) << to;
    ui.hover(from + "2,0");
    EXPECT_EQ(row(), 2) << "the same cell in " << from;
    ui.hover("menu/File");
    EXPECT_EQ(row(), -1) << from;
  }
}

TEST_F(PanesTest, ShowWhatIsPointedAtAndPinnedInEachOther) {
  open("example:four-heads");
  ui.key("Ctrl+\\");
  ui.frames(2);
  open_stage("scores");
  ui.hover("plot/heatmap/cell/1,0");
  ui.frames(2);
  ASSERT_TRUE(state().hover);
  const Pane& first = *panes_of(state().layout)[0];
  EXPECT_EQ(hovered_in(state(), first)->row, 1U);
  ui.click(other(0, "plot/heatmap/cell/2,1"));
  ui.frames(2);
  EXPECT_EQ(state().focus, panes_of(state().layout)[0]->id) << "a click also takes the focus";
  ASSERT_EQ(state().pins.size(), 1U);
  EXPECT_EQ(plot_options(state(), *panes_of(state().layout)[1]).pins.front().row, 2U);
}

TEST_F(PanesTest, ZoomAndMoveTogether) {
  open("example:four-heads");
  ui.key("Ctrl+\\");
  ui.frames(2);
  const auto part = [&](std::size_t place) {
    return panes_of(state().layout)[place]->view.options.window;
  };
  ui.wheel("plot/heatmap/cell/4,4", 3);
  EXPECT_GT(part(1).rows, 0.0);
  EXPECT_EQ(part(0), part(1));
  const CellWindow zoomed = part(0);
  ui.drag(other(0, "plot/heatmap/cell/4,4"), 30, 20);
  EXPECT_LT(part(0).col, zoomed.col);
  EXPECT_EQ(part(0), part(1));
  ui.type("f");
  EXPECT_EQ(part(0).rows, 0.0);
  EXPECT_EQ(part(0), part(1));
}

TEST_F(PanesTest, AHeadChosenInAnOverviewOpensInTheHeatmapBesideIt) {
  open("example:four-heads");
  ui.key("Ctrl+\\");
  show_plot("measures");
  ui.frames(2);
  ui.click("plot/measures/head/2");
  ui.frames(2);
  EXPECT_EQ(count(), 2U);
  EXPECT_EQ(panes_of(state().layout)[1]->view.plot, "measures") << "the overview stays";
  EXPECT_EQ(panes_of(state().layout)[0]->view.options.at.head, 2U);
}

TEST_F(PanesTest, TheEdgeBetweenThemIsDragged) {
  open("example:four-heads");
  ui.key("Ctrl+\\");
  ui.frames(2);
  const std::vector<std::string> edges = ui.names("pane/edge/");
  ASSERT_EQ(edges.size(), 1U);
  const double before = std::get<Split>(state().layout).parts[0].share;
  ui.drag(edges.front(), 80.0F, 0.0F);
  EXPECT_GT(std::get<Split>(state().layout).parts[0].share, before);
}

TEST_F(PanesTest, SayTheirHeadsAndBeginAtOneHeight) {
  open("example:four-heads");
  ui.key("Ctrl+\\");
  ui.frames(4);
  EXPECT_EQ(ui.value("plot/subject"), "· weights, H1");
  const PaneId other = panes_of(state().layout).front()->id;
  const std::string cell = "plot/heatmap/cell/0,0";
  const auto right = ui.find(cell);
  const auto left = ui.find("pane/" + std::to_string(other) + "/" + cell);
  ASSERT_TRUE(right && left);
  EXPECT_NEAR(right->min.y, left->min.y, 1.0F);
  EXPECT_GT(right->min.x, left->max.x);
}

// The control of each option sets it, like its command line flag.
TEST_F(PanesTest, EveryOptionOfThePlotCanBeSetInTheWindow) {
  open("example:four-heads");
  for (const char* name : {"heatmap", "derived", "cost"}) {
    show_plot(name);
    ui.click("plot/options");
    ui.frames(2);
    const PlotEntry& plot = *plot_named(name);
    for (const Field<ViewOptions>& field : plot_option_fields()) {
      const bool elsewhere = field.alias || field.name == "stage" || field.name == "attention" ||
                             field.name == "layer" || field.name == "sample" ||
                             field.name == "head";
      if (elsewhere) continue;
      EXPECT_EQ(ui.shows("plot/options/" + std::string(field.name)), uses(plot, field.name))
          << name << " " << field.name;
    }
    ui.key("Esc");
    ui.frames(2);
  }
}

TEST_F(PanesTest, AnOptionIsSetInItsControlAndARefusalStaysThere) {
  open("example:four-heads");
  ui.click("plot/options");
  ui.click("plot/options/decimals");
  ui.key("Ctrl+A");
  ui.type("4");
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.decimals, 4);
  ui.click("plot/options/decimals");
  ui.key("Ctrl+A");
  ui.type("40");
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.decimals, 4);
  EXPECT_TRUE(ui.shows("plot/options/decimals/problem"));
  ui.type("6");  // over the rejected text, which keeps the keyboard
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.decimals, 6);
  ui.click("plot/options/decimals");
  ui.key("Ctrl+A");
  ui.type("40");
  ui.key("Enter");
  EXPECT_EQ(ui.value("plot/options/decimals/problem"), "A whole number from 0 to 9");
}

// Opens a document once the window has its size.
class OpeningTest : public PanesTest {
 protected:
  OpeningTest() { open("example:i-love-cats"); }
};

TEST_F(OpeningTest, AClickAmongAllHeadsBelowChoosesThatOfTheMap) {
  open("example:four-heads");
  ASSERT_EQ(count(), 2U);
  const auto map = ui.find("plot/heatmap"), heads = ui.find(other(1, "plot/heads"));
  ASSERT_TRUE(map && heads);
  EXPECT_LT(map->max.y, heads->min.y);
  EXPECT_GE(heads->max.y - heads->min.y, 120.0F);
  ui.click(other(1, "plot/heads/head/2"));
  EXPECT_EQ(pane_of(state().layout, state().focus)->view.plot, "heatmap");
  EXPECT_EQ(focused_view(state()).options.at.head, 2U);
}

TEST_F(OpeningTest, OneClickSubtractsAHeadAndBothAreChosenOnTheBar) {
  open("example:four-heads");
  ui.click("plot/compare");
  ui.frames(2);
  ASSERT_EQ(count(), 3U);
  EXPECT_EQ(ui.value(other(1, "plot/head")), "H1");
  EXPECT_EQ(ui.value(other(1, "plot/minus_head")), "H2");
  const PaneId pane = panes_of(state().layout)[1]->id;
  app.apply(command::FocusPane{pane});
  ui.frames(2);
  ui.click("plot/minus_head");
  ui.click("plot/minus_head/H4");
  EXPECT_EQ(pane_of(state().layout, pane)->view.options.minus_head, std::optional<std::size_t>(3));
  ui.click("plot/head");
  ui.click("plot/head/H3");
  EXPECT_EQ(panes_of(state().layout)[0]->view.options.at.head, 2U) << "the map follows";
}

TEST_F(OpeningTest, OneClickShowsAnotherHeadBesideWithAChoiceOfItsOwn) {
  open("example:four-heads");
  EXPECT_FALSE(ui.shows("plot/head")) << "the strip chooses that of panes which follow";
  ui.click("plot/options");
  ui.click("plot/split/Another head");
  ASSERT_EQ(count(), 3U);
  ui.click(other(1, "plot/head"));
  ui.frames(2);
  ui.click("plot/head/H4");
  EXPECT_EQ(panes_of(state().layout)[1]->view.options.at.head, 3U);
  EXPECT_EQ(panes_of(state().layout)[0]->view.options.at.head, 0U);
}

TEST_F(OpeningTest, ASplitWithoutRoomIsOffAndSaysWhy) {
  for (int i = 0; i < 3; ++i) ui.key("Ctrl+\\");
  ui.frames(2);
  const std::size_t panes = count();
  EXPECT_LT(panes, 4U);
  ui.click("plot/options");
  ASSERT_TRUE(ui.shows("plot/split/Right"));
  EXPECT_FALSE(ui.find("plot/split/Right")->enabled);
  ui.click("plot/split/Right");
  EXPECT_EQ(count(), panes);
  ui.key("Esc");
  ASSERT_FALSE(state().notices.empty()) << "the key says it too";
  EXPECT_NE(state().notices.back().text.find("a plot needs"), std::string::npos);
}

TEST_F(OpeningTest, APlotWithNothingToShowHasButtonsThatChangeThis) {
  open("example:four-heads");
  app.apply(command::SelectPlot{"positions"});
  app.wait_until_idle();
  ui.frames(2);
  ASSERT_TRUE(ui.shows("plot/refused"));
  ui.click("plot/remedy/Add sinusoidal positions");
  EXPECT_EQ(state().document.position.kind, PositionKind::Sinusoidal);
  ui.frames(2);
  EXPECT_FALSE(ui.shows("plot/refused"));
  ui.key("Ctrl+Z");
  EXPECT_EQ(state().document.position.kind, PositionKind::None);
  app.apply(command::SelectPlot{"alignment"});
  app.wait_until_idle();
  ui.frames(2);
  const auto buttons = ui.names("plot/remedy/");
  ASSERT_EQ(buttons.size(), 1U);
  ui.click(buttons.front());
  ui.frames(2);
  EXPECT_EQ(state().source_path, "example:encoder-decoder");
  EXPECT_EQ(focused_view(state()).plot, "alignment");
}

TEST_F(PanesTest, DocumentsAreTabs) {
  app.open_at_start({"example:four-heads"});
  app.wait_until_idle();
  show();
  app.apply(command::SetTitle{"Mine"});
  app.apply(command::NewDocument{});
  app.wait_until_idle();
  ui.frames(2);
  ASSERT_TRUE(ui.shows("tabs/1"));
  EXPECT_EQ(ui.value("tabs/1"), "on");
  ui.click("tabs/0");
  EXPECT_EQ(state().document.title, "Mine");
  ui.key("Ctrl+Tab");
  EXPECT_EQ(state().document.title, "");
  ui.key("Ctrl+W");
  EXPECT_EQ(open_documents(state()).size(), 1U);
}

TEST_F(PanesTest, TabsKeepALeastWidthAndAListHasThoseWithoutRoom) {
  for (int i = 0; i < 30; ++i) {
    std::ofstream(path("file" + std::to_string(i) + ".json")) << R"({"tokens": ["a", "b"]})";
    app.apply(command::Open{path("file" + std::to_string(i) + ".json")});
    app.wait_until_idle();
  }
  show();
  EXPECT_TRUE(ui.shows("tabs/29"));
  EXPECT_FALSE(ui.shows("tabs/0"));
  const auto neighbour = ui.find("tabs/28");
  ASSERT_TRUE(neighbour);
  EXPECT_GE(neighbour->max.x - neighbour->min.x, 120.0F);
  ui.click("tabs/list");
  EXPECT_EQ(ui.value("tabs/list/3"), "file3.json");
  ui.click("tabs/list/3");
  EXPECT_EQ(state().path, path("file3.json"));
  EXPECT_EQ(ui.value("tabs/3"), "on");
  const auto before = ui.find("tabs/3");
  ui.click("tabs/4");
  EXPECT_EQ(ui.value("tabs/4"), "on");
  EXPECT_EQ(ui.find("tabs/3")->min.x, before->min.x) << "tabs keep their places";
}

}  // namespace
}  // namespace attn::gui
