// What fields for text read of the keyboard alike, whether they have one line or several.
#pragma once

#include <imgui.h>

#include <string>

#include "gui/platform/imgui_compat.h"
#include "gui/ui/text_edit.h"

namespace attn::gui {

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
