// What frames take of the window's thread, and the memory of the process, for scripts that measure.
#pragma once

#include <string>
#include <vector>

namespace attn::gui {

// Seconds of the processor that the calling thread has had.
double thread_seconds();

class FrameLog {
 public:
  void add(double seconds) { seconds_.push_back(seconds); }

  // Of the frames since the last call, as JSON: how many, milliseconds at the median, at the 99th
  // percentile and of the worst; memory now and at most so far, in MiB.
  std::string take();

 private:
  std::vector<double> seconds_;
};

}  // namespace attn::gui
