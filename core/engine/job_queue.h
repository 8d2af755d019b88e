// One background worker: runs jobs in order, drops what is stale, lets short ones go before long
// ones, never blocks the caller.
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

// Thread-safe. Jobs get their Progress and should look at `cancelled`. What they throw ends them
// and nothing else: nobody hears of it, so they had better say it themselves.
class JobQueue {
 public:
  // What a job comes to. `hand_over`, which may be null, is called on the worker's thread, but not
  // for a job that was dropped, nor for one that was set aside unfinished: it runs again.
  struct Outcome {
    bool finished = true;
    std::function<void()> hand_over = nullptr;
  };
  using Job = std::function<Outcome(Progress&)>;
  // What becomes of a job when nobody waits for results any more.
  enum class AtEnd { Dropped, Finished };

  JobQueue();
  ~JobQueue();  // cancels what runs and joins
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  // Queues `job`. A queued or running job of the same non-empty `key` is cancelled first: only the
  // newest of a key counts. Jobs with less priority go first; one that runs with more is stopped
  // and set aside for them, and begins anew afterwards.
  void submit(std::string key, std::string label, Job job, unsigned priority = 0,
              AtEnd at_end = AtEnd::Dropped);

  struct Status {
    std::string label;  // of the running job, empty when idle
    float fraction = 0.0F;
    std::size_t waiting = 0;
  };
  Status status() const;
  void cancel_running();
  // Drops what waits in the key, and cancels what runs there.
  void cancel(const std::string& key);
  // Drops and cancels all jobs but those to be finished.
  void call_off();
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
    bool set_aside = false;
  };
  using EntryPtr = std::shared_ptr<Entry>;
  void run();
  // The mutex is held.
  template <class Predicate>
  void drop_if(const Predicate& unwanted);
  void drop(const std::string& key);
  void set_running_aside(unsigned priority);
  void insert(EntryPtr entry);
  bool begins_anew(const EntryPtr& entry, const Outcome& outcome);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<EntryPtr> waiting_;  // by priority, then by age
  EntryPtr running_;
  bool stopping_ = false;
  std::thread worker_;
};

}  // namespace attn
