// What the program was built from, for reports of errors.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

// "0.1.0".
std::string_view program_version();

// Names and values in the order in which they are shown: version, compiler, kind of build, and the
// libraries whose versions were known when it was built.
std::vector<std::pair<std::string, std::string>> build_information();

}  // namespace attn
