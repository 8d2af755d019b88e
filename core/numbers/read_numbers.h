// Reading of numbers from text: tables, and sums typed in place of a number, such as "2*3" and
// "-(0.5 + 2) / 4".
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "numbers/number_table.h"

namespace attn {

// A number as read by parse_number, else a sum of numbers with + − * / and brackets, computed in
// double. BadInput with the reason, also when the sum of finite numbers is not finite.
Result<float> evaluate_number(std::string_view text);

// OverMemoryLimit, before anything is read, when the cells or words of the text may need more.
Status check_reading_memory(std::string_view text, std::uint64_t limit_bytes);

// An error of reading with another name in place of "the pasted text".
Error named_otherwise(Error error, std::string_view name);

// Recognises nested lists (JSON, Python, printed by NumPy and PyTorch), tensors printed in blocks
// of columns or with a scale, and lines of cells between tabs, semicolons, commas or blanks. A
// table has at least one cell; labels in its first row or column are separated from the numbers.
// Linear in time and memory. BadInput names the line and cell that is no number, the ragged line,
// the open bracket, or the program that shortened the numbers.
Result<NumberTable> read_numbers(std::string_view text, NonFinite non_finite);

}  // namespace attn
