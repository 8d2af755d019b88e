// What of a text in LaTeX is the inside of a matrix or table. Private to core/numbers.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace attn {

// "\begin{"
bool has_environment(std::string_view text);

struct LatexBody {
  std::string_view text;
  std::size_t line = 1;  // in which it begins
};
// Between \begin and \end of the only matrix or table, without its arguments; all of a text without
// environments. Refuses others, two of them, and a factor or an exponent beside a matrix: its
// numbers would not be what is meant.
Result<LatexBody> latex_body(std::string_view text);

// Bytes of the arguments in front: 7 of "{ll}[t] & 1". Brackets within each other count; one that
// is not closed goes to the end.
std::size_t length_of_arguments(std::string_view text);

}  // namespace attn
