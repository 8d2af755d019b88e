// Keyboard navigation of controls.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "app/shell/app_fixture.h"

namespace attn::gui {
namespace {

class FocusTest : public test::AppTest {
 protected:
  FocusTest() { open("example:four-heads"); }
  std::string focused() const { return ui.focused(); }
  // The spreadsheet uses Tab for its cells.
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

class MenuKeysTest : public FocusTest {
 protected:
  void tap_alt() {
    ui.hold("Alt");
    ui.let_go("Alt");
  }
};

TEST_F(MenuKeysTest, AltAloneLeadsToTheMenusWhoseKeysReachNothingElse) {
  tap_alt();
  EXPECT_EQ(focused(), "menu/File");
  ui.key("Right");
  EXPECT_EQ(focused(), "menu/Edit");
  ui.key("Left");
  ui.key("Left");
  EXPECT_EQ(focused(), "menu/Help");
  EXPECT_TRUE(state().pins.empty()) << "arrows walked the map";
  ui.key("Esc");
  EXPECT_EQ(focused(), "");
  ui.key("Right");
  EXPECT_FALSE(state().pins.empty());
  ui.key("F10");
  ui.key("Esc");
  EXPECT_FALSE(state().pins.empty()) << "Esc left the menus only";
  tap_alt();
  tap_alt();
  EXPECT_EQ(focused(), "") << "a second one leaves them";
}

TEST_F(MenuKeysTest, DownAndEnterOpenAMenuWhoseItemsArrowsWalk) {
  tap_alt();
  ui.key("Down");
  const std::string first = focused();
  EXPECT_TRUE(first.starts_with("menu/File/")) << first;
  ui.key("Down");
  EXPECT_NE(focused(), first);
  ui.key("Up");
  EXPECT_EQ(focused(), first);
  ui.key("Up");
  EXPECT_EQ(focused(), "menu/File/quit") << "round from the first to the last";
  ui.key("Right");
  EXPECT_TRUE(focused().starts_with("menu/Edit/")) << focused();
  EXPECT_FALSE(ui.shows("menu/File/quit"));
  ui.key("Left");
  EXPECT_EQ(focused(), first);
  ui.key("Esc");
  EXPECT_FALSE(ui.shows("menu/File/quit"));
  EXPECT_EQ(focused(), "");
  EXPECT_TRUE(state().pins.empty());
}

TEST_F(MenuKeysTest, EnterActsAndTheFocusIsWhereItWas) {
  walk_to("masks/causal");
  ui.hold("Alt");
  ui.key("V");
  ui.let_go("Alt");
  ASSERT_TRUE(focused().starts_with("menu/View/")) << focused();
  for (int i = 0; i < 60 && focused() != "menu/View/Theme"; ++i) ui.key("Down");
  ASSERT_EQ(focused(), "menu/View/Theme");
  ui.key("Right");
  EXPECT_TRUE(focused().starts_with("menu/View/Theme/")) << focused();
  ui.key("Left");
  EXPECT_EQ(focused(), "menu/View/Theme");
  EXPECT_FALSE(ui.shows("menu/View/Theme/theme/light"));
  ui.key("Enter");
  for (int i = 0; i < 9 && focused() != "menu/View/Theme/theme/light"; ++i) ui.key("Down");
  ui.key("Enter");
  EXPECT_EQ(state().preferences.theme, ThemeKind::Light);
  EXPECT_EQ(focused(), "masks/causal");
  ui.key("Space");
  EXPECT_TRUE(state().document.mask.causal);
}

TEST_F(MenuKeysTest, LettersOpenMenusWithAltAndFindTheirItems) {
  for (const auto& [letter, menu] :
       {std::pair{"F", "menu/File"}, {"E", "menu/Edit"}, {"V", "menu/View"}, {"H", "menu/Help"}}) {
    ui.key(std::string("Alt+") + letter);
    EXPECT_TRUE(focused().starts_with(std::string(menu) + "/")) << letter << focused();
  }
  ui.key("A");
  EXPECT_EQ(state().overlay, Overlay::About);
}

TEST_F(MenuKeysTest, AnOpenMenuIsNotTheOneUnderARestingPointer) {
  ui.hover("menu/Help");
  ui.key("Alt+F");
  ui.frames(5);
  EXPECT_TRUE(ui.shows("menu/File/quit"));
  ui.key("Down");
  EXPECT_TRUE(focused().starts_with("menu/File/")) << focused();
}

TEST_F(MenuKeysTest, AFieldHasItsKeyboardAgainAfterEsc) {
  ui.key("Ctrl+F");
  ui.type("cat");
  tap_alt();
  EXPECT_EQ(focused(), "menu/File");
  ui.key("Right");
  ui.type("v");
  ui.key("Esc");
  EXPECT_TRUE(state().find_is_open);
  EXPECT_EQ(state().find_text, "cat");
  ui.key("End");
  ui.type("s");
  EXPECT_EQ(state().find_text, "cats");
}

TEST_F(MenuKeysTest, AltWithAnythingElseIsNotTheKeyOfTheMenus) {
  open_stage("scores");
  ui.key("Alt+Right");
  EXPECT_EQ(focused(), "");
  EXPECT_NE(focused_view(state()).options.stage, Stage::Scores);
  ui.hold("Alt");
  ui.push(FocusChange{false});
  ui.let_go("Alt");
  EXPECT_EQ(focused(), "") << "another program got the keyboard";
  ui.hold("Alt");
  ui.wheel("plot/tab", 1);
  ui.let_go("Alt");
  EXPECT_EQ(focused(), "");
  ui.key("Ctrl+Tab");
  EXPECT_EQ(focused(), "");
  app.apply(command::ShowOverlay{Overlay::Settings});
  show();
  tap_alt();
  EXPECT_EQ(focused(), "") << "a window lies over the menus";
}

}  // namespace
}  // namespace attn::gui
