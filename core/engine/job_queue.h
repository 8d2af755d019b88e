// One background worker: runs jobs in order, drops what is stale, never blocks the caller.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/progress.h"

namespace attn {

// Thread-safe. Jobs get their Progress and should look at `cancelled`.
class JobQueue {
 public:
  using Job = std::function<void(Progress&)>;

  JobQueue();
  ~JobQueue();  // cancels what runs and joins
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  // Queues `job`. A queued or running job of the same non-empty `lane` is cancelled first: only the
  // newest of a lane counts.
  void submit(std::string lane, std::string label, Job job);

  struct Status {
    std::string label;  // of the running job, empty when idle
    float fraction = 0.0F;
    std::size_t waiting = 0;
  };
  Status status() const;
  void cancel_running();
  // Drops what waits in the lane, and cancels what runs there.
  void cancel(const std::string& lane);
  void wait_until_idle();

 private:
  struct Entry {
    std::string lane;
    std::string label;
    Job job;
    std::shared_ptr<Progress> progress;
  };
  void run();
  void drop(const std::string& lane);  // the mutex is held

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> waiting_;
  std::shared_ptr<Entry> running_;
  bool stopping_ = false;
  std::thread worker_;
};

}  // namespace attn
