// Lets work end within a step of its Progress when nobody wants it any more: where that is asked
// for, CalledOff is thrown, so that nothing is kept that was not finished. Internal to the engine,
// but for who runs jobs.
#pragma once

#include <exception>

#include "base/progress.h"

namespace attn {

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

// Of the work that this thread is at; null: of none.
const Progress* present_work();

// Throws CalledOff when that was cancelled. To be asked every few milliseconds.
void stop_if_called_off();

}  // namespace attn
