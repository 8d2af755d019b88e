// Numbers of JSON, as they are written.
#pragma once

#include <string_view>

namespace attn {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_json_number(std::string_view text);

// The nearest float, zero for what is nearer to it than any other. False where there is none that
// is finite. Precondition: is_json_number(text).
bool finite_float(std::string_view text, float& value);

// The end of the number at `at`; null for what is none of JSON, and for the few that are left to
// finite_float(). Precondition: at < end.
const char* read_plain_float(const char* at, const char* end, float& value);

}  // namespace attn
