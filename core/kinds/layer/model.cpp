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

AttentionShape shape_of(const AttentionLayer& model) {
  AttentionShape shape = shape_of(model.embeddings);
  set_head_extents(shape, model.projections, model.heads);
  return shape;
}

TensorList tensors_of(const AttentionLayer& model, const AttentionShape& shape) {
  TensorList list;
  list_embeddings(list, model.embeddings, shape);
  list_projections(list, model.projections, shape,
                   {.path = "/projections", .name = "", .label = ""});
  return list;
}

void check(Findings& findings, const AttentionLayer& model, const Surroundings& around) {
  if (!check_embeddings(findings, around, model.embeddings, model.heads)) return;
  check_projections(findings, model.projections, model.embeddings, model.heads,
                    query_name_of(around, model.embeddings));
}

void put_into(AttentionProblem& problem, const AttentionLayer& model) {
  put_into(problem, model.embeddings);
  problem.kind = &kLayerProblems;
  problem.projections = model.projections;
}

}  // namespace attn
