// Rows of cells as text, before it is known which of them are numbers. Private to core/numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "numbers/read_numbers.h"

namespace attn {

struct Cell {
  std::string text;     // without blanks at its ends, unless it is quoted
  bool quoted = false;  // text even if it looks like a number, where numbers are not quoted
};

struct CellRow {
  std::size_t line = 1;  // of the pasted text, where the row begins
  std::vector<Cell> cells;
};

// Tells labels from numbers: a first row, but for its first cell, or a first column of which no
// cell looks numeric. A first row that is one cell shorter than the others names all columns but
// the first. `printed_by` is who is known to shorten such tables, or empty.
Result<NumberTable> table_of_cells(std::vector<CellRow> rows, NonFinite non_finite,
                                   std::string_view printed_by = {});

// BadInput with this message.
Error bad_paste(std::string message);
Error no_numbers();
// "line 2, cell 3 of the pasted text: " before the message.
Error bad_cell(Error error, std::size_t line, std::size_t cell);
Error text_after(std::string_view what, std::string_view text, std::size_t line);
// Says how to print all of the numbers where it is known who did not.
Error shortened_numbers(std::string_view printed_by, std::size_t line);

inline constexpr std::string_view kNumPy = "NumPy";
inline constexpr std::string_view kPyTorch = "PyTorch";

}  // namespace attn
