// Runs queued jobs on one thread and hands their results back in order.
#include "engine/job_queue.h"

#include <utility>

namespace attn {

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

void JobQueue::submit(std::string lane, std::string label, Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (!lane.empty()) drop(lane);
    waiting_.push_back(
        {std::move(lane), std::move(label), std::move(job), std::make_shared<Progress>()});
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

void JobQueue::cancel(const std::string& lane) {
  {
    const std::lock_guard lock(mutex_);
    drop(lane);
  }
  changed_.notify_all();
}

void JobQueue::drop(const std::string& lane) {
  std::erase_if(waiting_, [&](const Entry& entry) { return entry.lane == lane; });
  if (running_ && running_->lane == lane) running_->progress->cancelled = true;
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
    running_ = std::make_shared<Entry>(std::move(waiting_.front()));
    waiting_.pop_front();
    const std::shared_ptr<Entry> entry = running_;
    lock.unlock();
    entry->job(*entry->progress);
    entry->job = nullptr;  // what the job holds is released here, not under the lock
    lock.lock();
    running_.reset();
    changed_.notify_all();
  }
}

}  // namespace attn
