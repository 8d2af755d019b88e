// Thread pool of parallel_for: nested calls, calls from several threads, waking after sleep.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/kernels/parallel.h"

namespace attn::test {
namespace {

TEST(ThreadPool, RunsNestedCalls) {
  std::atomic<int> runs{0};
  EXPECT_TRUE(parallel_for(6, 3, nullptr, [&](std::size_t) {
    EXPECT_TRUE(parallel_for(5, 3, nullptr, [&](std::size_t) {
      EXPECT_TRUE(parallel_for(4, 2, nullptr, [&](std::size_t) { ++runs; }));
    }));
  }));
  EXPECT_EQ(runs, 6 * 5 * 4);
}

TEST(ThreadPool, ServesSeveralCallersAtOnce) {
  std::atomic<int> runs{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int call = 0; call < 200; ++call) {
        EXPECT_TRUE(parallel_for(7, 4, nullptr, [&](std::size_t) { ++runs; }));
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(runs, 4 * 200 * 7);
}

TEST(ThreadPool, HandsResultsToTheCaller) {
  for (int call = 0; call < 500; ++call) {
    std::vector<int> results(50);  // not atomic
    parallel_for(50, 4, nullptr,
                 [&](std::size_t job) { results[job] = static_cast<int>(job) + call; });
    for (std::size_t job = 0; job < 50; ++job)
      ASSERT_EQ(results[job], static_cast<int>(job) + call);
  }
}

// Several threads help, also after sleeping: each job waits for another.
TEST(ThreadPool, WakesItsThreads) {
  for (int call = 0; call < 3; ++call) {
    std::atomic<int> present{0};
    EXPECT_TRUE(parallel_for(3, 3, nullptr, [&](std::size_t) {
      ++present;
      while (present < 3) std::this_thread::yield();
    }));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST(ThreadPool, WorksAfterAnException) {
  EXPECT_THROW(parallel_for(100, 4, nullptr, [](std::size_t) { throw std::runtime_error("no"); }),
               std::runtime_error);
  std::atomic<int> runs{0};
  EXPECT_TRUE(parallel_for(100, 4, nullptr, [&](std::size_t) { ++runs; }));
  EXPECT_EQ(runs, 100);
}

}  // namespace
}  // namespace attn::test
