// The extents of one computation, and what each is called.
#pragma once

#include <cstddef>
#include <string_view>

namespace attn {

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

}  // namespace attn
