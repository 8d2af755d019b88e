// Scalars of JSON as written: numbers, words and texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attn {

// Length to which quoted texts are cut in messages, in code points.
inline constexpr std::size_t kCharactersShown = 40;

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline std::size_t behind_blanks(std::string_view text, std::size_t at) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

// Letters, digits and signs at the start of `text`: a number, or a misplaced word.
std::string_view leading_word(std::string_view text);

// Characters at the start of a text's contents, up to an escape or the closing quotation mark.
std::string_view leading_characters(std::string_view text);

// Start of `text` for Error::found; long texts are cut.
std::string found_at_start(std::string_view text);
std::string in_quotes(std::string_view text);

// True for the start of NaN, Infinity or -Infinity, which Python writes as numbers.
bool is_bare(std::string_view text, std::size_t at);

// End of the number, word or text without escapes that begins at `at`; 0 if there is none. A bare
// NaN or infinity is a number here and below.
std::size_t end_of_scalar(std::string_view text, std::size_t at);

// Reads a number, or the text "nan", "inf" or "-inf". Returns its end; 0 for anything else and for
// numbers beyond the range of floats. Tiny numbers become 0.
std::size_t read_float(std::string_view text, std::size_t at, float& value);

// Nearest double of a number, infinite beyond their range; and the decoded text at the start of
// `json`. Precondition: the scalar is complete.
double wide_number(std::string_view json);
std::string decoded_text(std::string_view json);

// Value of "nan", "inf" or "-inf"; false for other names.
bool named_float(std::string_view name, float& value);

}  // namespace attn
