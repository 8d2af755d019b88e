// Blocks and recurrent encoder–decoders as they are chosen to be: norms, activation, cells.
#include <utility>

#include "document/edit.h"
#include "document/edit/features.h"
#include "document/edit/recurrent.h"
#include "document/generate.h"
#include "document/inconsistencies.h"

namespace attn {

void complete_recurrent(Recurrent& model, const RecurrentWidths& widths, std::uint64_t seed,
                        std::vector<std::string>& made, StepCount* count) {
  model.cell = widths.cell;
  model.asks = widths.asks;
  // A model that begins by a map goes on to, also where it could do without.
  const bool maps_initial = !model.w_initial.empty() || !model.b_initial.empty();
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    Tensor& tensor = info.write(model);
    const Shape shape = recurrent_shape(info, widths);
    if (tensor.shape() != shape) tensor = Tensor();
    const bool wanted = maps_initial && info.name == "w_initial";
    if (!tensor.empty() || shape.empty() || (may_be_absent(info, widths) && !wanted)) continue;
    const std::string name =
        (info.cell.empty() ? "" : std::string(info.cell) + " ") + std::string(info.name);
    tensor = generated_projection(seed, name, shape[0], shape[1], count);
    made.push_back(name);
  }
}

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
  // Cells of different widths keep them until the number of units is changed.
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

}  // namespace attn
