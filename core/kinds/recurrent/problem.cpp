// Problems of recurrent encoder–decoders: stages, formulas and cost.
#include <algorithm>

#include "kinds/recurrent/compute.h"
#include "kinds/recurrent/model.h"

namespace attn {
namespace {

std::vector<Stage> recurrent_stages(const AttentionProblem& problem, const HeadAddress& /*at*/) {
  const bool memory = cell_info(problem.recurrent.cell).has_memory;
  const bool outputs = problem.shape.d_out > 0;
  std::vector<Stage> stages = attention_stages(problem);
  if (memory) stages.insert(stages.begin(), Stage::EncoderCell);
  for (const auto& [state, cell, output] : {kAttending, kFixed}) {
    stages.push_back(state);
    if (memory) stages.push_back(cell);
    if (outputs) stages.push_back(output);
  }
  if (has_influence(problem)) {
    append(stages, {Stage::Influence, Stage::FixedInfluence, Stage::Survival});
  }
  return stages;
}

// Formulas that depend on the model; empty for stages of the attention.
std::string recurrent_formula(const AttentionProblem& problem, Stage stage) {
  const Recurrent& model = problem.recurrent;
  switch (stage) {
    case Stage::Query:
      return model.asks == QueryState::Previous ? "s_{t−1}" : "s_t";
    case Stage::Key:
    case Stage::Value:
      return is_bidirectional(model) ? "h_j = [forward; backward]" : "h_j";
    case Stage::Output:
      return "c_t = Σ weights · h_j";
    case Stage::DecoderState:
    case Stage::FixedState: {
      const std::string context = stage == Stage::FixedState ? "; c]" : "; c_t]";
      return std::string(cell_info(model.cell).label) + "(" +
             (model.asks == QueryState::Previous ? "[y_t" + context : "y_t") + ", s_{t−1})";
    }
    case Stage::Influence:
    case Stage::FixedInfluence:
      return problem.shape.d_out > 0 ? "‖∂o_t / ∂x_j‖" : "‖∂s_t / ∂x_j‖";
    default:
      return "";
  }
}

// Multiply-adds of one step of a cell; 0 if it is absent.
std::uint64_t step_cost(const RecurrentCell& cell) { return cell.w_x.size() + cell.w_h.size(); }

std::uint64_t encoder_cost(const AttentionProblem& problem) {
  const Recurrent& model = problem.recurrent;
  return element_count({problem.shape.n_k, step_cost(model.encoder) + step_cost(model.backward)});
}

// Derivatives of the fixed vector, and their products with those of every output by it.
std::uint64_t fixed_influence_cost(const AttentionProblem& problem, std::size_t outputs) {
  const AttentionShape& s = problem.shape;
  const std::size_t d_source = key_embedding_columns(s);
  return saturating_sum({element_count({s.d_k, encoder_cost(problem)}),
                         element_count({s.n_k, s.d_k, s.d_k, d_source}),
                         element_count({s.n_q, s.n_k, s.d_k, s.d_k}),
                         element_count({s.n_q, outputs, s.d_k, s.d_k})});
}

// Attention to the states, without projections, and the cells.
std::uint64_t recurrent_multiply_adds(const AttentionProblem& problem) {
  const AttentionShape& s = problem.shape;
  const Recurrent& model = problem.recurrent;
  const std::uint64_t step = step_cost(model.decoder) + model.w_output.size();
  // The decoder runs twice: with attention, and with the fixed vector.
  return saturating_sum({scored_multiply_adds(problem.scoring.function, s),
                         element_count({s.samples, encoder_cost(problem)}),
                         element_count({s.samples, 2, s.n_q, step})});
}

std::uint64_t derivatives_multiply_adds(const AttentionProblem& problem) {
  const AttentionShape& s = problem.shape;
  const std::uint64_t per_score = query_columns(s) + s.d_k + 2 * s.d_v;
  // Counts both decoders; only one of them attends.
  const std::uint64_t step =
      saturating_sum({2 * step_cost(problem.recurrent.decoder), element_count({s.n_k, per_score})});
  const std::uint64_t back =
      saturating_sum({encoder_cost(problem), element_count({(s.n_q + 1) / 2, step})});
  const std::size_t outputs = s.d_out > 0 ? s.d_out : query_columns(s);
  const ScoringCost score = scoring_info(problem.scoring.function).cost(s);
  const std::uint64_t of_sample =
      saturating_sum({element_count({s.n_q, outputs, back}),
                      element_count({s.n_q, s.n_k, score.slope}),  // once for all steps
                      fixed_influence_cost(problem, outputs)});
  return element_count({s.samples, of_sample});
}

// Memory of derivatives in double for one sample at a time: of every score by query and key, and
// for each token the fixed vector's Jacobian, reduced to a square of that vector's width.
std::uint64_t derivatives_bytes(const AttentionProblem& problem) {
  const AttentionShape& s = problem.shape;
  const std::size_t widest = std::max(s.d_k, key_embedding_columns(s));
  return saturating_sum({element_count({s.n_q, s.n_k, query_columns(s) + s.d_k, sizeof(double)}),
                         element_count({s.n_k, s.d_k, widest, sizeof(double)})});
}

}  // namespace

const ProblemKind kRecurrentProblems{.stages = recurrent_stages,
                                     .formula = recurrent_formula,
                                     .multiply_adds = recurrent_multiply_adds,
                                     .derivatives = derivatives_multiply_adds,
                                     .derivative_bytes = derivatives_bytes,
                                     .goes_row_by_row = true,
                                     .compute = compute_recurrent};

}  // namespace attn
