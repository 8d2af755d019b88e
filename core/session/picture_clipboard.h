// Pictures on the clipboard: the window's library hands over texts only, so a small program that
// many systems have does it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace attn {

// wl-copy or xclip, whichever serves the display that the environment names and is in its PATH;
// empty when there is none. Looks at the disk.
std::string find_picture_helper();

// Hands a PNG to the helper and waits until it has it, at most five seconds. Internal says what
// went wrong.
Status copy_picture(const std::string& helper, std::string_view png);

}  // namespace attn
