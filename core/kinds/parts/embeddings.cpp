// Embeddings as part of a model: extents, list entries and checks.
#include "kinds/parts/embeddings.h"

namespace attn {
namespace {

std::size_t columns_of(const Tensor& embeddings) {
  return embeddings.extent(embeddings.rank() - 1);
}
std::size_t rows_of(const Tensor& embeddings) { return embeddings.extent(embeddings.rank() - 2); }

Tensor with_sample_axis(const Tensor& embeddings) {
  if (embeddings.rank() == 3) return embeddings;
  return embeddings.reshaped({1, embeddings.extent(0), embeddings.extent(1)});
}

}  // namespace

AttentionShape shape_of(const Embeddings& embeddings) {
  const std::size_t d_key = columns_of(embeddings.keys());
  const std::size_t d_value = columns_of(embeddings.values());
  AttentionShape shape;
  shape.samples = embeddings.query.rank() == 3 ? embeddings.query.extent(0) : 1;
  shape.n_q = rows_of(embeddings.query);
  shape.n_k = rows_of(embeddings.keys());
  shape.d_model = columns_of(embeddings.query);
  shape.key_width = d_key == shape.d_model ? 0 : d_key;
  shape.value_width = d_value == d_key ? 0 : d_value;
  return shape;
}

std::uint64_t numbers_of_embeddings(const AttentionShape& s) {
  return saturating_sum({element_count({s.samples, s.n_q, s.d_model}),
                         element_count({s.samples, s.n_k, key_embedding_columns(s)})});
}

void list_embeddings(TensorList& list, const Embeddings& embeddings, const AttentionShape& shape) {
  const auto add = [&](const Tensor& tensor, const std::string& name, const char* label,
                       StageRole role, Extent rows, Extent columns) {
    std::vector<TensorAxis> axes = axes_of(shape, {rows, columns});
    if (tensor.rank() == 3) axes.insert(axes.begin(), axis_of(shape, Extent::Samples));
    list.push_back({&tensor, "/" + name, name, label, role, TensorUse::Input, std::move(axes)});
  };
  add(embeddings.query, embeddings.key.empty() ? "embeddings" : "query_embeddings", "X",
      StageRole::Query, Extent::Queries, Extent::ModelWidth);
  add(embeddings.key, "key_embeddings", "X_K", StageRole::Key, Extent::Keys, Extent::KeyInputWidth);
  add(embeddings.value, "value_embeddings", "X_V", StageRole::Value, Extent::Keys,
      Extent::ValueInputWidth);
}

std::string query_name_of(const Surroundings& around, const Embeddings& embeddings) {
  const bool plain = !around.cross && embeddings.key.empty();
  return plain ? "embeddings" : "query_embeddings";
}

bool check_embeddings(Findings& findings, const Surroundings& around, const Embeddings& x,
                      std::size_t heads) {
  const std::string query_name = query_name_of(around, x);
  if (!rank_between(findings, x.query, "/" + query_name, 2, 3)) return false;
  const std::size_t rank = x.query.rank();
  const auto check_other = [&](const Tensor& tensor, const std::string& name) {
    if (tensor.empty() ||
        !rank_between(findings, tensor, "/" + name, rank, rank, ", as " + query_name + " has"))
      return;
    if (rank == 3) {
      same_count(findings, "/" + name, "sample", tensor.extent(0), x.query.extent(0), query_name);
    }
  };
  findings.require(!around.cross || !x.key.empty(), "/key_embeddings",
                   "cross-attention needs embeddings of both sides", "no key_embeddings",
                   "query_embeddings and key_embeddings");
  check_other(x.key, "key_embeddings");
  check_other(x.value, "value_embeddings");
  if (!findings.require(heads > 0, "/heads", "attention needs a head", "0", "at least 1") ||
      !findings.none()) {
    return false;
  }
  if (!x.value.empty()) {
    same_count(findings, "/value_embeddings", "row", extent_from_end(x.value, 2),
               extent_from_end(x.keys(), 2), x.key.empty() ? query_name : "key_embeddings");
  }
  return true;
}

void put_into(AttentionProblem& problem, const Embeddings& model) {
  problem.query_embeddings = with_sample_axis(model.query);
  problem.key_embeddings = with_sample_axis(model.keys());
  problem.value_embeddings = with_sample_axis(model.values());
}

}  // namespace attn
