// Numbers chosen on the command line: "all", or "0-3,7".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace attn::cli {

// Numbers from 0 to `count` − 1, each once, in the order of the text. `flag` and `noun` ("heads")
// are for errors. Precondition: count > 0.
Result<std::vector<std::size_t>> chosen_numbers(std::string_view flag, const std::string& text,
                                                std::size_t count, std::string_view noun);

}  // namespace attn::cli
