// The flow of a cell in the window: keys, strip, clicks.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"
#include "plot/charts/charts.h"

namespace attn::gui {
namespace {

class PlayerTest : public test::AppTest {
 protected:
  PlayerTest() {
    open("example:i-love-cats");
    show_plot("flow");
  }
  std::size_t step() const { return focused_view(state()).options.step; }
};

TEST_F(PlayerTest, SpacePlaysAndPauses) {
  ui.key("Space");
  EXPECT_TRUE(state().playing.on);
  EXPECT_EQ(step(), 1U);
  ui.frames(20);
  EXPECT_GT(state().playing.glide, 0.1);
  EXPECT_LT(state().playing.glide, 1.0);
  ui.frames(300);
  EXPECT_GT(step(), 1U);
  ui.key("Space");
  EXPECT_FALSE(state().playing.on);
}

TEST_F(PlayerTest, KeysStepAndTheTextFieldKeepsThem) {
  ui.type(".");
  EXPECT_EQ(step(), 1U) << "after the last one";
  ui.type(".");
  EXPECT_EQ(step(), 2U);
  ui.type(",");
  EXPECT_EQ(step(), 1U);
  show_plot("heatmap");
  ui.key("Space");
  ui.type(".");
  EXPECT_FALSE(state().playing.on);
  EXPECT_EQ(step(), 1U) << "other plots have no steps here";
}

TEST_F(PlayerTest, AFlowWithOneStepHasNoStrip) {
  open_text(R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.25, 0.75]]})");
  show_plot("flow");
  ASSERT_EQ(steps_in_view(state()), 1U);
  for (const char* control : {"plot/play", "plot/scrub", "plot/step/next", "plot/speed/2×"}) {
    EXPECT_FALSE(ui.shows(control)) << control;
  }
  open("example:i-love-cats");
  show_plot("flow");
  EXPECT_TRUE(ui.shows("plot/play"));
}

TEST_F(PlayerTest, TheStripPlaysStepsScrubsAndChangesTheSpeed) {
  ui.click("plot/play");
  EXPECT_TRUE(state().playing.on);
  ui.click("plot/step/next");
  EXPECT_FALSE(state().playing.on);
  EXPECT_EQ(step(), 2U);
  ui.click("plot/step/back");
  EXPECT_EQ(step(), 1U);
  ui.click("plot/speed/2×");
  EXPECT_EQ(state().playing.speed, 2.0);
  ui.click("plot/scrub");
  EXPECT_NEAR(played_position(state()), 3.5, 0.6);
  EXPECT_EQ(ui.value("plot/scrub"), "4 of 7");
}

TEST_F(PlayerTest, AClickOnANumberTellsTheFlowOfItsCell) {
  app.apply(command::Pin{{{Stage::Weights, {}}, 1, 2}, false});
  show();
  ASSERT_EQ(state().pins.size(), 1U);
  EXPECT_EQ(plot_options(state()).pins.front().col, 2U);
  app.apply(command::SetOption{"step", "3"});
  show();
  EXPECT_EQ(ui.value("plot/scrub"), "3 of 7");
}

}  // namespace
}  // namespace attn::gui
