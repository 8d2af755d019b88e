// Use without a mouse: Tab reaches every control, the palette every action.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/shell/app_fixture.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlays.h"
#include "support/sanitizers.h"

namespace attn::gui {
namespace {

class KeyboardTest : public test::AppTest {
 protected:
  // Controls reached by Tab, until it returns to the first. Spreadsheets use Tab for their cells.
  std::set<std::string> walked() {
    std::set<std::string> seen;
    std::string first;
    for (int i = 0; i < 600; ++i) {
      ui.key(ui.focused().starts_with("inputs/grid") ? "F6" : "Tab");
      if (ui.focused().empty()) continue;
      if (ui.focused() == first) break;
      if (first.empty()) first = ui.focused();
      seen.insert(ui.focused());
    }
    return seen;
  }

  // Enabled controls of the last frame, without draggable edges, which actions fold, and without
  // parts of spreadsheets and plots that have keys of their own.
  std::vector<std::string> controls() const {
    std::vector<std::string> names;
    for (const std::string& name : ui.names()) {
      const auto widget = ui.find(name);
      const bool of_its_own = name.starts_with("inputs/grid/") || name.starts_with("panel/") ||
                              name.starts_with("section/") || name.starts_with("layout/left") ||
                              name.starts_with("layout/right") || name.starts_with("pane/edge") ||
                              name == "tooltip" || name.find("/edit") != name.npos ||
                              name == "tabs/0";  // only the title can be pressed
      if (widget && widget->is_control && widget->enabled && !of_its_own) names.push_back(name);
    }
    return names;
  }

  void expect_all_reached(const std::string& where) {
    ui.key("Tab");
    const std::vector<std::string> wanted = controls();
    EXPECT_GT(wanted.size(), 2U) << where;
    const std::set<std::string> reached = walked();
    for (const std::string& name : wanted) {
      // Controls of other panes have the focus under their own names.
      const std::size_t own = name.starts_with("pane/") ? name.find("plot/") : 0;
      EXPECT_TRUE(reached.contains(name.substr(own))) << where << ": " << name;
    }
  }

  // Lists of options, dialogs and windows over the panels.
  void close_everything() {
    ui.key("Esc");
    while (state().dialog || state().question || state().overlay || state().find_is_open) {
      app.apply(command::ShowDialog{});
      app.apply(command::ShowOverlay{});
      app.apply(command::ShowFind{false});
      if (state().question) app.apply(command::AnswerQuestion{command::Answer::Cancel});
    }
    show();
    if (state().pins.empty()) ui.key("Right");  // a cell is pinned
  }

  // Chooses an action without a mouse: a few letters, arrows, Enter.
  void choose(const Action& wanted) {
    ui.key("Ctrl+Shift+P");
    ui.type(wanted.label.substr(0, 24));
    const std::vector<Action> actions = all_actions(state());
    const std::vector<std::size_t> matches = matching_actions(actions, wanted.label.substr(0, 24));
    const auto at = std::ranges::find_if(
        matches, [&](std::size_t index) { return actions[index].id == wanted.id; });
    ASSERT_NE(at, matches.end()) << wanted.id;
    for (auto i = matches.begin(); i != at; ++i) ui.key("Down");
    ui.key("Enter");
  }
};

TEST_F(KeyboardTest, TabReachesEveryControlOfEveryKindOfDocument) {
  for (const char* example : {"example:transformer-decoder", "example:random-batch"}) {
    open(example);
    expect_all_reached(example);
  }
}

TEST_F(KeyboardTest, TabReachesEveryControlOfEveryDialog) {
  open("example:four-heads");
  for (const Overlay overlay :
       {Overlay::Settings, Overlay::Messages, Overlay::Shortcuts, Overlay::About, Overlay::GoTo}) {
    app.apply(command::ShowOverlay{overlay});
    show();
    ui.key("Tab");
    ASSERT_FALSE(ui.focused().empty()) << static_cast<int>(overlay);
    app.apply(command::ShowOverlay{});
    show();
  }
  for (const char* key : {"Ctrl+E", "Ctrl+O", "Ctrl+Shift+S"}) {
    ui.key(key);
    ui.key("Tab");
    EXPECT_FALSE(ui.focused().empty()) << key;
    ui.key("Esc");
    ui.key("Esc");
  }
}

TEST_F(KeyboardTest, EveryActionIsDoneFromThePalette) {
  open("example:four-heads");
  close_everything();
  std::vector<std::string> ids;
  for (const Action& action : all_actions(state())) ids.push_back(action.id);
  std::size_t done = 0, seen = 0;
  for (const std::string& id : ids) {
    if (id == "quit" || id == "palette" || seen++ % test::kEvery != 0) continue;
    close_everything();
    const std::vector<Action> actions = all_actions(state());
    const auto action = std::ranges::find(actions, id, &Action::id);
    if (action == actions.end() || !action->enabled) continue;
    ImGui::SetClipboardText("nothing");
    const std::size_t sent = ui.sent.size();
    const int before = ui.frame_of_request();
    ASSERT_NO_FATAL_FAILURE(choose(*action));
    // Opening and closing the palette are two commands.
    const bool acted = ui.sent.size() > sent + 2 || ui.frame_of_request() > before ||
                       std::string(ImGui::GetClipboardText()) != "nothing";
    EXPECT_TRUE(acted) << id;
    EXPECT_NE(state().overlay, Overlay::Palette) << id;
    ++done;
    app.wait_until_idle();
  }
  EXPECT_GT(done * test::kEvery, 150U);
}

// Sends keys together, as they arrive while a slow frame is drawn.
TEST_F(KeyboardTest, AKeyThatCanDoNothingSaysSo) {
  open("example:i-love-cats");
  ui.click("plot/heatmap/cell/0,2");
  ui.key("F3");
  show();
  ASSERT_FALSE(state().notices.empty());
  EXPECT_EQ(state().notices.back().text, "“Find next” is not possible here");
}

TEST_F(KeyboardTest, LettersTypedBehindAShortcutAllReachThePalette) {
  open("example:four-heads");
  const auto press = [this](int key, int mods, unsigned letter) {
    ui.push(KeyChange{key, true, mods});
    if (letter != 0) ui.push(TextInput{letter});
    ui.push(KeyChange{key, false, mods});
  };
  ui.push(KeyChange{keys::kLeftControl, true, 0});
  press('K', kModControl, 0);
  ui.push(KeyChange{keys::kLeftControl, false, kModControl});
  for (const char c : std::string("plot links")) {
    press(c == ' ' ? c : c - 'a' + 'A', 0, static_cast<unsigned>(c));
  }
  int frames = 0;
  for (; !ui.input.empty() && frames < 100; ++frames) ui.frames(1);
  EXPECT_LE(frames, 8);
  ui.frames(2);
  EXPECT_EQ(ui.value("palette/filter"), "plot links");
  press(keys::kEnter, 0, 0);
  while (!ui.input.empty()) ui.frames(1);
  ui.frames(3);
  EXPECT_EQ(focused_view(state()).plot, "links");
}

}  // namespace
}  // namespace attn::gui
