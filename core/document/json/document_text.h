// What the text of a document says, before anything is inferred. Internal to core/document.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor.h"
#include "document/document.h"
#include "document/json/model.h"
#include "document/json/rules.h"
#include "document/json/tokens.h"
#include "text/reader.h"

namespace attn {

// An absent key is an empty optional, list or tensor. Token lists may be ragged.
struct DocumentText {
  std::string schema = KeptText{}.schema;
  std::uint64_t version = 1;
  std::optional<std::string> title, description, source;
  std::string reference;
  TokenLists tokens, query_tokens, key_tokens;
  FeaturesText features;
  std::vector<std::uint64_t> layer_numbers;
  std::optional<std::vector<std::string>> axes;
  Tensor q, k, v;
  Tensor embeddings, query_embeddings, key_embeddings, value_embeddings;
  Tensor attention, self_attention, encoder_attention;
  std::optional<std::uint64_t> heads, kv_heads, d_model;
  std::optional<ProjectionsText> projections;
  std::vector<BlockText> blocks;
  std::optional<RecurrentText> recurrent;
  std::optional<Stack> norms;  // settings of all blocks; its own blocks are empty
  float dropout = 0.0F;
  std::optional<ScoringText> scoring;
  std::optional<MaskText> mask, self_mask, encoder_mask;
  PositionText position;
  std::uint64_t seed = 1;
  std::optional<Panes> panes;
};

extern const ObjectOf<DocumentText> kDocumentObject;

// The mask of an attention.
inline std::optional<MaskText>& mask_of(DocumentText& text, const HeadAddress& at) {
  std::optional<MaskText>* const all[kAttentions] = {&text.mask, &text.self_mask,
                                                     &text.encoder_mask};
  return *all[at.attention];
}
inline const std::optional<MaskText>& mask_of(const DocumentText& text, const HeadAddress& at) {
  return mask_of(const_cast<DocumentText&>(text), at);
}

// Keys that exclude each other: any of the first with any of the others. Separated by blanks.
struct Exclusion {
  std::string_view these, others;
};
std::span<const Exclusion> all_exclusions();

// The first of the keys, separated by blanks, that the text has; or empty.
std::string_view first_given(const DocumentText& text, std::string_view keys);

// Reads a whole document: an object, or a list of tokens. Errors are in json.reader().errors(); if
// there are any, `text` is incomplete.
void read_document_text(JsonValue json, DocumentText& text);

// The inverse of completing a text.
DocumentText as_text(const Document& document);

}  // namespace attn
