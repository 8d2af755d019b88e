// Small sums that one types where a number belongs: "2*3", "1/3", "-(0.5 + 2) / 4".
#pragma once

#include <string_view>

#include "base/result.h"

namespace attn {

// What parse_number reads, as it reads it; else a sum of such numbers with + − * / and brackets, in
// double. BadInput says what is wrong with it, also where nothing finite comes out of finite
// numbers.
Result<float> evaluate_number(std::string_view text);

}  // namespace attn
