// Which weights become links: the largest of each row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "attention/stage.h"
#include "base/progress.h"
#include "base/result.h"
#include "engine/read/result.h"

namespace attn {

// More are never drawn at once: the weakest are left out, and counted.
inline constexpr std::size_t kMostLinks = 20000;

struct Link {
  std::size_t head = 0, query = 0, key = 0;
  float weight = 0.0F;
  friend bool operator==(const Link&, const Link&) = default;
};

// Of the weights of a row, or of all.
struct LinkRule {
  double row_share = 0.7;       // the largest until they make up this part of their row's sum
  std::optional<double> least;  // in its place: all that are as large as this
};

// Indices of the chosen cells of one row, the largest first, equal ones from the left. Hidden cells
// (`hidden` is empty, or has HiddenRules), those that are not positive and those that are not
// numbers are never chosen and make up no part of the sum.
std::vector<std::size_t> chosen_cells(std::span<const float> row,
                                      std::span<const std::uint8_t> hidden, const LinkRule& rule);

// Those of the cells [first, first + count) that chosen_cells would have, in any order. Faster.
std::vector<std::size_t> chosen_among(std::span<const float> row,
                                      std::span<const std::uint8_t> hidden, const LinkRule& rule,
                                      std::size_t first, std::size_t count);

// Tokens [first, first + count) of one side.
struct TokenSpan {
  std::size_t first = 0, count = 0;
  bool contains(std::size_t token) const { return token >= first && token - first < count; }
};

// The tokens in view, and the one whose links alone are wanted, which may be beyond it.
struct LinkView {
  TokenSpan queries, keys;
  std::optional<std::size_t> only_query{}, only_key{};
  bool rows_in_view = false;  // links of queries beyond the view are left out
};

// What a token in view shares with those of the other side that lie before or after the view.
struct Stub {
  std::size_t head = 0;
  Side side = Side::Query;  // of the token in view
  std::size_t token = 0;
  bool before = false;
  double weight = 0.0;      // of its links together
  std::uint64_t links = 0;  // how many
  friend bool operator==(const Stub&, const Stub&) = default;
};

struct LinkSet {
  std::vector<Link> links;        // both ends in view; the weakest first, to be drawn first
  std::vector<Stub> stubs;        // one end in view; by head, side, token
  std::uint64_t left_out = 0;     // of strongest_of: chosen and in view, but more than kMostLinks
  std::uint64_t not_numbers = 0;  // weights of queries in view that are NaN or infinite
  bool rows_in_view = false;      // nothing is known of queries beyond the view
};

// Of some heads of one layer and sample: all that the rule chooses. Reads a few rows at a time, of
// queries beyond the view too, unless it is of the rows in view. `progress` may be null.
// Interrupted when it is cancelled.
Result<LinkSet> choose_links(const AttentionResult& result, const HeadAddress& at,
                             const std::vector<std::size_t>& heads, const LinkView& view,
                             const LinkRule& rule, Progress* progress);

// Those of one token in view. Those of a token beyond it, unchanged: they were chosen as its own.
LinkSet links_of_token(const LinkSet& set, Side side, std::size_t token);

// With the kMostLinks strongest links alone.
LinkSet strongest_of(LinkSet set);

}  // namespace attn
