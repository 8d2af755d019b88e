// Text of several lines by mouse and keyboard.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "figure/text.h"
#include "gui/ui/text_input.h"
#include "support/ui_harness.h"

namespace attn::test {
namespace {

using namespace gui;  // NOLINT(google-build-using-namespace)

std::vector<std::string> row_texts(const std::string& text, double width) {
  std::vector<std::string> rows;
  for (const TextSpan& row : rows_of_text(text, width)) {
    rows.push_back(text.substr(row.first, row.end - row.first));
  }
  return rows;
}

double wide(std::string_view text) {
  return pango_metrics().measure(text, FontStyle{kLabelSize, false, false}).width;
}

TEST(TextRows, BreakAtBlanksAndWhereLinesEnd) {
  using Rows = std::vector<std::string>;
  EXPECT_EQ(row_texts("", 100), Rows{""});
  EXPECT_EQ(row_texts("one two", 1000), Rows{"one two"});
  EXPECT_EQ(row_texts("one two three", wide("one two") + 1), (Rows{"one two ", "three"}));
  EXPECT_EQ(row_texts("one\n\ntwo\n", 1000), (Rows{"one", "", "two", ""}));
}

TEST(TextRows, BreakBetweenIdeographsAndInsideWhatIsLongerThanARow) {
  using Rows = std::vector<std::string>;
  EXPECT_EQ(row_texts("我爱猫", wide("我爱") + 1), (Rows{"我爱", "猫"}));
  EXPECT_EQ(row_texts("我爱。猫", wide("我爱") + 1), (Rows{"我", "爱。", "猫"}));
  EXPECT_EQ(row_texts("aaaaa", wide("aa") + 1), (Rows{"aa", "aa", "a"}));
  EXPECT_EQ(row_texts("ab", 0.5), (Rows{"a", "b"}));
}

// The rows together are the whole text except for line breaks.
TEST(TextRows, LeaveNothingOut) {
  const std::string text = "The cat\nsat on 我爱猫。 พูดไทย\t🇩🇪 longlonglonglong\n";
  for (const double width : {1.0, 20.0, 55.0, 90.0, 400.0}) {
    std::size_t at = 0;
    for (const TextSpan& row : rows_of_text(text, width)) {
      if (row.first != at) {
        EXPECT_EQ(row.first, at + 1);
        EXPECT_EQ(text[at], '\n');
      }
      at = row.end;
    }
    EXPECT_EQ(at, text.size());
  }
}

class TextAreaTest : public ::testing::Test {
 protected:
  void show(ImVec2 size = {300, 90}) {
    ui.frame([this, size](Ui& u) {
      const TextInputResult result = text_area(u, "##area", text, "hint", size, view);
      u.mark("area", text);
      entered += result.entered ? 1 : 0;
      cancelled += result.cancelled ? 1 : 0;
      active = result.active;
    });
  }
  std::string text;
  TextAreaView view;
  int entered = 0, cancelled = 0;
  bool active = false;
  UiHarness ui{{.width = 400, .height = 200}};
};

TEST_F(TextAreaTest, ShiftEnterBreaksTheLineAndEnterIsReported) {
  show();
  ui.click("area");
  EXPECT_TRUE(active);
  ui.type("one");
  ui.key("Shift+Enter");
  ui.type("two");
  EXPECT_EQ(text, "one\ntwo");
  EXPECT_EQ(entered, 0);
  ui.key("Enter");
  EXPECT_EQ(entered, 1);
  EXPECT_TRUE(active);
  EXPECT_EQ(text, "one\ntwo");
}

TEST_F(TextAreaTest, PastedLinesStay) {
  ui.clipboard = "one\r\ntwo\n\tthree";
  show();
  ui.click("area");
  ui.key("Ctrl+V");
  EXPECT_EQ(text, "one\ntwo\n three");
  ui.key("Ctrl+A");
  ui.key("Ctrl+C");
  EXPECT_EQ(ui.clipboard, text);
  ui.key("Ctrl+Z");
  EXPECT_EQ(text, "");
}

TEST_F(TextAreaTest, ArrowsHomeAndEndMoveAmongRows) {
  text = "abc\ndef\nghi";
  show();
  ui.click("area");
  ui.key("Ctrl+Home");
  ui.key("Down");
  ui.type("1");
  EXPECT_EQ(text, "abc\n1def\nghi");
  ui.key("End");
  ui.type("2");
  EXPECT_EQ(text, "abc\n1def2\nghi");
  ui.key("Right");
  ui.type("3");
  EXPECT_EQ(text, "abc\n1def2\n3ghi");
  ui.key("Home");
  ui.key("Left");
  ui.key("Backspace");
  EXPECT_EQ(text, "abc\n1def\n3ghi");
  ui.key("Up");
  ui.key("Home");
  ui.key("Delete");
  EXPECT_EQ(text, "bc\n1def\n3ghi");
  ui.key("Up");
  ui.key("Shift+Down");
  ui.key("Backspace");
  EXPECT_EQ(text, "1def\n3ghi");
  ui.key("Ctrl+End");
  ui.key("Down");
  ui.type("4");
  EXPECT_EQ(text, "1def\n3ghi4");
}

TEST_F(TextAreaTest, ArrowsLeaveASelectionAtItsEndsAsInFieldsOfOneLine) {
  text = "abc\ndef";
  show();
  ui.click("area");
  ui.key("Ctrl+A");
  ui.key("Left");
  ui.type("1");
  EXPECT_EQ(text, "1abc\ndef");
  ui.key("Ctrl+A");
  ui.key("Right");
  ui.type("2");
  EXPECT_EQ(text, "1abc\ndef2");
  ui.key("Ctrl+Home");
  ui.key("Shift+Right");
  ui.key("Shift+Right");
  ui.key("Right");
  ui.type("3");
  EXPECT_EQ(text, "1a3bc\ndef2");
}

TEST_F(TextAreaTest, WordStepsFollowTheDirectionOfTheLine) {
  text = "שלום עולם";
  show();
  ui.click("area");
  ui.key("Ctrl+Home");
  ui.key("Ctrl+Left");
  ui.type("1");
  EXPECT_EQ(text.substr(0, text.find('1')), "שלום");
}

// The last letter of a wrapped row is before the space; the next row begins after it.
TEST_F(TextAreaTest, WrappedRowsAreWalkedLikeLines) {
  text = "one two three four five six seven eight nine ten eleven twelve";
  show({120, 150});
  ASSERT_GT(view.rows.size(), 2U);
  ui.click("area");
  ui.key("Ctrl+Home");
  ui.key("End");
  ui.type("!");
  const std::size_t first_end = text.find('!');
  EXPECT_EQ(text[first_end + 1], ' ');
  ui.key("Home");
  ui.key("Down");
  ui.type("?");
  const std::size_t second = text.find('?');
  EXPECT_EQ(text[second - 1], ' ');
  EXPECT_GT(second, first_end);
}

TEST_F(TextAreaTest, AClickPutsTheCaretWhereItIsAndADragSelects) {
  text = "abc\ndef\nghi";
  show();
  ui.click("area");
  ui.key("Ctrl+End");
  const ImVec2 corner = ui.find("area")->min;
  const float row = (ui.find("area")->max.y - corner.y) / 90.0F * 20.0F;
  ui.click_at(ImVec2(corner.x + 2, corner.y + 6 + row));
  ui.type("1");
  EXPECT_EQ(text, "abc\n1def\nghi");
  ui.double_click("area");
  ui.type("x");
  EXPECT_EQ(text, "abc\n1def\nx");
}

TEST_F(TextAreaTest, EscBringsTheTextBack) {
  text = "abc";
  show();
  ui.click("area");
  ui.type("x");
  ui.key("Esc");
  EXPECT_EQ(text, "abc");
  EXPECT_EQ(cancelled, 1);
  EXPECT_FALSE(active);
}

TEST_F(TextAreaTest, ScrollsToTheCaretAndByTheWheel) {
  for (int i = 0; i < 40; ++i) text += "line\n";
  show();
  ui.click("area");
  ui.key("Ctrl+End");
  EXPECT_GT(view.scroll_px, 0.0F);
  const float end = view.scroll_px;
  ui.wheel("area", 1);
  EXPECT_LT(view.scroll_px, end);
  ui.key("Ctrl+Home");
  EXPECT_EQ(view.scroll_px, 0.0F);
}

// Rows outside of the view are not drawn.
TEST_F(TextAreaTest, ALongTextCostsWhatIsInView) {
  text = "a";
  show();
  ui.frames(2);
  const int few = ui.draw_data().TotalVtxCount;
  for (int i = 0; i < 20'000; ++i) text += "word ";
  ui.frames(2);
  EXPECT_GT(view.rows.size(), 1000U);
  EXPECT_LT(ui.draw_data().TotalVtxCount, few + 200);
}

}  // namespace
}  // namespace attn::test
