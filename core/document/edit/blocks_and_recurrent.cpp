// Editing of blocks and recurrent encoder–decoders: choices, adoption from other models, and
// resizing.
#include <algorithm>
#include <string_view>
#include <utility>

#include "document/edit.h"
#include "document/edit/rebuilding.h"
#include "document/generate.h"
#include "document/inconsistencies.h"

namespace attn {

namespace {

void choose(Document& changed, Stack stack) {
  const bool across = stack_of(changed.model)->blocks.front().cross.has_value();
  for (TransformerBlock& block : stack.blocks) {
    if (across && !block.cross) block.cross.emplace();
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

Result<Document> with_choice(const Document& document, const ModelChoice& choice) {
  Document changed = document;
  std::visit([&](const auto& chosen) { choose(changed, chosen); }, choice);
  fit_features(changed);
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

namespace {

void set_layout_of_blocks(Rebuilding& rebuilding) {
  rebuilding.layout.layers = 1;
  rebuilding.layout.value_width = 0;
}

// Adds a second sequence to blocks.
void attend_across(Rebuilding& rebuilding) {
  make_cross(rebuilding);
  Document& document = rebuilding.document;
  document.self_mask = std::exchange(document.mask, {});
  for (TransformerBlock& block : stack_of(document.model)->blocks) block.cross.emplace();
}

std::string numbered_blocks(std::size_t first, std::size_t end) {
  if (end == first + 1) return "block " + std::to_string(end);
  return "blocks " + std::to_string(first + 1) + " to " + std::to_string(end);
}

}  // namespace

Projections first_block_projections(const Model& model) {
  const Stack* stack = stack_of(model);
  if (stack == nullptr) return {};
  const TransformerBlock& first = stack->blocks.front();
  return first.cross ? first.cross->projections : first.projections;
}

Status adopt_blocks(Rebuilding& rebuilding) {
  BlockModel model;
  model.embeddings.query = kept_embeddings(rebuilding).query;
  model.stack.blocks.resize(1);
  model.stack.blocks.front().projections = kept_projections(rebuilding);
  set_layout_of_blocks(rebuilding);
  rebuilding.document.model = std::move(model);
  return ok_status();
}

void keep_self_attention(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  auto& model = std::get<BlockModel>(document.model);
  model.embeddings.key = {};
  for (TransformerBlock& block : model.stack.blocks) block.cross.reset();
  document.mask = std::exchange(document.self_mask, {});
  document.cross = false;
  document.key_tokens.clear();
  rebuilding.at.attention = kSelfAttention;
  if (rebuilding.before.mask != Mask{}) {
    rebuilding.remarks.sentences.emplace_back("Dropped the mask of the cross-attention");
  }
}

// What attends to a second sequence does so in the first block.
Status adopt_decoder(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  if (!document.cross) {
    Status adopted = stack_of(document.model) == nullptr ? adopt_blocks(rebuilding) : ok_status();
    attend_across(rebuilding);
    return adopted;
  }
  BlockModel model;
  model.embeddings = kept_embeddings(rebuilding);
  model.embeddings.value = Tensor();
  model.stack.blocks.resize(1);
  model.stack.blocks.front().cross.emplace().projections = kept_projections(rebuilding);
  set_layout_of_blocks(rebuilding);
  document.model = std::move(model);
  return ok_status();
}

void resize_blocks(Rebuilding& rebuilding) {
  Stack* stack = stack_of(rebuilding.document.model);
  const std::size_t wanted = rebuilding.wanted.layers;
  if (stack == nullptr || stack->blocks.size() == wanted) return;
  const std::size_t there = stack->blocks.size();
  stack->blocks.resize(wanted);
  for (std::size_t layer = there; layer < wanted; ++layer) {
    const TransformerBlock& first = stack->blocks.front();
    stack->blocks[layer].feed_forward.activation = first.feed_forward.activation;
    if (first.cross) stack->blocks[layer].cross.emplace();
  }
  rebuilding.remarks.sentences.push_back(wanted > there
                                             ? "Generated " + numbered_blocks(there, wanted)
                                             : "Dropped " + numbered_blocks(wanted, there));
}

namespace {

const Recurrent& recurrent_of(const Rebuilding& rebuilding) {
  return std::get<RecurrentModel>(rebuilding.document.model).recurrent;
}

// Widths of existing tensors; 0 for new cells.
RecurrentWidths widths_before(const Rebuilding& rebuilding) {
  const Recurrent& model = recurrent_of(rebuilding);
  if (model.encoder.w_h.empty()) return {};
  const AttentionShape& layout = rebuilding.layout;
  return widths_of(model, key_embedding_columns(layout), layout.d_model);
}

RecurrentWidths widths_after(const Rebuilding& rebuilding, const AttentionShape& target) {
  const RecurrentWidths before = widths_before(rebuilding);
  RecurrentWidths after = before;
  after.d_source = key_embedding_columns(target);
  after.d_target = target.d_model;
  if (before.encoder_width() != rebuilding.wanted.d_k) {
    const bool both_ways = before.backward > 0;
    after.encoder = after.decoder = rebuilding.wanted.d_k / (both_ways ? 2 : 1);
    if (both_ways) after.backward = after.encoder;
  }
  if (before.encoder == 0 || before.d_out == before.decoder) after.d_out = after.decoder;
  return after;
}

void resize_present_cells(Rebuilding& rebuilding, const RecurrentWidths& from,
                          const RecurrentWidths& to) {
  const auto& model = std::get<RecurrentModel>(rebuilding.document.model);
  const TensorList list = tensors_of(model, rebuilding.layout);
  const auto tensors = all_recurrent_tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TensorInfo& info = list[list.size() - tensors.size() + i];
    if (!info.is_there()) continue;
    const std::vector<AxisParts> before = recurrent_axes(tensors[i], from);
    const std::vector<AxisParts> after = recurrent_axes(tensors[i], to);
    std::vector<AxisSources> axes;
    for (std::size_t axis = 0; axis < after.size(); ++axis) {
      axes.push_back(resized_axis(before[axis], after[axis]));
    }
    resize_tensor(rebuilding, info, axes);
  }
}

}  // namespace

Status adopt_cells(Rebuilding& rebuilding) {
  RecurrentModel model;
  model.embeddings = kept_embeddings(rebuilding);
  model.embeddings.value = Tensor();
  rebuilding.layout.layers = 1;
  rebuilding.layout.value_width = rebuilding.layout.d_ff = 0;
  rebuilding.document.model = std::move(model);
  return ok_status();
}

AttentionShape target_of_cells(const Rebuilding& rebuilding, AttentionShape target) {
  const RecurrentWidths after = widths_after(rebuilding, target);
  target.value_width = target.d_ff = 0;
  target.d_k = target.d_v = after.encoder_width();
  target.d_q = after.decoder == target.d_k ? 0 : after.decoder;
  target.d_out = after.d_out;
  return target;
}

void resize_cells(Rebuilding& rebuilding, const AttentionShape& target) {
  auto& model = std::get<RecurrentModel>(rebuilding.document.model);
  const RecurrentWidths from = widths_before(rebuilding), to = widths_after(rebuilding, target);
  if (from.encoder > 0) resize_present_cells(rebuilding, from, to);
  std::vector<std::string> made;
  complete_recurrent(model.recurrent, to, rebuilding.document.seed, made, rebuilding.count);
  const TensorList list = tensors_of(model, target);
  for (const std::string& name : made) {
    const auto& info = *std::ranges::find(list, name, &TensorInfo::name);
    rebuilding.remarks.generated.push_back(info.label);
  }
}

std::string reason_against_cells(const Document& document, const Structure& wanted) {
  const auto* model = std::get_if<RecurrentModel>(&document.model);
  if (model == nullptr || !is_bidirectional(model->recurrent)) return "";
  const bool same = wanted.d_k == encoder_width(model->recurrent);
  if (same || wanted.d_k % 2 == 0) return "";
  return "An encoder in both directions has states of an even width, half of each direction";
}

}  // namespace attn
