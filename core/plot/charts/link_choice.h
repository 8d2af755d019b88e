// Which weights become links: the largest of each row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/result.h"

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

// Rows [first, first + count) of queries.
struct QuerySpan {
  std::size_t first = 0, count = 0;
};

struct LinkSet {
  std::vector<Link> links;        // the weakest first, so that the strongest is drawn last
  std::uint64_t left_out = 0;     // chosen, but more than kMostLinks
  std::uint64_t not_numbers = 0;  // weights that are NaN or infinite
};

// Of some heads of one layer and sample. Reads whole rows, one at a time.
LinkSet choose_links(const AttentionResult& result, const HeadAddress& at,
                     const std::vector<std::size_t>& heads, const QuerySpan& queries,
                     const LinkRule& rule);

}  // namespace attn
