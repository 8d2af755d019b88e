// UTF-8 read and written, and tokens made visible.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Byte offset of the first byte that is not well-formed UTF-8 (RFC 3629: no surrogates, no overlong
// forms, at most U+10FFFF), or nothing when all of it is.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 1;  // bytes
};
// The code point at byte `at`; U+FFFD of one byte where the text is not well-formed.
// Precondition: at < text.size().
CodePoint code_point_at(std::string_view text, std::size_t at);

// All of them; bytes that are not well-formed are left out.
std::vector<char32_t> code_points(std::string_view text);

// Appends a code point as UTF-8. Precondition: at most U+10FFFF and no surrogate.
void append_utf8(std::string& text, char32_t code_point);

// `text` with '?' for every zero byte and every one that is not well-formed: other libraries may
// read it, and offsets stay what they are.
std::string same_length_utf8(std::string_view text);

// Code points in well-formed UTF-8.
std::size_t code_point_count(std::string_view text);

// At most `limit` code points, the last one replaced by "…" when something was cut.
std::string shortened(std::string_view text, std::size_t limit);

// True when some letter is written from right to left: Hebrew, Arabic and their kin.
bool has_right_to_left(std::string_view text);

// A token for display: blanks at the ends as "␣", line breaks as "↵", tabs as "⇥", other control
// characters as their Unicode pictures, the empty token as "∅". Inner single blanks stay.
std::string visible_token(std::string_view token);

}  // namespace attn
