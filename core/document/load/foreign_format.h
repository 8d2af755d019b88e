// Detection of unsupported formats by their first bytes, with advice on conversion.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace attn {

// BadInput if the start is that of such a file, with the Python code that makes a .npy file of it.
std::optional<Error> foreign_format(std::string_view start, const std::string& name);

}  // namespace attn
