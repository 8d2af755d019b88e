// Selection in a spreadsheet by the mouse buttons.
#include <gtest/gtest.h>

#include "tests/app/ui/grid_sheet.h"

namespace attn::test {
namespace {

TEST_F(GridTest, ClickSelectsAndShiftClickExtends) {
  show();
  ui.click("q/cell/1,1");
  expect_cursor(1, 1);
  expect_selection(1, 1, 1, 1);
  ui.shift_click("q/cell/3,2");
  expect_selection(1, 1, 3, 2);
  EXPECT_TRUE(sheet.edits.empty());
}

TEST_F(GridTest, HeadersSelectRowsColumnsAndCtrlAEverything) {
  show();
  ui.click("q/row/2");
  expect_selection(2, 0, 2, 2);
  ui.click("q/col/1");
  expect_selection(0, 1, 3, 1);
  ui.key("Ctrl+A");
  expect_selection(0, 0, 3, 2);
}

TEST_F(GridTest, TheRightButtonSelectsWhatItsMenuIsAbout) {
  show();
  ui.click("q/col/2", 1);
  expect_selection(0, 2, 3, 2);
  expect_cursor(0, 2);
  ui.click("q/cell/1,2", 1);
  expect_selection(0, 2, 3, 2);
  ui.click("q/cell/1,1", 1);
  expect_selection(1, 1, 1, 1);
  ui.click("q/row/3", 1);
  expect_selection(3, 0, 3, 2);
  ui.click("q/cell/0,1");
  ui.shift_click("q/cell/2,2");
  ui.click("q/cell/1,1", 1);
  expect_selection(0, 1, 2, 2);
  ui.key("Ctrl+A");
  ui.click("q/col/0", 1);
  expect_selection(0, 0, 3, 2);
  ui.click("q/col/1", 1);
  expect_selection(0, 1, 3, 1);
  EXPECT_TRUE(sheet.edits.empty());
}

TEST_F(GridTest, PressesInTheFieldAreNotOfTheCellsBelowIt) {
  show();
  ui.double_click("q/cell/0,0");
  ui.key("Ctrl+A");
  ui.type("3");
  const auto field = ui.find("q/edit"), beside = ui.find("q/cell/0,1");
  ASSERT_TRUE(field && beside && field->max.x > beside->min.x) << "it lies over the next cell";
  const ImVec2 end((std::max(field->min.x, beside->min.x) + field->max.x) / 2, field->centre().y);
  ui.click_at(end, 1);
  EXPECT_TRUE(ui.shows("q/edit"));
  ui.click_at(end);
  ui.click_at(end);
  EXPECT_EQ(ui.value("q/edit"), "3");
  EXPECT_TRUE(sheet.edits.empty());
  expect_selection(0, 0, 0, 0);
}

TEST_F(GridTest, TheRightButtonTakesTheTypedNumber) {
  show();
  ui.click("q/cell/0,0");
  ui.type("3");
  ui.click("q/col/1", 1);
  EXPECT_EQ(sheet.at(0, 0), 3.0F);
  EXPECT_FALSE(ui.shows("q/edit"));
  expect_selection(0, 1, 3, 1);
  ui.click("q/cell/0,0");
  ui.type("1,");
  ui.click("q/col/2", 1);
  EXPECT_TRUE(ui.shows("q/edit"));
  expect_cursor(0, 0);
}

}  // namespace
}  // namespace attn::test
