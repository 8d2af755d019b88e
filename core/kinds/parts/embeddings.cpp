// Embeddings and projections as parts of a model: extents, list entries and checks.
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

void check_bias(Findings& findings, const Tensor& bias, const Tensor& matrix,
                const std::string& name) {
  if (bias.empty() || !rank_between(findings, bias, "/projections/b_" + name, 1, 1)) return;
  const std::string matrix_name = findings.spoken("w_" + name);
  if (!findings.require(!matrix.empty(), "/projections/b_" + name, "a bias without its matrix",
                        "b_" + name, "no bias where " + matrix_name + " is absent")) {
    return;
  }
  same_count(findings, "/projections/b_" + name, "number", bias.extent(0), matrix.extent(1),
             matrix_name);
}

// The weights of a norm of one head, or of all.
void check_head_norm(Findings& findings, const Tensor& norm, const Tensor& matrix,
                     const std::string& name, std::size_t d_k) {
  const std::string key = name + "_norm", place = "/projections/" + key;
  if (norm.empty() || !rank_between(findings, norm, place, 1, 1)) return;
  const std::size_t all = matrix.extent(1);
  findings.require(norm.size() == d_k || norm.size() == all, place,
                   "the norm is neither as wide as one head nor as all",
                   counted(norm.size(), "number"),
                   std::to_string(d_k) + ", or " + std::to_string(all) + " as w_" + name + " has");
}

void check_projection_rows(Findings& findings, const Tensor& matrix, const std::string& name,
                           std::size_t width, const std::string& other) {
  findings.require(matrix.extent(0) == width, "/projections/" + name,
                   "the matrix does not fit what it multiplies (it is stored as inputs × outputs)",
                   counted(matrix.extent(0), "row"),
                   std::to_string(width) + ", the columns of " + other);
}

