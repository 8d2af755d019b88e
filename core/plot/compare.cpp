#include "plot/compare.h"

#include <algorithm>
#include <cmath>

#include "document/edit.h"
#include "engine/compute.h"
#include "plot/chart.h"
#include "plot/head_problem.h"
#include "plot/page.h"
#include "plot/small_map.h"
#include "plot/stage_colors.h"
#include "plot/tokens.h"

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

// Of all functions together.
std::uint64_t compared_multiply_adds(const AttentionShape& whole) {
  std::uint64_t sum = 0;
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    AttentionShape shape;
    shape.n_q = whole.n_q;
    shape.n_k = whole.n_k;
    shape.d_k = whole.d_k;
    shape.d_q = whole.d_q;
    shape.d_v = 1;
    shape.d_a = has_hidden_units(info.function) ? std::max(whole.d_a, whole.d_k) : 0;
    sum += std::min(predicted_multiply_adds(shape), kMostCompared + 1);
  }
  return sum;
}

ComparedFunction compared(const PlotInput& input, const HeadAddress& head, AttentionProblem problem,
                          ScoringFunction function) {
  ComparedFunction out{function, "", {}, ""};
  const AttentionProblem& whole = input.result.problem();
  problem.scoring = scoring_of_head(with_function(whole, function, input.document.seed), head.head);
  problem.shape.d_a = hidden_units(problem.scoring);
  const bool scaled = scale_of(problem) != 1.0F;
  out.formula = formula_of(problem, scaled ? Stage::Scaled : Stage::Scores);
  if (scoring_info(function).needs_equal_widths &&
      query_columns(problem.shape) != problem.shape.d_k) {
    out.missing = "needs queries and keys of the same width";
    return out;
  }
  const StageShape cells{problem.shape.n_q, problem.shape.n_k};
  const Result<ResultPtr> result = compute(std::move(problem));
  if (!result) {
    out.missing = result.error().message;
    return out;
  }
  out.weights.resize(cells.rows * cells.cols);
  (*result)->read(Stage::Weights, {}, {0, 0, cells.rows, cells.cols}, out.weights.data());
  return out;
}

// Colours of all maps alike: 0 to 1, or from the smallest to the largest visible weight of all.
struct SharedRange {
  float low = 0.0F, high = 1.0F;
  std::string words = "range 0 to 1";
};

SharedRange shared_range(const std::vector<ComparedFunction>& functions,
                         const std::vector<HiddenRules>& hidden, bool own) {
  SharedRange range;
  if (!own) return range;
  bool any = false;
  for (const ComparedFunction& function : functions) {
    for (std::size_t i = 0; i < function.weights.size(); ++i) {
      const float weight = function.weights[i];
      if (!std::isfinite(weight) || (!hidden.empty() && hidden[i] != kVisible)) continue;
      range.low = any ? std::min(range.low, weight) : weight;
      range.high = any ? std::max(range.high, weight) : weight;
      any = true;
    }
  }
  if (range.low >= range.high) range.high = range.low + 1.0F;
  range.words = "range: all functions";
  return range;
}

std::vector<Figure> maps_of(const PlotInput& input, const PlotOptions& options,
                            const TextMetrics& metrics,
                            const std::vector<ComparedFunction>& functions, const ColorScale& scale,
                            double width) {
  const AttentionShape& shape = input.result.shape();
  const std::vector<HiddenRules> hidden = hidden_cells(input.result, options.at);
  std::vector<Figure> maps;
  for (const ComparedFunction& function : functions) {
    if (function.weights.empty()) continue;
    auto cells = std::make_shared<MatrixCells>();
    cells->rows = shape.n_q;
    cells->cols = shape.n_k;
    cells->values = function.weights;
    cells->hidden = hidden;
    SmallMap map;
    map.marked = function.function == input.result.problem().scoring.function;
    map.title = scoring_info(function.function).label;
    map.subtitle = function.formula;
    map.cells = cells;
    map.scale = scale;
    map.rows = {"", shape.n_q, true, Side::Query, options.at.sample};
    map.columns = {"", shape.n_k, true, Side::Key, options.at.sample};
    map.most_height = 30.0 * options.font_size;
    if (map.marked) map.hit = StageHit{Stage::Weights};
    maps.push_back(small_map(input.document, map, options, metrics, width));
  }
  return maps;
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
  if (compared_multiply_adds(result.shape()) <= kMostCompared) return "";
  return "Too large to compare: all functions together would need more than the " +
         count_text(static_cast<double>(kMostCompared)) +
         " multiply-adds that fit one frame. Use fewer tokens, or choose a function under Scoring";
}

std::vector<ComparedFunction> compare_functions(const PlotInput& input, const HeadAddress& head) {
  if (!nothing_to_compare(input.result).empty()) return {};
  AttentionProblem problem = surroundings_of(input.result, head);
  problem.q = stage_tensor(input.result, *queries_of(input.result), head);
  problem.k = stage_tensor(input.result, *keys_of(input.result), head);
  std::vector<ComparedFunction> functions;
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    functions.push_back(compared(input, head, problem, info.function));
  }
  return functions;
}

Result<Figure> compare(const PlotInput& input, const PlotOptions& wanted,
                       const TextMetrics& metrics) {
  PlotOptions options = fitted_to(wanted, input.result);
  options.stage = Stage::Weights;
  const std::string nothing = nothing_to_compare(input.result);
  if (!nothing.empty()) return refused_plot(nothing);
  const std::vector<ComparedFunction> functions = compare_functions(input, options.at);
  const std::vector<HiddenRules> hidden = hidden_cells(input.result, options.at);
  const SharedRange range = shared_range(functions, hidden, options.own_range);
  const ColorScale scale{&colormap_for(options), range.low, range.high};
  Page page(input, options, metrics);
  const double font = options.font_size;
  page.add_heading(which(input.result.problem(), options.at));
  page.add_space(0.4 * font);
  ColorBar words;
  words.scale = scale;
  words.title = "Attention weight";
  words.basis = range.words;
  const Figure bar = color_bar_figure(words, options, metrics, 14.0 * font);
  const double gap = 1.4 * font;
  const double room = std::max(page.width() - bar.width - gap, 4.0 * font);
  const std::size_t columns = columns_in(room + gap, 13.0 * font + gap, 3);
  const double width =
      (room - gap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
  page.add_beside(bar);
  page.add_grid(maps_of(input, options, metrics, functions, scale, width), columns, gap);
  page.add_words(remarks_on(functions));
  return page.finished(which(input.result.problem(), options.at) +
                       ": small heatmaps with one colour bar");
}

}  // namespace attn
