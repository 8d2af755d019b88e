// Embeddings, projections and blocks being put together.
#include <algorithm>
#include <utility>

#include "document/draft.h"
#include "document/generate.h"

namespace attn {
namespace {

bool set_embeddings(Draft& draft, Embeddings& input) {
  DocumentFields& f = draft.fields;
  if (f.query_embeddings.has_value() != f.key_embeddings.has_value()) {
    const bool query = f.query_embeddings.has_value();
    return draft.refuse(query ? "/query_embeddings" : "/key_embeddings",
                        "cross-attention needs embeddings of both sides",
                        query ? "no key_embeddings" : "no query_embeddings",
                        "query_embeddings and key_embeddings",
                        "for self-attention write embeddings");
  }
  if (!f.embeddings && !f.query_embeddings) {
    return draft.refuse("/value_embeddings", "value_embeddings do not stand alone",
                        "no other embeddings",
                        "embeddings, or query_embeddings and key_embeddings");
  }
  input.query = std::move(f.embeddings ? *f.embeddings : *f.query_embeddings);
  if (f.key_embeddings) input.key = std::move(*f.key_embeddings);
  if (f.value_embeddings) input.value = std::move(*f.value_embeddings);
  draft.form_text = "Embeddings of depth " + std::to_string(input.query.rank());
  if (!f.d_model || *f.d_model == input.query.shape().back()) return true;
  return draft.refuse(
      "/d_model", "d_model does not fit the embeddings", std::to_string(*f.d_model),
      std::to_string(input.query.shape().back()) + ", the columns of the embeddings");
}

// Projections in one form: packed, stored as (inputs, outputs).

// (heads, in, d) to (in, heads · d).
Tensor packed(const Tensor& tensor) {
  const std::size_t heads = tensor.extent(0);
  const std::size_t rows = tensor.extent(1);
  const std::size_t cols = tensor.extent(2);
  std::vector<float> values(tensor.size());
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t row = 0; row < rows; ++row) {
      const float* from = tensor.data() + (head * rows + row) * cols;
      std::copy_n(from, cols, values.data() + (row * heads + head) * cols);
    }
  }
  return Tensor({rows, heads * cols}, std::move(values));
}

