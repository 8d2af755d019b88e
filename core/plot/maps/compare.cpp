// One head under every scoring function.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/number_text.h"
#include "document/edit.h"
#include "plot/colors/color_range.h"
#include "plot/kit/ask.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"
#include "plot/maps/maps.h"
#include "plot/maps/panels.h"

namespace attn {
namespace {

// The first of two stages that the result has.
std::optional<Stage> first_there(const AttentionResult& result, const HeadAddress& at, Stage wanted,
                                 Stage otherwise) {
  if (result.has(wanted, at)) return wanted;
  return result.has(otherwise, at) ? std::optional(otherwise) : std::nullopt;
}

std::optional<Stage> queries_of(const AttentionResult& result, const HeadAddress& at) {
  return first_there(result, at, query_stage(result.problem(), at), Stage::Query);
}
std::optional<Stage> keys_of(const AttentionResult& result, const HeadAddress& at) {
  return first_there(result, at, key_stage(result.problem(), at), Stage::Key);
}

// The scoring of the whole document with `function`.
Scoring with_function(const AttentionProblem& problem, const HeadAddress& at,
                      ScoringFunction function, std::uint64_t seed) {
  Scoring scoring = problem.scoring;
  if (scoring.function == function) return scoring;
  scoring.function = function;
  complete_scoring(scoring, shape_of(problem, at), seed);
  return scoring;
}

bool can_be_applied(const AttentionShape& shape, ScoringFunction function) {
  return !scoring_info(function).needs_equal_widths || query_columns(shape) == shape.d_k;
}

// One head as a problem with `function`.
AttentionProblem under(const Document& document, const AttentionResult& result,
                       const HeadAddress& head, ScoringFunction function) {
  AttentionProblem problem = surroundings_of(result, head);
  problem.q = stage_tensor(result, *queries_of(result, head), head);
  problem.k = stage_tensor(result, *keys_of(result, head), head);
  problem.scoring =
      scoring_of_head(with_function(result.problem(), head, function, document.seed), head.head);
  problem.shape.d_a = hidden_units(problem.scoring);
  return problem;
}

// Approximate; a number of a hidden unit takes a tanh, which costs as much as many products.
std::size_t multiply_adds_of_a_cell(const AttentionShape& whole, ScoringFunction function) {
  constexpr std::size_t kOfATanh = 1000;
  if (!has_hidden_units(function)) return whole.d_k;
  return kOfATanh * std::max(whole.d_a, whole.d_k);
}

MatrixId id_under(const HeadAddress& head, ScoringFunction function) {
  return {Stage::Weights, head, made::UnderFunction{function}};
}

WhatIf what_if_under(const PlotInput& input, const HeadAddress& head, ScoringFunction function) {
  WhatIf what_if{id_under(head, function),
                 "Weights under " + std::string(scoring_info(function).label),
                 input.result.problem().scoring,
                 multiply_adds_of_a_cell(input.result.shape(), function),
                 {}};
  what_if.scoring.function = function;
  what_if.problem = [head, function](const Document& document, const AttentionResult& result) {
    return Result<AttentionProblem>(under(document, result, head, function));
  };
  return what_if;
}

ComparedFunction read_function(const PlotInput& input, const HeadAddress& head,
                               ScoringFunction function, const CellWindow& window) {
  ComparedFunction out{{}, function, ""};
  if (!can_be_applied(input.result.shape(), function)) {
    out.missing = "needs queries and keys of the same width";
    return out;
  }
  const WhatIf what_if = what_if_under(input, head, function);
  static_cast<KnownWhatIf&>(out) = known_what_if(input, what_if, window);
  if (out.weights != nullptr) return out;
  out.missing = out.why.kind == ErrorKind::Usage ? "is not computed yet"
                                                 : "cannot be computed (" + out.why.message + ")";
  return out;
}

// A comparison of only those functions that fit the memory would hide the error of the others.
const Error* over_memory(const PlotInput& input, const HeadAddress& head) {
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    const std::string key = text_of(id_under(head, info.function));
    const Error* error = error_of(input.derivations, key);
    if (error != nullptr && error->kind == ErrorKind::OverMemoryLimit) return error;
  }
  return nullptr;
}

// One range for the colours of all maps.
ColorRange shared_range(const std::vector<ComparedFunction>& functions,
                        const PlotOptions& options) {
  Statistics seen;
  bool pixels = false;
  for (const ComparedFunction& function : functions) {
    join(seen, statistics_of(function));
    pixels = pixels || function.part != nullptr;
  }
  return color_range(seen, options, {"all functions", pixels});
}

std::vector<DrawPanel> panels_of(const Drawing& drawing,
                                 const std::vector<ComparedFunction>& functions,
                                 const ColorScale& scale) {
  std::vector<DrawPanel> panels;
  for (const ComparedFunction& function : functions) {
    if (function.weights == nullptr) continue;
    const std::string formula = function.weights->formula();
    SmallMap map{.title = std::string(scoring_info(function.function).label),
                 .subtitle = formula,
                 .marked = function.function == drawing.result.problem().scoring.function,
                 .matrix = function.weights.get(),
                 .scale = scale,
                 .most_height = 30.0 * drawing.font(),
                 .part = function.part.get()};
    if (map.marked) map.opens = StageHit{Stage::Weights};
    panels.push_back(map_panel(drawing, std::move(map)));
  }
  return panels;
}

std::string which(const AttentionProblem& problem, const HeadAddress& head) {
  const AttentionShape& shape = problem.shape;
  return "Attention weights" + which_attention(problem, head, ", ") +
         place_words(shape, head, shape.layers > 1, shape.heads > 1) +
         " under every scoring function";
}

// " Of Additive 512 of 131,072 rows are shown."
std::string rows_shown(const ComparedFunction& function) {
  if (function.part == nullptr) return "";
  const std::string rows = rows_of_all(function.part->rows_read, function.part->range.rows);
  if (rows.empty()) return "";
  return " Of " + std::string(scoring_info(function.function).label) + " " + rows + " are shown.";
}

std::string remarks_on(const std::vector<ComparedFunction>& functions) {
  std::string text =
      "Rows are queries, columns are keys; the orange one is the document's. Queries, keys, mask "
      "and normaliser are the same in all. What a function lacks is generated from the seed.";
  for (const ComparedFunction& function : functions) text += rows_shown(function);
  for (const ComparedFunction& function : functions) {
    if (function.missing.empty()) continue;
    text += " " + std::string(scoring_info(function.function).label) + " " + function.missing +
            " and is left out.";
  }
  return text;
}

}  // namespace

