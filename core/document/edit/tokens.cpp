// Edits of tokens, with the rows, columns and rules that belong to them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "base/utf8.h"
#include "document/edit.h"
#include "document/generate.h"
#include "document/inconsistencies.h"
#include "document/matrices.h"

namespace attn {
namespace {

constexpr std::size_t kNew = std::numeric_limits<std::size_t>::max();

// Where each position of a side comes from: an old position, or kNew for the inserted token.
struct Rearrangement {
  std::vector<std::size_t> sources;
  std::string text;  // of the new token
};

Error refusal(Side side, std::string message, std::string found, std::string expected) {
  Error error;
  error.kind = ErrorKind::BadInput;
  error.pointer = side == Side::Query ? "/query_tokens" : "/key_tokens";
  error.message = std::move(message);
  error.found = std::move(found);
  error.expected = std::move(expected);
  return error;
}

template <class T>
std::vector<T> rearranged(const std::vector<T>& list, const Rearrangement& change, const T& fill) {
  std::vector<T> out;
  for (const std::size_t source : change.sources)
    out.push_back(source == kNew ? fill : list[source]);
  return out;
}

// The same of names: a token without one takes the number of its new place.
TokenList rearranged(const TokenList& list, const Rearrangement& change) {
  std::vector<TokenName> names;
  for (std::size_t i = 0; i < change.sources.size(); ++i) {
    const std::size_t source = change.sources[i];
    const std::string* name = source == kNew ? &change.text : list.name_of(source);
    if (name != nullptr) names.push_back({i, *name});
  }
  return TokenList::counted(change.sources.size(), std::move(names));
}

// The same along one axis of a tensor; what is new is `fill`.
template <class T>
BasicTensor<T> rearranged(const BasicTensor<T>& tensor, std::size_t axis,
                          const Rearrangement& change, T fill) {
  Shape shape = tensor.shape();
  std::size_t outer = 1;
  std::size_t inner = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  std::vector<T> values;
  values.reserve(outer * change.sources.size() * inner);
  for (std::size_t o = 0; o < outer; ++o) {
    for (const std::size_t source : change.sources) {
      if (source == kNew) {
        values.insert(values.end(), inner, fill);
      } else {
        const T* block = tensor.data() + (o * shape[axis] + source) * inner;
        values.insert(values.end(), block, block + inner);
      }
    }
  }
  shape[axis] = change.sources.size();
  return BasicTensor<T>(std::move(shape), std::move(values));
}

std::size_t new_position(const Rearrangement& change) {
  const auto at = std::find(change.sources.begin(), change.sources.end(), kNew);
  return at == change.sources.end() ? kNew : static_cast<std::size_t>(at - change.sources.begin());
}

// What the item before the new one is, or the first.
std::int64_t neighbour_of_new(const std::vector<std::int64_t>& list, const Rearrangement& change) {
  const std::size_t at = new_position(change);
  if (at == kNew || list.empty()) return 0;
  return list[at == 0 ? 0 : at - 1];
}

// Numbers of a new row: embeddings as the reader generates them, others by matrix, sample and head.
std::vector<float> new_row(const Document& document, const TensorInfo& info, std::size_t matrix,
                           const std::string& text, std::size_t width) {
  const bool embedding = embeddings_of(document.model) != nullptr;
  return embedding ? generated_embedding(document.seed, text, width)
                   : generated_row(document.seed, info.name, matrix, text, width);
}

// Positive weights that sum to 1.
std::vector<float> new_weights(std::vector<float> numbers) {
  std::ranges::transform(numbers, numbers.begin(), [](float x) { return std::exp(x); });
  const float sum = std::accumulate(numbers.begin(), numbers.end(), 0.0F);
  for (float& weight : numbers) weight /= sum;
  return numbers;
}

// Gives the new row of every matrix its numbers.
void fill_new_rows(const Document& document, const TensorInfo& info, std::size_t row,
                   const std::string& text, Tensor& tensor) {
  const std::size_t rows = tensor.extent(tensor.rank() - 2);
  const std::size_t cols = tensor.extent(tensor.rank() - 1);
  std::vector<float> values(tensor.values().begin(), tensor.values().end());
  for (std::size_t matrix = 0; matrix < values.size() / (rows * cols); ++matrix) {
    std::vector<float> numbers = new_row(document, info, matrix, text, cols);
    if (info.use == TensorUse::Map) numbers = new_weights(std::move(numbers));
    std::ranges::copy(numbers,
                      values.begin() + static_cast<std::ptrdiff_t>((matrix * rows + row) * cols));
  }
  tensor = Tensor(tensor.shape(), std::move(values));
}

// The same along every axis of the model's tensors that counts `tokens`. New rows get numbers of
// their own; new columns 0.
void rearrange_tensors(Document& document, Extent tokens, const Rearrangement& change) {
  const std::size_t place = new_position(change);
  for (const TensorInfo& info : tensors_of(document.model, shape_of(document.model), 0)) {
    if (!info.is_there() || !info.has_axis(tokens)) continue;
    const auto at = std::ranges::find(info.axes, tokens, &TensorAxis::extent);
    const auto axis = static_cast<std::size_t>(at - info.axes.begin());
    Tensor moved = rearranged(*info.tensor, axis, change, 0.0F);
    const bool rows = axis + 2 == info.axes.size();
    if (rows && place != kNew) fill_new_rows(document, info, place, change.text, moved);
    writable(info) = std::move(moved);
  }
}

// Axes of extent 1 repeat and stay as they are, unless the side itself has one token only.
template <class T>
void rearrange_mask(BasicTensor<T>& mask, std::size_t from_end, std::size_t n,
                    const Rearrangement& change, T fill) {
  if (mask.rank() < from_end || mask.empty()) return;
  const std::size_t axis = mask.rank() - from_end;
  if (mask.extent(axis) == n) mask = rearranged(mask, axis, change, fill);
}

// One side of a mask.
void rearrange_rules(Mask& mask, Side side, std::size_t n, const Rearrangement& change) {
  const bool query = side == Side::Query;
  const std::size_t from_end = query ? 2 : 1;
  for (auto& list : query ? mask.query_padding : mask.key_padding) {
    list = rearranged(list, change, std::uint8_t{1});
  }
  // A new token belongs to the segment of its neighbour on the left.
  for (auto& list : query ? mask.query_segments : mask.key_segments) {
    list = rearranged(list, change, neighbour_of_new(list, change));
  }
  rearrange_mask(mask.visible, from_end, n, change, std::uint8_t{1});
  rearrange_mask(mask.bias, from_end, n, change, 0.0F);
}

void rearrange_side(Document& document, Side side, std::size_t n, const Rearrangement& change) {
  rearrange_tensors(document, side == Side::Query ? Extent::Queries : Extent::Keys, change);
  rearrange_rules(document.mask, side, n, change);
  if (side == Side::Key) return;
  for (const MaskPlace& own : masks_of(document).subspan(1)) {  // of the queries alone
    for (const Side both : {Side::Query, Side::Key}) {
      rearrange_rules(document.*own.mask, both, n, change);
    }
  }
}

std::size_t length_of(const Document& document, Side side) {
  const AttentionShape shape = shape_of(document);
  return side == Side::Query ? shape.n_q : shape.n_k;
}

Document with_rearrangement(const Document& document, Side side, const Rearrangement& change) {
  Document changed = document;
  const std::size_t n = length_of(document, side);
  Mask& mask = changed.mask;
  if (document.cross && mask.key_segments.empty()) mask.key_segments = mask.query_segments;
  const bool own_list = side == Side::Key && document.cross;
  for (TokenList& list : own_list ? changed.key_tokens : changed.query_tokens) {
    list = rearranged(list, change);
  }
  // Keys first: finished weights of a new query are of the new key too.
  if (!document.cross || side == Side::Key) rearrange_side(changed, Side::Key, n, change);
  if (!document.cross || side == Side::Query) rearrange_side(changed, Side::Query, n, change);
  extend_to_positions(changed);
  return changed;
}

Rearrangement unchanged(std::size_t n) {
  Rearrangement change;
  change.sources.resize(n);
  std::iota(change.sources.begin(), change.sources.end(), std::size_t{0});
  return change;
}

Error no_such_token(Side side, std::size_t index, std::size_t n) {
  return refusal(side, "there is no such token", "token " + std::to_string(index),
                 "one of " + counted(n, "token") + ", counted from 0");
}

bool is_text(const std::string& text) { return !first_invalid_utf8(text).has_value(); }

Error not_utf8(Side side) {
  return refusal(side, "the token is not valid UTF-8", "other bytes", "UTF-8");
}

std::ptrdiff_t at(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

}  // namespace

Result<Document> with_token_inserted(const Document& document, Side side, std::size_t index,
                                     const std::string& text) {
  const std::size_t n = length_of(document, side);
  if (!is_text(text)) return not_utf8(side);
  if (index > n) return no_such_token(side, index, n);
  Rearrangement change = unchanged(n);
  change.text = text;
  change.sources.insert(change.sources.begin() + at(index), kNew);
  return with_rearrangement(document, side, change);
}

Result<Document> with_token_renamed(const Document& document, Side side, std::size_t sample,
                                    std::size_t index, const std::string& text) {
  const std::size_t n = length_of(document, side);
  if (!is_text(text)) return not_utf8(side);
  if (index >= n) return no_such_token(side, index, n);
  Document changed = document;
  const bool own_list = side == Side::Key && document.cross;
  TokenLists& lists = own_list ? changed.key_tokens : changed.query_tokens;
  TokenList& list = lists[std::min(sample, lists.size() - 1)];
  if (list[index] != text) list.rename(index, text);
  return changed;
}

Result<Document> with_token_deleted(const Document& document, Side side, std::size_t index) {
  const std::size_t n = length_of(document, side);
  if (index >= n) return no_such_token(side, index, n);
  if (n == 1) {
    return refusal(side, "the last token cannot be deleted", "1 token", "at least one token");
  }
  Rearrangement change = unchanged(n);
  change.sources.erase(change.sources.begin() + at(index));
  return with_rearrangement(document, side, change);
}

Result<Document> with_token_moved(const Document& document, Side side, std::size_t from,
                                  std::size_t to) {
  const std::size_t n = length_of(document, side);
  for (const std::size_t index : {from, to}) {
    if (index >= n) return no_such_token(side, index, n);
  }
  Rearrangement change = unchanged(n);
  change.sources.erase(change.sources.begin() + at(from));
  change.sources.insert(change.sources.begin() + at(to), from);
  return with_rearrangement(document, side, change);
}

}  // namespace attn
