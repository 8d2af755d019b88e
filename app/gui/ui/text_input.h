// ImGui's text field on a std::string.
#pragma once

#include <imgui.h>

#include <string>

namespace attn::gui {

struct TextInputResult {
  bool changed = false;
  bool entered = false;    // Enter was pressed
  bool active = false;     // has the keyboard
  bool left = false;       // lost the keyboard in this frame
  bool cancelled = false;  // Esc was pressed while it had the keyboard
};

enum class TextSelection { Keep, All, End };

// `select` applies when the field gets the keyboard: everything selected or the caret at the end.
TextInputResult text_input(const char* id, std::string& text, const char* hint,
                           TextSelection select);

}  // namespace attn::gui
