// Descriptions of the options of plots, which define window controls, JSON of documents, flags of
// the command line and help; and the text form of heads, layers and tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "figure/figure.h"
#include "view/options.h"

namespace attn {

// Indexed by Option.
std::span<const Field<ViewOptions>> plot_option_fields();

// Null, or nothing, when there is none with that name.
const Field<ViewOptions>* plot_option_named(std::string_view name);
std::optional<Option> option_named(std::string_view name);

// Names of the fields in their order.
std::vector<std::string_view> names_of(OptionSet options);

// True if the strip above the panes sets the field, which chooses the matrix.
bool is_of_the_strip(std::string_view field_name);

// True if only exported figures use the field; on screen the window decides it.
bool is_of_a_file(std::string_view field_name);

inline constexpr std::string_view kAllHeads = "all";

// Calls visit(first, last) for each span of a list such as "0,3-5", in its order. False when the
// text is no list; then some may have been visited.
bool each_span(std::string_view text, const std::function<void(std::size_t, std::size_t)>& visit);

// Returns the heads of a list in ascending order without duplicates, limited to the `heads` that
// exist. Nothing when the text is no list; "" is the empty list.
std::optional<std::vector<std::size_t>> heads_named(std::string_view text, std::size_t heads);

// Return the layers that a list names by their numbers, or counted from 0, and those of its numbers
// that do not exist, as for heads.
std::optional<std::vector<std::size_t>> layers_named(std::string_view text,
                                                     const AttentionShape& shape);
std::vector<std::size_t> layers_missing(std::string_view text, const AttentionShape& shape);

// The listed heads that do not exist, in ascending order; of a range only the first and the last.
std::vector<std::size_t> heads_missing(std::string_view text, std::size_t heads);

// `text`, such as "0,3-5" or "query 2", with `by` added to each whole number in it.
std::string with_numbers_moved(std::string_view text, std::int64_t by);

// `text` with the head added, or removed if it is listed.
std::string with_head_toggled(std::string_view text, std::size_t head, std::size_t heads);

// Choice of the cells whose numbers are drawn: at most `most`, those of the largest magnitudes, and
// only values above the bound.
struct NumberedCells {
  std::size_t most = static_cast<std::size_t>(-1);
  std::optional<float> above{};
  bool are_all() const { return *this == NumberedCells{}; }
  friend bool operator==(const NumberedCells&, const NumberedCells&) = default;
};
// The cells that a text such as "top 5" or "above 0.3" names; nothing when it names none.
std::optional<NumberedCells> numbered_cells(std::string_view text);

// The token, of any sample, that a text such as "query 2" names; nothing when it names none.
std::optional<TokenHit> token_chosen(std::string_view text);

std::string text_of(const TokenHit& token);
}  // namespace attn
