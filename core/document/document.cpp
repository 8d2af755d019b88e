// What can be read off a document.
#include "document/document.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace attn {
AttentionShape shape_of(const Document& document) {
  AttentionShape shape = shape_of(document.model);
  shape.d_a = hidden_units(document.scoring);
  return shape;
}

bool is_decoder(const Document& document) {
  return std::holds_alternative<DecoderStack>(document.model);
}

std::span<const AttentionPartInfo> attentions_of(const Document& document) {
  const Stack* stack = stack_of(document.model);
  return attentions_of(stack == nullptr ? Stack{} : *stack);
}

const Mask& mask_of(const Document& document, AttentionPart part) {
  const bool own = part == AttentionPart::Self && is_decoder(document);
  return own ? document.self_mask : document.mask;
}

Mask& mask_of(Document& document, AttentionPart part) {
  return const_cast<Mask&>(mask_of(std::as_const(document), part));
}

Document attended(const Document& document, AttentionPart part) {
  Document of_part = document;
  if (part == AttentionPart::Cross || !is_decoder(document)) return of_part;
  of_part.mask = std::exchange(of_part.self_mask, {});
  of_part.cross = false;
  of_part.key_tokens.clear();
  of_part.model = own_attention(std::get<DecoderStack>(document.model));
  return of_part;
}

AttentionShape shape_of(const Document& document, AttentionPart part) {
  const bool self = part == AttentionPart::Self && is_decoder(document);
  return self ? self_shape(shape_of(document)) : shape_of(document);
}

AttentionShape scored_shape(const Document& document) {
  AttentionShape shape = shape_of(document);
  shape.n_k = std::max(shape.n_k, shape_of(document, AttentionPart::Self).n_k);
  return shape;
}

const TokenList& tokens_of(const Document& document, Side side, std::size_t sample) {
  const bool keys = side == Side::Key && document.cross;
  const TokenLists& lists = keys ? document.key_tokens : document.query_tokens;
  assert(!lists.empty());
  return lists.size() == 1 ? lists.front() : lists[sample];
}

}  // namespace attn
