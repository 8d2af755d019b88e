// From a document to what the mathematics needs.
#include "document/problem.h"

#include <utility>

#include "document/inconsistencies.h"

namespace attn {
namespace {

using Source = AttentionProblem::Source;

void set_input(AttentionProblem& problem, const GivenQkv& model) {
  const AttentionShape& s = problem.shape;
  problem.source = Source::Qkv;
  problem.q = model.q.reshaped({s.samples, s.heads, s.n_q, query_columns(s)});
  problem.k = model.k.reshaped({s.samples, s.kv_heads, s.n_k, s.d_k});
  problem.v = model.v.reshaped({s.samples, s.kv_heads, s.n_k, s.d_v});
}

void set_embeddings(AttentionProblem& problem, const Embeddings& embeddings) {
  Embeddings all = complete(embeddings);
  problem.source = Source::Embeddings;
  problem.query_embeddings = std::move(all.query);
  problem.key_embeddings = std::move(all.key);
  problem.value_embeddings = std::move(all.value);
}

void set_input(AttentionProblem& problem, const AttentionLayer& model) {
  set_embeddings(problem, model.embeddings);
  problem.projections = model.projections;
}

void set_input(AttentionProblem& problem, const EncoderStack& model) {
  set_embeddings(problem, model.embeddings);
  problem.stack = model.stack;
}

void set_input(AttentionProblem& problem, const DecoderStack& model) {
  set_embeddings(problem, model.embeddings);
  problem.stack = model.stack;
}

void set_input(AttentionProblem& problem, const RecurrentModel& model) {
  set_embeddings(problem, model.embeddings);
  problem.source = Source::Recurrent;
  problem.recurrent = model.recurrent;
}

void set_input(AttentionProblem& problem, const GivenWeights& model) {
  const AttentionShape& s = problem.shape;
  problem.source = Source::Weights;
  problem.weights = model.weights.reshaped({s.layers, s.samples, s.heads, s.n_q, s.n_k});
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
  std::visit([&](const auto& kind) { set_input(problem, kind); }, document.model);
  return problem;
}

}  // namespace attn
