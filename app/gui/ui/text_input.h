// A field for one line of text in any script, drawn by Pango like every other text of the user:
// ImGui's own shows a question mark for what its font lacks, and loses emoji. And what all fields
// for text read of the keyboard.
#pragma once

#include <imgui.h>

#include <string>

#include "gui/platform/imgui_compat.h"
#include "gui/ui/context.h"
#include "gui/ui/text_edit.h"

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

struct ScalarDrag;

// Who has the keyboard in this frame.
struct FieldTurn {
  bool had = false;          // the field, in the last frame
  bool has = false;          // and now
  bool begins = false;       // since this frame
  bool turned_away = false;  // the button went down elsewhere
};
// A press on the item or Tab gives it the keyboard, as ImGui's own fields have it, and begins a new
// edit of `text`. With `drag`, that of its number, a press is held, for others to drag by, and
// gives the keyboard when the button goes up over the item and nothing was dragged.
FieldTurn field_turn(const TextFieldItem& item, TextEdit& edit, const std::string& text,
                     const ScalarDrag* drag = nullptr);

// What was typed since the last frame.
void read_typed_text(TextEdit& edit, std::string& text);

// Backspace and Delete; with Ctrl, the clipboard, undo and everything selected.
void read_editing_keys(TextEdit& edit, std::string& text);

}  // namespace attn::gui
