// What fields for text read of the keyboard alike, whether they have one line or several.
#pragma once

#include <imgui.h>

#include <string>

#include "gui/ui/text_edit.h"

namespace attn::gui {

// Gives the keyboard to the item, as ImGui's own fields do, and begins a new edit of `text`.
void begin_editing(ImGuiID id, TextEdit& edit, const std::string& text);

// What was typed since the last frame.
void read_typed_text(TextEdit& edit, std::string& text);

// Backspace and Delete; with Ctrl, the clipboard, undo and everything selected.
void read_editing_keys(TextEdit& edit, std::string& text);

}  // namespace attn::gui
