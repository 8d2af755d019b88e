// How a long job reports how far it is and learns that nobody wants it any more.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace attn {

// Shared between the job's thread, which writes the fraction, and others, which read it and may
// cancel. All members are safe from any thread.
struct Progress {
  std::atomic<float> fraction{0.0F};  // 0 … 1
  std::atomic<bool> cancelled{false};
  // What part of the whole is being done now: see ProgressPart.
  std::atomic<float> first{0.0F}, share{1.0F};

  // `done` 0 … 1 of the present part.
  void report(float done) { fraction = first + share * done; }
};

// While it lives, what is reported is this part of the part before: `share` of it from `first` on.
// To be made and ended on the job's thread; `progress` may be null.
class ProgressPart {
 public:
  ProgressPart(Progress* progress, float first, float share) : progress_(progress) {
    if (progress == nullptr) return;
    first_ = progress->first;
    share_ = progress->share;
    progress->first = first_ + share_ * first;
    progress->share = share_ * share;
  }
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

// Counts small steps of work whose number is roughly known beforehand. Of the job's thread alone.
class StepCount {
 public:
  // `progress` may be null; both are as of the present part.
  StepCount(Progress* progress, std::uint64_t expected)
      : progress_(progress), expected_(std::max<std::uint64_t>(expected, 1)) {}

  // So many more are done. False when nobody wants the rest.
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
