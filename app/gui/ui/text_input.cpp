#include "gui/ui/text_input.h"

#include <imgui_internal.h>

#include "gui/platform/imgui_compat.h"

namespace attn::gui {
namespace {

struct CallbackData {
  std::string& text;
  bool place_caret_at_end;
};

int on_event(ImGuiInputTextCallbackData* event) {
  auto& data = *static_cast<CallbackData*>(event->UserData);
  if (event->EventFlag == ImGuiInputTextFlags_CallbackResize) {
    data.text.resize(static_cast<std::size_t>(event->BufTextLen));
    event->Buf = data.text.data();
  } else if (data.place_caret_at_end) {
    event->CursorPos = event->BufTextLen;
    event->SelectionStart = event->SelectionEnd = event->CursorPos;
    data.place_caret_at_end = false;
  }
  return 0;
}

}  // namespace

TextInputResult text_input(const char* id, std::string& text, const char* hint,
                           TextSelection select) {
  const bool was_active = ImGui::GetID(id) == ImGui::GetActiveID();
  CallbackData data{text, select == TextSelection::End && !was_active};
  ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue |
                              ImGuiInputTextFlags_CallbackResize |
                              ImGuiInputTextFlags_CallbackAlways;
  if (select == TextSelection::All) flags |= ImGuiInputTextFlags_AutoSelectAll;
  const std::string before = text;
  TextInputResult result;
  result.entered =
      ImGui::InputTextWithHint(id, hint, text.data(), text.capacity() + 1, flags, on_event, &data);
  result.active = ImGui::IsItemActive();
  result.left = ImGui::IsItemDeactivated();
  result.cancelled = (was_active || result.active) && key_pressed(keys::kEscape, false);
  if (result.cancelled) text = before;
  result.changed = text != before;
  return result;
}

}  // namespace attn::gui
