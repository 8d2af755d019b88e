// One line of text being edited: caret, selection, undo. No drawing; text_input.h shows it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn::gui {

// Positions are byte offsets at the borders of what people see as one letter.
struct TextEdit {
  unsigned field = 0;  // ImGui's id of the field that has the keyboard; 0: none
  std::size_t caret = 0, anchor = 0;
  float scroll_px = 0.0F;
  std::string initial;  // for Esc
  struct Past {
    std::string text;
    std::size_t caret;
  };
  std::vector<Past> undone_to, redone_to;

  bool has_selection() const { return caret != anchor; }
  std::size_t first() const { return caret < anchor ? caret : anchor; }
  std::size_t last() const { return caret < anchor ? anchor : caret; }
};

// The next or previous border of a letter; marks, joined emoji and their variants stay whole.
std::size_t letter_after(std::string_view text, std::size_t at);
std::size_t letter_before(std::string_view text, std::size_t at);
// The next or previous border between a word and what follows it.
std::size_t word_after(std::string_view text, std::size_t at);
std::size_t word_before(std::string_view text, std::size_t at);

void move_caret(TextEdit& edit, std::size_t to, bool select);
void select_all(TextEdit& edit, std::string_view text);

// Replaces the selection; line breaks become blanks, other control characters and bytes that are
// not UTF-8 are left out.
void insert_text(TextEdit& edit, std::string& text, std::string_view typed);
void erase_before(TextEdit& edit, std::string& text, bool whole_word);
void erase_after(TextEdit& edit, std::string& text, bool whole_word);
void undo_text(TextEdit& edit, std::string& text);
void redo_text(TextEdit& edit, std::string& text);

}  // namespace attn::gui
