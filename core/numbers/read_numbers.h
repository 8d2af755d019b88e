// Reading of numbers from text: tables, and sums typed in place of a number, such as "2*3" and
// "-(0.5 + 2) / 4".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "numbers/number_table.h"

namespace attn {

// Treatment of NaN and infinities while reading.
enum class NonFinite { Refused, Read };

// Reads what parse_number reads, also with U+2212 as the minus sign; with NonFinite::Read also
// "nan", "inf", "np.inf", "-Infinity" and "−∞".
Result<float> number_of_cell(std::string_view text, NonFinite non_finite);

// Whether a text is a number or a slip in one, such as "1,5" or "12 %", with any blanks around it:
// not a label unless quoted.
bool looks_numeric(std::string_view text);

// Whether a comma between these cells may be a decimal comma: "1" and "5", "-1" and "5e3".
bool may_be_one_number(std::string_view before, std::string_view after);

// "..." or "…": numbers are missing here.
bool is_shortened(std::string_view text);

// Exponent of a power of ten: 3 for "1.0e+03", -1 for "0.1"; nothing for other texts.
std::optional<int> power_of_ten(std::string_view text);

// Text of a number times 10^power, exactly; other texts are returned unchanged.
std::string scaled_number(std::string_view text, int power);

std::string_view without_blanks(std::string_view text);  // at both ends; line breaks are blanks

// A number as read by parse_number, else a sum of numbers with + − * / and brackets, computed in
// double. BadInput with the reason, also when the sum of finite numbers is not finite.
Result<float> evaluate_number(std::string_view text);

// OverMemoryLimit, before anything is read, when the cells or words of the text may need more.
Status check_reading_memory(std::string_view text, std::uint64_t limit_bytes);

// Recognises nested lists (JSON, Python, printed by NumPy and PyTorch), tensors printed in blocks
// of columns or with a scale, and lines of cells between tabs, semicolons, commas or blanks. A
// table has at least one cell; labels in its first row or column are separated from the numbers.
// Linear in time and memory. BadInput names the line and cell that is no number, the ragged line,
// the open bracket, or the program that shortened the numbers.
Result<NumberTable> read_numbers(std::string_view text, NonFinite non_finite);

}  // namespace attn
