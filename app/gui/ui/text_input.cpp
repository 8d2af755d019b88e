#include "gui/ui/text_input.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "figure/text.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/style.h"
#include "gui/ui/text_edit.h"

namespace attn::gui {
namespace {

const FontStyle kFont{kLabelSize, false, false};

struct Field {
  Ui& ui;
  TextEdit& edit;
  std::string& text;
  ImVec2 min, max;  // of the frame

  float padding() const { return ImGui::GetStyle().FramePadding.x; }
  float width_to(std::size_t offset) const {
    if (offset == 0) return 0.0F;
    return static_cast<float>(
               pango_metrics().measure(std::string_view(text).substr(0, offset), kFont).width) *
           ui.scale;
  }
  std::size_t letter_at(float x) const;
  void read_mouse(bool hovered, bool fresh, TextSelection select);
  void read_text();
  void read_keys();
  void read_control_keys();
  void keep_caret_in_view(bool active);
  void draw(bool active, const char* hint) const;
};

// The border of a letter that is nearest to the pixel column.
std::size_t Field::letter_at(float x) const {
  const float wanted = x - min.x - padding() + edit.scroll_px;
  std::size_t before = 0;
  float before_width = 0.0F;
  while (before < text.size()) {
    const std::size_t next = letter_after(text, before);
    const float next_width = width_to(next);
    if (wanted < (before_width + next_width) / 2) break;
    before = next;
    before_width = next_width;
  }
  return before;
}

void Field::read_mouse(bool hovered, bool fresh, TextSelection select) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool click = hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (fresh && (!click || select == TextSelection::All)) {
    select_all(edit, text);
    if (select == TextSelection::End) edit.anchor = edit.caret;
    return;
  }
  if (click && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return select_all(edit, text);
  if (click) return move_caret(edit, letter_at(io.MousePos.x), io.KeyShift);
  // A press that took the keyboard selects all; only a drag on from there selects less.
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(4))) {
    const ImVec2 start = io.MouseClickedPos[0];
    const bool began_here =
        start.x >= min.x && start.x < max.x && start.y >= min.y && start.y < max.y;
    if (!began_here) return;
    edit.anchor = letter_at(start.x);
    edit.caret = letter_at(io.MousePos.x);
  }
}

void Field::read_text() {
  const std::string typed = take_typed_text();
  if (!typed.empty()) insert_text(edit, text, typed);
}

void Field::read_keys() {
  const ImGuiIO& io = ImGui::GetIO();
  const bool shift = io.KeyShift, word = io.KeyCtrl;
  if (key_pressed(keys::kLeft)) {
    const bool to_edge = edit.has_selection() && !shift && !word;
    const std::size_t before =
        word ? word_before(text, edit.caret) : letter_before(text, edit.caret);
    move_caret(edit, to_edge ? edit.first() : before, shift);
  }
  if (key_pressed(keys::kRight)) {
    const bool to_edge = edit.has_selection() && !shift && !word;
    const std::size_t after = word ? word_after(text, edit.caret) : letter_after(text, edit.caret);
    move_caret(edit, to_edge ? edit.last() : after, shift);
  }
  if (key_pressed(keys::kHome)) move_caret(edit, 0, shift);
  if (key_pressed(keys::kEnd)) move_caret(edit, text.size(), shift);
  if (key_pressed(keys::kBackspace)) erase_before(edit, text, word);
  if (key_pressed(keys::kDelete)) erase_after(edit, text, word);
  if (io.KeyCtrl && !io.KeyAlt) read_control_keys();
}

void Field::read_control_keys() {
  if (key_pressed('A', false)) select_all(edit, text);
  const bool cut = key_pressed('X', false);
  if ((cut || key_pressed('C', false)) && edit.has_selection()) {
    ImGui::SetClipboardText(text.substr(edit.first(), edit.last() - edit.first()).c_str());
    if (cut) insert_text(edit, text, "");
  }
  if (key_pressed('V')) {
    const char* pasted = ImGui::GetClipboardText();
    if (pasted != nullptr) insert_text(edit, text, pasted);
  }
  const bool shift = ImGui::GetIO().KeyShift;
  if (key_pressed('Z') && !shift) {
    undo_text(edit, text);
  } else if (key_pressed('Y') || (key_pressed('Z') && shift)) {
    redo_text(edit, text);
  }
}

