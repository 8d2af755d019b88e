// Progress and cancellation of long jobs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace attn {

// Shared between the job's thread, which writes the fraction, and threads that read it and may
// cancel. All members are thread-safe.
struct Progress {
  std::atomic<float> fraction{0.0F};  // 0 … 1
  std::atomic<bool> cancelled{false};
  // Part of the whole that is in progress: see ProgressPart.
  std::atomic<float> first{0.0F}, share{1.0F};

  // `done`: 0 … 1 of the present part.
  void report(float done) { fraction = first + share * done; }
};

// `progress` may be null.
inline bool is_cancelled(const Progress* progress) {
  return progress != nullptr && progress->cancelled;
}

// Maps reports to the part of the enclosing progress that starts at `first` and is `share` long,
// until it is destroyed. Construct and destroy it on the job's thread; `progress` may be null.
class ProgressPart {
 public:
  ProgressPart(Progress* progress, float first, float share) : progress_(progress) {
    if (progress == nullptr) return;
    first_ = progress->first;
    share_ = progress->share;
    progress->first = first_ + share_ * first;
    progress->share = share_ * share;
  }
  // Part `index` of `count` equal ones.
  ProgressPart(Progress* progress, std::size_t index, std::size_t count)
      : ProgressPart(progress, static_cast<float>(index) / static_cast<float>(count),
                     1.0F / static_cast<float>(count)) {}
  ~ProgressPart() {
    if (progress_ == nullptr) return;
    progress_->report(1.0F);
    progress_->first = first_;
    progress_->share = share_;
  }
  ProgressPart(const ProgressPart&) = delete;
  ProgressPart& operator=(const ProgressPart&) = delete;

 private:
  Progress* progress_;
  float first_ = 0.0F, share_ = 1.0F;
};

// Counter of small steps of work with a roughly known total. May be used only on the job's thread.
class StepCount {
 public:
  // `progress` may be null. Counts within the present part.
  StepCount(Progress* progress, std::uint64_t expected)
      : progress_(progress), expected_(std::max<std::uint64_t>(expected, 1)) {}

  // Adds steps; false if the job was cancelled.
  bool add(std::uint64_t steps) {
    done_ += steps;
    if (progress_ == nullptr) return true;
    const double share = static_cast<double>(done_) / static_cast<double>(expected_);
    progress_->report(static_cast<float>(std::min(share, 1.0)));
    return !progress_->cancelled;
  }

 private:
  Progress* progress_;
  std::uint64_t expected_, done_ = 0;
};

}  // namespace attn
