// Editing operations of text fields, each with undo.
#include "gui/ui/text_edit.h"

#include <algorithm>

#include "base/utf8.h"
#include "figure/letters.h"

namespace attn::gui {
namespace {

constexpr std::size_t kMaxUndo = 200;

std::string cleaned(std::string_view typed, const TextEdit& edit) {
  std::string out;
  while (!typed.empty()) {
    const std::size_t valid = first_invalid_utf8(typed).value_or(typed.size());
    for (const char c : typed.substr(0, valid)) {
      const bool stays = edit.keeps_blanks || (c == '\n' && edit.keeps_lines);
      if (c == '\n' || c == '\t') out += stays ? c : ' ';
      if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) out += c;
    }
    typed.remove_prefix(std::min(valid + 1, typed.size()));
  }
  return out;
}

void push_undo(TextEdit& edit, const std::string& text) {
  if (edit.undone_to.size() >= kMaxUndo) edit.undone_to.erase(edit.undone_to.begin());
  edit.undone_to.push_back({text, edit.caret});
  edit.redone_to.clear();
}

void erase_range(TextEdit& edit, std::string& text, std::size_t from, std::size_t to) {
  if (from == to) return;
  push_undo(edit, text);
  text.erase(from, to - from);
  edit.caret = edit.anchor = from;
}

std::size_t code_point_border(std::string_view text, std::size_t at) {
  std::size_t border = 0;
  while (border < text.size() && border < at) border += code_point_at(text, border).length;
  return border;
}

void exchange(TextEdit& edit, std::string& text, std::vector<TextEdit::Past>& from,
              std::vector<TextEdit::Past>& to) {
  if (from.empty()) return;
  to.push_back({text, edit.caret});
  text = from.back().first;
  edit.caret = edit.anchor = std::min(from.back().second, text.size());
  from.pop_back();
}

}  // namespace

void fit_to_text(TextEdit& edit, std::string_view text) {
  edit.caret = code_point_border(text, edit.caret);
  edit.anchor = code_point_border(text, edit.anchor);
}

void move_caret(TextEdit& edit, std::size_t to, bool select) {
  edit.caret = to;
  if (!select) edit.anchor = to;
}

void select_all(TextEdit& edit, std::string_view text) {
  edit.anchor = 0;
  edit.caret = text.size();
}

void select_word(TextEdit& edit, std::string_view text, std::size_t at) {
  const TextSpan word = word_around(text, at);
  edit.anchor = word.first;
  edit.caret = word.end;
}

void insert_text(TextEdit& edit, std::string& text, std::string_view typed) {
  const std::string clean = cleaned(typed, edit);
  if (clean.empty() && !edit.has_selection()) return;
  push_undo(edit, text);
  text.replace(edit.first(), edit.last() - edit.first(), clean);
  edit.caret = edit.anchor = edit.first() + clean.size();
}

void erase_before(TextEdit& edit, std::string& text, bool whole_word) {
  if (edit.has_selection()) return erase_range(edit, text, edit.first(), edit.last());
  const std::size_t from =
      whole_word ? word_before(text, edit.caret) : backspace_from(text, edit.caret);
  erase_range(edit, text, from, edit.caret);
}

void erase_after(TextEdit& edit, std::string& text, bool whole_word) {
  if (edit.has_selection()) return erase_range(edit, text, edit.first(), edit.last());
  const std::size_t to = whole_word ? word_after(text, edit.caret) : letter_after(text, edit.caret);
  erase_range(edit, text, edit.caret, to);
}

void undo_text(TextEdit& edit, std::string& text) {
  exchange(edit, text, edit.undone_to, edit.redone_to);
}

void redo_text(TextEdit& edit, std::string& text) {
  exchange(edit, text, edit.redone_to, edit.undone_to);
}

}  // namespace attn::gui
