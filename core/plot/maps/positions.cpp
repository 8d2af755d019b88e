// Plot of positions.
#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "plot/maps/maps.h"

namespace attn {
namespace {

Tensor filled(Shape shape, float value) {
  const std::size_t count = element_count(shape);
  return Tensor(std::move(shape), std::vector<float>(count, value));
}

// Sets embeddings of zeros, so that only positions pass through the projections.
void set_zero_content(AttentionProblem& problem, const AttentionProblem& whole,
                      const HeadAddress& at) {
  const AttentionShape s = shape_of(whole, at);
  const std::size_t head = at.head, kv_head = head / (s.heads / s.kv_heads);
  const std::size_t key_width = key_embedding_columns(s);
  problem.kind = &kLayerProblems;
  problem.shape.d_model = s.d_model;
  problem.shape.key_width = problem.shape.value_width = key_width;
  problem.query_embeddings = filled({1, s.n_q, s.d_model}, 0.0F);
  problem.key_embeddings = problem.value_embeddings = filled({1, s.n_k, key_width}, 0.0F);
  // Positions enter the first block only.
  const Projections& from = projections_of(whole, at.moved_to(0, 0, 0));
  problem.projections.w_q = columns_of_head(from.w_q, head, query_columns(s));
  problem.projections.b_q = columns_of_head(from.b_q, head, query_columns(s));
  problem.projections.w_k = columns_of_head(from.w_k, kv_head, s.d_k);
  problem.projections.b_k = columns_of_head(from.b_k, kv_head, s.d_k);
  problem.projections.w_v = filled({key_width, 1}, 0.0F);
}

std::string encoding_words(const AttentionProblem& problem, const HeadAddress& at) {
  const Position& position = position_of(problem, at);
  const Mask& mask = mask_of(problem, at);
  std::string text;
  if (is_there(position)) {
    text = std::string(position_info(position.kind).label) + ": " +
           std::string(position_info(position.kind).formula) + ". ";
  }
  if (mask.alibi) text += "ALiBi: −slope · distance is added to the scores. ";
  if (mask.relative) text += "Relative bias: a number per bucket of distances is added. ";
  text += is_added(position)
              ? "For the weights all embeddings are 0, so that they come from P through "
                "the projections of the head" +
                    std::string(problem.shape.d_ff == 0 ? "" : " in the first block")
              : "The weights are those of queries and keys that are all ones";
  text += "; mask and biases stay. Rows are queries, columns keys.";
  const bool before =
      std::ranges::any_of(mask.causal_offset, [](std::int64_t offset) { return offset < 0; });
  return text + (before && is_there(position) ? " Positions before 0 are not in the table." : "");
}

SmallMap encoding_map(const Drawing& drawing, const Matrix& table) {
  const bool rope = is_turned(position_of(drawing.result.problem(), drawing.options.at));
  SmallMap map;
  map.title = rope ? "Cosine of the angle of every pair" : "Position encoding P";
  map.subtitle = rope ? "Row: position; column: pair" : "Row: position; column: feature";
  map.matrix = &table;
  const Matrix::Summary cells = table.summary().value_or(Matrix::Summary{});
  const float reach = std::max({1.0F, std::abs(cells.low), std::abs(cells.high)});
  map.scale = {colormap_named("redblue"), -reach, reach};
  map.stretched = true;
  map.bar =
      ColorBar{.range = {map.scale, "zero in the middle"}, .title = rope ? "Cosine" : "Encoding"};
  return map;
}

SmallMap weight_map(const Drawing& drawing, const KnownWhatIf& known) {
  const AttentionShape& shape = drawing.result.shape();
  SmallMap map{.title = "Attention from positions alone",
               .subtitle = shape.heads > 1 ? "Head " + std::to_string(drawing.options.at.head + 1) +
                                                 " of " + std::to_string(shape.heads)
                                           : "All tokens alike",
               .matrix = known.weights.get(),
               .part = known.part.get()};
  if (known.part != nullptr) map.subtitle += rows_read_words(*known.part);
  map.bar = weight_bar(drawing);
  map.scale = map.bar->range;
  return map;
}

// Sentence about an encoding that is not shown in full.
std::string words_of_cut(const Drawing& drawing, const StageShape& shown) {
  if (!is_cut(drawing.result.problem(), drawing.options.at, shown)) return "";
  const std::string words =
      "The first " + grouped_text(shown.rows) + " positions of the encoding are shown";
  if (shown.cols != kMostPositionColumns) return words + ".";
  return words + ", with the first " + std::to_string(shown.cols) + " columns.";
}

MatrixId encoding_id(const HeadAddress& at) {
  return {Stage::QueryInput, at.moved_to(at.layer, 0, 0), made::PositionEncoding{}};
}

// Number of positions: keys count from 0, queries from their offset, in any sample.
std::size_t positions_taken(const AttentionProblem& problem, const HeadAddress& at) {
  const AttentionShape s = shape_of(problem, at);
  std::int64_t offset = 0;
  for (std::size_t sample = 0; sample < s.samples; ++sample) {
    offset = std::max(offset, mask_of(problem, at).offset_of(sample));
  }
  constexpr std::size_t kFarAway = std::size_t{1} << 52U;
  return std::max(s.n_k, s.n_q + std::min(static_cast<std::size_t>(offset), kFarAway));
}

// Rows and columns of the whole encoding.
StageShape encoding_extents(const AttentionProblem& problem, const HeadAddress& at) {
  const Position& position = position_of(problem, at);
  const bool rope = is_turned(position);
  return {positions_taken(problem, at),
          rope ? rotary_width(position, problem.shape.d_k) / 2 : problem.shape.d_model};
}

bool has_table(const AttentionProblem& problem, const HeadAddress& at) {
  return is_there(position_of(problem, at)) && encoding_extents(problem, at).cols > 0;
}

AttentionProblem problem_of_positions(const AttentionResult& result, const HeadAddress& head) {
  const AttentionProblem& whole = result.problem();
  AttentionProblem problem = surroundings_of(result, head);
  problem.position = position_of(whole, head);
  if (is_added(problem.position)) {
    set_zero_content(problem, whole, head);
  } else {
    problem.q = filled({1, 1, problem.shape.n_q, query_columns(problem.shape)}, 1.0F);
    problem.k = filled({1, 1, problem.shape.n_k, problem.shape.d_k}, 1.0F);
  }
  return problem;
}

WhatIf what_if_positions(const PlotInput& input, const HeadAddress& head) {
  const AttentionProblem& problem = input.result.problem();
  // Positions that are added enter the first block only.
  const bool first = is_added(position_of(problem, head));
  const HeadAddress at = head.moved_to(first ? 0 : head.layer, head.sample, head.head);
  return {{Stage::Weights, at, made::FromPositions{}},
          "Attention from positions",
          problem.scoring,
          problem.shape.d_k,
          [head](const Document& /*document*/, const AttentionResult& result) {
            return Result<AttentionProblem>(problem_of_positions(result, head));
          }};
}

Need encoding_need(const HeadAddress& at) {
  const auto make = [at](const Sources& from) -> Result<MatrixPtr> {
    return stored_matrix(encoding_id(at), position_table(from.result->problem(), at));
  };
  constexpr std::uint64_t kNanosecondsPerCell = 30;
  return need_for(encoding_id(at), "Encoding of positions",
                  kNanosecondsPerCell * kMostPositionRows * kMostPositionColumns,
                  kMostPositionRows * kMostPositionColumns * sizeof(float), make);
}

}  // namespace

bool is_cut(const AttentionProblem& problem, const HeadAddress& at, const StageShape& shown) {
  const StageShape whole = encoding_extents(problem, at);
  return shown.rows < whole.rows || shown.cols < whole.cols;
}

MadeCells position_table(const AttentionProblem& problem, const HeadAddress& of) {
  MadeCells table;
  const Position& position = position_of(problem, of);
  if (!is_there(position)) return table;
  const bool rope = is_turned(position);
  const StageShape whole = encoding_extents(problem, of);
  const std::size_t width =
      rope ? rotary_width(position, problem.shape.d_k) : problem.shape.d_model;
  const std::size_t given =
      position_info(position.kind).has_table ? position.table.extent(0) : whole.rows;
  table.rows = std::min({whole.rows, given, kMostPositionRows});
  table.cols = std::min(whole.cols, kMostPositionColumns);
  for (std::size_t row = 0; row < table.rows; ++row) {
    const auto at = static_cast<std::int64_t>(row);
    for (std::size_t col = 0; col < table.cols; ++col) {
      const double value =
          rope ? rope_gain(position) * std::cos(rope_angle(position, at, col, width))
               : position_value(position, at, col, width);
      table.values.push_back(static_cast<float>(value));
    }
  }
  return table;
}

std::string nothing_positioned(const AttentionProblem& problem, const HeadAddress& at) {
  if (!has_scores(problem)) {
    return "There are no positions to show: these weights were computed elsewhere";
  }
  const Mask& mask = mask_of(problem, at);
  const bool none = !is_there(position_of(problem, at)) && !mask.alibi && !mask.relative;
  if (none && !counts_positions(problem, at)) {
    return "There are no positions to show: the keys were encoded before, so that positions act in "
           "the self-attention of these blocks only. Choose it, or ALiBi or a relative bias here";
  }
  if (!none) return "";
  return "There are no positions to show: without them attention cannot tell the order of tokens. "
         "Choose sinusoidal, learned or rotary positions, ALiBi or a relative bias";
}

std::vector<Need> positions_needs(const FittedView& view) {
  std::vector<Need> needs =
      what_if_needs(view, what_if_positions(view, view.options.at), view.options.window);
  if (has_table(view.result.problem(), view.options.at))
    needs.push_back(encoding_need(view.options.at));
  return needs;
}

Result<Figure> positions_plot(const Drawing& drawing) {
  const PlotOptions& options = drawing.options;
  const Result<KnownWhatIf> known =
      known_what_if(drawing, what_if_positions(drawing, options.at), options.window);
  const MatrixPtr table = matrix_in(drawing, encoding_id(options.at));
  if (!known) return known.error();
  if (table == nullptr && has_table(drawing.result.problem(), options.at)) {
    return why_missing(drawing, text_of(encoding_id(options.at)));
  }
  Page page(drawing);
  page.add_heading("Positions, and attention from positions alone", 0.4);
  PanelGrid grid;
  if (table != nullptr) {
    grid.panels.push_back(map_panel(drawing, encoding_map(drawing, *table)));
    grid.notes.push_back(words_of_cut(drawing, table->extents()));
  }
  grid.panels.push_back(map_panel(drawing, weight_map(drawing, *known)));
  grid.notes.push_back(encoding_words(drawing.result.problem(), options.at));
  add_panels(page, std::move(grid));
  return page.finished(
      "The encoding of every position, and the attention that positions alone "
      "would give");
}

}  // namespace attn
