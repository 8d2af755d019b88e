// Fields of one number: dragged, turned by the wheel, calculated.
#include "gui/panels/scalar.h"

#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"

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

TEST(Scalar, ExplanationsNameTheLimits) {
  EXPECT_EQ(with_limits("Digits", {.least = 0.0, .most = 9.0}), "Digits (0 to 9)");
  EXPECT_EQ(with_limits("Keys", {.least = 1.0}), "Keys (from 1 on)");
  EXPECT_EQ(with_limits("Width", {.least = 0.0, .above_least = true}), "Width (above 0)");
  EXPECT_EQ(with_limits("Any", {}), "Any");
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

TEST_F(ScalarTest, TooltipsNameTheLimitsOfOptions) {
  open("example:four-heads");
  ui.click("plot/options");
  ui.hover("plot/options/decimals/label");
  ui.frames(60);
  EXPECT_NE(ui.value("tooltip").find("(0 to 9)"), std::string::npos) << ui.value("tooltip");
}

}  // namespace
}  // namespace attn::gui
