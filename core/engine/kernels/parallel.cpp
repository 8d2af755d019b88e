// Thread pool: distributes jobs and rethrows the first exception.
#include "engine/kernels/parallel.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace attn {
namespace {

thread_local const Progress* work_of_thread = nullptr;

// About 10 to 20 µs, after which a waiting thread sleeps.
constexpr int kSpins = 500;
constexpr std::size_t kMostHelpers = kMostThreads - 1;

template <class Condition>
bool spin_until(const Condition& condition) {
  for (int i = 0; i < kSpins; ++i) {
    if (condition()) return true;
    hwy::Pause();
  }
  return false;
}

// A parallel call, on its caller's stack until the last helper has left. The caller works on it,
// too.
class Jobs {
 public:
  Jobs(std::size_t count, Progress* progress, const std::function<void(std::size_t)>& body)
      : count_(count), progress_(progress), body_(body) {}

  std::size_t wanted = 0;              // helpers still needed; guarded by the pool's mutex
  std::atomic<std::size_t> active{0};  // working helpers; written under the pool's mutex

  // Runs jobs until none is left; called on several threads.
  void work() {
    const PartOfWork part(work_);
    while (!cancelled()) {
      const std::size_t job = next_.fetch_add(1);
      if (job >= count_) return;
      try {
        stop_if_cancelled();
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
  bool cancelled() const { return is_cancelled(progress_); }

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
  const Progress* work_ = work_of_thread;  // of the caller
  const std::function<void(std::size_t)>& body_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

// Threads that help callers. Never destroyed: its threads sleep at exit.
class Pool {
 public:
  static Pool& shared() {
    static Pool& pool = *new Pool;  // NOLINT(cppcoreguidelines-owning-memory): see above
    return pool;
  }

  void open(Jobs& call) {
    const std::lock_guard lock(mutex_);
    grow(call.wanted);
    calls_.push_back(&call);
    ++opened_;
    for (std::size_t i = 0; i < std::min(call.wanted, sleeping_); ++i) called_.notify_one();
  }

  // Returns when all helpers have left.
  void close(Jobs& call) {
    {
      const std::lock_guard lock(mutex_);
      std::erase(calls_, &call);
    }
    spin_until([&] { return call.active == 0; });
    std::unique_lock lock(mutex_);
    left_.wait(lock, [&] { return call.active == 0; });
  }

 private:
  void grow(std::size_t wanted) {
    try {
      while (helpers_ < std::min(wanted, kMostHelpers)) {
        std::thread([this] { help(); }).detach();
        ++helpers_;
      }
    } catch (const std::system_error&) {
      // If no more threads can be created, the existing ones do the work.
    }
  }

  // Precondition here and below: the mutex is held.
  Jobs* call_in_need() {
    const auto found = std::ranges::find_if(calls_, [](const Jobs* c) { return c->wanted > 0; });
    return found == calls_.end() ? nullptr : *found;
  }

  void help(Jobs& call, std::unique_lock<std::mutex>& lock) {
    --call.wanted;
    ++call.active;
    lock.unlock();
    call.work();
    lock.lock();
    if (--call.active == 0) left_.notify_all();
  }

  void wait_for_call(std::unique_lock<std::mutex>& lock) {
    const std::uint64_t seen = opened_;
    lock.unlock();
    const bool is_called = spin_until([&] { return opened_ != seen; });
    lock.lock();
    if (is_called || opened_ != seen) return;
    ++sleeping_;
    called_.wait(lock, [&] { return opened_ != seen; });
    --sleeping_;
  }

  [[noreturn]] void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (Jobs* call = call_in_need()) {
        help(*call, lock);
      } else {
        wait_for_call(lock);
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable called_, left_;
  std::vector<Jobs*> calls_;              // oldest first
  std::atomic<std::uint64_t> opened_{0};  // number of calls so far
  std::size_t helpers_ = 0, sleeping_ = 0;
};

std::atomic<unsigned> g_chosen_threads{0};  // 0: number of processors

}  // namespace

PartOfWork::PartOfWork(const Progress* progress)
    : before_(std::exchange(work_of_thread, progress)) {}

PartOfWork::~PartOfWork() { work_of_thread = before_; }

void stop_if_cancelled() {
  if (is_cancelled(work_of_thread)) throw Cancelled();
}

void use_threads(unsigned threads) { g_chosen_threads = threads; }

// Querying the system takes longer than small jobs.
unsigned threads_in_use() {
  static const unsigned kThreads = std::max(1U, std::thread::hardware_concurrency());
  const unsigned chosen = g_chosen_threads;
  return chosen == 0 ? kThreads : chosen;
}

bool parallel_for(std::size_t count, unsigned threads, Progress* progress,
                  const std::function<void(std::size_t)>& body) {
  Jobs jobs(count, progress, body);
  const std::size_t workers =
      std::min<std::size_t>(threads == 0 ? threads_in_use() : threads, count);
  if (workers <= 1) {
    jobs.work();
    return jobs.finish();
  }
  jobs.wanted = workers - 1;
  Pool::shared().open(jobs);
  jobs.work();
  Pool::shared().close(jobs);
  return jobs.finish();
}

}  // namespace attn
