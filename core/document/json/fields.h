// Values of a document's text, before anything is inferred. Internal to core/document.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attention/recurrent.h"
#include "base/tensor.h"
#include "document/document.h"
#include "document/json/rules.h"
#include "document/json/tokens.h"
#include "text/reader.h"

namespace attn {

// Matrices of depth 2, or of depth 3 with one matrix per head.
struct ProjectionFields {
  std::optional<Tensor> w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o;
  std::optional<Tensor> w_qkv, b_qkv;  // w_q, w_k and w_v side by side, and their biases
  bool out_in = false;                 // matrices are stored as (outputs, inputs), as PyTorch does
  bool no_w_o = false;                 // "w_o": null
};

// Absent members are not in the text.
struct RecurrentFields : Recurrent {
  std::optional<std::uint64_t> hidden, d_out;
  std::optional<bool> bidirectional;
  bool out_in = false;
  bool no_w_output = false;  // "w_output": null
};

struct FeedForwardFields {
  std::optional<Activation> activation;
  std::optional<std::uint64_t> d_ff;
  Tensor w_1, b_1, w_gate, b_gate, w_2, b_2;
  bool out_in = false;
};

struct BlockFields {
  ProjectionFields projections;
  std::optional<ProjectionFields> cross_projections;
  Norm attention_norm, cross_norm, feed_forward_norm;
  FeedForwardFields feed_forward;
};

// An absent key is an empty optional. Token lists may be ragged.
struct DocumentFields {
  std::string title, description, source, reference;
  KeptText kept;
  std::optional<TokenLists> tokens, query_tokens, key_tokens;
  FeatureFields features;
  std::optional<Tensor> q, k, v;
  std::optional<Tensor> embeddings, query_embeddings, key_embeddings, value_embeddings;
  std::optional<Tensor> attention;
  std::optional<std::vector<std::string>> axes;
  std::optional<ProjectionFields> projections;
  std::optional<std::vector<BlockFields>> blocks;
  Stack stack;  // settings of all blocks; its own blocks are empty
  std::optional<RecurrentFields> recurrent;
  std::optional<std::uint64_t> heads, kv_heads, d_model, seed;
  std::optional<ScoringFields> scoring;
  std::array<std::optional<MaskFields>, kAttentions> masks;  // by HeadAddress::attention
  Position position;
  std::optional<Panes> panes;
  std::vector<std::string> notes;  // on values read differently from the text
};

// Reads the value of a "projections" key, of a document or of a block.
bool read_projections(JsonValue json, ProjectionFields& projections);
bool read_projections(JsonValue json, DocumentFields& fields);

// Reads a whole document: an object, or a list of tokens. Errors are in json.reader().errors(); if
// there are any, `fields` is incomplete.
void read_fields(JsonValue json, DocumentFields& fields);

}  // namespace attn
