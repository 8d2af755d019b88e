// What computing a problem takes, in memory and in multiply-adds.
#include <algorithm>
#include <limits>

#include "attention/problem.h"

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

// Multiply-adds of one step of a cell; 0 when it is absent.
std::uint64_t step_cost(const RecurrentCell& cell) { return cell.w_x.size() + cell.w_h.size(); }

std::uint64_t encoder_cost(const AttentionProblem& problem) {
  const Recurrent& model = problem.recurrent;
  return element_count({problem.shape.n_k, step_cost(model.encoder) + step_cost(model.backward)});
}

// The derivatives of every score by its query and its key, taken once for all steps back.
std::uint64_t slopes_cost(const AttentionProblem& problem) {
  const AttentionShape& s = problem.shape;
  const ScoringCost cost =
      scoring_info(problem.scoring.function).cost({query_columns(s), s.d_k, s.n_k, s.d_a});
  return element_count({s.n_q, s.n_k, cost.slope});
}

// What the derivatives of the fixed vector cost, and how they meet those of every output by it.
std::uint64_t fixed_influence_cost(const AttentionProblem& problem, std::size_t outputs) {
  const AttentionShape& s = problem.shape;
  const std::size_t d_source = key_embedding_columns(s);
  std::uint64_t sum = saturating_product(s.d_k, encoder_cost(problem));
  for (const std::uint64_t part :
       {element_count({s.n_k, s.d_k, s.d_k, d_source}), element_count({s.n_q, s.n_k, s.d_k, s.d_k}),
        element_count({s.n_q, outputs, s.d_k, s.d_k})}) {
    sum = saturating_sum(sum, part);
  }
  return sum;
}

}  // namespace

std::vector<StoredStage> stored_stages(const AttentionProblem& problem) {
  if (problem.source == Source::Weights) return {};
  const AttentionShape& s = problem.shape;
  std::vector<StoredStage> stored;
  if (attends_across(problem)) {
    stored = stored_stages(attended(problem, AttentionPart::Self));
    std::erase_if(stored, [](const StoredStage& at) {
      return stage_info(at.stage).around_attention();  // once, below
    });
  }
  for (const Stage stage : stages_of(problem)) {
    const bool is_given = problem.source == Source::Qkv &&
                          (stage == Stage::Query || stage == Stage::Key || stage == Stage::Value);
    if (is_given || stage == Stage::Concat) continue;
    const bool of_keys = stage_info(stage).rows_are_keys();
    const std::size_t heads = !stage_info(stage).per_head ? 1 : of_keys ? s.kv_heads : s.heads;
    const StageShape shape = stage_shape(s, stage);
    stored.push_back(
        {stage, element_count({layers_of(s, stage), s.samples, heads, shape.rows, shape.cols})});
  }
  return stored;
}

std::uint64_t kept_bytes(const AttentionProblem& problem) {
  std::uint64_t bytes = 0;
  for (const StoredStage& stored : stored_stages(problem)) {
    bytes = saturating_sum(bytes, saturating_product(stored.elements, sizeof(float)));
  }
  return bytes;
}

std::uint64_t predicted_bytes(const AttentionProblem& problem) {
  return saturating_sum(kept_bytes(problem), has_influence(problem) ? influence_bytes(problem) : 0);
}

std::uint64_t predicted_multiply_adds(ScoringFunction function, const AttentionShape& s) {
  const std::size_t d_q = query_columns(s);
  const ScoringCost score = scoring_info(function).cost({d_q, s.d_k, s.n_k, s.d_a});
  const std::uint64_t parts[] = {
      element_count({s.samples, s.heads, s.n_q, s.n_k, score.cell + s.d_v}),
      element_count({s.samples, s.heads, s.n_q, score.query}),
      element_count({s.samples, s.heads, s.n_k, score.key}),
      element_count({s.samples, s.n_q, s.d_model, s.heads, d_q}),
      element_count({s.samples, s.n_k, key_embedding_columns(s), s.kv_heads, s.d_k}),
      element_count({s.samples, s.n_k, value_embedding_columns(s), s.kv_heads, s.d_v}),
      element_count({s.samples, s.n_q, s.heads, s.d_v, s.d_out}),
  };
  std::uint64_t sum = element_count({s.samples, s.n_q, s.d_model, s.d_ff, 2});
  for (const std::uint64_t part : parts) sum = saturating_sum(sum, part);
  return saturating_product(sum, s.layers);
}

std::uint64_t predicted_multiply_adds(const AttentionProblem& problem) {
  const ScoringFunction function = problem.scoring.function;
  if (attends_across(problem)) {
    AttentionShape own = self_shape(problem.shape);
    own.d_ff = 0;  // the network runs once
    return saturating_sum(predicted_multiply_adds(function, own),
                          predicted_multiply_adds(function, problem.shape));
  }
  if (problem.source != Source::Recurrent) return predicted_multiply_adds(function, problem.shape);
  AttentionShape attention = problem.shape;
  attention.d_model = attention.d_out = attention.key_width = attention.value_width = 0;
  const Recurrent& model = problem.recurrent;
  const std::uint64_t step = step_cost(model.decoder) + model.w_output.size();
  // The decoder runs twice: with attention, and with the fixed vector.
  const std::uint64_t per_sample =
      saturating_sum(encoder_cost(problem), element_count({2, attention.n_q, step}));
  return saturating_sum(predicted_multiply_adds(function, attention),
                        saturating_product(attention.samples, per_sample));
}

std::uint64_t computing_multiply_adds(const AttentionProblem& problem) {
  return saturating_sum(predicted_multiply_adds(problem),
                        has_influence(problem) ? influence_multiply_adds(problem) : 0);
}

bool has_influence(const AttentionProblem& problem) {
  return problem.source == Source::Recurrent &&
         influence_multiply_adds(problem) <= problem.most_influence_steps;
}

// In double, of one sample at a time: every score by its query and its key, and for each token how
// the fixed vector moves with it, which becomes a square of that vector's width.
std::uint64_t influence_bytes(const AttentionProblem& problem) {
  if (problem.source != Source::Recurrent) return 0;
  const AttentionShape& s = problem.shape;
  const std::size_t widest = std::max(s.d_k, key_embedding_columns(s));
  const std::uint64_t slopes = element_count({s.n_q, s.n_k, query_columns(s) + s.d_k});
  const std::uint64_t of_fixed = element_count({s.n_k, s.d_k, widest});
  return saturating_product(saturating_sum(slopes, of_fixed), sizeof(double));
}

std::uint64_t influence_multiply_adds(const AttentionProblem& problem) {
  if (problem.source != Source::Recurrent) return 0;
  const AttentionShape& s = problem.shape;
  const std::uint64_t per_score = query_columns(s) + s.d_k + 2 * s.d_v;
  // Both decoders; only one of them attends.
  const std::uint64_t step =
      saturating_sum(2 * step_cost(problem.recurrent.decoder), element_count({s.n_k, per_score}));
  const std::uint64_t back =
      saturating_sum(encoder_cost(problem), element_count({(s.n_q + 1) / 2, step}));
  const std::size_t outputs = s.d_out > 0 ? s.d_out : query_columns(s);
  const std::uint64_t attending = saturating_product(element_count({s.n_q, outputs}), back);
  const std::uint64_t fixed = fixed_influence_cost(problem, outputs);
  return saturating_product(s.samples,
                            saturating_sum(saturating_sum(attending, slopes_cost(problem)), fixed));
}

}  // namespace attn
