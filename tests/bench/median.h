// The median of measurements, which a disturbed round does not change.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace attn {

inline double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Calls work() in every round and reports the median as the counter "median_us".
template <class Work>
void measure_rounds(benchmark::State& state, Work work) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> rounds;
  for (auto _ : state) {
    const auto start = Clock::now();
    work();
    rounds.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  state.counters["median_us"] = median(rounds);
}

}  // namespace attn
