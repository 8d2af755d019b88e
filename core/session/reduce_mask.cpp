// Edits of the mask, of the scoring function and of positions.
#include "document/edit.h"
#include "session/handlers.h"

namespace attn {
namespace {

void refuse(AppState& state, std::string reason) {
  notify(state, Notice::Level::Warning, std::move(reason));
}

// What undo says of a change.
std::string change_of(const Scoring& before, const Scoring& after) {
  if (before.function != after.function) return "change scoring function";
  if (before.scale != after.scale) return "change scale";
  if (before.softcap != after.softcap) return "change softcap";
  if (before.temperature != after.temperature) return "change temperature";
  if (before.normaliser != after.normaliser) return "change normaliser";
  return "change scoring";
}

}  // namespace

void apply(Step& step, const command::SetCausal& c) {
  edit(step, with_causal(step.state.document, c.causal),
       c.causal ? "causal mask on" : "causal mask off");
}

void apply(Step& step, const command::SetCausalOffset& c) {
  if (c.offset < -command::kLargestOffset || c.offset > command::kLargestOffset) {
    return refuse(step.state, "The offset must be between -1,000,000 and 1,000,000");
  }
  edit(step, with_causal_offset(step.state.document, c.offset), "causal offset", c.stroke);
}

void apply(Step& step, const command::SetPadding& c) {
  const AttentionShape shape = shape_of(step.state.document);
  const std::size_t count = c.side == Side::Query ? shape.n_q : shape.n_k;
  if (c.sample >= shape.samples || c.index >= count) {
    return refuse(step.state, "There is no such token to hide or show");
  }
  edit(step, with_padding(step.state.document, c.side, c.sample, c.index, c.real),
       c.real ? "show token" : "hide token");
}

void apply(Step& step, const command::PaintCell& c) {
  const AttentionShape shape = shape_of(step.state.document);
  if (c.head.sample >= shape.samples || c.head.head >= shape.heads || c.q >= shape.n_q ||
      c.k >= shape.n_k) {
    return;
  }
  edit(step, with_cell_visible(step.state.document, c.head, c.q, c.k, c.visible), "paint mask",
       c.stroke);
}

void apply(Step& step, const command::ClearPainted& /*c*/) {
  edit(step, with_painted_cleared(step.state.document), "clear painted mask");
}

void apply(Step& step, const command::ClearMask& /*c*/) {
  edit(step, with_mask_cleared(step.state.document), "clear all masks");
}

void apply(Step& step, const command::SetScoring& c) {
  if (std::holds_alternative<WeightsInput>(step.state.document.input)) {
    return refuse(step.state, "This document gives finished weights, so there is nothing to score");
  }
  edit(step, with_scoring(step.state.document, c.scoring),
       change_of(step.state.document.scoring, c.scoring), c.stroke);
}

void apply(Step& step, const command::SetMask& c) {
  edit(step, with_mask(step.state.document, c.mask), "change mask", c.stroke);
}

void apply(Step& step, const command::SetPosition& c) {
  edit(step, with_position(step.state.document, c.position), "change positions", c.stroke);
}

void apply(Step& step, const command::SetRecurrent& c) {
  if (recurrent_of(step.state.document) == nullptr || c.choice.hidden == 0) {
    return refuse(step.state, "This document has no recurrent encoder–decoder to change");
  }
  edit(step, with_recurrent(step.state.document, c.choice), "change encoder–decoder");
}

void apply(Step& step, const command::SetStack& c) {
  const auto* input = std::get_if<EmbeddingInput>(&step.state.document.input);
  if (input == nullptr || input->stack.blocks.empty() || c.stack.blocks.empty()) {
    return refuse(step.state, "This document has no transformer blocks to change");
  }
  edit(step, with_stack(step.state.document, c.stack), "change blocks");
}

}  // namespace attn
