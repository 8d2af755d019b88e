// Time from an edit of one number until everything it affects is known again, compared with
// computing all heads.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <vector>

#include "base/random.h"
#include "engine/compute.h"
#include "median.h"

namespace attn {
namespace {

constexpr std::size_t kEditedHeads = 12;
constexpr std::size_t kEditedWidth = 64;

Tensor edited_numbers(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(kEditedHeads * n * kEditedWidth);
  for (float& value : values) value = random.normal();
  return {{1, kEditedHeads, n, kEditedWidth}, std::move(values)};
}

AttentionProblem edited_problem(std::size_t n) {
  AttentionProblem problem;
  problem.shape = {.samples = 1,
                   .heads = kEditedHeads,
                   .kv_heads = kEditedHeads,
                   .n_q = n,
                   .n_k = n,
                   .d_k = kEditedWidth,
                   .d_v = kEditedWidth};
  problem.q = edited_numbers(n, 1);
  problem.k = edited_numbers(n, 2);
  problem.v = edited_numbers(n, 3);
  problem.most_materialised_map_bytes = 0;
  return problem;
}

struct EditedCells {
  Stage stage;
  CellRange range;
};

// Reads `cells` of the first head again and again, each time after another number of the tensor
// was changed. The changed tensors are made beforehand.
void run_edits(benchmark::State& state, Tensor AttentionProblem::*tensor,
               std::vector<EditedCells> cells) {
  AttentionProblem problem = edited_problem(static_cast<std::size_t>(state.range(0)));
  const Tensor first = problem.*tensor;
  const Tensor second = first.with(5 * kEditedWidth + 3, 1.5F);
  ComputeOptions options;
  const auto read = [&] {
    for (const EditedCells& part : cells) {
      std::vector<float> out(part.range.rows * part.range.cols);
      options.before->read(part.stage, {}, part.range, out.data());
      benchmark::DoNotOptimize(out.data());
    }
  };
  options.before = *compute(problem, options);
  for (const EditedCells& part : cells) {
    std::vector<float> all(problem.shape.n_q * options.before->stage_shape(part.stage).cols);
    options.before->read(part.stage, {},
                         {0, 0, problem.shape.n_q, options.before->stage_shape(part.stage).cols},
                         all.data());
  }
  bool is_second = false;
  measure_rounds(state, [&] {
    is_second = !is_second;
    problem.*tensor = is_second ? second : first;
    options.before = *compute(problem, options);
    read();
  });
}

// A row of weights and of the output.
void edit_query(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  run_edits(state, &AttentionProblem::q,
            {{Stage::Weights, {5, 0, 1, n}}, {Stage::Output, {5, 0, 1, kEditedWidth}}});
}
BENCHMARK(edit_query)->ArgName("n")->Arg(512)->Arg(4096)->Unit(benchmark::kMicrosecond);

// Recomputes all rows' sums, and the weights of the key.
void edit_key(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  run_edits(state, &AttentionProblem::k, {{Stage::Weights, {0, 5, n, 1}}});
}
BENCHMARK(edit_key)->ArgName("n")->Arg(512)->Arg(4096)->Unit(benchmark::kMicrosecond);

// Recomputes all rows' sums, and all weights of the head.
void edit_key_and_look_at_all(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  run_edits(state, &AttentionProblem::k, {{Stage::Weights, {0, 0, n, n}}});
}
BENCHMARK(edit_key_and_look_at_all)
    ->ArgName("n")
    ->Arg(512)
    ->Arg(4096)
    ->Unit(benchmark::kMicrosecond);

// A column of the output.
void edit_value(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  run_edits(state, &AttentionProblem::v, {{Stage::Output, {0, 3, n, 1}}});
}
BENCHMARK(edit_value)->ArgName("n")->Arg(512)->Arg(4096)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace attn
