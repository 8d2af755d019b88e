// Worker thread of the queue.
#include "engine/job_queue.h"

#include <algorithm>
#include <utility>

#include "engine/kernels/parallel.h"

namespace attn {
namespace {

JobQueue::Outcome outcome_of(const JobQueue::Job& job, Progress& progress) {
  const PartOfWork work(&progress);
  try {
    return job(progress);
  } catch (...) {
    return {};
  }
}

void hand_over(const JobQueue::Outcome& outcome) {
  try {
    if (outcome.hand_over) outcome.hand_over();
  } catch (...) {
    // Out of memory for a result counts as a dropped job.
  }
}

}  // namespace

JobQueue::JobQueue() : worker_([this] { run(); }) {}

JobQueue::~JobQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting_.clear();
    if (running_) running_->progress->cancelled = true;
  }
  changed_.notify_all();
  worker_.join();
}

void JobQueue::submit(std::string key, std::string label, Job job, unsigned priority,
                      AtEnd at_end) {
  {
    const std::lock_guard lock(mutex_);
    if (!key.empty()) drop_if([&](const Entry& entry) { return entry.key == key; });
    preempt_running(priority);
    insert(std::make_shared<Entry>(
        Entry{std::move(key), std::move(label), std::move(job), priority, at_end}));
  }
  changed_.notify_all();
}

JobQueue::Status JobQueue::status() const {
  const std::lock_guard lock(mutex_);
  Status status;
  status.waiting = waiting_.size();
  if (running_) {
    status.label = running_->label;
    status.fraction = running_->progress->fraction;
  }
  return status;
}

void JobQueue::cancel_running() {
  const std::lock_guard lock(mutex_);
  if (running_) running_->progress->cancelled = true;
}

void JobQueue::cancel(const std::string& key) {
  cancel_if([&](const Entry& entry) { return entry.key == key; });
}

void JobQueue::cancel_all() {
  cancel_if([](const Entry& entry) { return entry.at_end == AtEnd::Dropped; });
}

template <class Predicate>
void JobQueue::cancel_if(const Predicate& unwanted) {
  {
    const std::lock_guard lock(mutex_);
    drop_if(unwanted);
  }
  changed_.notify_all();
}

template <class Predicate>
void JobQueue::drop_if(const Predicate& unwanted) {
  std::erase_if(waiting_, [&](const EntryPtr& entry) { return unwanted(*entry); });
  if (!running_ || !unwanted(*running_)) return;
  running_->dropped = true;
  running_->progress->cancelled = true;
}

// Does not affect jobs cancelled for other reasons.
void JobQueue::preempt_running(unsigned priority) {
  if (!running_ || running_->priority <= priority || running_->progress->cancelled) return;
  running_->preempted = true;
  running_->progress->cancelled = true;
}

void JobQueue::insert(EntryPtr entry) {
  const auto place = std::ranges::upper_bound(waiting_, entry->priority, {}, &Entry::priority);
  waiting_.insert(place, std::move(entry));
}

bool JobQueue::begins_anew(const EntryPtr& entry, const Outcome& outcome) {
  if (!entry->preempted || entry->dropped || outcome.finished || stopping_) return false;
  entry->preempted = false;
  entry->progress = std::make_shared<Progress>();
  insert(entry);
  return true;
}

void JobQueue::wait_until_idle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.empty() && !running_; });
}

void JobQueue::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    running_ = std::move(waiting_.front());
    waiting_.pop_front();
    const EntryPtr entry = running_;
    lock.unlock();
    Outcome outcome = outcome_of(entry->job, *entry->progress);
    lock.lock();
    const bool again = begins_anew(entry, outcome);
    const bool wanted = !again && !entry->dropped;
    lock.unlock();
    if (wanted) hand_over(outcome);
    outcome = {};
    if (!again) entry->job = nullptr;  // frees the job's captures outside of the lock
    lock.lock();
    running_.reset();
    changed_.notify_all();
  }
}

}  // namespace attn
