// Text forms of tables of numbers: recognition, reading and errors. Private to core/numbers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "numbers/number_table.h"

namespace attn {

// Error of kind BadInput.
Error bad_paste(std::string message, std::string found = {}, std::string expected = {},
                std::string hint = {});
Error no_numbers();
// "line 2 of the pasted text", and an error whose message begins with it.
std::string line_of_paste(std::size_t line);
Error bad_line(std::size_t line, const std::string& message, std::string found = {},
               std::string expected = {}, std::string hint = {});
// Prefixes the message with "line 2, cell 3 of the pasted text: ".
Error bad_cell(Error error, std::size_t line, std::size_t cell);
Error text_after(std::string_view what, std::string_view text, std::size_t line);
// The hint says how to print all numbers when the program is known.
Error shortened_numbers(std::string_view printed_by, std::size_t line);

inline constexpr std::string_view kNumPy = "NumPy";
inline constexpr std::string_view kPyTorch = "PyTorch";

struct Scale {
  int power = 0;
  std::size_t end = 0;  // after the asterisk
};
// "1.0e+03 *" at the beginning: a power of ten that multiplies the following numbers.
std::optional<Scale> scale_at(std::string_view text);

// Each form has two functions: one recognises it by a text's outline, the other reads it.

// Nested lists of brackets or parentheses, and calls around them: array(…), tensor(…).
bool are_lists(std::string_view outline);
Result<NumberTable> read_lists(std::string_view text, NonFinite non_finite);

// Lines of numbers with "Columns 0 to 9", "1.0e+03 *" or "[ CPUFloatType{2,2} ]" between them.
bool is_print(std::string_view outline);
Result<NumberTable> read_print(std::string_view text, NonFinite non_finite);

// Cells separated by tabs, else by semicolons, commas or blanks.
Result<NumberTable> read_lines(std::string_view text, NonFinite non_finite);

// The text with quoted cells replaced by quotation marks, equally long. Labels may hold anything
// and do not decide the form.
std::string outline_of(std::string_view text);

// The byte after the quotation mark that closes the one at `at`; two in a row are one character of
// the cell; npos when none closes it.
std::size_t end_of_quoted(std::string_view text, std::size_t at);

}  // namespace attn
