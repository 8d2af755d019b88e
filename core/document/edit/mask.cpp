// Edits of masks: rules switched, cells painted, padding, clearing.
#include <algorithm>
#include <utility>

#include "document/edit.h"

namespace attn {
namespace {

// `visible` with every query and key of its own, so that one cell can be painted; leading axes
// stay.
BoolTensor with_all_cells(const BoolTensor& visible, const AttentionShape& shape) {
  if (visible.empty()) {
    return BoolTensor({shape.n_q, shape.n_k}, std::vector<std::uint8_t>(shape.n_q * shape.n_k, 1));
  }
  const std::size_t rank = visible.rank();
  const std::size_t samples = rank == 4 ? visible.extent(0) : 1;
  const std::size_t heads = rank >= 3 ? visible.extent(rank - 3) : 1;
  std::vector<std::uint8_t> values;
  values.reserve(samples * heads * shape.n_q * shape.n_k);
  for (std::size_t sample = 0; sample < samples; ++sample) {
    for (std::size_t head = 0; head < heads; ++head) {
      for (std::size_t q = 0; q < shape.n_q; ++q) {
        for (std::size_t k = 0; k < shape.n_k; ++k) {
          values.push_back(visible[broadcast_index(visible.shape(), sample, head, q, k)]);
        }
      }
    }
  }
  Shape full{shape.n_q, shape.n_k};
  if (rank >= 3) full.insert(full.begin(), heads);
  if (rank == 4) full.insert(full.begin(), samples);
  return BoolTensor(std::move(full), std::move(values));
}

bool all_set(std::span<const std::uint8_t> flags) {
  return std::all_of(flags.begin(), flags.end(), [](std::uint8_t flag) { return flag != 0; });
}

}  // namespace

Document with_mask_from(const Document& document, AttentionPart part, const Document& edited) {
  Document changed = document;
  mask_of(changed, part) = edited.mask;
  changed.position = edited.position;
  return changed;
}

Document with_causal(const Document& document, bool causal) {
  Document changed = document;
  changed.mask.causal = causal;
  return changed;
}

Result<Document> with_causal_offset(const Document& document, std::int64_t offset) {
  Mask mask = document.mask;
  mask.causal_offset.clear();
  if (offset != 0) mask.causal_offset.push_back(offset);
  return with_mask(document, std::move(mask));
}

Document with_padding(const Document& document, Side side, std::size_t sample, std::size_t index,
                      bool real) {
  const AttentionShape shape = shape_of(document);
  const std::size_t n = side == Side::Query ? shape.n_q : shape.n_k;
  if (index >= n || sample >= shape.samples) return document;
  Document changed = document;
  PaddingLists& lists = side == Side::Query ? changed.mask.query_padding : changed.mask.key_padding;
  if (lists.empty()) lists.emplace_back(n, std::uint8_t{1});
  if (lists.size() == 1) lists = PaddingLists(shape.samples, lists.front());
  lists[sample][index] = real ? 1 : 0;
  // A rule that hides nothing is no rule: switching a token off and on leads back.
  if (std::all_of(lists.begin(), lists.end(), [](const auto& list) { return all_set(list); })) {
    lists.clear();
  }
  return changed;
}

Document with_cell_visible(const Document& document, const HeadAddress& head, std::size_t q,
                           std::size_t k, bool visible) {
  const AttentionShape shape = shape_of(document);
  if (q >= shape.n_q || k >= shape.n_k || head.head >= shape.heads ||
      head.sample >= shape.samples) {
    return document;
  }
  Document changed = document;
  BoolTensor& cells = changed.mask.visible;
  cells = with_all_cells(cells, shape);
  const std::size_t flat = broadcast_index(cells.shape(), head.sample, head.head, q, k);
  cells = cells.with(flat, visible ? 1 : 0);
  if (all_set(cells.values())) cells = BoolTensor();
  return changed;
}

Document with_painted_cleared(const Document& document) {
  Document changed = document;
  changed.mask.visible = BoolTensor();
  return changed;
}

Document with_mask_cleared(const Document& document) {
  Document changed = document;
  changed.mask = Mask{};
  return changed;
}

}  // namespace attn
