// Properties of Unicode that tokenizers know of characters, and texts changed by them. All texts
// are well-formed UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.h"

namespace attn::tokenizing {

enum class NormalForm { C, D, KC, KD };

std::string normal_form(std::string_view text, NormalForm form);

// Each character in small letters by itself, whatever follows it.
std::string small_letters(std::string_view text);

bool is_blank(char32_t c);
bool is_number(char32_t c);
bool is_mark(char32_t c);
bool is_mark_without_width(char32_t c);
// Punctuation, and all signs of ASCII.
bool is_sign(char32_t c);
// Letters, marks, digits, and what connects words.
bool is_part_of_word(char32_t c);
// Controls, formats and private characters, but no tabs and line breaks.
bool is_unseen(char32_t c);
// Chinese characters, each of which is a token of BERT's vocabularies, without blanks between them.
bool is_chinese(char32_t c);

// Number of bytes of blanks at the start, and at the end.
std::size_t blanks_at_start(std::string_view text);
std::size_t blanks_at_end(std::string_view text);

// The last code point. Precondition: there is one.
CodePoint last_code_point(std::string_view text);

// Calls visit(code point, its bytes) for the whole text.
template <class Visit>
void each_code_point(std::string_view text, Visit&& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    visit(point.value, text.substr(at, point.length));
    at += point.length;
  }
}

}  // namespace attn::tokenizing
