// The spreadsheet by mouse, keyboard and clipboard.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/number_text.h"
#include "base/utf8.h"
#include "figure/text.h"
#include "gui/ui/grid/grid.h"
#include "gui/ui/grid/grid_layout.h"
#include "tests/app/ui/grid_sheet.h"

namespace attn::test {
namespace {

using namespace gui;  // NOLINT(google-build-using-namespace)

TEST_F(GridTest, EveryCellShowsItsNumber) {
  sheet.values = {0.4555F, -0.001F, 12345.0F, 0,    1,     -2.5F,
                  1e-30F,  100,     0.005F,   3e8F, -0.0F, 0.125F};
  show();
  EXPECT_EQ(ui.names("q/cell/").size(), 12U);
  EXPECT_EQ(ui.value("q/cell/0,0"), "0.46");
  EXPECT_EQ(ui.value("q/cell/1,0"), "0.00");
  EXPECT_EQ(ui.value("q/cell/1,2"), "−2.50");
  EXPECT_EQ(ui.value("q/cell/2,1"), "100.00");
  EXPECT_EQ(ui.value("q/cell/3,1"), "0.00");
  // Two decimals would be 0.00 or exceed the cell.
  EXPECT_EQ(ui.value("q/cell/0,1"), with_minus(short_text(-0.001F, 2)));
  EXPECT_EQ(ui.value("q/cell/0,2"), "12345");
  EXPECT_EQ(ui.value("q/cell/3,0"), short_text(3e8F, 2));
  EXPECT_EQ(ui.value("q/cell/2,0"), "1e−30");
}

TEST_F(GridTest, DraggingACellChangesItsValueInOneStroke) {
  show();
  ui.drag("q/cell/1,1", 40, 0);
  ASSERT_GE(sheet.edits.size(), 2U);
  EXPECT_GT(sheet.at(1, 1), 1.2F);
  EXPECT_LT(sheet.at(1, 1), 2.0F);
  for (const auto& edit : sheet.edits) {
    EXPECT_EQ(edit.gesture, sheet.edits.front().gesture);
    EXPECT_NE(edit.gesture, 0U);
    EXPECT_EQ(edit.row, 1U);
    EXPECT_EQ(edit.col, 1U);
  }
  expect_cursor(1, 1);
  const auto first = sheet.edits.front().gesture;
  sheet.edits.clear();
  ui.drag("q/cell/1,1", -30, 0);
  ASSERT_FALSE(sheet.edits.empty());
  EXPECT_NE(sheet.edits.front().gesture, first);
  EXPECT_LT(sheet.edits.back().value, 1.4F);
}

TEST_F(GridTest, ADragOfAFewPixelsIsStillAClick) {
  show();
  ui.drag("q/cell/2,1", 2, 1, 2);
  EXPECT_TRUE(sheet.edits.empty());
  expect_cursor(2, 1);
}

TEST_F(GridTest, ShiftDragsFinelyAndCtrlCoarsely) {
  show();
  const auto change = [&](const char* modifier) {
    sheet.values[4] = 1.0F;
    ui.press("q/cell/1,1");
    if (modifier != nullptr) ui.hold(modifier);
    ui.move_by(10, 0);
    ui.move_by(40, 0);
    ui.release();
    if (modifier != nullptr) ui.let_go(modifier);
    return std::abs(sheet.at(1, 1) - 1.0F);
  };
  const float plain = change(nullptr), fine = change("Shift"), coarse = change("Ctrl");
  EXPECT_NEAR(fine, plain / 10.0F, plain / 50.0F);
  EXPECT_NEAR(coarse, plain * 10.0F, plain);
}

TEST_F(GridTest, DragSpeedFollowsTheMagnitude) {
  sheet.values = {1000, 1000, 1000, 0.01F, 0.01F, 0.01F, 0, 0, 0, 0, 0, 0};
  show();
  ui.drag("q/cell/0,0", 50, 0);
  ui.drag("q/cell/1,0", 50, 0);
  ui.drag("q/cell/2,0", 50, 0);
  EXPECT_NEAR(sheet.at(0, 0), 1500.0F, 40.0F);
  EXPECT_NEAR(sheet.at(1, 0), 0.015F, 0.0004F);
  EXPECT_NEAR(sheet.at(2, 0), 0.5F, 0.04F);
}

TEST_F(GridTest, EscapeDuringADragBringsTheOldValueBack) {
  show();
  ui.press("q/cell/1,1");
  ui.move_by(50, 0);
  ui.move_by(10, 0);
  EXPECT_NE(sheet.at(1, 1), 1.0F);
  ui.key("Esc");
  EXPECT_EQ(sheet.at(1, 1), 1.0F);
  EXPECT_EQ(sheet.edits.back().gesture, sheet.edits.front().gesture);
  ui.move_by(50, 0);
  ui.release();
  EXPECT_EQ(sheet.at(1, 1), 1.0F);
}

TEST_F(GridTest, TypingANumberEntersItAndMovesDown) {
  show();
  ui.click("q/cell/1,1");
  ui.type("-0.75");
  EXPECT_EQ(ui.value("q/edit"), "-0.75");
  EXPECT_TRUE(sheet.edits.empty());
  ui.key("Enter");
  EXPECT_EQ(sheet.at(1, 1), -0.75F);
  EXPECT_EQ(sheet.edits.at(0).gesture, 0U);
  expect_cursor(2, 1);
  EXPECT_FALSE(ui.shows("q/edit"));
  // The keyboard stays with the grid.
  ui.type("5");
  ui.key("Tab");
  EXPECT_EQ(sheet.at(2, 1), 5.0F);
  expect_cursor(2, 2);
  ui.type("6");
  ui.key("Shift+Tab");
  EXPECT_EQ(sheet.at(2, 2), 6.0F);
  expect_cursor(2, 1);
}

TEST_F(GridTest, TabGoesOnToTheNextRowAndAround) {
  show();
  ui.click("q/cell/0,1");
  for (const char* number : {"5", "6", "7"}) {
    ui.type(number);
    ui.key("Tab");
  }
  EXPECT_EQ(sheet.at(0, 1), 5.0F);
  EXPECT_EQ(sheet.at(0, 2), 6.0F);
  EXPECT_EQ(sheet.at(1, 0), 7.0F);
  expect_cursor(1, 1);
  ui.key("Shift+Tab");
  ui.key("Shift+Tab");
  expect_cursor(0, 2);
  ui.click("q/cell/3,2");
  ui.type("8");
  ui.key("Tab");
  expect_cursor(0, 0);
  ui.type("9");
  ui.key("Shift+Tab");
  EXPECT_EQ(sheet.at(3, 2), 8.0F);
  EXPECT_EQ(sheet.at(0, 0), 9.0F);
  expect_cursor(3, 2);
}

TEST_F(GridTest, EnterAfterTabsGoesBackToTheColumnWhereTheyBegan) {
  show();
  ui.click("q/cell/0,1");
  ui.type("5");
  ui.key("Tab");
  ui.type("6");
  ui.key("Enter");
  EXPECT_EQ(sheet.at(0, 2), 6.0F);
  expect_cursor(1, 1);
  ui.key("Tab");
  ui.key("Enter");
  expect_cursor(2, 1);
  // Other moves reset the column of Enter.
  ui.key("Tab");
  ui.key("Left");
  ui.key("Left");
  ui.key("Enter");
  expect_cursor(3, 0);
  ui.click("q/cell/0,0");
  ui.key("Tab");
  ui.click("q/cell/0,2");
  ui.type("1");
  ui.key("Enter");
  expect_cursor(1, 2);
}

TEST_F(GridTest, EveryCharacterOpensTheFieldAndWordsAreRefusedAtTheCell) {
  show();
  ui.click("q/cell/1,1");
  ui.type("nan");
  EXPECT_EQ(ui.value("q/edit"), "nan");
  ui.key("Enter");
  EXPECT_TRUE(ui.shows("q/problem"));
  EXPECT_TRUE(sheet.edits.empty());
  expect_cursor(1, 1);
  ui.key("Esc");
  ui.type("(x");
  EXPECT_EQ(ui.value("q/edit"), "(x");
}

TEST_F(GridTest, CharactersTypedInOneFrameAreAllKept) {
  show();
  ui.click("q/cell/0,0");
  ui.push(KeyChange{'1', true, 0});
  for (const char c : std::string("12.5")) ui.push(TextInput{static_cast<unsigned>(c)});
  ui.push(KeyChange{'1', false, 0});
  ui.push(TextInput{'6'});
  ui.key("Enter");
  EXPECT_EQ(sheet.at(0, 0), 12.56F);
}

TEST_F(GridTest, DoubleClickEditsTheExactNumber) {
  sheet.values[4] = 0.123456789F;
  show();
  ui.double_click("q/cell/1,1");
  EXPECT_EQ(ui.value("q/edit"), shortest_text(0.123456789F));
  // Everything is selected: typing replaces it.
  ui.type("7");
  ui.key("Enter");
  EXPECT_EQ(sheet.at(1, 1), 7.0F);
}

TEST_F(GridTest, LeavingTheTextUnchangedIsNoEdit) {
  sheet.values[4] = 0.1F;
  show();
  ui.double_click("q/cell/1,1");
  ui.key("Enter");
  EXPECT_TRUE(sheet.edits.empty());
  expect_cursor(2, 1);
}

TEST_F(GridTest, RefusedTextStaysWithItsReasonUntilItIsPutRight) {
  show();
  for (const char* wrong : {"1,5", "1e99", "-", "1.2.3"}) {
    ui.click("q/cell/1,1");
    ui.type(wrong);
    ui.key("Enter");
    EXPECT_TRUE(ui.shows("q/edit")) << wrong;
    EXPECT_FALSE(ui.value("q/problem").empty()) << wrong;
    expect_cursor(1, 1);
    ui.key("Esc");
    EXPECT_FALSE(ui.shows("q/edit")) << wrong;
  }
  EXPECT_TRUE(sheet.edits.empty());
  EXPECT_EQ(sheet.at(1, 1), 1.0F);
  ui.type("1,5");
  ui.key("Enter");
  ui.key("Backspace");
  ui.key("Backspace");
  EXPECT_FALSE(ui.shows("q/problem"));
  ui.type(".5");
  ui.key("Enter");
  EXPECT_EQ(sheet.at(1, 1), 1.5F);
}

TEST_F(GridTest, ClickingAnotherCellTakesTheTypedNumber) {
  show();
  ui.click("q/cell/0,0");
  ui.type("3");
  ui.click("q/cell/2,2");
  EXPECT_EQ(sheet.at(0, 0), 3.0F);
  expect_cursor(2, 2);
  ui.type("x1");
  ui.type("2,");
  ui.click("q/cell/0,1");
  EXPECT_TRUE(ui.shows("q/edit"));
  expect_cursor(2, 2);
}

TEST_F(GridTest, ClickingIntoTheFieldPlacesTheCaretAndKeepsEditing) {
  show();
  ui.double_click("q/cell/1,1");
  ui.frames(60);
  ui.click("q/edit");
  EXPECT_TRUE(ui.shows("q/edit"));
  expect_cursor(1, 1);
  EXPECT_TRUE(sheet.edits.empty());
}

TEST_F(GridTest, EscapeLeavesTheCellAsItWas) {
  show();
  ui.click("q/cell/1,1");
  ui.type("42");
  ui.key("Esc");
  EXPECT_TRUE(sheet.edits.empty());
  EXPECT_FALSE(ui.shows("q/edit"));
}

TEST_F(GridTest, EscapeLeavesTheFieldAndThenTheTable) {
  show();
  ui.click("q/cell/1,1");
  ui.type("9");
  ui.key("Esc");
  ui.type("7");
  EXPECT_EQ(ui.value("q/edit"), "7") << "the table keeps the keyboard";
  ui.key("Esc");
  ui.key("Esc");
  ui.type("2");
  EXPECT_FALSE(ui.shows("q/edit"));
  EXPECT_TRUE(sheet.edits.empty());
}

TEST_F(GridTest, KeysMoveAndExtendWithinTheMatrix) {
  show();
  ui.click("q/cell/0,0");
  ui.key("Right");
  ui.key("Down");
  expect_cursor(1, 1);
  ui.key("Up");
  ui.key("Up");
  ui.key("Left");
  ui.key("Left");
  expect_cursor(0, 0);
  ui.key("End");
  expect_cursor(0, 2);
  ui.key("Ctrl+End");
  expect_cursor(3, 2);
  ui.key("Home");
  expect_cursor(3, 0);
  ui.key("Ctrl+Home");
  expect_cursor(0, 0);
  ui.key("Shift+Down");
  ui.key("Shift+Right");
  expect_selection(0, 0, 1, 1);
  ui.key("Ctrl+Down");
  expect_selection(3, 1, 3, 1);
  ui.key("Ctrl+Shift+Up");
  expect_selection(0, 1, 3, 1);
}

TEST_F(GridTest, ClipboardKeysAndDeleteAreReported) {
  show();
  ui.click("q/cell/0,0");
  ui.key("Ctrl+C");
  ui.key("Ctrl+V");
  ui.key("Delete");
  EXPECT_EQ(sheet.copies, 1);
  EXPECT_EQ(sheet.pastes, 1);
  EXPECT_EQ(sheet.clears, 1);
  ui.key("Ctrl+X");
  EXPECT_EQ(sheet.copies, 2);
  EXPECT_EQ(sheet.clears, 2);
}

TEST_F(GridTest, WithoutTheFocusKeysAreNotItsOwn) {
  bool taken = true;
  ui.frame([&](Ui& u) {
    sheet(u);
    taken = u.plain_keys_taken();
    ImGui::Button("elsewhere");
    u.mark("elsewhere");
  });
  ui.click("elsewhere");
  ui.key("Delete");
  ui.type("5");
  EXPECT_EQ(sheet.clears, 0);
  EXPECT_FALSE(ui.shows("q/edit"));
  EXPECT_FALSE(taken);
  ui.click("q/cell/0,0");
  EXPECT_TRUE(taken);
}

TEST_F(GridTest, LargeMatricesDrawOnlyWhatIsVisible) {
  sheet = Sheet(100000, 200);
  show();
  const std::size_t cells = ui.names("q/cell/").size();
  EXPECT_GT(cells, 50U);
  EXPECT_LT(cells, 400U);
  EXPECT_LT(ui.draw_data().TotalVtxCount, 60000);
  ui.click("q/cell/0,0");
  ui.key("Ctrl+End");
  ui.frames(3);
  expect_cursor(99999, 199);
  EXPECT_EQ(ui.value("q/cell/99999,199"), cell_text(sheet.values.back()));
  const auto last = *ui.find("q/cell/99999,199");
  EXPECT_GT(last.max.y - last.min.y, 20.0F);
  ui.key("PageUp");
  EXPECT_LT(sheet.row, 99995U);
  EXPECT_GT(sheet.row, 99970U);
  ui.click("q/cell/99990,198");
  expect_cursor(99990, 198);
}

TEST_F(GridTest, TheCursorIsScrolledIntoViewWhenItMoves) {
  sheet = Sheet(200, 40);
  show();
  ui.click("q/cell/0,0");
  for (int i = 0; i < 30; ++i) ui.key("Down");
  for (int i = 0; i < 15; ++i) ui.key("Right");
  EXPECT_TRUE(ui.shows("q/cell/30,15"));
  EXPECT_FALSE(ui.shows("q/cell/0,0"));
  // The headers stay and match the scrolled cells.
  EXPECT_EQ(ui.value("q/row/30"), "30");
  EXPECT_EQ(ui.find("q/row/30")->min.y, ui.find("q/cell/30,15")->min.y);
  EXPECT_EQ(ui.find("q/col/15")->min.x, ui.find("q/cell/30,15")->min.x);
  // Scrolling by the wheel does not follow the cursor.
  ui.wheel("q", 30);
  ui.frames(3);
  EXPECT_TRUE(ui.shows("q/row/0"));
}

TEST_F(GridTest, RowHeadersShowTokensOfAnyScript) {
  sheet.row_labels = {"我", "爱", "PythonAI", "🙂"};
  show();
  EXPECT_EQ(ui.value("q/row/0"), "我");
  EXPECT_EQ(ui.value("q/row/3"), "🙂");
  EXPECT_EQ(ui.value("q/col/2"), "2");
}

TEST_F(GridTest, HeadersMakeSpacesOfTokensVisible) {
  sheet.row_labels = {" the", "cat", "", "a\n"};
  show();
  EXPECT_EQ(ui.value("q/row/0"), visible_token(" the"));
  EXPECT_NE(ui.value("q/row/0"), " the");
  EXPECT_EQ(ui.value("q/row/1"), "cat");
  EXPECT_EQ(ui.value("q/row/3"), visible_token("a\n"));
}

TEST_F(GridTest, EmptyAndNonFiniteMatricesAreHarmless) {
  sheet.values[0] = std::numeric_limits<float>::quiet_NaN();
  sheet.values[1] = -std::numeric_limits<float>::infinity();
  show();
  EXPECT_EQ(ui.value("q/cell/0,0"), "nan");
  EXPECT_EQ(ui.value("q/cell/0,1"), "−inf");
  ui.drag("q/cell/0,0", 40, 0);
  EXPECT_TRUE(std::isfinite(sheet.at(0, 0)));
  sheet = Sheet(0, 0);
  ui.frames(2);
  EXPECT_TRUE(ui.names("q/cell/").empty());
}

TEST_F(GridTest, AMatrixThatShrinksWhileEditingEndsTheEdit) {
  show();
  ui.click("q/cell/3,2");
  ui.type("5");
  sheet = [&] {
    Sheet small(2, 2);
    small.interaction = sheet.interaction;
    small.row = sheet.row;
    small.col = sheet.col;
    return small;
  }();
  ui.frames(2);
  EXPECT_FALSE(ui.shows("q/edit"));
  ui.key("Left");
  expect_cursor(1, 0);
}

class GridScales : public testing::TestWithParam<float> {};
INSTANTIATE_TEST_SUITE_P(Scales, GridScales, testing::Values(1.25F, 2.0F));

TEST_P(GridScales, CellsAreFoundAtEveryScale) {
  UiHarness ui({.scale = GetParam()});
  Sheet sheet(4, 3);
  ui.frame([&](Ui& u) { sheet(u); });
  ui.click("q/cell/2,1");
  EXPECT_EQ(sheet.row, 2U);
  EXPECT_EQ(sheet.col, 1U);
  ui.type("8");
  ui.key("Enter");
  EXPECT_EQ(sheet.at(2, 1), 8.0F);
}

TEST_P(GridScales, RowHeadersHaveTheWidthThatTheirLabelsNeed) {
  UiHarness ui({.scale = GetParam()});
  const Sheet sheet(3, 4);
  TokenList labels = {"because", "animal", "tired"};
  ui.frame([&](Ui& u) {
    GridView view;
    view.matrix = {sheet.values.data(), 3, 4, 4};
    view.row_labels = &labels;
    const auto width = [&] {
      GridMeasures measures;
      return measure_grid(u, view, measures).header_width;
    };
    const float label = u.labels.line_size("because", {kLabelSize, false, false}, u.scale).x;
    EXPECT_GE(width() - u.px(kHeaderPadding), label);
    labels.rename(0, std::string(300, 'w'));
    const float room = ImGui::GetContentRegionAvail().x;
    EXPECT_LE(width(), 0.41F * room);
    EXPECT_GE(width(), 0.39F * room);
    labels.rename(0, "because");
  });
}

}  // namespace
}  // namespace attn::test
