#include "gui/panels/tokens.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/utf8.h"
#include "gui/panels/masks.h"
#include "gui/panels/selectors.h"
#include "gui/platform/imgui_compat.h"

namespace attn::gui {
namespace {

constexpr int kRenameKey = keys::kF1 + 1;
constexpr std::size_t kRowsShown = 8;
constexpr float kToggleColumn = 46.0F;  // units
constexpr const char* kDragKind = "attn-token";

// One list with everything that its rows and buttons need.
struct TokenListing {
  Ui& ui;
  const AppState& state;
  const TokenList& tokens;
  TokenListView& view;
  Side side;
  std::size_t sample;
  std::string prefix;  // of probe names, ends in '/'

  // Which padding masks the rows have a toggle for: both for self-attention.
  std::span<const Side> paddings() const {
    static constexpr Side kSides[] = {Side::Key, Side::Query};
    if (!state.document.cross) return kSides;
    return std::span(kSides).subspan(side == Side::Key ? 0 : 1, 1);
  }
  float toggles_px() const { return ui.px(kToggleColumn) * static_cast<float>(paddings().size()); }

  std::string name(std::string_view what) const { return prefix + std::string(what); }
};

struct DraggedToken {
  Side side;
  std::size_t index;
};

void start_rename(TokenListView& view, const TokenList& tokens, std::size_t index) {
  view.selected = index;
  view.renaming = index;
  view.rename_appeared = true;
  view.rename_text = tokens[index];
}

void finish_rename(TokenListing& list, std::size_t index) {
  list.view.renaming.reset();
  if (list.view.rename_text == list.tokens[index]) return;
  list.ui.send(command::RenameToken{list.side, list.sample, index, list.view.rename_text});
}

void rename_field(TokenListing& list, std::size_t index) {
  if (list.view.rename_appeared) ImGui::SetKeyboardFocusHere();
  const TextInputResult typed =
      line_field(list.ui, list.name("edit"), list.view.rename_text, "", -1.0F, TextSelection::All);
  if (typed.cancelled) {
    list.view.renaming.reset();
  } else if (typed.entered || typed.left) {
    finish_rename(list, index);
  }
  list.view.rename_appeared = false;
}

void drag_and_drop(TokenListing& list, std::size_t index) {
  if (ImGui::BeginDragDropSource()) {
    const DraggedToken dragged{list.side, index};
    ImGui::SetDragDropPayload(kDragKind, &dragged, sizeof dragged);
    elided_text(list.ui, visible_token(list.tokens[index]), list.ui.px(120), list.ui.colors().ink);
    ImGui::EndDragDropSource();
  }
  if (!ImGui::BeginDragDropTarget()) return;
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kDragKind)) {
    const auto dragged = *static_cast<const DraggedToken*>(payload->Data);
    if (dragged.side == list.side && dragged.index != index) {
      list.ui.send(command::MoveToken{list.side, dragged.index, index});
      list.view.selected = index;
    }
  }
  ImGui::EndDragDropTarget();
}

void toggles(TokenListing& list, std::size_t index, ImVec2 at) {
  const float column = list.ui.px(kToggleColumn);
  for (const Side side : list.paddings()) {
    ImGui::SetCursorScreenPos(ImVec2(at.x + (column - ImGui::GetFrameHeight()) / 2, at.y));
    padding_toggle(list.ui, list.state, side, index);
    at.x += column;
  }
}

// Names of the toggles' columns, above the list.
void toggle_titles(TokenListing& list) {
  const float column = list.ui.px(kToggleColumn);
  const float inner = ImGui::GetStyle().WindowPadding.x;
  const bool scrolls = list.tokens.size() > kRowsShown;
  float x = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x - inner -
            (scrolls ? ImGui::GetStyle().ScrollbarSize : 0.0F) - list.toggles_px();
  for (const Side side : list.paddings()) {
    const char* title = side == Side::Key ? "Key" : "Query";
    ImGui::SameLine();
    const float offset = (column - ImGui::CalcTextSize(title).x) / 2;
    ImGui::SetCursorScreenPos(ImVec2(x + offset, ImGui::GetCursorScreenPos().y));
    ImGui::TextDisabled("%s", title);
    x += column;
  }
}

