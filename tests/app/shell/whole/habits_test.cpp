// Conventions of desktop programs: common keys have their usual effect.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "app/shell/app_fixture.h"
#include "gui/shell/actions/actions.h"

namespace attn::gui {
namespace {

struct Habit {
  const char* shortcut;
  const char* action;
};
constexpr Habit kHabits[] = {
    {"Ctrl+N", "new"},
    {"Ctrl+O", "open"},
    {"Ctrl+Shift+O", "recent/0"},
    {"Ctrl+S", "save"},
    {"Ctrl+Shift+S", "save_as"},
    {"Ctrl+W", "close_document"},
    {"Ctrl+Q", "quit"},
    {"F5", "reload"},
    {"Ctrl+Tab", "next_document"},
    {"Ctrl+Shift+T", "reopen_document"},
    {"Ctrl+,", "settings"},
    {"Ctrl+Z", "undo"},
    {"Ctrl+Y", "redo"},
    {"Ctrl+Shift+Z", "redo"},
    {"Ctrl+D", "fill_down"},
    {"Ctrl+R", "fill_right"},
    {"Ctrl+F", "find"},
    {"F3", "find_next"},
    {"Shift+F3", "find_previous"},
    {"Ctrl+G", "go_to"},
    {"Ctrl+Shift+P", "palette"},
    {"Ctrl+K", "palette"},
    {"F1", "shortcuts"},
    {"?", "shortcuts"},
    {"F", "fit"},
    {"F11", "pane_alone"},
    {"Ctrl+B", "left_side"},
    {"Ctrl+J", "right_side"},
};

class HabitsTest : public test::AppTest {
 protected:
  // Opens files, so that there are recent ones, and closes one, to be reopened.
  HabitsTest() {
    for (const char* name : {"first.attn.json", "second.attn.json"}) {
      std::ofstream(path(name)) << R"({"tokens": ["a", "b"]})";
      open(path(name));
    }
  }
  void set_scale_by(const std::string& keys, double scale) {
    ui.key(keys);
    EXPECT_NEAR(state().preferences.scale, scale, 1e-6) << keys;
  }
};

TEST_F(HabitsTest, ShortcutsAreThoseOfOtherPrograms) {
  const std::vector<Action> actions = all_actions(state());
  for (const Habit& habit : kHabits) {
    const auto action = std::ranges::find(actions, habit.action, &Action::id);
    ASSERT_NE(action, actions.end()) << habit.action;
    const bool has = std::ranges::any_of(action->shortcuts, [&](const Shortcut& shortcut) {
      return shortcut_text(shortcut) == habit.shortcut;
    });
    EXPECT_TRUE(has) << habit.shortcut << " for " << habit.action;
  }
}

TEST_F(HabitsTest, TheNewestRecentFileAndReloadingAreAKeyAway) {
  ui.key("Ctrl+W");
  ui.key("Ctrl+Shift+O");
  ui.frames(3);
  EXPECT_EQ(state().path, path("second.attn.json"));
  std::ofstream(path("second.attn.json")) << R"({"tokens": ["c", "d", "e"]})";
  ui.key("F5");
  ui.frames(3);
  EXPECT_EQ(token(0), "c");
}

TEST_F(HabitsTest, FillRepeatsTheFirstRowAndColumnOfWhatIsSelected) {
  open("example:i-love-cats");
  ui.click("inputs/grid/cell/0,0");
  ui.key("Ctrl+A");
  ui.key("Ctrl+D");
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(input("/q", row, 0), 1.0F) << row;
    EXPECT_EQ(input("/q", row, 1), 0.0F) << row;
  }
  ui.key("Ctrl+R");
  EXPECT_EQ(input("/q", 2, 1), 1.0F);
  ui.key("Ctrl+Z");
  ui.key("Ctrl+Z");
  EXPECT_EQ(input("/q", 1, 1), 1.0F);
  EXPECT_EQ(input("/q", 1, 0), 0.0F);
}

TEST_F(HabitsTest, TheInspectorSaysByHowMuchTwoPinsDiffer) {
  open("example:i-love-cats");
  ui.click("plot/heatmap/cell/0,0");
  ui.shift_click("plot/heatmap/cell/0,1");
  ui.frames(2);
  EXPECT_TRUE(ui.value("inspector/difference").ends_with("0.2309"))
      << ui.value("inspector/difference");
}

TEST_F(HabitsTest, KeysChangeTheSizeOfEverything) {
  ui.key("Ctrl+=");
  const double larger = state().preferences.scale;
  EXPECT_GT(larger, 1.0);
  ui.key("Ctrl+-");
  EXPECT_LT(state().preferences.scale, larger);
  set_scale_by("Ctrl+0", 0.0);
}

TEST_F(HabitsTest, ATokenThatIsPointedAtInItsListIsMarkedInThePlot) {
  open("example:i-love-cats");
  ui.hover("tokens/1");
  ui.frames(2);
  ASSERT_TRUE(state().token_hover);
  EXPECT_EQ(state().token_hover->index, 1U);
}

TEST_F(HabitsTest, AMessageStaysAsLongAsThePointerIsOnIt) {
  app.apply(command::Notify{Notice::Level::Info, "Something was done", ""});
  show();
  const std::vector<std::string> cards = ui.names("notice/");
  ASSERT_FALSE(cards.empty());
  ui.hover(cards.front());
  pass(30.0);
  EXPECT_FALSE(state().notices.empty());
  ui.hover_at(ImVec2(5, 600));
  pass(30.0);
  pass(30.0);
  EXPECT_TRUE(state().notices.empty());
}

TEST_F(HabitsTest, TheMenuOfTheInputsFillsAndPastes) {
  open("example:i-love-cats");
  ui.click("inputs/grid/cell/1,1", 1);
  ui.frames(2);
  for (const char* entry : {"copy_cells", "paste_cells", "fill_down", "fill_right", "structure"}) {
    EXPECT_TRUE(ui.shows("context/" + std::string(entry))) << entry;
  }
}

}  // namespace
}  // namespace attn::gui
