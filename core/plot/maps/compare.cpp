// One head under every scoring function.
#include "plot/maps/compare.h"

#include <algorithm>
#include <cmath>

#include "document/edit.h"
#include "engine/compute.h"
#include "plot/colors/stage_colors.h"
#include "plot/colors/weight_range.h"
#include "plot/maps/head_problem.h"
#include "plot/needs.h"
#include "plot/parts/page.h"
#include "plot/parts/panel_grid.h"
#include "plot/parts/tokens.h"

namespace attn {
namespace {

// What scores are made from, when the result has it.
std::optional<Stage> first_there(const AttentionResult& result, Stage wanted, Stage otherwise) {
  if (result.has(wanted)) return wanted;
  return result.has(otherwise) ? std::optional(otherwise) : std::nullopt;
}

std::optional<Stage> queries_of(const AttentionResult& result) {
  return first_there(result, query_stage(result.problem()), Stage::Query);
}
std::optional<Stage> keys_of(const AttentionResult& result) {
  return first_there(result, key_stage(result.problem()), Stage::Key);
}

// The scoring of the whole document under `function`.
Scoring with_function(const AttentionProblem& problem, ScoringFunction function,
                      std::uint64_t seed) {
  Scoring scoring = problem.scoring;
  if (scoring.function == function) return scoring;
  scoring.function = function;
  complete_scoring(scoring, problem.shape, seed);
  return scoring;
}

bool can_be_applied(const AttentionShape& shape, ScoringFunction function) {
  return !scoring_info(function).needs_equal_widths || query_columns(shape) == shape.d_k;
}

// One head as a problem under `function`.
AttentionProblem under(const Document& document, const AttentionResult& result,
                       const HeadAddress& head, ScoringFunction function) {
  AttentionProblem problem = surroundings_of(result, head);
  problem.q = stage_tensor(result, *queries_of(result), head);
  problem.k = stage_tensor(result, *keys_of(result), head);
  problem.scoring =
      scoring_of_head(with_function(result.problem(), function, document.seed), head.head);
  problem.shape.d_a = hidden_units(problem.scoring);
  return problem;
}

std::string formula_under(const AttentionProblem& problem) {
  return formula_of(problem, scale_of(problem) != 1.0F ? Stage::Scaled : Stage::Scores);
}

std::uint64_t steps_under(const AttentionShape& whole, ScoringFunction function) {
  AttentionShape shape;
  shape.n_q = whole.n_q;
  shape.n_k = whole.n_k;
  shape.d_k = whole.d_k;
  shape.d_q = whole.d_q;
  shape.d_v = 1;
  shape.d_a = has_hidden_units(function) ? std::max(whole.d_a, whole.d_k) : 0;
  return predicted_multiply_adds(function, shape);
}

std::uint64_t bytes_under(const AttentionResult& result, ScoringFunction function) {
  Scoring scoring = result.problem().scoring;
  scoring.function = function;
  return what_if_bytes(result, scoring);
}

MatrixId id_under(const AttentionResult& result, const HeadAddress& head,
                  ScoringFunction function) {
  return {Stage::Weights, head, result.problem().part, made::UnderFunction{function}};
}

Result<MatrixPtr> weights_under(const Document& document, const AttentionResult& result,
                                const HeadAddress& head, ScoringFunction function,
                                Progress* progress) {
  AttentionProblem problem = under(document, result, head, function);
  const std::string formula = formula_under(problem);
  const StageShape cells{problem.shape.n_q, problem.shape.n_k};
  const ComputeOptions options{UINT64_MAX, 0, progress};  // the need was checked
  const Result<ResultPtr> computed = compute(std::move(problem), options);
  if (!computed) return computed.error();
  std::vector<float> weights(cells.rows * cells.cols);
  (*computed)->read(Stage::Weights, {}, {0, 0, cells.rows, cells.cols}, weights.data());
  return stored_matrix(
      id_under(result, head, function),
      {cells.rows, cells.cols, std::move(weights), result.problem().mask, formula});
}

Need need_of(const PlotInput& input, const HeadAddress& head, const ScoringFunctionInfo& info) {
  const auto make = [head, function = info.function](const Document& document,
                                                     const ResultPtr& result, Progress* progress) {
    return weights_under(document, *result, head, function, progress);
  };
  return need_for(id_under(input.result, head, info.function),
                  "Weights under " + std::string(info.label),
                  steps_under(input.result.shape(), info.function),
                  bytes_under(input.result, info.function), make);
}

ComparedFunction read_function(const PlotInput& input, const HeadAddress& head,
                               ScoringFunction function) {
  const MatrixId id = id_under(input.result, head, function);
  ComparedFunction out{function, nullptr, ""};
  if (!can_be_applied(input.result.shape(), function)) {
    out.missing = "needs queries and keys of the same width";
    return out;
  }
  out.weights = matrix_in(input, id);
  if (out.weights != nullptr) return out;
  out.missing = "cannot be computed (" + why_missing(input, id).message + ")";
  return out;
}

// A picture of the functions that fit the memory would hide why the others are not there.
const Error* over_memory(const PlotInput& input, const HeadAddress& head) {
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    const std::string key = text_of(id_under(input.result, head, info.function));
    const Result<DerivationPtr>* made =
        input.derivations != nullptr ? input.derivations->find(key) : nullptr;
    const bool fits = made == nullptr || made->ok();
    if (!fits && made->error().kind == ErrorKind::OverMemoryLimit) return &made->error();
  }
  return nullptr;
}

// Colours of all maps alike.
WeightRange shared_range(const std::vector<ComparedFunction>& functions, ColorSpan span) {
  SeenWeights seen;
  for (const ComparedFunction& function : functions) {
    if (function.weights != nullptr) add_weights(seen, *function.weights);
  }
  WeightRange range = weight_range(std::move(seen), span, "all functions");
  if (range.low >= range.high) range.high = range.low + 1.0F;
  return range;
}

std::vector<DrawPanel> panels_of(const PlotInput& input, const PlotOptions& options,
                                 const TextMetrics& metrics,
                                 const std::vector<ComparedFunction>& functions,
                                 const ColorScale& scale) {
  std::vector<DrawPanel> panels;
  for (const ComparedFunction& function : functions) {
    if (function.weights == nullptr) continue;
    const std::string formula = function.weights->formula();
    SmallMap map;
    map.marked = function.function == input.result.problem().scoring.function;
    map.title = scoring_info(function.function).label;
    map.subtitle = formula;
    map.matrix = function.weights.get();
    map.scale = scale;
    map.most_height = 30.0 * options.font_size;
    if (map.marked) map.opens = StageHit{Stage::Weights};
    panels.push_back(map_panel(input, std::move(map), options, metrics));
  }
  return panels;
}

std::string which(const AttentionProblem& problem, const HeadAddress& head) {
  const AttentionShape& shape = problem.shape;
  std::string text = "Attention weights";
  text += which_attention(problem, ", ");
  if (shape.layers > 1) text += ", layer " + std::to_string(head.layer + 1);
  if (shape.samples > 1) text += ", sample " + std::to_string(head.sample + 1);
  if (shape.heads > 1) text += ", head " + std::to_string(head.head + 1);
  return text + " under every scoring function";
}

std::string remarks_on(const std::vector<ComparedFunction>& functions) {
  std::string text =
      "Rows are queries, columns are keys; the orange one is the document's. Queries, keys, mask "
      "and normaliser are the same in all. What a function lacks is generated from the seed.";
  for (const ComparedFunction& function : functions) {
    if (function.missing.empty()) continue;
    text += " " + std::string(scoring_info(function.function).label) + " " + function.missing +
            " and is left out.";
  }
  return text;
}

}  // namespace

