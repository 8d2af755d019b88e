// What begins every problem: the kinds of it, and what each of them was given.
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

// What nothing is around answers by its stages alone.
constexpr ProblemKind plain(std::vector<Stage> (*stages)(const AttentionProblem&)) {
  return {stages,  usual_formula, attention_multiply_adds,
          nullptr, nullptr,       reference::compute_in_layer};
}
constexpr ProblemKind kQkvProblems = plain(attention_stages);
constexpr ProblemKind kLayerProblems = plain(layer_stages);
constexpr ProblemKind kWeightsProblems = plain(weights_alone);

}  // namespace

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
