// What the cells of one head are made from. Internal to the engine.
#pragma once

#include "attention/mask.h"
#include "engine/kernels/attention_block.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/packed_panels.h"
#include "engine/result.h"

namespace attn {

// Views of what its layer holds, which outlives them.
struct HeadInputs {
  const AttentionProblem& problem;
  const KeyReach& reach;     // of its sample
  HeadAddress at;            // of masks and of matrices that heads have by themselves
  MatrixView queries, keys;  // turned by their positions where there are any
  MatrixView values;
  bool values_are_finite = true;
  Sums sums = Sums::Double;
  const PackedPanels* packed_keys = nullptr;    // with Sums::Float, where scores are products
  const PackedPanels* packed_values = nullptr;  // with Sums::Float, for who asks for outputs
};

inline HeadRows rows_in(const CellRange& range) { return {range.row, range.rows, range.row_step}; }

}  // namespace attn
