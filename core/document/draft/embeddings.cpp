// Embeddings and the one layer that works on them, being put together.
#include <algorithm>
#include <utility>

#include "document/draft/projections.h"
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
