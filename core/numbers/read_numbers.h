// Numbers read from text, however it was written: blocks of them, and small sums that one types
// where a number belongs, such as "2*3" and "-(0.5 + 2) / 4".
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "numbers/number_cell.h"
#include "numbers/number_table.h"

namespace attn {

// What parse_number reads, as it reads it; else a sum of such numbers with + − * / and brackets, in
// double. BadInput says what is wrong with it, also where nothing finite comes out of finite
// numbers.
Result<float> evaluate_number(std::string_view text);

// Known by what is there: lists in lists (JSON, Python, prints of NumPy and PyTorch), prints of
// tensors in blocks of columns or with a scale, and lines of cells between tabs, semicolons, commas
// or blanks. A table has at least one cell; labels in its first row or column are kept apart from
// the numbers. Takes time and memory in proportion to the text. BadInput names the line and cell
// that is no number, the line that is ragged, the bracket that is not closed, or who shortened the
// numbers. OverMemoryLimit, told before anything is read by how many cells or words the text can
// have.
Status check_reading_memory(std::string_view text, std::uint64_t limit_bytes);

Result<NumberTable> read_numbers(std::string_view text, NonFinite non_finite);

}  // namespace attn
