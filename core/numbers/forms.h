// The forms in which tables of numbers are recognised and read. Private to core/numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "numbers/number_table.h"

namespace attn {

// Each form has two functions: whether a text is meant as one, told from its outline,
// and what it holds.

// Lists in lists, of brackets or parentheses, and calls around them: array(…), tensor(…).
bool are_lists(std::string_view outline);
Result<NumberTable> read_lists(std::string_view text, NonFinite non_finite);

// Lines of numbers with "Columns 0 to 9", "1.0e+03 *" or "[ CPUFloatType{2,2} ]" between them.
bool is_print(std::string_view outline);
Result<NumberTable> read_print(std::string_view text, NonFinite non_finite);

// Cells between tabs; without any between semicolons, commas or blanks.
Result<NumberTable> read_lines(std::string_view text, NonFinite non_finite);

// As long as the text: quotation marks in place of cells that stand in quotes. A label may hold
// anything, and says nothing about the form.
std::string outline_of(std::string_view text);

// The byte after the quotation mark that closes the one at `at`, two in a row being one within;
// npos where none does.
std::size_t end_of_quoted(std::string_view text, std::size_t at);

}  // namespace attn
