// Moves rows, columns and rules with their tokens. Tokens that stay are the longest common
// subsequence between the common prefix and suffix.
#include "document/edit/rearrange.h"

#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "document/edit.h"
#include "document/generate.h"

namespace attn {
namespace {

template <class T>
std::vector<T> rearranged(const std::vector<T>& list, const Rearrangement& change, const T& fill) {
  std::vector<T> out;
  for (const std::size_t source : change.sources)
    out.push_back(source == kNewPlace ? fill : list[source]);
  return out;
}

// Rearranges names; a token without one gets the number of its new position.
TokenList rearranged(const TokenList& list, const Rearrangement& change) {
  std::vector<TokenName> names;
  auto added = change.added.begin();
  for (std::size_t i = 0; i < change.sources.size(); ++i) {
    const std::size_t source = change.sources[i];
    const std::string* name = source == kNewPlace ? &(added++)->text : list.name_of(source);
    if (name != nullptr) names.push_back({i, *name});
  }
  return TokenList::counted(change.sources.size(), std::move(names));
}

// Rearranges a list; a new token copies its left neighbour, a new first one the former first.
std::vector<std::int64_t> with_neighbours(const std::vector<std::int64_t>& list,
                                          const Rearrangement& change) {
  std::vector<std::int64_t> out;
  std::int64_t last = list.empty() ? 0 : list.front();
  for (const std::size_t source : change.sources) {
    if (source != kNewPlace) last = list[source];
    out.push_back(last);
  }
  return out;
}

// Rearranges one axis of a tensor; new elements are `fill`.
template <class T>
BasicTensor<T> rearranged(const BasicTensor<T>& tensor, std::size_t axis,
                          const Rearrangement& change, T fill) {
  std::vector<AxisSources> axes;
  for (const std::size_t extent : tensor.shape()) axes.push_back(unchanged(extent).sources);
  axes[axis] = change.sources;
  return resized(tensor, axes, [&](std::size_t /*flat*/) { return fill; });
}

// Generates rows of matrices, of one sample or of all.
void fill_rows(const Document& document, const TensorInfo& info,
               const std::vector<TokenName>& rows_to_fill, Tensor& tensor,
               std::optional<std::size_t> sample = {}) {
  const std::size_t rows = tensor.extent(tensor.rank() - 2);
  const std::size_t cols = tensor.extent(tensor.rank() - 1);
  std::vector<float> values(tensor.values().begin(), tensor.values().end());
  for (std::size_t matrix = 0; matrix < values.size() / (rows * cols); ++matrix) {
    if (sample && sample_of_matrix(info, matrix) != *sample) continue;
    for (const auto& [row, text] : rows_to_fill) {
      std::ranges::copy(generated_row_of(document, info, matrix, text, cols),
                        values.begin() + static_cast<std::ptrdiff_t>((matrix * rows + row) * cols));
    }
  }
  tensor = Tensor(tensor.shape(), std::move(values));
}

std::vector<TokenName> all_rows(const Document& document, std::size_t rows) {
  const TokenList& tokens = tokens_of(document, Side::Query);
  std::vector<TokenName> all;
  for (std::size_t row = 0; row < rows; ++row) all.push_back({row, tokens[row]});
  return all;
}

// Rearranges an axis of a mask; broadcast axes of extent 1 stay, unless there is only one token.
template <class T>
void rearrange_mask(BasicTensor<T>& mask, std::size_t from_end, std::size_t n,
                    const Rearrangement& change, T fill) {
  if (mask.rank() < from_end || mask.empty()) return;
  const std::size_t axis = mask.rank() - from_end;
  if (mask.extent(axis) == n) mask = rearranged(mask, axis, change, fill);
}

// Weights of new tokens are 0.
void rearrange_patterns(Document& document, Side side, const Rearrangement& change) {
  for (auto& [at, weights] : document.what_if.patterns) {
    for (const auto& [of, axis] : {std::pair(Side::Query, 0U), std::pair(Side::Key, 1U)}) {
      if (listed_side(document, at, of) == side) weights = rearranged(weights, axis, change, 0.0F);
    }
  }
}

void rearrange_side(Document& document, Side side, std::size_t n, const Rearrangement& change) {
  const Extent tokens = side == Side::Query ? Extent::Queries : Extent::Keys;
  rearrange_tensors(document, shape_of(document.model), tokens, change);
  rearrange_rules(document.mask, side, n, change);
  for (const MaskPlace& own : masks_of(document).subspan(1)) {  // masks of one sequence
    if (listed_side(document, own.at, side) != side) continue;
    for (const Side both : {Side::Query, Side::Key}) {
      rearrange_rules(document.*own.mask, both, n, change);
    }
  }
}

}  // namespace

Rearrangement unchanged(std::size_t n) {
  Rearrangement change;
  change.sources.resize(n);
  std::iota(change.sources.begin(), change.sources.end(), std::size_t{0});
  return change;
}

void rearrange_tensors(Document& document, const AttentionShape& shape, Extent tokens,
                       const Rearrangement& change) {
  const bool none_left = change.added.size() == change.sources.size();
  for (const TensorInfo& info : tensors_of(document.model, shape, 0)) {
    if (!info.is_there()) continue;
    // Columns come first, as new rows of weights are generated with all keys.
    for (std::size_t axis = info.axes.size(); axis-- > 0;) {
      if (info.axes[axis].extent != tokens) continue;
      Tensor moved = rearranged(*info.tensor, axis, change, 0.0F);
      const bool rows = axis + 2 == info.axes.size();
      if (rows && !change.added.empty()) fill_rows(document, info, change.added, moved);
      if (!rows && none_left && info.axes[axis - 1].extent != tokens) {
        fill_rows(document, info, all_rows(document, moved.extent(axis - 1)), moved);
      }
      writable(info) = std::move(moved);
    }
  }
}

void replace_rows(Document& document, Extent side, std::size_t sample,
                  const std::vector<TokenName>& replaced) {
  for (const TensorInfo& info : tensors_of(document.model, shape_of(document.model), 0)) {
    const bool rows_are_tokens = info.axes.size() >= 2 && info.has_axis(Extent::Samples) &&
                                 info.axes[info.axes.size() - 2].extent == side;
    if (info.is_there() && rows_are_tokens) {
      fill_rows(document, info, replaced, writable(info), sample);
    }
  }
}

void rearrange_rules(Mask& mask, Side side, std::size_t n, const Rearrangement& change) {
  const bool query = side == Side::Query;
  const std::size_t from_end = query ? 2 : 1;
  for (auto& list : query ? mask.query_padding : mask.key_padding) {
    list = rearranged(list, change, std::uint8_t{1});
  }
  for (auto& list : query ? mask.query_segments : mask.key_segments) {
    list = with_neighbours(list, change);
  }
  rearrange_mask(mask.visible, from_end, n, change, std::uint8_t{1});
  rearrange_mask(mask.bias, from_end, n, change, 0.0F);
}

std::size_t sample_of_matrix(const TensorInfo& info, std::size_t matrix) {
  std::size_t sample = 0;
  for (std::size_t axis = info.axes.size() - 2; axis-- > 0;) {
    if (info.axes[axis].extent == Extent::Samples) sample = matrix % info.axes[axis].count;
    matrix /= info.axes[axis].count;
  }
  return sample;
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
  // Keys come first, as in given weights a new query also has a new key.
  if (!document.cross || side == Side::Key) rearrange_side(changed, Side::Key, n, change);
  if (!document.cross || side == Side::Query) rearrange_side(changed, Side::Query, n, change);
  rearrange_patterns(changed, own_list ? Side::Key : Side::Query, change);
  extend_to_positions(changed);
  return changed;
}

namespace {

// The largest number of cells of the table below, which have one byte each.
constexpr std::size_t kMostCells = std::size_t{1} << 22U;

using TokenTexts = std::span<const std::string>;

enum class Step : std::uint8_t { Both, Before, After };

// Returns the next step from each cell of a table, which is filled from its end.
std::vector<Step> steps_through(TokenTexts before, TokenTexts after) {
  const std::size_t cols = after.size();
  std::vector<Step> steps(before.size() * cols);
  std::vector<std::uint32_t> below(cols + 1), here(cols + 1);
  for (std::size_t i = before.size(); i-- > 0;) {
    for (std::size_t j = cols; j-- > 0;) {
      const bool same = before[i] == after[j];
      const Step step = same ? Step::Both : below[j] >= here[j + 1] ? Step::Before : Step::After;
      here[j] = same ? below[j + 1] + 1 : std::max(below[j], here[j + 1]);
      steps[i * cols + j] = step;
    }
    std::swap(below, here);
  }
  return steps;
}

// Finds the places of `after` in `before`, whose first token has the number `first`.
void match_best(TokenTexts before, TokenTexts after, std::size_t first, std::size_t* places) {
  const std::vector<Step> steps = steps_through(before, after);
  for (std::size_t i = 0, j = 0; i < before.size() && j < after.size();) {
    const Step step = steps[i * after.size() + j];
    if (step == Step::Both) places[j] = first + i;
    if (step != Step::After) ++i;
    if (step != Step::Before) ++j;
  }
}

void match_next(TokenTexts before, TokenTexts after, std::size_t first, std::size_t* places) {
  std::map<std::string, std::vector<std::size_t>> where;
  for (std::size_t i = 0; i < before.size(); ++i) where[before[i]].push_back(first + i);
  std::size_t next = first;
  for (std::size_t j = 0; j < after.size(); ++j) {
    const auto found = where.find(after[j]);
    if (found == where.end()) continue;
    const auto place = std::ranges::lower_bound(found->second, next);
    if (place == found->second.end()) continue;
    places[j] = *place;
    next = *place + 1;
  }
}

}  // namespace

std::vector<std::size_t> matched_tokens(const TokenList& before,
                                        const std::vector<std::string>& after) {
  const std::vector<std::string> texts = before.texts();
  TokenTexts old_middle(texts), new_middle(after);  // without the common prefix and suffix
  const auto differs = std::ranges::mismatch(old_middle, new_middle);
  const auto first = static_cast<std::size_t>(differs.in1 - old_middle.begin());
  old_middle = old_middle.subspan(first);
  new_middle = new_middle.subspan(first);
  while (!old_middle.empty() && !new_middle.empty() && old_middle.back() == new_middle.back()) {
    old_middle = old_middle.first(old_middle.size() - 1);
    new_middle = new_middle.first(new_middle.size() - 1);
  }
  std::vector<std::size_t> places(after.size(), kNewPlace);
  std::iota(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(first), std::size_t{0});
  for (std::size_t j = first + new_middle.size(); j < after.size(); ++j) {
    places[j] = j + texts.size() - after.size();
  }
  const bool small = new_middle.empty() || old_middle.size() <= kMostCells / new_middle.size();
  (small ? match_best : match_next)(old_middle, new_middle, first, places.data() + first);
  return places;
}

}  // namespace attn
