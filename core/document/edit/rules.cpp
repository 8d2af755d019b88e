// Edits scoring, positions, masks and choices of the model: whole, by rule, and masks by cell.
#include <algorithm>
#include <utility>

#include "document/edit.h"
#include "document/edit/rearrange.h"
#include "document/generate.h"
#include "document/problem.h"

namespace attn {
namespace {

// True if the tensor has the shape, or one for each head; `longer` allows more rows.
bool has_shape(const Tensor& tensor, Shape expected, std::size_t heads, bool longer) {
  if (longer && tensor.rank() >= 2) {
    expected[0] = std::max(expected[0], tensor.extent(tensor.rank() - 2));
  }
  if (tensor.shape() == expected) return true;
  Shape per_head = expected;
  per_head.insert(per_head.begin(), heads);
  return tensor.shape() == per_head;
}

// Drops matrices that the function does not use or whose shape does not fit.
void drop_unused(Scoring& scoring, const AttentionShape& shape) {
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    Tensor& tensor = scoring.*info.tensor;
    const ScoringMatrixUse* use = matrix_use(scoring.function, info.tensor);
    const Shape needed = scoring_matrix_shape(scoring.function, info.tensor, shape);
    const bool fits =
        use != nullptr && has_shape(tensor, needed, shape.heads, use->rows == Extent::Keys);
    if (!fits) tensor = Tensor();
  }
}

// Expands `visible` to all queries and keys for editing single cells; leading axes stay, or with
// `alone` are those of all layers, samples and heads.
BoolTensor with_all_cells(const BoolTensor& visible, const AttentionShape& shape, bool alone) {
  const Shape all{shape.layers, shape.samples, shape.heads, shape.n_q, shape.n_k};
  Shape there = visible.empty() ? Shape{1} : visible.shape();
  there.insert(there.begin(),
               (alone ? all.size() : std::max<std::size_t>(there.size(), 2)) - there.size(), 1);
  std::vector<AxisSources> axes;
  for (std::size_t axis = 0; axis < there.size(); ++axis) {
    const std::size_t whole = all[all.size() - there.size() + axis];
    const bool is_spread = there[axis] == 1 && (alone || axis + 2 >= there.size());
    axes.push_back(is_spread ? AxisSources(whole, 0) : unchanged(there[axis]).sources);
  }
  const BoolTensor flags = visible.empty() ? BoolTensor({1}, {1}) : visible;
  return resized(flags.reshaped(there), axes, [](std::size_t) { return std::uint8_t{1}; });
}

bool all_set(std::span<const std::uint8_t> flags) { return std::ranges::count(flags, 0) == 0; }

void choose(Document& changed, Stack stack) {
  const bool across = stack_of(changed.model)->blocks.front().cross.has_value();
  for (TransformerBlock& block : stack.blocks) {
    if (across && !block.cross) block.cross.emplace();
    if (block.projections.w_q.empty()) take_head_norms(stack.blocks.front(), block);
    FeedForward& network = block.feed_forward;
    network.activation = stack.blocks.front().feed_forward.activation;
    if (!activation_info(network.activation).gated) network.w_gate = network.b_gate = Tensor();
  }
  const AttentionShape shape = shape_of(changed);
  *stack_of(changed.model) = std::move(stack);
  generate_missing(tensors_of(changed.model, shape), changed.seed);
}

void choose(Document& changed, const RecurrentChoice& choice) {
  auto& model = std::get<RecurrentModel>(changed.model);
  RecurrentWidths widths = widths_of(model);
  // Cells of different widths keep them until the number of units changes.
  if (choice.hidden != widths.decoder) {
    widths.encoder = widths.decoder = choice.hidden;
    if (widths.backward > 0) widths.backward = choice.hidden;
  }
  widths.cell = choice.cell;
  widths.asks = choice.asks;
  if (!choice.bidirectional) widths.backward = 0;
  if (choice.bidirectional && widths.backward == 0) widths.backward = widths.encoder;
  widths.d_out = !choice.outputs ? 0 : widths.d_out > 0 ? widths.d_out : widths.decoder;
  std::vector<std::string> made;
  complete_recurrent(model.recurrent, widths, changed.seed, made);
  if (scoring_info(changed.scoring.function).needs_equal_widths &&
      widths.decoder != widths.encoder_width()) {
    changed.scoring.function = kScoringOfAnyWidths;
  }
  complete_scoring(changed.scoring, shape_of(changed), changed.seed);
}

}  // namespace

std::vector<std::string> complete_scoring(Scoring& scoring, AttentionShape shape,
                                          std::uint64_t seed) {
  // Vectors of hidden units are shared by all functions that have them.
  shape.d_a = hidden_units_for(scoring, shape);
  drop_unused(scoring, shape);
  return generate_scoring(scoring, shape, seed);
}

Result<Document> with_scoring(const Document& document, Scoring scoring) {
  Document changed = document;
  const bool other_function = scoring.function != document.scoring.function;
  changed.scoring = std::move(scoring);
  if (!has_scores(document.model)) return if_consistent(std::move(changed));
  if (other_function) complete_scoring(changed.scoring, scored_shape(changed), changed.seed);
  return if_consistent(std::move(changed));
}

Result<Document> with_position(const Document& document, Position position) {
  Document changed = document;
  changed.position = std::move(position);
  const AttentionShape shape = shape_of(changed);
  Position& wanted = changed.position;
  if (!position_info(wanted.kind).has_table) wanted.table = Tensor();
  if (!is_turned(wanted)) wanted.rotary_dim = 0;
  if (is_turned(wanted) && wanted.rotary_dim == 0) fit_rotary(wanted, shape);
  extend_to_positions(changed);
  return if_consistent(std::move(changed));
}

