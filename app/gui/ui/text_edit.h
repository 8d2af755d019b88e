// Text being edited: caret, selection, undo. No drawing; text_input.h and text_area.h show
// it.
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
  bool keeps_lines = false;  // line breaks are typed and pasted as such
  std::string initial;       // for Esc
  struct Past {
    std::string text;
    std::size_t caret;
  };
  std::vector<Past> undone_to, redone_to;

  bool has_selection() const { return caret != anchor; }
  std::size_t first() const { return caret < anchor ? caret : anchor; }
  std::size_t last() const { return caret < anchor ? anchor : caret; }
};

// For a text that others may have changed: caret and anchor between code points of what is there.
void fit_to_text(TextEdit& edit, std::string_view text);

void move_caret(TextEdit& edit, std::size_t to, bool select);
void select_all(TextEdit& edit, std::string_view text);
// The word, the blanks or the sign at `at`.
void select_word(TextEdit& edit, std::string_view text, std::size_t at);

// Replaces the selection; tabs become blanks, and so do line breaks unless they are kept; other
// control characters and bytes that are not UTF-8 are left out.
void insert_text(TextEdit& edit, std::string& text, std::string_view typed);
void erase_before(TextEdit& edit, std::string& text, bool whole_word);
void erase_after(TextEdit& edit, std::string& text, bool whole_word);
void undo_text(TextEdit& edit, std::string& text);
void redo_text(TextEdit& edit, std::string& text);

}  // namespace attn::gui
