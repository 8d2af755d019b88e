// Mouse, keys and drawing of text fields; text_edit.h has the editing operations.
#include "gui/ui/text_input.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "figure/letters.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/style.h"
#include "gui/ui/text_edit.h"
#include "gui/ui/widgets.h"

namespace attn::gui {
namespace {

const FontStyle kFont{kLabelSize, false, false};

struct Field {
  Ui& ui;
  TextEdit& edit;
  std::string& text;
  ImVec2 min, max;  // outer rectangle

  float padding() const { return ImGui::GetStyle().FramePadding.x; }
  TextLine line() const { return {text, kFont}; }
  std::size_t caret_at(float x_px) const;
  void read_mouse(bool hovered, bool fresh, TextSelection select);
  void drag_selection();
  void read_keys();
  void read_arrows();
  void keep_caret_in_view(const TextLine& line);
  void draw(bool active, const char* hint);
  void draw_active(const TextLine& line, const char* hint) const;
  void draw_text(std::string_view shown, ImVec2 at, const char* hint) const;
  ImVec2 corner() const;  // top left of the line without scrolling
  float line_height() const { return ui.labels.line_size("Ag", kFont, ui.scale).y; }
};

std::size_t Field::caret_at(float x_px) const {
  return line().caret_near((x_px - min.x - padding() + edit.scroll_px) / ui.scale);
}

void Field::read_mouse(bool hovered, bool fresh, TextSelection select) {
  const ImGuiIO& io = ImGui::GetIO();
  const int clicks = hovered ? io.MouseClickedCount[ImGuiMouseButton_Left] : 0;
  if (fresh && (clicks == 0 || select == TextSelection::All)) {
    select_all(edit, text);
    if (select == TextSelection::End) edit.anchor = edit.caret;
    return;
  }
  if (clicks >= 3) return select_all(edit, text);
  if (clicks == 2) return select_word(edit, text, caret_at(io.MousePos.x));
  if (clicks == 1) return move_caret(edit, caret_at(io.MousePos.x), io.KeyShift);
  drag_selection();
}

// The press that took the keyboard selects all; a drag from there selects a part.
void Field::drag_selection() {
  if (!ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(4))) return;
  const ImVec2 start = ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left];
  if (!ImRect(min, max).Contains(start)) return;
  edit.anchor = caret_at(start.x);
  edit.caret = caret_at(ImGui::GetIO().MousePos.x);
}

// Left and Right move visually; word steps follow the direction of the line.
void Field::read_arrows() {
  const ImGuiIO& io = ImGui::GetIO();
  const bool left = key_pressed(keys::kLeft), right = key_pressed(keys::kRight);
  if (left == right) return;
  const TextLine drawn = line();
  std::size_t to = left ? drawn.caret_left(edit.caret) : drawn.caret_right(edit.caret);
  if (io.KeyCtrl) {
    const bool onwards = right != drawn.right_to_left();
    to = onwards ? word_after(text, edit.caret) : word_before(text, edit.caret);
  } else if (edit.has_selection() && !io.KeyShift) {
    const bool caret_is_left = drawn.caret_x(edit.caret) < drawn.caret_x(edit.anchor);
    to = caret_is_left == left ? edit.caret : edit.anchor;
  }
  move_caret(edit, to, io.KeyShift);
}

void Field::read_keys() {
  const ImGuiIO& io = ImGui::GetIO();
  read_arrows();
  if (key_pressed(keys::kHome)) move_caret(edit, 0, io.KeyShift);
  if (key_pressed(keys::kEnd)) move_caret(edit, text.size(), io.KeyShift);
  read_editing_keys(edit, text);
}

void Field::keep_caret_in_view(const TextLine& line) {
  const float space = std::max(1.0F, max.x - min.x - 2 * padding());
  const float caret = static_cast<float>(line.caret_x(edit.caret)) * ui.scale;
  const float width = static_cast<float>(line.width()) * ui.scale;
  edit.scroll_px = std::clamp(edit.scroll_px, std::max(0.0F, caret - space), caret);
  edit.scroll_px = std::min(edit.scroll_px, std::max(0.0F, width + ui.px(2) - space));
}

ImVec2 Field::corner() const {
  return {min.x + padding(), std::floor((min.y + max.y - line_height()) / 2)};
}

void Field::draw_text(std::string_view shown, ImVec2 at, const char* hint) const {
  const UiColors colors = ui_colors(ui.theme);
  const auto alpha = static_cast<std::uint8_t>(std::lround(255.0F * ImGui::GetStyle().Alpha));
  const bool empty = shown.empty();
  ui.labels.draw_line(*ImGui::GetWindowDrawList(), empty ? hint : shown, at, kFont,
                      with_alpha(empty ? colors.muted : colors.text, alpha), ui.scale);
}

void Field::draw_active(const TextLine& line, const char* hint) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 start(corner().x - edit.scroll_px, corner().y);
  const float bottom = start.y + line_height();
  const auto x_px = [&](double x) { return start.x + static_cast<float>(x) * ui.scale; };
  for (const XRange& range : line.ranges(edit.first(), edit.last())) {
    list.AddRectFilled(ImVec2(x_px(range.left), start.y), ImVec2(x_px(range.right), bottom),
                       ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
  }
  draw_text(same_length_utf8(text), start, hint);  // letters match the caret positions
  const float x = std::round(x_px(line.caret_x(edit.caret)));
  list.AddRectFilled(ImVec2(x, start.y), ImVec2(x + std::max(1.0F, std::floor(ui.px(1))), bottom),
                     to_imgui(ui_colors(ui.theme).text));
}

