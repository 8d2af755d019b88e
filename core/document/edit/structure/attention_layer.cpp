// One layer: it takes embeddings and projections from other kinds.
#include "document/edit/structure/attention_layer.h"

#include "attention/problem.h"
#include "document/edit/structure/refit.h"

namespace attn {
namespace {

constexpr std::string_view kFieldsOfLayer[] = {"heads",   "key_value_heads", "d_k",  "d_v",
                                               "d_model", "samples",         "cross"};

void remark_on_blocks(Rebuilding& rebuilding) {
  const AttentionShape& layout = rebuilding.layout;
  if (layout.d_ff == 0) return;
  rebuilding.remarks.sentences.push_back(
      layout.layers > 1 ? "The attention of block 1 is kept, without what is around it"
                        : "The attention of the block is kept, without what is around it");
}

Status adopt_layer(Rebuilding& rebuilding) {
  remark_on_blocks(rebuilding);
  AttentionLayer layer;
  layer.embeddings = kept_embeddings(rebuilding);
  layer.projections = kept_projections(rebuilding);
  rebuilding.layout.layers = 1;
  rebuilding.layout.d_ff = 0;
  if (layer.projections.w_q.empty()) rebuilding.layout.d_out = rebuilding.layout.d_model;
  rebuilding.document.model = std::move(layer);
  return ok_status();
}

AttentionShape target_of_layer(const Rebuilding& rebuilding) {
  AttentionShape target = embedded_target(rebuilding);
  const AttentionShape& layout = rebuilding.layout;
  const bool follows = layout.d_out == layout.d_model;
  if (!follows) target.d_out = layout.d_out;  // of a width of its own, or none
  return target;
}

void refit_layer(Rebuilding& rebuilding, const AttentionShape& target) {
  refit_embeddings(rebuilding, target);
  auto& layer = std::get<AttentionLayer>(rebuilding.document.model);
  layer.heads = target.heads;
  TensorList list;
  list_projections(list, layer.projections, target,
                   {.path = "/projections", .name = "", .label = ""});
  refit_tensors(rebuilding, list, target);
}

std::uint64_t numbers_of_layer(const AttentionShape& shape) {
  return saturating_sum(numbers_of_embeddings(shape), numbers_of_projections(shape));
}

}  // namespace

void outline_layer(AttentionProblem& problem) {
  problem.source = AttentionProblem::Source::Embeddings;
  problem.shape.d_ff = 0;
}

std::uint64_t numbers_of_embeddings(const AttentionShape& s) {
  return saturating_sum(element_count({s.samples, s.n_q, s.d_model}),
                        element_count({s.samples, s.n_k, key_embedding_columns(s)}));
}

std::uint64_t numbers_of_projections(const AttentionShape& s) {
  const std::uint64_t inputs =
      saturating_sum(element_count({s.d_model, s.heads, s.d_k}),
                     element_count({key_embedding_columns(s), s.kv_heads, s.d_k + s.d_v}));
  return saturating_sum(inputs, element_count({s.heads, s.d_v, s.d_model}));
}

const KindStructure kLayerStructure{
    {StructureKind::Layer, "layer", "Layer", "Embeddings, projected into heads in one layer"},
    kFieldsOfLayer,
    std::holds_alternative<AttentionLayer>,
    adopt_layer,
    target_of_layer,
    refit_layer,
    outline_layer,
    numbers_of_layer};

}  // namespace attn
