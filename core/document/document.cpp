// Properties of a document.
#include "document/document.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"

namespace attn {
namespace {

constexpr std::array<MaskPlace, kAttentions> kMasks{{
    {{.attention = kLastAttention}, &Document::mask, "mask", ""},
    {{.attention = kSelfAttention}, &Document::self_mask, "self_mask", "self "},
    {{.attention = kEncoderAttention}, &Document::encoder_mask, "encoder_mask", "encoder "},
}};
constexpr std::array kMasksWithoutSelf{kMasks[kLastAttention], kMasks[kEncoderAttention]};

bool is_own_attention(const Document& document, const HeadAddress& at) {
  return at.attention != kLastAttention && has(attentions_of(document), at);
}

}  // namespace

AttentionShape shape_of(const Document& document, const HeadAddress& at) {
  AttentionShape shape = shape_of(document.model);
  shape.d_a = hidden_units(document.scoring);
  shape.layer_numbers = document.layer_numbers;
  return is_own_attention(document, at) ? shape_at(shape, at) : shape;
}

std::span<const AttentionInfo> attentions_of(const Document& document) {
  const auto* given = std::get_if<GivenWeights>(&document.model);
  if (given == nullptr) return attentions_in_order(false, info_of(document.model).sequences == 2);
  return attentions_in_order(!given->encoder.empty(), !given->self.empty());
}

HeadAddress nearest_head(const Document& document, const HeadAddress& at) {
  const AttentionShape shape = shape_of(document);
  return among(attentions_of(document), at)
      .moved_to(std::min(at.layer, shape.layers - 1), std::min(at.sample, shape.samples - 1),
                std::min(at.head, shape.heads - 1));
}

std::span<const MaskPlace> all_masks() { return kMasks; }

std::span<const MaskPlace> masks_of(const Document& document) {
  const std::span<const AttentionInfo> attentions = attentions_of(document);
  const bool skips = attentions.size() > 1 && !has(attentions, kMasks[kSelfAttention].at);
  return skips ? std::span<const MaskPlace>(kMasksWithoutSelf)
               : all_masks().first(attentions.size());
}

const MaskPlace& positioned_mask(const Document& document) { return masks_of(document).back(); }

std::string pointer_of(const MaskPlace& place) { return "/" + std::string(place.key); }

const Mask& mask_of(const Document& document, const HeadAddress& at) {
  return document.*kMasks[among(attentions_of(document), at).attention].mask;
}

Mask& mask_of(Document& document, const HeadAddress& at) {
  return const_cast<Mask&>(mask_of(std::as_const(document), at));
}

bool keys_are_queries(const Document& document, const HeadAddress& at) {
  return !document.cross || is_own_attention(document, at);
}

Side listed_side(const Document& document, const HeadAddress& at, Side side) {
  if (!keys_are_queries(document, at)) return side;
  const bool of_keys = document.cross && at.attention == kEncoderAttention;
  return of_keys ? Side::Key : Side::Query;
}

AttentionShape scored_shape(const Document& document) {
  AttentionShape shape = shape_of(document);
  for (const MaskPlace& place : masks_of(document)) {
    shape.n_k = std::max(shape.n_k, shape_of(document, place.at).n_k);
  }
  return shape;
}

const Tensor* given_weights(const Document& document, const HeadAddress& at) {
  const auto* given = std::get_if<GivenWeights>(&document.model);
  if (given == nullptr || !is_own_attention(document, at)) {
    return given == nullptr ? nullptr : &given->weights;
  }
  return &weights_of(const_cast<GivenWeights&>(*given), at);
}

Tensor& weights_of(GivenWeights& given, const HeadAddress& at) {
  if (at.attention == kLastAttention) return given.weights;
  return at.attention == kEncoderAttention ? given.encoder : given.self;
}

bool looks_causal(const Document& document, const HeadAddress& at, Progress* progress) {
  const Tensor* given = given_weights(document, at);
  return given != nullptr && keys_are_queries(document, at) &&
         attends_backwards_only(*given, progress);
}

Document with_spelling(Document document) {
  for (TokenLists* lists : {&document.query_tokens, &document.key_tokens}) {
    for (TokenList& list : *lists) list = list.as_written();
  }
  return document;
}

std::string shown_title(const Document& document) {
  return shortened(document.title, kLongestTitle);
}

const TokenList& tokens_of(const Document& document, Side side, std::size_t sample) {
  const bool keys = side == Side::Key && document.cross;
  const TokenLists& lists = keys ? document.key_tokens : document.query_tokens;
  assert(!lists.empty());
  return lists.size() == 1 ? lists.front() : lists[sample];
}

const TokenList& tokens_of(const Document& document, Side side, const HeadAddress& at) {
  return tokens_of(document, listed_side(document, at, side), at.sample);
}

bool joins_heads(const Document& document) {
  const auto* layer = std::get_if<AttentionLayer>(&document.model);
  return stack_of(document.model) != nullptr ||
         (layer != nullptr && !layer->projections.w_o.empty());
}

namespace {

// Returns a head as calls name it: "5:1", "self:0:2".
std::string head_text(const Document& document, const HeadAddress& at) {
  const bool several = attentions_of(document).size() > 1;
  return (several ? std::string(attention_info(at).name) + ":" : "") +
         std::to_string(layer_number(shape_of(document), at.layer, 0)) + ":" +
         std::to_string(at.head);
}

}  // namespace

std::string gates_text(const Document& document) {
  return joined(document.what_if.gates, ",", [&](const HeadGate& gate) {
    return head_text(document, gate.at) + "=" + shortest_text(gate.factor);
  });
}

std::string edges_text(const Document& document) {
  return joined(document.what_if.edges, ",", [&](const CutEdge& edge) {
    return head_text(document, edge.from) + "=" + head_text(document, edge.at) + ":" +
           std::string(stage_info(edge.input).name);
  });
}

std::string changes_text(const Document& document) {
  std::vector<std::string> kinds;
  const Interventions& what_if = document.what_if;
  if (!what_if.gates.empty()) kinds.push_back("gates " + gates_text(document));
  if (!what_if.patterns.empty()) {
    const auto of_pattern = [&](const HeadPattern& of) { return head_text(document, of.at); };
    kinds.push_back("patterns of " + joined(what_if.patterns, ",", of_pattern));
  }
  if (!what_if.edges.empty()) kinds.push_back("cut edges " + edges_text(document));
  return listed(kinds);
}

}  // namespace attn