void token_row(TokenListing& list, std::size_t index) {
  ImGui::PushID(static_cast<int>(index));
  if (list.view.renaming == index) {
    rename_field(list, index);
    ImGui::PopID();
    return;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  const float width = ImGui::GetContentRegionAvail().x - list.toggles_px();
  if (ImGui::Selectable("##token", list.view.selected == index,
                        ImGuiSelectableFlags_AllowDoubleClick, ImVec2(width, height))) {
    list.view.selected = index;
    if (ImGui::IsMouseDoubleClicked(0)) start_rename(list.view, list.tokens, index);
  }
  list.ui.mark(list.name(std::to_string(index)), list.tokens[index]);
  drag_and_drop(list, index);
  const std::string number = std::to_string(index + 1);
  const float number_width = list.ui.px(34);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float text_y = at.y + (height - ImGui::GetTextLineHeight()) / 2;
  draw.AddText(
      ImVec2(at.x + number_width - list.ui.px(10) - ImGui::CalcTextSize(number.c_str()).x, text_y),
      to_imgui(list.ui.colors().muted), number.c_str());
  const std::string shown = fitted_token(list.ui, list.tokens[index], width - number_width);
  draw_in_row(list.ui, shown, ImVec2(at.x + number_width, at.y), height, list.ui.colors().ink);
  toggles(list, index, ImVec2(at.x + width, at.y));
  ImGui::PopID();
}

void move_selected(TokenListing& list, bool up) {
  const std::size_t from = *list.view.selected;
  if (up ? from == 0 : from + 1 >= list.tokens.size()) return;
  const std::size_t to = up ? from - 1 : from + 1;
  list.ui.send(command::MoveToken{list.side, from, to});
  list.view.selected = to;
}

void delete_selected(TokenListing& list) {
  list.ui.send(command::DeleteToken{list.side, *list.view.selected});
}

void step_selection(TokenListing& list, bool up) {
  const std::size_t at = *list.view.selected;
  if (up && at > 0) list.view.selected = at - 1;
  if (!up && at + 1 < list.tokens.size()) list.view.selected = at + 1;
}

void list_keys(TokenListing& list) {
  if (!ImGui::IsWindowFocused() || ImGui::GetIO().WantTextInput || !list.view.selected) return;
  const bool alt = ImGui::GetIO().KeyAlt;
  if (key_pressed(kRenameKey) || enter_pressed()) {
    start_rename(list.view, list.tokens, *list.view.selected);
  }
  if (key_pressed(keys::kDelete)) delete_selected(list);
  for (const bool up : {true, false}) {
    if (!key_pressed(up ? keys::kUp : keys::kDown)) continue;
    alt ? move_selected(list, up) : step_selection(list, up);
  }
}

void token_rows(TokenListing& list) {
  const float row_height = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
  const float shown_rows =
      std::clamp(static_cast<float>(list.tokens.size()), 2.0F, static_cast<float>(kRowsShown));
  const float height = row_height * shown_rows + 2 * ImGui::GetStyle().WindowPadding.y;
  ImGui::BeginChild(list.name("list").c_str(), ImVec2(0, height), true);
  list_keys(list);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(list.tokens.size()), row_height);
  if (list.view.renaming)
    clipper.ForceDisplayRangeByIndices(static_cast<int>(*list.view.renaming),
                                       static_cast<int>(*list.view.renaming) + 1);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      token_row(list, static_cast<std::size_t>(i));
    }
  }
  ImGui::EndChild();
}

void add_row(TokenListing& list) {
  const float button_px = button_width("Add") + ImGui::GetStyle().ItemSpacing.x;
  if (std::exchange(list.view.return_to_new, false)) ImGui::SetKeyboardFocusHere();
  const TextInputResult typed =
      line_field(list.ui, list.name("new"), list.view.new_text, "New token",
                 ImGui::GetContentRegionAvail().x - button_px);
  ImGui::SameLine();
  const bool pressed = button(
      list.ui, list.name("add"), "Add",
      {.tooltip = "Adds a token after the selected one, or at the end", .shortcut = "Enter"});
  if (!typed.entered && !pressed) return;
  const std::size_t at = list.view.selected ? *list.view.selected + 1 : list.tokens.size();
  list.ui.send(command::InsertToken{list.side, at,
                                    list.view.new_text.empty() ? "token" : list.view.new_text});
  if (list.view.selected) list.view.selected = at;
  list.view.new_text.clear();
  list.view.return_to_new = typed.entered;
}

void selection_row(TokenListing& list) {
  const bool any = list.view.selected.has_value();
  if (button(list.ui, list.name("rename"), "Rename",
             {.tooltip = "Renames the selected token, as a double-click does",
              .shortcut = "F2",
              .enabled = any})) {
    start_rename(list.view, list.tokens, *list.view.selected);
  }
  ImGui::SameLine();
  if (button(list.ui, list.name("delete"), "Delete",
             {.tooltip = "Deletes the selected token and its rows",
              .shortcut = "Delete",
              .enabled = any && list.tokens.size() > 1})) {
    delete_selected(list);
  }
  ImGui::SameLine();
  if (arrow_button(list.ui, ImGuiDir_Up, list.name("up"), any && *list.view.selected > 0,
                   "Moves the selected token up (Alt+Up, or drag it)")) {
    move_selected(list, true);
  }
  ImGui::SameLine();
  if (arrow_button(list.ui, ImGuiDir_Down, list.name("down"),
                   any && *list.view.selected + 1 < list.tokens.size(),
                   "Moves the selected token down (Alt+Down, or drag it)")) {
    move_selected(list, false);
  }
}

// After an edit or undo, what is selected may be gone.
void keep_in_bounds(TokenListView& view, std::size_t count) {
  if (view.selected && *view.selected >= count) view.selected.reset();
  if (view.renaming && *view.renaming >= count) view.renaming.reset();
}

void token_list(Ui& ui, const AppState& state, TokenListView& view, Side side) {
  const bool cross = state.document.cross;
  const std::size_t sample = state.view.head.sample;
  const TokenList& tokens = tokens_of(state.document, side, sample);
  keep_in_bounds(view, tokens.size());
  const std::string prefix = !cross                ? "tokens/"
                             : side == Side::Query ? "tokens/query/"
                                                   : "tokens/key/";
  TokenListing list{ui, state, tokens, view, side, sample, prefix};
  const char* title = !cross ? "Tokens" : side == Side::Query ? "Query tokens" : "Key tokens";
  section_header(ui, title);
  toggle_titles(list);
  token_rows(list);
  add_row(list);
  selection_row(list);
}

}  // namespace

void tokens_panel(Ui& ui, const AppState& state, TokensView& view) {
  if (state.document.query_tokens.size() > 1) sample_selector(ui, state, "tokens/sample");
  token_list(ui, state, view.query, Side::Query);
  if (!state.document.cross) return;
  ImGui::Spacing();
  token_list(ui, state, view.key, Side::Key);
}

}  // namespace attn::gui
