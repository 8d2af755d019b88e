#include "document/document.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace attn {
namespace {

AttentionShape shape_of_input(const QkvInput& input) {
  const std::size_t rank = input.q.rank();
  AttentionShape shape;
  shape.samples = rank == 4 ? input.q.extent(0) : 1;
  shape.heads = rank >= 3 ? input.q.extent(rank - 3) : 1;
  shape.kv_heads = rank >= 3 ? input.k.extent(rank - 3) : 1;
  shape.n_q = input.q.extent(rank - 2);
  shape.n_k = input.k.extent(rank - 2);
  shape.d_k = input.k.extent(rank - 1);
  shape.d_v = input.v.extent(rank - 1);
  const std::size_t d_q = input.q.extent(rank - 1);
  shape.d_q = d_q == shape.d_k ? 0 : d_q;
  return shape;
}

AttentionShape shape_of_recurrent(const EmbeddingInput& input) {
  const Recurrent& model = *input.recurrent;
  const Tensor& key = input.key.empty() ? input.query : input.key;
  const std::size_t rank = input.query.rank();
  AttentionShape shape;
  shape.samples = rank == 3 ? input.query.extent(0) : 1;
  shape.n_q = input.query.extent(rank - 2);
  shape.n_k = key.extent(rank - 2);
  shape.d_k = shape.d_v = encoder_width(model);
  const std::size_t d_q = hidden_columns(model.decoder);
  shape.d_q = d_q == shape.d_k ? 0 : d_q;
  shape.d_out = model.w_output.empty() ? 0 : model.w_output.extent(1);
  shape.d_model = input.query.extent(rank - 1);
  shape.key_width = key.extent(rank - 1) == shape.d_model ? 0 : key.extent(rank - 1);
  return shape;
}

AttentionShape shape_of_input(const EmbeddingInput& input) {
  const Tensor& key = input.key.empty() ? input.query : input.key;
  if (input.recurrent) return shape_of_recurrent(input);
  const std::size_t rank = input.query.rank();
  const Projections& projections = projections_of(input, 0);
  AttentionShape shape;
  shape.samples = rank == 3 ? input.query.extent(0) : 1;
  shape.heads = input.heads;
  shape.n_q = input.query.extent(rank - 2);
  shape.n_k = key.extent(rank - 2);
  shape.d_k = projections.w_q.extent(1) / input.heads;
  shape.kv_heads = projections.w_k.extent(1) / shape.d_k;
  shape.d_v = projections.w_v.extent(1) / shape.kv_heads;
  shape.d_model = input.query.extent(rank - 1);
  shape.d_out = projections.w_o.empty() ? 0 : projections.w_o.extent(1);
  shape.layers = std::max<std::size_t>(1, input.stack.blocks.size());
  shape.d_ff = hidden_width(input.stack);
  const Tensor& value = input.value.empty() ? key : input.value;
  shape.key_width = key.extent(rank - 1) == shape.d_model ? 0 : key.extent(rank - 1);
  shape.value_width = value.extent(rank - 1) == key.extent(rank - 1) ? 0 : value.extent(rank - 1);
  return shape;
}

AttentionShape shape_of_input(const WeightsInput& input) {
  const auto extent = [&](Axis axis) -> std::size_t {
    const auto at = std::find(input.axes.begin(), input.axes.end(), axis);
    if (at == input.axes.end()) return 1;
    return input.weights.extent(static_cast<std::size_t>(at - input.axes.begin()));
  };
  AttentionShape shape;
  shape.layers = extent(Axis::Layer);
  shape.samples = extent(Axis::Sample);
  shape.heads = shape.kv_heads = extent(Axis::Head);
  shape.n_q = extent(Axis::Query);
  shape.n_k = extent(Axis::Key);
  return shape;
}

}  // namespace

AttentionShape shape_of(const Document& document) {
  AttentionShape shape =
      std::visit([](const auto& input) { return shape_of_input(input); }, document.input);
  shape.d_a = hidden_units(document.scoring);
  return shape;
}

const Recurrent* recurrent_of(const Document& document) {
  const auto* input = std::get_if<EmbeddingInput>(&document.input);
  return input != nullptr && input->recurrent ? &*input->recurrent : nullptr;
}

bool is_decoder(const Document& document) {
  const auto* input = std::get_if<EmbeddingInput>(&document.input);
  return input != nullptr && is_decoder(input->stack);
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
  auto& input = std::get<EmbeddingInput>(of_part.input);
  input.key = Tensor();
  for (TransformerBlock& block : input.stack.blocks) block.cross.reset();
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

const Projections& projections_of(const EmbeddingInput& input, std::size_t layer) {
  const std::vector<TransformerBlock>& blocks = input.stack.blocks;
  if (blocks.empty()) return input.projections;
  return blocks[std::min(layer, blocks.size() - 1)].projections;
}

const TokenList& tokens_of(const Document& document, Side side, std::size_t sample) {
  const bool keys = side == Side::Key && document.cross;
  const TokenLists& lists = keys ? document.key_tokens : document.query_tokens;
  assert(!lists.empty());
  return lists.size() == 1 ? lists.front() : lists[sample];
}

}  // namespace attn
