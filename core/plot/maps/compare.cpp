// One head of a result as a problem to vary, and one head under every scoring function.
#include <algorithm>
#include <utility>

#include "document/edit.h"
#include "engine/compute.h"
#include "engine/terms.h"
#include "plot/kit/cells.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"
#include "plot/maps/maps.h"

namespace attn {
namespace {

// The matrix of a head when there is one per head.
template <class Cells>
Cells matrix_of(const Cells& all, const HeadAddress& head) {
  if (all.rank() <= 2) return all;
  const Shape extents(all.shape().end() - 2, all.shape().end());
  const auto* from = all.data() + broadcast_index(all.shape(), head, 0, 0);
  return Cells(extents, {from, from + element_count(extents)});
}

template <class List>
std::vector<List> list_of_sample(const std::vector<List>& lists, std::size_t sample) {
  if (const List* own = list_of(lists, sample)) return {*own};
  return {};
}

// The mask for the only head of the only sample.
Mask mask_of_head(const Mask& mask, const HeadAddress& head) {
  Mask own = mask;
  own.causal_offset = {mask.offset_of(head.sample)};
  own.prefix = {mask.prefix_of(head.sample)};
  own.query_segments = list_of_sample(mask.query_segments, head.sample);
  own.key_segments = list_of_sample(mask.key_segments, head.sample);
  own.key_padding = list_of_sample(mask.key_padding, head.sample);
  own.query_padding = list_of_sample(mask.query_padding, head.sample);
  own.visible = matrix_of(mask.visible, head);
  own.bias = matrix_of(mask.bias, head);
  if (mask.alibi) own.alibi = std::vector<float>{(*mask.alibi)[head.head]};
  if (mask.relative && mask.relative->table.extent(1) > 1) {
    own.relative->table = columns_of_head(mask.relative->table, head.head, 1);
  }
  return own;
}

// Shape of one head whose values are one column.
AttentionShape lengths_and_widths(const AttentionShape& whole) {
  return {.n_q = whole.n_q,
          .n_k = whole.n_k,
          .d_k = whole.d_k,
          .d_v = 1,
          .d_q = whole.d_q,
          .d_a = whole.d_a};
}

// A tensor (heads, …) without its first axis.
Tensor of_head(const Tensor& tensor, std::size_t matrix_rank, std::size_t head) {
  if (tensor.rank() <= matrix_rank) return tensor;
  Shape shape(tensor.shape().begin() + 1, tensor.shape().end());
  const std::size_t size = element_count(shape);
  const float* from = tensor.data() + head * size;
  return Tensor(std::move(shape), std::vector<float>(from, from + size));
}

// The part that belongs to `head`: matrices and sinks without their axis of heads.
Scoring scoring_of_head(const Scoring& scoring, std::size_t head) {
  Scoring own = scoring;
  own.w = of_head(scoring.w, 2, head);
  own.w_query = of_head(scoring.w_query, 2, head);
  own.w_key = of_head(scoring.w_key, 2, head);
  own.v = of_head(scoring.v, 1, head);
  own.b = of_head(scoring.b, 1, head);
  if (scoring.sinks.size() > 1) own.sinks = {scoring.sinks[head]};
  return own;
}

// A stage as a tensor of shape (1, 1, rows, cols).
Tensor stage_tensor(const AttentionResult& result, Stage stage, const HeadAddress& head) {
  const StageShape shape = result.stage_shape(stage, head);
  return Tensor({1, 1, shape.rows, shape.cols},
                cells_of_stage(result, stage, head, every_row(shape, 1)));
}

constexpr std::uint64_t kLongestReading = 120'000'000'000;  // about two minutes
constexpr std::uint64_t kLongestAwaited = 2'000'000'000;    // longer needs do not delay drawing

// A problem of the size that will be computed, without numbers.
AttentionProblem outline_of(const AttentionResult& result, const WhatIf& what_if) {
  const AttentionProblem& whole = result.problem();
  const HeadAddress& head = what_if.id.head;
  AttentionProblem outline;
  outline.shape = lengths_and_widths(result.shape(head));
  outline.scoring = what_if.scoring;
  outline.mask = mask_of(whole, head);
  outline.position = position_of(whole, head);
  outline.most_materialised_map_bytes = whole.most_materialised_map_bytes;
  return outline;
}

// Memory of its stages and of the materialised copy of the weights.
std::uint64_t bytes_of(const AttentionProblem& outline) {
  const AttentionShape& s = outline.shape;
  const std::size_t weights = element_count({s.n_q, s.n_k, sizeof(float)});
  return saturating_sum({predicted_bytes(outline), materialises_maps(outline) ? weights : 0});
}

MatrixPtr stored_weights(const AttentionResult& computed, const WhatIf& what_if, const Mask& mask,
                         std::string formula) {
  const StageShape cells = computed.stage_shape(Stage::Weights);
  return stored_matrix(
      what_if.id,
      {cells.rows, cells.cols, cells_of_stage(computed, Stage::Weights, {}, every_row(cells, 1)),
       mask, std::move(formula)});
}

Result<MatrixPtr> weights_of(const WhatIf& what_if, const Sources& from) {
  const AttentionResult& result = *from.result;
  Result<AttentionProblem> problem = what_if.problem(from.document, result);
  if (!problem) return problem.error();
  std::string formula =
      formula_of(*problem, scale_of(*problem) != 1.0F ? Stage::Scaled : Stage::Scores);
  const ComputeOptions options{UINT64_MAX, 0, from.progress};  // the need was checked
  const Result<ResultPtr> computed = compute(*std::move(problem), options);
  if (!computed) return computed.error();
  if ((*computed)->range(Stage::Weights, {})) {
    return stored_weights(**computed, what_if, mask_of(result.problem(), what_if.id.head),
                          std::move(formula));
  }
  return weights_of(*computed, what_if.id, std::move(formula));
}

// Fewer rows for weights that take longer.
std::size_t side_of(const PooledQuestion& cells) {
  constexpr std::size_t kLeast = 64, kMost = 512;
  std::size_t side = kMost;
  const auto time = [&] { return reading_time(cells, {0, 0, side, cells.extents.cols}); };
  while (side > kLeast && time() > kShortTime) side /= 2;
  return side;
}

// Returns nothing when the weights are materialised.
std::optional<PooledQuestion> cells_when_read(const PlotInput& input, const WhatIf& what_if) {
  const AttentionProblem outline = outline_of(input.result, what_if);
  if (materialises_maps(outline)) return std::nullopt;
  PooledQuestion cells{
      what_if.id, {outline.shape.n_q, outline.shape.n_k}, what_if.d, outline.shape.n_k};
  cells.side = side_of(cells);
  cells.source = [what_if](const Sources& from) { return weights_of(what_if, from); };
  return cells;
}

Need weights_need(const PlotInput& input, const WhatIf& what_if) {
  const AttentionProblem outline = outline_of(input.result, what_if);
  const AttentionShape& s = outline.shape;
  const std::uint64_t nanoseconds = materialises_maps(outline)
                                        ? element_count({s.n_q, s.n_k, what_if.d})
                                        : element_count({s.n_q + s.n_k, s.d_k});
  return need_for(what_if.id, what_if.label, nanoseconds, bytes_of(outline),
                  [what_if](const Sources& from) { return weights_of(what_if, from); });
}

// The stage of queries or keys that is scored (rotated, if positions are rotary), or else the given
// one; nothing when there is none.
std::optional<Stage> stage_of(const AttentionResult& result, const HeadAddress& at, Side side) {
  const AttentionProblem& problem = result.problem();
  const bool of_queries = side == Side::Query;
  const Stage scored = of_queries ? query_stage(problem, at) : key_stage(problem, at);
  const Stage given = of_queries ? Stage::Query : Stage::Key;
  if (result.has(scored, at)) return scored;
  return result.has(given, at) ? std::optional(given) : std::nullopt;
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
  problem.q = stage_tensor(result, *stage_of(result, head, Side::Query), head);
  problem.k = stage_tensor(result, *stage_of(result, head, Side::Key), head);
  problem.scoring =
      scoring_of_head(with_function(result.problem(), head, function, document.seed), head.head);
  problem.shape.d_a = hidden_units(problem.scoring);
  return problem;
}

// Approximate cost; a hidden unit takes a tanh, which costs as much as many products.
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
  const Result<KnownWhatIf> known = known_what_if(input, what_if, window);
  if (known) {
    static_cast<KnownWhatIf&>(out) = *known;
  } else if (known.error().kind == ErrorKind::Usage) {
    out.missing = "is not computed yet";
  } else {
    out.missing = "cannot be computed (" + known.error().message + ")";
  }
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

std::vector<Panel> panels_of(const Drawing& drawing, const std::vector<ComparedFunction>& functions,
                             const ColorScale& scale) {
  std::vector<Panel> panels;
  for (const ComparedFunction& function : functions) {
    if (function.weights == nullptr) continue;
    const std::string formula = function.weights->formula();
    SmallMap map{.title = std::string(scoring_info(function.function).label),
                 .subtitle = formula,
                 .marked = function.function == drawing.result.problem().scoring.function,
                 .matrix = function.weights.get(),
                 .scale = scale,
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
      "Rows are queries, columns are keys; the document's own function is marked in orange. "
      "Queries, keys, mask and normaliser are the same in all. Missing parameters are generated "
      "from the seed.";
  for (const ComparedFunction& function : functions) text += rows_shown(function);
  for (const ComparedFunction& function : functions) {
    if (function.missing.empty()) continue;
    text += " " + std::string(scoring_info(function.function).label) + " " + function.missing +
            " and is left out.";
  }
  return text;
}

bool can_be_compared(const AttentionResult& result, const HeadAddress& at) {
  return stage_of(result, at, Side::Query) && stage_of(result, at, Side::Key);
}

}  // namespace

Tensor columns_of_head(const Tensor& packed, std::size_t head, std::size_t width) {
  if (packed.empty()) return {};
  const MatrixView all = matrix_at(packed, 0);
  std::vector<float> values;
  values.reserve(all.rows * width);
  for (std::size_t r = 0; r < all.rows; ++r) {
    const float* from = all.data + r * all.row_stride + head * width;
    values.insert(values.end(), from, from + width);
  }
  return Tensor(packed.rank() == 1 ? Shape{width} : Shape{all.rows, width}, std::move(values));
}

AttentionProblem surroundings_of(const AttentionResult& result, const HeadAddress& head) {
  const AttentionProblem& whole = result.problem();
  AttentionProblem problem;
  problem.shape = lengths_and_widths(result.shape(head));
  Scoring scoring = whole.scoring;
  scoring.sinks = sinks_of(whole, head);
  problem.scoring = scoring_of_head(scoring, head.head);
  problem.mask = mask_of_head(mask_of(whole, head), head);
  problem.most_materialised_map_bytes = whole.most_materialised_map_bytes;
  const std::size_t n_k = problem.shape.n_k;
  problem.v = Tensor({1, 1, n_k, 1}, std::vector<float>(n_k));
  return problem;
}

std::vector<Need> what_if_needs(const PlotInput& input, const WhatIf& what_if,
                                const CellWindow& window) {
  std::vector<Need> needs = {weights_need(input, what_if)};
  const auto cells = cells_when_read(input, what_if);
  if (!cells) return needs;
  for (Need& need : pooled_needs(*cells, clamped_window(window, cells->extents))) {
    if (!need.awaited && need.nanoseconds > kLongestReading) continue;
    need.awaited = need.awaited && need.nanoseconds <= kLongestAwaited;
    need.label = what_if.label;
    needs.push_back(std::move(need));
  }
  return needs;
}

Result<KnownWhatIf> known_what_if(const PlotInput& input, const WhatIf& what_if,
                                  const CellWindow& window) {
  KnownWhatIf known{matrix_in(input, what_if.id), nullptr};
  if (known.weights == nullptr) return why_missing(input, text_of(what_if.id));
  const auto cells = cells_when_read(input, what_if);
  if (!cells) return known;
  known.part = pooled_part(input.derivations, *cells, clamped_window(window, cells->extents));
  if (known.part == nullptr) return why_no_part(input.derivations, *cells);
  return known;
}

std::string nothing_to_compare(const AttentionProblem& problem, const HeadAddress& /*at*/) {
  if (has_scores(problem)) return "";
  return "There is nothing to compare: these weights were computed elsewhere, and without queries "
         "and keys no other scoring function can be applied";
}

std::vector<Need> compare_needs(const FittedView& view) {
  if (!can_be_compared(view.result, view.options.at)) return {};
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
  if (!can_be_compared(input.result, head)) return {};
  std::vector<ComparedFunction> functions;
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    functions.push_back(read_function(input, head, info.function, window));
  }
  return functions;
}

Result<Figure> compare(const Drawing& drawing) {
  const PlotOptions& options = drawing.options;
  if (!can_be_compared(drawing.result, options.at)) {
    return usage_error("There are no queries and keys to compare");
  }
  if (drawing.result.conceals(Stage::Weights, options.at)) return concealed_page(drawing);
  if (const Error* error = over_memory(drawing, options.at)) return *error;
  const std::vector<ComparedFunction> functions =
      compared_functions(drawing, options.at, options.window);
  const ColorBar bar = weight_bar(drawing);
  Page page(drawing);
  page.add_heading(which(drawing.result.problem(), options.at), 0.4);
  add_panels(page, {.panels = panels_of(drawing, functions, bar.range),
                    .shared = bar,
                    .notes = {remarks_on(functions)},
                    .shares_labels = true});
  return page.finished(which(drawing.result.problem(), options.at) +
                       ": small heatmaps with one colour bar");
}

}  // namespace attn
