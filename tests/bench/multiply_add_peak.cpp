// Multiplies and adds in registers, without memory.
#include "multiply_add_peak.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "engine/kernels/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/multiply_add_peak.cpp"
#include <hwy/foreach_target.h>  // reads this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 16>;
constexpr std::size_t kSums = 12;

// Returns the operations that it did, on numbers that start with *out, which no compiler knows.
double multiply_and_add(std::size_t times, float* out) {
  const Tag tag;
  const auto factor = hn::Set(tag, 0.5F);
  hn::Vec<Tag> sums[kSums];
  for (std::size_t i = 0; i < kSums; ++i) sums[i] = hn::Set(tag, *out + static_cast<float>(i));
  for (std::size_t t = 0; t < times; ++t) {
    for (std::size_t i = 0; i < kSums; ++i) sums[i] = hn::MulAdd(sums[i], factor, factor);
  }
  auto total = sums[0];
  for (std::size_t i = 1; i < kSums; ++i) total = hn::Add(total, sums[i]);
  *out = hn::GetLane(total);
  return 2.0 * static_cast<double>(times * kSums * hn::Lanes(tag));
}

}  // namespace
}  // namespace attn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(multiply_and_add);

constexpr std::size_t kTimes = 1'000'000;

double one_try(unsigned threads) {
  std::vector<double> rates(threads);
  parallel_for(threads, threads, nullptr, [&](std::size_t job) {
    float out = 0.25F;
    benchmark::DoNotOptimize(out);
    const auto start = std::chrono::steady_clock::now();
    const double operations = HWY_DYNAMIC_DISPATCH(multiply_and_add)(kTimes, &out);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    benchmark::DoNotOptimize(out);
    rates[job] = operations / time.count() / 1e9;
  });
  double sum = 0.0;
  for (const double rate : rates) sum += rate;
  return sum;
}

}  // namespace

double multiply_add_peak(unsigned threads) {
  double best = 0.0;
  for (int i = 0; i < 5; ++i) best = std::max(best, one_try(threads));
  return best;
}

}  // namespace attn
#endif
