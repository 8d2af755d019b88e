// Time per frame on the window's thread and memory of the process, for scripts that measure.
#pragma once

#include <string>
#include <vector>

namespace attn::gui {

// Processor time of the calling thread in seconds.
double thread_seconds();

class FrameLog {
 public:
  void add(double seconds) { seconds_.push_back(seconds); }

  // JSON about the frames since the last call: count; median, 99th percentile and maximum in
  // milliseconds; current and peak memory in MiB.
  std::string take();

 private:
  std::vector<double> seconds_;
};

}  // namespace attn::gui
