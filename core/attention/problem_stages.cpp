// Which stages a problem has, how large each is and by which formula.
#include <array>
#include <initializer_list>

#include "attention/problem.h"
#include "base/number_text.h"

namespace attn {
namespace {

using Source = AttentionProblem::Source;

void append(std::vector<Stage>& stages, std::initializer_list<Stage> more) {
  stages.insert(stages.end(), more);
}

// Of one layer of attention, without what is around it.
std::vector<Stage> attention_stages(const AttentionProblem& problem) {
  std::vector<Stage> stages{Stage::Query, Stage::Key, Stage::Value};
  if (is_turned(position_of(problem))) {
    append(stages, {Stage::RotatedQuery, Stage::RotatedKey});
  }
  append(stages, {Stage::Scores, Stage::Scaled});
  if (problem.scoring.softcap) stages.push_back(Stage::Softcapped);
  append(stages, {Stage::Masked, Stage::Weights, Stage::Output});
  if (problem.source == Source::Embeddings) stages.push_back(Stage::Concat);
  const bool projected = problem.shape.d_out > 0 && problem.source != Source::Recurrent;
  if (projected) stages.push_back(Stage::Projected);
  return stages;
}

std::vector<Stage> block_stages(const AttentionProblem& problem) {
  const Stack& stack = problem.stack;
  const bool pre = stack.order == NormOrder::Pre;
  std::vector<Stage> stages{Stage::BlockInput};
  // `shown`: whether the problem is of this attention.
  const auto attend = [&](Stage norm, Stage residual, bool shown) {
    if (pre) stages.push_back(norm);
    const std::vector<Stage> inside = shown ? attention_stages(problem) : std::vector<Stage>{};
    stages.insert(stages.end(), inside.begin(), inside.end());
    stages.push_back(residual);
    if (!pre) stages.push_back(norm);
  };
  const bool across = attends_across(problem);
  attend(Stage::AttentionNorm, Stage::AttentionResidual, !across);
  if (is_decoder(problem)) attend(Stage::CrossNorm, Stage::CrossResidual, across);
  if (pre) stages.push_back(Stage::FeedForwardNorm);
  stages.push_back(Stage::Hidden);
  const bool gated = activation_info(stack.blocks.front().feed_forward.activation).gated;
  if (gated) stages.push_back(Stage::Gate);
  append(stages, {Stage::Activated, Stage::FeedForward});
  if (!pre) stages.push_back(Stage::FeedForwardResidual);
  stages.push_back(Stage::BlockOutput);
  if (stack.final_norm) stages.push_back(Stage::FinalNorm);
  return stages;
}

std::vector<Stage> recurrent_stages(const AttentionProblem& problem) {
  const bool memory = cell_info(problem.recurrent.cell).has_memory;
  const bool outputs = problem.shape.d_out > 0;
  std::vector<Stage> stages = attention_stages(problem);
  if (memory) stages.insert(stages.begin(), Stage::EncoderCell);
  for (const auto& [state, cell, output] :
       {std::array{Stage::DecoderState, Stage::DecoderCell, Stage::DecoderOutput},
        std::array{Stage::FixedState, Stage::FixedCell, Stage::FixedOutput}}) {
    stages.push_back(state);
    if (memory) stages.push_back(cell);
    if (outputs) stages.push_back(output);
  }
  if (has_influence(problem)) {
    append(stages, {Stage::Influence, Stage::FixedInfluence, Stage::Survival});
  }
  return stages;
}

// What differs with the order of norms and the activation.
std::string block_formula(const Stack& stack, Stage stage) {
  const bool pre = stack.order == NormOrder::Pre;
  const std::string norm = stack.norm == NormKind::Layer ? "LayerNorm" : "RMSNorm";
  switch (stage) {
    case Stage::AttentionNorm:
      return norm + (pre ? "(x)" : "(x + attention)");
    case Stage::CrossNorm:
      return norm + (pre ? "(x)" : "(x + cross-attention)");
    case Stage::FeedForwardNorm:
    case Stage::FinalNorm:
      return norm + "(x)";
    case Stage::Activated:
      return std::string(activation_info(stack.blocks.front().feed_forward.activation).formula);
    case Stage::BlockOutput:
      return pre ? "x + network" : norm + "(x + network)";
    default:
      return std::string(stage_info(stage).formula);
  }
}

// What differs with the model; empty for the stages of the attention itself.
std::string recurrent_formula(const AttentionProblem& problem, Stage stage) {
  const Recurrent& model = problem.recurrent;
  switch (stage) {
    case Stage::Query:
      return model.asks == AskingState::Previous ? "s_t-1" : "s_t";
    case Stage::Key:
    case Stage::Value:
      return is_bidirectional(model) ? "h_j = [forward; backward]" : "h_j";
    case Stage::Output:
      return "c_t = Σ weights · h_j";
    case Stage::DecoderState:
    case Stage::FixedState: {
      const std::string context = stage == Stage::FixedState ? "; c]" : "; c_t]";
      return std::string(cell_info(model.cell).label) + "(" +
             (model.asks == AskingState::Previous ? "[y_t" + context : "y_t") + ", s_t-1)";
    }
    case Stage::Influence:
    case Stage::FixedInfluence:
      return problem.shape.d_out > 0 ? "‖∂o_t / ∂x_j‖" : "‖∂s_t / ∂x_j‖";
    default:
      return "";
  }
}

}  // namespace

std::vector<Stage> stages_of(const AttentionProblem& problem) {
  if (problem.source == Source::Weights) return {Stage::Weights};
  if (problem.source == Source::Recurrent) return recurrent_stages(problem);
  if (!problem.stack.blocks.empty()) return block_stages(problem);
  std::vector<Stage> stages;
  if (problem.source == Source::Embeddings && is_added(problem.position)) {
    stages = {Stage::QueryInput, Stage::KeyInput, Stage::ValueInput};
  }
  const std::vector<Stage> attention = attention_stages(problem);
  stages.insert(stages.end(), attention.begin(), attention.end());
  return stages;
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
  if (problem.source == Source::Recurrent) {
    std::string formula = recurrent_formula(problem, stage);
    if (!formula.empty()) return formula;
  }
  if (!problem.stack.blocks.empty() && stage_info(stage).around_attention()) {
    return block_formula(problem.stack, stage);
  }
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

}  // namespace attn