Result<Document> with_mask(const Document& document, Mask mask, const HeadAddress& at) {
  Document changed = document;
  mask_of(changed, at) = std::move(mask);
  extend_to_positions(changed);
  return if_consistent(std::move(changed));
}

Document with_causal(const Document& document, bool causal, const HeadAddress& at) {
  Document changed = document;
  mask_of(changed, at).causal = causal;
  return changed;
}

Result<Document> with_causal_offset(const Document& document, std::int64_t offset,
                                    const HeadAddress& at) {
  Mask mask = mask_of(document, at);
  mask.causal_offset.clear();
  if (offset != 0) mask.causal_offset.push_back(offset);
  return with_mask(document, std::move(mask), at);
}

Document with_padding(const Document& document, Side side, std::size_t sample, std::size_t index,
                      bool real, const HeadAddress& at) {
  const AttentionShape shape = shape_of(document, at);
  const std::size_t n = side == Side::Query ? shape.n_q : shape.n_k;
  if (index >= n || sample >= shape.samples) return document;
  Document changed = document;
  Mask& mask = mask_of(changed, at);
  PaddingLists& lists = side == Side::Query ? mask.query_padding : mask.key_padding;
  if (lists.empty()) lists.emplace_back(n, std::uint8_t{1});
  if (lists.size() == 1) lists = PaddingLists(shape.samples, lists.front());
  lists[sample][index] = real ? 1 : 0;
  // Rules without effect are dropped, so that switching a token off and on restores the document.
  if (std::ranges::all_of(lists, all_set)) lists.clear();
  return changed;
}

Document with_cell_visible(const Document& document, const HeadAddress& head, std::size_t q,
                           std::size_t k, bool visible, bool alone) {
  const AttentionShape shape = shape_of(document, head);
  if (q >= shape.n_q || k >= shape.n_k || head.head >= shape.heads ||
      head.sample >= shape.samples) {
    return document;
  }
  Document changed = document;
  BoolTensor& cells = mask_of(changed, head).visible;
  cells = with_all_cells(cells, shape, alone);
  const std::size_t flat = broadcast_index(cells.shape(), head, q, k);
  cells = cells.with(flat, visible ? 1 : 0);
  if (all_set(cells.values())) cells = BoolTensor();
  return changed;
}

Document with_mask_cleared(const Document& document, bool only_painted, const HeadAddress& at) {
  Document changed = document;
  Mask left = only_painted ? mask_of(document, at) : Mask{};
  left.visible = BoolTensor();
  mask_of(changed, at) = std::move(left);
  return changed;
}

Result<Document> with_gates(const Document& document, std::span<const HeadGate> gates) {
  Document changed = document;
  for (const HeadGate& gate : gates) set_gate(changed.what_if, gate.at, gate.factor);
  return if_consistent(std::move(changed));
}

void drop_what_is_gone(Document& document) {
  const AttentionShape shape = shape_of(document);
  const auto is_gone = [&](const HeadAddress& at) {
    return at.layer >= shape.layers || at.head >= shape.heads || at.sample >= shape.samples ||
           !has(attentions_of(document), at);
  };
  if (!joins_heads(document)) document.what_if.gates.clear();
  std::erase_if(document.what_if.gates, [&](const HeadGate& gate) { return is_gone(gate.at); });
  std::erase_if(document.what_if.patterns, [&](const HeadPattern& pattern) {
    if (is_gone(pattern.at)) return true;
    const AttentionShape own = shape_of(document, pattern.at);
    return pattern.weights.shape() != Shape{own.n_q, own.n_k};
  });
  if (!document.what_if.patterns.empty() && !why_no_patterns(make_problem(document)).empty()) {
    document.what_if.patterns.clear();
  }
  std::erase_if(document.what_if.edges, [&](const CutEdge& edge) {
    return is_gone(edge.at) || is_gone(edge.from) ||
           (edge.input != Stage::Query && shape.kv_heads != shape.heads);
  });
  if (!document.what_if.edges.empty() && !why_no_edges(make_problem(document)).empty()) {
    document.what_if.edges.clear();
  }
  if (document.features.none()) return;
  for (const FeatureAxisInfo& info : all_feature_axes()) {
    document.features.keep_first(info.axis, shape.*info.count);
  }
}

Result<Document> with_patterns(const Document& document, std::span<const HeadPattern> patterns) {
  Document changed = document;
  for (const auto& [at, weights] : patterns) set_pattern(changed.what_if, at, weights);
  return if_consistent(std::move(changed));
}

Result<Document> with_edges(const Document& document, std::span<const CutEdge> edges,
                            bool are_cut) {
  Document changed = document;
  for (const CutEdge& edge : edges) set_edge(changed.what_if, edge, are_cut);
  return if_consistent(std::move(changed));
}

Result<Document> with_choice(const Document& document, const ModelChoice& choice) {
  Document changed = document;
  std::visit([&](const auto& chosen) { choose(changed, chosen); }, choice);
  drop_what_is_gone(changed);
  return if_consistent(std::move(changed));
}

std::string reason_against(const Document& document, const ModelChoice& choice) {
  if (const auto* stack = std::get_if<Stack>(&choice)) {
    const bool fits = stack_of(document.model) != nullptr && !stack->blocks.empty();
    return fits ? "" : "This document has no transformer blocks to change";
  }
  const bool fits = std::holds_alternative<RecurrentModel>(document.model) &&
                    std::get<RecurrentChoice>(choice).hidden > 0;
  return fits ? "" : "This document has no recurrent encoder–decoder to change";
}

std::string label_of(const ModelChoice& choice) {
  return std::holds_alternative<Stack>(choice) ? "change blocks" : "change encoder–decoder";
}

}  // namespace attn
