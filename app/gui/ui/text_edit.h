// Text being edited: caret, selection, undo. Without drawing, which is in text_input.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::gui {

// Positions are byte offsets at grapheme boundaries.
struct TextEdit {
  unsigned field = 0;  // ImGui id of the field with the keyboard; 0: none
  std::size_t caret = 0, anchor = 0;
  float scroll_px = 0.0F;
  bool keeps_lines = false;                          // line breaks may be typed and pasted
  bool keeps_blanks = false;                         // line breaks and tabs may be pasted
  std::string initial;                               // restored by Esc
  using Past = std::pair<std::string, std::size_t>;  // text and caret
  std::vector<Past> undone_to, redone_to;

  bool has_selection() const { return caret != anchor; }
  std::size_t first() const { return caret < anchor ? caret : anchor; }
  std::size_t last() const { return caret < anchor ? anchor : caret; }
};

// Moves caret and anchor to code point boundaries of a text that may have been changed elsewhere.
void fit_to_text(TextEdit& edit, std::string_view text);

void move_caret(TextEdit& edit, std::size_t to, bool select);
void select_all(TextEdit& edit, std::string_view text);
// Selects the word, spaces or symbol at `at`.
void select_word(TextEdit& edit, std::string_view text, std::size_t at);

// Replaces the selection. Tabs and line breaks become spaces unless keeps_blanks or keeps_lines;
// other control characters and invalid UTF-8 are dropped.
void insert_text(TextEdit& edit, std::string& text, std::string_view typed);
void erase_before(TextEdit& edit, std::string& text, bool whole_word);
void erase_after(TextEdit& edit, std::string& text, bool whole_word);
void undo_text(TextEdit& edit, std::string& text);
void redo_text(TextEdit& edit, std::string& text);

}  // namespace attn::gui
