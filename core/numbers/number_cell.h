// One number as others write it, and what is certainly meant as one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace attn {

// What reading does with NaN and infinities.
enum class NonFinite { Refused, Read };

// As parse_number, also with U+2212 as the minus; where they are read, "nan", "inf", "np.inf",
// "-Infinity" and "−∞" too.
Result<float> number_of_cell(std::string_view text, NonFinite non_finite);

// A number, or a slip in one such as "1,5" and "12 %", whatever blanks are around it: no label
// unless it stands in quotes.
bool looks_numeric(std::string_view text);

// Whether a comma between these cells may be a decimal one: of "1" and "5", "-1" and "5e3".
bool may_be_one_number(std::string_view before, std::string_view after);

// "..." or "…": numbers were left out here.
bool is_shortened(std::string_view text);

// The k of a power of ten: 3 of "1.0e+03", -1 of "0.1"; nothing of other texts.
std::optional<int> power_of_ten(std::string_view text);

// The text of a number times 10^power, exactly; of other texts the same text.
std::string scaled_number(std::string_view text, int power);

std::string_view without_blanks(std::string_view text);  // at the ends; line breaks are blanks

}  // namespace attn
