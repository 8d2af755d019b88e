// Command palette: matches typed letters with the names of actions.
#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

#include "figure/letters.h"
#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "session/command.h"

namespace attn::gui {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// "View/Theme: Dark"
std::string searched_text(const Action& action) { return action.menu + ": " + action.label; }

void selection_keys(SearchView& view, std::size_t count) {
  if (count == 0) return;
  if (key_pressed(keys::kDown)) view.selected = (view.selected + 1) % count;
  if (key_pressed(keys::kUp)) view.selected = (view.selected + count - 1) % count;
  view.selected = std::min(view.selected, count - 1);
}

void entry(Ui& ui, const Action& action, bool selected, bool accept) {
  const std::string shortcut =
      action.shortcuts.empty() ? "" : shortcut_text(action.shortcuts.front());
  const std::string label = item_label(searched_text(action), action.id);
  ImGui::BeginDisabled(!action.enabled);
  const bool clicked = ImGui::Selectable(label.c_str(), selected);
  ImGui::EndDisabled();
  ui.mark("palette/" + action.id, action.label, action.enabled);
  tooltip(ui, action.help, {}, !action.enabled);
  if (selected && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
  if (!shortcut.empty()) {
    const float width = ImGui::CalcTextSize(shortcut.c_str()).x;
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
    empty_hint(ui, shortcut);
  }
  if (action.enabled && (clicked || (selected && accept))) {
    ui.send(command::ShowOverlay{});
    action.run(ui);
  }
}

void contents(Ui& ui, const std::vector<Action>& actions, SearchView& view, bool appearing) {
  if (appearing || view.takes_keyboard) ImGui::SetKeyboardFocusHere();
  const std::string before = view.text;
  const bool accept = view.takes_keyboard =
      line_field(ui, "palette/filter", view.text, "Type a command", -1.0F).entered;
  tooltip(ui, "Letters of a command or of its menu; Enter does the selected one");
  if (view.text != before) view.selected = 0;
  const std::vector<std::size_t> matches = matching_actions(actions, view.text);
  selection_keys(view, matches.size());
  ImGui::BeginChild("palette/list");
  for (std::size_t i = 0; i < matches.size(); ++i) {
    entry(ui, actions[matches[i]], i == view.selected, accept);
  }
  if (matches.empty()) empty_hint(ui, "No command matches");
  ImGui::EndChild();
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view pattern, std::string_view text) {
  int score = 0;
  int run = 0;
  std::size_t at = 0;
  for (const char wanted : pattern) {
    if (wanted == ' ' || wanted == '\'') continue;  // titles have typographic apostrophes
    const std::size_t begin = at;
    while (at < text.size() && lower(text[at]) != lower(wanted)) ++at;
    if (at == text.size()) return std::nullopt;
    run = at == begin ? run + 1 : 0;
    const bool word_begins = at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
    score += 1 + 2 * run + (word_begins ? 6 : 0);
    ++at;
  }
  return score * 16 - static_cast<int>(std::min<std::size_t>(text.size(), 255) / 16);
}

std::vector<std::size_t> matching_actions(const std::vector<Action>& actions,
                                          std::string_view pattern) {
  std::vector<std::pair<int, std::size_t>> matches;  // score and index
  const std::string letters = folded(pattern);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].id == "palette") continue;
    // A match in the label ranks above one that needs the menu's name.
    auto score = fuzzy_score(letters, folded(actions[i].label));
    if (score) *score += 64;
    if (!score) score = fuzzy_score(letters, folded(searched_text(actions[i])));
    if (score && !actions[i].enabled) *score -= 1 << 20U;  // below all enabled ones
    if (score) matches.emplace_back(pattern.empty() ? 0 : *score, i);
  }
  std::ranges::stable_sort(matches, std::greater{}, &std::pair<int, std::size_t>::first);
  std::vector<std::size_t> indices;
  indices.reserve(matches.size());
  for (const auto& [score, index] : matches) indices.push_back(index);
  return indices;
}

void palette(Ui& ui, const AppState& state, const std::vector<Action>& actions, SearchView& view) {
  if (state.overlay != Overlay::Palette) return;
  const bool appearing =
      begin_overlay(ui, {.name = "palette", .size_units = ImVec2(560, 420), .top = 0.08F});
  if (appearing) view = {};
  contents(ui, actions, view, appearing);
  const bool left = !appearing && !ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows);
  if (left || key_pressed(keys::kEscape)) ui.send(command::ShowOverlay{});
  end_overlay();
}

}  // namespace attn::gui
