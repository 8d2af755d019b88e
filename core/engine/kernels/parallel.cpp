// Shares jobs out over threads and hands on their first exception.
#include "engine/kernels/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace attn {
namespace {

class Jobs {
 public:
  Jobs(std::size_t count, Progress* progress, const std::function<void(std::size_t)>& body)
      : count_(count), progress_(progress), body_(body) {}

  // Takes jobs until none is left; runs on several threads at once.
  void work() {
    while (!cancelled()) {
      const std::size_t job = next_.fetch_add(1);
      if (job >= count_) return;
      try {
        body_(job);
      } catch (...) {
        keep(std::current_exception());
      }
      report();
    }
  }

  bool finish() const {
    if (failure_) std::rethrow_exception(failure_);
    return done_ >= count_;
  }

 private:
  bool cancelled() const { return progress_ != nullptr && progress_->cancelled; }

  void report() {
    const std::size_t done = ++done_;
    if (progress_ == nullptr) return;
    progress_->report(static_cast<float>(done) / static_cast<float>(count_));
  }

  void keep(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    next_ = count_;
  }

  std::size_t count_;
  Progress* progress_;
  const std::function<void(std::size_t)>& body_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

bool parallel_for(std::size_t count, unsigned threads, Progress* progress,
                  const std::function<void(std::size_t)>& body) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  Jobs jobs(count, progress, body);
  std::vector<std::thread> helpers;
  try {
    while (helpers.size() + 1 < std::min<std::size_t>(threads, count)) {
      helpers.emplace_back([&jobs] { jobs.work(); });
    }
  } catch (const std::system_error&) {
    // No more threads to be had: those there are do the work.
  }
  jobs.work();
  for (std::thread& helper : helpers) helper.join();
  return jobs.finish();
}

}  // namespace attn
