#include "gui/ui/text_edit.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace attn::gui {
namespace {

constexpr std::size_t kMostUndo = 200;

constexpr char32_t kJoiner = 0x200D;

bool belongs_to_letter_before(char32_t c) {
  return c == kJoiner || (c >= 0x300 && c <= 0x36F) || (c >= 0x900 && c <= 0x903) ||
         (c >= 0x93A && c <= 0x94F && c != 0x93D) || (c >= 0x64B && c <= 0x65F) ||
         (c >= 0x20D0 && c <= 0x20FF) || (c >= 0xFE00 && c <= 0xFE0F) ||
         (c >= 0x1F3FB && c <= 0x1F3FF);
}

bool is_blank(std::string_view text, std::size_t at) { return text[at] == ' ' || text[at] == '\t'; }

std::string cleaned(std::string_view typed) {
  std::string out;
  while (!typed.empty()) {
    const std::size_t valid = first_invalid_utf8(typed).value_or(typed.size());
    for (const char c : typed.substr(0, valid)) {
      if (c == '\n' || c == '\t') out += ' ';
      if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) out += c;
    }
    typed.remove_prefix(std::min(valid + 1, typed.size()));
  }
  return out;
}

void remember(TextEdit& edit, const std::string& text) {
  if (edit.undone_to.size() >= kMostUndo) edit.undone_to.erase(edit.undone_to.begin());
  edit.undone_to.push_back({text, edit.caret});
  edit.redone_to.clear();
}

void erase_range(TextEdit& edit, std::string& text, std::size_t from, std::size_t to) {
  if (from == to) return;
  remember(edit, text);
  text.erase(from, to - from);
  edit.caret = edit.anchor = from;
}

void exchange(TextEdit& edit, std::string& text, std::vector<TextEdit::Past>& from,
              std::vector<TextEdit::Past>& to) {
  if (from.empty()) return;
  to.push_back({text, edit.caret});
  text = from.back().text;
  edit.caret = edit.anchor = std::min(from.back().caret, text.size());
  from.pop_back();
}

}  // namespace

std::size_t letter_after(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  auto [value, length] = code_point_at(text, at);
  at += length;
  while (at < text.size()) {
    const auto [next, next_length] = code_point_at(text, at);
    if (value != kJoiner && !belongs_to_letter_before(next)) break;
    at += next_length;
    value = next;
  }
  return at;
}

std::size_t letter_before(std::string_view text, std::size_t at) {
  std::size_t border = 0;
  for (std::size_t next = letter_after(text, 0); next < at; next = letter_after(text, next)) {
    border = next;
  }
  return at == 0 ? 0 : border;
}

std::size_t word_after(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text, at)) ++at;
  while (at < text.size() && !is_blank(text, at)) ++at;
  return at;
}

std::size_t word_before(std::string_view text, std::size_t at) {
  while (at > 0 && is_blank(text, at - 1)) --at;
  while (at > 0 && !is_blank(text, at - 1)) --at;
  return at;
}

void move_caret(TextEdit& edit, std::size_t to, bool select) {
  edit.caret = to;
  if (!select) edit.anchor = to;
}

void select_all(TextEdit& edit, std::string_view text) {
  edit.anchor = 0;
  edit.caret = text.size();
}

void insert_text(TextEdit& edit, std::string& text, std::string_view typed) {
  const std::string clean = cleaned(typed);
  if (clean.empty() && !edit.has_selection()) return;
  remember(edit, text);
  text.replace(edit.first(), edit.last() - edit.first(), clean);
  edit.caret = edit.anchor = edit.first() + clean.size();
}

void erase_before(TextEdit& edit, std::string& text, bool whole_word) {
  if (edit.has_selection()) return erase_range(edit, text, edit.first(), edit.last());
  const std::size_t from =
      whole_word ? word_before(text, edit.caret) : letter_before(text, edit.caret);
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
