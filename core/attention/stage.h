// Extents of one computation, and the stages of attention in order of computation with names and
// shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_table.h"

namespace attn {

// Side of an attention: queries are rows, keys are columns.
enum class Side { Query, Key };

// Extents of one computation. Query head h reads key/value head h / (heads / kv_heads).
struct AttentionShape {
  std::size_t layers = 1, samples = 1;
  std::size_t heads = 1, kv_heads = 1;
  std::size_t n_q = 0, n_k = 0;
  std::size_t d_k = 0;          // columns of one head of q and k; 0 when weights are given
  std::size_t d_v = 0;          // columns of one head of v; 0 when weights are given
  std::size_t d_model = 0;      // columns of the query embeddings; 0 without projections
  std::size_t d_out = 0;        // columns of the projected output; 0 without one
  std::size_t d_q = 0;          // columns of one head of q; 0: d_k
  std::size_t d_a = 0;          // hidden units of the scoring function; 0 if none
  std::size_t key_width = 0;    // columns of the key embeddings; 0: d_model
  std::size_t value_width = 0;  // columns of the value embeddings; 0: key width
  std::size_t d_ff = 0;         // hidden units of the feed-forward part; 0 without blocks
  // Numbers of the layers in the model that they are taken from; empty: they have none.
  std::vector<std::uint64_t> layer_numbers = {};
  friend bool operator==(const AttentionShape&, const AttentionShape&) = default;
};

// Number of a layer: its own, or counted from `first`, 1 in sentences and 0 in commands.
std::uint64_t layer_number(const AttentionShape& shape, std::size_t layer, std::size_t first = 1);
// The layer of a number; nothing if no layer has it.
std::optional<std::size_t> layer_numbered(const AttentionShape& shape, std::uint64_t number,
                                          std::size_t first);
// "3, 7, 11", or "0 to 2" for counted layers.
std::string layer_numbers_text(const AttentionShape& shape, std::size_t first);

// Resolve the extents for which 0 means "as another one".
std::size_t query_columns(const AttentionShape& shape);
std::size_t key_embedding_columns(const AttentionShape& shape);
std::size_t value_embedding_columns(const AttentionShape& shape);

// Extent of an axis of a tensor or stage.
enum class Extent {
  One,
  Layers,
  Samples,
  Heads,
  KeyHeads,        // key-value heads
  Queries,         // n_q
  Keys,            // n_k
  QueryWidth,      // of one head: d_q if it differs from d_k
  KeyWidth,        // d_k
  ValueWidth,      // d_v
  AllQueryWidths,  // all heads side by side: columns of w_q
  AllKeyWidths,    // all key/value heads: columns of w_k
  AllValueWidths,  // all key/value heads: columns of w_v
  ConcatWidth,     // outputs of all heads side by side: rows of w_o
  ModelWidth,      // d_model
  KeyInputWidth,   // columns of the key embeddings
  ValueInputWidth,
  OutputWidth,   // d_out
  HiddenWidth,   // d_ff
  ScoringWidth,  // d_a
  StateWidth,    // state of a recurrent decoder: d_q
  BothWidths,    // d_q + d_k
};

std::size_t extent_of(const AttentionShape& shape, Extent extent);
// Symbol of an extent in formulas: "n_q", "h·d_v".
std::string_view symbol_of(const AttentionShape& shape, Extent extent);

enum class Stage {
  QueryInput,         // query embeddings + positions  (n_q, d_model), one per sample; only where
  KeyInput,           // positions are added           (n_k, width of key embeddings)
  ValueInput,         //                               (n_k, width of value embeddings)
  BlockInput,         // input of a block  (n, d_model), one per sample; this and the next only with
  AttentionNorm,      // blocks: norm before the attention, or after its residual  (n, d_model)
  EncoderCell,        // memory of an LSTM encoder (n_k, d_k), only in a recurrent encoder–decoder
  Query,              // q  (n_q, d_q) per head
  Key,                // k  (n_k, d_k) per key/value head, shown for each query head that uses it
  Value,              // v  (n_k, d_v) per key/value head
  NormedQuery,        // q with each row normed  (n_q, d_q), only with norms of queries or keys
  NormedKey,          // k with each row normed           (n_k, d_k)
  RotatedQuery,       // rotated q  (n_q, d_q), only with rotary positions
  RotatedKey,         // rotated k                  (n_k, d_k)
  Scores,             // scoring function of each query and key  (n_q, n_k)
  Scaled,             // × scale         (n_q, n_k)
  Softcapped,         // c·tanh(x / c)   (n_q, n_k), only with a softcap
  Masked,             // logits: + bias, hidden cells -inf  (n_q, n_k)
  Weights,            // normaliser of each row  (n_q, n_k)
  Output,             // weights × v     (n_q, d_v)
  Concat,             // heads side by side  (n_q, heads · d_v), one per sample
  Projected,          // concat × w_o + b_o  (n_q, d_out), one per sample
  AttentionOutNorm,   // norm of the projected output before it is added  (n_q, d_model); this and
                      // the rest only with blocks
  AttentionResidual,  // block input + projected  (n, d_model)
  CrossNorm,        // of a decoder's block: norm before the cross-attention, or after its residual
  CrossOutNorm,     // norm of the output of the cross-attention  (n, d_model)
  CrossResidual,    // input + output of the cross-attention  (n, d_model)
  FeedForwardNorm,  // norm before the feed-forward layer (n, d_model), with norms in front
  Hidden,           // x·w_1 + b_1        (n, d_ff)
  Gate,             // x·w_gate + b_gate  (n, d_ff), for SwiGlu
  Activated,        // activation of the hidden units  (n, d_ff)
  FeedForward,      // activated·w_2 + b_2  (n, d_model)
  FeedForwardOutNorm,   // norm of the network's output before it is added  (n, d_model)
  FeedForwardResidual,  // with norms behind: input of the last norm  (n, d_model)
  BlockOutput,          // (n, d_model)
  FinalNorm,            // norm after the last block  (n, d_model); the layer is ignored
  DecoderState,    // s_t  (n_q, d_q); this and the rest only with a recurrent encoder–decoder
  DecoderCell,     // memory of an LSTM decoder  (n_q, d_q)
  DecoderOutput,   // o_t = tanh([s_t; c_t]·W + b)  (n_q, d_out)
  FixedState,      // s_t of a decoder with one fixed context vector
  FixedCell,       // memory of that decoder
  FixedOutput,     // outputs of that decoder
  Influence,       // ‖∂o_t / ∂x_j‖ with attention  (n_q, n_k), Frobenius
  FixedInfluence,  // ‖∂o_t / ∂x_j‖ with the fixed context vector  (n_q, n_k)
  Survival,        // ‖∂ fixed vector / ∂x_j‖  (n_k, 1)
};

inline constexpr std::size_t kStageCount = count_of<Stage>();
// Index of a stage in arrays with one entry per stage.
constexpr std::size_t index_of(Stage stage) { return static_cast<std::size_t>(stage); }

// Row side of a stage: keys for Key and Value, queries for the others.
enum class StageRole { Query, Key, Value, Scores, Output, Influence };

// Part of the computation that makes a stage.
enum class StagePlace {
  Projections,  // queries, keys and values of each head
  Attention,    // row by row, for each head
  Block,        // around the attention of a block
  Beside,       // once for all heads: inputs with positions, joined heads, cells
};

struct StageInfo {
  Stage stage;
  std::string_view name;      // name in JSON and on the command line: "scores"
  std::string_view label;     // label: "Scores"
  std::string_view formula;   // "QKᵀ"; formula_of (problem.h) gives that of one problem
  std::string_view sentence;  // one-line explanation
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

// Address of a matrix in a result; the head is ignored for stages that are not per head, the
// attention for models with only one.
struct HeadAddress {
  std::size_t layer = 0;
  std::size_t sample = 0;
  std::size_t head = 0;
  std::size_t attention = 0;  // of a block with several (block.h): counted from the last one
  // Address of another head of the same attention.
  HeadAddress moved_to(std::size_t to_layer, std::size_t to_sample, std::size_t to_head) const {
    return {to_layer, to_sample, to_head, attention};
  }
  bool same_attention(const HeadAddress& other) const {
    return *this == other.moved_to(layer, sample, head);
  }
  friend bool operator==(const HeadAddress&, const HeadAddress&) = default;
};

// Rows row, row + row_step, … (`rows` of them) × columns [col, col + cols) of a stage.
struct CellRange {
  std::size_t row = 0;
  std::size_t col = 0;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t row_step = 1;

  std::size_t row_at(std::size_t r) const { return row + r * row_step; }
  friend bool operator==(const CellRange&, const CellRange&) = default;
};

// `rows` rows of a range, from its `first` on.
CellRange part_of(const CellRange& range, std::size_t first, std::size_t rows);

}  // namespace attn
