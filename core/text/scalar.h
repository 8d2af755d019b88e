// Numbers, words and texts of JSON as they are written.
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

// The letters, digits and signs at the start of `text`: a number, or a word in place of one.
std::string_view leading_word(std::string_view text);

// The characters at the start of what is in a text that stand for themselves.
std::string_view leading_characters(std::string_view text);

// What stands at the start of `text`, for Error::found; texts are cut to what is shown.
std::string found_at_start(std::string_view text);
std::string in_quotes(std::string_view text);

// The end of the number, the word or the text without escapes that begins at `at`; 0 when none
// does.
std::size_t end_of_scalar(std::string_view text, std::size_t at);

// The end of the number, or of the text "nan", "inf" or "-inf"; 0 for anything else, and where no
// float is near to it: numbers that are tiny are 0.
std::size_t read_float(std::string_view text, std::size_t at, float& value);

// The double nearest to a number; infinite where it is larger than any. The characters that the
// text at the start of `json` stands for. Preconditions: it is whole.
double wide_number(std::string_view json);
std::string decoded_text(std::string_view json);

// "nan", "inf" and "-inf"; false for other names.
bool named_float(std::string_view name, float& value);

}  // namespace attn
