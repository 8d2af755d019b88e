// Compares rows, but for tensors that know their one difference.
#include "engine/layer/changes.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "engine/layer/edited_map.h"

namespace attn {
namespace {

// More are computed sooner than they are looked at one by one.
constexpr std::size_t kMostChangedRows = 16;

ChangedRows compared(const MatrixView& a, const MatrixView& b) {
  ChangedRows changed;
  if (a.data == b.data) return changed;
  for (std::size_t r = 0; r < a.rows && !changed.are_many; ++r) {
    if (!are_same_rows(rows_of(a, r, 1), rows_of(b, r, 1))) changed.add(r);
  }
  return changed;
}

std::set<std::size_t> all_changed(const Tensor& before, const Tensor& after, std::size_t sample) {
  std::set<std::size_t> changed;
  if (before.empty() || after.empty() || before.shares_with(after)) return changed;
  const MatrixView a = matrix_at(before, sample);
  const MatrixView b = matrix_at(after, sample);
  for (std::size_t r = 0; r < b.rows; ++r) {
    if (!are_same_rows(rows_of(a, r, 1), rows_of(b, r, 1))) changed.insert(changed.end(), r);
  }
  return changed;
}

// The tensors differ in one element, which is in `matrix`, a part of `after`, or is not.
ChangedRows row_of_element(const Tensor& after, std::size_t element, const MatrixView& matrix) {
  const auto first = static_cast<std::size_t>(matrix.data - after.data());
  if (element < first || element >= first + matrix.rows * matrix.cols) return {};
  return {{(element - first) / matrix.cols}, false};
}

// Rows of a tensor of flags or biases that broadcasts to queries by keys.
template <class T>
ChangedRows changed_by_hand(const BasicTensor<T>& before, const BasicTensor<T>& after,
                            std::size_t n_q) {
  if (before == after) return {};
  const std::size_t rank = after.rank();
  if (before.shape() != after.shape() || rank < 2 || after.extent(rank - 2) != n_q)
    return {{}, true};
  const std::size_t cols = after.extent(rank - 1);
  if (const auto element = after.edited_since(before)) return {{*element / cols % n_q}, false};
  ChangedRows changed;
  for (std::size_t row = 0; row < after.size() / cols && !changed.are_many; ++row) {
    const std::size_t at = row * cols;
    if (std::memcmp(before.data() + at, after.data() + at, cols * sizeof(T)) != 0) {
      changed.add(row % n_q);
    }
  }
  return changed;
}

}  // namespace

void ChangedRows::add(std::size_t row) {
  if (std::ranges::find(rows, row) != rows.end()) return;
  if (rows.size() == kMostChangedRows) are_many = true;
  if (!are_many) rows.push_back(row);
}

void ChangedRows::add(const ChangedRows& others) {
  are_many |= others.are_many;
  for (const std::size_t row : others.rows) add(row);
}

ChangedRows changed_rows(const LayerResult& before, const LayerResult& after, Stage stage,
                         const HeadAddress& head) {
  const Tensor* given = given_tensor(after.problem(), stage);
  const Tensor* given_before = given_tensor(before.problem(), stage);
  const MatrixView matrix = after.matrix(stage, head);
  if (given != nullptr && given_before != nullptr) {
    if (const auto element = given->edited_since(*given_before)) {
      return row_of_element(*given, *element, matrix);
    }
  }
  return compared(before.matrix(stage, head), matrix);
}

ChangedRows changed_rows(const Mask& before, const Mask& after, std::size_t n_q) {
  ChangedRows changed = changed_by_hand(before.visible, after.visible, n_q);
  changed.add(changed_by_hand(before.bias, after.bias, n_q));
  if (changed.is_none() && before == after) return changed;
  Mask as_before = after;
  as_before.visible = before.visible;
  as_before.bias = before.bias;
  changed.are_many |= as_before != before;
  return changed;
}

bool is_same_but_for_inputs(const AttentionProblem& before, const AttentionProblem& after) {
  return before.source == after.source && before.shape == after.shape &&
         before.scoring == after.scoring && before.position == after.position &&
         before.mask.causal_offset == after.mask.causal_offset && before.cross == after.cross &&
         before.part == after.part && keeps_maps(before) == keeps_maps(after) && has_scores(after);
}

bool is_same_problem(const AttentionProblem& before, const AttentionProblem& after) {
  return is_same_but_for_inputs(before, after) && before.mask == after.mask &&
         before.projections == after.projections &&
         before.query_embeddings == after.query_embeddings &&
         before.key_embeddings == after.key_embeddings &&
         before.value_embeddings == after.value_embeddings;
}

UnreachedRows::UnreachedRows(const LayerResult* before, const LayerResult& after) {
  if (before == nullptr || !before->holds(Stage::Projected)) return;
  const AttentionProblem& then = before->problem();
  const AttentionProblem& now = after.problem();
  if (!is_same_but_for_inputs(then, now) || then.mask != now.mask ||
      then.projections != now.projections) {
    return;
  }
  for (std::size_t sample = 0; sample < now.shape.samples; ++sample) {
    samples_.push_back({KeyReach(now.mask, sample, now.shape.n_k),
                        all_changed(then.query_embeddings, now.query_embeddings, sample),
                        all_changed(then.key_embeddings, now.key_embeddings, sample)});
    const auto values = all_changed(then.value_embeddings, now.value_embeddings, sample);
    samples_.back().keys.insert(values.begin(), values.end());
  }
}

bool UnreachedRows::contain(std::size_t sample, const RowSpan& rows) const {
  if (samples_.empty()) return false;
  const Sample& at = samples_[sample];
  const auto none_in = [](const std::set<std::size_t>& changed, const RowSpan& span) {
    const auto first = changed.lower_bound(span.begin);
    return first == changed.end() || *first >= span.end;
  };
  return none_in(at.queries, rows) && none_in(at.keys, at.reach.of(rows));
}

}  // namespace attn
