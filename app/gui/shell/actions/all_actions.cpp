// List of all actions, text of shortcuts, and the action pressed in a frame.
#include <algorithm>
#include <cctype>
#include <utility>

#include "gui/platform/imgui_compat.h"
#include "gui/shell/actions/action_lists.h"
#include "gui/shell/actions/actions.h"
#include "session/command.h"

namespace attn::gui {
namespace {

void add_help(Actions& actions) {
  const Menu menu{actions, "Help"};
  menu.add("start_page", "Start page", "Recent files, and all examples with what they show",
           command::ShowOverlay{Overlay::Start});
  menu.add("guide", "Guide", "Keys of documents, stages and measures explained",
           command::ShowOverlay{Overlay::Guide});
  menu.add("palette", "Command palette…", "Finds any command by its name",
           command::ShowOverlay{Overlay::Palette}, {ctrl_shift('P'), ctrl('K')},
           {.separated = true});
  menu.add("shortcuts", "Keyboard shortcuts", "Lists every shortcut",
           command::ShowOverlay{Overlay::Shortcuts}, {{.key = keys::kF1}, typed('?')});
  menu.add("messages", "Messages", "All messages so far", command::ShowOverlay{Overlay::Messages});
  menu.add("about", "About AttnScope",
           "Version, libraries and their licences, and what draws the window",
           command::ShowOverlay{Overlay::About});
}

constexpr std::string_view kMenus[] = {"File", "Edit", "View", "Help"};

constexpr std::pair<int, std::string_view> kKeyNames[] = {{keys::kEscape, "Esc"},
                                                          {keys::kLeft, "Left"},
                                                          {keys::kRight, "Right"},
                                                          {keys::kPageUp, "Page Up"},
                                                          {keys::kPageDown, "Page Down"},
                                                          {keys::kEqual, "Plus"},
                                                          {keys::kMinus, "Minus"},
                                                          {keys::kTab, "Tab"},
                                                          {keys::kBackspace, "Backspace"},
                                                          {keys::kKeypadAdd, "Keypad +"},
                                                          {keys::kKeypadSubtract, "Keypad −"}};

std::string key_name(int key) {
  const auto known = std::ranges::find(kKeyNames, key, &std::pair<int, std::string_view>::first);
  if (known != std::end(kKeyNames)) return std::string(known->second);
  if (key >= keys::kF1 && key <= keys::kF12) return "F" + std::to_string(key - keys::kF1 + 1);
  return std::string(1, static_cast<char>(key));
}

// Keys used by a focused spreadsheet or list.
bool walks(const Shortcut& shortcut) {
  constexpr int kWalking[] = {keys::kLeft,   keys::kRight,    keys::kUp,       keys::kDown,
                              keys::kPageUp, keys::kPageDown, keys::kBackspace};
  return !shortcut.ctrl && !shortcut.alt &&
         std::ranges::find(kWalking, shortcut.key) != std::end(kWalking);
}

bool pressed_now(const Shortcut& shortcut, bool repeats, bool characters) {
  const ImGuiIO& io = ImGui::GetIO();
  if (shortcut.mouse != 0) return ImGui::IsMouseClicked(shortcut.mouse);
  if (shortcut.key == 0) {
    const auto& typed = io.InputQueueCharacters;
    return characters && !io.KeyCtrl && !io.KeyAlt &&
           std::find(typed.begin(), typed.end(), static_cast<ImWchar>(shortcut.character)) !=
               typed.end();
  }
  if (walks(shortcut) && !characters) return false;
  return io.KeyCtrl == shortcut.ctrl && io.KeyShift == shortcut.shift &&
         io.KeyAlt == shortcut.alt && key_pressed(shortcut.key, repeats);
}

// A field without typed text has nothing to undo itself: Ctrl+Z after a token was added by Enter
// undoes the token.
bool leaves_to_field(const Ui& ui, const Action& action) {
  if (!ImGui::GetIO().WantTextInput || action.over_windows) return false;
  if (action.id == "undo") return !ui.text_edit.undone_to.empty();
  if (action.id == "redo") return !ui.text_edit.redone_to.empty();
  return true;
}

}  // namespace

void Menu::add(std::string_view id, std::string_view label, std::string_view help,
               std::function<void(Ui&)> run, std::vector<Shortcut> shortcuts, Action look) const {
  look.id = id;
  look.menu = path;
  look.label = label;
  look.help = help;
  look.shortcuts = std::move(shortcuts);
  look.run = std::move(run);
  actions.push_back(std::move(look));
}

void Menu::add(std::string_view id, std::string_view label, std::string_view help, Command sent,
               std::vector<Shortcut> shortcuts, Action look) const {
  const auto run = [sent = std::move(sent)](Ui& ui) { ui.send(sent); };
  add(id, label, help, run, std::move(shortcuts), std::move(look));
}

std::vector<Action> all_actions(const AppState& state) {
  Actions actions;
  add_files(actions, state);
  add_edits(actions, state);
  add_views(actions, state);
  add_help(actions);
  return actions;
}

std::span<const std::string_view> menu_names() { return kMenus; }

std::string shortcut_text(const Shortcut& shortcut) {
  if (shortcut.mouse != 0) return "Mouse " + std::to_string(shortcut.mouse + 1);
  if (shortcut.key == 0) {
    const auto character = static_cast<unsigned char>(shortcut.character);
    return (std::isupper(character) != 0 ? "Shift+" : "") +
           std::string(1, static_cast<char>(std::toupper(character)));
  }
  std::string text;
  if (shortcut.ctrl) text += "Ctrl+";
  if (shortcut.shift) text += "Shift+";
  if (shortcut.alt) text += "Alt+";
  return text + key_name(shortcut.key);
}

const Action* pressed_action(const Ui& ui, const std::vector<Action>& actions) {
  const bool characters = !ui.plain_keys_taken();
  for (const Action& action : actions) {
    if (!action.enabled || leaves_to_field(ui, action)) continue;
    for (const Shortcut& shortcut : action.shortcuts) {
      if (pressed_now(shortcut, action.repeats, characters)) return &action;
    }
  }
  return nullptr;
}

}  // namespace attn::gui
