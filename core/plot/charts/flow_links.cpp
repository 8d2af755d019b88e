// Says for each box of the flow from which others it is made.
#include "plot/charts/flow_links.h"

#include <algorithm>

namespace attn {
namespace {

bool is_stage(const FlowBox& box, Stage stage) { return box.tensor == TensorHit(StageHit{stage}); }

// Whose a tensor is; those of self-attention's embeddings and of whole blocks are Output,
// everyone's.
StageRole role_of(const FlowBox& box, bool cross) {
  const bool input = std::holds_alternative<InputHit>(box.tensor);
  return input && box.role == StageRole::Query && !cross ? StageRole::Output : box.role;
}

bool is_memory(const FlowBox& box) {
  return is_stage(box, Stage::EncoderCell) || is_stage(box, Stage::DecoderCell) ||
         is_stage(box, Stage::FixedCell);
}

bool begins_again(const FlowBox& box) {
  return is_stage(box, Stage::FixedState) || is_stage(box, Stage::FixedCell) ||
         role_of(box, false) == StageRole::Influence;
}

bool is_input(const FlowBox& box) { return std::holds_alternative<InputHit>(box.tensor); }

// Whose tensors of the column make queries, keys or values: their own where it has some, the keys'
// for values, and otherwise everyone's.
StageRole source_of(const FlowColumn& column, StageRole target, bool cross) {
  const auto has = [&](StageRole role) {
    return std::ranges::any_of(column,
                               [&](const FlowBox& box) { return role_of(box, cross) == role; });
  };
  if (has(target)) return target;
  const bool of_keys = target == StageRole::Value && has(StageRole::Key);
  return of_keys ? StageRole::Key : StageRole::Output;
}

}  // namespace

bool feeds(const FlowColumn& column, std::size_t from, const FlowBox& to) {
  const FlowBox& box = column[from];
  if (is_memory(box) || is_input(to) || begins_again(to)) return false;
  const bool cross = column.size() > 1;
  const StageRole source = role_of(box, cross);
  switch (const StageRole target = role_of(to, cross)) {
    case StageRole::Query:
    case StageRole::Key:
    case StageRole::Value:
      return source == source_of(column, target, cross);
    case StageRole::Scores:
      return source != StageRole::Value;
    default:
      // Keys act through scores, and V skips those: it is used by the output.
      return source != StageRole::Key &&
             (source != StageRole::Value || is_stage(to, Stage::Output));
  }
}

bool feeds(const FlowColumn& column, const FlowColumn& next) {
  for (std::size_t from = 0; from < column.size(); ++from) {
    if (std::ranges::any_of(next, [&](const FlowBox& to) { return feeds(column, from, to); })) {
      return true;
    }
  }
  return false;
}

}  // namespace attn
