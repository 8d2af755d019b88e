// Queue of one worker thread: drops stale jobs, orders by priority, never blocks the caller.
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

// Thread-safe. Jobs get a Progress and should poll `cancelled`. An exception ends only its job and
// is not reported; jobs report failures themselves.
class JobQueue {
 public:
  // Result of a job. `hand_over`, which may be null, is called on the worker's thread, unless the
  // job was dropped or preempted; a preempted job runs again.
  struct Outcome {
    bool finished = true;
    std::function<void()> hand_over = nullptr;
  };
  using Job = std::function<Outcome(Progress&)>;
  // Treatment of a job at the end of the program.
  enum class AtEnd { Dropped, Finished };

  JobQueue();
  ~JobQueue();  // cancels the running job and joins
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  // Queues `job` after cancelling queued and running jobs of the same non-empty `key`. Smaller
  // `priority` runs first and preempts a running job of larger, which starts again later.
  void submit(std::string key, std::string label, Job job, unsigned priority = 0,
              AtEnd at_end = AtEnd::Dropped);

  struct Status {
    std::string label;  // of the running job; empty if idle
    float fraction = 0.0F;
    std::size_t waiting = 0;
  };
  Status status() const;
  void cancel_running();
  // Drops queued jobs of the key and cancels the running one.
  void cancel(const std::string& key);
  // Drops or cancels all jobs except AtEnd::Finished ones.
  void cancel_all();
  void wait_until_idle();

 private:
  struct Entry {
    std::string key;
    std::string label;
    Job job;
    unsigned priority = 0;
    AtEnd at_end = AtEnd::Dropped;
    std::shared_ptr<Progress> progress = std::make_shared<Progress>();
    bool dropped = false;
    bool preempted = false;
  };
  using EntryPtr = std::shared_ptr<Entry>;
  void run();
  template <class Predicate>
  void cancel_if(const Predicate& unwanted);
  // Precondition, here and below: the mutex is held.
  template <class Predicate>
  void drop_if(const Predicate& unwanted);
  void preempt_running(unsigned priority);
  void insert(EntryPtr entry);
  bool begins_anew(const EntryPtr& entry, const Outcome& outcome);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<EntryPtr> waiting_;  // by priority, then age
  EntryPtr running_;
  bool stopping_ = false;
  std::thread worker_;
};

}  // namespace attn
