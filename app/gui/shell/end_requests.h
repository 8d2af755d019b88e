// Requests of the system that the program end: logging out, closing the terminal, Ctrl+C in it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

namespace attn::gui {

// Make it before any other thread begins, and one at most. A second request ends the process at
// once.
class EndRequests {
 public:
  // `wake` is called from another thread when there is a request.
  explicit EndRequests(std::function<void()> wake);

  // SIGTERM, SIGINT or SIGHUP; 0: none so far.
  int signal() const { return *signal_; }

 private:
  std::shared_ptr<std::atomic<int>> signal_;
};

}  // namespace attn::gui
