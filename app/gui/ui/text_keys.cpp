// Keys become edits.
#include "gui/ui/text_keys.h"

#include <imgui_internal.h>

#include "gui/platform/imgui_compat.h"

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

}  // namespace

FieldTurn field_turn(const TextFieldItem& item, TextEdit& edit, const std::string& text) {
  FieldTurn turn;
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  turn.had = edit.field == item.id;
  turn.has = turn.had && item.active;
  turn.begins = !turn.has && ((item.hovered && clicked) || item.focus_requested);
  turn.turned_away = clicked && !item.hovered;
  if (item.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
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
