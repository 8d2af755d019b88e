// Finds the numbers and rules in which a document differs from the folder of its model.
#include "document/json/source_text.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <utility>

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

// True if only numbers of tensors and rules of attention differ.
bool has_same_structure(const Document& a, const Document& b) {
  const Stack *one = stack_of(a.model), *other = stack_of(b.model);
  if (one == nullptr || other == nullptr || one->blocks.size() != other->blocks.size())
    return false;
  const auto rest = [](Stack stack) {
    for (TransformerBlock& block : stack.blocks) {
      BlockRules rules = std::move(block.rules);
      block = {};
      block.rules = std::move(rules);
    }
    if (stack.final_norm) *stack.final_norm = {};
    if (stack.embedding_norm) *stack.embedding_norm = {};
    return stack;
  };
  const TensorList all = tensors_of(a.model, shape_of(a)),
                   others = tensors_of(b.model, shape_of(b));
  return rest(*one) == rest(*other) && a.query_tokens == b.query_tokens && a.cross == b.cross &&
         shape_of(a) == shape_of(b) &&
         std::ranges::equal(all, others, [](const TensorInfo& x, const TensorInfo& y) {
           return x.path == y.path && x.tensor->shape() == y.tensor->shape();
         });
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
  whole.model =
      ModelText{is_relative ? fs::path(source.folder).lexically_proximate(source.base).string()
                            : source.folder,
                {}};
  if (source.text.empty()) {
    whole.model->ids.assign(source.ids.begin(), source.ids.end());
  } else {
    whole.text = source.text;
  }
  whole.edits = edits_of(document);
  whole.tokens.clear();
  whole.embeddings = {};
  whole.blocks.clear();
  whole.norms.reset();
  whole.heads.reset();
  whole.kv_heads.reset();
  whole.mask.reset();
  if (document.mask != before.mask) {
    whole.mask = MaskText{document.mask, {}, {}, true};
  }
  whole.scoring.reset();
  if (document.scoring != before.scoring) whole.scoring = ScoringText{document.scoring, {}};
  whole.position.is_said = document.position != before.position;
  if (!whole.position.is_said) whole.position = {};
  return whole;
}

}  // namespace attn
