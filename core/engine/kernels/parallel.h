// Independent jobs over a few threads, and how work ends within a step of its Progress once it
// is cancelled. Internal to the engine, but for who runs jobs.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>

#include "base/progress.h"

namespace attn {

// `progress` may be null, here and below.
inline bool is_cancelled(const Progress* progress) {
  return progress != nullptr && progress->cancelled;
}

// So many of all are done, of the present part.
inline void report(Progress* progress, std::size_t done, std::size_t all) {
  if (progress != nullptr) progress->report(static_cast<float>(done) / static_cast<float>(all));
}

struct CalledOff : std::exception {
  const char* what() const noexcept override { return "the computation was stopped"; }
};

// While it lives, what this thread does is part of the work of `progress` (may be null).
class PartOfWork {
 public:
  explicit PartOfWork(const Progress* progress);
  ~PartOfWork();
  PartOfWork(const PartOfWork&) = delete;
  PartOfWork& operator=(const PartOfWork&) = delete;

 private:
  const Progress* before_;
};

// Throws CalledOff when the work that this thread is at was cancelled. To be asked every few
// milliseconds.
void stop_if_called_off();

// The most threads that work on one call: the caller and its helpers.
inline constexpr unsigned kMostThreads = 256;

// How many threads "as many as the machine has" means from now on; 0: as many as it has. Not while
// anything computes.
void use_threads(unsigned threads);
unsigned threads_in_use();

// Calls body(job) once for every job in [0, count), on at most `threads` threads of which the
// caller's is one (0: as many as the machine has, see use_threads). Reports the share done to
// `progress` (may be null), of its present part. Returns false when it was cancelled before all
// jobs had run. The first exception of a body stops the rest and is thrown again here. The other
// threads are kept for the next call; bodies may call this again, and so may several threads at
// once: whoever calls works itself, and is helped by those that are free.
bool parallel_for(std::size_t count, unsigned threads, Progress* progress,
                  const std::function<void(std::size_t)>& body);

}  // namespace attn
