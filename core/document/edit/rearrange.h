// Tokens put into another order, taken away and added, with everything of a document that has a row
// or a column for each of them. Internal to core/document.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "attention/stage.h"
#include "document/document.h"

namespace attn {

// In place of an old position: what stands there is new.
inline constexpr std::size_t kNewPlace = std::numeric_limits<std::size_t>::max();

// Where each position of a side comes from.
struct Rearrangement {
  std::vector<std::size_t> sources;  // old positions, or kNewPlace
  std::vector<TokenName> added;      // the texts of the new ones, in order

  void add(std::string text) {
    added.push_back({sources.size(), std::move(text)});
    sources.push_back(kNewPlace);
  }
};

// All of n tokens where they are.
Rearrangement unchanged(std::size_t n);

// The same along one axis of the model's tensors, `tokens`: Queries or Keys. New rows get numbers
// from the seed and the text of their token; new columns of finished weights 0, and where no old
// column is left every row new weights. `shape`: of the model.
void rearrange_tensors(Document& document, const AttentionShape& shape, Extent tokens,
                       const Rearrangement& change);

// One side of a mask for n tokens. New tokens are real and visible, and belong to the segment of
// their neighbour on the left.
void rearrange_rules(Mask& mask, Side side, std::size_t n, const Rearrangement& change);

// Rows of tokens in the matrices of one sample get the numbers of other tokens; `side`: Queries or
// Keys.
void replace_rows(Document& document, Extent side, std::size_t sample,
                  const std::vector<TokenName>& replaced);

// Which sample the matrix with this number among all of a tensor belongs to.
std::size_t sample_of_matrix(const TensorInfo& info, std::size_t matrix);

// The whole document with the tokens of a side rearranged in all samples; of self-attention both
// sides.
Document with_rearrangement(const Document& document, Side side, const Rearrangement& change);

std::size_t length_of(const Document& document, Side side);

// For each of `after` the place among `before` of the same text, in ascending order, or kNewPlace:
// as many as there can be, where telling that takes less than some million comparisons; in longer
// lists each finds the next one that is left of it.
std::vector<std::size_t> matched_tokens(const TokenList& before,
                                        const std::vector<std::string>& after);

}  // namespace attn
