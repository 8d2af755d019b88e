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

// `text` with letters of as many bytes, such as '?', in place of control characters, noncharacters
// and bytes that are not well-formed: other libraries may read it, and offsets stay what they are.
std::string same_length_utf8(std::string_view text);

// Code points in well-formed UTF-8.
std::size_t code_point_count(std::string_view text);

// At most `limit` code points, the last one replaced by "…" when something was cut.
std::string shortened(std::string_view text, std::size_t limit);

// The same with the "…" in the middle: names of which only the ends differ stay different.
std::string cut_to_ends(std::string_view text, std::size_t limit);

// True when some letter is written from right to left: Hebrew, Arabic and their kin.
bool has_right_to_left(std::string_view text);

// Texts with signs in place of what cannot be seen or must not be written: Unicode's pictures of
// control characters ("␛"), "⟨U+FFFE⟩" of others, U+FFFD of bytes that are not well-formed.
// For figures and the files that hold them: of control characters and noncharacters. Line breaks
// and tabs stay.
std::string drawable_text(std::string_view text);
// For terminals, where also what turns the direction of text misleads.
std::string printable_text(std::string_view text);
// The same in one line: "↵" and "⇥" too.
std::string printable_line(std::string_view text);

// A control character, or one that turns the direction of text: data writes their numbers.
bool acts_on_terminals(char32_t code_point);

// A token for display: as printable_line, with blanks at the ends as "␣", the empty token as "∅",
// and signs of no-break spaces and of what has no width. Inner single blanks stay, as do joiners
// between letters that they shape.
std::string visible_token(std::string_view token);

}  // namespace attn
