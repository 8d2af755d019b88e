// Differences of two problems of equal shape, so that an edit recomputes only what depends on it.
// Internal to the engine.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "attention/mask.h"
#include "base/tensor.h"
#include "engine/kernels/matmul.h"
#include "engine/layer/layer_result.h"

namespace attn {

// True if all rows have equal bits.
bool are_same_rows(const MatrixView& a, const MatrixView& b);

// The columns of a matrix or vector, in order of the list; empty if it is.
Tensor some_columns(const Tensor& tensor, const std::vector<std::size_t>& columns);

class EditedMap {
 public:
  EditedMap(const LinearStage& before, const LinearStage& after);

  // Updates out = x·w + b from the previous output for unchanged rows x. False without effect if
  // most of the map changed.
  bool map_same_rows(const MatrixView& x, const MatrixView& out_before, Sums sums,
                     const MutableMatrix& out) const;

 private:
  std::vector<std::size_t> columns_;  // changed columns
  Tensor w_, b_;                      // of the changed columns
  bool is_known_ = false;
};

// True if a matrix that both results hold is equal in both.
bool is_as_before(const LayerResult& before, const LayerResult& after, Stage stage,
                  const HeadAddress& head);

// True if only queries, keys, values and the mask differ.
bool is_same_but_for_inputs(const AttentionProblem& before, const AttentionProblem& after);

// True if nothing differs but the gates of heads.
bool is_same_but_for_gates(const AttentionProblem& before, const AttentionProblem& after);

// True if nothing differs.
bool is_same_problem(const AttentionProblem& before, const AttentionProblem& after);

// Rows of a layer, made from embeddings, whose output an edit does not affect.
class UnreachedRows {
 public:
  // `before` may be null: no rows.
  UnreachedRows(const LayerResult* before, const LayerResult& after);

  // True if all of the rows are unaffected.
  bool contain(std::size_t sample, const RowSpan& rows) const;

 private:
  struct Sample {
    KeyReach reach;
    std::set<std::size_t> queries, keys;  // changed ones
  };
  std::vector<Sample> samples_;
};

}  // namespace attn
