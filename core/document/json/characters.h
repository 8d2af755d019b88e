// Kinds of characters of JSON, and how errors show texts. Internal to core/document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attn {

// Of words and texts in errors.
inline constexpr std::size_t kCharactersShown = 40;

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline bool is_json_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Of a number, or of a word that may stand in place of one.
inline bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '+' ||
         c == '-' || c == '.';
}

std::string in_quotes(std::string_view text);

}  // namespace attn