void Field::keep_caret_in_view(bool active) {
  if (!active) {
    edit.scroll_px = 0.0F;
    return;
  }
  const float room = std::max(1.0F, max.x - min.x - 2 * padding());
  const float caret = width_to(edit.caret);
  edit.scroll_px = std::clamp(edit.scroll_px, std::max(0.0F, caret - room), caret);
  edit.scroll_px =
      std::min(edit.scroll_px, std::max(0.0F, width_to(text.size()) + ui.px(2) - room));
}

void Field::draw(bool active, const char* hint) const {
  const UiColors colors = ui_colors(ui.theme);
  const auto alpha = static_cast<std::uint8_t>(std::lround(255.0F * ImGui::GetStyle().Alpha));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float scroll = active ? edit.scroll_px : 0.0F;
  const float height = ui.labels.line_size("Ag", kFont, ui.scale).y;
  const float top = std::floor((min.y + max.y - height) / 2);
  const float left = min.x + padding();
  list.PushClipRect(ImVec2(min.x + padding() / 2, min.y), ImVec2(max.x - padding() / 2, max.y),
                    true);
  if (active && edit.has_selection()) {
    list.AddRectFilled(ImVec2(left + width_to(edit.first()) - scroll, top),
                       ImVec2(left + width_to(edit.last()) - scroll, top + height),
                       ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
  }
  const bool empty = text.empty();
  const Color ink = with_alpha(empty ? colors.muted : colors.text, alpha);
  ui.labels.draw_line(list, empty ? std::string_view(hint) : std::string_view(text),
                      ImVec2(left - scroll, top), kFont, ink, ui.scale);
  if (active) {
    const float x = std::round(left + width_to(edit.caret) - scroll);
    list.AddRectFilled(ImVec2(x, top),
                       ImVec2(x + std::max(1.0F, std::floor(ui.px(1))), top + height),
                       to_imgui(colors.text));
  }
  list.PopClipRect();
}

// Gives the keyboard to the item, as ImGui's own fields do.
void activate(ImGuiID id, TextEdit& edit, const std::string& text) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  ImGui::SetActiveID(id, window);
  ImGui::SetFocusID(id, window);
  ImGui::FocusWindow(window);
  edit = {};
  edit.field = id;
  edit.initial = text;
}

}  // namespace

TextInputResult text_input(Ui& ui, const char* id, std::string& text, const char* hint,
                           TextSelection select) {
  TextInputResult result;
  const TextFieldItem item = text_field_item(id);
  Field field{ui, ui.text_edit, text, item.min, item.max};
  const bool was_active = ui.text_edit.field == item.id;
  bool active = was_active && item.active;
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (item.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  const bool fresh = !active && ((item.hovered && clicked) || item.focus_requested);
  if (fresh) {
    activate(item.id, ui.text_edit, text);
    active = true;
  }
  if (active) {
    const std::string before = text;
    ui.text_edit.caret = std::min(ui.text_edit.caret, text.size());
    ui.text_edit.anchor = std::min(ui.text_edit.anchor, text.size());
    field.read_mouse(item.hovered, fresh, select);
    field.read_text();
    field.read_keys();
    result.entered = key_pressed(keys::kEnter) || key_pressed(keys::kKeypadEnter);
    result.cancelled = key_pressed(keys::kEscape, false);
    if (result.cancelled) text = ui.text_edit.initial;
    result.changed = text != before;
    if (result.entered || result.cancelled || (clicked && !item.hovered)) {
      ImGui::ClearActiveID();
      active = false;
    } else {
      keep_text_input();
    }
  }
  result.active = active;
  result.left = was_active && !active;
  if (!active && ui.text_edit.field == item.id) ui.text_edit = {};
  if (active) field.keep_caret_in_view(true);
  ImGui::RenderFrame(item.min, item.max, ImGui::GetColorU32(ImGuiCol_FrameBg), true,
                     ImGui::GetStyle().FrameRounding);
  field.draw(active, hint);
  return result;
}

}  // namespace attn::gui
