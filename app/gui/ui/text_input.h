// Fields for text in any script, of one line and of several that wrap, drawn by Pango like every
// other text of the user: ImGui's own shows a question mark for what its font lacks, and loses
// emoji.
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

// The rows in which a text is drawn, each at most `width` units wide unless one letter is wider;
// at least one row. A row that a line break ends leaves the break out; one that goes on below ends
// where the next begins, after its blanks.
std::vector<TextSpan> rows_of_text(std::string_view text, double width);

// What a field on screen keeps between frames.
struct TextAreaView {
  std::string text;  // of which the rows are
  double width = 0.0;
  std::vector<TextSpan> rows;
  float scroll_px = 0.0F;
  std::size_t caret = 0;  // that was brought into view last
};

// Takes the keyboard as text_input() does; then everything is selected (a click places the caret).
// Enter is reported, and Shift+Enter begins a new line.
TextInputResult text_area(Ui& ui, const char* id, std::string& text, const char* hint,
                          ImVec2 size_px, TextAreaView& view);

}  // namespace attn::gui
