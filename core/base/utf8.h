// UTF-8: validation, conversion, and display of invisible characters.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Offset of the first byte that is not well-formed UTF-8 (RFC 3629: no surrogates, no overlong
// forms, at most U+10FFFF); nothing if the text is valid.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 1;  // in bytes
};
// Code point at byte `at`; U+FFFD of one byte if malformed. Precondition: at < text.size().
CodePoint code_point_at(std::string_view text, std::size_t at);

// All code points; malformed bytes are left out.
std::vector<char32_t> code_points(std::string_view text);

// Appends a code point as UTF-8. Precondition: at most U+10FFFF and no surrogate.
void append_utf8(std::string& text, char32_t code_point);

// `text` with replacements of equal length, such as '?', for control characters, noncharacters and
// malformed bytes, so that other libraries can read it and offsets stay valid.
std::string same_length_utf8(std::string_view text);

// Replaces A to Z by a to z; other letters stay.
std::string in_small_letters(std::string_view text);

// An error message as a sentence: capitalised, unless it begins with a name from a document.
std::string as_sentence(std::string text);

// Longest start of well-formed `text` within `most` bytes.
std::string_view cut_to_bytes(std::string_view text, std::size_t most);

// Number of code points. Precondition: well-formed.
std::size_t code_point_count(std::string_view text);

// Cuts the text to `limit` code points; a cut end becomes "…".
std::string shortened(std::string_view text, std::size_t limit);

// Cuts the middle, which becomes "…", to `limit` code points: differences at the ends stay visible.
std::string cut_to_ends(std::string_view text, std::size_t limit);

// True if the text has right-to-left letters: Hebrew, Arabic and related scripts.
bool has_right_to_left(std::string_view text);

// Chinese, Japanese and Korean letters, which are written without blanks.
bool is_east_asian(char32_t code_point);

// Text for figures and their files: control characters become Unicode's pictures ("␛"),
// noncharacters "⟨U+FFFE⟩", malformed bytes U+FFFD. Line breaks and tabs stay.
std::string drawable_text(std::string_view text);
// Text for terminals: also replaces characters that change the direction of text.
std::string printable_text(std::string_view text);
// printable_text() on one line: "↵" and "⇥" for breaks and tabs.
std::string printable_line(std::string_view text);

// Control characters and those that change the direction of text; written as escapes in data.
bool acts_on_terminals(char32_t code_point);

// A token for display: printable_line() with "␣" for blanks at the ends, "⟨empty⟩" for the empty
// token, and signs for no-break spaces and characters without width. Single inner blanks stay, as
// do joiners that shape letters.
std::string visible_token(std::string_view token);

}  // namespace attn
