#include "plot/flow_links.h"

#include <algorithm>

namespace attn {
namespace {

bool is_stage(const FlowBox& box, Stage stage) { return box.tensor == TensorHit(StageHit{stage}); }

// Whose a tensor is; those of self-attention's embeddings and of whole blocks are Output,
// everyone's.
StageRole role_of(const FlowBox& box, bool cross) {
  if (const auto* stage = std::get_if<StageHit>(&box.tensor)) return stage_info(stage->stage).role;
  switch (std::get<InputHit>(box.tensor).role) {
    case MatrixRole::KeyEmbeddings:
      return StageRole::Key;
    case MatrixRole::ValueEmbeddings:
      return StageRole::Value;
    default:
      return cross ? StageRole::Query : StageRole::Output;
  }
}

bool is_memory(const FlowBox& box) {
  return is_stage(box, Stage::EncoderCell) || is_stage(box, Stage::DecoderCell) ||
         is_stage(box, Stage::FixedCell);
}

bool begins_again(const FlowBox& box) {
  return is_stage(box, Stage::FixedState) || is_stage(box, Stage::FixedCell) ||
         role_of(box, false) == StageRole::Influence;
}

// What values are made from: tensors of their own where the column has some, the keys' otherwise.
StageRole value_source(const FlowColumn& column, bool cross) {
  const bool own = std::ranges::any_of(
      column, [&](const FlowBox& box) { return role_of(box, cross) == StageRole::Value; });
  return own ? StageRole::Value : StageRole::Key;
}

// Rows that ask keys which stand under them.
bool asks_keys(const FlowColumn& column, const FlowBox& box) {
  const bool keys = std::ranges::any_of(column, [](const FlowBox& other) {
    return other.tensor == TensorHit(InputHit{MatrixRole::KeyEmbeddings});
  });
  return keys && std::holds_alternative<StageHit>(box.tensor);
}

}  // namespace

bool feeds(const FlowColumn& column, std::size_t from, const FlowBox& to) {
  const FlowBox& box = column[from];
  const bool given = std::holds_alternative<InputHit>(to.tensor);
  if (is_memory(box) || begins_again(to) || given) return false;
  const bool cross = column.size() > 1;
  const StageRole source = asks_keys(column, box) ? StageRole::Query : role_of(box, cross);
  const StageRole target = role_of(to, cross);
  if (source == StageRole::Output) return true;
  if (source == StageRole::Scores) return target == source || is_stage(to, Stage::Output);
  if (target == StageRole::Value) return source == value_source(column, cross);
  if (target == StageRole::Query || target == StageRole::Key) return source == target;
  // V skips the scores: it is used by the output.
  if (source == StageRole::Value) return is_stage(to, Stage::Output);
  return source == StageRole::Query || target == StageRole::Scores;
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
