// Waits for signals on a separate thread, where any function may be called.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "gui/shell/run.h"

namespace attn::gui {
namespace {

// Signals within this time belong to one request, as a logout sends several; unsaved work is
// written meanwhile.
constexpr std::chrono::seconds kGracePeriod{3};

sigset_t end_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  return set;
}

int next_signal() {
  const sigset_t set = end_signals();
  int signal = 0;
  while (sigwait(&set, &signal) != 0) {
  }
  return signal;
}

}  // namespace

EndRequests::EndRequests(std::function<void()> wake)
    : signal_(std::make_shared<std::atomic<int>>(0)) {
  const sigset_t set = end_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread([received = signal_, wake = std::move(wake)] {
    *received = next_signal();
    wake();
    const auto deadline = std::chrono::steady_clock::now() + kGracePeriod;
    int signal = next_signal();
    while (std::chrono::steady_clock::now() < deadline) signal = next_signal();
    ::_exit(kSignalled + signal);
  }).detach();
}

}  // namespace attn::gui
