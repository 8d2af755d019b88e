// The kind of model whose attention was computed elsewhere: finished weights.
#pragma once

#include <vector>

#include "attention/problem.h"
#include "base/progress.h"
#include "model/findings.h"
#include "model/kind_info.h"
#include "model/tensor_info.h"

namespace attn {

// Axes of an attention tensor, outermost first.
enum class Axis { Layer, Sample, Head, Query, Key };

// Shown as they are. `axes` name the axes of `weights`, in the canonical order of `Axis`; always
// ending in Query, Key.
struct GivenWeights {
  static constexpr KindInfo kInfo{.name = "attention", .has_scores = false};
  Tensor weights;
  std::vector<Axis> axes;
  friend bool operator==(const GivenWeights&, const GivenWeights&) = default;
};

AttentionShape shape_of(const GivenWeights& model);
TensorList tensors_of(const GivenWeights& model, const AttentionShape& shape);

// Whether in all maps no query attends to a key after it, and some query to one before it: as
// causal attention does. Stops, false, when `progress` (may be null) is cancelled.
bool attends_backwards_only(const GivenWeights& model, Progress* progress = nullptr);

// Finds what does not fit in it, by the JSON pointers of the written document.
void check(Findings& findings, const GivenWeights& model, const Surroundings& around);

// Gives its tensors, at full rank, to a problem of its shape.
void put_into(AttentionProblem& problem, const GivenWeights& model);

}  // namespace attn
