// Command palette, find bar and Go to: windows that search for a typed text.
#include <algorithm>
#include <cctype>
#include <functional>

#include "base/number_text.h"
#include "figure/letters.h"
#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "session/command.h"
#include "session/place.h"

namespace attn::gui {
namespace {

// Score of the letters of `pattern` appearing in order in `text`, both in small letters: higher is
// better, nothing when they do not.
std::optional<int> fuzzy_score(std::string_view pattern, std::string_view text) {
  int score = 0, run = 0;
  std::size_t at = 0;
  for (const char wanted : pattern) {
    if (wanted == ' ' || wanted == '\'') continue;  // titles have typographic apostrophes
    const std::size_t begin = at;
    while (at < text.size() && text[at] != wanted) ++at;
    if (at == text.size()) return std::nullopt;
    run = at == begin ? run + 1 : 0;
    const bool word_begins = at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
    score += 1 + 2 * run + (word_begins ? 6 : 0);
    ++at;
  }
  return score * 16 - static_cast<int>(std::min<std::size_t>(text.size(), 255) / 16);
}

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
  const TextInputResult typed =
      line_field(ui, "palette/filter", view.text, "Type a command",
                 "Part of a command or of its menu; Enter runs the selected one", -1.0F);
  view.takes_keyboard = typed.entered;
  if (typed.changed) view.selected = 0;
  const std::vector<std::size_t> matches = matching_actions(actions, view.text);
  selection_keys(view, matches.size());
  ImGui::BeginChild("palette/list");
  for (std::size_t i = 0; i < matches.size(); ++i) {
    entry(ui, actions[matches[i]], i == view.selected, typed.entered);
  }
  if (matches.empty()) empty_hint(ui, "No command matches");
  ImGui::EndChild();
}

constexpr float kFindWidth = 190.0F, kFindMargin = 10.0F;  // units

const std::vector<TokenHit>& found_tokens(const AppState& state, FindView& view) {
  const std::size_t sample = focused_view(state).options.at.sample;
  if (view.found_text != view.text || view.revision != state.revision || view.sample != sample) {
    view.found = tokens_with(state, view.text);
    view.found_text = view.text;
    view.revision = state.revision;
    view.sample = sample;
  }
  return view.found;
}

// "3 of 12".
std::string count_text(const AppState& state, FindView& view) {
  const std::vector<TokenHit>& found = found_tokens(state, view);
  if (view.text.empty()) return "";
  if (found.empty()) return "none";
  const auto at = std::ranges::find(found, state.marked_token);
  std::string all = grouped_text(found.size());
  if (at == found.end()) return all;
  return grouped_text(static_cast<std::size_t>(at - found.begin()) + 1) + " of " + all;
}

// Returns whether the bar is to close.
bool contents(Ui& ui, const AppState& state, FindView& view, bool appearing) {
  if (appearing || std::exchange(view.return_to_text, false)) ImGui::SetKeyboardFocusHere();
  const std::string before = view.text;
  const TextInputResult typed = line_field(
      ui, "find/text", view.text, "Find a token", "Part of a token; Enter goes to the next match",
      ui.px(kFindWidth), appearing ? TextSelection::All : TextSelection::End);
  if (typed.cancelled) view.text = before;  // Esc closes the bar and keeps the text
  if (view.text != before) ui.send(command::Find{view.text, 0});
  ImGui::SameLine();
  const std::string count = count_text(state, view);
  ImGui::AlignTextToFramePadding();
  empty_hint(ui, count, "find/count");
  int by = match_arrows(ui, "find", !view.found.empty(), "F3");
  if (typed.entered) by = ImGui::GetIO().KeyShift ? -1 : 1;
  if (by != 0) ui.send(command::Find{view.text, by});
  view.return_to_text = by != 0;
  ImGui::SameLine();
  const bool closed = button(ui, "find/close", "✕",
                             {.kind = ButtonKind::Quiet, .tooltip = "Close", .shortcut = "Esc"});
  const bool escaped = typed.cancelled || (ImGui::IsWindowFocused() && key_pressed(keys::kEscape));
  return closed || escaped;
}

void meaning(Ui& ui, const SearchView& view, const AppState& state,
             const Result<command::GoTo>& place) {
  std::string text = "A row, “row, column”, or words: head 3, layer 2 head 1, key 4";
  if (place) {
    text = place_text(state, *place);
  } else if (const Error& error = place.error(); !view.text.empty()) {
    text = control_label(error.message, {}) + (error.hint.empty() ? "" : "; " + error.hint);
  }
  rich_text(ui, ui.text(Wording::Explanation, text), kTextSize,
            place ? ui.colors().ink : ui.colors().muted);
  ui.mark("go_to/meaning", text);
}

// Returns whether the window is to close.
bool contents(Ui& ui, const AppState& state, SearchView& view) {
  if (std::exchange(view.takes_keyboard, false)) ImGui::SetKeyboardFocusHere();
  const TextInputResult typed =
      line_field(ui, "go_to/place", view.text, "Row, column or head",
                 "A number, a pair of them, or words such as “head 3”", -1.0F);
  const Result<command::GoTo> place = parse_place(state, view.text);
  meaning(ui, view, state, place);
  ImGui::Spacing();
  const bool pressed = button(ui, "go_to/go", "Go",
                              {.kind = ButtonKind::Primary,
                               .tooltip = "Brings the place into view, and pins a cell",
                               .shortcut = "Enter",
                               .enabled = place.ok(),
                               .disabled_reason = "Enter a place first"});
  if ((pressed || typed.entered) && place) {
    ui.send(command::GoTo{*place});
    return true;
  }
  view.takes_keyboard = typed.entered;
  return typed.cancelled || key_pressed(keys::kEscape, false);
}

}  // namespace

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
  ImGui::End();
}

void find_bar(Ui& ui, const AppState& state, FindView& view, ImVec2 corner) {
  if (!state.find_is_open) return;
  // Placed over the bar of the pane, so that the figure stays visible.
  const ImVec2 at(corner.x - ui.px(kFindMargin), corner.y);
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, ImVec2(1.0F, 0.0F));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
  ImGui::Begin("find", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoScrollbar);
  const bool appearing = ImGui::IsWindowAppearing();
  if (appearing) view.text = state.find_text;
  if (contents(ui, state, view, appearing)) ui.send(command::ShowFind{false});
  ui.mark_window("find");
  ImGui::End();
  ImGui::PopStyleColor();
}

void go_to(Ui& ui, const AppState& state, SearchView& view) {
  if (state.overlay != Overlay::GoTo) return;
  if (begin_overlay(ui, {"go_to", "Go to", ImVec2(440, 150), "", 0.12F})) view = {"", true};
  const bool close = contents(ui, state, view);
  ImGui::End();
  if (close) ui.send(command::ShowOverlay{});
}

}  // namespace attn::gui
