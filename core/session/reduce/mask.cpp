// Edits of the mask, of the scoring function, of positions and of the model as a whole.
#include "base/number_text.h"
#include "document/edit.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

// Painting takes a flag for every cell, and copies them for every one that is painted.
constexpr std::uint64_t kMostPainted = std::uint64_t{1} << 28;

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

// Edits the mask of the attention that is looked at.
template <class Change>
void edit_mask(Step& step, std::string label, std::uint64_t stroke, Change change) {
  const Document& document = step.state.document;
  const AttentionPart part = focused_view(step.state).options.attention;
  const Result<Document> edited = change(attended(document, part));
  if (!edited) return edit(step, edited, std::move(label), stroke);
  edit(step, with_mask_from(document, part, *edited), std::move(label), stroke);
}

}  // namespace

void apply(Step& step, const command::SetCausal& c) {
  edit_mask(step, c.causal ? "causal mask on" : "causal mask off", 0,
            [&](const Document& document) { return with_causal(document, c.causal); });
  std::erase_if(step.state.notices, [&](const Notice& notice) {
    return notice.offer == Notice::Offer::CausalOff && notice.document == step.state.id;
  });
}

void apply(Step& step, const command::SetCausalOffset& c) {
  if (c.offset < -command::kLargestOffset || c.offset > command::kLargestOffset) {
    return refuse(step.state, "The offset must be between -1,000,000 and 1,000,000");
  }
  edit_mask(step, "causal offset", c.stroke,
            [&](const Document& document) { return with_causal_offset(document, c.offset); });
}

void apply(Step& step, const command::SetPadding& c) {
  const AttentionShape shape = shown_shape(step.state);
  const std::size_t count = c.side == Side::Query ? shape.n_q : shape.n_k;
  if (c.sample >= shape.samples || c.index >= count) {
    return refuse(step.state, "There is no such token to hide or show");
  }
  edit_mask(step, c.real ? "show token" : "hide token", 0, [&](const Document& document) {
    return with_padding(document, c.side, c.sample, c.index, c.real);
  });
}

void apply(Step& step, const command::PaintCell& c) {
  const AttentionShape shape = shown_shape(step.state);
  if (c.head.sample >= shape.samples || c.head.head >= shape.heads || c.q >= shape.n_q ||
      c.k >= shape.n_k) {
    return;
  }
  const std::uint64_t cells = element_count({shape.n_q, shape.n_k});
  if (cells > kMostPainted && shown_mask(step.state).visible.size() < cells) {
    return refuse(step.state, "Painting would need a flag for each of " + grouped_text(cells) +
                                  " cells; hide tokens or use the other rules instead");
  }
  edit_mask(step, "paint mask", c.stroke, [&](const Document& document) {
    return with_cell_visible(document, c.head, c.q, c.k, c.visible);
  });
}

void apply(Step& step, const command::ClearPainted& /*c*/) {
  edit_mask(step, "clear painted mask", 0, with_painted_cleared);
}

void apply(Step& step, const command::ClearMask& /*c*/) {
  edit_mask(step, "clear all masks", 0, with_mask_cleared);
}

void apply(Step& step, const command::SetScoring& c) {
  if (!has_scores(step.state.document.model)) {
    return refuse(step.state, "This document gives finished weights, so there is nothing to score");
  }
  edit(step, with_scoring(step.state.document, c.scoring),
       change_of(step.state.document.scoring, c.scoring), c.stroke);
}

void apply(Step& step, const command::SetMask& c) {
  edit_mask(step, "change mask", c.stroke,
            [&](const Document& document) { return with_mask(document, c.mask); });
}

void apply(Step& step, const command::SetPosition& c) {
  edit(step, with_position(step.state.document, c.position), "change positions", c.stroke);
}

void apply(Step& step, const command::SetModel& c) {
  std::string reason = reason_against(step.state.document, c.choice);
  if (!reason.empty()) return refuse(step.state, std::move(reason));
  edit(step, with_choice(step.state.document, c.choice), label_of(c.choice), c.stroke);
}

}  // namespace attn
