// A field for one line of text in any script, drawn by Pango like every other text of the user:
// ImGui's own shows a question mark for what its font lacks, and loses emoji.
#pragma once

#include <imgui.h>

#include <string>

#include "gui/ui/context.h"

namespace attn::gui {

struct TextInputResult {
  bool changed = false;
  bool entered = false;    // Enter was pressed
  bool active = false;     // has the keyboard
  bool left = false;       // lost the keyboard in this frame
  bool cancelled = false;  // Esc was pressed: the text is what it was when the keyboard came
};

struct ScalarDrag;
enum class TextSelection { All, End };

// As wide as ImGui's next item. Takes the keyboard on a click, on Tab and after
// ImGui::SetKeyboardFocusHere(); then everything is selected or the caret at the end (a click
// places it). With `drag` a press may drag a number in its place, as field_turn() says.
TextInputResult text_input(Ui& ui, const char* id, std::string& text, const char* hint,
                           TextSelection select, const ScalarDrag* drag = nullptr);

}  // namespace attn::gui
