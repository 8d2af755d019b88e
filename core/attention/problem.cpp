#include "attention/problem.h"

#include <cmath>
#include <limits>

namespace attn {
namespace {

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
  if (problem.shape.d_k == 0) return 1.0F;
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(problem.shape.d_k)));
}

std::vector<StoredStage> stored_stages(const AttentionProblem& problem) {
  using Source = AttentionProblem::Source;
  if (problem.source == Source::Weights) return {};
  const AttentionShape& s = problem.shape;
  std::vector<StoredStage> stored;
  const auto add = [&](Stage stage, const Shape& shape) {
    stored.push_back({stage, element_count(shape)});
  };
  if (problem.source == Source::Embeddings) {
    add(Stage::Query, {s.samples, s.n_q, s.heads, s.d_k});
    add(Stage::Key, {s.samples, s.n_k, s.kv_heads, s.d_k});
    add(Stage::Value, {s.samples, s.n_k, s.kv_heads, s.d_v});
  }
  const Shape token_by_token{s.samples, s.heads, s.n_q, s.n_k};
  add(Stage::Scores, token_by_token);
  add(Stage::Scaled, token_by_token);
  if (problem.scoring.softcap) add(Stage::Softcapped, token_by_token);
  add(Stage::Masked, token_by_token);
  add(Stage::Weights, token_by_token);
  add(Stage::Output, {s.samples, s.n_q, s.heads, s.d_v});
  if (problem.source == Source::Embeddings && !problem.projections.w_o.empty()) {
    add(Stage::Projected, {s.samples, s.n_q, s.d_out});
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
  const std::uint64_t attention = element_count({s.samples, s.heads, s.n_q, s.n_k, s.d_k + s.d_v});
  const std::uint64_t queries = element_count({s.samples, s.n_q, s.d_model, s.heads, s.d_k});
  const std::uint64_t keys_and_values =
      element_count({s.samples, s.n_k, s.d_model, s.kv_heads, s.d_k + s.d_v});
  const std::uint64_t output = element_count({s.samples, s.n_q, s.heads, s.d_v, s.d_out});
  return saturating_sum(saturating_sum(attention, queries),
                        saturating_sum(keys_and_values, output));
}

}  // namespace attn
