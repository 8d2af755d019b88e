// Options of plots: from the palette, and by the ends of the colour bar.
#include <gtest/gtest.h>

#include "base/number_text.h"
#include "tests/app/shell/app_fixture.h"

namespace attn::gui {
namespace {

class OptionsTest : public test::AppTest {};

TEST_F(OptionsTest, ANumberOfThePlotIsTypedWhereThePaletteLeads) {
  open("example:four-heads");
  ui.key("Ctrl+Shift+P");
  ui.type("decimals");
  ui.key("Enter");
  ui.frames(3);
  ASSERT_TRUE(ui.shows("plot/options/decimals"));
  EXPECT_EQ(state().asked_option, "");
  ui.type("4");
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.decimals, 4);
}

TEST_F(OptionsTest, AHeightThatFitsTheContentIsAnEmptyField) {
  open("example:i-love-cats");
  const auto type = [&](const char* text) {
    ui.click("plot/options/height");
    ui.key("Ctrl+A");
    ui.key("Delete");
    ui.type(text);
    ui.key("Enter");
    ui.frames(3);
  };
  ui.click("plot/options");
  ui.frames(3);
  EXPECT_EQ(ui.value("plot/options/height"), "");
  type("300");
  EXPECT_EQ(focused_view(state()).options.height, 300.0);
  type("");
  EXPECT_EQ(focused_view(state()).options.height, 0.0);
  EXPECT_EQ(ui.value("plot/options/height"), "");
}

TEST_F(OptionsTest, AFlagAndAChoiceOfThePlotAreSetFromThePalette) {
  open("example:four-heads");
  ui.key("Ctrl+Shift+P");
  ui.type("histogram");
  ui.key("Enter");
  EXPECT_TRUE(focused_view(state()).options.histogram);
  ui.key("Ctrl+Shift+P");
  ui.type("range: each row");
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.range, ColorSpan::Rows);
}

TEST_F(OptionsTest, EndsOfTheColourBarAreDraggedAndResetByADoubleClick) {
  open("example:four-heads");
  const auto& options = [&]() -> const ViewOptions& { return focused_view(state()).options; };
  const CellWindow window = options().window;
  EXPECT_FALSE(ui.find("plot/heatmap/range/high")) << "the pointer is elsewhere";
  ui.hover("plot/heatmap/colorbar");
  ui.drag("plot/heatmap/range/high", 0, 60);
  ASSERT_TRUE(options().range_high);
  EXPECT_LT(*options().range_high, 1.0);
  EXPECT_LE(shortest_text(static_cast<float>(*options().range_high)).size(), 6U) << "0.8943";
  EXPECT_FALSE(options().range_low);
  ui.drag("plot/heatmap/range/low", 0, -60);
  ASSERT_TRUE(options().range_low);
  EXPECT_GT(*options().range_low, 0.0);
  EXPECT_LT(*options().range_low, *options().range_high);
  EXPECT_TRUE(state().history.past.empty()) << "how it looks is no edit";
  EXPECT_EQ(options().window, window) << "nothing else is meant";
  EXPECT_TRUE(state().pins.empty());
  ui.double_click("plot/heatmap/range/high");
  EXPECT_FALSE(options().range_low);
  EXPECT_FALSE(options().range_high);
}

// Colours of scores follow the numbers, but not while one is dragged.
TEST_F(OptionsTest, EndsOfScoresStandStillUntilTheButtonIsReleased) {
  open("example:i-love-cats");
  open_stage("scores");
  const auto words = [&] { return std::string(ui.value("plot/heatmap/range")); };
  EXPECT_EQ(words(), "Score: −1 to 1 ▾");
  ui.press("inputs/grid/cell/0,0");
  ui.move_by(200, 0);
  ui.frames(3);
  EXPECT_GT(input("/q", 0, 0), 2.0F);
  EXPECT_TRUE(words().starts_with("Score: −1 to 1")) << words();
  ui.release();
  ui.frames(3);
  EXPECT_FALSE(words().starts_with("Score: −1 to 1")) << words();
}

TEST_F(OptionsTest, EndsAndLogarithmOfAChartAreSetInItsPanel) {
  open("example:four-heads");
  show_plot("distribution");
  ui.click("plot/options");
  const auto& options = [&]() -> const ViewOptions& { return focused_view(state()).options; };
  const auto enter = [&](const std::string& option, const char* text) {
    ui.click("plot/options/" + option);
    ui.key("Ctrl+A");
    text[0] == '\0' ? ui.key("Delete") : ui.type(text);
    ui.key("Enter");
  };
  enter("axis_from", "0.1");
  enter("axis_to", "0.6");
  ui.click("plot/options/axis_log");
  ASSERT_TRUE(options().axis_from && options().axis_to);
  EXPECT_NEAR(*options().axis_from, 0.1, 1e-6);
  EXPECT_NEAR(*options().axis_to, 0.6, 1e-6);
  EXPECT_TRUE(options().axis_log);
  EXPECT_TRUE(state().history.past.empty()) << "how it looks is no edit";
  enter("axis_from", "");
  EXPECT_FALSE(options().axis_from) << "an empty end is automatic";
}

}  // namespace
}  // namespace attn::gui
