// The forms in which tables of numbers are recognised and read, from rows of cells as text. Private
// to core/numbers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "numbers/number_cell.h"
#include "numbers/number_table.h"

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
// "line 2 of the pasted text", and the same before the message.
std::string line_of_paste(std::size_t line);
Error bad_line(std::size_t line, const std::string& message);
// "line 2, cell 3 of the pasted text: " before the message.
Error bad_cell(Error error, std::size_t line, std::size_t cell);
Error text_after(std::string_view what, std::string_view text, std::size_t line);
// Says how to print all of the numbers where it is known who did not.
Error shortened_numbers(std::string_view printed_by, std::size_t line);

inline constexpr std::string_view kNumPy = "NumPy";
inline constexpr std::string_view kPyTorch = "PyTorch";

struct Scale {
  int power = 0;
  std::size_t end = 0;  // behind the asterisk
};
// "1.0e+03 *" at byte `at`: a power of ten that the numbers after it are multiplied by.
std::optional<Scale> scale_at(std::string_view text, std::size_t at);

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