std::string nothing_to_compare(const AttentionResult& result) {
  if (!has_scores(result.problem())) {
    return "There is nothing to compare: these weights were computed elsewhere, and without "
           "queries "
           "and keys no other scoring function can be applied";
  }
  if (!queries_of(result) || !keys_of(result)) return "There are no queries and keys to compare";
  return "";
}

std::vector<Need> compare_needs(const PlotInput& input, const PlotOptions& options) {
  if (!nothing_to_compare(input.result).empty()) return {};
  std::vector<Need> needs;
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    if (!can_be_applied(input.result.shape(), info.function)) continue;
    needs.push_back(need_of(input, options.at, info));
  }
  return needs;
}

std::vector<ComparedFunction> compared_functions(const PlotInput& input, const HeadAddress& head) {
  if (!nothing_to_compare(input.result).empty()) return {};
  std::vector<ComparedFunction> functions;
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    functions.push_back(read_function(input, head, info.function));
  }
  return functions;
}

Result<Figure> compare(const PlotInput& input, const PlotOptions& wanted,
                       const TextMetrics& metrics) {
  PlotOptions options = fitted_to(wanted, input.result);
  options.stage = Stage::Weights;
  const std::string nothing = nothing_to_compare(input.result);
  if (!nothing.empty()) return refused_plot(nothing);
  if (const Error* error = over_memory(input, options.at)) return *error;
  const std::vector<ComparedFunction> functions = compared_functions(input, options.at);
  const WeightRange range = shared_range(functions, shared_span(options.range));
  const ColorScale scale{&colormap_for(options), range.low, range.high};
  Page page(input, options, metrics);
  page.add_heading(which(input.result.problem(), options.at));
  page.add_space(0.4 * options.font_size);
  PanelGrid grid;
  grid.panels = panels_of(input, options, metrics, functions, scale);
  grid.shared.emplace();
  grid.shared->scale = scale;
  grid.shared->title = "Attention weight";
  grid.shared->basis = "range: " + range.basis;
  add_panels(page, grid, options, metrics);
  page.add_words(remarks_on(functions));
  return page.finished(which(input.result.problem(), options.at) +
                       ": small heatmaps with one colour bar");
}

}  // namespace attn
