// Time to compute every stage, from an edited cell or from a problem.
#include <benchmark/benchmark.h>

#include <vector>

#include "base/random.h"
#include "document/edit.h"
#include "document/problem.h"
#include "engine/compute.h"

namespace attn {
namespace {

Tensor random_tensor(Shape shape, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(element_count(shape));
  for (float& value : values) value = random.normal();
  return Tensor(std::move(shape), std::move(values));
}

AttentionProblem qkv_problem(std::size_t heads, std::size_t n, std::size_t d) {
  AttentionProblem problem;
  problem.shape = {1, 1, heads, heads, n, n, d, d, 0, 0};
  problem.q = random_tensor({1, heads, n, d}, 1);
  problem.k = random_tensor({1, heads, n, d}, 2);
  problem.v = random_tensor({1, heads, n, d}, 3);
  return problem;
}

void run(benchmark::State& state, const AttentionProblem& problem, const ComputeOptions& options) {
  for (auto _ : state) {
    Result<ResultPtr> result = compute(problem, options);
    benchmark::DoNotOptimize(result);
  }
}

// 12 heads of width 64, as in GPT-2.
void compute_qkv(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  run(state, qkv_problem(12, n, 64), {.threads = static_cast<unsigned>(state.range(1))});
}
BENCHMARK(compute_qkv)
    ->ArgNames({"n", "threads"})
    ->ArgsProduct({{8, 128, 512, 2048}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

// A cell of Q is edited in the document: the next document, its problem, every stage.
void edit_to_result(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const AttentionProblem problem = qkv_problem(12, n, 64);
  Document document;
  document.query_tokens = {TokenList(n, "token")};
  document.model = GivenQkv{problem.q, problem.k, problem.v};
  const MatrixRef query{"/q", {0, 0, 3}};
  float value = 0.0F;
  for (auto _ : state) {
    document = *with_cell(document, query, 5, 7, value += 0.01F);
    Result<ResultPtr> result = compute(make_problem(document));
    benchmark::DoNotOptimize(result);
  }
}
BENCHMARK(edit_to_result)
    ->ArgName("n")
    ->Arg(8)
    ->Arg(128)
    ->Arg(512)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void compute_causal(benchmark::State& state) {
  AttentionProblem problem = qkv_problem(12, static_cast<std::size_t>(state.range(0)), 64);
  problem.mask.causal = true;
  run(state, problem, {});
}
BENCHMARK(compute_causal)->ArgName("n")->Arg(128)->Unit(benchmark::kMillisecond)->UseRealTime();

// A whole layer: projections to 12 heads of width 64 and back to 768 columns.
void compute_layer(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  AttentionProblem problem;
  problem.kind = &kLayerProblems;
  problem.shape = {1, 1, 12, 12, n, n, 64, 64, 768, 768};
  problem.query_embeddings = random_tensor({1, n, 768}, 1);
  problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
  problem.projections.w_q = random_tensor({768, 768}, 2);
  problem.projections.w_k = random_tensor({768, 768}, 3);
  problem.projections.w_v = random_tensor({768, 768}, 4);
  problem.projections.w_o = random_tensor({768, 768}, 5);
  problem.scoring.scale = 1.0F / 6144.0F;
  run(state, problem, {});
}
BENCHMARK(compute_layer)->ArgName("n")->Arg(128)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace attn
