// Document: everything that a file holds, as a value. Copies are cheap: tensors are shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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
#include "attention/what_if.h"
#include "base/files.h"
#include "base/progress.h"
#include "base/tensor.h"
#include "document/feature_names.h"
#include "document/lesson.h"
#include "document/token_list.h"
#include "kinds/model.h"
#include "kinds/parts/vocabulary.h"
#include "view/layout.h"

namespace attn {

// Padding for shorter sentences of named tokens; hidden by the padding masks. All lists of tokens
// in a document have equal length.
inline constexpr std::string_view kPadToken = "<pad>";

// Members of a text without meaning here, preserved when it is written again.
struct KeptText {
  std::string schema = "attnscope.schema.json";
  std::vector<std::string> empty;    // keys of empty texts
  Stack stack;                       // settings of blocks, with models of other kinds
  std::optional<std::uint64_t> d_a;  // of scoring without hidden units, or of given weights
  friend bool operator==(const KeptText&, const KeptText&) = default;
};

struct Document;

// The folder of a language model that a document reads, and the text for it.
// A file when it was read; without a stamp it was not there.
struct ReadFile {
  std::string path;
  std::optional<FileStamp> stamp;
};

struct SourceModel {
  std::string folder;              // absolute
  std::string family;              // "gpt2", as config.json names it
  std::string base;                // that the document states it from; empty: absolute
  std::string text;                // empty: the ids were given
  std::vector<std::uint32_t> ids;  // of the tokens
  std::shared_ptr<const Vocabulary> vocabulary;
  std::shared_ptr<const Document> untouched;  // as folder and text give it
  std::vector<ReadFile> files;                // that may be in the folder
  friend bool operator==(const SourceModel& a, const SourceModel& b) {
    return a.folder == b.folder && a.text == b.text && a.ids == b.ids;
  }
};

struct Document {
  std::string title;        // of any length: shown_title()
  std::string description;  // advice for readers
  std::string source;       // origin of the numbers
  std::string remark;       // sentence below figures on how the numbers were changed; not written
  std::string reference;    // reference: a path or example:NAME
  bool cross = false;       // cross-attention
  TokenLists query_tokens;  // for self-attention also the keys'
  TokenLists key_tokens;    // empty for self-attention
  FeatureNames features;    // names of columns
  // Numbers of the layers in the model that they are taken from, one each; empty: none.
  std::vector<std::uint64_t> layer_numbers;
  Model model;
  std::optional<SourceModel> source_model;  // absent: all numbers are the document's own
  Scoring scoring;
  Mask mask;          // of several attentions: of the cross-attention
  Mask self_mask;     // of a decoder's self-attention; else empty
  Mask encoder_mask;  // of the encoder's own attention; else empty
  Position position;
  Interventions what_if;       // gates only of heads that a W_O joins
  std::uint64_t seed = 1;      // seed of all generated numbers
  std::optional<Panes> panes;  // views when it was saved; optional
  std::vector<LessonStep> lesson;
  KeptText kept;
  friend bool operator==(const Document&, const Document&) = default;
};

// Extents, derived from the tensors; of a decoder those of the last attention unless `at` selects
// one. Precondition: the document is consistent, as all documents made by the reader or by edits
// are.
AttentionShape shape_of(const Document& document, const HeadAddress& at = {});

// Attentions in order of computation; most documents have one.
std::span<const AttentionInfo> attentions_of(const Document& document);
// The head, or the nearest that the document has.
HeadAddress nearest_head(const Document& document, const HeadAddress& at);

// Member for the mask of an attention.
struct MaskPlace {
  HeadAddress at;
  Mask Document::*mask;
  std::string_view key;     // key in JSON: "self_mask"
  std::string_view prefix;  // prefix of its tensors' labels: "self "
};
// All masks, and those of a document, by HeadAddress::attention, which is the order in which they
// are written; and the one of the attention with positions.
std::span<const MaskPlace> all_masks();
std::span<const MaskPlace> masks_of(const Document& document);
const MaskPlace& positioned_mask(const Document& document);
// "/self_mask".
std::string pointer_of(const MaskPlace& place);

// Mask of one attention of a decoder; the only mask of other documents. Borrowed.
const Mask& mask_of(const Document& document, const HeadAddress& at);
Mask& mask_of(Document& document, const HeadAddress& at);

// True for an attention within one sequence, whose keys have the tokens of the queries.
bool keys_are_queries(const Document& document, const HeadAddress& at);
// Side where the tokens of one side of an attention are listed.
Side listed_side(const Document& document, const HeadAddress& at, Side side);

// True if given weights of one sequence are all 0 above the diagonal, as far as
// attends_backwards_only() looks; they are then read as causal unless the text states otherwise.
// Can be cancelled like it.
bool looks_causal(const Document& document, const HeadAddress& at, Progress* progress = nullptr);
// Given weights of an attention, or null. Borrowed.
const Tensor* given_weights(const Document& document, const HeadAddress& at);
// Member for the given weights of an attention, which may be empty. Borrowed.
Tensor& weights_of(GivenWeights& given, const HeadAddress& at);

// Extents for the matrices of the scoring function; a decoder's attentions share it, so n_k is the
// larger one.
AttentionShape scored_shape(const Document& document);

// Copy with all tokens displayed as written.
Document with_spelling(Document document);

// True if output projections join the heads, which can then have gates.
bool joins_heads(const Document& document);

// Gates as calls give them: "5:1=0,self:0:2=0.5", with numbers of layers, or from 0 on; empty
// without gates.
std::string gates_text(const Document& document);
// Cut edges in the same way: "2:4=5:1:k".
std::string edges_text(const Document& document);
// All changes of heads: "gates 5:1=0 and patterns of 3:2 and cut edges 2:4=5:1:k".
std::string changes_text(const Document& document);

// The title as figures and the window show it: the beginning of a long one.
inline constexpr std::size_t kLongestTitle = 1000;
std::string shown_title(const Document& document);

const TokenList& tokens_of(const Document& document, Side side, std::size_t sample = 0);
// Tokens of one side of an attention, in the sample of `at`.
const TokenList& tokens_of(const Document& document, Side side, const HeadAddress& at);

}  // namespace attn
