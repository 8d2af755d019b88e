// Reordering, removal and insertion of tokens, applied to all rows and columns of a document.
// Internal to core/document.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "attention/stage.h"
#include "document/document.h"

namespace attn {

// Marks a new position instead of an old one.
inline constexpr std::size_t kNewPlace = std::numeric_limits<std::size_t>::max();

// The source of each index of an axis: an old index, or kNewPlace.
using AxisSources = std::vector<std::size_t>;

// The source of each position of a side, with the texts of new tokens.
struct Rearrangement {
  AxisSources sources;
  std::vector<TokenName> added;     // texts of the new ones, in order
  std::vector<TokenName> replaced;  // texts that only one sample has at old positions, in order

  void add(std::string text) {
    added.push_back({sources.size(), std::move(text)});
    sources.push_back(kNewPlace);
  }
};

// Returns the identity on n tokens.
Rearrangement unchanged(std::size_t n);

// Moves numbers of `tensor` to their new places; new ones are at_new(flat index). The last axes
// that do not change are copied at once.
template <class T, class New>
BasicTensor<T> resized(const BasicTensor<T>& tensor, const std::vector<AxisSources>& axes,
                       const New& at_new) {
  Shape shape, strides(axes.size(), 1), at(axes.size(), 0);
  for (const AxisSources& axis : axes) shape.push_back(axis.size());
  for (std::size_t i = axes.size(); i-- > 1;) strides[i - 1] = strides[i] * tensor.extent(i);
  std::size_t outer = axes.size(), block = 1;
  while (outer > 0 && axes[outer - 1] == unchanged(tensor.extent(outer - 1)).sources) {
    block *= shape[--outer];
  }
  std::vector<T> values(element_count(shape));
  for (std::size_t first = 0; first < values.size(); first += block) {
    std::size_t source = 0;
    for (std::size_t i = 0; i < outer && source != kNewPlace; ++i) {
      const std::size_t from = axes[i][at[i]];
      source = from == kNewPlace ? kNewPlace : source + from * strides[i];
    }
    if (source == kNewPlace) {
      for (std::size_t i = first; i < first + block; ++i) values[i] = at_new(i);
    } else {
      std::copy_n(tensor.data() + source, block, &values[first]);
    }
    for (std::size_t i = outer; i-- > 0 && ++at[i] == shape[i];) at[i] = 0;
  }
  return BasicTensor<T>(std::move(shape), std::move(values));
}

// Rearranges one axis of the model's tensors, `tokens`: Queries or Keys. New rows are generated
// from the seed and the token's text; new columns of given weights are 0, and if no old column
// stays all rows get new weights. `shape`: of the model.
void rearrange_tensors(Document& document, const AttentionShape& shape, Extent tokens,
                       const Rearrangement& change);

// Rearranges a side of a mask for n tokens. New ones are real, visible and in the segment of their
// left neighbour.
void rearrange_rules(Mask& mask, Side side, std::size_t n, const Rearrangement& change);

// Limits the rotary columns to existing pairs.
void fit_rotary(Position& position, const AttentionShape& shape);

// Regenerates rows of tokens in the matrices of one sample; `side`: Queries or Keys.
void replace_rows(Document& document, Extent side, std::size_t sample,
                  const std::vector<TokenName>& replaced);

// Returns the sample of a tensor's matrix with this flat index.
std::size_t sample_of_matrix(const TensorInfo& info, std::size_t matrix);

// Rearranges tokens of a side in all samples of the document; of self-attention both sides.
Document with_rearrangement(const Document& document, Side side, const Rearrangement& change);

std::size_t length_of(const Document& document, Side side);

// Returns for each token of `after` the index of an equal text in `before`, ascending, or
// kNewPlace. Up to some million comparisons the matches are as many as possible.
std::vector<std::size_t> matched_tokens(const TokenList& before,
                                        const std::vector<std::string>& after);

}  // namespace attn
