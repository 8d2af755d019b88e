// Conversion of projections to one form, and generation of missing tensors.
#include <algorithm>
#include <span>
#include <utility>

#include "base/number_text.h"
#include "document/axes.h"
#include "document/draft/draft.h"
#include "document/generate.h"
#include "document/tensors/matrix_parts.h"
#include "engine/compute.h"

namespace attn {
namespace {

// --- the order of the axes

// Positions of the axes of heads, inputs and outputs, by the order; those of w_qkv may have their
// own heads.
constexpr std::size_t kPlaces[][4] = {{0, 1, 2, 3}, {1, 0, 2, 3}, {0, 2, 1, 3}};

// A matrix that multiplies embeddings of width `width`; 0: its number of rows.
struct Kernel {
  std::string name;
  Tensor* tensor;
  std::size_t width;
};

std::size_t given_width(const DocumentText& text, StageRole role) {
  Tensor rows = text.embeddings.empty() ? text.query_embeddings : text.embeddings;
  if (role != StageRole::Query && !text.key_embeddings.empty()) rows = text.key_embeddings;
  if (role == StageRole::Value && !text.value_embeddings.empty()) rows = text.value_embeddings;
  if (!rows.empty()) return rows.shape().back();
  return role == StageRole::Query ? text.d_model.value_or(0) : 0;
}

// True if both orders are one for the tensor: without an axis of heads, (inputs, heads, outputs) is
// (inputs, outputs).
bool are_same(const Tensor& tensor, MatrixOrder one, MatrixOrder other) {
  const bool turned = (one == MatrixOrder::OutIn) != (other == MatrixOrder::OutIn);
  return one == other || tensor.size() == 1 || (tensor.rank() == 2 && !turned);
}

bool fits(const Kernel& kernel, MatrixOrder order) {
  const std::size_t* const places = kPlaces[static_cast<std::size_t>(order)];
  Shape shape = kernel.tensor->shape();
  const bool has_heads = shape.size() > 2;
  if (!has_heads) shape.insert(shape.begin() + (order == MatrixOrder::InHeadsOut ? 1 : 0), 1);
  const std::size_t inputs = shape[places[1]];
  if (kernel.width != 0 && inputs != kernel.width) return false;
  if (shape.size() == 4 && order == MatrixOrder::OutIn) return false;
  if (kernel.name != "w_qkv") return true;
  if (has_heads) return shape[places[0]] == 3;
  return kernel.width != 0 || inputs != 3 * shape[places[2]];
}

// A note on the order in which a matrix is read, if it is not that of documents or if other orders
// fit too; else "".
std::string note_on(const Kernel& kernel, MatrixOrder taken,
                    const std::vector<MatrixOrder>& orders) {
  const auto named = [](MatrixOrder order) {
    return std::string(kProjectionOrders[static_cast<std::size_t>(order)].name);
  };
  std::string also;
  for (const MatrixOrder order : orders) {
    if (!are_same(*kernel.tensor, order, taken))
      also += "; the order " + named(order) + " fits as well";
  }
  if (also.empty() && are_same(*kernel.tensor, taken, MatrixOrder::InOut)) return "";
  return kernel.name + " " + shape_text(kernel.tensor->shape()) + " is read in the order " +
         named(taken) + (taken == MatrixOrder::InOut ? "" : " and transposed") +
         (kernel.width == 0 ? "" : ", for embeddings of " + counted(kernel.width, "column")) + also;
}

// Exchanges the axes that documents have in another order.
void put_in_order(Tensor& tensor, MatrixOrder order) {
  if (are_same(tensor, order, MatrixOrder::InOut)) return;
  const std::span places = kPlaces[static_cast<std::size_t>(order)];
  tensor =
      tensor.rank() == 2 ? turned(tensor) : with_sorted_axes(tensor, places.first(tensor.rank()));
}

// Puts the axes into the order of documents, (inputs, outputs) or (heads, inputs, outputs).
bool put_in_order(Draft& draft, ProjectionsText& p, const std::string& place,
                  const InputRoles& roles) {
  std::vector<Kernel> kernels{{"w_q", &p.w_q, given_width(draft.text, roles[0])},
                              {"w_k", &p.w_k, given_width(draft.text, roles[1])},
                              {"w_v", &p.w_v, given_width(draft.text, roles[2])},
                              {"w_qkv", &p.w_qkv, given_width(draft.text, roles[0])}};
  std::erase_if(kernels, [](const Kernel& kernel) { return kernel.tensor->empty(); });
  const bool are_by_head = p.w_q.rank() == 3 && p.w_o.rank() == 3;
  const auto fit_all = [&](MatrixOrder order) {
    const std::size_t of_heads = order == MatrixOrder::InHeadsOut ? 1 : 0;
    return (!are_by_head || p.w_q.extent(of_heads) == p.w_o.extent(0)) &&
           std::ranges::all_of(kernels, [&](const Kernel& kernel) { return fits(kernel, order); });
  };
  const bool fits_name = p.name_order && fit_all(*p.name_order);
  const std::optional<MatrixOrder> said = p.order     ? p.order
                                          : fits_name ? p.name_order
                                                      : std::nullopt;
  std::vector<MatrixOrder> orders;  // that fit, if none is given
  for (const auto& [name, order] : kProjectionOrders) {
    if (!said && fit_all(order)) orders.push_back(order);
  }
  const MatrixOrder taken = said.value_or(orders.empty() ? MatrixOrder::InOut : orders.front());
  for (const Kernel& kernel : kernels) {
    if (kernel.tensor->rank() == 2 || fits(kernel, taken)) continue;
    return draft.refuse(place + "/" + kernel.name, kernel.name + " does not fit the embeddings",
                        shape_text(kernel.tensor->shape()),
                        kernel.name == "w_qkv"
                            ? "3 parts, and as many inputs as the embeddings have columns"
                            : counted(kernel.width, "input"));
  }
  std::string note;  // on the first matrix that has one
  for (const Kernel& kernel : kernels) {
    if (note.empty()) note = note_on(kernel, taken, orders);
    put_in_order(*kernel.tensor, taken);
  }
  const bool is_new = !note.empty() && std::ranges::count(draft.notes, note) == 0;
  if (is_new) draft.notes.push_back(note);
  if (taken == MatrixOrder::OutIn) put_in_order(p.w_o, taken);
  return true;
}

// --- concatenated heads

// Converts (heads, in, d) to (in, heads · d), and (3, in, heads, d) to (3, in, heads · d).
Tensor packed(const Tensor& tensor) {
  constexpr std::size_t kAxes[] = {1, 0, 2, 3};
  return with_sorted_axes(tensor, std::span(kAxes).first(tensor.rank()))
      .reshaped({tensor.extent(1), tensor.size() / tensor.extent(1)});
}

// Splits a concatenation into w_q, w_k and w_v.
bool split_packed(Draft& draft, ProjectionsText& p, const std::string& place) {
  const auto given = [](auto&... tensors) { return (... || !tensors.empty()); };
  if (!given(p.w_qkv, p.b_qkv)) return true;
  const bool weights = given(p.w_qkv) && given(p.w_q, p.w_k, p.w_v);
  if (weights || (given(p.b_qkv) && given(p.b_q, p.b_k, p.b_v))) {
    return draft.refuse(place + (weights ? "/w_qkv" : "/b_qkv"), "two keys exclude each other",
                        weights ? "w_qkv and w_q, w_k or w_v" : "b_qkv and b_q, b_k or b_v",
                        "one of them");
  }
  const std::size_t heads = draft.text.heads.value_or(1);
  const std::size_t kv_heads = draft.text.kv_heads.value_or(heads);
  const std::size_t parts = heads + 2 * kv_heads;
  const auto split = [&](const Tensor& all, const std::string& name, Tensor& q, Tensor& k,
                         Tensor& v) {
    if (all.empty()) return true;
    const std::size_t columns = all.shape().back();
    if (columns % parts != 0) {
      return draft.refuse(
          place + "/" + name, "the columns cannot be divided equally", counted(columns, "column"),
          "a multiple of " + std::to_string(parts) + ", for " + counted(heads, "head") +
              " of q and " + counted(kv_heads, "head") + " each of k and v");
    }
    const std::size_t width = columns / parts;
    q = columns_of(all, {0, heads * width});
    k = columns_of(all, {heads * width, kv_heads * width});
    v = columns_of(all, {(heads + kv_heads) * width, kv_heads * width});
    return true;
  };
  return split(p.w_qkv, "w_qkv", p.w_q, p.w_k, p.w_v) &&
         split(p.b_qkv, "b_qkv", p.b_q, p.b_k, p.b_v);
}

// Matrices of depth 3 and biases of depth 2 have one entry per head, which determines the number of
// heads.
bool pack_heads(Draft& draft, ProjectionsText& p, const std::string& place) {
  struct PerHead {
    const char* name;
    Tensor& tensor;
    std::size_t rank;
    std::optional<std::uint64_t>& heads;
    std::size_t axis = 0;  // of heads
  };
  DocumentText& text = draft.text;
  const PerHead all[] = {{"w_q", p.w_q, 3, text.heads},    {"w_k", p.w_k, 3, text.kv_heads},
                         {"w_v", p.w_v, 3, text.kv_heads}, {"w_o", p.w_o, 3, text.heads},
                         {"b_q", p.b_q, 2, text.heads},    {"b_k", p.b_k, 2, text.kv_heads},
                         {"b_v", p.b_v, 2, text.kv_heads}, {"w_qkv", p.w_qkv, 4, text.heads, 2}};
  std::string of_heads = "the document's heads", of_kv_heads = "its kv_heads";
  for (const PerHead& one : all) {
    if (one.tensor.rank() != one.rank) continue;
    const std::size_t found = one.tensor.extent(one.axis);
    std::string& first = &one.heads == &text.heads ? of_heads : of_kv_heads;
    const std::string name = one.name + (" " + shape_text(one.tensor.shape()));
    if (one.heads && *one.heads != found) {
      return draft.refuse(
          place + "/" + one.name, std::string(one.name) + " does not have one part per head",
          counted(found, "part") + ", as " + name, std::to_string(*one.heads) + ", as " + first);
    }
    if (!one.heads) first = name;
    one.heads = found;
  }
  for (Tensor* matrix : {&p.w_q, &p.w_k, &p.w_v, &p.w_qkv}) {
    if (matrix->rank() > 2) *matrix = packed(*matrix);
  }
  if (p.w_o.rank() == 3) {
    p.w_o = p.w_o.reshaped({p.w_o.extent(0) * p.w_o.extent(1), p.w_o.extent(2)});
  }
  for (Tensor* bias : {&p.b_q, &p.b_k, &p.b_v, &p.b_qkv}) {
    if (bias->rank() > 1) *bias = bias->reshaped({bias->size()});
  }
  return true;
}

bool divide(Draft& draft, std::size_t columns, std::size_t heads, const std::string& what,
            std::size_t& width) {
  if (columns % heads == 0) {
    width = columns / heads;
    return true;
  }
  return draft.refuse(draft.text.heads ? "/heads" : "",
                      "the columns cannot be divided equally among the heads",
                      counted(heads, "head"),
                      "a divisor of the " + std::to_string(columns) + " columns of " + what);
}

}  // namespace

bool unify_projections(Draft& draft, ProjectionsText& p, const std::string& place,
                       const InputRoles& roles) {
  return put_in_order(draft, p, place, roles) && pack_heads(draft, p, place) &&
         split_packed(draft, p, place);
}

bool plan_heads(Draft& draft, const ProjectionsText& p, const std::string& place,
                AttentionShape& shape) {
  const bool has_q = !p.w_q.empty(), has_k = !p.w_k.empty();
  const bool has_v = !p.w_v.empty(), has_o = !p.w_o.empty();
  const bool even = shape.d_model % kDefaultHeads == 0;
  const std::optional<std::uint64_t>& kv_heads = draft.text.kv_heads;
  shape.heads = draft.text.heads.value_or(has_q || has_k || has_v || has_o ? kv_heads.value_or(1)
                                          : even                           ? kDefaultHeads
                                                                           : 1);
  const std::string source = has_q ? "w_q" : has_k ? "w_k" : "the embeddings (d_model)";
  const std::size_t columns = has_q ? p.w_q.extent(1) : has_k ? p.w_k.extent(1) : shape.d_model;
  if (!divide(draft, columns, shape.heads, source, shape.d_k)) return false;
  shape.kv_heads = has_k ? std::max<std::size_t>(1, p.w_k.extent(1) / shape.d_k)
                         : kv_heads.value_or(shape.heads);
  if (has_k && kv_heads && *kv_heads * shape.d_k != p.w_k.extent(1)) {
    return draft.refuse(place + "/w_k", "w_k does not fit the key-value heads",
                        counted(p.w_k.extent(1), "column"),
                        std::to_string(shape.d_k) + " for each of " +
                            counted(*kv_heads, "key-value head") + ", as many as a head of q has");
  }
  if (!has_k && shape.heads % shape.kv_heads != 0) {
    return draft.refuse("/kv_heads", "the key-value heads do not divide the query heads",
                        counted(shape.kv_heads, "key-value head"),
                        "a divisor of " + counted(shape.heads, "query head"));
  }
  if (has_v) return divide(draft, p.w_v.extent(1), shape.kv_heads, "w_v", shape.d_v);
  shape.d_v = shape.d_k;
  return !has_o ||
         divide(draft, p.w_o.extent(0), shape.heads, "concat (the rows of w_o)", shape.d_v);
}

bool generate_matrices(Draft& draft, const TensorList& list) {
  std::uint64_t numbers = 0;
  for (const TensorInfo& info : list) {
    if (!info.needed || info.is_there()) continue;
    numbers += element_count(info.shape());
    const bool network = info.part == "feed-forward";
    if (!fits_memory(draft, {float_bytes(info.shape())},
                     network ? "/blocks" : generated_width_pointer(draft),
                     network ? "generating the networks" : "generating the projections")) {
      return false;
    }
  }
  StepCount count(draft.progress, numbers);
  for (std::string& name : generate_missing(list, draft.document.seed, &count)) {
    draft.generated.push_back(std::move(name));
  }
  if (count.add(0)) return true;
  draft.errors.push_back(stopped());
  return false;
}

std::string generated_width_pointer(const Draft& draft) {
  return draft.text.d_model ? "/d_model" : draft.text.heads ? "/heads" : "";
}

std::size_t input_width(const Draft& draft, const std::optional<ProjectionsText>& projections,
                        StageRole role) {
  const DocumentText& f = draft.text;
  Tensor Projections::*const matrix = role == StageRole::Query ? &Projections::w_q
                                      : role == StageRole::Key ? &Projections::w_k
                                                               : &Projections::w_v;
  if (projections && !((*projections).*matrix).empty()) return ((*projections).*matrix).extent(0);
  if (f.d_model) return *f.d_model;
  const std::size_t heads = f.heads.value_or(kDefaultHeads);
  return (kDefaultModelWidth / heads + (kDefaultModelWidth % heads == 0 ? 0 : 1)) * heads;
}

bool unify_layer(Draft& draft) {
  std::optional<ProjectionsText>& projections = draft.text.projections;
  return !projections || unify_projections(draft, *projections, "/projections",
                                           {StageRole::Query, StageRole::Key, StageRole::Value});
}

std::size_t layer_input_width(const Draft& draft, StageRole role) {
  return input_width(draft, draft.text.projections, role);
}

bool set_layer(Draft& draft, Embeddings embeddings) {
  ProjectionsText p = draft.text.projections.value_or(ProjectionsText{});
  AttentionShape shape = shape_of(embeddings);
  if (!plan_heads(draft, p, "/projections", shape)) return false;
  shape.d_out = p.no_w_o ? 0 : shape.d_model;
  AttentionLayer layer{std::move(embeddings), shape.heads, std::move(p)};
  if (!generate_matrices(draft, layer.tensors(shape))) return false;
  draft.document.model = std::move(layer);
  return true;
}

}  // namespace attn
