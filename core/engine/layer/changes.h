// Where two problems of the same shape differ, so that what stays the same is not computed again.
// Internal to the engine.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "attention/mask.h"
#include "engine/layer/layer_result.h"

namespace attn {

// Rows of a matrix, or so many that nobody counts them.
struct ChangedRows {
  std::vector<std::size_t> rows;
  bool are_many = false;

  bool is_none() const { return rows.empty() && !are_many; }
  void add(std::size_t row);
  void add(const ChangedRows& others);
};

// Of a matrix that both results hold.
ChangedRows changed_rows(const LayerResult& before, const LayerResult& after, Stage stage,
                         const HeadAddress& head);

// Queries of which masks say other things; of anything but flags and biases by hand: many.
ChangedRows changed_rows(const Mask& before, const Mask& after, std::size_t n_q);

// Nothing but queries, keys, values and the mask may differ.
bool is_same_but_for_inputs(const AttentionProblem& before, const AttentionProblem& after);

// Nothing differs.
bool is_same_problem(const AttentionProblem& before, const AttentionProblem& after);

// Rows of a layer from embeddings whose output no edit reaches.
class UnreachedRows {
 public:
  // `before` may be null, and then there are none.
  UnreachedRows(const LayerResult* before, const LayerResult& after);

  // All of the rows are.
  bool contain(std::size_t sample, const RowSpan& rows) const;

 private:
  struct Sample {
    KeyReach reach;
    std::set<std::size_t> queries, keys;  // that changed
  };
  std::vector<Sample> samples_;
};

// What an edit changed of one head.
struct HeadChanges {
  ChangedRows queries;  // with those whose rules changed
  ChangedRows keys, values;
};

}  // namespace attn
