// The kind of model that is a recurrent encoder–decoder with attention between the two.
#pragma once

#include "attention/recurrent.h"
#include "model/embeddings.h"

namespace attn {

struct RecurrentModel {
  Embeddings embeddings;  // the keys are the source, the queries the target; no values
  std::size_t heads = 1;  // 1 when consistent
  Recurrent recurrent;
  friend bool operator==(const RecurrentModel&, const RecurrentModel&) = default;
};

AttentionShape shape_of(const RecurrentModel& model);
TensorList tensors_of(const RecurrentModel& model, const AttentionShape& shape);

// The widths of the model's tensors. Precondition: encoder and decoder are there.
RecurrentWidths widths_of(const RecurrentModel& model);

}  // namespace attn
