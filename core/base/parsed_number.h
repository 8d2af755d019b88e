// Numbers read from text, equally on all machines and in all locales.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace attn {

// Reads one finite decimal number that fits a float; the whole text after trimming blanks. Refuses
// `1,5`, `1e99` (overflow), `nan`, `inf`, hexadecimal and trailing text, each with its reason in
// message, found and expected. Errors: BadInput.
Result<float> parse_number(std::string_view text);

// Reads one whole number; the whole text after trimming blanks. Errors: BadInput.
Result<std::int64_t> parse_integer(std::string_view text);

}  // namespace attn
