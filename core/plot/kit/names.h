// Names of tokens, heads, numbers and hits, and the sentence of a cell.
#pragma once

#include <string>

#include "base/number_text.h"
#include "plot/kit/plot.h"

namespace attn {

// Percent without its sign, with one decimal; two significant digits for small shares, which must
// not look like 0.
std::string percent_text(double share);

// The token of one side of the attention at an address, with invisible characters shown; its
// number from 1 when the document has no such token or no name of it.
std::string token_label(const Document& document, Side side, const HeadAddress& at,
                        std::size_t index);

// " (6)", counted from 1, for a token whose text other tokens have too, else "". Among more than
// 256 tokens each has its number, which is cheaper to find.
std::string number_if_repeated(const Document& document, Side side, const HeadAddress& at,
                               std::size_t index);

// “sat”, shortened, for sentences. Right-to-left text is isolated so that it does not reorder the
// sentence. An unnamed token is “token 10914”, its number at the axis and in the list, from 1,
// without quotation marks.
std::string quoted_token(const Document& document, Side side, const HeadAddress& at,
                         std::size_t index);

// Token of the attention in view.
inline std::string quoted_token(const FittedView& view, Side side, std::size_t index) {
  return quoted_token(view.document, side, view.options.at, index);
}

// “sat” (query 3), counted from 1; an unnamed token only by its number: token 10914.
std::string placed_token(const Document& document, Side side, const HeadAddress& at,
                         std::size_t index);
inline std::string placed_token(const FittedView& view, Side side, std::size_t index) {
  return placed_token(view.document, side, view.options.at, index);
}

// quoted_token with the spelling of the vocabulary when it differs from the text shown: “␣cat”,
// written “Ġcat”.
std::string spelled_token(const Document& document, Side side, const HeadAddress& at,
                          std::size_t index);

// A token of a model's vocabulary as tokens of texts are shown, or as it is written there; its
// number when it has no text.
std::string vocabulary_label(const Vocabulary& vocabulary, std::uint32_t id, bool as_written);

// Visible name of a feature, with its head when there are several; else its number.
std::string feature_label(const Document& document, const FeatureColumns& columns,
                          std::size_t column);

// "Changed: L3 H1 × 0. " (what_if.h); "" without interventions, and in files, whose footnote says
// so.
std::string what_if_sentence(const FittedView& view);

// “animal”, shortened like tokens; its number when it has no name.
std::string quoted_feature(const Document& document, const FeatureColumns& columns,
                           std::size_t column);

// "3 cells are concealed until the guess."; "" for none.
std::string concealed_words(std::uint64_t cells);

// Name of one number of the stage: "Scaled score", "Feature value".
std::string value_name(Stage stage);

// "key-value head 4" for keys and values that `head` shares with other heads; "" when it shares
// none, and for other stages.
std::string key_value_head(const AttentionShape& shape, Stage stage, std::size_t head);

// Returns ", layer 2 of 12", counted from 1; "" when there is only one.
std::string numbered(const char* what, std::size_t index, std::size_t count);

// Returns ", layer 2 of 12", or ", layer 7" if layers have numbers; "" when there is only one.
std::string numbered_layer(const AttentionShape& shape, std::size_t layer);

// ", layer 2 of 12, sample 1 of 2, head 3 of 8", without those of which there is only one.
std::string address_words(const AttentionShape& shape, const HeadAddress& at, bool with_head);

// ", layer 2, sample 1, head 3": layer and head if the flags are set, the sample when there are
// several.
std::string place_words(const AttentionShape& shape, const HeadAddress& at, bool with_layer,
                        bool with_head);

// Label of the attention at an address, after `before`: ", self-attention"; "" when the problem has
// only one.
std::string which_attention(const AttentionProblem& problem, const HeadAddress& at,
                            const std::string& before = "");

// Path counted from 0: "token/query/2", "stage/weights", "input/X", "head/3", "label/3/local",
// "colorbar". "" for no hit and for cells, whose matrix is known to the caller only.
std::string hit_name(const HitId& hit);

// Text counted from 1, for sentences: "query 3", "Weights", "head 4"; "" also for colour bars,
// which their ticks explain.
std::string hit_words(const HitId& hit);

// Sentence of a cell, worded alike everywhere: “sat” (query 3) takes 41.2 % from “cat” (key 2),
// head 1. Other stages: the value; hidden cells: the rules; rows that see no key: a remark.
std::string cell_sentence(const PlotInput& input, const CellHit& cell);

}  // namespace attn
