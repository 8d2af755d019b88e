// Completion of embeddings and of the model that starts from them.
#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "document/draft/draft.h"
#include "document/generate.h"

namespace attn {
namespace {

// A kind of model that starts from embeddings; see draft.h.
struct EmbeddingKind {
  std::string_view key;  // chooses the kind
  bool (*unify)(Draft&);
  std::size_t (*input_width)(const Draft&, StageRole);
  bool (*set)(Draft&, Embeddings);
};
// The first is the default.
constexpr EmbeddingKind kEmbeddingKinds[] = {
    {"projections", unify_layer, layer_input_width, set_layer},
    {"blocks", unify_blocks, blocks_input_width, set_blocks},
    {"recurrent", unify_recurrent, recurrent_input_width, set_recurrent},
};

const EmbeddingKind& chosen_kind(const DocumentText& text) {
  const auto given = std::ranges::find_if(kEmbeddingKinds, [&](const EmbeddingKind& kind) {
    return !first_given(text, kind.key).empty();
  });
  return given == std::end(kEmbeddingKinds) ? kEmbeddingKinds[0] : *given;
}

bool set_embeddings(Draft& draft, Embeddings& input) {
  DocumentText& f = draft.text;
  const bool query = !f.query_embeddings.empty();
  if (query == f.key_embeddings.empty()) {
    return draft.refuse(query ? "/query_embeddings" : "/key_embeddings",
                        "cross-attention needs embeddings of both sides",
                        query ? "no key_embeddings" : "no query_embeddings",
                        "query_embeddings and key_embeddings",
                        "for self-attention write embeddings");
  }
  if (f.embeddings.empty() && !query) {
    return draft.refuse("/value_embeddings", "value_embeddings need other embeddings",
                        "no other embeddings",
                        "embeddings, or query_embeddings and key_embeddings");
  }
  input.query = std::move(query ? f.query_embeddings : f.embeddings);
  input.key = std::move(f.key_embeddings);
  input.value = std::move(f.value_embeddings);
  draft.reading = "Embeddings of depth " + std::to_string(input.query.rank());
  if (!f.d_model || *f.d_model == input.query.shape().back()) return true;
  return draft.refuse(
      "/d_model", "d_model does not fit the embeddings", std::to_string(*f.d_model),
      std::to_string(input.query.shape().back()) + ", the columns of the embeddings");
}

// One list for all samples is repeated for those of the other side.
TokenLists one_per_sample(const TokenLists& lists, std::size_t samples) {
  return lists.size() == samples ? lists : TokenLists(samples, lists.front());
}

// True if queries, keys and values of generated embeddings fit into memory with them; refuses
// before anything is generated.
bool fits_projected(Draft& draft, std::size_t samples, std::size_t n_q, std::size_t n_k,
                    std::size_t width) {
  const DocumentText& f = draft.text;
  if (!first_given(f, "projections blocks recurrent").empty()) return true;
  const std::uint64_t heads = f.heads.value_or(kDefaultHeads);
  const std::uint64_t key_width =
      width / std::max<std::uint64_t>(1, heads) * std::min(heads, f.kv_heads.value_or(heads));
  const std::uint64_t before = draft.generated_bytes;
  const bool fits =
      fits_memory(draft,
                  {float_bytes({samples, n_q, width}),
                   float_bytes({samples, n_k, 2, static_cast<std::size_t>(key_width)})},
                  generated_width_pointer(draft), "projecting the generated embeddings");
  draft.generated_bytes = before;
  return fits;
}

bool generate_embeddings(Draft& draft, Embeddings& input) {
  const Document& document = draft.document;
  const EmbeddingKind& kind = chosen_kind(draft.text);
  const std::size_t query_width = kind.input_width(draft, StageRole::Query);
  const std::size_t key_width = kind.input_width(draft, StageRole::Key);
  const std::size_t value_width = kind.input_width(draft, StageRole::Value);
  const TokenLists& key_lists = document.cross ? document.key_tokens : document.query_tokens;
  const std::size_t samples = std::max(document.query_tokens.size(), key_lists.size());
  if (std::min(document.query_tokens.size(), key_lists.size()) != 1 &&
      document.query_tokens.size() != key_lists.size()) {
    return draft.refuse("/key_tokens", "as many lists of tokens as samples are needed",
                        counted(key_lists.size(), "list"),
                        "1 or " + std::to_string(document.query_tokens.size()));
  }
  const std::size_t n_q = document.query_tokens.front().size(), n_k = key_lists.front().size();
  const bool own_keys = document.cross || key_width != query_width;
  const bool own_values = value_width != key_width;
  if (!fits_memory(draft,
                   {float_bytes({samples, n_q, query_width}),
                    own_keys ? float_bytes({samples, n_k, key_width}) : 0,
                    own_values ? float_bytes({samples, n_k, value_width}) : 0},
                   generated_width_pointer(draft), "generating the embeddings") ||
      !fits_projected(draft, samples, n_q, n_k, query_width)) {
    return false;
  }
  const TokenLists queries = one_per_sample(document.query_tokens, samples);
  const TokenLists keys = one_per_sample(key_lists, samples);
  input.query = generated_embeddings(document.seed, queries, query_width);
  if (own_keys) input.key = generated_embeddings(document.seed, keys, key_width);
  if (own_values) input.value = generated_embeddings(document.seed, keys, value_width);
  draft.reading = "Tokens only";
  draft.notes.push_back("embeddings are generated from the seed and the tokens");
  return true;
}

}  // namespace

namespace {

// The names without the numbers of blocks, each once: "w_q" for "block 0 w_q" and "block 1 w_q".
std::string names_in_blocks(const std::vector<std::string>& names) {
  constexpr std::string_view kOfBlock = "block ";
  std::vector<std::string> once;
  bool has_blocks = false;
  for (std::string_view name : names) {
    const bool in_block = name.starts_with(kOfBlock);
    if (in_block) name.remove_prefix(name.find(' ', kOfBlock.size()) + 1);
    has_blocks = has_blocks || in_block;
    if (std::ranges::find(once, name) == once.end()) once.emplace_back(name);
  }
  constexpr std::size_t kNamesShown = 8;
  return joined_first(once, kNamesShown) + (has_blocks ? ", in the blocks" : "");
}

}  // namespace

bool set_embedding_model(Draft& draft, bool tokens_only) {
  const EmbeddingKind& kind = chosen_kind(draft.text);
  if (!kind.unify(draft)) return false;
  Embeddings embeddings;
  const bool embedded =
      tokens_only ? generate_embeddings(draft, embeddings) : set_embeddings(draft, embeddings);
  if (!embedded) return false;
  if (!kind.set(draft, std::move(embeddings))) return false;
  if (!draft.generated.empty()) {
    draft.notes.push_back("generated from the seed: " + names_in_blocks(draft.generated));
  }
  return true;
}

}  // namespace attn
