// One layer of attention: extents, list of tensors, checks and problem.
#include "kinds/layer/model.h"

namespace attn {

const KindInfo AttentionLayer::kInfo{
    .name = "layer",
    .label = "Layer",
    .sentence = "Embeddings, projected into heads in one layer",
    .projects = true,
    .problems = &kLayerProblems,
    .numbers = [](const AttentionShape& s) {
      return saturating_sum({numbers_of_embeddings(s), numbers_of_projections(s)});
    }};

AttentionShape AttentionLayer::shape() const {
  AttentionShape shape = shape_of(embeddings);
  set_head_extents(shape, projections, heads);
  return shape;
}

TensorList AttentionLayer::tensors(const AttentionShape& shape,
                                   std::optional<std::size_t> /*block*/) const {
  TensorList list;
  list_embeddings(list, embeddings, shape);
  list_projections(list, projections, shape, {.path = "/projections", .name = "", .label = ""});
  return list;
}

void AttentionLayer::check(Findings& findings, const Surroundings& around) const {
  if (!check_embeddings(findings, around, embeddings, heads)) return;
  check_projections(findings, projections, embeddings, heads, query_name_of(around, embeddings));
}

void AttentionLayer::put_into(AttentionProblem& problem) const {
  attn::put_into(problem, embeddings);
  problem.kind = &kLayerProblems;
  problem.projections = projections;
}

}  // namespace attn