void check_head_widths(Findings& findings, const Projections& p, std::size_t count) {
  const std::string heads = counted(count, "head");
  if (!findings.require(
          p.w_q.extent(1) % count == 0, "/heads",
          "the columns of " + findings.spoken("w_q") + " cannot be divided equally among the heads",
          heads,
          "a divisor of the " + counted(p.w_q.extent(1), "column") + " of " +
              findings.spoken("w_q"))) {
    return;
  }
  const std::size_t d_k = p.w_q.extent(1) / count;
  if (!findings.require(p.w_k.extent(1) % d_k == 0, "/projections/w_k",
                        "the columns of w_k are no whole number of heads",
                        counted(p.w_k.extent(1), "column"),
                        "a multiple of d_k = " + std::to_string(d_k))) {
    return;
  }
  const std::size_t kv_heads = p.w_k.extent(1) / d_k;
  if (!findings.require(kv_heads <= count && count % kv_heads == 0, "/projections/w_k",
                        "the key-value heads do not divide the query heads",
                        counted(kv_heads, "key-value head"),
                        "a divisor of " + counted(count, "query head"))) {
    return;
  }
  if (!findings.require(p.w_v.extent(1) % kv_heads == 0, "/projections/w_v",
                        "the columns of w_v cannot be divided equally among the key-value heads",
                        counted(p.w_v.extent(1), "column"),
                        "a multiple of " + std::to_string(kv_heads))) {
    return;
  }
  if (!p.w_o.empty()) {
    check_projection_rows(findings, p.w_o, "w_o", count * (p.w_v.extent(1) / kv_heads),
                          "the concatenated heads");
  }
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
  list_input(list, embeddings.query, embeddings.key.empty() ? "embeddings" : "query_embeddings",
             "X", StageRole::Query, shape, {Extent::Samples, Extent::Queries, Extent::ModelWidth});
  list_input(list, embeddings.key, "key_embeddings", "X_K", StageRole::Key, shape,
             {Extent::Samples, Extent::Keys, Extent::KeyInputWidth});
  list_input(list, embeddings.value, "value_embeddings", "X_V", StageRole::Value, shape,
             {Extent::Samples, Extent::Keys, Extent::ValueInputWidth});
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

void set_head_extents(AttentionShape& shape, const Projections& projections, std::size_t heads) {
  shape.heads = heads;
  shape.d_k = projections.w_q.extent(1) / heads;
  shape.kv_heads = projections.w_k.extent(1) / shape.d_k;
  shape.d_v = projections.w_v.extent(1) / shape.kv_heads;
  shape.d_out = projections.w_o.empty() ? 0 : projections.w_o.extent(1);
}

std::uint64_t numbers_of_projections(const AttentionShape& s) {
  return saturating_sum({element_count({s.d_model, s.heads, s.d_k}),
                         element_count({key_embedding_columns(s), s.kv_heads, s.d_k + s.d_v}),
                         element_count({s.heads, s.d_v, s.d_model})});
}

void list_projections(TensorList& list, const Projections& p, const AttentionShape& shape,
                      const ProjectionPlace& place) {
  const auto add = [&](const Tensor& tensor, const std::string& name, const std::string& label,
                       StageRole role, std::initializer_list<Extent> extents) {
    const bool matrix = extents.size() == 2;
    const Extent inputs = *extents.begin();
    const bool of_keys = inputs == Extent::KeyInputWidth || inputs == Extent::ValueInputWidth;
    list.push_back({&tensor, place.path + "/" + name, place.name + name, place.label + label, role,
                    matrix ? TensorUse::Matrix : TensorUse::Bias, axes_of(shape, extents),
                    place.part, place.block, of_keys ? Extent::Keys : Extent::Queries, matrix});
  };
  add(p.w_q, "w_q", "W_Q", StageRole::Query, {Extent::ModelWidth, Extent::AllQueryWidths});
  add(p.w_k, "w_k", "W_K", StageRole::Key, {place.key_rows, Extent::AllKeyWidths});
  add(p.w_v, "w_v", "W_V", StageRole::Value, {place.value_rows, Extent::AllValueWidths});
  add(p.w_o, "w_o", "W_O", StageRole::Output, {Extent::ConcatWidth, place.outputs});
  list.back().needed = extent_of(shape, place.outputs) > 0;
  add(p.b_q, "b_q", "b_Q", StageRole::Query, {Extent::AllQueryWidths});
  add(p.b_k, "b_k", "b_K", StageRole::Key, {Extent::AllKeyWidths});
  add(p.b_v, "b_v", "b_V", StageRole::Value, {Extent::AllValueWidths});
  add(p.b_o, "b_o", "b_O", StageRole::Output, {place.outputs});
  const auto add_norm = [&](const Tensor& weight, const std::string& name, const std::string& label,
                            StageRole role, Extent one, Extent all) {
    add(weight, name, label, role, {weight.size() > extent_of(shape, one) ? all : one});
    list.back().use = TensorUse::Norm;
  };
  add_norm(p.q_norm, "q_norm", "γ_Q", StageRole::Query, Extent::QueryWidth, Extent::AllQueryWidths);
  add_norm(p.k_norm, "k_norm", "γ_K", StageRole::Key, Extent::KeyWidth, Extent::AllKeyWidths);
}

void check_projections(Findings& findings, const Projections& p, const Embeddings& x,
                       std::size_t heads, const std::string& query_name) {
  const auto is_matrix = [&](const Tensor& tensor, const char* pointer) {
    return rank_between(findings, tensor, pointer, 2, 2);
  };
  const bool q = is_matrix(p.w_q, "/projections/w_q"), k = is_matrix(p.w_k, "/projections/w_k");
  const bool v = is_matrix(p.w_v, "/projections/w_v");
  const bool o = p.w_o.empty() || is_matrix(p.w_o, "/projections/w_o");
  if (!q || !k || !v || !o) return;
  const std::string key_name = x.key.empty() ? query_name : "key_embeddings";
  check_projection_rows(findings, p.w_q, "w_q", extent_from_end(x.query, 1), query_name);
  check_projection_rows(findings, p.w_k, "w_k", extent_from_end(x.keys(), 1), key_name);
  check_projection_rows(findings, p.w_v, "w_v", extent_from_end(x.values(), 1),
                        x.value.empty() ? key_name : "value_embeddings");
  check_bias(findings, p.b_q, p.w_q, "q");
  check_bias(findings, p.b_k, p.w_k, "k");
  check_bias(findings, p.b_v, p.w_v, "v");
  check_bias(findings, p.b_o, p.w_o, "o");
  check_head_widths(findings, p, heads);
  check_head_norm(findings, p.q_norm, p.w_q, "q", p.w_q.extent(1) / heads);
  check_head_norm(findings, p.k_norm, p.w_k, "k", p.w_q.extent(1) / heads);
}

}  // namespace attn
