#include "attention/problem.h"

#include <cmath>
#include <limits>

#include "base/number_text.h"

namespace attn {
namespace {

using Source = AttentionProblem::Source;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > kMost - b ? kMost : a + b;
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMost / b ? kMost : a * b;
}

}  // namespace

float scale_of(const AttentionProblem& problem) {
  if (problem.scoring.scale) return *problem.scoring.scale;
  if (problem.scoring.function != ScoringFunction::ScaledDot || problem.shape.d_k == 0) return 1.0F;
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(problem.shape.d_k)));
}

std::size_t query_columns(const AttentionShape& s) { return s.d_q == 0 ? s.d_k : s.d_q; }

std::size_t key_embedding_columns(const AttentionShape& s) {
  return s.key_width == 0 ? s.d_model : s.key_width;
}

std::size_t value_embedding_columns(const AttentionShape& s) {
  return s.value_width == 0 ? key_embedding_columns(s) : s.value_width;
}

std::vector<Stage> stages_of(const AttentionProblem& problem) {
  if (problem.source == Source::Weights) return {Stage::Weights};
  const bool embedded = problem.source == Source::Embeddings;
  std::vector<Stage> stages;
  if (embedded && is_added(problem.position)) {
    stages = {Stage::QueryInput, Stage::KeyInput, Stage::ValueInput};
  }
  stages.insert(stages.end(), {Stage::Query, Stage::Key, Stage::Value});
  if (problem.position.kind == PositionKind::Rope) {
    stages.insert(stages.end(), {Stage::RotatedQuery, Stage::RotatedKey});
  }
  stages.insert(stages.end(), {Stage::Scores, Stage::Scaled});
  if (problem.scoring.softcap) stages.push_back(Stage::Softcapped);
  stages.insert(stages.end(), {Stage::Masked, Stage::Weights, Stage::Output});
  if (embedded) stages.push_back(Stage::Concat);
  if (embedded && !problem.projections.w_o.empty()) stages.push_back(Stage::Projected);
  return stages;
}

StageShape stage_shape(const AttentionShape& s, Stage stage) {
  switch (stage) {
    case Stage::QueryInput:
      return {s.n_q, s.d_model};
    case Stage::KeyInput:
      return {s.n_k, key_embedding_columns(s)};
    case Stage::ValueInput:
      return {s.n_k, value_embedding_columns(s)};
    case Stage::Query:
    case Stage::RotatedQuery:
      return {s.n_q, query_columns(s)};
    case Stage::Key:
    case Stage::RotatedKey:
      return {s.n_k, s.d_k};
    case Stage::Value:
      return {s.n_k, s.d_v};
    case Stage::Scores:
    case Stage::Scaled:
    case Stage::Softcapped:
    case Stage::Masked:
    case Stage::Weights:
      return {s.n_q, s.n_k};
    case Stage::Output:
      return {s.n_q, s.d_v};
    case Stage::Concat:
      return {s.n_q, s.heads * s.d_v};
    case Stage::Projected:
      return {s.n_q, s.d_out};
  }
  return {};
}

Stage query_stage(const AttentionProblem& problem) {
  return problem.position.kind == PositionKind::Rope ? Stage::RotatedQuery : Stage::Query;
}

Stage key_stage(const AttentionProblem& problem) {
  return problem.position.kind == PositionKind::Rope ? Stage::RotatedKey : Stage::Key;
}

std::string formula_of(const AttentionProblem& problem, Stage stage) {
  const Scoring& scoring = problem.scoring;
  if (stage == Stage::Scores) return std::string(scoring_info(scoring.function).formula);
  if (stage == Stage::Scaled) {
    return std::string(scoring_info(scoring.function).formula) + " · " +
           short_text(static_cast<double>(scale_of(problem)));
  }
  if (stage != Stage::Weights || problem.source == Source::Weights) {
    return std::string(stage_info(stage).formula);
  }
  std::string formula(normaliser_info(scoring.normaliser).formula);
  if (scoring.temperature) {
    formula += " with x / " + short_text(static_cast<double>(*scoring.temperature));
  }
  if (!scoring.sinks.empty()) formula += " with a sink";
  return formula;
}

std::vector<StoredStage> stored_stages(const AttentionProblem& problem) {
  if (problem.source == Source::Weights) return {};
  const AttentionShape& s = problem.shape;
  std::vector<StoredStage> stored;
  for (const Stage stage : stages_of(problem)) {
    const bool is_given = problem.source == Source::Qkv &&
                          (stage == Stage::Query || stage == Stage::Key || stage == Stage::Value);
    if (is_given || stage == Stage::Concat) continue;
    const bool of_keys = stage_info(stage).rows_are_keys();
    const std::size_t heads = !stage_info(stage).per_head ? 1 : of_keys ? s.kv_heads : s.heads;
    const StageShape shape = stage_shape(s, stage);
    stored.push_back({stage, element_count({s.samples, heads, shape.rows, shape.cols})});
  }
  return stored;
}

std::uint64_t predicted_bytes(const AttentionProblem& problem) {
  std::uint64_t bytes = 0;
  for (const StoredStage& stored : stored_stages(problem)) {
    bytes = saturating_sum(bytes, saturating_product(stored.elements, sizeof(float)));
  }
  return bytes;
}

std::uint64_t predicted_multiply_adds(const AttentionShape& s) {
  const std::size_t d_q = query_columns(s);
  const std::size_t per_score = s.d_a == 0 ? s.d_k : s.d_a;
  const std::uint64_t parts[] = {
      element_count({s.samples, s.heads, s.n_q, s.n_k, per_score + s.d_v}),
      element_count({s.samples, s.heads, s.n_q, d_q, s.d_a}),
      element_count({s.samples, s.heads, s.n_k, s.d_k, s.d_a}),
      element_count({s.samples, s.n_q, s.d_model, s.heads, d_q}),
      element_count({s.samples, s.n_k, key_embedding_columns(s), s.kv_heads, s.d_k}),
      element_count({s.samples, s.n_k, value_embedding_columns(s), s.kv_heads, s.d_v}),
      element_count({s.samples, s.n_q, s.heads, s.d_v, s.d_out}),
  };
  std::uint64_t sum = 0;
  for (const std::uint64_t part : parts) sum = saturating_sum(sum, part);
  return sum;
}

}  // namespace attn
