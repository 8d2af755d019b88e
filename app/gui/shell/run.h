// Event loop of the window. Part of the platform library, because it needs GLFW.
#pragma once

#include "cli/cli.h"

namespace attn::gui {

// Runs until the window is closed, the screenshot is written or the script has ended. Returns the
// exit code.
int run_window(const cli::ViewRequest& request);

}  // namespace attn::gui
