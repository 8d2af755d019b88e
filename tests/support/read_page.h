// The data of a page for browsers, as its script reads it.
#pragma once

#include <string>

#include "base/json.h"

namespace attn::test {

Json data_of_page(const std::string& page);

// The SVG that the script makes of the "lines" of a view, step or answer.
std::string svg_in_page(const Json& data, const Json& lines);

}  // namespace attn::test
