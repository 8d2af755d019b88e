// Text fields for any script, of one line or several wrapped ones, drawn by Pango like all other
// text of the user: ImGui's own field shows a question mark for glyphs missing in its font, and
// loses emoji.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "figure/letters.h"
#include "gui/ui/context.h"

namespace attn::gui {

struct TextInputResult {
  bool changed = false;
  bool entered = false;    // Enter was pressed
  bool active = false;     // has the keyboard
  bool left = false;       // lost the keyboard in this frame
  bool cancelled = false;  // Esc was pressed: the text is restored
};

// Drag of a number.
struct ScalarDrag {
  double from = 0.0, value = 0.0;  // at the start, and now, not rounded
  std::uint64_t gesture = 0;
};

enum class TextSelection { All, End };

// A field as wide as ImGui's next item. Takes the keyboard on a click, on Tab and after
// ImGui::SetKeyboardFocusHere(), with all text selected or the caret at the end (a click places
// it). With `drag`, a press is held for the caller to drag a number, and gives the keyboard on
// release over the field if nothing was dragged. `keeps_blanks`: line breaks and tabs that are
// pasted stay, else they become spaces.
TextInputResult text_input(Ui& ui, const char* id, std::string& text, const char* hint,
                           TextSelection select, const ScalarDrag* drag = nullptr,
                           bool keeps_blanks = false);

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
