// What a user edits and saves, as a value. Copies are cheap: tensors share their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/mask.h"
#include "attention/position.h"
#include "attention/problem.h"
#include "attention/scoring.h"
#include "attention/stage.h"
#include "base/progress.h"
#include "base/tensor.h"
#include "document/feature_names.h"
#include "document/token_list.h"
#include "model/model.h"
#include "view/layout.h"

namespace attn {

// What fills up shorter sentences of named tokens; the padding masks hide it. All lists of tokens
// in a document have the same length.
inline constexpr std::string_view kPadToken = "<pad>";

// A member of a text, with its value as it is written.
struct KeptMember {
  std::string key, json;
  friend bool operator==(const KeptMember&, const KeptMember&) = default;
};

// What a text says that means nothing here, written again for whoever put it there.
struct KeptText {
  std::string schema = "attnscope.schema.json";
  std::vector<std::string> empty;    // keys of texts that are there and say nothing
  std::vector<KeptMember> members;   // that models of other kinds have
  std::optional<std::uint64_t> d_a;  // with scores that have no hidden units
  friend bool operator==(const KeptText&, const KeptText&) = default;
};

struct Document {
  std::string title;
  std::string description;  // what to look at
  std::string source;       // where the numbers come from
  std::string reference;    // another document to compare with: a path or example:NAME
  bool cross = false;       // queries and keys are different sequences
  TokenLists query_tokens;  // for self-attention the keys' too
  TokenLists key_tokens;    // empty unless cross
  FeatureNames features;    // of columns that the document has
  Model model;
  Scoring scoring;
  Mask mask;       // of a decoder: of the attention to the keys
  Mask self_mask;  // of a decoder's attention to its own rows; else empty
  Position position;
  std::uint64_t seed = 1;      // of everything generated
  std::optional<Panes> panes;  // what was open when it was saved; never needed
  KeptText kept;
  friend bool operator==(const Document&, const Document&) = default;
};

// Layers, samples, heads and lengths, read off the tensors. Precondition: the document is
// consistent, as every document is that the reader or an edit made. Of a decoder as one of its
// attentions has them, the last one unless `at` says which.
AttentionShape shape_of(const Document& document, const HeadAddress& at = {});

// In the order in which they are computed: most documents have one.
std::span<const AttentionInfo> attentions_of(const Document& document);

// Where a document keeps the mask of one of its attentions.
struct MaskPlace {
  HeadAddress at;
  Mask Document::*mask;
  std::string_view key;     // "self_mask": in JSON
  std::string_view prefix;  // "self ", before the labels of its tensors
};
// All that there are, and those of a document, by HeadAddress::attention, which is the order in
// which they are written; and that of the attention whose positions count.
std::span<const MaskPlace> all_masks();
std::span<const MaskPlace> masks_of(const Document& document);
const MaskPlace& positioned_mask(const Document& document);
// "/self_mask".
std::string pointer_of(const MaskPlace& place);

// The mask of one of a decoder's attentions; of any other document its only one. Borrowed.
const Mask& mask_of(const Document& document, const HeadAddress& at);
Mask& mask_of(Document& document, const HeadAddress& at);

// An attention within one sequence, whose keys have the tokens of the queries.
bool keys_are_queries(const Document& document, const HeadAddress& at);
// Where the tokens of one side of an attention are listed.
Side listed_side(const Document& document, const HeadAddress& at, Side side);

// Whether finished weights of one sequence look causal: all those above the diagonal are 0. Where a
// text says nothing of it they are read so. As attends_backwards_only() it can be stopped.
bool looks_causal(const Document& document, Progress* progress = nullptr);

// Extents that the matrices of the scoring function must serve: of a decoder, whose attentions
// share it, with the keys of the longer one.
AttentionShape scored_shape(const Document& document);

// With all tokens spoken as they are written.
Document with_spelling(Document document);

// Forgets the names of columns of features that the document does not have any more.
void fit_features(Document& document);

// The tokens of one side in one sample.
const TokenList& tokens_of(const Document& document, Side side, std::size_t sample = 0);
// Those of one side of an attention, in its sample.
const TokenList& tokens_of(const Document& document, Side side, const HeadAddress& at);

}  // namespace attn
