// Number fields: dragged, changed by the wheel, calculated.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"
#include "gui/panels/controls/field_control.h"

namespace attn::gui {
namespace {

TEST(Scalar, StepsArePowersOfTenThatSuitRangeAndSize) {
  EXPECT_EQ(step_of({.whole = true}, 700.0), 1.0);
  EXPECT_DOUBLE_EQ(step_of({.least = 0.0, .most = 1.0}, 0.5), 0.01);
  EXPECT_DOUBLE_EQ(step_of({.least = 4.0, .most = 72.0}, 10.0), 1.0);
  EXPECT_DOUBLE_EQ(step_of({.least = 100.0, .most = 10000.0}, 576.0), 10.0);
  EXPECT_DOUBLE_EQ(step_of({}, 30.0), 1.0);
  EXPECT_DOUBLE_EQ(step_of({}, 0.5), 0.01);
  EXPECT_DOUBLE_EQ(step_of({}, 0.0), 0.01);
}

TEST(Scalar, TextsAreCalculatedWhereTheyAreNoNumbers) {
  EXPECT_EQ(evaluated_text("2*3", true), "6");
  EXPECT_EQ(evaluated_text("7/2", true), "7/2") << "not a whole number";
  EXPECT_EQ(evaluated_text("7/2", false), "3.5");
  EXPECT_EQ(evaluated_text("0.10", false), "0.10") << "as it was typed";
  EXPECT_EQ(evaluated_text("two", false), "two");
}

TEST(Scalar, ExplanationsNameLimitsAndUnit) {
  EXPECT_EQ(with_limits("Digits", {.least = 0.0, .most = 9.0, .unit = "digits"}),
            "Digits (0 to 9, digits)");
  EXPECT_EQ(with_limits("Keys", {.least = 1.0, .unit = "keys"}), "Keys (from 1 on, keys)");
  EXPECT_EQ(with_limits("Width", {.least = 0.0, .above_least = true}), "Width (above 0, no unit)");
  EXPECT_EQ(with_limits("Less", {.most = 3.0}), "Less (at most 3, no unit)");
  EXPECT_EQ(with_limits("Any", {}), "Any (any number, no unit)");
  EXPECT_EQ(with_limits("Any", {.whole = true}), "Any (any whole number, no unit)");
}

class ScalarTest : public test::AppTest {
 protected:
  void turn(std::string_view name, float notches, bool with_ctrl) {
    if (with_ctrl) ui.hold("Ctrl");
    ui.wheel(name, notches);
    if (with_ctrl) ui.let_go("Ctrl");
  }
  void enter(std::string_view name, std::string_view text) {
    ui.click(name);
    ui.key("Ctrl+A");
    ui.type(text);
    ui.key("Enter");
  }
};

TEST_F(ScalarTest, ADragOfALabelIsOneStepOfUndoing) {
  open_text(R"({"tokens": ["a", "b", "c"], "d_model": 4, "scoring": {"scale": 0.5}})");
  ui.click("rules/Scoring");
  ui.drag("scoring/scale/value/label", 40, 0);
  EXPECT_FLOAT_EQ(*state().document.scoring.scale, 0.6F) << "ten steps of a hundredth";
  ui.key("Ctrl+Z");
  EXPECT_FLOAT_EQ(*state().document.scoring.scale, 0.5F);
  ui.hold("Shift");
  ui.drag("scoring/scale/value/label", -40, 0);
  ui.let_go("Shift");
  EXPECT_FLOAT_EQ(*state().document.scoring.scale, 0.49F) << "a tenth of that";
}

TEST_F(ScalarTest, ASwitchWithANumberIsDraggedByItsLabelAndStillSwitches) {
  open_text(R"({"tokens": ["a", "b", "c"], "d_model": 4, "scoring": {"temperature": 0.5}})");
  ui.click("rules/Scoring");
  const auto temperature = [&] { return state().document.scoring.temperature; };
  ui.drag("scoring/temperature", 40, 0, 8);
  ASSERT_TRUE(temperature()) << "a drag switches nothing";
  EXPECT_GT(*temperature(), 0.5F);
  ui.key("Ctrl+Z");
  EXPECT_FLOAT_EQ(*temperature(), 0.5F) << "one step";
  ui.drag("scoring/temperature", -4000, 0);
  EXPECT_GT(*temperature(), 0.0F);
  ui.click("scoring/temperature");
  EXPECT_FALSE(temperature());
}

TEST_F(ScalarTest, LabelsInTheBarDragToo) {
  open("example:rollout");
  show_plot("derived");
  ui.drag("plot/derived/residual/label", 40, 0);
  EXPECT_NEAR(focused_view(state()).options.residual, 0.6, 1e-6);
}

TEST_F(ScalarTest, TheWheelChangesANumberWithCtrlOnly) {
  open("example:four-heads");
  app.apply(command::SetCausal{true});
  show();
  ui.click("rules/Masks");
  const auto offset = [&] { return state().document.mask.offset_of(0); };
  turn("masks/offset", 2.0F, false);
  EXPECT_EQ(offset(), 0);
  turn("masks/offset", 1.0F, true);
  turn("masks/offset", 1.0F, true);
  EXPECT_EQ(offset(), 2);
  ui.key("Ctrl+Z");
  EXPECT_EQ(offset(), 0) << "one gesture, one step";
  enter("masks/offset", "2*3-10");
  EXPECT_EQ(offset(), -4);
}

TEST_F(ScalarTest, OptionsAreCalculatedDraggedAndTurned) {
  open("example:four-heads");
  ui.click("plot/options");
  const auto decimals = [&] { return focused_view(state()).options.decimals; };
  enter("plot/options/decimals", "1+3");
  EXPECT_EQ(decimals(), 4);
  ui.drag("plot/options/decimals/label", 12, 0);
  EXPECT_EQ(decimals(), 7);
  ui.drag("plot/options/decimals/label", 400, 0);
  EXPECT_EQ(decimals(), 9) << "as far as it goes";
  turn("plot/options/decimals", -2.0F, true);
  EXPECT_EQ(decimals(), 7);
}

TEST_F(ScalarTest, SoAreThoseOfExportsAndOfTheStructure) {
  open("example:four-heads");
  ui.key("Ctrl+E");
  enter("export/width", "100+50");
  EXPECT_NEAR(focused_view(state()).options.width, 150.0 / 25.4 * 72.0, 1e-3) << "millimetres";
  ui.drag("export/export_dpi/label", 40, 0);
  EXPECT_GT(state().preferences.export_options.dpi, ExportOptions{}.dpi);
  ui.key("Esc");
  ui.key("Ctrl+Shift+D");
  const std::string heads = ui.value("structure/heads");
  enter("structure/heads", "1+2");
  if (!ui.shows("structure")) ui.key("Ctrl+Shift+D");
  ui.drag("structure/heads/label", 8, 0);
  EXPECT_NE(ui.value("structure/heads"), heads);
}

class ScalarBoxTest : public ScalarTest {
 protected:
  ScalarBoxTest() {
    open_text(R"({"tokens": ["a", "b", "c"], "d_model": 4, "scoring": {"scale": 0.5}})");
    ui.click("rules/Scoring");
  }
  float scale() { return *state().document.scoring.scale; }
  static bool is_typing() { return ImGui::GetIO().WantTextInput; }
  static constexpr const char* kBox = "scoring/scale/value";
};

TEST_F(ScalarBoxTest, ADragIsOneStepOfUndoingAndTakesNoKeyboard) {
  ui.drag(kBox, 40, 0);
  EXPECT_FLOAT_EQ(scale(), 0.6F) << "as by its label";
  ui.frames(2);
  EXPECT_FALSE(is_typing());
  ui.key("Ctrl+Z");
  EXPECT_FLOAT_EQ(scale(), 0.5F);
  ui.hold("Shift");
  ui.drag(kBox, -40, 0);
  ui.let_go("Shift");
  EXPECT_FLOAT_EQ(scale(), 0.49F) << "a tenth of that";
  ui.drag(kBox, 40, 0);
  ui.drag(kBox, 40, 0);
  ui.key("Ctrl+Z");
  EXPECT_FLOAT_EQ(scale(), 0.59F) << "each is a step of its own";
}

TEST_F(ScalarBoxTest, ADragThatComesBackIsNoClick) {
  ui.press(kBox);
  ui.move_by(20, 0);
  EXPECT_NE(scale(), 0.5F);
  ui.move_by(-20, 0);
  ui.release();
  ui.frames(2);
  EXPECT_FLOAT_EQ(scale(), 0.5F);
  EXPECT_FALSE(is_typing());
}

TEST_F(ScalarBoxTest, APressThatStaysWhereItIsSelectsTheText) {
  for (const ImVec2 way : {ImVec2(0, 0), ImVec2(5, 0), ImVec2(0, 7)}) {
    ui.press(kBox);
    EXPECT_FALSE(is_typing()) << "not before the button goes up";
    ui.move_by(way.x, way.y);
    ui.release();
    ui.frames(2);
    EXPECT_TRUE(is_typing()) << way.x << " " << way.y;
    EXPECT_FLOAT_EQ(scale(), 0.5F);
    ui.type("2");
    EXPECT_EQ(ui.value(kBox), "2");
    ui.key("Esc");
  }
}

TEST_F(ScalarBoxTest, APressThatIsLetGoOutsideDoesNothing) {
  ui.press(kBox);
  ui.move_by(0, 60);
  ui.release();
  ui.frames(2);
  EXPECT_FALSE(is_typing());
  EXPECT_FLOAT_EQ(scale(), 0.5F);
}

TEST_F(ScalarBoxTest, WhileItIsEditedADragSelectsText) {
  ui.click(kBox);
  ui.frames(60);
  ui.drag(kBox, -60, 0);
  ui.frames(2);
  EXPECT_TRUE(is_typing());
  EXPECT_FLOAT_EQ(scale(), 0.5F);
  ui.type("0.7");
  ui.key("Enter");
  EXPECT_NE(scale(), 0.5F);
}

TEST_F(ScalarBoxTest, WhatWasRefusedIsClickedAndNotDragged) {
  enter(kBox, "x");
  ui.drag(kBox, 40, 0);
  ui.frames(2);
  EXPECT_TRUE(is_typing());
  EXPECT_FLOAT_EQ(scale(), 0.5F);
}

TEST_F(ScalarBoxTest, ThePointerShowsWhatAPressWouldDo) {
  ui.hover(kBox);
  EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_ResizeEW);
  ui.click(kBox);
  ui.frames(2);
  EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_TextInput);
}

