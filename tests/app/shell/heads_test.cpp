// Plot of all heads in the window: navigation by arrows, opening, comparing.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"

namespace attn::gui {
namespace {

class HeadsTest : public test::AppTest {
 protected:
  HeadsTest() : AppTest({.width = 1400, .height = 900}) {
    open("example:four-heads");
    show_plot("heads");
    ui.frames(2);
  }
  std::size_t head() const { return focused_view(state()).options.at.head; }
  std::size_t panes() const { return panes_of(state().layout).size(); }
};

TEST_F(HeadsTest, ArrowsWalkThemAndEnterOpensOne) {
  ui.key("Right");
  ui.key("Right");
  EXPECT_EQ(head(), 2U);
  ui.key("Left");
  EXPECT_EQ(head(), 1U);
  EXPECT_EQ(focused_view(state()).plot, "heads");
  ui.key("Enter");
  ui.frames(2);
  EXPECT_EQ(focused_view(state()).plot, "heatmap");
  EXPECT_EQ(head(), 1U);
}

// The maps count heads from 1; documents and the command line count from 0.
TEST_F(HeadsTest, TheirFieldCountsFromOne) {
  const std::string field = "plot/options/heads";
  ui.click("plot/options");
  const auto type = [&](const char* text) {
    ui.click(field);
    ui.key("Ctrl+A");
    ui.type(text);
    ui.key("Enter");
    show();
  };
  EXPECT_EQ(ui.value(field), "all");
  type("1,3-4");
  EXPECT_EQ(focused_view(state()).options.heads, "0,2-3");
  EXPECT_EQ(ui.value(field), "1,3-4");
  type("0");
  EXPECT_EQ(focused_view(state()).options.heads, "0,2-3") << "there is no head 0";
  EXPECT_EQ(ui.value(field + "/problem"), "All, or a list such as 1,4-6");
}

TEST_F(HeadsTest, ArrowsMeanTheCellsWhereTheSpreadsheetHasTheKeyboard) {
  ui.click("inputs/grid/cell/0,0");
  ui.key("Right");
  EXPECT_EQ(head(), 0U);
  EXPECT_EQ(state().grid.col, 1U);
}

TEST_F(HeadsTest, ArrowsDoNothingUnderAWindow) {
  ui.key("F1");
  ui.frames(2);
  ASSERT_EQ(state().overlay, Overlay::Shortcuts);
  ui.key("Right");
  EXPECT_EQ(head(), 0U);
}

TEST_F(HeadsTest, AClickOpensAndAShiftClickCompares) {
  ui.shift_click("plot/heads/head/2");
  ui.frames(2);
  ASSERT_EQ(panes(), 2U);
  EXPECT_EQ(focused_view(state()).plot, "heads");
  EXPECT_EQ(head(), 0U) << "the one looked at stays";
  EXPECT_EQ(panes_of(state().layout)[1]->view.plot, "difference");
  ui.click("plot/heads/head/3");
  ui.frames(2);
  EXPECT_EQ(head(), 3U);
}

class ManyHeadsTest : public test::AppTest {
 protected:
  ManyHeadsTest() : AppTest({.width = 1100, .height = 500}) {
    open_text(R"({"tokens": ["a", "b", "c"], "d_model": 8, "heads": 4,
                  "blocks": 60})");
    show_plot("heads");
    ui.frames(2);
  }
};

TEST_F(ManyHeadsTest, TheOneThatAnArrowLeadsToIsScrolledIntoView) {
  ASSERT_FALSE(ui.shows("plot/heads/layer/59/head/0"));
  for (int i = 0; i < 59; ++i) ui.key("Down");
  ui.frames(2);
  EXPECT_EQ(focused_view(state()).options.at.layer, 59U);
  EXPECT_TRUE(ui.shows("plot/heads/layer/59/head/0"));
  EXPECT_FALSE(ui.shows("plot/heads/head/0"));
}

}  // namespace
}  // namespace attn::gui
