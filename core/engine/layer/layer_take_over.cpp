// What an edit does not reach stays known, and norms follow a key's scores.
#include <algorithm>
#include <cmath>

#include "base/special_numbers.h"
#include "engine/layer/changes.h"
#include "engine/layer/head_blocks.h"
#include "engine/layer/layer_result.h"

namespace attn {
namespace {

// A row's logits of one key, before an edit of it and after.
struct KeyLogits {
  std::vector<float> before, after;
};

std::vector<float> logits_of_key(const HeadInputs& head, std::size_t key) {
  std::vector<float> logits(head.queries.rows);
  BlockHead(head).logits({0, key, head.queries.rows, 1}, logits.data());
  return logits;
}

double share_of(float logit, float shift) {
  return std::exp(static_cast<double>(logit) - static_cast<double>(shift));
}

// Takes away what the key added to the sum, and adds what it adds now. False where too few digits
// would stay.
bool adjust_norm(float before, float after, RowNorm& norm) {
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

RowCache<RowNorm>::Adjust adjusting_norms(const std::vector<KeyLogits>& keys) {
  if (keys.empty()) return {};
  return [&keys](std::size_t row, std::span<RowNorm> norm) {
    return std::ranges::all_of(keys, [&](const KeyLogits& key) {
      return adjust_norm(key.before[row], key.after[row], norm.front());
    });
  };
}

// A value's weight in every row, and what was added to some of its columns.
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

// Outputs follow their values as far as these are finite.
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

std::function<void(PackedPanels&)> changing_keys(const ChangedRows& changed,
                                                 const MatrixView& keys) {
  if (changed.is_none()) return {};
  return [&changed, keys](PackedPanels& panels) {
    for (const std::size_t key : changed.rows) panels.set_column(key, keys.row(key).data());
  };
}

}  // namespace

void LayerResult::take_over_panels(const HeadAddress& head, const LayerResult& before,
                                   const HeadChanges& changes) {
  const std::size_t number = panels_of(head);
  if (!changes.keys.are_many) {
    packed_.take_over(number, before.packed_,
                      changing_keys(changes.keys, matrix(key_stage(problem_), head)));
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
    const HeadInputs now = inputs_of(head, Wants::Maps);
    const HeadInputs then = before.inputs_of(head, Wants::Maps);
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
    const HeadRows all{0, problem_.shape.n_q};
    MovedValue value{std::vector<float>(all.count),
                     steps_between(before.matrix(Stage::Value, head).row(key),
                                   matrix(Stage::Value, head).row(key))};
    compute_weights(inputs_of(head, Wants::Maps), {0, key, all.count, 1}, norms_of(head, all),
                    value.weights.data());
    values.push_back(std::move(value));
  }
  outputs_.take_over(number, before.outputs_, adjusting_outputs(values));
  for (const std::size_t row : changes.queries.rows) outputs_.forget(number, row);
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
