// Time to draw plots: each is drawn anew after every edit, and a frame has 16 ms.
#include <benchmark/benchmark.h>

#include <string>

#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "figure/text.h"
#include "plot/all_plots.h"
#include "plot/maps/heads.h"

namespace attn {
namespace {

// `tokens` of the kind that the plot is made for, with generated numbers.
Document document_for(const PlotEntry& plot, std::size_t tokens) {
  std::string list;
  for (std::size_t i = 0; i < tokens; ++i) {
    list += (i == 0 ? "\"t" : ", \"t") + std::to_string(i) + "\"";
  }
  const std::string sides = "\"query_tokens\": [" + list + "], \"key_tokens\": [" + list + "]";
  const std::string text = uses(plot, Option::Step)
                               ? "{" + sides + ", \"recurrent\": {\"hidden\": 8}}"
                               : "{\"tokens\": [" + list + "], \"heads\": 8, \"d_model\": 64}";
  return read_document(text, "bench").value().document;
}

void draw(benchmark::State& state, const PlotEntry& plot) {
  const Document document = document_for(plot, static_cast<std::size_t>(state.range(0)));
  const ResultPtr result = *compute(make_problem(document));
  PlotOptions options;
  options.line_words = false;  // as in the window
  options.width = 700.0;
  const Derivations all = derive_all(plot, document, result, options);
  for (auto _ : state) {
    Result<Figure> figure = draw_plot(plot, {document, *result, &all}, options, pango_metrics());
    benchmark::DoNotOptimize(figure);
  }
}

// Derives what the plot needs, once for all colours.
void derive(benchmark::State& state, const PlotEntry& plot) {
  const Document document = document_for(plot, static_cast<std::size_t>(state.range(0)));
  const ResultPtr result = *compute(make_problem(document));
  for (auto _ : state) {
    Derivations all = derive_all(plot, document, result, {});
    benchmark::DoNotOptimize(all);
  }
}

// The derivatives of a recurrent decoder make up nearly all of its time.
void compute_recurrent(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const PlotEntry& plot = *plot_named("alignment");
  const AttentionProblem problem = make_problem(document_for(plot, n));
  for (auto _ : state) {
    Result<ResultPtr> result = compute(problem);
    benchmark::DoNotOptimize(result);
  }
  state.counters["influence_multiply_adds"] = static_cast<double>(influence_multiply_adds(problem));
}
BENCHMARK(compute_recurrent)
    ->Arg(8)
    ->Arg(30)
    ->Arg(60)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// A model of 12 layers of 12 heads; a frame has 4 ms for all of it once the heads are measured.
void draw_all_heads(benchmark::State& state) {
  std::string list;
  for (int i = 0; i < state.range(0); ++i)
    list += (i == 0 ? "\"t" : ", \"t") + std::to_string(i) + "\"";
  const std::string text = "{\"tokens\": [" + list +
                           "], \"heads\": 12, \"d_model\": 96, \"blocks\": 12, "
                           "\"mask\": {\"causal\": true}}";
  const Document document = read_document(text, "bench").value().document;
  const ResultPtr result = *compute(make_problem(document));
  PlotOptions options;
  options.width = 900.0;
  const Derivations known = derive_all(*plot_named("heads"), document, result, options);
  for (auto _ : state) {
    Result<Figure> figure = heads_plot({{document, *result, &known}, options, pango_metrics()});
    benchmark::DoNotOptimize(figure);
  }
}
BENCHMARK(draw_all_heads)->Arg(16)->Arg(64)->Unit(benchmark::kMillisecond);

const bool kRegistered = [] {
  for (const PlotEntry& plot : all_plots()) {
    benchmark::RegisterBenchmark(("draw/" + std::string(plot.name)).c_str(),
                                 [&plot](benchmark::State& state) { draw(state, plot); })
        ->ArgName("tokens")
        ->Arg(12)
        ->Arg(128)
        ->Unit(benchmark::kMillisecond);
    if (plot.needs == nullptr) continue;
    benchmark::RegisterBenchmark(("derive/" + std::string(plot.name)).c_str(),
                                 [&plot](benchmark::State& state) { derive(state, plot); })
        ->ArgName("tokens")
        ->Arg(12)
        ->Arg(128)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace attn
