// What each thread is working for.
#include "engine/kernels/called_off.h"

#include <utility>

namespace attn {
namespace {

thread_local const Progress* work_of_thread = nullptr;

}  // namespace

PartOfWork::PartOfWork(const Progress* progress)
    : before_(std::exchange(work_of_thread, progress)) {}

PartOfWork::~PartOfWork() { work_of_thread = before_; }

const Progress* present_work() { return work_of_thread; }

void stop_if_called_off() {
  if (work_of_thread != nullptr && work_of_thread->cancelled) throw CalledOff();
}

}  // namespace attn
