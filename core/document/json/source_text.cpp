// Finds the numbers and rules in which a document differs from the folder of its model.
#include "document/json/source_text.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "document/model_places.h"
#include "document/problem.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

// More changed cells of one tensor are written as all of its numbers.
constexpr std::size_t kMostCells = 4096;

bool has_same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// The differences of a tensor from the one of the folder.
TensorEdit edit_between(const TensorPath& path, const Tensor& before, const Tensor& after) {
  TensorEdit edit{.tensor = path};
  std::vector<float> cells;
  const Shape& shape = after.shape();
  std::size_t count = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (has_same_bits(before[i], after[i])) continue;
    if (++count > kMostCells) {
      edit.numbers = after;
      return edit;
    }
    std::size_t left = after.size(), place = i;
    for (const std::size_t extent : shape) {
      left /= extent;
      const std::size_t index = place / left;
      cells.push_back(static_cast<float>(index));
      place %= left;
    }
    cells.push_back(after[i]);
  }
  edit.cells = Tensor({count, shape.size() + 1}, std::move(cells));
  return edit;
}

// The model without its numbers: widths, settings and rules of blocks.
Model without_numbers(const Document& document) {
  Model model = document.model;
  for (const TensorInfo& info : tensors_of(model, shape_of(document))) writable(info) = {};
  return model;
}

// True if only numbers of tensors and rules of attention differ.
bool has_same_structure(const Document& a, const Document& b) {
  const TensorList all = tensors_of(a.model, shape_of(a));
  const TensorList others = tensors_of(b.model, shape_of(b));
  const auto are_alike = [](const TensorInfo& x, const TensorInfo& y) {
    return x.path == y.path && x.tensor->shape() == y.tensor->shape();
  };
  return a.query_tokens == b.query_tokens && a.cross == b.cross &&
         std::ranges::equal(all, others, are_alike) && without_numbers(a) == without_numbers(b);
}

std::vector<TensorEdit> edits_of(const Document& document) {
  const Document& before = *document.source_model->untouched;
  const TensorList now = tensors_of(document.model, shape_of(document));
  const TensorList then = tensors_of(before.model, shape_of(before));
  std::vector<TensorEdit> edits;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Tensor &a = *then[i].tensor, &b = *now[i].tensor;
    if (a.shares_with(b) || a == b) continue;
    edits.push_back(edit_between(now[i].path, a, b));
  }
  return edits;
}

}  // namespace

DocumentText less_source(DocumentText whole, const Document& document) {
  const SourceModel& source = *document.source_model;
  const Document& before = *source.untouched;
  if (!has_same_structure(document, before)) return whole;
  const bool is_relative = !source.base.empty();
  whole.model = ModelText{portable_folder(source.folder), {}};
  if (is_relative && whole.model->folder == source.folder) {
    whole.model->folder = fs::path(source.folder).lexically_proximate(source.base).string();
  }
  if (source.text.empty()) {
    whole.model->ids.assign(source.ids.begin(), source.ids.end());
  } else {
    whole.text = source.text;
  }
  whole.edits = edits_of(document);
  if (document.source == before.source) whole.source.reset();
  whole.tokens.clear();
  whole.embeddings = {};
  whole.blocks.clear();
  whole.norms.reset();
  whole.heads.reset();
  whole.kv_heads.reset();
  whole.mask.reset();
  if (document.mask != before.mask) whole.mask = MaskText{document.mask, {}, {}, true};
  whole.scoring.reset();
  if (document.scoring != before.scoring) whole.scoring = ScoringText{document.scoring, {}};
  whole.position.is_said = document.position != before.position;
  if (!whole.position.is_said) whole.position = {};
  return whole;
}

}  // namespace attn
