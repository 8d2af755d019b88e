// UTF-8 validity, and tokens made visible.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

// Byte offset of the first byte that is not well-formed UTF-8 (RFC 3629: no surrogates, no overlong
// forms, at most U+10FFFF), or nothing when all of it is.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

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
