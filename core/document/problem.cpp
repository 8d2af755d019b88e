#include "document/problem.h"

#include "document/inconsistencies.h"

namespace attn {
namespace {

void set_input(AttentionProblem& problem, const QkvInput& input) {
  const AttentionShape& s = problem.shape;
  problem.source = AttentionProblem::Source::Qkv;
  problem.q = input.q.reshaped({s.samples, s.heads, s.n_q, query_columns(s)});
  problem.k = input.k.reshaped({s.samples, s.kv_heads, s.n_k, s.d_k});
  problem.v = input.v.reshaped({s.samples, s.kv_heads, s.n_k, s.d_v});
}

Tensor with_sample_axis(const Tensor& embeddings) {
  if (embeddings.rank() == 3) return embeddings;
  return embeddings.reshaped({1, embeddings.extent(0), embeddings.extent(1)});
}

void set_input(AttentionProblem& problem, const EmbeddingInput& input) {
  const Tensor& key = input.key.empty() ? input.query : input.key;
  const Tensor& value = input.value.empty() ? key : input.value;
  problem.source = AttentionProblem::Source::Embeddings;
  problem.query_embeddings = with_sample_axis(input.query);
  problem.key_embeddings = with_sample_axis(key);
  problem.value_embeddings = with_sample_axis(value);
  problem.projections = input.projections;
  problem.stack = input.stack;
  if (!input.recurrent) return;
  problem.source = AttentionProblem::Source::Recurrent;
  problem.recurrent = *input.recurrent;
}

void set_input(AttentionProblem& problem, const WeightsInput& input) {
  const AttentionShape& s = problem.shape;
  problem.source = AttentionProblem::Source::Weights;
  problem.weights = input.weights.reshaped({s.layers, s.samples, s.heads, s.n_q, s.n_k});
}

}  // namespace

Status check(const Document& document) {
  std::vector<Error> errors = inconsistencies(document);
  if (!errors.empty()) return std::move(errors.front());
  return ok_status();
}

AttentionProblem make_problem(const Document& document) {
  AttentionProblem problem;
  problem.shape = shape_of(document);
  problem.cross = document.cross;
  problem.scoring = document.scoring;
  problem.mask = with_slopes(document.mask, problem.shape.heads);
  problem.self_mask = with_slopes(document.self_mask, problem.shape.heads);
  problem.position = document.position;
  std::visit([&](const auto& input) { set_input(problem, input); }, document.input);
  return problem;
}

}  // namespace attn
