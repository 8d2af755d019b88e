// What begins every problem: the kinds of it, and what each of them was given.
#include <algorithm>
#include <iterator>

#include "attention/problem_kind.h"
#include "attention/reference_parts.h"

namespace attn {
namespace {

using Source = AttentionProblem::Source;

std::string usual_formula(const AttentionProblem& /*problem*/, Stage /*stage*/) { return ""; }

std::vector<Stage> weights_alone(const AttentionProblem& /*problem*/) { return {Stage::Weights}; }

// Of embeddings and the one layer that projects them.
std::vector<Stage> layer_stages(const AttentionProblem& problem) {
  std::vector<Stage> stages;
  if (is_added(problem.position)) {
    stages = {Stage::QueryInput, Stage::KeyInput, Stage::ValueInput};
  }
  append(stages, joined_attention_stages(problem));
  return stages;
}

std::optional<LinearStage> layer_projection(const AttentionProblem& problem, Stage stage,
                                            std::size_t layer) {
  return projection_of(problem, stage, layer, {});
}

// What nothing is around answers by its stages alone.
constexpr ProblemKind plain(std::vector<Stage> (*stages)(const AttentionProblem&)) {
  return {stages,  usual_formula, attention_multiply_adds,
          nullptr, nullptr,       reference::compute_in_layer,
          nullptr};
}
constexpr ProblemKind kQkvProblems = plain(attention_stages);
constexpr ProblemKind kLayerProblems = {layer_stages,    usual_formula, attention_multiply_adds,
                                        nullptr,         nullptr,       reference::compute_in_layer,
                                        layer_projection};
constexpr ProblemKind kWeightsProblems = plain(weights_alone);

}  // namespace

namespace {

struct ProjectionWords {
  Stage stage, input;                    // where positions are added
  Tensor AttentionProblem::*embeddings;  // where they are not
  Tensor Projections::*weights, Projections::*bias;
  const char *input_name, *matrix_name, *bias_name;
};
constexpr ProjectionWords kProjections[] = {
    {Stage::Query, Stage::QueryInput, &AttentionProblem::query_embeddings, &Projections::w_q,
     &Projections::b_q, "X", "W_Q", "b_Q"},
    {Stage::Key, Stage::KeyInput, &AttentionProblem::key_embeddings, &Projections::w_k,
     &Projections::b_k, "X_K", "W_K", "b_K"},
    {Stage::Value, Stage::ValueInput, &AttentionProblem::value_embeddings, &Projections::w_v,
     &Projections::b_v, "X_V", "W_V", "b_V"}};

std::optional<LinearStage> output_projection(const AttentionProblem& problem, std::size_t layer) {
  const Projections& projections = projections_of(problem, layer);
  if (projections.w_o.empty()) return std::nullopt;
  return LinearStage{Stage::Concat, nullptr, &projections.w_o, &projections.b_o, 1, "concat",
                     "W_O",         "b_O"};
}

}  // namespace

std::optional<LinearStage> projection_of(const AttentionProblem& problem, Stage stage,
                                         std::size_t layer, const ProjectedRows& rows) {
  const auto* words = std::ranges::find(kProjections, stage, &ProjectionWords::stage);
  if (words == std::end(kProjections)) return std::nullopt;
  const Projections& projections = projections_of(problem, layer);
  const bool of_keys = stage != Stage::Query;
  LinearStage made{rows.input,
                   nullptr,
                   &(projections.*words->weights),
                   &(projections.*words->bias),
                   of_keys ? problem.shape.kv_heads : problem.shape.heads,
                   words->input_name,
                   words->matrix_name,
                   words->bias_name};
  if (is_added(problem.position) && !rows.input) made.input = words->input;
  if (of_keys && rows.keys != nullptr) made.input.reset();
  if (!made.input) made.rows = of_keys && rows.keys ? rows.keys : &(problem.*words->embeddings);
  return made;
}

std::optional<LinearStage> linear_stage(const AttentionProblem& problem, Stage stage,
                                        std::size_t layer) {
  if (stage == Stage::Projected) return output_projection(problem, layer);
  const auto linear = kind_of(problem).linear;
  return linear == nullptr ? std::nullopt : linear(problem, stage, layer);
}

const ProblemKind& kind_of(const AttentionProblem& problem) {
  if (!problem.stack.blocks.empty()) return kBlockProblems;
  switch (problem.source) {
    case Source::Qkv:
      return kQkvProblems;
    case Source::Embeddings:
      return kLayerProblems;
    case Source::Weights:
      return kWeightsProblems;
    case Source::Recurrent:
      break;
  }
  return kRecurrentProblems;
}

float scale_of(const AttentionProblem& problem) {
  if (problem.scoring.scale) return *problem.scoring.scale;
  return static_cast<float>(usual_scale(problem.scoring.function, problem.shape.d_k));
}

bool has_scores(const AttentionProblem& problem) { return problem.source != Source::Weights; }

bool makes_projections(const AttentionProblem& problem) {
  return has_scores(problem) && problem.source != Source::Qkv;
}

const Tensor* given_tensor(const AttentionProblem& problem, Stage stage) {
  const bool qkv = problem.source == Source::Qkv;
  switch (stage) {
    case Stage::Query:
      return qkv ? &problem.q : nullptr;
    case Stage::Key:
      return qkv ? &problem.k : nullptr;
    case Stage::Value:
      return qkv ? &problem.v : nullptr;
    case Stage::Weights:
      return problem.source == Source::Weights ? &problem.weights : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace attn
