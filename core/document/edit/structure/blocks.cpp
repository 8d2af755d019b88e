// Blocks: a layer becomes the attention of the first of them, and the first gives back a layer.
#include "document/edit/structure/blocks.h"

#include <utility>

#include "attention/problem.h"
#include "document/edit/structure/attention_layer.h"
#include "document/edit/structure/refit.h"

namespace attn {
namespace {

constexpr std::string_view kFieldsOfBlocks[] = {"heads",   "key_value_heads", "d_k",    "d_v",
                                                "d_model", "layers",          "samples"};

constexpr std::size_t kUsualFactor = 4;  // a network is so many times as wide as the model

void set_layout_of_blocks(Rebuilding& rebuilding, std::size_t blocks) {
  rebuilding.layout.layers = blocks;
  rebuilding.layout.value_width = 0;
}

void become_blocks(Rebuilding& rebuilding) {
  EncoderStack model;
  model.embeddings.query = kept_embeddings(rebuilding).query;
  model.stack.blocks.resize(1);
  model.stack.blocks.front().projections = kept_projections(rebuilding);
  set_layout_of_blocks(rebuilding, 1);
  rebuilding.document.model = std::move(model);
}

Status adopt_blocks(Rebuilding& rebuilding) {
  become_blocks(rebuilding);
  return ok_status();
}

void move_mask_to_self(Document& document) {
  document.self_mask = std::exchange(document.mask, {});
}

// Blocks of one sequence get the keys of another one to attend to.
void attend_across(Rebuilding& rebuilding) {
  make_cross(rebuilding);
  move_mask_to_self(rebuilding.document);
  auto blocks = std::get<EncoderStack>(std::move(rebuilding.document.model));
  for (TransformerBlock& block : blocks.stack.blocks) block.cross.emplace();
  rebuilding.document.model =
      DecoderStack{std::move(blocks.embeddings), blocks.heads, std::move(blocks.stack)};
}

// What attends to a second sequence does so in the first block.
void adopt_across(Rebuilding& rebuilding) {
  DecoderStack model;
  model.embeddings = kept_embeddings(rebuilding);
  model.embeddings.value = Tensor();
  model.stack.blocks.resize(1);
  model.stack.blocks.front().cross.emplace().projections = kept_projections(rebuilding);
  set_layout_of_blocks(rebuilding, 1);
  rebuilding.document.model = std::move(model);
}

Status adopt_decoder(Rebuilding& rebuilding) {
  if (rebuilding.document.cross) {
    adopt_across(rebuilding);
    return ok_status();
  }
  if (!std::holds_alternative<EncoderStack>(rebuilding.document.model)) become_blocks(rebuilding);
  attend_across(rebuilding);
  return ok_status();
}

// A network stays four times as wide as the model where it is so.
AttentionShape target_of_blocks(const Rebuilding& rebuilding) {
  AttentionShape target = embedded_target(rebuilding);
  const AttentionShape& layout = rebuilding.layout;
  const bool usual = layout.d_ff == 0 || layout.d_ff == kUsualFactor * layout.d_model;
  target.d_ff = usual ? kUsualFactor * target.d_model : layout.d_ff;
  return target;
}

std::string numbered_blocks(std::size_t first, std::size_t end) {
  if (end == first + 1) return "block " + std::to_string(end);
  return "blocks " + std::to_string(first + 1) + " to " + std::to_string(end);
}

void resize_stack(Rebuilding& rebuilding, Stack& stack, std::size_t wanted) {
  const std::size_t there = stack.blocks.size();
  if (there == wanted) return;
  stack.blocks.resize(wanted);
  for (std::size_t layer = there; layer < wanted; ++layer) {
    const TransformerBlock& first = stack.blocks.front();
    stack.blocks[layer].feed_forward.activation = first.feed_forward.activation;
    if (first.cross) stack.blocks[layer].cross.emplace();
  }
  rebuilding.remarks.sentences.push_back(wanted > there
                                             ? "Generated " + numbered_blocks(there, wanted)
                                             : "Dropped " + numbered_blocks(wanted, there));
}

template <class Kind>
void refit_blocks(Rebuilding& rebuilding, const AttentionShape& target) {
  refit_embeddings(rebuilding, target);
  auto& model = std::get<Kind>(rebuilding.document.model);
  model.heads = target.heads;
  resize_stack(rebuilding, model.stack, target.layers);
  TensorList list;
  list_stack(list, model.stack, target, {});
  refit_tensors(rebuilding, list, target);
}

// Of so many attentions in each block.
std::uint64_t numbers_of_stack(const AttentionShape& s, std::size_t attentions) {
  const std::uint64_t projections = saturating_product(attentions, numbers_of_projections(s));
  const std::uint64_t block = saturating_sum(projections, element_count({2, s.d_model, s.d_ff}));
  return saturating_sum(numbers_of_embeddings(s), saturating_product(s.layers, block));
}

std::uint64_t numbers_of_blocks(const AttentionShape& s) { return numbers_of_stack(s, 1); }
std::uint64_t numbers_of_decoder(const AttentionShape& s) { return numbers_of_stack(s, 2); }

void outline_blocks(AttentionProblem& problem) {
  const std::size_t d_ff = problem.shape.d_ff;
  outline_layer(problem);
  problem.shape.d_ff = d_ff > 0 ? d_ff : element_count({kUsualFactor, problem.shape.d_model});
  problem.stack.blocks.resize(1);
}

void outline_decoder(AttentionProblem& problem) {
  outline_blocks(problem);
  problem.stack.blocks.front().cross.emplace();
}

}  // namespace

Projections first_block_projections(const Model& model, AttentionPart part) {
  const Stack* stack = stack_of(model);
  if (stack == nullptr) return {};
  const TransformerBlock& first = stack->blocks.front();
  const bool across = first.cross && part == AttentionPart::Cross;
  return across ? first.cross->projections : first.projections;
}

const KindStructure kBlocksStructure{{StructureKind::Blocks, "blocks", "Encoder blocks",
                                      "Transformer blocks, whose rows attend to one another"},
                                     kFieldsOfBlocks,
                                     std::holds_alternative<EncoderStack>,
                                     adopt_blocks,
                                     target_of_blocks,
                                     refit_blocks<EncoderStack>,
                                     outline_blocks,
                                     numbers_of_blocks};

const KindStructure kDecoderStructure{
    {StructureKind::Decoder, "decoder", "Decoder blocks",
     "Transformer blocks, whose rows attend to one another and then to a second sequence"},
    kFieldsOfBlocks,
    std::holds_alternative<DecoderStack>,
    adopt_decoder,
    target_of_blocks,
    refit_blocks<DecoderStack>,
    outline_decoder,
    numbers_of_decoder};

}  // namespace attn
