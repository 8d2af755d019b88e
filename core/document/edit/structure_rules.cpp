// Fits masks, scoring and positions to other extents or kinds.
#include <algorithm>

#include "document/edit.h"
#include "document/edit/rebuilding.h"
#include "document/generate.h"
#include "document/problem.h"

namespace attn {
namespace {

// Resizes a list with one item per index of `from`; a single item for all stays.
template <class Item>
void resize_list(std::vector<Item>& list, std::size_t from, std::size_t to, bool repeats_last) {
  if (list.size() != from || from == to || (from == 1 && list.size() == 1)) return;
  list.resize(to, repeats_last ? list.back() : list.front());
}

// Resizes lists by sample; new samples copy the first, whose tokens they have.
void resize_samples(Mask& mask, std::size_t from, std::size_t to) {
  const auto resize = [&](auto&... lists) { (resize_list(lists, from, to, false), ...); };
  resize(mask.causal_offset, mask.prefix, mask.query_segments, mask.key_segments,
         mask.query_padding, mask.key_padding);
}

// Resizes layers, samples and heads of a broadcast tensor; new elements are `fill`.
template <class T>
void resize_map(BasicTensor<T>& map, const AttentionShape& from, const AttentionShape& to, T fill) {
  std::vector<AxisSources> axes;
  bool changes = false;
  for (std::size_t axis = 0; axis < map.rank(); ++axis) {
    const std::size_t back = map.rank() - axis, there = map.extent(axis);
    const Extent extent = back > 4 ? Extent::Layers : back == 4 ? Extent::Samples : Extent::Heads;
    const std::size_t wanted = extent_of(to, extent);
    const bool own = back >= 3 && there == extent_of(from, extent) && there > 1;
    axes.push_back(resized_axis(there, own ? wanted : there));
    changes = changes || (own && there != wanted);
  }
  if (changes) map = resized(map, axes, [&](std::size_t /*flat*/) { return fill; });
}

// Resizes columns of heads; new ones copy the last.
void resize_columns(Tensor& table, std::size_t from, std::size_t to) {
  if (from == 1 || table.extent(1) != from || from == to) return;
  AxisSources heads(to);
  for (std::size_t head = 0; head < to; ++head) heads[head] = std::min(head, from - 1);
  table = resized(table, {resized_axis(table.extent(0), table.extent(0)), heads},
                  [](std::size_t /*flat*/) { return 0.0F; });
}

void resize_mask(Mask& mask, const AttentionShape& from, const AttentionShape& to) {
  resize_samples(mask, from.samples, to.samples);
  resize_map(mask.visible, from, to, std::uint8_t{1});
  resize_map(mask.bias, from, to, 0.0F);
  if (mask.alibi) resize_list(*mask.alibi, from.heads, to.heads, true);
  if (mask.relative) resize_columns(mask.relative->table, from.heads, to.heads);
}

// Returns an axis whose widths of queries and keys change; positions and hidden units stay.
TensorAxis axis_of_scores(Extent extent, std::size_t there, const AttentionShape& target) {
  const bool stays = extent == Extent::Keys || extent == Extent::ScoringWidth;
  return stays ? TensorAxis{Extent::One, "", there} : axis_of(target, extent);
}

void resize_scoring_matrices(Rebuilding& rebuilding, const AttentionShape& target) {
  Scoring& scoring = rebuilding.document.scoring;
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    const ScoringMatrixUse* use = matrix_use(scoring.function, info.tensor);
    const Tensor& tensor = scoring.*info.tensor;
    if (use == nullptr || tensor.empty()) continue;
    const std::size_t rank = use->rank(), heads = tensor.rank() - rank;  // 1: one matrix per head
    const std::string name = "scoring " + std::string(info.name);
    TensorInfo one{.tensor = &tensor, .name = name, .label = name};
    if (heads == 1) one.axes.push_back(axis_of(target, Extent::Heads));
    one.axes.push_back(axis_of_scores(use->rows, tensor.extent(heads), target));
    if (use->cols) one.axes.push_back(axis_of_scores(*use->cols, tensor.shape().back(), target));
    resize_tensor(rebuilding, one, target, [&](const Shape& shape) {
      return generated_scoring_matrix(rebuilding.document.seed, name, shape, rank);
    });
  }
}

// Rules that blocks have of their own.
std::vector<BlockRules*> rules_of_blocks(Document& document) {
  std::vector<BlockRules*> rules;
  if (Stack* stack = stack_of(document.model)) {
    for (TransformerBlock& block : stack->blocks) rules.push_back(&block.rules);
  }
  return rules;
}

void use_function(Rebuilding& rebuilding, ScoringFunction function) {
  if (rebuilding.document.scoring.function == function) return;
  rebuilding.document.scoring.function = function;
  rebuilding.sentences.push_back("Scores are made by another function: " +
                                 std::string(scoring_info(function).label));
}

// Changes the function if the document uses the default of its kind, to the default of the new
// kind.
void choose_function(Rebuilding& rebuilding, const AttentionShape& target) {
  const KindInfo& before = info_of(rebuilding.before.model);
  const KindInfo& now = info_of(rebuilding.document.model);
  Scoring& scoring = rebuilding.document.scoring;
  const bool usual = !before.has_scores || scoring.function == before.usual_scoring;
  const bool as_computed = !now.is_embedded() && before.has_scores;
  if (usual && !as_computed) use_function(rebuilding, now.usual_scoring);
  if (scoring_info(scoring.function).needs_equal_widths && query_columns(target) != target.d_k) {
    use_function(rebuilding, kScoringOfAnyWidths);
  }
}

void resize_scoring(Rebuilding& rebuilding, const AttentionShape& target) {
  Document& document = rebuilding.document;
  Scoring& scoring = document.scoring;
  if (!has_scores(document.model)) {
    if (has_scores(rebuilding.before.model) && scoring != Scoring{}) {
      rebuilding.sentences.emplace_back("Finished weights are not scored");
      scoring = {};
    }
    return;
  }
  resize_list(scoring.sinks, rebuilding.layout.heads, target.heads, true);
  for (BlockRules* rules : rules_of_blocks(document)) {
    resize_list(rules->sinks, rebuilding.layout.heads, target.heads, true);
  }
  choose_function(rebuilding, target);
  resize_scoring_matrices(rebuilding, target);
  for (const std::string& made : complete_scoring(scoring, scored_shape(document), document.seed)) {
    add_label(rebuilding.generated, made);
  }
  if (has_hidden_units(scoring.function)) document.kept.d_a.reset();
}

void resize_table(Rebuilding& rebuilding, const AttentionShape& target) {
  Document& document = rebuilding.document;
  Tensor& table = document.position.table;
  if (table.empty()) return;
  const TensorInfo info{
      .tensor = &table,
      .label = "P",
      .axes = {{Extent::One, "", table.extent(0)}, axis_of(target, Extent::ModelWidth)}};
  resize_tensor(rebuilding, info, target, [&](const Shape& shape) {
    return with_rows(Tensor({0, shape[1]}, {}), shape[0], document.seed, "position table");
  });
}

bool positions_fit(const Document& document) {
  if (is_turned(document.position) && shape_of(document).d_k < 2) return false;
  Findings findings;
  check_position(findings, document);
  return findings.none();
}

void resize_positions(Rebuilding& rebuilding, const AttentionShape& target) {
  Document& document = rebuilding.document;
  if (is_turned(document.position)) fit_rotary(document.position, target);
  for (BlockRules* rules : rules_of_blocks(document)) {
    if (rules->position && is_turned(*rules->position)) fit_rotary(*rules->position, target);
  }
  if (embeddings_of(std::as_const(document.model)) != nullptr) resize_table(rebuilding, target);
  const bool had = is_there(document.position);
  if (!info_of(document.model).projects && is_added(document.position)) document.position = {};
  extend_to_positions(document);
  if (!positions_fit(document)) {
    document.position = {};
    for (BlockRules* rules : rules_of_blocks(document)) rules->position.reset();
  }
  if (had && !is_there(document.position)) {
    rebuilding.sentences.emplace_back("Dropped the positions");
  }
}

}  // namespace

void fit_rotary(Position& position, const AttentionShape& shape) {
  const std::size_t narrow = std::min(shape.d_k, query_columns(shape));
  const bool all = position.rotary_dim == 0;
  const bool pairs = narrow % 2 == 0 && query_columns(shape) == shape.d_k;
  if (all && pairs) return;
  if (all || position.rotary_dim > narrow) position.rotary_dim = narrow / 2 * 2;
}

void resize_rules(Rebuilding& rebuilding, const AttentionShape& target) {
  for (const MaskPlace& place : all_masks()) {
    Mask& mask = rebuilding.document.*place.mask;
    const Mask before = mask;
    resize_mask(mask, rebuilding.layout, target);
    if (mask == before) continue;
    rebuilding.sentences.push_back("Fitted the " + std::string(place.prefix) +
                                   "mask to the heads and samples");
  }
  resize_scoring(rebuilding, target);
  resize_positions(rebuilding, target);
}

}  // namespace attn
