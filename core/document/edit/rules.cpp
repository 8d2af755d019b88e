// Edits of scoring, positions and masks as wholes.
#include <algorithm>

#include "document/edit.h"
#include "document/generate.h"
#include "document/inconsistencies.h"
#include "document/rule_checks.h"

namespace attn {
namespace {

// `longer`: more rows than expected do as well.
bool has_shape(const Tensor& tensor, Shape expected, std::size_t heads, bool longer) {
  if (longer && tensor.rank() >= 2) {
    expected[0] = std::max(expected[0], tensor.extent(tensor.rank() - 2));
  }
  if (tensor.shape() == expected) return true;
  Shape per_head = expected;
  per_head.insert(per_head.begin(), heads);
  return tensor.shape() == per_head;
}

// Drops what the function does not use, or cannot because of its shape.
void drop_unused(Scoring& scoring, const AttentionShape& shape, std::size_t d_a) {
  const ScoringWidths widths{query_columns(shape), shape.d_k, shape.n_k, d_a};
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    Tensor& tensor = scoring.*info.tensor;
    const ScoringMatrixUse* use = matrix_use(scoring.function, info.tensor);
    const Shape needed = scoring_matrix_shape(scoring.function, info.tensor, widths);
    const bool fits = use != nullptr && has_shape(tensor, needed, shape.heads,
                                                  use->rows == ScoringExtent::KeyPositions);
    if (!fits) tensor = Tensor();
  }
}

}  // namespace

void complete_scoring(Scoring& scoring, const AttentionShape& shape, std::uint64_t seed) {
  // Vectors of hidden units serve every function that has any.
  const std::size_t d_a = hidden_units_for(scoring, shape);
  drop_unused(scoring, shape, d_a);
  generate_scoring(scoring, shape, seed, d_a);
}

Result<Document> with_scoring(const Document& document, Scoring scoring) {
  Document changed = document;
  const bool other_function = scoring.function != document.scoring.function;
  changed.scoring = std::move(scoring);
  if (!has_scores(document.model)) return if_consistent(std::move(changed));
  if (other_function) {
    complete_scoring(changed.scoring, scored_shape(changed), changed.seed);
  }
  return if_consistent(std::move(changed));
}

Result<Document> with_position(const Document& document, Position position) {
  Document changed = document;
  changed.position = std::move(position);
  const AttentionShape shape = shape_of(changed);
  Position& wanted = changed.position;
  if (!position_info(wanted.kind).has_table) wanted.table = Tensor();
  if (!is_turned(wanted)) wanted.rotary_dim = 0;
  const std::size_t narrow = std::min(shape.d_k, query_columns(shape));
  const bool pairs = narrow % 2 == 0 && query_columns(shape) == shape.d_k;
  if (is_turned(wanted) && wanted.rotary_dim == 0 && !pairs && narrow > 1) {
    wanted.rotary_dim = narrow / 2 * 2;
  }
  extend_to_positions(changed);
  return if_consistent(std::move(changed));
}

Result<Document> with_mask(const Document& document, Mask mask) {
  Document changed = document;
  changed.mask = std::move(mask);
  extend_to_positions(changed);
  return if_consistent(std::move(changed));
}

}  // namespace attn
