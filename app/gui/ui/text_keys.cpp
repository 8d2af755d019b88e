// Keys become edits.
#include "gui/ui/text_keys.h"

#include <imgui_internal.h>

#include "gui/platform/imgui_compat.h"
#include "gui/ui/widgets.h"

namespace attn::gui {
namespace {

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

void read_undoing_keys(TextEdit& edit, std::string& text) {
  const bool shift = ImGui::GetIO().KeyShift;
  if (key_pressed('Z') && !shift) {
    undo_text(edit, text);
  } else if (key_pressed('Y') || (key_pressed('Z') && shift)) {
    redo_text(edit, text);
  }
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

// Holds what is pressed. Says whether it was let go without having dragged its number.
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

void show_pointer(const TextFieldItem& item, bool drags) {
  if (drags && (item.hovered || item.active)) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!drags && item.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
}

}  // namespace

FieldTurn field_turn(const TextFieldItem& item, TextEdit& edit, const std::string& text,
                     const ScalarDrag* drag) {
  FieldTurn turn;
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  turn.had = edit.field == item.id;
  turn.has = turn.had && item.active;
  // It was held, and has no number any more.
  if (drag == nullptr && item.active && !turn.had) ImGui::ClearActiveID();
  const bool drags = drag != nullptr && !turn.has;
  const bool chosen = drags ? is_clicked(item, *drag) : item.hovered && clicked;
  turn.begins = !turn.has && (chosen || item.focus_requested);
  turn.turned_away = clicked && !item.hovered;
  show_pointer(item, drags && !turn.begins);
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
  read_undoing_keys(edit, text);
}

}  // namespace attn::gui
