// Formats of other programs that are not read: known by their first bytes, with the way to convert.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace attn {

// Refuses (BadInput) what begins like such a file, and says how Python makes a .npy file of it.
std::optional<Error> foreign_format(std::string_view start, const std::string& name);

}  // namespace attn
