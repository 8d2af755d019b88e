// Comparison of rows between results, and updates of norms and outputs after an edited key or
// value.
#include "engine/layer/changes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/special_numbers.h"
#include "engine/kernels/block_rows.h"
#include "engine/layer/head_tiles.h"

namespace attn {

// Rows of a matrix, or "many" without a list.
struct ChangedRows {
  std::vector<std::size_t> rows;
  bool are_many = false;

  bool is_none() const { return rows.empty() && !are_many; }
  void add(std::size_t row);
  void add(const ChangedRows& others);
};

// Changes of one head between two results.
struct HeadChanges {
  ChangedRows queries;  // including those whose rules changed
  ChangedRows keys, values;
};

namespace {

bool differ(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) != std::bit_cast<std::uint32_t>(b);
}

std::vector<std::size_t> changed_columns(const LinearStage& before, const LinearStage& after) {
  if (*before.weights == *after.weights && *before.bias == *after.bias) return {};
  const std::size_t width = after.weights->shape().back();
  std::vector<bool> changed(width);
  for (std::size_t i = 0; i < after.weights->size(); ++i) {
    if (differ((*before.weights)[i], (*after.weights)[i])) changed[i % width] = true;
  }
  for (std::size_t i = 0; i < after.bias->size(); ++i) {
    if (differ((*before.bias)[i], (*after.bias)[i])) changed[i] = true;
  }
  std::vector<std::size_t> columns;
  for (std::size_t col = 0; col < width; ++col) {
    if (changed[col]) columns.push_back(col);
  }
  return columns;
}

// Above this, recomputing is faster than comparing rows.
constexpr std::size_t kMostChangedRows = 16;

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

// Changed rows of a tensor of flags or biases that broadcasts to queries by keys.
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

// Precondition: both results hold the matrix.
ChangedRows changed_rows(const LayerResult& before, const LayerResult& after, Stage stage,
                         const HeadAddress& head) {
  const Tensor* given = given_tensor(after.problem(), stage);
  const Tensor* given_before = given_tensor(before.problem(), stage);
  const MatrixView matrix = after.matrix(stage, head);
  if (given != nullptr && given_before != nullptr) {
    if (const auto element = given->edited_since(*given_before)) {
      const auto first = static_cast<std::size_t>(matrix.data - given->data());
      if (*element < first || *element >= first + matrix.rows * matrix.cols) return {};
      return {{(*element - first) / matrix.cols}, false};
    }
  }
  const MatrixView then = before.matrix(stage, head);
  ChangedRows changed;
  for (std::size_t r = 0; then.data != matrix.data && r < matrix.rows && !changed.are_many; ++r) {
    if (!are_same_rows(rows_of(then, r, 1), rows_of(matrix, r, 1))) changed.add(r);
  }
  return changed;
}

// Queries whose rules differ; "many" if anything but flags and explicit biases differs.
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

// Logits of one key in a row, before and after an edit.
struct KeyLogits {
  std::vector<float> before, after;
};

std::vector<float> logits_of_key(const HeadInputs& head, std::size_t key) {
  std::vector<float> logits(head.queries.rows);
  logits_of(scored(head), {0, key, logits.size(), 1}, {logits.data(), logits.size(), 1, 1});
  return logits;
}

double share_of(float logit, float shift) {
  return std::exp(static_cast<double>(logit) - static_cast<double>(shift));
}

// Replaces the key's term in the sum. False if too few digits remain.
bool adjust_norm(float before, float after, RowSum& norm) {
  if (before == after) return true;
  const bool is_infinite = before == kInfinity || after == kInfinity;
  if (!std::isfinite(norm.total) || !std::isfinite(norm.shift) || std::isnan(before) ||
      std::isnan(after) || is_infinite) {
    return false;
  }
  const double lost = share_of(before, norm.shift);
  if (lost > 0.5 * norm.total) return false;
  norm.total -= lost;
  if (after > norm.shift) {
    norm.total *= share_of(norm.shift, after);
    norm.shift = after;
  }
  norm.total += share_of(after, norm.shift);
  return true;
}

RowCache<RowSum>::Adjust adjusting_norms(const std::vector<KeyLogits>& keys) {
  if (keys.empty()) return {};
  return [&keys](std::size_t row, std::span<RowSum> norm) {
    return std::ranges::all_of(keys, [&](const KeyLogits& key) {
      return adjust_norm(key.before[row], key.after[row], norm.front());
    });
  };
}

// Weights of a value in every row, and the change of some of its columns.
struct MovedValue {
  struct Step {
    std::size_t col;
    float by;
  };
  std::vector<float> weights;
  std::vector<Step> steps;
};

std::vector<MovedValue::Step> steps_between(std::span<const float> before,
                                            std::span<const float> after) {
  std::vector<MovedValue::Step> steps;
  for (std::size_t col = 0; col < after.size(); ++col) {
    if (before[col] != after[col]) steps.push_back({col, after[col] - before[col]});
  }
  return steps;
}

// Adjusts outputs to changed values, if these are finite.
RowCache<float>::Adjust adjusting_outputs(const std::vector<MovedValue>& values) {
  if (values.empty()) return {};
  return [&values](std::size_t row, std::span<float> output) {
    bool is_finite = true;
    for (const MovedValue& value : values) {
      for (const auto& [col, by] : value.steps) {
        output[col] += value.weights[row] * by;
        is_finite &= std::isfinite(output[col]);
      }
    }
    return is_finite;
  };
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

Tensor some_columns(const Tensor& tensor, const std::vector<std::size_t>& columns) {
  if (tensor.empty() || columns.empty()) return {};
  const std::size_t width = tensor.shape().back();
  std::vector<float> values;
  for (std::size_t row = 0; row < tensor.size() / width; ++row) {
    for (const std::size_t col : columns) values.push_back(tensor[row * width + col]);
  }
  Shape shape = tensor.shape();
  shape.back() = columns.size();
  return {shape, std::move(values)};
}

bool are_same_rows(const MatrixView& a, const MatrixView& b) {
  if (a.rows != b.rows || a.cols != b.cols) return false;
  if (a.data == b.data) return true;
  for (std::size_t r = 0; r < a.rows; ++r) {
    if (std::memcmp(a.row(r).data(), b.row(r).data(), a.cols * sizeof(float)) != 0) return false;
  }
  return true;
}

EditedMap::EditedMap(const LinearStage& before, const LinearStage& after) {
  const Tensor &w = *after.weights, &b = *after.bias;
  if (before.weights->shape() != w.shape() || before.bias->shape() != b.shape()) return;
  columns_ = changed_columns(before, after);
  is_known_ = w.rank() == 2 && columns_.size() <= w.shape().back() / 4;
  if (!is_known_) return;
  w_ = some_columns(w, columns_);
  b_ = some_columns(b, columns_);
}

bool EditedMap::map_same_rows(const MatrixView& x, const MatrixView& out_before, Sums sums,
                              const MutableMatrix& out) const {
  if (!is_known_) return false;
  copy_rows(out_before, out);
  if (columns_.empty()) return true;
  std::vector<float> made(x.rows * columns_.size());
  const MutableMatrix part{made.data(), x.rows, columns_.size(), columns_.size()};
  map_rows(x, w_, b_, part, sums);
  for (std::size_t r = 0; r < x.rows; ++r) {
    for (std::size_t i = 0; i < columns_.size(); ++i) out.row(r)[columns_[i]] = part.row(r)[i];
  }
  return true;
}

bool is_as_before(const LayerResult& before, const LayerResult& after, Stage stage,
                  const HeadAddress& head) {
  return changed_rows(before, after, stage, head).is_none();
}

namespace {

bool has_same_rules(const AttentionProblem& before, const AttentionProblem& after) {
  return before.kind == after.kind && before.shape == after.shape &&
         before.scoring == after.scoring && before.position == after.position &&
         before.mask.causal_offset == after.mask.causal_offset && before.cross == after.cross &&
         static_cast<const NormRules&>(before.stack) == after.stack &&
         before.projections.q_norm.shape() == after.projections.q_norm.shape() &&
         before.projections.k_norm.shape() == after.projections.k_norm.shape() &&
         before.what_if.patterns == after.what_if.patterns &&
         before.what_if.inputs == after.what_if.inputs &&
         materialises_maps(before) == materialises_maps(after);
}

}  // namespace

bool is_same_but_for_inputs(const AttentionProblem& before, const AttentionProblem& after) {
  return has_same_rules(before, after) && has_scores(after);
}

bool is_same_but_for_gates(const AttentionProblem& before, const AttentionProblem& after) {
  return has_same_rules(before, after) && before.mask == after.mask &&
         before.projections == after.projections && before.q == after.q && before.k == after.k &&
         before.v == after.v && before.weights == after.weights &&
         before.query_embeddings == after.query_embeddings &&
         before.key_embeddings == after.key_embeddings &&
         before.value_embeddings == after.value_embeddings;
}

bool is_same_problem(const AttentionProblem& before, const AttentionProblem& after) {
  return before.what_if == after.what_if && is_same_but_for_gates(before, after);
}

UnreachedRows::UnreachedRows(const LayerResult* before, const LayerResult& after) {
  if (before == nullptr || !before->holds(Stage::Projected)) return;
  const AttentionProblem& then = before->problem();
  const AttentionProblem& now = after.problem();
  if (!is_same_but_for_inputs(then, now) || then.mask != now.mask ||
      then.projections != now.projections || then.what_if != now.what_if) {
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

void LayerResult::take_over_panels(const HeadAddress& head, const LayerResult& before,
                                   const HeadChanges& changes) {
  const std::size_t number = panels_of(head);
  if (!changes.keys.are_many) {
    const MatrixView keys = matrix(key_stage(problem_), head);
    const auto change = [&](PackedPanels& panels) {
      for (const std::size_t key : changes.keys.rows) panels.set_column(key, keys.row(key).data());
    };
    const bool none = changes.keys.is_none();
    packed_.take_over(number, before.packed_, none ? PackedCache::Change() : change);
  }
  // Outputs follow a changed value without its panels.
  if (changes.values.is_none()) packed_.take_over(number + 1, before.packed_, {});
}

void LayerResult::take_over_head(const HeadAddress& head, const LayerResult& before,
                                 const HeadChanges& changes) {
  if (changes.queries.are_many || changes.keys.are_many) return;
  const std::size_t number = number_of(head);
  std::vector<KeyLogits> keys;
  if (!changes.keys.is_none()) {
    const HeadInputs now = inputs_of(head, Purpose::Maps);
    const HeadInputs then = before.inputs_of(head, Purpose::Maps);
    if (!goes_by_blocks(now) || before.norms_.is_empty(number)) return;
    for (const std::size_t key : changes.keys.rows) {
      keys.push_back({logits_of_key(then, key), logits_of_key(now, key)});
    }
  }
  norms_.take_over(number, before.norms_, adjusting_norms(keys));
  for (const std::size_t row : changes.queries.rows) norms_.forget(number, row);
  if (!keys.empty()) return;
  pools_.take_over(number, before.pools_, changes.queries.rows);
  if (!changes.values.are_many) take_over_outputs(head, before, changes);
}

void LayerResult::take_over_outputs(const HeadAddress& head, const LayerResult& before,
                                    const HeadChanges& changes) {
  const std::size_t number = number_of(head);
  if (before.outputs_.is_empty(number)) return;
  std::vector<MovedValue> values;
  for (const std::size_t key : changes.values.rows) {
    const CellRange weighed{0, key, problem_.shape.n_q, 1};
    MovedValue value{std::vector<float>(weighed.rows),
                     steps_between(before.matrix(Stage::Value, head).row(key),
                                   matrix(Stage::Value, head).row(key))};
    compute_weights(inputs_of(head, Purpose::Maps), weighed, norms_of(head, weighed),
                    value.weights.data());
    values.push_back(std::move(value));
  }
  outputs_.take_over(number, before.outputs_, adjusting_outputs(values));
  for (const std::size_t row : changes.queries.rows) outputs_.forget(number, row);
}

bool LayerResult::share_heads(const LayerResult& before) {
  if (!is_same_but_for_gates(before.problem_, problem_)) return false;
  for (const Stage stage : stages_) {
    if (stage == Stage::Projected || !before.holds(stage)) continue;
    stored_[index_of(stage)] = before.stored_[index_of(stage)];
    // finish_output() adds up those of the joined heads.
    if (stage != Stage::Concat) summaries_[index_of(stage)] = before.summaries_[index_of(stage)];
  }
  return true;
}

void LayerResult::take_over(const LayerResult& before) {
  const AttentionShape& s = problem_.shape;
  const ChangedRows ruled = changed_rows(before.problem_.mask, problem_.mask, s.n_q);
  for (std::size_t number = 0; number < s.samples * s.heads; ++number) {
    const HeadAddress head{0, number / s.heads, number % s.heads};
    const auto changed = [&](Stage stage) { return changed_rows(before, *this, stage, head); };
    HeadChanges changes{changed(query_stage(problem_)), changed(key_stage(problem_)),
                        changed(Stage::Value)};
    changes.queries.add(ruled);
    take_over_panels(head, before, changes);
    take_over_head(head, before, changes);
  }
}

}  // namespace attn
