// Which stages a problem has, how large each is and by which formula.
#include "attention/problem_kind.h"
#include "base/number_text.h"

namespace attn {

void append(std::vector<Stage>& stages, const std::vector<Stage>& more) {
  stages.insert(stages.end(), more.begin(), more.end());
}

std::vector<Stage> attention_stages(const AttentionProblem& problem) {
  std::vector<Stage> stages{Stage::Query, Stage::Key, Stage::Value};
  if (is_turned(position_of(problem))) {
    append(stages, {Stage::RotatedQuery, Stage::RotatedKey});
  }
  append(stages, {Stage::Scores, Stage::Scaled});
  if (problem.scoring.softcap) stages.push_back(Stage::Softcapped);
  append(stages, {Stage::Masked, Stage::Weights, Stage::Output});
  return stages;
}

std::vector<Stage> joined_attention_stages(const AttentionProblem& problem) {
  std::vector<Stage> stages = attention_stages(problem);
  stages.push_back(Stage::Concat);
  if (problem.shape.d_out > 0) stages.push_back(Stage::Projected);
  return stages;
}

std::vector<Stage> stages_of(const AttentionProblem& problem) {
  return kind_of(problem).stages(problem);
}

StageShape stage_shape(const AttentionShape& shape, Stage stage) {
  const StageInfo& info = stage_info(stage);
  return {extent_of(shape, info.rows), extent_of(shape, info.columns)};
}

std::size_t layers_of(const AttentionShape& s, Stage stage) {
  return stage == Stage::FinalNorm ? 1 : s.layers;
}

Stage query_stage(const AttentionProblem& problem) {
  return is_turned(position_of(problem)) ? Stage::RotatedQuery : Stage::Query;
}

Stage key_stage(const AttentionProblem& problem) {
  return is_turned(position_of(problem)) ? Stage::RotatedKey : Stage::Key;
}

std::string formula_of(const AttentionProblem& problem, Stage stage) {
  std::string own = kind_of(problem).formula(problem, stage);
  if (!own.empty()) return own;
  const Scoring& scoring = problem.scoring;
  if (stage == Stage::Scores) return std::string(scoring_info(scoring.function).formula);
  if (stage == Stage::Scaled) {
    return std::string(scoring_info(scoring.function).formula) + " · " +
           short_text(static_cast<double>(scale_of(problem)));
  }
  if (stage != Stage::Weights || given_tensor(problem, stage) != nullptr) {
    return std::string(stage_info(stage).formula);
  }
  std::string formula(normaliser_info(scoring.normaliser).formula);
  if (scoring.temperature) {
    formula += " with x / " + short_text(static_cast<double>(*scoring.temperature));
  }
  if (!scoring.sinks.empty()) formula += " with a sink";
  return formula;
}

}  // namespace attn
