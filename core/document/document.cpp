// What can be read off a document.
#include "document/document.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace attn {
namespace {

constexpr std::array<MaskPlace, kAttentions> kMasks{{
    {kLastAttention, &Document::mask, "mask", ""},
    {kSelfAttention, &Document::self_mask, "self_mask", "self "},
}};

}  // namespace

AttentionShape shape_of(const Document& document) { return shape_of(document, kLastAttention); }

std::span<const AttentionInfo> attentions_of(const Document& document) {
  return attentions_of(document.model);
}

std::span<const MaskPlace> all_masks() { return kMasks; }

const MaskPlace& mask_place(std::size_t part) { return kMasks[part]; }

std::span<const MaskPlace> masks_of(const Document& document) {
  return all_masks().first(attentions_of(document).size());
}

const MaskPlace& positioned_mask(const Document& document) {
  return mask_place(attentions_of(document).front().attention);
}

std::string pointer_of(const MaskPlace& place) { return "/" + std::string(place.key); }

const Mask& mask_of(const Document& document, std::size_t part) {
  const std::span<const MaskPlace> masks = masks_of(document);
  const auto own = std::ranges::find(masks, part, &MaskPlace::attention);
  return document.*(own == masks.end() ? masks.front() : *own).mask;
}

Mask& mask_of(Document& document, std::size_t part) {
  return const_cast<Mask&>(mask_of(std::as_const(document), part));
}

Document attended(const Document& document, std::size_t part) {
  Document of_part = document;
  const bool several = attentions_of(document).size() > 1;
  if (part == kLastAttention || !several) return of_part;
  of_part.mask = std::exchange(of_part.*mask_place(part).mask, {});
  of_part.cross = false;
  of_part.key_tokens.clear();
  of_part.model = attended(document.model, part);
  return of_part;
}

AttentionShape shape_of(const Document& document, std::size_t part) {
  AttentionShape shape = shape_of(document.model, part);
  shape.d_a = hidden_units(document.scoring);
  return shape;
}

AttentionShape scored_shape(const Document& document) {
  AttentionShape shape = shape_of(document);
  shape.n_k = std::max(shape.n_k, shape_of(document, kSelfAttention).n_k);
  return shape;
}

bool looks_causal(const Document& document, Progress* progress) {
  const auto of_kind = [progress](const auto& kind) {
    if constexpr (requires { attends_backwards_only(kind, progress); }) {
      return attends_backwards_only(kind, progress);
    }
    return false;
  };
  return !document.cross && std::visit(of_kind, document.model);
}

Document with_spelling(Document document, bool as_written) {
  if (!as_written) return document;
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

void fit_features(Document& document) {
  if (document.features.none()) return;
  const AttentionShape shape = shape_of(document);
  for (const FeatureAxisInfo& info : all_feature_axes()) {
    document.features.keep_first(info.axis, shape.*info.count);
  }
}

}  // namespace attn
