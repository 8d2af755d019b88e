// Parallel loops over independent jobs, and cancellation within a step of a Progress. Internal to
// the engine, except for code that runs jobs.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>

#include "base/progress.h"

namespace attn {

// Reports `done` of `all` within the present part. `progress` may be null, here and below.
inline void report(Progress* progress, std::size_t done, std::size_t all) {
  if (progress != nullptr) progress->report(static_cast<float>(done) / static_cast<float>(all));
}

struct Cancelled : std::exception {
  const char* what() const noexcept override { return "the computation was stopped"; }
};

// Makes the calling thread work for `progress` (may be null) until it is destroyed.
class PartOfWork {
 public:
  explicit PartOfWork(const Progress* progress);
  ~PartOfWork();
  PartOfWork(const PartOfWork&) = delete;
  PartOfWork& operator=(const PartOfWork&) = delete;

 private:
  const Progress* before_;
};

// Throws Cancelled if this thread's work was cancelled. Must be called every few milliseconds.
void stop_if_cancelled();

// Maximum of threads per call: the caller and its helpers.
inline constexpr unsigned kMostThreads = 256;

// Sets the default number of threads; 0: number of processors. Must not be called during
// computation.
void use_threads(unsigned threads);
unsigned threads_in_use();

// Calls body(job) for every job in [0, count) on at most `threads` threads including the caller's
// (0: see use_threads). Reports the share done to the present part of `progress` (may be null).
// Returns false if cancelled before all jobs had run. The first exception of a body stops the rest
// and is rethrown. Reentrant and thread-safe: every caller works itself, helped by the free threads
// of a shared pool.
bool parallel_for(std::size_t count, unsigned threads, Progress* progress,
                  const std::function<void(std::size_t)>& body);

}  // namespace attn
