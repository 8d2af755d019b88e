// Short names and formulas of stages.
#include "gui/panels/strip/strip_words.h"

#include <optional>
#include <string_view>

namespace attn::gui {
namespace {

bool is_dot(const Scoring& scoring) { return scoring_info(scoring.function).matrices.empty(); }

bool scales_by_root(const AttentionProblem& problem) {
  return scoring_info(problem.scoring.function).scaled_by_width && !problem.scoring.scale &&
         problem.shape.d_k > 0;
}

std::string_view brief(Stage stage) {
  switch (stage) {
    case Stage::QueryInput:
      return "X + P";
    case Stage::KeyInput:
      return "X_K + P";
    case Stage::ValueInput:
      return "X_V + P";
    case Stage::BlockInput:
      return "x";
    case Stage::Query:
      return "Q";
    case Stage::Key:
      return "K";
    case Stage::Value:
      return "V";
    case Stage::RotatedQuery:
      return "Q′";
    case Stage::RotatedKey:
      return "K′";
    case Stage::AttentionNorm:
    case Stage::CrossNorm:
    case Stage::FeedForwardNorm:
      return "norm";
    case Stage::AttentionResidual:
    case Stage::CrossResidual:
    case Stage::FeedForwardResidual:
      return "+ x";
    case Stage::FeedForward:
      return "out";
    case Stage::BlockOutput:
      return "y";
    default:
      return "";
  }
}

std::string lower_first(std::string_view label) {
  std::string text(label);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] += 'a' - 'A';
  return text;
}

std::string extents(std::size_t rows, std::size_t cols) {
  return "(" + std::to_string(rows) + " × " + std::to_string(cols) + ")";
}

std::string product(std::size_t rows, std::size_t inner, std::size_t cols) {
  return extents(rows, inner) + " · " + extents(inner, cols) + " → ";
}

// What is multiplied, for stages that are products of two matrices.
std::string factors(const AttentionProblem& problem, Stage stage) {
  const AttentionShape& s = problem.shape;
  const StageShape shape = stage_shape(s, stage);
  switch (stage) {
    case Stage::Query:
      return s.d_model > 0 ? product(s.n_q, s.d_model, shape.cols) : "";
    case Stage::Key:
      return s.d_model > 0 ? product(s.n_k, key_embedding_columns(s), shape.cols) : "";
    case Stage::Value:
      return s.d_model > 0 ? product(s.n_k, value_embedding_columns(s), shape.cols) : "";
    case Stage::Scores:
      return is_dot(problem.scoring) ? product(s.n_q, s.d_k, s.n_k) : "";
    case Stage::Output:
      return product(s.n_q, s.n_k, s.d_v);
    case Stage::Projected:
      return product(s.n_q, s.heads * s.d_v, s.d_out);
    case Stage::Hidden:
    case Stage::Gate:
      return product(s.n_q, s.d_model, s.d_ff);
    case Stage::FeedForward:
      return product(s.n_q, s.d_ff, s.d_model);
    default:
      return "";
  }
}

}  // namespace

std::string strip_label(const AttentionProblem& problem, Stage stage) {
  if (stage == Stage::Scores && is_dot(problem.scoring)) return "QKᵀ";
  if (stage == Stage::Scaled && scales_by_root(problem)) return "÷√dₖ";
  const std::string_view known = brief(stage);
  return known.empty() ? lower_first(stage_info(stage).label) : std::string(known);
}

std::string stage_explanation(const AttentionResult& result, Stage stage) {
  const AttentionProblem& problem = result.problem();
  const StageInfo& info = stage_info(stage);
  const StageShape shape = result.stage_shape(stage);
  std::string text = std::string(info.label) + ":  " + formula_of(problem, stage);
  if (stage == Stage::Scaled && scales_by_root(problem)) {
    text += "  (÷ √" + std::to_string(problem.shape.d_k) + ")";
  }
  const bool known = has_scores(problem) && !result.has(Stage::DecoderState);
  text += "\n" + (known ? factors(problem, stage) : "") + extents(shape.rows, shape.cols);
  if (info.per_head && problem.shape.heads > 1) text += "  in each head";
  return text + "\n" + std::string(info.sentence);
}

}  // namespace attn::gui
