// Menu bar with menus, tabs and search box, and context menus.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>

#include "gui/panels/controls/controls.h"
#include "gui/shell/layout.h"
#include "gui/ui/style.h"
#include "gui/ui/widgets.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// Sizes in units.
constexpr float kSearchWidth = 196.0F, kMinSearchWidth = 84.0F;
constexpr float kMaxTabWidth = 340.0F, kMinTabWidth = 90.0F;
constexpr float kFoldWidth = 26.0F;
// Checked on opening, as its files may have been deleted.
constexpr std::string_view kRecentMenu = "File/Open recent";
constexpr std::string_view kSearchKeys = "Ctrl+Shift+P";

void menu_items(Ui& ui, const std::vector<Action>& actions, const std::string& path);

bool begin_menu(Ui& ui, const std::string& label) {
  return ImGui::BeginMenu(item_label(ui.text(Wording::Label, label), label).c_str());
}

void submenu(Ui& ui, const std::vector<Action>& actions, const std::string& path) {
  const std::string label = path.substr(path.rfind('/') + 1);
  if (begin_menu(ui, label)) {
    if (path == kRecentMenu && ImGui::IsWindowAppearing()) ui.send(command::CheckRecent{});
    menu_items(ui, actions, path);
    ImGui::EndMenu();
  }
  ui.mark("menu/" + path, label);
}

// One action as a row of an open menu; its probe name is `prefix` with the id.
void menu_item(Ui& ui, const Action& action, const std::string& prefix) {
  const std::string shortcut = action.shortcuts.empty() ? std::string(action.field_shortcut)
                                                        : shortcut_text(action.shortcuts.front());
  const std::string label = item_label(ui.text(Wording::Label, action.label), action.id);
  const bool chosen = ImGui::MenuItem(label.c_str(), shortcut.c_str(),
                                      action.checked.value_or(false), action.enabled);
  ui.mark(prefix + action.id, action.label, action.enabled);
  tooltip(ui, action.help, {}, !action.enabled);
  if (chosen) action.run(ui);
}

// A submenu is at the position of its first action.
void menu_items(Ui& ui, const std::vector<Action>& actions, const std::string& path) {
  std::vector<std::string> drawn;
  for (const Action& action : actions) {
    if (action.menu == path) {
      if (action.separated) ImGui::Separator();
      menu_item(ui, action, "menu/" + action.menu + "/");
    } else if (action.menu.starts_with(path + "/")) {
      const std::string below = action.menu.substr(0, action.menu.find('/', path.size() + 1));
      if (std::ranges::find(drawn, below) != drawn.end()) continue;
      drawn.push_back(below);
      submenu(ui, actions, below);
    }
  }
}

// Underlines the first letter, which opens the menu with Alt.
void underline_letter(Ui& ui, std::string_view shown, ImVec2 at) {
  const float below = at.y + ImGui::GetTextLineHeight();
  const float end = at.x + ImGui::CalcTextSize(shown.data(), shown.data() + 1).x;
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, below), ImVec2(end, below),
                                      ImGui::GetColorU32(ImGuiCol_Text),
                                      std::max(1.0F, std::floor(ui.px(1))));
}

void menus(Ui& ui, const std::vector<Action>& actions) {
  for (const auto& [name, help] : all_menus()) {
    const std::string_view shown = ui.text(Wording::Label, name);
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    const ImVec2 text(cursor.x + std::floor(ImGui::GetStyle().ItemSpacing.x / 2),
                      cursor.y + ImGui::GetCurrentWindow()->DC.CurrLineTextBaseOffset);
    const bool open = begin_menu(ui, std::string(name));
    if (open) {
      menu_items(ui, actions, std::string(name));
      ImGui::EndMenu();
    }
    ui.mark("menu/" + std::string(name), name);
    if (!open) tooltip(ui, help);
    if (shown.front() == name.front()) underline_letter(ui, shown, text);
  }
}

// Icon of a window with its left or right side filled, or outlined if folded.
void draw_fold(Ui& ui, const DrawnButton& area, bool right, bool folded) {
  const ImVec2 middle = area.middle();
  const ImVec2 a(std::floor(middle.x - ui.px(8)), std::floor(middle.y - ui.px(6)));
  const ImVec2 b = a + ui.px(16, 12);
  const ImU32 ink = to_imgui(area.hovered ? ui.colors().text : ui.colors().muted);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRect(a, b, ink, ui.px(2), 0, ui.line_px(1));
  const float split = right ? b.x - ui.px(5) : a.x + ui.px(5);
  const ImVec2 from(right ? split : a.x, a.y), to(right ? b.x : split, b.y);
  if (folded) {
    draw.AddLine(ImVec2(split, a.y), ImVec2(split, b.y), ink, ui.line_px(1));
  } else {
    draw.AddRectFilled(from, to, ink, ui.px(2));
  }
}

void fold_button(Ui& ui, const std::vector<Action>& actions, bool right) {
  const std::string_view id = right ? "right_side" : "left_side";
  const auto action = std::ranges::find(actions, id, &Action::id);
  if (action == actions.end()) return;
  const bool folded = !action->checked.value_or(true);
  const char* name = right ? "layout/fold_right" : "layout/fold_left";
  const DrawnButton area = drawn_button(
      ui, name, ImVec2(ui.px(kFoldWidth), ImGui::GetFrameHeight()), folded ? "" : "on");
  draw_fold(ui, area, right, folded);
  tooltip(ui, action->help, shortcut_text(action->shortcuts.front()));
  if (area.pressed) action->run(ui);
}

