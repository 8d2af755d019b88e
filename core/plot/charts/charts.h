// Plots of lines, bars and tables, and the boxes of the flow of shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attention/cost.h"
#include "attention/stage.h"
#include "base/progress.h"
#include "base/result.h"
#include "engine/read/result.h"
#include "engine/sharpness.h"
#include "plot/kit/axis.h"
#include "plot/kit/chart.h"
#include "plot/kit/plot.h"

namespace attn {

// Extremes of the values of all points; `least` is the smallest above 0.
struct ChartValues {
  double low = 0.0, least = 1e300, high = 0.0;
};
ChartValues values_of(const std::vector<ChartSeries>& series);

// --- The steps to one weight ---

inline constexpr std::size_t kMostStorySteps = 10;
inline constexpr double kStoryGlideSeconds = 0.9, kStoryHoldSeconds = 2.4;  // of each step

// Returns the number of steps that the problem has from the rows of Q and K to the output.
std::size_t story_steps(const AttentionProblem& problem, const HeadAddress& at);

// Returns the reason why there are no such steps; "" when there are.
std::string no_story_reason(const AttentionProblem& problem, const HeadAddress& at = {});

// The plot named "flow": how the weight of account_needs (account.h) is computed, up to
// options.step (0: all), to which options.glide is the share of the way.
Result<Figure> story_plot(const Drawing& drawing);

// Returns the rectangle of the step in the figure, to be scrolled into view.
std::optional<Rect> place_of_step(const Figure& figure, std::size_t step);

// ---

// Returns operations of every kind of layer over n, both axes logarithmic, with the document's n
// marked and rings at the crossings.
Chart cost_chart(const LayerSize& basis, const FigureTheme& theme);

// Returns a sentence with the lengths from which self-attention costs more: "n = 16 (= d)".
std::string crossing_sentence(const LayerSize& basis);

// Returns the parameters of the heads of the problem, compared with one head; "" for given weights.
std::string head_sentence(const AttentionShape& shape);

// Returns the reason why there is no cost to show, such as given weights; "" when there is one.
std::string nothing_to_count(const AttentionProblem& problem, const HeadAddress& at = {});

Result<Figure> cost_plot(const Drawing& drawing);

// Returns bars of the sequence lengths and feature dimensions of Q, K, V and output, with their
// values on top, `room` units high within limits; as high as usual when that is not above 0.
Figure dimension_bars(const Drawing& drawing, double room = 0.0);

// Returns boxes from X to the output with their shapes; options.highlight is emphasised. The boxes
// are smaller while the figure is higher than `most`. A single box is a narrower figure.
Figure shape_flow(const Drawing& drawing, double most = 1e9);

// The plot named "dimensions": both, one above the other.
Result<Figure> dimensions(const Drawing& drawing);

// Returns a need: the sums of the curve.
std::vector<Need> distances_needs(const FittedView& view);

// The plot named "distances": mean weight of the visible cells by distance, compared with equal
// weights over the visible keys.
Result<Figure> distances_plot(const Drawing& drawing);

std::vector<Need> distribution_needs(const FittedView& view);

// The plot named "distribution". Hidden cells and those that are not finite are not counted; the
// text below gives their number.
Result<Figure> distribution_plot(const Drawing& drawing);

// Mean and deviation of the entries of q and k of one head (before rotary positions), its number of
// keys and the document's seed, and the curves computed from them. Standard normals when there are
// no finite q and k.
struct SharpnessNumbers final : Derivation {
  SharpnessSetup setup;
  std::size_t d_k = 0;                 // of the document; 0 when it has none
  std::size_t keys = 0;                // of the document; 0 when it has none
  bool measured = false;               // q and k were measured
  std::vector<SharpnessPoint> points;  // of sharpness_widths()
  std::uint64_t bytes() const override { return points.size() * sizeof(SharpnessPoint); }
};
SharpnessNumbers sharpness_numbers(const PlotInput& input, const HeadAddress& head);

// Returns 1, 2, 4 … 512, and d_k among them when it is at most 1024.
std::vector<std::size_t> sharpness_widths(std::size_t d_k);

// Returns a need: the numbers of the charts.
std::vector<Need> sharpness_needs(const FittedView& view);

Result<Figure> sharpness_plot(const Drawing& drawing);

struct FlowBox {
  TensorHit tensor;
  StageRole role;
  std::string title;    // "Q", "Scores"
  std::string formula;  // may be empty
  std::string symbols;  // "(h, n, d_k)"
  std::string extents;  // "(2, 3, 4)"
  Color color;
  Rect rect{};           // in the figure
  std::size_t line = 0;  // of boxes
};

// Boxes of one column are computed side by side (Q, K, V); columns follow each other.
using FlowColumn = std::vector<FlowBox>;

// Embeddings with which a computation begins.
struct EmbeddingsUsed {
  InputHit tensor;
  StageRole role;
  std::string title;   // "X", "X (keys)"
  const Tensor* x;     // of the problem; rank 3, (samples, n, width)
  std::string length;  // symbol of n
};
std::vector<EmbeddingsUsed> embeddings_of(const PlotInput& input, const HeadAddress& at);

// "Q", "Scores".
std::string flow_title(Stage stage);

std::vector<FlowColumn> flow_of(const PlotInput& input, const FigureTheme& theme,
                                const HeadAddress& at = {});

// True if `to`, a box of the column after `column`, is made from box `from` of it. False for stages
// of a separate computation, such as a decoder without attention, and for measures of a whole
// computation, such as influence.
bool feeds(const FlowColumn& column, std::size_t from, const FlowBox& to);

// True if the column after `column` is made from any box of it.
bool feeds(const FlowColumn& column, const FlowColumn& next);

// --- Links: choice of the weights, and drawing ---

// Limit of links drawn at once: the weakest are left out and counted.
inline constexpr std::size_t kMostLinks = 20000;

struct Link {
  std::size_t head = 0, query = 0, key = 0;
  float weight = 0.0F;
  friend bool operator==(const Link&, const Link&) = default;
};

// Returns the indices of the chosen cells of one row among [first, first + count), the largest
// first, equal ones from the left. Hidden cells (`hidden` is empty, or has HiddenRules) and cells
// that are not positive and finite are never chosen and do not count in the sum.
std::vector<std::size_t> chosen_cells(std::span<const float> row,
                                      std::span<const std::uint8_t> hidden, const LinkOptions& rule,
                                      std::size_t first, std::size_t count);

// Tokens [first, first + count) of one side.
struct TokenSpan {
  std::size_t first = 0, count = 0;
  std::size_t end() const { return first + count; }
  bool contains(std::size_t token) const { return token >= first && token - first < count; }
};

// Tokens in view, and a token to whose links the choice is limited, which may be out of view.
struct LinkView {
  TokenSpan queries, keys;
  std::optional<TokenHit> only{};
  bool rows_in_view = false;  // links of queries out of view are left out
  bool is_of_one(Side side) const { return only && only->side == side; }
};

// Links of a token in view to the tokens before or after the view, summed.
struct Stub {
  std::size_t head = 0;
  Side side = Side::Query;  // of the token in view
  std::size_t token = 0;
  bool before = false;
  double weight = 0.0;      // sum over its links
  std::uint64_t links = 0;  // number of its links
  friend bool operator==(const Stub&, const Stub&) = default;
};

struct LinkSet final : Derivation {
  std::vector<Link> links;     // both ends in view; in ascending order, to draw the strongest last
  std::vector<Stub> stubs;     // one end in view; by head, side, token
  std::uint64_t left_out = 0;  // by strongest_of: links beyond kMostLinks
  std::uint64_t not_numbers = 0;  // weights of queries in view that are NaN or infinite
  std::uint64_t concealed = 0;    // weights of queries in view that a lesson conceals
  bool rows_in_view = false;      // links of queries out of view are unknown
  std::uint64_t bytes() const override {
    return links.size() * sizeof(Link) + stubs.size() * sizeof(Stub);
  }
};

// Chooses links of some heads of one layer and sample by the rule. Reads a few rows at a time,
// those of queries out of view too unless view.rows_in_view. `progress` may be null. Interrupted
// when cancelled.
Result<LinkSet> choose_links(const AttentionResult& result, const HeadAddress& at,
                             const std::vector<std::size_t>& heads, const LinkView& view,
                             const LinkOptions& rule, Progress* progress);

// Returns the set limited to the kMostLinks strongest links.
LinkSet strongest_of(LinkSet set);

// True if links are drawn between rows: most tokens are Chinese, Japanese or Korean, which are
// short and easy to read next to each other.
bool prefers_rows(const Document& document, const HeadAddress& at);

// Error for a result without weights, without these heads, or without the first token.
Status check_links(const FittedView& view);

// Returns the heads that the options name.
std::vector<std::size_t> heads_of_links(const FittedView& view);

// Returns the tokens in view. Precondition of this and the following functions: check_links.
LinkView links_view(const FittedView& view);

// Returns the token to whose links the figure is limited: the hovered one when it is in view, else
// the one in the options when it exists.
std::optional<TokenHit> focus_of_links(const FittedView& view);

// Returns needs: the links of all tokens in view, and of the token in the options if out of view.
std::vector<Need> links_needs(const FittedView& view);

// Returns the links to draw: of the focused token, or of all; the kMostLinks strongest.
Result<LinkSet> chosen_links(const FittedView& view);

// Tokens of one side: those in view, and their positions.
struct LinkSide : TokenSpan {
  MatrixAxis axis{};       // count: all tokens of the side
  double labels = 0.0;     // space for labels, across the tokens
  double pitch = 0.0;      // distance between tokens, units
  double start = 0.0;      // position of the first token in view along the side
  std::size_t stride = 1;  // every `stride`th label is drawn
  std::size_t after() const { return axis.count - end(); }
  bool is_of_queries() const { return axis.side == Side::Query; }
};

struct LinksScene : Drawing {
  std::vector<std::size_t> heads{};    // shown, ascending
  std::optional<TokenHit> focus{};     // the only token whose links are drawn
  std::optional<std::size_t> front{};  // the head in front of many; none: all are equal
  LinkSide queries{}, keys{};
  LinkSet chosen{};
  bool rows = false;  // tokens side by side, queries above keys; else queries left of keys
  double width = 0.0, height = 0.0;
  double page_height = 0.0;          // left on a page of a paper; 0: no limit
  Rect field{};                      // between the tokens, contains the links
  double before = 0.0, after = 0.0;  // space for texts beyond the ends of columns
  FontStyle label_font{};
  bool upright = false;  // labels of rows are turned by 90°, or
  bool stacked = false;  // have their letters below each other