std::string nothing_to_compare(const AttentionProblem& problem, const HeadAddress& /*at*/) {
  if (has_scores(problem)) return "";
  return "There is nothing to compare: these weights were computed elsewhere, and without queries "
         "and keys no other scoring function can be applied";
}

namespace {

std::string why_not_compared(const AttentionResult& result, const HeadAddress& at) {
  const std::string nothing = nothing_to_compare(result.problem());
  const bool known = queries_of(result, at) && keys_of(result, at);
  return nothing.empty() && !known ? "There are no queries and keys to compare" : nothing;
}

}  // namespace

std::vector<Need> compare_needs(const FittedView& view) {
  if (!why_not_compared(view.result, view.options.at).empty()) return {};
  std::vector<Need> needs;
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    if (!can_be_applied(view.result.shape(), info.function)) continue;
    const WhatIf what_if = what_if_under(view, view.options.at, info.function);
    append(needs, what_if_needs(view, what_if, view.options.window));
  }
  return needs;
}

std::vector<ComparedFunction> compared_functions(const PlotInput& input, const HeadAddress& head,
                                                 const CellWindow& window) {
  if (!why_not_compared(input.result, head).empty()) return {};
  std::vector<ComparedFunction> functions;
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    functions.push_back(read_function(input, head, info.function, window));
  }
  return functions;
}

Result<Figure> compare(const Drawing& drawing) {
  const PlotOptions& options = drawing.options;
  const std::string nothing = why_not_compared(drawing.result, options.at);
  if (!nothing.empty()) return usage_error(nothing);
  if (const Error* error = over_memory(drawing, options.at)) return *error;
  const std::vector<ComparedFunction> functions =
      compared_functions(drawing, options.at, options.window);
  const PlotOptions of_maps = with_shared_range(options);
  const ColorRange range = shared_range(functions, of_maps);
  const ColorScale scale = scale_of(range, of_maps);
  Page page(drawing);
  page.add_heading(which(drawing.result.problem(), options.at));
  page.add_space(0.4 * options.font_size);
  PanelGrid grid;
  grid.panels = panels_of(drawing, functions, scale);
  grid.shared.emplace();
  grid.shared->scale = scale;
  grid.shared->title = "Attention weight";
  grid.shared->basis = range.basis;
  grid.shared->beyond_low = range.beyond_low;
  grid.shared->beyond_high = range.beyond_high;
  add_panels(page, grid);
  page.add_words(remarks_on(functions));
  return page.finished(which(drawing.result.problem(), options.at) +
                       ": small heatmaps with one colour bar");
}

}  // namespace attn
