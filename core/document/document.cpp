// Properties of a document.
#include "document/document.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace attn {
namespace {

constexpr std::array<MaskPlace, kAttentions> kMasks{{
    {{.attention = kLastAttention}, &Document::mask, "mask", ""},
    {{.attention = kSelfAttention}, &Document::self_mask, "self_mask", "self "},
}};

bool is_own_attention(const Document& document, const HeadAddress& at) {
  return at.attention != kLastAttention && attentions_of(document).size() > 1;
}

}  // namespace

AttentionShape shape_of(const Document& document, const HeadAddress& at) {
  AttentionShape shape = shape_of(document.model);
  shape.d_a = hidden_units(document.scoring);
  return is_own_attention(document, at) ? self_shape(shape) : shape;
}

std::span<const AttentionInfo> attentions_of(const Document& document) {
  return attentions_in_order(info_of(document.model).sequences == 2);
}

std::span<const MaskPlace> all_masks() { return kMasks; }

std::span<const MaskPlace> masks_of(const Document& document) {
  return all_masks().first(attentions_of(document).size());
}

const MaskPlace& positioned_mask(const Document& document) { return masks_of(document).back(); }

std::string pointer_of(const MaskPlace& place) { return "/" + std::string(place.key); }

const Mask& mask_of(const Document& document, const HeadAddress& at) {
  return is_own_attention(document, at) ? document.self_mask : document.mask;
}

Mask& mask_of(Document& document, const HeadAddress& at) {
  return const_cast<Mask&>(mask_of(std::as_const(document), at));
}

bool keys_are_queries(const Document& document, const HeadAddress& at) {
  return !document.cross || is_own_attention(document, at);
}

Side listed_side(const Document& document, const HeadAddress& at, Side side) {
  return keys_are_queries(document, at) ? Side::Query : side;
}

AttentionShape scored_shape(const Document& document) {
  AttentionShape shape = shape_of(document);
  for (const MaskPlace& place : masks_of(document)) {
    shape.n_k = std::max(shape.n_k, shape_of(document, place.at).n_k);
  }
  return shape;
}

bool looks_causal(const Document& document, Progress* progress) {
  const auto* given = std::get_if<GivenWeights>(&document.model);
  return !document.cross && given != nullptr && attends_backwards_only(*given, progress);
}

Document with_spelling(Document document) {
  for (TokenLists* lists : {&document.query_tokens, &document.key_tokens}) {
    for (TokenList& list : *lists) list = list.as_written();
  }
  return document;
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

void fit_features(Document& document) {
  if (document.features.none()) return;
  const AttentionShape shape = shape_of(document);
  for (const FeatureAxisInfo& info : all_feature_axes()) {
    document.features.keep_first(info.axis, shape.*info.count);
  }
}

}  // namespace attn