  const LinkSide& side(Side of) const { return of == Side::Query ? queries : keys; }
  bool is_behind(std::size_t head) const { return front && head != *front; }
  Color color(std::size_t head) const {
    return is_behind(head) ? theme.muted : head_color(head, shape().heads, options.theme);
  }
  // Returns the most tokens of a side in view, at least one.
  double longest() const {
    return static_cast<double>(std::max({queries.count, keys.count, std::size_t{1}}));
  }
  double least_pitch() const { return std::min(queries.pitch, keys.pitch); }
  bool scrolls() const { return options.height <= 0.0; }
};

std::string links_heading(const LinksScene& scene);
// Returns the sentence that says which weights are drawn.
std::string links_rule(const LinksScene& scene);
// Returns advice where lines are too many, which a file does without; "" when they are not.
std::string links_advice(const LinksScene& scene);
// Returns the sentence about links that are not drawn, and on screen about labels that are not
// legible; "" when there are none.
std::string links_limits(const LinksScene& scene);
// Returns a sentence about the token to which the links are limited; "" when all are drawn.
std::string links_focus(const LinksScene& scene);
// Returns text about the tokens beyond one end of a side; "" when there are none.
std::string beyond_words(const LinksScene& scene, Side side, bool before);

// One hue and one chip per head; a click on a chip shows or hides the head. The largest weights of
// each row are drawn, by a rule that the plot states. Every line carries the hit of its cell. With
// options.focus only the links of one token are drawn; pinned cells are drawn stronger. The view
// shows options.tokens_shown tokens of each side from options.first_query and options.first_key on.
// Links to tokens out of view are stubs, one per token, head and direction, with the opacity and
// width of their summed weights; texts at the ends count them. Requires links_needs. Returns the
// errors of check_links.
Result<Figure> links_plot(const Drawing& drawing);

// Returns needs: the rows and columns of the framed token.
std::vector<Need> text_needs(const FittedView& view);

// The plot named "text": the tokens set as text, the one of options.focus, option token or the
// first pin framed, the others tinted by its row and its column of the weights, a block for each of
// the chosen heads.
Result<Figure> text_plot(const Drawing& drawing);

// The plot named "why": one cell between queries and keys, the first pin's in the head in view,
// else the largest weight of the query of options.token, or of the last. Needs why_needs.
Result<Figure> why_plot(const Drawing& drawing);

// Returns needs: the logits of one row, and of the row of the reference to compare it with.
std::vector<Need> next_needs(const FittedView& view);

// The plot named "next": the likeliest tokens of a language model after the token of the option, of
// the first pin, or the last one; of models that fill masks those at the mask. With the shares in
// the reference, if it has this vocabulary. Requires next_needs.
Result<Figure> next_plot(const Drawing& drawing);

}  // namespace attn
