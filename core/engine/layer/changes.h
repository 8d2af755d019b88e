// Where two problems of the same shape differ, so that what an edit does not reach is not computed
// again. Internal to the engine.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "attention/mask.h"
#include "base/tensor.h"
#include "engine/kernels/matmul.h"
#include "engine/layer/layer_result.h"

namespace attn {

// True when both have the same bits in every row.
bool are_same_rows(const MatrixView& a, const MatrixView& b);

class EditedMap {
 public:
  EditedMap(const LinearStage& before, const LinearStage& after);

  // out = x·w + b for rows of which x is the same as before, from what came out before. False,
  // and nothing done, where most of the map changed.
  bool map_same_rows(const MatrixView& x, const MatrixView& out_before, Sums sums,
                     const MutableMatrix& out) const;

 private:
  std::vector<std::size_t> columns_;  // that changed
  Tensor w_, b_;                      // of these
  bool is_known_ = false;
};

// Whether a matrix that both results hold is the same in both.
bool is_as_before(const LayerResult& before, const LayerResult& after, Stage stage,
                  const HeadAddress& head);

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

}  // namespace attn