TEST_F(ScalarBoxTest, TypingElsewhereIsTakenBeforeTheDrag) {
  ui.click(kBox);
  ui.key("Ctrl+A");
  ui.type("0.2");
  ui.click("scoring/temperature");
  EXPECT_FLOAT_EQ(scale(), 0.2F);
  ui.drag("scoring/temperature/value", 40, 0);
  EXPECT_GT(*state().document.scoring.temperature, 0.5F);
  ui.drag("scoring/temperature/value", -4000, 0);
  EXPECT_GT(*state().document.scoring.temperature, 0.0F) << "within the limits";
}

TEST_F(ScalarTest, BoxesOfOptionsMasksExportsAndStructureDrag) {
  open("example:four-heads");
  ui.click("plot/options");
  ui.drag("plot/options/decimals", 400, 0);
  EXPECT_EQ(focused_view(state()).options.decimals, 9) << "as far as it goes";
  ui.key("Esc");
  app.apply(command::SetCausal{true});
  show();
  ui.click("rules/Masks");
  ui.drag("masks/offset", 12, 0);
  EXPECT_EQ(state().document.mask.offset_of(0), 3);
  ui.key("Ctrl+E");
  ui.drag("export/export_dpi", 40, 0);
  EXPECT_GT(state().preferences.export_options.dpi, ExportOptions{}.dpi);
  ui.key("Esc");
  ui.key("Ctrl+Shift+D");
  ui.drag("structure/heads", 8, 0);
  EXPECT_EQ(ui.value("structure/heads"), "6");
}

