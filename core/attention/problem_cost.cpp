// What computing a problem takes, in memory and in multiply-adds.
#include <algorithm>
#include <limits>

#include "attention/problem_kind.h"

namespace attn {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > kLargest - b ? kLargest : a + b;
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kLargest / b ? kLargest : a * b;
}

bool goes_row_by_row(const AttentionProblem& problem) { return kind_of(problem).goes_row_by_row; }

bool keeps_maps(const AttentionProblem& problem) {
  if (goes_row_by_row(problem)) return true;
  const AttentionShape& s = problem.shape;
  const auto maps =
      static_cast<std::size_t>(std::ranges::count_if(stages_of(problem), [&](const Stage stage) {
        return stage_info(stage).token_by_token() && given_tensor(problem, stage) == nullptr;
      }));
  const std::uint64_t cells = element_count({maps, s.layers, s.samples, s.heads, s.n_q, s.n_k});
  return saturating_product(cells, sizeof(float)) <= problem.most_kept_map_bytes;
}

namespace {

// From what the attention makes.
bool goes_on(const AttentionProblem& problem) {
  return std::ranges::any_of(stages_of(problem),
                             [](Stage stage) { return stage_info(stage).around_attention(); });
}

}  // namespace

bool is_computed_when_read(const AttentionProblem& problem, Stage stage) {
  const bool of_maps = stage_info(stage).place == StagePlace::Attention || stage == Stage::Concat;
  if (!of_maps && (stage != Stage::Projected || goes_on(problem))) return false;
  return given_tensor(problem, stage) == nullptr && !keeps_maps(problem);
}

std::vector<StoredStage> stored_stages(const AttentionProblem& problem) {
  const AttentionShape& s = problem.shape;
  std::vector<StoredStage> stored;
  for (const AttentionPartInfo& earlier : attentions_of(problem)) {
    if (earlier.part == problem.part) break;
    stored = stored_stages(attended(problem, earlier.part));
    std::erase_if(stored, [](const StoredStage& at) {
      return stage_info(at.stage).around_attention();  // once, below
    });
  }
  for (const Stage stage : stages_of(problem)) {
    if (given_tensor(problem, stage) != nullptr || stage == Stage::Concat) continue;
    if (is_computed_when_read(problem, stage)) continue;
    const bool of_keys = stage_info(stage).rows_are_keys();
    const std::size_t heads = !stage_info(stage).per_head ? 1 : of_keys ? s.kv_heads : s.heads;
    const StageShape shape = stage_shape(s, stage);
    stored.push_back(
        {stage, element_count({layers_of(s, stage), s.samples, heads, shape.rows, shape.cols})});
  }
  return stored;
}

namespace {

// Where maps are computed when they are read: a norm of each row, and keys and values laid out for
// products.
std::uint64_t bytes_behind_maps(const AttentionProblem& problem) {
  constexpr std::size_t kNormBytes = 17;
  if (keeps_maps(problem)) return 0;
  const AttentionShape& s = problem.shape;
  return saturating_sum(
      element_count({s.layers, s.samples, s.heads, s.n_q, kNormBytes}),
      element_count({s.layers, s.samples, s.kv_heads, s.n_k, s.d_k + s.d_v, sizeof(float)}));
}

}  // namespace

std::uint64_t kept_bytes(const AttentionProblem& problem) {
  std::uint64_t bytes = bytes_behind_maps(problem);
  for (const StoredStage& stored : stored_stages(problem)) {
    bytes = saturating_sum(bytes, saturating_product(stored.elements, sizeof(float)));
  }
  return bytes;
}

std::uint64_t predicted_bytes(const AttentionProblem& problem) {
  return saturating_sum(kept_bytes(problem), has_influence(problem) ? influence_bytes(problem) : 0);
}

std::uint64_t laid_out_bytes(const AttentionProblem& problem) {
  if (!makes_projections(problem)) return 0;
  const AttentionShape& s = problem.shape;
  const std::uint64_t network = element_count({s.d_model, s.d_ff});
  const bool gated = std::ranges::count(stages_of(problem), Stage::Gate) > 0;
  const std::uint64_t elements = std::max(
      {element_count({s.d_model, s.heads, query_columns(s)}),
       element_count({key_embedding_columns(s), s.kv_heads, s.d_k}),
       element_count({value_embedding_columns(s), s.kv_heads, s.d_v}),
       element_count({s.heads, s.d_v, s.d_out}), saturating_product(network, gated ? 3 : 2)});
  return saturating_product(elements, sizeof(float));
}

std::uint64_t scored_multiply_adds(ScoringFunction function, const AttentionShape& s) {
  const std::size_t d_q = query_columns(s);
  const ScoringCost score = scoring_info(function).cost({d_q, s.d_k, s.n_k, s.d_a});
  const std::uint64_t parts[] = {
      element_count({s.samples, s.heads, s.n_q, s.n_k, score.cell + s.d_v}),
      element_count({s.samples, s.heads, s.n_q, score.query}),
      element_count({s.samples, s.heads, s.n_k, score.key}),
  };
  std::uint64_t sum = 0;
  for (const std::uint64_t part : parts) sum = saturating_sum(sum, part);
  return saturating_product(sum, s.layers);
}

std::uint64_t predicted_multiply_adds(ScoringFunction function, const AttentionShape& s) {
  const std::uint64_t parts[] = {
      element_count({s.samples, s.n_q, s.d_model, s.heads, query_columns(s)}),
      element_count({s.samples, s.n_k, key_embedding_columns(s), s.kv_heads, s.d_k}),
      element_count({s.samples, s.n_k, value_embedding_columns(s), s.kv_heads, s.d_v}),
      element_count({s.samples, s.n_q, s.heads, s.d_v, s.d_out}),
  };
  std::uint64_t sum = element_count({s.samples, s.n_q, s.d_model, s.d_ff, 2});
  for (const std::uint64_t part : parts) sum = saturating_sum(sum, part);
  return saturating_sum(scored_multiply_adds(function, s), saturating_product(sum, s.layers));
}

std::uint64_t attention_multiply_adds(const AttentionProblem& problem) {
  return predicted_multiply_adds(problem.scoring.function, problem.shape);
}

std::uint64_t predicted_multiply_adds(const AttentionProblem& problem) {
  std::uint64_t sum = kind_of(problem).multiply_adds(problem);
  for (const AttentionPartInfo& earlier : attentions_of(problem)) {
    if (earlier.part == problem.part) break;
    AttentionShape shape = shape_of(problem, earlier.part);
    shape.d_ff = 0;  // the network runs once
    sum = saturating_sum(sum, predicted_multiply_adds(problem.scoring.function, shape));
  }
  return sum;
}

std::uint64_t computing_multiply_adds(const AttentionProblem& problem) {
  return saturating_sum(predicted_multiply_adds(problem),
                        has_influence(problem) ? influence_multiply_adds(problem) : 0);
}

bool has_influence(const AttentionProblem& problem) {
  return kind_of(problem).derivatives != nullptr &&
         influence_multiply_adds(problem) <= problem.most_influence_steps;
}

std::uint64_t influence_bytes(const AttentionProblem& problem) {
  const ProblemKind& kind = kind_of(problem);
  return kind.derivatives == nullptr ? 0 : kind.derivative_bytes(problem);
}

std::uint64_t influence_multiply_adds(const AttentionProblem& problem) {
  const ProblemKind& kind = kind_of(problem);
  return kind.derivatives == nullptr ? 0 : kind.derivatives(problem);
}

}  // namespace attn
