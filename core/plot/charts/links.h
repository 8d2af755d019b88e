// The links plot: which weights become links, where tokens stand, how both are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "attention/stage.h"
#include "base/progress.h"
#include "base/result.h"
#include "engine/read/result.h"
#include "figure/text.h"
#include "plot/kit/ask.h"
#include "plot/kit/axis.h"
#include "plot/kit/plot.h"

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

// The tokens of one side in view.
struct LinkSide {
  MatrixAxis axis;  // count: all tokens of the side
  std::size_t first = 0, count = 0;
  std::size_t end() const { return first + count; }
  std::size_t after() const { return axis.count - end(); }
};

// Whether links lie better between rows: most tokens are Chinese, Japanese or Korean, which are
// short and read well side by side.
bool prefers_rows(const Document& document, const HeadAddress& at);

struct LinksLayout {
  bool rows = false;  // tokens side by side, queries above keys; else queries left of keys
  double width = 0.0, height = 0.0;
  Rect field;                        // between the tokens, where the links are
  double before = 0.0, after = 0.0;  // room for words on tokens beyond the ends of columns
  double labels[2] = {0, 0};         // room for the labels of queries and keys, across the tokens
  double pitch[2] = {0, 0};          // from token to token, units
  double start[2] = {0, 0};          // where the first token in view begins along its side
  FontStyle font;                    // of labels
  bool upright = false;              // labels of rows that are turned by 90°
  std::size_t stride[2] = {1, 1};    // every how many labels one is drawn

  // The end of a link at token `index`, which may be out of view.
  Point end(const LinkSide& side, double index) const;
  // Room of one token's label.
  Rect label(const LinkSide& side, std::size_t index) const;
};

// As high as `height` units; as the tokens want when that is 0.
LinksLayout lay_out_links(const PlotInput& input, const PlotOptions& options,
                          const LinkSide& queries, const LinkSide& keys, double width,
                          double height, const TextMetrics& metrics);

// Refuses a result without weights, heads of which none is there, and a first token that is not.
Status check_links(const PlotInput& input, const PlotOptions& options);

// The heads that the options name.
std::vector<std::size_t> heads_of_links(const PlotInput& input, const PlotOptions& options);

// The tokens in view. Precondition of this and what follows: check_links.
LinkView links_view(const PlotInput& input, const PlotOptions& options);

// The token whose links alone are wanted: the one pointed at, if it is in view, or else the one
// that the option names and that is there.
std::optional<TokenHit> focus_of_links(const PlotInput& input, const PlotOptions& options);

// The links of all tokens in view, and those of the token that the option names where it lies
// beyond the view.
std::vector<Need> links_needs(const PlotInput& input, const PlotOptions& options);

// What is to be drawn: of the token with the focus, or of all; the kMostLinks strongest.
Result<LinkSet> chosen_links(const PlotInput& input, const PlotOptions& options);

// One hue for each head, and a chip of each, a click on which shows or hides it. Of each row the
// largest weights are drawn, and the plot says which. Every line carries the cell
// that it stands for. With options.focus only the links of one token are drawn; pinned cells are
// drawn stronger. In view are options.tokens_shown tokens of each side from options.first_query and
// options.first_key on. Their links to and from tokens beyond are stubs, one for each token, head
// and direction, as opaque as their weights together; words at the ends count them. Needs
// links_needs. Refuses what check_links refuses.
Result<Figure> links_plot(const PlotInput& input, const PlotOptions& options,
                          const TextMetrics& metrics);

}  // namespace attn
