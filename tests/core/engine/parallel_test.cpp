// Parallel loops: all jobs, once each, until cancelled.
#include "engine/kernels/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace attn::test {
namespace {

TEST(ParallelFor, RunsEveryJobOnce) {
  for (const unsigned threads : {0U, 1U, 2U, 5U}) {
    std::vector<std::atomic<int>> runs(37);
    EXPECT_TRUE(parallel_for(37, threads, nullptr, [&](std::size_t job) { ++runs[job]; }));
    for (const auto& count : runs) EXPECT_EQ(count, 1);
  }
  EXPECT_TRUE(parallel_for(0, 2, nullptr, [](std::size_t) { FAIL(); }));
}

TEST(ParallelFor, AsManyAsThereAreMayBeChosen) {
  const std::thread::id own = std::this_thread::get_id();
  use_threads(1);
  EXPECT_TRUE(parallel_for(1000, 0, nullptr,
                           [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), own); }));
  use_threads(2);
  std::atomic<int> arrived{0};
  EXPECT_TRUE(parallel_for(2, 0, nullptr, [&](std::size_t) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();  // each waits for the other
  }));
  use_threads(0);
  EXPECT_EQ(arrived, 2);
}

TEST(ParallelFor, ReportsHowFarItIs) {
  Progress progress;
  EXPECT_TRUE(parallel_for(4, 1, &progress, [&](std::size_t job) {
    EXPECT_EQ(progress.fraction, static_cast<float>(job) / 4.0F);
  }));
  EXPECT_EQ(progress.fraction, 1.0F);
}

TEST(ProgressPart, IsAPartOfThePartBefore) {
  Progress progress;
  {
    const ProgressPart second_half(&progress, 0.5F, 0.5F);
    progress.report(0.5F);
    EXPECT_EQ(progress.fraction, 0.75F);
    {
      const ProgressPart first_quarter(&progress, 0.0F, 0.25F);
      progress.report(1.0F);
      EXPECT_EQ(progress.fraction, 0.625F);
    }
    progress.report(0.5F);
    EXPECT_EQ(progress.fraction, 0.75F);
  }
  EXPECT_EQ(progress.fraction, 1.0F);
  const ProgressPart without(nullptr, 0.0F, 1.0F);
}

TEST(ParallelFor, StopsWhenCancelled) {
  Progress progress;
  std::atomic<int> runs{0};
  EXPECT_FALSE(parallel_for(1000, 2, &progress, [&](std::size_t) {
    ++runs;
    progress.cancelled = true;
  }));
  EXPECT_LT(runs, 10);
}

TEST(ParallelFor, CancellingAfterTheLastJobIsTooLate) {
  Progress progress;
  EXPECT_TRUE(parallel_for(3, 1, &progress, [&](std::size_t job) {
    if (job == 2) progress.cancelled = true;
  }));
}

TEST(ParallelFor, ThrowsTheExceptionOfABodyToTheCaller) {
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<int> runs{0};
    EXPECT_THROW(parallel_for(1000, threads, nullptr,
                              [&](std::size_t) {
                                ++runs;
                                throw std::runtime_error("no");
                              }),
                 std::runtime_error);
    EXPECT_LT(runs, 10);
  }
}

}  // namespace
}  // namespace attn::test
