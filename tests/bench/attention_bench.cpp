// Attention of 12 heads in float, weights and outputs written, buffers reused, compared with the
// peak of multiply-adds that the same run measures.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/kernels/instruction_sets.h"
#include "engine/kernels/packed_product.h"
#include "engine/kernels/parallel.h"
#include "median.h"
#include "multiply_add_peak.h"
#include "whole_heads.h"

namespace attn {
namespace {

// Chooses an instruction set before anything is measured, as the program does, and prints the
// available ones, the best first.
[[maybe_unused]] const bool kForced = [] {
  std::string names;
  for (const std::string& name : instruction_sets()) names += (names.empty() ? "" : " ") + name;
  benchmark::AddCustomContext("instruction_sets", names);
  const char* forced = std::getenv("ATTNSCOPE_INSTRUCTIONS");
  return forced != nullptr && use_instruction_set(forced);
}();

constexpr std::size_t kHeads = 12;
constexpr std::size_t kWidth = 64;

struct Problem {
  Problem(std::size_t tokens, bool causal)
      : n(tokens),
        inputs(3 * kHeads * n * kWidth),
        weights(kHeads * n * n),
        output(kHeads * n * kWidth) {
    Random random(1);
    for (float& value : inputs.values()) value = random.normal();
    std::ranges::fill(weights.values(), 0.0F);
    std::ranges::fill(output.values(), 0.0F);
    rules.scale = 0.125F;
    if (causal) rules.seen = [](std::size_t q) { return KeySpan{0, q + 1}; };
    for (std::size_t head = 0; head < kHeads; ++head) tasks.push_back(task(head));
  }

  HeadTask task(std::size_t head) const {
    const auto in = [&](std::size_t number) {
      return MatrixView{inputs.data() + (number * kHeads + head) * n * kWidth, n, kWidth, kWidth};
    };
    return {in(0),
            in(1),
            in(2),
            &rules,
            {weights.data() + head * n * n, n, n, n},
            {output.data() + head * n * kWidth, n, kWidth, kWidth}};
  }

  // Operations of both products, counting only visible cells.
  double operations() const {
    const auto size = static_cast<double>(n);
    const double cells = rules.seen ? size * (size + 1.0) / 2.0 : size * size;
    return 4.0 * static_cast<double>(kHeads * kWidth) * cells;
  }

  std::size_t n;
  FloatBuffer inputs, weights, output;
  LogitRules rules;
  std::vector<HeadTask> tasks;
  AttentionBuffers buffers;
};

// CPU time of the calling thread or, with several threads, wall time.
double seconds(unsigned threads) {
  timespec time{};
  ::clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Shares are of the best round and the best peak, on which other work of the machine has the least
// effect.
template <class Work>
void run(benchmark::State& state, unsigned threads, double operations, Work work) {
  const int calls = static_cast<int>(1.0 + 2e7 / operations);
  std::vector<double> rounds;
  work();
  const double before = multiply_add_peak(threads);
  for (auto _ : state) {
    const double start = seconds(threads);
    for (int i = 0; i < calls; ++i) work();
    rounds.push_back((seconds(threads) - start) / calls);
  }
  const double best = std::ranges::min(rounds);
  const double peak = std::max(before, multiply_add_peak(threads));
  state.counters["median_us"] = median(rounds) * 1e6;
  state.counters["best_us"] = best * 1e6;
  state.counters["GFLOPs"] = operations / best / 1e9;
  state.counters["peak"] = peak;
  state.counters["share%"] = operations / best / 1e9 / peak * 100.0;
}

void attention(benchmark::State& state) {
  const auto threads = static_cast<unsigned>(state.range(1));
  Problem problem(static_cast<std::size_t>(state.range(0)), state.range(2) != 0);
  run(state, threads, problem.operations(),
      [&] { attend_heads(problem.tasks, threads, problem.buffers); });
}
BENCHMARK(attention)
    ->ArgNames({"n", "threads", "causal"})
    ->ArgsProduct({{16, 64, 512, 1024, 2048, 4096}, {1, 2}, {0, 1}})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

// Scores of one head from packed keys.
void packed_scores(benchmark::State& state) {
  Problem problem(static_cast<std::size_t>(state.range(0)), false);
  const HeadTask& head = problem.tasks.front();
  PackedPanels keys;
  keys.pack_rows(head.keys);
  run(state, 1, problem.operations() / 2.0 / kHeads,
      [&] { multiply_packed(head.queries, keys, 0, head.weights); });
}
BENCHMARK(packed_scores)->ArgName("n")->Arg(16)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);

void packed_output(benchmark::State& state) {
  Problem problem(static_cast<std::size_t>(state.range(0)), false);
  const HeadTask& head = problem.tasks.front();
  PackedPanels values;
  values.pack_columns(head.values);
  run(state, 1, problem.operations() / 2.0 / kHeads,
      [&] { multiply_packed(view_of(head.weights), values, 0, head.output); });
}
BENCHMARK(packed_output)->ArgName("n")->Arg(16)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);

void pack_keys(benchmark::State& state) {
  Problem problem(static_cast<std::size_t>(state.range(0)), false);
  PackedPanels keys;
  for (auto _ : state) keys.pack_rows(problem.tasks.front().keys);
}
BENCHMARK(pack_keys)->ArgName("n")->Arg(16)->Arg(512)->Unit(benchmark::kMicrosecond);

template <class Row>
void measure_row(benchmark::State& state, Row row) {
  std::vector<float> cells(static_cast<std::size_t>(state.range(0)));
  Random random(2);
  for (float& cell : cells) cell = -std::abs(random.normal());
  std::vector<float> out(cells);
  for (auto _ : state) {
    row(cells, out);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.counters["cells"] = benchmark::Counter(static_cast<double>(cells.size()),
                                               benchmark::Counter::kIsIterationInvariantRate);
}

void exponential_row(benchmark::State& state) {
  measure_row(state, [](auto& in, auto& out) { exponentials(in, 0.0F, out); });
}
BENCHMARK(exponential_row)->ArgName("cells")->Arg(16)->Arg(512)->Arg(4096);

void softcap_of_row(benchmark::State& state) {
  measure_row(state, [](auto& in, auto& out) { softcap_row(in, 5.0F, out); });
}
BENCHMARK(softcap_of_row)->ArgName("cells")->Arg(512);

void summary_of_row(benchmark::State& state) {
  measure_row(state, [](auto& in, auto& out) { out[0] = summary_of(in).low; });
}
BENCHMARK(summary_of_row)->ArgName("cells")->Arg(512);

}  // namespace
}  // namespace attn
