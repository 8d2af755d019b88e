// Waits for signals on a thread of its own, where waiting is allowed to do anything.
#include "gui/shell/end_requests.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace attn::gui {
namespace {

constexpr int kSignalled = 128;
// Signals that follow within it belong to the same request, as a logout sends several: what is not
// saved is being kept then.
constexpr std::chrono::seconds kTimeout{3};

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
  std::thread([asked = signal_, wake = std::move(wake)] {
    *asked = next_signal();
    wake();
    const auto patience = std::chrono::steady_clock::now() + kTimeout;
    int signal = next_signal();
    while (std::chrono::steady_clock::now() < patience) signal = next_signal();
    ::_exit(kSignalled + signal);
  }).detach();
}

}  // namespace attn::gui
