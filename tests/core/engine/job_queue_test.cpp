// Order, cancellation and replacement of jobs.
#include "engine/job_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/kernels/parallel.h"
#include "tests/core/engine/problems.h"

namespace attn::test {
namespace {

using namespace std::chrono_literals;

// A job that signals its start and runs until it is cancelled or released.
class HeldJob {
 public:
  JobQueue::Job job() {
    return [this](Progress& progress) -> JobQueue::Outcome {
      progress.fraction = 0.25F;
      if (runs_++ == 0) started_.set_value();
      while (!progress.cancelled && !let_go_) std::this_thread::sleep_for(1ms);
      cancelled_ = progress.cancelled.load();
      return {let_go_.load(), [this] { ++handed_over_; }};
    };
  }
  void wait_until_started() { started_.get_future().wait(); }
  void let_go() { let_go_ = true; }
  bool was_cancelled() const { return cancelled_; }
  int runs() const { return runs_; }
  int handed_over() const { return handed_over_; }

 private:
  std::promise<void> started_;
  std::atomic<bool> let_go_{false};
  std::atomic<bool> cancelled_{false};
  std::atomic<int> runs_{0}, handed_over_{0};
};

// A job of one step.
template <class Step>
JobQueue::Job job_of(Step step) {
  return [step](Progress& progress) -> JobQueue::Outcome {
    step(progress);
    return {};
  };
}

TEST(JobQueue, RunsJobsInOrder) {
  JobQueue queue;
  std::vector<int> order;  // used by the worker only, until it is idle
  for (int i = 0; i < 20; ++i) {
    queue.submit("", "count", job_of([&order, i](Progress&) { order.push_back(i); }));
  }
  queue.wait_until_idle();
  ASSERT_EQ(order.size(), 20U);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(JobQueue, SaysWhatRunsHowFarItIsAndHowManyWait) {
  JobQueue queue;
  EXPECT_EQ(queue.status().label, "");
  HeldJob held;
  queue.submit("compute", "Computing", held.job());
  held.wait_until_started();
  queue.submit("", "Saving", job_of([](Progress&) {}));
  const JobQueue::Status status = queue.status();
  EXPECT_EQ(status.label, "Computing");
  EXPECT_EQ(status.fraction, 0.25F);
  EXPECT_EQ(status.waiting, 1U);
  held.let_go();
  queue.wait_until_idle();
  EXPECT_EQ(queue.status().label, "");
  EXPECT_EQ(queue.status().waiting, 0U);
  EXPECT_FALSE(held.was_cancelled());
}

TEST(JobQueue, ANewJobOfALaneCancelsTheRunningOne) {
  JobQueue queue;
  HeldJob held;
  queue.submit("compute", "old", held.job());
  held.wait_until_started();
  std::atomic<bool> ran{false};
  queue.submit("compute", "new", job_of([&](Progress& progress) { ran = !progress.cancelled; }));
  queue.wait_until_idle();
  EXPECT_TRUE(held.was_cancelled());
  EXPECT_TRUE(ran);
}

TEST(JobQueue, ANewJobOfALaneReplacesTheWaitingOnesOfThatLaneOnly) {
  JobQueue queue;
  HeldJob held;
  queue.submit("load", "", held.job());
  held.wait_until_started();
  std::mutex mutex;
  std::vector<std::string> ran;
  const auto note = [&](const char* name) {
    return job_of([&, name](Progress&) {
      const std::lock_guard lock(mutex);
      ran.emplace_back(name);
    });
  };
  queue.submit("compute", "", note("compute 1"));
  queue.submit("export", "", note("export"));
  queue.submit("", "", note("save 1"));
  queue.submit("compute", "", note("compute 2"));
  queue.submit("", "", note("save 2"));
  held.let_go();
  queue.wait_until_idle();
  EXPECT_EQ(ran, (std::vector<std::string>{"export", "save 1", "compute 2", "save 2"}));
  EXPECT_FALSE(held.was_cancelled());
}

TEST(JobQueue, CancelsTheRunningJobOnRequest) {
  JobQueue queue;
  queue.cancel_running();  // nothing runs: no effect
  HeldJob held;
  queue.submit("", "", held.job());
  held.wait_until_started();
  queue.cancel_running();
  queue.wait_until_idle();
  EXPECT_TRUE(held.was_cancelled());
}

TEST(JobQueue, SetsALongJobAsideForAShortOneAndBeginsItAnew) {
  JobQueue queue;
  HeldJob held;
  queue.submit("map", "", held.job(), 5);
  held.wait_until_started();
  int runs_before = 0;
  queue.submit("part", "", job_of([&](Progress&) {
                 runs_before = held.runs();
                 held.let_go();
               }),
               2);
  queue.wait_until_idle();
  EXPECT_EQ(runs_before, 1);
  EXPECT_EQ(held.runs(), 2);
  EXPECT_EQ(held.handed_over(), 1) << "no result of the first run";
  EXPECT_FALSE(held.was_cancelled()) << "the second time";
}

TEST(JobQueue, LetsAJobFinishThatIsAsShort) {
  JobQueue queue;
  HeldJob held;
  queue.submit("", "", held.job(), 2);
  held.wait_until_started();
  std::vector<int> order;
  for (const unsigned patience : {3U, 2U, 4U, 2U}) {
    queue.submit("", "",
                 job_of([&, patience](Progress&) { order.push_back(static_cast<int>(patience)); }),
                 patience);
  }
  held.let_go();
  queue.wait_until_idle();
  EXPECT_EQ(held.runs(), 1);
  EXPECT_EQ(order, (std::vector<int>{2, 2, 3, 4}));
}

TEST(JobQueue, AJobThatWasDroppedHandsNothingOver) {
  JobQueue queue;
  HeldJob held;
  queue.submit("map", "", held.job(), 5);
  held.wait_until_started();
  HeldJob part;
  queue.submit("part", "", part.job());  // preempts it
  queue.cancel("map");
  part.let_go();
  queue.wait_until_idle();
  EXPECT_EQ(held.runs(), 1);
  EXPECT_EQ(held.handed_over(), 0);
}

TEST(JobQueue, AJobThatAPersonStoppedSaysSo) {
  JobQueue queue;
  HeldJob held;
  queue.submit("map", "", held.job(), 5);
  held.wait_until_started();
  queue.cancel_running();
  queue.wait_until_idle();
  EXPECT_EQ(held.runs(), 1);
  EXPECT_EQ(held.handed_over(), 1);
}

TEST(JobQueue, LeavingCancelsWhatRunsAndDropsWhatWaits) {
  HeldJob held;
  std::atomic<bool> ran{false};
  {
    JobQueue queue;
    queue.submit("", "", held.job());
    held.wait_until_started();
    queue.submit("", "", job_of([&](Progress&) { ran = true; }));
  }
  EXPECT_TRUE(held.was_cancelled());
  EXPECT_FALSE(ran);
}

TEST(JobQueue, CallingOffLetsFinishWhatIsToBeKept) {
  JobQueue queue;
  HeldJob reading, kept;
  queue.submit("", "", reading.job());
  reading.wait_until_started();
  queue.submit("", "", kept.job(), 0, JobQueue::AtEnd::Finished);
  std::atomic<int> dropped{0}, written{0};
  queue.submit("", "", job_of([&](Progress&) { ++dropped; }));
  queue.submit("", "", job_of([&](Progress&) { ++written; }), 0, JobQueue::AtEnd::Finished);
  queue.cancel_all();
  kept.wait_until_started();
  queue.cancel_all();
  EXPECT_FALSE(kept.was_cancelled());
  kept.let_go();
  queue.wait_until_idle();
  EXPECT_TRUE(reading.was_cancelled());
  EXPECT_EQ(reading.handed_over(), 0);
  EXPECT_EQ(kept.handed_over(), 1);
  EXPECT_EQ(dropped, 0);
  EXPECT_EQ(written, 1);
}

TEST(JobQueue, WhatAJobThrowsEndsItAlone) {
  JobQueue queue;
  queue.submit("", "", [](Progress&) -> JobQueue::Outcome { throw std::bad_alloc(); });
  queue.submit("", "", [](Progress&) -> JobQueue::Outcome {
    return {true, [] { throw std::runtime_error("no room in the inbox"); }};
  });
  std::atomic<bool> ran{false};
  queue.submit("", "", job_of([&](Progress&) { ran = true; }));
  queue.wait_until_idle();
  EXPECT_TRUE(ran);
}

TEST(JobQueue, TakesJobsFromSeveralThreads) {
  JobQueue queue;
  std::atomic<int> count{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        queue.submit("", "count", job_of([&](Progress&) { ++count; }));
        (void)queue.status();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  queue.wait_until_idle();
  EXPECT_EQ(count, 200);
}

TEST(JobQueue, ReleasesWhatAJobHoldsWhenItIsDone) {
  JobQueue queue;
  auto held = std::make_shared<int>(1);
  queue.submit("", "", job_of([held](Progress&) {}));
  queue.wait_until_idle();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(JobQueue, WorkThatNobodyWantsEndsWithinAStep) {
  JobQueue queue;
  std::promise<void> started;
  std::atomic<bool> finished{false};
  const auto ask_for_ever = [] {
    for (;;) stop_if_cancelled();
  };
  queue.submit("lane", "", job_of([&](Progress&) {
                 started.set_value();
                 parallel_for(4, 4, nullptr, [&](std::size_t) { ask_for_ever(); });
                 finished = true;
               }));
  started.get_future().wait();
  queue.cancel("lane");
  queue.wait_until_idle();
  EXPECT_FALSE(finished) << "nothing goes on with what was not finished";
  stop_if_cancelled();  // of this thread, which was not cancelled
}

TEST(JobQueue, AComputationOfManyHiddenUnitsEndsSoon) {
  constexpr std::size_t kTokens = 4096, kWidth = 4, kUnits = 4096;
  Random random(1);
  AttentionProblem problem = qkv_problem(1, 1, kTokens, kTokens, kWidth, 1);
  problem.scoring.function = ScoringFunction::Additive;
  problem.scoring.w_query = random_tensor({kUnits, kWidth}, random);
  problem.scoring.w_key = random_tensor({kUnits, kWidth}, random);
  problem.scoring.v = random_tensor({kUnits}, random);
  problem.shape.d_a = kUnits;
  JobQueue queue;
  std::promise<void> started;
  bool is_complete = false;
  queue.submit("lane", "", [&](Progress& progress) -> JobQueue::Outcome {
    started.set_value();
    ComputeOptions options;
    options.progress = &progress;
    const Result<ResultPtr> result = compute(problem, options);
    if (result) {
      std::vector<float> cells(kTokens * kTokens);
      (*result)->read(Stage::Masked, {}, {0, 0, kTokens, kTokens}, cells.data());
    }
    is_complete = result.ok();
    return {};
  });
  started.get_future().wait();
  std::this_thread::sleep_for(300ms);
  queue.cancel("lane");
  queue.wait_until_idle();
  EXPECT_FALSE(is_complete);
}

}  // namespace
}  // namespace attn::test
