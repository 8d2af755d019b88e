// Edits of the mask and of the scale.
#include <cmath>

#include "document/edit.h"
#include "session/handlers.h"

namespace attn {
namespace {

void refuse(AppState& state, std::string reason) {
  notify(state, Notice::Level::Warning, std::move(reason));
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

void apply(Step& step, const command::SetScale& c) {
  if (c.scale && !std::isfinite(*c.scale)) {
    return refuse(step.state, "The scale must be a finite number");
  }
  if (std::holds_alternative<WeightsInput>(step.state.document.input)) {
    return refuse(step.state, "This document gives finished weights, so there is nothing to scale");
  }
  Document document = step.state.document;
  document.scoring.scale = c.scale;
  edit(step, std::move(document), "change scale", c.stroke);
}

}  // namespace attn
