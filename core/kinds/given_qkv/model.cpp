// Given queries, keys and values: extents, list of tensors and checks.
#include "kinds/given_qkv/model.h"

namespace attn {

const KindInfo GivenQkv::kInfo{
    .name = "qkv",
    .label = "Q, K and V",
    .sentence = "Q, K and V entered directly, per head",
    .problems = &kQkvProblems,
    .numbers = [](const AttentionShape& s) {
      return saturating_sum({element_count({s.samples, s.heads, s.n_q, query_columns(s)}),
                             element_count({s.samples, s.kv_heads, s.n_k, s.d_k + s.d_v})});
    }};

AttentionShape GivenQkv::shape() const {
  const std::size_t rank = q.rank();
  AttentionShape shape;
  shape.samples = rank == 4 ? q.extent(0) : 1;
  shape.heads = rank >= 3 ? q.extent(rank - 3) : 1;
  shape.kv_heads = rank >= 3 ? k.extent(rank - 3) : 1;
  shape.n_q = q.extent(rank - 2);
  shape.n_k = k.extent(rank - 2);
  shape.d_k = k.extent(rank - 1);
  shape.d_v = v.extent(rank - 1);
  const std::size_t d_q = q.extent(rank - 1);
  shape.d_q = d_q == shape.d_k ? 0 : d_q;
  return shape;
}

TensorList GivenQkv::tensors(const AttentionShape& shape,
                             std::optional<std::size_t> /*block*/) const {
  TensorList list;
  list_input(list, q, "q", "Q", StageRole::Query, shape,
             {Extent::Samples, Extent::Heads, Extent::Queries, Extent::QueryWidth});
  list_input(list, k, "k", "K", StageRole::Key, shape,
             {Extent::Samples, Extent::KeyHeads, Extent::Keys, Extent::KeyWidth});
  list_input(list, v, "v", "V", StageRole::Value, shape,
             {Extent::Samples, Extent::KeyHeads, Extent::Keys, Extent::ValueWidth});
  return list;
}

void GivenQkv::check(Findings& findings, const Surroundings& around) const {
  rank_between(findings, q, "/q", 2, 4);
  rank_between(findings, k, "/k", 2, 4);
  rank_between(findings, v, "/v", 2, 4);
  if (!findings.none()) return;
  const std::size_t rank = q.rank();
  rank_between(findings, k, "/k", rank, rank, ", as q has");
  rank_between(findings, v, "/v", rank, rank, ", as q has");
  if (!findings.none()) return;
  if (rank == 4) {
    same_count(findings, "/k", "sample", k.extent(0), q.extent(0), "q");
    same_count(findings, "/v", "sample", v.extent(0), q.extent(0), "q");
  }
  const std::size_t heads = extent_from_end(q, 3);
  const std::size_t kv_heads = extent_from_end(k, 3);
  findings.require(heads % kv_heads == 0, "/k", "the key-value heads do not divide the query heads",
                   counted(kv_heads, "head"), "a divisor of " + counted(heads, "query head"));
  same_count(findings, "/v", "head", extent_from_end(v, 3), kv_heads, "k");
  same_count(findings, "/v", "row", extent_from_end(v, 2), extent_from_end(k, 2), "k");
  if (scoring_info(around.function).needs_equal_widths) {
    same_count(findings, "/k", "column", extent_from_end(k, 1), extent_from_end(q, 1), "q");
  }
}

void GivenQkv::put_into(AttentionProblem& problem) const {
  const AttentionShape& s = problem.shape;
  problem.kind = &kQkvProblems;
  problem.q = q.reshaped({s.samples, s.heads, s.n_q, query_columns(s)});
  problem.k = k.reshaped({s.samples, s.kv_heads, s.n_k, s.d_k});
  problem.v = v.reshaped({s.samples, s.kv_heads, s.n_k, s.d_v});
}

}  // namespace attn
