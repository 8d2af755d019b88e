// Moving the viewport: rectangles, back and forward; and simulated colour vision.
#include <gtest/gtest.h>

#include <fstream>

#include "app/shell/app_fixture.h"
#include "engine/matrix/matrix.h"

namespace attn::gui {
namespace {

class MovingTest : public test::AppTest {
 protected:
  MovingTest() { open("example:four-heads"); }
  CellWindow shown() const { return focused_view(state()).options.window; }
  static std::string cell(int row, int col) {
    return "plot/heatmap/cell/" + std::to_string(row) + "," + std::to_string(col);
  }
  // Drags from the middle of one cell to that of another, with Ctrl.
  void draw_rectangle(int row, int col, int last_row, int last_col) {
    const auto from = ui.find(cell(row, col)), to = ui.find(cell(last_row, last_col));
    ASSERT_TRUE(from && to);
    ui.hold("Ctrl");
    ui.press(cell(row, col));
    ui.move_by(to->min.x - from->min.x, to->min.y - from->min.y);
  }
  void end_rectangle() {
    ui.release();
    ui.let_go("Ctrl");
  }
};

TEST_F(MovingTest, ARectangleZoomsToTheCellsInIt) {
  draw_rectangle(1, 2, 3, 6);
  EXPECT_EQ(shown(), CellWindow{}) << "not before the button goes up";
  end_rectangle();
  EXPECT_EQ(shown(), (CellWindow{1, 2, 3, 5}));
  EXPECT_TRUE(state().pins.empty());
  EXPECT_EQ(ui.count<command::SetWindow>(), 1U) << "it does not pan";
}

TEST_F(MovingTest, ARectangleIsDrawnInAnyDirectionAndInPaintModeToo) {
  ui.type("m");
  draw_rectangle(5, 6, 2, 1);
  end_rectangle();
  EXPECT_EQ(shown(), (CellWindow{2, 1, 4, 6}));
  EXPECT_EQ(ui.count<command::PaintCell>(), 0U);
}

TEST_F(MovingTest, EscGivesARectangleUpAndKeepsPins) {
  ui.click(cell(0, 0));
  draw_rectangle(1, 2, 3, 6);
  ui.key("Esc");
  end_rectangle();
  EXPECT_EQ(shown(), CellWindow{});
  EXPECT_EQ(state().pins.size(), 1U);
  draw_rectangle(1, 2, 3, 6);
  end_rectangle();
  EXPECT_EQ(shown(), (CellWindow{1, 2, 3, 5})) << "the next one counts again";
}

TEST_F(MovingTest, ASlipOfTheHandIsNoRectangleAndAClickPins) {
  ui.hold("Ctrl");
  ui.press(cell(2, 2));
  ui.move_by(30, 2);
  ui.release();
  EXPECT_EQ(shown(), CellWindow{});
  ui.click(cell(2, 2));
  ui.let_go("Ctrl");
  EXPECT_EQ(state().pins.size(), 1U);
}

TEST_F(MovingTest, BackAndForwardByKeysMouseAndMenu) {
  ui.wheel(cell(4, 4), 2);
  const CellWindow zoomed = shown();
  ui.drag(cell(4, 4), 40, 0);
  const CellWindow panned = shown();
  ASSERT_NE(panned, zoomed);
  ui.key("Ctrl+Alt+Left");
  EXPECT_EQ(shown(), zoomed) << "the drag was one step";
  ui.key("Ctrl+Alt+Left");
  EXPECT_EQ(shown(), CellWindow{});
  ui.click(cell(4, 4), 4);
  EXPECT_EQ(shown(), zoomed);
  ui.key("Ctrl+Alt+Right");
  EXPECT_EQ(shown(), panned);
  ui.click(cell(4, 4), 3);
  EXPECT_EQ(shown(), zoomed);
  ui.key("Backspace");
  EXPECT_EQ(shown(), CellWindow{});
  ui.key("Shift+Backspace");
  EXPECT_EQ(shown(), zoomed);
  ui.click("menu/View");
  ui.click("menu/View/Part in view");
  ui.click("menu/View/Part in view/part_forward");
  EXPECT_EQ(shown(), panned);
}

TEST_F(MovingTest, AtTheEndsTheMenuSaysWhyNothingIsLeft) {
  ui.click("menu/View");
  ui.click("menu/View/Part in view");
  EXPECT_FALSE(ui.enabled("menu/View/Part in view/part_back"));
  EXPECT_FALSE(ui.enabled("menu/View/Part in view/part_forward"));
  ui.hover("menu/View/Part in view/part_back");
  pass(2.0);
  show();
  EXPECT_EQ(ui.value("tooltip"), "No earlier view to return to");
}

TEST_F(MovingTest, BarsOfAChartSayTheirNumbers) {
  show_plot("distribution");
  show();
  const std::vector<std::string> bars = ui.names("plot/distribution/reading/");
  ASSERT_FALSE(bars.empty());
  ui.hover(bars.front());
  show();
  const std::string ends = bars.front().substr(std::string("plot/distribution/reading/").size());
  EXPECT_TRUE(ui.value("plot/tag").starts_with(ends + " ")) << ui.value("plot/tag");
}

TEST_F(MovingTest, PointingAtAnOlderPictureSaysNothing) {
  std::ofstream(path("many.json")) << R"({"tokens": 5000})";
  open(path("many.json"));
  ui.hover("plot/heatmap");
  app.apply(command::DeleteToken{Side::Query, 0});
  EXPECT_FALSE(state().result);
  ui.frames(3);
  app.wait_until_idle();
}

TEST_F(MovingTest, TheSafeColoursComeAndGoByOneKey) {
  const auto colors = [&] { return focused_view(state()).options.colormap; };
  app.apply(command::SetOption{"colormap", "magma"});
  show();
  ui.type("C");
  EXPECT_EQ(colors(), "cividis");
  ui.type("C");
  EXPECT_EQ(colors(), "magma");
}

TEST_F(MovingTest, TheWindowIsShownAsOtherEyesSeeIt) {
  EXPECT_EQ(ui.graphics.vision(), ColorVision::Usual);
  ui.click("menu/View");
  ui.click("menu/View/Simulate");
  ui.click("menu/View/Simulate/simulate/deuteranopia");
  show();
  EXPECT_EQ(ui.graphics.vision(), ColorVision::Deuteranopia);
  EXPECT_EQ(state().preferences.vision, ColorVision::Deuteranopia);
  EXPECT_EQ(ui.value("status/vision"), "Simulating deuteranopia");
  ui.click("status/vision");
  show();
  EXPECT_EQ(ui.graphics.vision(), ColorVision::Usual);
  EXPECT_FALSE(ui.shows("status/vision"));
}

}  // namespace
}  // namespace attn::gui
