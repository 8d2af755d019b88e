// Given queries, keys and values: extents, list of tensors and checks.
#include "kinds/given_qkv/model.h"

namespace attn {

const KindInfo GivenQkv::kInfo{
    .name = "qkv",
    .label = "Q, K and V",
    .sentence = "Queries, keys and values of every head as they are",
    .problems = &kQkvProblems,
    .numbers = [](const AttentionShape& s) {
      return saturating_sum({element_count({s.samples, s.heads, s.n_q, query_columns(s)}),
                             element_count({s.samples, s.kv_heads, s.n_k, s.d_k + s.d_v})});
    }};

AttentionShape shape_of(const GivenQkv& model) {
  const std::size_t rank = model.q.rank();
  AttentionShape shape;
  shape.samples = rank == 4 ? model.q.extent(0) : 1;
  shape.heads = rank >= 3 ? model.q.extent(rank - 3) : 1;
  shape.kv_heads = rank >= 3 ? model.k.extent(rank - 3) : 1;
  shape.n_q = model.q.extent(rank - 2);
  shape.n_k = model.k.extent(rank - 2);
  shape.d_k = model.k.extent(rank - 1);
  shape.d_v = model.v.extent(rank - 1);
  const std::size_t d_q = model.q.extent(rank - 1);
  shape.d_q = d_q == shape.d_k ? 0 : d_q;
  return shape;
}

TensorList tensors_of(const GivenQkv& model, const AttentionShape& shape) {
  TensorList list;
  const auto add = [&](const Tensor& tensor, const char* name, const char* label, StageRole role,
                       Extent heads, Extent rows, Extent columns) {
    std::vector<TensorAxis> axes = axes_of(shape, {rows, columns});
    if (tensor.rank() >= 3) axes.insert(axes.begin(), axis_of(shape, heads));
    if (tensor.rank() == 4) axes.insert(axes.begin(), axis_of(shape, Extent::Samples));
    const std::string path = "/" + std::string(name);
    list.push_back({&tensor, path, name, label, role, TensorUse::Input, std::move(axes)});
  };
  add(model.q, "q", "Q", StageRole::Query, Extent::Heads, Extent::Queries, Extent::QueryWidth);
  add(model.k, "k", "K", StageRole::Key, Extent::KeyHeads, Extent::Keys, Extent::KeyWidth);
  add(model.v, "v", "V", StageRole::Value, Extent::KeyHeads, Extent::Keys, Extent::ValueWidth);
  return list;
}

void check(Findings& findings, const GivenQkv& input, const Surroundings& around) {
  rank_between(findings, input.q, "/q", 2, 4);
  rank_between(findings, input.k, "/k", 2, 4);
  rank_between(findings, input.v, "/v", 2, 4);
  if (!findings.none()) return;
  const std::size_t rank = input.q.rank();
  rank_between(findings, input.k, "/k", rank, rank, ", as q has");
  rank_between(findings, input.v, "/v", rank, rank, ", as q has");
  if (!findings.none()) return;
  if (rank == 4) {
    same_count(findings, "/k", "sample", input.k.extent(0), input.q.extent(0), "q");
    same_count(findings, "/v", "sample", input.v.extent(0), input.q.extent(0), "q");
  }
  const std::size_t heads = extent_from_end(input.q, 3);
  const std::size_t kv_heads = extent_from_end(input.k, 3);
  findings.require(heads % kv_heads == 0, "/k", "the key-value heads do not divide the query heads",
                   counted(kv_heads, "head"), "a divisor of " + counted(heads, "query head"));
  same_count(findings, "/v", "head", extent_from_end(input.v, 3), kv_heads, "k");
  same_count(findings, "/v", "row", extent_from_end(input.v, 2), extent_from_end(input.k, 2), "k");
  if (scoring_info(around.function).needs_equal_widths) {
    same_count(findings, "/k", "column", extent_from_end(input.k, 1), extent_from_end(input.q, 1),
               "q");
  }
}

void put_into(AttentionProblem& problem, const GivenQkv& model) {
  const AttentionShape& s = problem.shape;
  problem.kind = &kQkvProblems;
  problem.q = model.q.reshaped({s.samples, s.heads, s.n_q, query_columns(s)});
  problem.k = model.k.reshaped({s.samples, s.kv_heads, s.n_k, s.d_k});
  problem.v = model.v.reshaped({s.samples, s.kv_heads, s.n_k, s.d_v});
}

}  // namespace attn
