// Walking the controls by keyboard.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/shell/app_fixture.h"

namespace attn::gui {
namespace {

class FocusTest : public test::AppTest {
 protected:
  FocusTest() { open("example:four-heads"); }
  std::string focused() const { return ui.focused(); }
  // The spreadsheet takes Tab for its cells.
  void step() { ui.key(focused() == "inputs/grid" ? "F6" : "Tab"); }
  void walk_to(std::string_view name) {
    for (int i = 0; i < 400 && focused() != name; ++i) step();
    ASSERT_EQ(focused(), name);
  }
};

TEST_F(FocusTest, TabReachesEveryControlAndComesBack) {
  ui.key("Tab");
  const std::string first = focused();
  ASSERT_FALSE(first.empty());
  std::set<std::string> seen;
  for (int i = 0; i < 400 && seen.insert(focused()).second; ++i) {
    step();
  }
  for (const char* name : {"menu/File", "palette/open", "tokens/0", "strip/stage/weights",
                           "strip/next_head", "masks/causal", "rules/Scoring"}) {
    EXPECT_TRUE(seen.contains(name)) << name;
  }
}

TEST_F(FocusTest, EnterPressesWhatHasTheFocus) {
  walk_to("strip/stage/scores");
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Scores);
  walk_to("masks/causal");
  ui.key("Space");
  EXPECT_TRUE(state().document.mask.causal);
}

TEST_F(FocusTest, F6WalksThePanels) {
  std::vector<std::string> begins;
  for (int i = 0; i < 8; ++i) {
    ui.key("F6");
    begins.push_back(focused().substr(0, focused().find('/')));
  }
  for (const char* panel : {"tokens", "inputs", "strip", "plot"}) {
    EXPECT_NE(std::ranges::find(begins, panel), begins.end()) << panel;
  }
}

TEST_F(FocusTest, AClickTakesTheRingAway) {
  ui.key("Tab");
  EXPECT_FALSE(focused().empty());
  ui.click("tokens/1");
  EXPECT_TRUE(focused().empty());
}

TEST_F(FocusTest, EnterOnATokenSelectsItAndF2RenamesIt) {
  open("example:i-love-cats");
  for (int i = 0; i < 200 && ui.focused() != "tokens/1"; ++i) ui.key("Tab");
  ASSERT_EQ(ui.focused(), "tokens/1");
  ui.key("Enter");
  ui.frames(2);
  EXPECT_FALSE(ui.shows("tokens/edit"));
  ui.key("Enter");
  ui.frames(2);
  EXPECT_FALSE(ui.shows("tokens/edit")) << "a second Enter does no other thing";
  ui.key("F2");
  ui.frames(2);
  EXPECT_TRUE(ui.shows("tokens/edit"));
}

}  // namespace
}  // namespace attn::gui