Tensor columns_of(const Tensor& tensor, std::size_t first, std::size_t count) {
  const std::size_t all = tensor.shape().back();
  std::vector<float> values;
  for (std::size_t row = 0; row < tensor.size() / all; ++row) {
    const auto begin = tensor.values().begin() + static_cast<std::ptrdiff_t>(row * all + first);
    values.insert(values.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  Shape shape = tensor.shape();
  shape.back() = count;
  return Tensor(std::move(shape), std::move(values));
}

// w_q, w_k and w_v from one matrix that has them side by side.
bool split_packed(Draft& draft, ProjectionFields& p, const std::string& place) {
  if (!p.w_qkv && !p.b_qkv) return true;
  const bool others = p.w_q || p.w_k || p.w_v;
  const bool other_biases = p.b_q || p.b_k || p.b_v;
  if ((p.w_qkv && others) || (p.b_qkv && other_biases)) {
    const bool weights = p.w_qkv && others;
    return draft.refuse(place + (weights ? "/w_qkv" : "/b_qkv"), "two keys exclude each other",
                        weights ? "w_qkv and w_q, w_k or w_v" : "b_qkv and b_q, b_k or b_v",
                        "one of them");
  }
  const std::size_t heads = draft.fields.heads.value_or(1);
  const std::size_t kv_heads = draft.fields.kv_heads.value_or(heads);
  const std::size_t parts = heads + 2 * kv_heads;
  const auto split = [&](std::optional<Tensor>& all, const std::string& name,
                         std::optional<Tensor>& q, std::optional<Tensor>& k,
                         std::optional<Tensor>& v) {
    if (!all) return true;
    const std::size_t columns = all->shape().back();
    if (columns % parts != 0) {
      return draft.refuse(
          place + "/" + name, "the columns cannot be shared equally", counted(columns, "column"),
          "a multiple of " + std::to_string(parts) + ", for " + counted(heads, "head") +
              " of q and " + counted(kv_heads, "head") + " each of k and v");
    }
    const std::size_t width = columns / parts;
    q = columns_of(*all, 0, heads * width);
    k = columns_of(*all, heads * width, kv_heads * width);
    v = columns_of(*all, (heads + kv_heads) * width, kv_heads * width);
    return true;
  };
  return split(p.w_qkv, "w_qkv", p.w_q, p.w_k, p.w_v) &&
         split(p.b_qkv, "b_qkv", p.b_q, p.b_k, p.b_v);
}

// Matrices of depth 3 have one matrix per head, which says how many heads there are; biases of
// depth 2 likewise.
bool pack_heads(Draft& draft, ProjectionFields& p, const std::string& place) {
  struct PerHead {
    const char* name;
    std::optional<Tensor>* tensor;
    std::size_t rank;
    std::optional<std::uint64_t>* heads;
  };
  DocumentFields& f = draft.fields;
  const PerHead all[] = {{"w_q", &p.w_q, 3, &f.heads},    {"w_k", &p.w_k, 3, &f.kv_heads},
                         {"w_v", &p.w_v, 3, &f.kv_heads}, {"w_o", &p.w_o, 3, &f.heads},
                         {"b_q", &p.b_q, 2, &f.heads},    {"b_k", &p.b_k, 2, &f.kv_heads},
                         {"b_v", &p.b_v, 2, &f.kv_heads}};
  for (const auto& [name, tensor, rank, heads] : all) {
    if (!*tensor || (*tensor)->rank() != rank) continue;
    const std::size_t found = (*tensor)->extent(0);
    if (*heads && **heads != found) {
      return draft.refuse(place + "/" + name, std::string(name) + " has not one part for each head",
                          counted(found, "part"), std::to_string(**heads));
    }
    *heads = found;
  }
  for (std::optional<Tensor>* matrix : {&p.w_q, &p.w_k, &p.w_v}) {
    if (*matrix && (*matrix)->rank() == 3) *matrix = packed(**matrix);
  }
  if (p.w_o && p.w_o->rank() == 3) {
    p.w_o = p.w_o->reshaped({p.w_o->extent(0) * p.w_o->extent(1), p.w_o->extent(2)});
  }
  for (std::optional<Tensor>* bias : {&p.b_q, &p.b_k, &p.b_v}) {
    if (*bias && (*bias)->rank() == 2) *bias = (*bias)->reshaped({(*bias)->size()});
  }
  return true;
}

// `place`: where the text has them.
bool unify_projections(Draft& draft, ProjectionFields& p, const std::string& place) {
  if (p.out_in) {
    for (std::optional<Tensor>* matrix : {&p.w_q, &p.w_k, &p.w_v, &p.w_o, &p.w_qkv}) {
      if (*matrix) *matrix = transposed(**matrix);
    }
    const std::string note = "projections are given as (outputs, inputs) and turned round";
    if (std::ranges::find(draft.notes, note) == draft.notes.end()) draft.notes.push_back(note);
  }
  return pack_heads(draft, p, place) && split_packed(draft, p, place);
}

// All that the text has.
bool unify_projections(Draft& draft) {
  DocumentFields& f = draft.fields;
  if (f.projections && !unify_projections(draft, *f.projections, "/projections")) return false;
  for (std::size_t layer = 0; f.blocks && layer < f.blocks->size(); ++layer) {
    BlockFields& block = (*f.blocks)[layer];
    const std::string place = "/blocks/" + std::to_string(layer);
    if (!unify_projections(draft, block.projections, place + "/projections")) return false;
    if (block.cross_projections &&
        !unify_projections(draft, *block.cross_projections, place + "/cross_projections")) {
      return false;
    }
  }
  return true;
}

// The projections that say how wide embeddings of one side must be, if any do.
const ProjectionFields* first_projections(const DocumentFields& f, Side side, bool cross) {
  if (!f.blocks) return f.projections ? &*f.projections : nullptr;
  const BlockFields& block = f.blocks->front();
  if (side == Side::Query || !cross) return &block.projections;
  return block.cross_projections ? &*block.cross_projections : nullptr;
}

// Width of generated embeddings: as asked, as a given matrix wants it, or the default.
std::size_t width_for(const Draft& draft, Side side,
                      const std::optional<Tensor> ProjectionFields::*matrix) {
  const DocumentFields& f = draft.fields;
  const ProjectionFields* p = first_projections(f, side, draft.document.cross);
  if (p != nullptr && p->*matrix) return (p->*matrix)->extent(0);
  if (f.d_model) return *f.d_model;
  const std::size_t heads = f.heads.value_or(kDefaultHeads);
  return (kDefaultModelWidth / heads + (kDefaultModelWidth % heads == 0 ? 0 : 1)) * heads;
}

// What the user wrote that makes generated matrices as wide as they are.
std::string generated_width_pointer(const Draft& draft) {
  return draft.fields.d_model ? "/d_model" : draft.fields.heads ? "/heads" : "";
}

// One list for all samples stands for as many as the other side has.
TokenLists one_per_sample(const TokenLists& lists, std::size_t samples) {
  return lists.size() == samples ? lists : TokenLists(samples, lists.front());
}

bool generate_embeddings(Draft& draft, Embeddings& input) {
  const Document& document = draft.document;
  const bool recurrent = draft.fields.recurrent.has_value();
  const std::size_t query_width = recurrent ? recurrent_input_width(draft, Side::Query)
                                            : width_for(draft, Side::Query, &ProjectionFields::w_q);
  const std::size_t key_width = recurrent ? recurrent_input_width(draft, Side::Key)
                                          : width_for(draft, Side::Key, &ProjectionFields::w_k);
  const bool of_keys = recurrent || (draft.fields.blocks && document.cross);
  const std::size_t value_width =
      of_keys ? key_width : width_for(draft, Side::Key, &ProjectionFields::w_v);
  const TokenLists& key_lists = document.cross ? document.key_tokens : document.query_tokens;
  const std::size_t samples = std::max(document.query_tokens.size(), key_lists.size());
  if (std::min(document.query_tokens.size(), key_lists.size()) != 1 &&
      document.query_tokens.size() != key_lists.size()) {
    return draft.refuse("/key_tokens", "as many lists of tokens as samples are needed",
                        counted(key_lists.size(), "list"),
                        "1 or " + std::to_string(document.query_tokens.size()));
  }
  const std::size_t n_q = document.query_tokens.front().size();
  const std::size_t n_k = key_lists.front().size();
  if (!fits_memory(
          draft,
          {float_bytes({samples, n_q, query_width}), float_bytes({samples, n_k, key_width}),
           float_bytes({samples, n_k, value_width})},
          generated_width_pointer(draft), "generating the embeddings")) {
    return false;
  }
  const TokenLists queries = one_per_sample(document.query_tokens, samples);
  const TokenLists keys = one_per_sample(key_lists, samples);
  input.query = generated_embeddings(document.seed, queries, query_width);
  if (document.cross || key_width != query_width) {
    input.key = generated_embeddings(document.seed, keys, key_width);
  }
  if (value_width != key_width)
    input.value = generated_embeddings(document.seed, keys, value_width);
  draft.form_text = "Tokens only";
  draft.notes.push_back("embeddings are generated from the seed and the tokens");
  return true;
}

// Widths of one head, from the matrices that are given and the embeddings.
struct HeadPlan {
  std::size_t heads = 1, kv_heads = 1, d_k = 1, d_v = 1;
};

bool divide(Draft& draft, std::size_t columns, std::size_t heads, const std::string& what,
            std::size_t& width) {
  if (columns % heads == 0) {
    width = columns / heads;
    return true;
  }
  return draft.refuse(draft.fields.heads ? "/heads" : "",
                      "the columns cannot be shared equally among the heads",
                      counted(heads, "head"),
                      "a divisor of the " + std::to_string(columns) + " columns of " + what);
}

bool plan_heads(Draft& draft, std::size_t d_model, const ProjectionFields& p,
                const std::string& place, HeadPlan& plan) {
  const bool any_given = p.w_q || p.w_k || p.w_v || p.w_o;
  const bool even = d_model % kDefaultHeads == 0;
  const std::optional<std::uint64_t>& kv_heads = draft.fields.kv_heads;
  plan.heads = draft.fields.heads.value_or(any_given ? kv_heads.value_or(1)
                                           : even    ? kDefaultHeads
                                                     : 1);
  const std::string source = p.w_q ? "w_q" : p.w_k ? "w_k" : "the embeddings (d_model)";
  const std::size_t columns = p.w_q ? p.w_q->extent(1) : p.w_k ? p.w_k->extent(1) : d_model;
  if (!divide(draft, columns, plan.heads, source, plan.d_k)) return false;
  plan.kv_heads =
      p.w_k ? std::max<std::size_t>(1, p.w_k->extent(1) / plan.d_k) : kv_heads.value_or(plan.heads);
  if (p.w_k && kv_heads && *kv_heads * plan.d_k != p.w_k->extent(1)) {
    return draft.refuse(place + "/w_k", "w_k does not fit the key-value heads",
                        counted(p.w_k->extent(1), "column"),
                        std::to_string(plan.d_k) + " for each of " +
                            counted(*kv_heads, "key-value head") + ", as many as a head of q has");
  }
  if (!p.w_k && plan.heads % plan.kv_heads != 0) {
    return draft.refuse("/kv_heads", "the key-value heads do not divide the query heads",
                        counted(plan.kv_heads, "key-value head"),
                        "a divisor of " + counted(plan.heads, "query head"));
  }
  if (p.w_v) return divide(draft, p.w_v->extent(1), plan.kv_heads, "w_v", plan.d_v);
  plan.d_v = plan.d_k;
  return !p.w_o ||
         divide(draft, p.w_o->extent(0), plan.heads, "concat (the rows of w_o)", plan.d_v);
}

// Generates the tensors of the list that are needed and missing, if they fit.
bool generate_matrices(Draft& draft, const TensorList& list) {
  for (const TensorInfo& info : list) {
    if (!info.needed || info.is_there()) continue;
    const bool network = info.part == "feed-forward";
    if (!fits_memory(draft, {float_bytes(info.shape())},
                     network ? "/blocks" : generated_width_pointer(draft),
                     network ? "generating the networks" : "generating the projections")) {
      return false;
    }
  }
  for (std::string& name : generate_missing(list, draft.document.seed)) {
    draft.generated.push_back(std::move(name));
  }
  return true;
}

// The matrices that are given.
Projections taken(ProjectionFields p) {
  const auto take = [](std::optional<Tensor>& tensor) {
    return tensor ? std::move(*tensor) : Tensor();
  };
  return {take(p.w_q), take(p.w_k), take(p.w_v), take(p.w_o),
          take(p.b_q), take(p.b_k), take(p.b_v), take(p.b_o)};
}

// Adds the heads that are planned to a shape of embeddings.
void set_heads(AttentionShape& shape, const HeadPlan& plan) {
  shape.heads = plan.heads;
  shape.kv_heads = plan.kv_heads;
  shape.d_k = plan.d_k;
  shape.d_v = plan.d_v;
}

// Of a single layer.
bool set_layer(Draft& draft, Embeddings embeddings) {
  ProjectionFields p = draft.fields.projections.value_or(ProjectionFields{});
  AttentionShape shape = shape_of(embeddings);
  HeadPlan plan;
  if (!plan_heads(draft, shape.d_model, p, "/projections", plan)) return false;
  set_heads(shape, plan);
  shape.d_out = p.no_w_o ? 0 : shape.d_model;
  AttentionLayer layer{std::move(embeddings), plan.heads, taken(std::move(p))};
  if (!generate_matrices(draft, tensors_of(layer, shape))) return false;
  draft.document.model = std::move(layer);
  return true;
}

// Takes over what is given of a network.
FeedForward taken(FeedForwardFields& fields, const FeedForwardFields& first) {
  if (fields.out_in) {
    for (Tensor* matrix : {&fields.w_1, &fields.w_gate, &fields.w_2}) {
      if (!matrix->empty()) *matrix = transposed(*matrix);
    }
  }
  FeedForward network;
  network.activation =
      fields.activation.value_or(first.activation.value_or(FeedForward{}.activation));
  network.w_1 = std::move(fields.w_1);
  network.b_1 = std::move(fields.b_1);
  network.w_gate = std::move(fields.w_gate);
  network.b_gate = std::move(fields.b_gate);
  network.w_2 = std::move(fields.w_2);
  network.b_2 = std::move(fields.b_2);
  return network;
}

// Hidden units of a network, as its matrices have them or as the text asks.
std::size_t hidden_units_of(const FeedForward& network, const FeedForwardFields& fields,
                            const FeedForwardFields& first, std::size_t d_model) {
  if (!network.w_1.empty()) return network.w_1.extent(1);
  if (!network.w_2.empty()) return network.w_2.extent(0);
  return fields.d_ff.value_or(first.d_ff.value_or(4 * d_model));
}

// Whether all blocks after the first that the text leaves to be generated fit, if each takes
// `bytes`.
bool fit_memory(Draft& draft, const std::vector<BlockFields>& blocks, std::uint64_t bytes) {
  const auto left_out =
      std::count_if(blocks.begin() + 1, blocks.end(), [](const BlockFields& block) {
        return !block.projections.w_q && !block.projections.w_qkv && block.feed_forward.w_1.empty();
      });
  const std::uint64_t before = draft.generated_bytes;
  const std::uint64_t all = element_count({static_cast<std::size_t>(left_out), bytes});
  if (!fits_memory(draft, {all}, "/blocks", "generating the blocks")) return false;
  draft.generated_bytes = before;
  return true;
}

// Nothing of an attention to the keys may be given where there are none.
bool check_cross(Draft& draft, const BlockFields& fields, std::size_t layer) {
  const bool norm = !fields.cross_projections;
  if (norm && fields.cross_norm == Norm{}) return true;
  const std::string key = norm ? "cross_norm" : "cross_projections";
  return draft.refuse("/blocks/" + std::to_string(layer) + "/" + key,
                      "cross-attention needs a second sequence", key + " and one sequence",
                      "query_tokens and key_tokens, or query_embeddings and key_embeddings");
}

// Takes over what is given of a block and generates the rest. `shape`: of all blocks, but for the
// hidden units.
bool set_block(Draft& draft, std::size_t layer, AttentionShape shape, bool across,
               TransformerBlock& block) {
  BlockFields& fields = (*draft.fields.blocks)[layer];
  const FeedForwardFields& first = draft.fields.blocks->front().feed_forward;
  if (!across && !check_cross(draft, fields, layer)) return false;
  const std::string place = "/blocks/" + std::to_string(layer);
  const bool no_w_o = fields.projections.no_w_o;
  const bool no_cross_w_o = fields.cross_projections && fields.cross_projections->no_w_o;
  block.projections = taken(std::move(fields.projections));
  if (across) {
    ProjectionFields cross = std::move(fields.cross_projections).value_or(ProjectionFields{});
    block.cross = CrossAttention{taken(std::move(cross)), std::move(fields.cross_norm)};
  }
  block.attention_norm = std::move(fields.attention_norm);
  block.feed_forward_norm = std::move(fields.feed_forward_norm);
  block.feed_forward = taken(fields.feed_forward, first);
  shape.d_ff = hidden_units_of(block.feed_forward, fields.feed_forward, first, shape.d_model);
  TensorList list;
  list_block(list, block, shape, layer);
  std::erase_if(list, [&](const TensorInfo& info) {  // refused as absent, later
    return (no_w_o && info.path == place + "/projections/w_o") ||
           (no_cross_w_o && info.path == place + "/cross_projections/w_o");
  });
  if (!generate_matrices(draft, list)) return false;
  const std::optional<std::uint64_t>& asked = fields.feed_forward.d_ff;
  return !asked || *asked == shape.d_ff ||
         draft.refuse(place + "/feed_forward/d_ff", "d_ff does not fit the matrices of the network",
                      std::to_string(*asked), std::to_string(shape.d_ff));
}

bool set_blocks(Draft& draft, const Embeddings& embeddings, Stack& stack, std::size_t& heads) {
  std::vector<BlockFields>& blocks = *draft.fields.blocks;
  stack = draft.fields.stack;
  AttentionShape shape = shape_of(embeddings);
  HeadPlan plan;  // the first block's, for all of them
  if (!plan_heads(draft, shape.d_model, blocks.front().projections, "/blocks/0/projections", plan))
    return false;
  set_heads(shape, plan);
  heads = plan.heads;
  const std::uint64_t before = draft.generated_bytes;
  for (std::size_t layer = 0; layer < blocks.size(); ++layer) {
    if (layer == 1 && !fit_memory(draft, blocks, draft.generated_bytes - before)) return false;
    TransformerBlock& block = stack.blocks.emplace_back();
    if (!set_block(draft, layer, shape, !embeddings.key.empty(), block)) return false;
  }
  return true;
}

bool set_stack(Draft& draft, Embeddings embeddings) {
  Stack stack;
  std::size_t heads = 1;
  if (!set_blocks(draft, embeddings, stack, heads)) return false;
  if (is_decoder(stack)) {
    draft.document.model = DecoderStack{std::move(embeddings), heads, std::move(stack)};
  } else {
    draft.document.model = EncoderStack{std::move(embeddings), heads, std::move(stack)};
  }
  return true;
}

void note_generated(Draft& draft) {
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> named = draft.generated;
  if (named.empty()) return;
  const std::size_t more = named.size() > kMostNamed ? named.size() - kMostNamed : 0;
  named.resize(named.size() - more);
  draft.notes.push_back("generated from the seed: " + joined(named) +
                        (more > 0 ? " and " + std::to_string(more) + " more" : ""));
}

}  // namespace

Tensor transposed(const Tensor& tensor) {
  const std::size_t rows = tensor.extent(tensor.rank() - 2);
  const std::size_t cols = tensor.extent(tensor.rank() - 1);
  std::vector<float> values(tensor.size());
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const std::size_t matrix = i / (rows * cols);
    const std::size_t row = i / cols % rows;
    values[(matrix * cols + i % cols) * rows + row] = tensor[i];
  }
  Shape shape = tensor.shape();
  std::swap(shape[shape.size() - 2], shape[shape.size() - 1]);
  return Tensor(std::move(shape), std::move(values));
}

bool set_embedding_model(Draft& draft, bool tokens_only) {
  if (!unify_projections(draft) || !unify_recurrent(draft)) return false;
  Embeddings embeddings;
  const bool embedded =
      tokens_only ? generate_embeddings(draft, embeddings) : set_embeddings(draft, embeddings);
  if (!embedded) return false;
  const bool mapped = draft.fields.recurrent ? set_recurrent(draft, std::move(embeddings))
                      : draft.fields.blocks  ? set_stack(draft, std::move(embeddings))
                                             : set_layer(draft, std::move(embeddings));
  if (mapped) note_generated(draft);
  return mapped;
}

}  // namespace attn
