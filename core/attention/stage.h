// The extents of one computation and the stages of attention in the order in which they are
// computed, and how each is named and shaped.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "base/enum_table.h"

namespace attn {

// Its rows and its columns.
enum class Side { Query, Key };

// Extents of one computation. GQA: query head h reads key-value head h / (heads / kv_heads).
struct AttentionShape {
  std::size_t layers = 1;
  std::size_t samples = 1;
  std::size_t heads = 1;
  std::size_t kv_heads = 1;
  std::size_t n_q = 0;
  std::size_t n_k = 0;
  std::size_t d_k = 0;          // columns of one head of q and k; 0 when weights are given
  std::size_t d_v = 0;          // columns of one head of v; 0 when weights are given
  std::size_t d_model = 0;      // columns of the query embeddings; 0 without projections
  std::size_t d_out = 0;        // columns of the projected output; 0 without one
  std::size_t d_q = 0;          // columns of one head of q; 0: as d_k
  std::size_t d_a = 0;          // hidden units of the scoring function; 0 without any
  std::size_t key_width = 0;    // columns of the key embeddings; 0: as d_model
  std::size_t value_width = 0;  // columns of the value embeddings; 0: as the keys'
  std::size_t d_ff = 0;         // hidden units of the feed-forward part; 0 without blocks
  friend bool operator==(const AttentionShape&, const AttentionShape&) = default;
};

// The extents that may be left at 0, as they stand for others.
std::size_t query_columns(const AttentionShape& shape);
std::size_t key_embedding_columns(const AttentionShape& shape);
std::size_t value_embedding_columns(const AttentionShape& shape);

// What an axis of a tensor or of a stage is counted by.
enum class Extent {
  One,
  Layers,
  Samples,
  Heads,
  KeyHeads,        // key-value heads
  Queries,         // n_q
  Keys,            // n_k
  QueryWidth,      // of one head: d_q where it differs from d_k
  KeyWidth,        // d_k
  ValueWidth,      // d_v
  AllQueryWidths,  // of all heads side by side, as the columns of w_q
  AllKeyWidths,    // of all key-value heads, as those of w_k
  AllValueWidths,  // likewise, as those of w_v
  ConcatWidth,     // outputs of all heads side by side, as the rows of w_o
  ModelWidth,      // d_model
  KeyInputWidth,   // columns of the key embeddings
  ValueInputWidth,
  OutputWidth,   // d_out
  HiddenWidth,   // d_ff
  ScoringWidth,  // d_a
  StateWidth,    // of a recurrent decoder's state: d_q
};

std::size_t extent_of(const AttentionShape& shape, Extent extent);
// "n_q", "h·d_v": the symbol in formulas, of an extent of this shape.
std::string_view symbol_of(const AttentionShape& shape, Extent extent);

enum class Stage {
  QueryInput,     // query embeddings + positions  (n_q, d_model), one per sample; only where
  KeyInput,       // positions are added           (n_k, width of key embeddings)
  ValueInput,     //                               (n_k, width of value embeddings)
  BlockInput,     // what a block gets  (n, d_model), one per sample; this and the next only with
  AttentionNorm,  // blocks: norm before the attention, or after its residual  (n, d_model)
  EncoderCell,    // memory of an LSTM encoder (n_k, d_k), only with a recurrent encoder–decoder
  Query,          // q  (n_q, d_q) per head
  Key,            // k  (n_k, d_k) per key-value head, shown under each query head that uses it
  Value,          // v  (n_k, d_v) likewise
  RotatedQuery,   // q turned by its positions  (n_q, d_q), only with rotary positions
  RotatedKey,     // k likewise                 (n_k, d_k)
  Scores,         // the scoring function of every query and key  (n_q, n_k)
  Scaled,         // × scale         (n_q, n_k)
  Softcapped,     // c·tanh(x / c)   (n_q, n_k), only with a softcap
  Masked,         // + bias, hidden cells -inf: what goes into the softmax  (n_q, n_k)
  Weights,        // the normaliser of each row  (n_q, n_k)
  Output,         // weights × v     (n_q, d_v)
  Concat,         // heads side by side  (n_q, heads · d_v), one per sample
  Projected,      // concat × w_o + b_o  (n_q, d_out), one per sample
  AttentionResidual,  // block input + projected  (n, d_model); this and the rest only with blocks
  CrossNorm,        // of a decoder's block: norm before the cross-attention, or after its residual
  CrossResidual,    // what got there + what the cross-attention adds  (n, d_model)
  FeedForwardNorm,  // norm before the network (n, d_model), with norms in front
  Hidden,           // x·w_1 + b_1        (n, d_ff)
  Gate,             // x·w_gate + b_gate  (n, d_ff), for SwiGlu
  Activated,        // activation of the hidden units  (n, d_ff)
  FeedForward,      // activated·w_2 + b_2  (n, d_model)
  FeedForwardResidual,  // with norms behind: what the last norm gets  (n, d_model)
  BlockOutput,          // (n, d_model)
  FinalNorm,            // norm after the last block  (n, d_model); the layer is ignored
  DecoderState,    // s_t  (n_q, d_q); this and the rest only with a recurrent encoder–decoder
  DecoderCell,     // memory of an LSTM decoder  (n_q, d_q)
  DecoderOutput,   // o_t = tanh([s_t; c_t]·W + b)  (n_q, d_out)
  FixedState,      // the same decoder with one fixed vector as the context of every step
  FixedCell,       // its memory
  FixedOutput,     // its outputs
  Influence,       // ‖∂o_t / ∂x_j‖ with attention  (n_q, n_k), Frobenius
  FixedInfluence,  // the same of the decoder with the fixed vector  (n_q, n_k)
  Survival,        // ‖∂ fixed vector / ∂x_j‖  (n_k, 1)
};

inline constexpr std::size_t kStageCount = count_of<Stage>();

// What the rows of a stage belong to: keys for Key and Value, queries for the others.
enum class StageRole { Query, Key, Value, Scores, Output, Influence };

// The part of the computation that makes a stage.
enum class StagePlace {
  Projections,  // queries, keys and values of every head
  Attention,    // row by row, of every head
  Block,        // around the attention of a block
  Beside,       // once for all heads: inputs with positions, what heads make together, cells
};

struct StageInfo {
  Stage stage;
  std::string_view name;      // "scores": in JSON, on the command line
  std::string_view label;     // "Scores": for people
  std::string_view formula;   // "QKᵀ"; formula_of (problem.h) has that of one problem
  std::string_view sentence;  // what it is, one line
  StageRole role;
  StagePlace place;
  Extent rows;
  Extent columns;
  bool per_head = place == StagePlace::Projections || place == StagePlace::Attention;
  bool token_by_token() const { return columns == Extent::Keys; }
  bool around_attention() const { return place == StagePlace::Block; }
  bool rows_are_keys() const { return rows == Extent::Keys; }
};

// Every stage, in order of computation.
std::span<const StageInfo> all_stages();
const StageInfo& stage_info(Stage stage);
std::optional<Stage> stage_named(std::string_view name);

// Which matrix of a result: head is ignored where a stage is not per head, attention where a model
// has one only.
struct HeadAddress {
  std::size_t layer = 0;
  std::size_t sample = 0;
  std::size_t head = 0;
  std::size_t attention = 0;  // of a block with several (block.h): counted from the last one
  // Another head of the same attention.
  HeadAddress moved_to(std::size_t to_layer, std::size_t to_sample, std::size_t to_head) const {
    return {to_layer, to_sample, to_head, attention};
  }
  bool same_attention(const HeadAddress& other) const {
    return *this == other.moved_to(layer, sample, head);
  }
  // Of the last attention where there are not so many.
  HeadAddress among(std::size_t attentions) const {
    return attention < attentions ? *this : HeadAddress{layer, sample, head};
  }
  friend bool operator==(const HeadAddress&, const HeadAddress&) = default;
};

}  // namespace attn