void Field::draw(bool active, const char* hint) {
  ImGui::RenderFrame(min, max, ImGui::GetColorU32(ImGuiCol_FrameBg), true,
                     ImGui::GetStyle().FrameRounding);
  ImGui::PushClipRect(ImVec2(min.x + padding() / 2, min.y), ImVec2(max.x - padding() / 2, max.y),
                      true);
  if (active) {
    const TextLine drawn = line();
    keep_caret_in_view(drawn);
    draw_active(drawn, hint);
  } else {
    draw_text(text, corner(), hint);
  }
  ImGui::PopClipRect();
}

void read_copying_keys(TextEdit& edit, std::string& text) {
  const bool cut = key_pressed('X', false);
  if ((cut || key_pressed('C', false)) && edit.has_selection()) {
    ImGui::SetClipboardText(text.substr(edit.first(), edit.last() - edit.first()).c_str());
    if (cut) insert_text(edit, text, "");
  }
  if (!key_pressed('V')) return;
  const char* pasted = ImGui::GetClipboardText();
  if (pasted != nullptr) insert_text(edit, text, pasted);
}

void begin_editing(ImGuiID id, TextEdit& edit, const std::string& text) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  ImGui::SetActiveID(id, window);
  ImGui::SetFocusID(id, window);
  ImGui::FocusWindow(window);
  edit = {};
  edit.field = id;
  edit.initial = text;
}

// Holds the press. Returns whether it was released without dragging the number.
bool is_clicked(const TextFieldItem& item, const ScalarDrag& drag) {
  if (item.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    ImGui::SetActiveID(item.id, window);
    ImGui::FocusWindow(window);
    return false;
  }
  if (!item.active || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return false;
  ImGui::ClearActiveID();
  return item.hovered && drag.gesture == 0;
}

}  // namespace

TextInputResult text_input(Ui& ui, const char* id, std::string& text, const char* hint,
                           TextSelection select, const ScalarDrag* drag) {
  TextInputResult result;
  const TextFieldItem item = text_field_item(id);
  Field field{ui, ui.text_edit, text, item.min, item.max};
  const FieldTurn turn = field_turn(item, ui.text_edit, text, drag);
  bool active = turn.has;
  if (active) {
    const std::string before = text;
    fit_to_text(ui.text_edit, text);
    field.read_mouse(item.hovered, turn.begins, select);
    read_typed_text(ui.text_edit, text);
    field.read_keys();
    result.entered = key_pressed(keys::kEnter) || key_pressed(keys::kKeypadEnter);
    result.cancelled = key_pressed(keys::kEscape, false);
    if (result.cancelled) text = ui.text_edit.initial;
    result.changed = text != before;
    if (result.entered || result.cancelled || turn.turned_away) {
      ImGui::ClearActiveID();
      active = false;
    } else {
      keep_text_input();
    }
  }
  result.active = active;
  result.left = turn.had && !active;
  if (!active && ui.text_edit.field == item.id) ui.text_edit = {};
  field.draw(active, hint);
  return result;
}

FieldTurn field_turn(const TextFieldItem& item, TextEdit& edit, const std::string& text,
                     const ScalarDrag* drag) {
  FieldTurn turn;
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  turn.had = edit.field == item.id;
  turn.has = turn.had && item.active;
  // The item was held, and has no number any more.
  if (drag == nullptr && item.active && !turn.had) ImGui::ClearActiveID();
  const bool drags = drag != nullptr && !turn.has;
  const bool chosen = drags ? is_clicked(item, *drag) : item.hovered && clicked;
  turn.begins = !turn.has && (chosen || item.focus_requested);
  turn.turned_away = clicked && !item.hovered;
  const bool resizes = drags && !turn.begins;
  if (resizes && (item.hovered || item.active)) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!resizes && item.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (!turn.begins) return turn;
  begin_editing(item.id, edit, text);
  turn.has = true;
  return turn;
}

void read_typed_text(TextEdit& edit, std::string& text) {
  const std::string typed = take_typed_text();
  if (!typed.empty()) insert_text(edit, text, typed);
}

void read_editing_keys(TextEdit& edit, std::string& text) {
  const ImGuiIO& io = ImGui::GetIO();
  if (key_pressed(keys::kBackspace)) erase_before(edit, text, io.KeyCtrl);
  if (key_pressed(keys::kDelete)) erase_after(edit, text, io.KeyCtrl);
  if (!io.KeyCtrl || io.KeyAlt) return;
  if (key_pressed('A', false)) select_all(edit, text);
  read_copying_keys(edit, text);
  if (key_pressed('Z') && !io.KeyShift) {
    undo_text(edit, text);
  } else if (key_pressed('Y') || (key_pressed('Z') && io.KeyShift)) {
    redo_text(edit, text);
  }
}

}  // namespace attn::gui
