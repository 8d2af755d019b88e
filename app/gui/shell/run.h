// Event loop of the window, and requests by the system to end it: logout, closing the terminal,
// Ctrl+C in it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "cli/cli.h"

namespace attn::gui {

inline constexpr int kSignalled = 128;  // plus the signal: exit code, as in a shell

// Create it before any other thread, at most once. A later request ends the process at once.
class EndRequests {
 public:
  // `wake` is called from another thread on a request.
  explicit EndRequests(std::function<void()> wake);

  // SIGTERM, SIGINT or SIGHUP; 0 without a request.
  int signal() const { return *signal_; }

 private:
  std::shared_ptr<std::atomic<int>> signal_;
};

// Runs until the window is closed, the screenshot is written or the script has ended. Returns the
// exit code. Belongs to the platform library because it needs GLFW.
int run_window(const cli::ViewRequest& request);

}  // namespace attn::gui
