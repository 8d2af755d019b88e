// Numbers of JSON to the nearest float, fast, where it is sure which one that is.
#pragma once

#include <cstddef>

namespace attn {

// So many bytes after a text must be there to be read, the first of them no digit.
inline constexpr std::size_t kDecimalPadding = 8;

// Reads the number that begins at `at`, which ends at the first character that cannot belong to it,
// and returns where. Null for what is no number of JSON, and for the few that are left to
// std::from_chars: more than 18 digits, extreme exponents, floats that are not normal, and what
// lies so near the middle between two floats that it takes all digits to tell which is nearer.
const char* read_plain_float(const char* at, float& value);

}  // namespace attn
