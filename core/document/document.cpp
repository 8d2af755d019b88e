// Properties of a document.
#include "document/document.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "base/enum_table.h"

namespace attn {
namespace {

constexpr std::array<MaskPlace, kAttentionParts> kMasks{{
    {AttentionPart::Cross, &Document::mask, "mask", ""},
    {AttentionPart::Self, &Document::self_mask, "self_mask", "self "},
}};
static_assert(is_indexed_by(kMasks, &MaskPlace::part));

}  // namespace

AttentionShape shape_of(const Document& document) {
  return shape_of(document, AttentionPart::Cross);
}

std::span<const AttentionPartInfo> attentions_of(const Document& document) {
  return attentions_of(document.model);
}

std::span<const MaskPlace> all_masks() { return kMasks; }

const MaskPlace& mask_place(AttentionPart part) { return row_of(kMasks, part); }

std::span<const MaskPlace> masks_of(const Document& document) {
  return all_masks().first(attentions_of(document).size());
}

const MaskPlace& positioned_mask(const Document& document) {
  return mask_place(attentions_of(document).front().part);
}

std::string pointer_of(const MaskPlace& place) { return "/" + std::string(place.key); }

const Mask& mask_of(const Document& document, AttentionPart part) {
  const std::span<const MaskPlace> masks = masks_of(document);
  const auto own = std::ranges::find(masks, part, &MaskPlace::part);
  return document.*(own == masks.end() ? masks.front() : *own).mask;
}

Mask& mask_of(Document& document, AttentionPart part) {
  return const_cast<Mask&>(mask_of(std::as_const(document), part));
}

Document attended(const Document& document, AttentionPart part) {
  Document of_part = document;
  const bool several = attentions_of(document).size() > 1;
  if (part == AttentionPart::Cross || !several) return of_part;
  of_part.mask = std::exchange(of_part.*mask_place(part).mask, {});
  of_part.cross = false;
  of_part.key_tokens.clear();
  of_part.model = attended(document.model, part);
  return of_part;
}

AttentionShape shape_of(const Document& document, AttentionPart part) {
  AttentionShape shape = shape_of(document.model, part);
  shape.d_a = hidden_units(document.scoring);
  return shape;
}

AttentionShape scored_shape(const Document& document) {
  AttentionShape shape = shape_of(document);
  shape.n_k = std::max(shape.n_k, shape_of(document, AttentionPart::Self).n_k);
  return shape;
}

bool looks_causal(const Document& document, Progress* progress) {
  const auto* given = std::get_if<GivenWeights>(&document.model);
  return !document.cross && given != nullptr && attends_backwards_only(*given, progress);
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
