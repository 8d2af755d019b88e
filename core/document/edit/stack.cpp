// Edits of blocks as a whole.
#include <utility>

#include "document/edit.h"
#include "document/generate.h"
#include "document/inconsistencies.h"

namespace attn {

Result<Document> with_stack(const Document& document, Stack stack) {
  Document changed = document;
  const bool across = stack_of(document.model)->blocks.front().cross.has_value();
  for (TransformerBlock& block : stack.blocks) {
    if (across && !block.cross) block.cross.emplace();
    FeedForward& network = block.feed_forward;
    network.activation = stack.blocks.front().feed_forward.activation;
    if (!activation_info(network.activation).gated) network.w_gate = network.b_gate = Tensor();
  }
  *stack_of(changed.model) = std::move(stack);
  generate_missing(tensors_of(changed.model, shape_of(document)), changed.seed);
  return if_consistent(std::move(changed));
}

}  // namespace attn
