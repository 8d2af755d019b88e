// Actions that begin in a panel: they unfold its side, open its tab, and press a control or give it
// the keyboard.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "app/shell/app_fixture.h"
#include "gui/shell/actions/actions.h"

namespace attn::gui {
namespace {

class PanelActionsTest : public test::AppTest {
 protected:
  PanelActionsTest() { open("example:i-love-cats"); }

  void run(const std::string& id) {
    const std::vector<Action> actions = all_actions(state());
    const auto action = std::ranges::find(actions, id, &Action::id);
    ASSERT_NE(action, actions.end()) << id;
    ASSERT_TRUE(action->enabled) << id;
    ui.key("Ctrl+Shift+P");
    ui.type(action->label);
    ui.key("Enter");
    show(6);
  }
  void mark(std::size_t index) {
    app.apply(command::MarkToken{TokenHit{Side::Query, 0, index}});
    show();
  }
};

TEST_F(PanelActionsTest, ATokenIsAddedThroughItsField) {
  app.apply(command::SetSides{{.left_folded = true}});
  run("add_token");
  EXPECT_FALSE(state().preferences.sides.left_folded);
  ui.type("too");
  ui.key("Enter");
  show();
  EXPECT_EQ(token(3), "too");
}

TEST_F(PanelActionsTest, TheMarkedTokenIsRenamed) {
  mark(1);
  run("rename_token");
  ui.type("hate");
  ui.key("Enter");
  show();
  EXPECT_EQ(token(1), "hate");
}

TEST_F(PanelActionsTest, TheMarkedTokenIsPaddingAndRealAgain) {
  mark(2);
  run("pad_key");
  EXPECT_EQ(weight(0, 2), 0.0F);
  EXPECT_NE(weight(2, 0), 0.0F);
  run("pad_key");
  EXPECT_NE(weight(0, 2), 0.0F);
  run("pad_query");
  EXPECT_EQ(weight(2, 0), 0.0F);
}

TEST_F(PanelActionsTest, ScalingOpensItsField) {
  run("scale_inputs");
  ASSERT_TRUE(ui.shows("inputs/factor"));
  ui.type("2");
  ui.key("Enter");
  show();
  EXPECT_EQ(input("/q", 0, 0), 2.0F);
}

TEST_F(PanelActionsTest, SegmentsAreTypedWhateverTabIsOpen) {
  ui.click("rules/Scoring");
  show();
  run("mask/segments");
  ui.type("0 0 1");
  ui.key("Enter");
  show();
  EXPECT_EQ(weight(0, 2), 0.0F);
}

TEST_F(PanelActionsTest, ACellGetsWholePixels) {
  open_text(R"({"tokens": 900})");
  app.wait_until_idle();
  show();
  run("whole_pixels");
  app.wait_until_idle();
  show();
  const CellWindow& window = focused_view(state()).options.window;
  ASSERT_GT(window.rows, 0.0);
  EXPECT_LT(window.rows, 900.0);
}

TEST(Asked, ControlsThatAreNotDrawnSoonAreForgotten) {
  test::UiHarness ui;
  bool asks = true, takes = false, taken = false;
  ui.frame([&](Ui& u) {
    if (std::exchange(asks, false)) u.request({"late", "soon"});
    if (takes) taken = u.take_request("late");
  });
  ui.frames(20);
  takes = true;
  ui.frames(2);
  EXPECT_FALSE(taken);
}

}  // namespace
}  // namespace attn::gui
