// Things made on several threads and taken in order.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <future>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

namespace attn::cli {

// Calls take(i, make(i)) for i in [0, count) in order, until one returns false. Everything is taken
// on this thread; with several `jobs`, which may throw, things are made on as many others. Few wait
// to be taken.
template <class Made>
void in_order(std::size_t count, std::size_t jobs, const std::function<Made(std::size_t)>& make,
              const std::function<bool(std::size_t, Made)>& take) {
  if (jobs <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count && take(i, make(i)); ++i) continue;
    return;
  }
  std::vector<std::packaged_task<Made()>> tasks;
  for (std::size_t i = 0; i < count; ++i) tasks.emplace_back([&make, i] { return make(i); });
  std::atomic<std::size_t> next = 0;
  std::counting_semaphore free(static_cast<std::ptrdiff_t>(2 * jobs));
  const auto work = [&] {
    for (free.acquire(); next < count; free.acquire()) {
      if (const std::size_t i = next++; i < count) tasks[i]();
    }
  };
  std::vector<std::jthread> workers;
  struct Stop {
    std::atomic<std::size_t>& next;
    std::counting_semaphore<>& free;
    std::size_t count, jobs;
    ~Stop() {
      next = count;
      free.release(static_cast<std::ptrdiff_t>(jobs));
    }
  };
  const Stop stop{next, free, count, jobs};  // before the workers are joined, also when take throws
  for (std::size_t i = 0; i < jobs; ++i) workers.emplace_back(work);
  for (std::size_t i = 0; i < count && take(i, tasks[i].get_future().get()); ++i) free.release();
}

}  // namespace attn::cli
