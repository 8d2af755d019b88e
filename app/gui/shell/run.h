// The window's event loop. Part of the platform library, because it needs GLFW.
#pragma once

#include "cli/cli.h"

namespace attn::gui {

// Opens the window and stays until it is closed, the screenshot is written or the script has ended.
// The exit code.
int run_window(const cli::ViewRequest& request);

}  // namespace attn::gui
