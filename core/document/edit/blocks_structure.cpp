// Blocks made of other models: a layer becomes the attention of the first of them.
#include <utility>

#include "document/edit/rebuilding.h"

namespace attn {
namespace {

void set_layout_of_blocks(Rebuilding& rebuilding) {
  rebuilding.layout.layers = 1;
  rebuilding.layout.value_width = 0;
}

// Blocks of one sequence get the keys of another one to attend to.
void attend_across(Rebuilding& rebuilding) {
  make_cross(rebuilding);
  Document& document = rebuilding.document;
  document.self_mask = std::exchange(document.mask, {});
  auto blocks = std::get<EncoderStack>(std::move(document.model));
  for (TransformerBlock& block : blocks.stack.blocks) block.cross.emplace();
  document.model =
      DecoderStack{std::move(blocks.embeddings), blocks.heads, std::move(blocks.stack)};
}

std::string numbered_blocks(std::size_t first, std::size_t end) {
  if (end == first + 1) return "block " + std::to_string(end);
  return "blocks " + std::to_string(first + 1) + " to " + std::to_string(end);
}

}  // namespace

Projections first_block_projections(const Model& model, AttentionPart part) {
  const Stack* stack = stack_of(model);
  if (stack == nullptr) return {};
  const TransformerBlock& first = stack->blocks.front();
  const bool across = first.cross && part == AttentionPart::Cross;
  return across ? first.cross->projections : first.projections;
}

void adopt_blocks(Rebuilding& rebuilding) {
  EncoderStack model;
  model.embeddings.query = kept_embeddings(rebuilding).query;
  model.stack.blocks.resize(1);
  model.stack.blocks.front().projections = kept_projections(rebuilding);
  set_layout_of_blocks(rebuilding);
  rebuilding.document.model = std::move(model);
}

// What attends to a second sequence does so in the first block.
void adopt_decoder(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  if (!document.cross) {
    if (!std::holds_alternative<EncoderStack>(document.model)) adopt_blocks(rebuilding);
    return attend_across(rebuilding);
  }
  DecoderStack model;
  model.embeddings = kept_embeddings(rebuilding);
  model.embeddings.value = Tensor();
  model.stack.blocks.resize(1);
  model.stack.blocks.front().cross.emplace().projections = kept_projections(rebuilding);
  set_layout_of_blocks(rebuilding);
  document.model = std::move(model);
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

}  // namespace attn
