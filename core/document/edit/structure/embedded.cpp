// What kinds that start from embeddings share, and one sequence as two or two as one.
#include <utility>

#include "document/edit/matching.h"
#include "document/edit/rearrange.h"
#include "document/edit/structure/refit.h"

namespace attn {
namespace {

Tensor at_full_depth(const Tensor& tensor, bool needed) {
  if (tensor.empty()) return needed ? Tensor({0, 0, 0}, {}) : Tensor();
  if (tensor.rank() == 3) return tensor;
  return tensor.reshaped({1, tensor.extent(0), tensor.extent(1)});
}

Tensor without_samples(const Tensor& tensor) {
  return tensor.empty() ? tensor : tensor.reshaped({tensor.extent(1), tensor.extent(2)});
}

}  // namespace

Embeddings kept_embeddings(Rebuilding& rebuilding) {
  if (const Embeddings* kept = embeddings_of(std::as_const(rebuilding.document.model))) {
    return *kept;
  }
  AttentionShape& layout = rebuilding.layout;
  layout.d_model = layout.key_width = layout.value_width = 0;
  return {};
}

Projections kept_projections(const Rebuilding& rebuilding) {
  return std::visit(
      [&](const auto& kind) {
        if constexpr (requires { kind.projections; }) {
          return kind.projections;
        } else {
          return first_block_projections(rebuilding.document.model, rebuilding.part);
        }
      },
      rebuilding.document.model);
}

AttentionShape embedded_target(const Rebuilding& rebuilding) {
  const Structure& wanted = rebuilding.wanted;
  const AttentionShape& layout = rebuilding.layout;
  const Embeddings& x = *embeddings_of(rebuilding.document.model);
  AttentionShape target = layout;
  target.layers = wanted.layers;
  target.samples = wanted.samples;
  target.heads = wanted.heads;
  target.kv_heads = wanted.key_value_heads;
  target.d_k = wanted.d_k;
  target.d_v = wanted.d_v;
  target.d_q = 0;
  target.d_model = wanted.d_model;
  target.d_out = wanted.d_model;
  // Those of a width of their own keep it.
  const std::size_t key_width = x.key.empty() ? 0 : layout.key_width;
  target.key_width = key_width == wanted.d_model ? 0 : key_width;
  const bool own_values = !x.value.empty() && layout.value_width != 0;
  const std::size_t values = own_values ? layout.value_width : 0;
  target.value_width = values == key_embedding_columns(target) ? 0 : values;
  return target;
}

namespace {

void lift_embeddings(Embeddings& embeddings, bool own_keys) {
  embeddings.query = at_full_depth(embeddings.query, true);
  embeddings.key = at_full_depth(embeddings.key, own_keys);
  embeddings.value = at_full_depth(embeddings.value, false);
}

void lower_embeddings(Embeddings& embeddings, const Rebuilding& rebuilding,
                      const AttentionShape& target) {
  const Embeddings* before = embeddings_of(rebuilding.before.model);
  const bool had_samples = before != nullptr && before->query.rank() == 3;
  if (target.samples > 1 || (had_samples && rebuilding.layout.samples == 1)) return;
  for (Tensor* tensor : {&embeddings.query, &embeddings.key, &embeddings.value}) {
    *tensor = without_samples(*tensor);
  }
}

}  // namespace

void refit_embeddings(Rebuilding& rebuilding, const AttentionShape& target) {
  Embeddings& embeddings = *embeddings_of(rebuilding.document.model);
  lift_embeddings(embeddings, rebuilding.document.cross);
  TensorList list;
  list_embeddings(list, embeddings, target);
  refit_tensors(rebuilding, list, target);
  lower_embeddings(embeddings, rebuilding, target);
}

void make_cross(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  document.cross = true;
  document.key_tokens = document.query_tokens;
  rebuilding.remarks.sentences.emplace_back("The keys begin as a copy of the queries' tokens");
  Embeddings* embeddings = embeddings_of(document.model);
  if (embeddings != nullptr && embeddings->key.empty()) embeddings->key = embeddings->query;
}

namespace {

// Positions of the keys as those of the queries: those of the same tokens.
Rearrangement keys_as_queries(const Document& document) {
  const TokenList& queries = tokens_of(document, Side::Query);
  const std::vector<std::string> texts(queries.begin(), queries.end());
  Rearrangement change;
  for (const std::size_t place : matched_tokens(tokens_of(document, Side::Key), texts)) {
    if (place == kNewPlace) {
      change.add(texts[change.sources.size()]);
    } else {
      change.sources.push_back(place);
    }
  }
  return change;
}

void move_keys(Rebuilding& rebuilding, const Rearrangement& change) {
  Document& document = rebuilding.document;
  AttentionShape& layout = rebuilding.layout;
  if (embeddings_of(std::as_const(document.model)) == nullptr) {
    rearrange_tensors(document, layout, Extent::Keys, change);
    if (!change.added.empty()) {
      rebuilding.remarks.sentences.emplace_back(
          "Keys that are no tokens of the queries are gone, what the queries have beyond them is "
          "generated");
    }
  }
  const Mask before = document.mask;
  rearrange_rules(document.mask, Side::Key, layout.n_k, change);
  if (before != document.mask) {
    rebuilding.remarks.sentences.emplace_back("The mask follows the queries' tokens");
  }
  layout.n_k = layout.n_q;
}

}  // namespace

void make_self(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  const AttentionShape& layout = rebuilding.layout;
  if (layout.n_q != layout.n_k) move_keys(rebuilding, keys_as_queries(document));
  if (Embeddings* embeddings = embeddings_of(document.model))
    embeddings->key = embeddings->value = {};
  document.cross = false;
  document.key_tokens.clear();
  rebuilding.remarks.sentences.emplace_back("The keys are the queries' own tokens");
}

}  // namespace attn
