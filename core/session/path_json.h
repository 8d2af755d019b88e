// Paths in files of JSON: text, or their bytes as numbers where these are not UTF-8.
#pragma once

#include <string>

#include "base/json.h"

namespace attn {

Json json_of_path(const std::string& path);

// Empty where it is no path.
std::string path_of(const Json& json);

}  // namespace attn