// Looks like a field, and opens the palette.
void search_box(Ui& ui, float width_px) {
  const UiColors& colors = ui.colors();
  const float height = ImGui::GetFrameHeight();
  const auto [pressed, hovered, min, max] =
      drawn_button(ui, "palette/open", ImVec2(width_px, height));
  if (pressed) ui.send(command::ShowOverlay{Overlay::Palette});
  const ImVec2 inner(min.x, min.y + ui.px(3)), outer(max.x, max.y - ui.px(3));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(inner, outer, to_imgui(colors.field), ui.px(5));
  draw.AddRect(inner, outer, to_imgui(hovered ? colors.text : colors.edge), ui.px(5));
  const float keys = ImGui::CalcTextSize(kSearchKeys.data()).x;
  const std::string words(ui.text(Wording::Label, "Search commands"));
  const bool both = text_size(words).x + keys + ui.px(24) <= width_px;
  const std::string shown = both ? words : std::string(ui.text(Wording::Label, "Search…"));
  const float y = min.y + (height - ImGui::GetTextLineHeight()) / 2;
  ui.draw_text(shown, ImVec2(min.x + ui.px(8), y), colors.muted);
  if (both) ui.draw_text(kSearchKeys, ImVec2(max.x - keys - ui.px(8), y), colors.muted);
  tooltip(ui, "Finds any command by its name", kSearchKeys);
}

// Ids of actions, indexed by ContextKind; “-” is a separator, an id that ends in “/” a submenu of
// all actions with that prefix.
constexpr std::string_view kContextMenus[] = {
    ("copy_sentence copy_numbers/ copy_sum/ copy_equation/ copy_figure - unpin fit whole_pixels "
     "zoom_in zoom_out - "
     "go_to find - split_right split_down maximise_pane close_pane - export"),
    ("rename_token delete_token pad_key pad_query - move_token_up move_token_down - sentence "
     "structure - find - unpin - undo redo"),
    "copy_cells paste_cells fill_down fill_right scale_inputs name_column - structure - undo redo",
    "copy_numbers/ - previous_stage next_stage - export",
    "copy_sentence copy_sum/ copy_equation/ copy_numbers/ - unpin",
    "close_document close_others reopen_document - copy_path reload",
    "causal mask/ paint_mask - clear_painted clear_mask - undo redo"};

// A submenu is titled by the last part of its actions' menu path.
void entries_below(Ui& ui, const std::vector<Action>& actions, std::string_view prefix) {
  const auto first = std::ranges::find_if(
      actions, [&](const Action& action) { return action.id.starts_with(prefix); });
  if (first == actions.end()) return;
  const std::string label = first->menu.substr(first->menu.find('/') + 1);
  const std::string title = label.substr(0, label.find('/'));
  const bool open = begin_menu(ui, title);
  ui.mark("context/" + std::string(prefix));
  if (!open) return;
  for (const Action& action : actions) {
    if (action.id.starts_with(prefix)) menu_item(ui, action, "context/");
  }
  ImGui::EndMenu();
}

void entries(Ui& ui, const std::vector<Action>& actions, ContextKind kind) {
  std::istringstream words{std::string(kContextMenus[static_cast<std::size_t>(kind)])};
  for (std::string entry; words >> entry;) {
    if (entry == "-") {
      ImGui::Separator();
    } else if (entry.ends_with('/')) {
      entries_below(ui, actions, entry);
    } else if (const auto action = std::ranges::find(actions, entry, &Action::id);
               action != actions.end()) {
      menu_item(ui, *action, "context/");
    }
  }
}

}  // namespace

void menu_row(Ui& ui, const AppState& state, const std::vector<Action>& actions,
              DocumentTabView& document) {
  if (!ImGui::BeginMenuBar()) return;
  menus(ui, actions);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float begin = ImGui::GetCursorPosX() + ui.px(6);
  const float end = ImGui::GetWindowWidth() - gap;
  const float folds = 2 * ui.px(kFoldWidth) + gap;
  const float space = end - begin - folds - 2 * gap;
  const float search = std::clamp(space - ui.px(kMaxTabWidth), ui.px(kMinSearchWidth),
                                  ui.px(kSearchWidth) + ImGui::CalcTextSize("Ctrl").x);
  ImGui::SetCursorPosX(begin);
  const float tabs = std::max(space - search, ui.px(kMinTabWidth));
  const bool several = open_documents(state).size() > 1;
  tab_row(ui, state, document, several ? tabs : std::min(tabs, ui.px(kMaxTabWidth)));
  ImGui::SetCursorPosX(end - search - folds - gap);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  fold_button(ui, actions, false);
  fold_button(ui, actions, true);
  ImGui::PopStyleVar();
  ImGui::SetCursorPosX(end - search);
  search_box(ui, search);
  ImGui::EndMenuBar();
}

void context_menu(Ui& ui, const std::vector<Action>& actions) {
  constexpr const char* kPopup = "context";
  if (ui.context_requested) ImGui::OpenPopup(kPopup);
  ui.context_requested = false;
  if (!ImGui::BeginPopup(kPopup)) return;
  entries(ui, actions, ui.context);
  ImGui::EndPopup();
}

}  // namespace attn::gui
