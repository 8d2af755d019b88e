// One number in the spelling of other programs, and recognition of numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

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

}  // namespace attn
