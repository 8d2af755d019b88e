// Text fields for any script, of one line or several wrapped ones, drawn by Pango like all other
// text of the user: ImGui's own field shows a question mark for glyphs missing in its font, and
// loses emoji.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "figure/letters.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/context.h"
#include "gui/ui/text_edit.h"

namespace attn::gui {

struct TextInputResult {
  bool changed = false;
  bool entered = false;    // Enter was pressed
  bool active = false;     // has the keyboard
  bool left = false;       // lost the keyboard in this frame
  bool cancelled = false;  // Esc was pressed: the text is restored
};

struct ScalarDrag;
enum class TextSelection { All, End };

// As wide as ImGui's next item. Takes the keyboard on a click, on Tab and after
// ImGui::SetKeyboardFocusHere(), with all text selected or the caret at the end (a click places
// it). With `drag`, a press may drag a number instead, see field_turn().
TextInputResult text_input(Ui& ui, const char* id, std::string& text, const char* hint,
                           TextSelection select, const ScalarDrag* drag = nullptr);

struct ScalarDrag;

// Keyboard focus of a field in this frame.
struct FieldTurn {
  bool had = false;          // in the last frame
  bool has = false;          // in this frame
  bool begins = false;       // since this frame
  bool turned_away = false;  // the button was pressed elsewhere
};
// Gives the item the keyboard on a press or Tab, like ImGui's own fields, and begins a new edit of
// `text`. With `drag`, a press is held for the caller to drag the number, and gives the keyboard on
// release over the item if nothing was dragged.
FieldTurn field_turn(const TextFieldItem& item, TextEdit& edit, const std::string& text,
                     const ScalarDrag* drag = nullptr);

// Inserts the text typed since the last frame.
void read_typed_text(TextEdit& edit, std::string& text);

// Backspace and Delete; with Ctrl, clipboard, undo and select all.
void read_editing_keys(TextEdit& edit, std::string& text);

// Rows of a wrapped text, each at most `width` units wide unless a single letter is wider; at least
// one row. A row ended by a line break excludes the break; one that continues ends where the next
// begins, after its spaces.
std::vector<TextSpan> rows_of_text(std::string_view text, double width);

// State of a field on screen between frames.
struct TextAreaView {
  std::string text;  // text of `rows`
  double width = 0.0;
  std::vector<TextSpan> rows;
  float scroll_px = 0.0F;
  std::size_t caret = 0;  // last scrolled into view
};

// Takes the keyboard like text_input(), with all text selected (a click places the caret). Enter is
// reported; Shift+Enter inserts a line break.
TextInputResult text_area(Ui& ui, const char* id, std::string& text, const char* hint,
                          ImVec2 size_px, TextAreaView& view);

}  // namespace attn::gui
