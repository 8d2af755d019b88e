// How a long job reports how far it is and learns that nobody wants it any more.
#pragma once

#include <atomic>

namespace attn {

// Shared between the job's thread, which writes the fraction, and others, which read it and may
// cancel. All members are safe from any thread.
struct Progress {
  std::atomic<float> fraction{0.0F};  // 0 … 1
  std::atomic<bool> cancelled{false};
};

}  // namespace attn
