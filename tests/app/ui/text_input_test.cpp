// Text fields by mouse and keyboard, in scripts of both directions.
#include "gui/ui/text_input.h"

#include <gtest/gtest.h>

#include <utility>

#include "figure/letters.h"
#include "figure/text.h"
#include "support/ui_harness.h"

namespace attn::test {
namespace {

using namespace gui;  // NOLINT(google-build-using-namespace)

TEST(TextEdit, PastedTextIsMadeOneCleanLine) {
  TextEdit edit;
  std::string text = "ab";
  move_caret(edit, 1, false);
  insert_text(edit, text, "x\ny\tz\x01\xFF\xE7\x8C\xAB");
  EXPECT_EQ(text, "ax y z猫b");
  EXPECT_EQ(edit.caret, text.size() - 1);
  undo_text(edit, text);
  EXPECT_EQ(text, "ab");
  redo_text(edit, text);
  EXPECT_EQ(text, "ax y z猫b");
}

TEST(TextEdit, WordsAreErasedWhole) {
  TextEdit edit;
  std::string text = "one two  three";
  move_caret(edit, text.size(), false);
  erase_before(edit, text, true);
  EXPECT_EQ(text, "one two  ");
  move_caret(edit, 0, false);
  erase_after(edit, text, true);
  EXPECT_EQ(text, " two  ");
}

TEST(TextEdit, BackspaceTakesAFlagWholeAndAVowelSignAlone) {
  TextEdit edit;
  std::string text = "a🇩🇪";
  move_caret(edit, text.size(), false);
  erase_before(edit, text, false);
  EXPECT_EQ(text, "a");
  text = "ที่";
  move_caret(edit, text.size(), false);
  erase_before(edit, text, false);
  EXPECT_EQ(text, "ที");
  move_caret(edit, 0, false);
  erase_after(edit, text, false);
  EXPECT_EQ(text, "");
}

TEST(TextEdit, ACaretInATextThatOthersChangedStandsBetweenCodePoints) {
  TextEdit edit;
  edit.caret = 1;
  edit.anchor = 9;
  fit_to_text(edit, "猫x");
  EXPECT_EQ(edit.caret, 3U);
  EXPECT_EQ(edit.anchor, 4U);
}

struct Field {
  std::string text;
  TextSelection select = TextSelection::End;
  int entered = 0, left = 0;
  bool active = false, focus = false;
  float width = 300.0F;
  void operator()(Ui& ui) {
    ImGui::SetNextItemWidth(width);
    if (std::exchange(focus, false)) ImGui::SetKeyboardFocusHere();
    const TextInputResult result = text_input(ui, "##text", text, "Type here", select);
    ui.mark("text", text);
    entered += result.entered ? 1 : 0;
    left += result.left ? 1 : 0;
    active = result.active;
    ImGui::Button("elsewhere");
    ui.mark("elsewhere");
    std::string other;
    text_input(ui, "##other", other, "", TextSelection::All);
    ui.mark("other");
  }
};

struct TextInputTest : testing::Test {
  UiHarness ui{HarnessOptions{}};
  Field field;
  void SetUp() override {
    ui.frame([this](Ui& u) { field(u); });
  }
};

TEST_F(TextInputTest, TypesEveryScriptAndEmoji) {
  ui.click("text");
  EXPECT_TRUE(field.active);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  ui.type("猫 größe ");
  ui.type("مرحبا🙂");
  EXPECT_EQ(field.text, "猫 größe مرحبا🙂");
  ui.key("Backspace");
  EXPECT_EQ(field.text, "猫 größe مرحبا");
  ui.key("Enter");
  EXPECT_EQ(field.entered, 1);
  EXPECT_EQ(field.left, 1);
  EXPECT_FALSE(field.active);
  ui.type("x");
  EXPECT_EQ(field.text, "猫 größe مرحبا");
}

TEST_F(TextInputTest, CopiesCutsAndPastesAnyScript) {
  field.text = "我爱🙂";
  ui.click("text");
  ui.key("Ctrl+A");
  ui.key("Ctrl+C");
  EXPECT_EQ(ui.clipboard, "我爱🙂");
  ui.key("End");
  ui.key("Ctrl+V");
  EXPECT_EQ(field.text, "我爱🙂我爱🙂");
  ui.key("Shift+Left");
  ui.key("Ctrl+X");
  EXPECT_EQ(ui.clipboard, "🙂");
  EXPECT_EQ(field.text, "我爱🙂我爱");
  ui.key("Ctrl+Z");
  EXPECT_EQ(field.text, "我爱🙂我爱🙂");
  ui.key("Ctrl+Y");
  EXPECT_EQ(field.text, "我爱🙂我爱");
}

TEST_F(TextInputTest, KeysMoveTheCaretLetterByLetter) {
  field.text = "a猫b";
  ui.click("text");
  ui.key("End");
  ui.key("Left");
  ui.key("Left");
  ui.type("x");
  EXPECT_EQ(field.text, "ax猫b");
  ui.key("Delete");
  EXPECT_EQ(field.text, "axb");
  ui.key("Home");
  ui.type("0");
  EXPECT_EQ(field.text, "0axb");
  ui.key("Shift+End");
  ui.type("1");
  EXPECT_EQ(field.text, "01");
}

TEST_F(TextInputTest, AClickPlacesTheCaretAtTheNearestLetter) {
  field.text = "我爱你们";
  ui.frames(1);
  const auto box = *ui.find("text");
  const float half =
      ui.find("text")->min.x + ImGui::GetStyle().FramePadding.x +
      static_cast<float>(pango_metrics().measure("我爱", {13.2, false, false}).width);
  ui.click_at(ImVec2(half, box.centre().y));
  ui.type("|");
  EXPECT_EQ(field.text, "我爱|你们");
}

TEST_F(TextInputTest, ADragSelects) {
  field.text = "select me";
  ui.frames(1);
  const auto box = *ui.find("text");
  ui.push(MouseMove{box.min.x + 2, box.centre().y});
  ui.push(MouseButton{0, true});
  ui.push(MouseMove{box.min.x + 30, box.centre().y});
  ui.push(MouseMove{box.max.x - 5, box.centre().y});
  ui.push(MouseButton{0, false});
  ui.type("x");
  EXPECT_EQ(field.text, "x");
}

TEST_F(TextInputTest, ADoubleClickSelectsTheWordAndAThirdClickAll) {
  field.text = "again and again";
  ui.frames(1);
  const auto box = *ui.find("text");
  const ImVec2 in_first_word(box.min.x + 20, box.centre().y);
  ui.click_at(in_first_word);
  ui.click_at(in_first_word);
  ui.type("y");
  EXPECT_EQ(field.text, "y and again");
  ui.frames(60);
  for (int i = 0; i < 3; ++i) ui.click_at(in_first_word);
  ui.type("all");
  EXPECT_EQ(field.text, "all");
}

TEST_F(TextInputTest, ArrowsMoveAsSeenInTextOfEitherDirection) {
  field.text = "שלום";
  ui.click("text");
  ui.key("Home");
  ui.key("Left");
  ui.type("x");
  EXPECT_EQ(field.text, "שxלום");
  field.text = "שלום עולם";
  ui.key("Home");
  ui.key("Ctrl+Left");
  ui.type("x");
  EXPECT_EQ(field.text, "שלוםx עולם");
  ui.key("Ctrl+Right");
  ui.type("y");
  EXPECT_EQ(field.text, "yשלוםx עולם");
}

TEST_F(TextInputTest, ASelectionIsLeftOnTheSideOfTheArrow) {
  field.text = "שלום";
  ui.click("text");
  ui.key("Ctrl+A");
  ui.key("Left");
  ui.type("x");
  EXPECT_EQ(field.text, "שלוםx");
  ui.key("Ctrl+A");
  ui.key("Right");
  ui.type("y");
  EXPECT_EQ(field.text, "yשלוםx");
}

TEST_F(TextInputTest, AClickPlacesTheCaretInArabic) {
  field.text = "مرحبا";
  ui.frames(1);
  const auto box = *ui.find("text");
  const float start = box.min.x + ImGui::GetStyle().FramePadding.x;
  const TextLine line(field.text, {13.2, false, false});
  ui.click_at(ImVec2(start + static_cast<float>(line.caret_x(4)), box.centre().y));
  ui.type("|");
  EXPECT_EQ(field.text, "مر|حبا");
}

TEST_F(TextInputTest, EscapeGivesTheTextBackThatWasThere) {
  field.text = "before";
  ui.click("text");
  ui.type(" and after");
  ui.key("Esc");
  EXPECT_EQ(field.text, "before");
  EXPECT_FALSE(field.active);
}

TEST_F(TextInputTest, ClickingElsewhereLeavesTheField) {
  ui.click("text");
  ui.type("kept");
  ui.click("elsewhere");
  EXPECT_FALSE(field.active);
  EXPECT_EQ(field.left, 1);
  EXPECT_EQ(field.text, "kept");
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_F(TextInputTest, TheNextButtonReactsToItsFirstClick) {
  int pressed = 0;
  ui.frame([&](Ui& u) {
    if (ImGui::Button("first")) ++pressed;
    u.mark("first");
    field(u);
  });
  ui.click("text");
  ui.click("first");
  EXPECT_EQ(pressed, 1);
  EXPECT_EQ(field.left, 1);
}

TEST_F(TextInputTest, TabAndRequestsMoveTheKeyboard) {
  field.focus = true;
  ui.frames(3);
  EXPECT_TRUE(field.active);
  ui.type("one");
  ui.key("Tab");
  EXPECT_FALSE(field.active);
  EXPECT_EQ(field.left, 1);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  ui.type("two");
  EXPECT_EQ(field.text, "one");
}

TEST_F(TextInputTest, FocusSelectsAllWhenAsked) {
  field.text = "old";
  field.select = TextSelection::All;
  ui.click("text");
  ui.type("new");
  EXPECT_EQ(field.text, "new");
}

TEST_F(TextInputTest, LongTextScrollsWithTheCaret) {
  field.width = 80.0F;
  ui.frames(1);
  ui.click("text");
  ui.type(std::string(300, 'w'));
  // The caret is drawn inside the field.
  const auto box = *ui.find("text");
  ui.click_at(ImVec2(box.max.x - 12, box.centre().y));
  ui.type("|");
  EXPECT_GT(field.text.find('|'), 280U) << field.text.size();
  ui.key("Home");
  ui.type("^");
  EXPECT_EQ(field.text[0], '^');
}

}  // namespace
}  // namespace attn::test
