// The stages of attention in the order in which they are computed, and how each is named and
// shaped.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "attention/shape.h"
#include "base/enum_table.h"

namespace attn {

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

// Which matrix of a result: head is ignored where a stage is not per head.
struct HeadAddress {
  std::size_t layer = 0;
  std::size_t sample = 0;
  std::size_t head = 0;
  friend bool operator==(const HeadAddress&, const HeadAddress&) = default;
};

}  // namespace attn
