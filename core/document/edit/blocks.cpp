// Edits of blocks as a whole.
#include "document/edit/blocks.h"

#include <utility>

#include "document/edit.h"
#include "document/edit/features.h"
#include "document/generate.h"
#include "document/inconsistencies.h"

namespace attn {
namespace {

std::string reason_not_to(const Document& document, const ModelChoice& choice) {
  const bool fits = stack_of(document.model) != nullptr && !std::get<Stack>(choice).blocks.empty();
  return fits ? "" : "This document has no transformer blocks to change";
}

Result<Document> applied(const Document& document, const ModelChoice& choice) {
  Document changed = document;
  Stack stack = std::get<Stack>(choice);
  const bool across = stack_of(document.model)->blocks.front().cross.has_value();
  for (TransformerBlock& block : stack.blocks) {
    if (across && !block.cross) block.cross.emplace();
    FeedForward& network = block.feed_forward;
    network.activation = stack.blocks.front().feed_forward.activation;
    if (!activation_info(network.activation).gated) network.w_gate = network.b_gate = Tensor();
  }
  *stack_of(changed.model) = std::move(stack);
  generate_missing(tensors_of(changed.model, shape_of(document)), changed.seed);
  fit_features(changed);
  return if_consistent(std::move(changed));
}

}  // namespace

const ModelEdit kBlocksEdit{"change blocks", std::holds_alternative<Stack>, reason_not_to, applied};

}  // namespace attn
