// Maps of long sequences: the whole one pooled, and a part of it cell by cell. Read as plots read
// them, with memory taken and threads woken as in the program.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/compute.h"
#include "engine/matrix/matrix.h"
#include "engine/matrix/pool.h"
#include "median.h"
#include "multiply_add_peak.h"

namespace attn {
namespace {

constexpr std::size_t kHeadWidth = 64;
constexpr std::size_t kPixels = 1024;

Tensor random_head(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(rows * kHeadWidth);
  for (float& value : values) value = random.normal();
  return Tensor({1, 1, rows, kHeadWidth}, std::move(values));
}

AttentionProblem one_head(std::size_t tokens, bool causal) {
  AttentionProblem problem;
  problem.shape = {1, 1, 1, 1, tokens, tokens, kHeadWidth, kHeadWidth, 0, 0};
  problem.q = random_head(tokens, 1);
  problem.k = random_head(tokens, 2);
  problem.v = random_head(tokens, 3);
  problem.mask.causal = causal;
  return problem;
}

MatrixPtr weights_of(const AttentionProblem& problem) {
  return stage_matrix(compute(problem).value(), {Stage::Weights, {}});
}

// Operations of the scores of all visible cells, once.
double operations(std::size_t tokens, bool causal) {
  const auto n = static_cast<double>(tokens);
  return 2.0 * kHeadWidth * (causal ? n * (n + 1.0) / 2.0 : n * n);
}

double peak_of_all() { return multiply_add_peak(std::thread::hardware_concurrency()); }

// Draws the picture from the numbers; no sums of rows are cached.
void overview(benchmark::State& state) {
  const auto tokens = static_cast<std::size_t>(state.range(0));
  const AttentionProblem problem = one_head(tokens, state.range(1) != 0);
  const double before = peak_of_all();
  measure_rounds(state, [&] {
    PooledCells cells = pooled_by_rows(*weights_of(problem), {0, 0, tokens, tokens}, kPixels,
                                       kPixels, Pooling::Maximum);
    benchmark::DoNotOptimize(cells);
  });
  const double peak = std::max(before, peak_of_all());
  const double rate = operations(tokens, state.range(1) != 0) / state.counters["median_us"] / 1e3;
  state.counters["GFLOPs"] = rate;
  state.counters["peak"] = peak;
  state.counters["share%"] = rate / peak * 100.0;
}
BENCHMARK(overview)
    ->ArgNames({"tokens", "causal"})
    ->Args({16384, 0})
    ->Args({16384, 1})
    ->Args({131072, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Draws a part whose sums of rows are cached; another part each time, so that its cells are not.
void exact_tile(benchmark::State& state) {
  const auto tokens = static_cast<std::size_t>(state.range(0));
  const MatrixPtr weights = weights_of(one_head(tokens, false));
  CellRange tile{tokens / 2, 0, kPixels, kPixels};
  const auto read = [&] {
    return pooled_by_rows(*weights, tile, kPixels, kPixels, Pooling::Maximum);
  };
  read();
  measure_rounds(state, [&] {
    tile.col = (tile.col + 3331) % (tokens - kPixels);
    PooledCells cells = read();
    benchmark::DoNotOptimize(cells);
  });
}
BENCHMARK(exact_tile)
    ->ArgName("tokens")
    ->Arg(16384)
    ->Arg(131072)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Measures the present rate of multiply-adds.
void peak(benchmark::State& state) {
  double best = 0.0;
  for (auto _ : state) best = std::max(best, peak_of_all());
  state.counters["peak"] = best;
}
BENCHMARK(peak)->Iterations(3)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace attn
