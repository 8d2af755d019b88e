// A decoder's blocks: what they add to stacks of one sequence.
#include "model/decoder_stack.h"

namespace attn {

AttentionShape shape_of(const DecoderStack& model) {
  AttentionShape shape = shape_of(model.embeddings);
  set_stack_extents(shape, model.stack, model.heads);
  return shape;
}

TensorList tensors_of(const DecoderStack& model, const AttentionShape& shape,
                      std::optional<std::size_t> block) {
  TensorList list;
  list_embeddings(list, model.embeddings, shape);
  list_stack(list, model.stack, shape, block);
  return list;
}

EncoderStack own_attention(const DecoderStack& model) {
  EncoderStack own{{model.embeddings.query, {}, {}}, model.heads, model.stack};
  for (TransformerBlock& block : own.stack.blocks) block.cross.reset();
  return own;
}

AttentionShape own_shape(const DecoderStack& model) { return self_shape(shape_of(model)); }

void check(Findings& findings, const DecoderStack& model, const Surroundings& around) {
  check_blocks_of(findings, around, model.embeddings, model.heads, model.stack);
}

void put_into(AttentionProblem& problem, const DecoderStack& model) {
  put_into(problem, model.embeddings);
  problem.stack = model.stack;
}

}  // namespace attn
