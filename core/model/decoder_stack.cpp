// A decoder's blocks: their extents and their list.
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

}  // namespace attn
