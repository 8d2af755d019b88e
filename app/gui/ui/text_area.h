// A field for text of several lines in any script, which wraps: text_input.h's with more room.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "figure/letters.h"
#include "gui/ui/context.h"
#include "gui/ui/text_input.h"

namespace attn::gui {

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
