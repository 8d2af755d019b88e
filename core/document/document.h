// What a user edits and saves, as a value. Copies are cheap: tensors share their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "attention/block.h"
#include "attention/mask.h"
#include "attention/position.h"
#include "attention/problem.h"
#include "attention/recurrent.h"
#include "attention/roles.h"
#include "attention/scoring.h"
#include "attention/stage.h"
#include "base/tensor.h"
#include "view/view.h"

namespace attn {

using TokenList = std::vector<std::string>;

// One list for all samples, or one per sample (all of the same length: shorter sentences are padded
// with kPadToken and hidden by the padding masks).
using TokenLists = std::vector<TokenList>;
inline constexpr std::string_view kPadToken = "<pad>";

// Axes of an attention tensor, outermost first.
enum class Axis { Layer, Sample, Head, Query, Key };

// q, k, v with the same rank 2 (n, d), 3 (heads, n, d) or 4 (samples, heads, n, d). q may be wider
// or narrower than k where the scoring function allows it. The rank is kept so that writing gives
// back the depth that was read. k and v may have fewer heads than q.
struct QkvInput {
  Tensor q, k, v;
  friend bool operator==(const QkvInput&, const QkvInput&) = default;
};

// Embeddings of rank 2 (n, d_model) or 3 (samples, n, d_model). For self-attention key is empty and
// the queries' serve; value empty: the keys' serve. Blocks with keys are a decoder.
struct EmbeddingInput {
  Tensor query, key, value;
  std::size_t heads = 1;
  Projections projections;
  Stack stack;                         // with blocks: theirs are the projections, and no values
  std::optional<Recurrent> recurrent;  // no projections and blocks; the keys are its source
  friend bool operator==(const EmbeddingInput&, const EmbeddingInput&) = default;
};

// Weights computed elsewhere, shown as they are. `axes` name the axes of `weights`, in the
// canonical order of `Axis`; always ending in Query, Key.
struct WeightsInput {
  Tensor weights;
  std::vector<Axis> axes;
  friend bool operator==(const WeightsInput&, const WeightsInput&) = default;
};

using Input = std::variant<QkvInput, EmbeddingInput, WeightsInput>;

struct Document {
  std::string title;
  std::string description;  // what to look at
  std::string source;       // where the numbers come from
  bool cross = false;       // queries and keys are different sequences
  TokenLists query_tokens;  // for self-attention the keys' too
  TokenLists key_tokens;    // empty unless cross
  Input input;
  Scoring scoring;
  Mask mask;       // of a decoder: of the attention to the keys
  Mask self_mask;  // of a decoder's attention to its own rows; else empty
  Position position;
  std::uint64_t seed = 1;    // of everything generated
  std::optional<View> view;  // what was open when it was saved; never needed
  friend bool operator==(const Document&, const Document&) = default;
};

// Layers, samples, heads and lengths, read off the tensors. Precondition: the document is
// consistent, as every document is that the reader or an edit made.
AttentionShape shape_of(const Document& document);

// The document's recurrent encoder–decoder, or null. Borrowed.
const Recurrent* recurrent_of(const Document& document);

// Blocks with a second sequence: the queries attend to one another, and then to the keys.
bool is_decoder(const Document& document);

// The mask of one of a decoder's attentions; of any other document its only one. Borrowed.
const Mask& mask_of(const Document& document, AttentionPart part);
Mask& mask_of(Document& document, AttentionPart part);

// A decoder as one of its attentions has it: for its self-attention blocks within one sequence,
// with that mask and those tokens. Every other document, and the cross-attention, unchanged.
Document attended(const Document& document, AttentionPart part);

// Extents of one attention of a decoder, as attended() has them.
AttentionShape shape_of(const Document& document, AttentionPart part);

// Extents that the matrices of the scoring function must serve: of a decoder, whose attentions
// share it, with the keys of the longer one.
AttentionShape scored_shape(const Document& document);

// Those of a block, or of the single layer without blocks.
const Projections& projections_of(const EmbeddingInput& input, std::size_t layer);

// The tokens of one side in one sample.
const TokenList& tokens_of(const Document& document, Side side, std::size_t sample = 0);

}  // namespace attn