TEST_F(ScalarTest, WhatOnlyTypingChangesDoesNotDrag) {
  open("example:four-heads");
  ui.key("Ctrl+,");
  ui.hover("settings/scale");
  EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_TextInput);
  const double before = state().preferences.scale;
  ui.drag("settings/scale", 40, 0);
  EXPECT_EQ(state().preferences.scale, before);
}

TEST_F(ScalarTest, AFactorIsDraggedAndTurnedAndThenApplied) {
  open("example:i-love-cats");
  ui.click("inputs/more");
  ui.click("inputs/scale");
  ui.key("Enter");
  ui.drag("inputs/factor", 20, 0);
  EXPECT_EQ(ui.value("inputs/factor"), "1.5");
  ui.drag("inputs/factor/label", 16, 0);
  turn("inputs/factor", 1.0F, true);
  EXPECT_EQ(ui.value("inputs/factor"), "2");
  EXPECT_EQ(input("/q", 0, 0), 1.0F) << "not yet";
  ui.click("inputs/apply_factor");
  EXPECT_EQ(input("/q", 0, 0), 2.0F);
  EXPECT_FALSE(ui.shows("inputs/factor"));
  ui.key("Ctrl+Z");
  EXPECT_EQ(input("/q", 0, 0), 1.0F);
  ui.click("inputs/more");
  ui.click("inputs/scale");
  EXPECT_EQ(ui.value("inputs/factor"), "1") << "begins anew";
  ui.key("Esc");
  ui.drag("inputs/factor", 40, 0);
  ui.click("inputs/factor");
  ui.key("Enter");
  EXPECT_EQ(input("/q", 0, 0), 2.0F) << "Enter applies what was dragged";
}

TEST_F(ScalarTest, AListOfNumbersIsTypedAndSaysWhatItTakes) {
  open("example:four-heads");
  ui.click("rules/Masks");
  ui.hover("masks/segments/value");
  EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_TextInput);
  ui.frames(60);
  EXPECT_NE(ui.value("tooltip").find("whole numbers, with blanks"), std::string::npos)
      << ui.value("tooltip");
}

TEST_F(ScalarTest, TooltipsNameTheLimitsOfOptions) {
  open("example:four-heads");
  ui.click("plot/options");
  ui.hover("plot/options/decimals/label");
  ui.frames(60);
  EXPECT_NE(ui.value("tooltip").find("(0 to 9, digits)"), std::string::npos) << ui.value("tooltip");
}

}  // namespace
}  // namespace attn::gui
