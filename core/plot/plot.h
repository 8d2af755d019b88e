// The one list of plots. A plot is a pure function from numbers and options to a figure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/result.h"
#include "document/document.h"
#include "engine/derived.h"
#include "engine/pool.h"
#include "engine/result.h"
#include "figure/figure.h"
#include "figure/text.h"
#include "figure/theme.h"

namespace attn {

// How many tokens a convolution may see at once.
inline constexpr std::size_t kLeastKernel = 2, kMostKernel = 1000;

// The part of a matrix in view, in cells; fractions while zooming. Empty (rows 0): all of it.
struct CellWindow {
  double row = 0.0, col = 0.0, rows = 0.0, cols = 0.0;
  friend bool operator==(const CellWindow&, const CellWindow&) = default;
};

// Options of all plots; one that a plot does not list as its own is ignored by it.
struct PlotOptions {
  ViewSettings view;  // stage, head, colour map, values in the cells
  CellWindow window;
  ThemeKind theme = ThemeKind::Paper;
  double width = 576.0;             // units; 8 inches on paper
  double height = 0.0;              // 0: as the content wants
  double font_size = 10.0;          // units
  int decimals = 2;                 // of the values in the cells
  std::optional<double> range_low;  // of the colours; otherwise 0 … 1 for weights unless the view
                                    // wants its own, the data's else
  std::optional<double> range_high;    // either alone leaves the other end as it was
  Pooling pooling = Pooling::Maximum;  // when a pixel holds several cells
  std::size_t pixel_budget = 1200;     // texels per side before cells are pooled
  Derived derived = Derived::Rollout;  // which matrix made from weights (derived)
  double residual = 0.5;               // what part of a layer's input goes past its attention
  std::string title;                   // instead of the document's; "none": no title at all
  std::size_t step = 0;                // decoder steps that are drawn; 0: all (alignment)
  std::size_t kernel = 3;              // tokens that a convolution sees at once (cost)
  std::vector<CellHit> pins;           // drawn as marks
  std::optional<TensorHit> highlight;  // the tensor pointed at (dimensions)
};

// The fields that the command line, help and controls offer.
std::span<const Field<PlotOptions>> plot_option_fields();

struct PlotInput {
  const Document& document;
  const AttentionResult& result;
};

struct PlotEntry {
  std::string_view name;   // "heatmap"
  std::string_view label;  // "Heatmap"
  std::string_view help;   // one line
  // Refuses (Usage) a document of which it has nothing to show, with the reason.
  Result<Figure> (*draw)(const PlotInput&, const PlotOptions&, const TextMetrics&);
  std::vector<std::string_view> options;  // names of the fields that change its figure
  bool of_recurrence = false;             // has nothing to show without a recurrent decoder
};

std::span<const PlotEntry> all_plots();
const PlotEntry* plot_named(std::string_view name);

// The plot of one attention of a decoder, as options.view.attention says; of anything else the plot
// itself. Views are fitted. Whoever draws a plot of a whole result calls this. Refuses what the
// plot has nothing to show of: a figure is never an apology.
Result<Figure> draw_plot(const PlotEntry& plot, const PlotInput& input, const PlotOptions& options,
                         const TextMetrics& metrics);

// Whether the plot has something to show of the document.
bool applies_to(const PlotEntry& plot, const Document& document);

// Whether the field changes the figure of this plot.
bool uses(const PlotEntry& plot, std::string_view field_name);

// Why a plot has nothing to show, as its draw function returns it.
Error refused_plot(std::string reason, std::string hint = {});

// Brings the view of `options` into the bounds of the result (of a decoder: of the attention that
// the view is of): a stage or head that is not there becomes the nearest one that is.
PlotOptions fitted_to(const PlotOptions& options, const AttentionResult& result);

// Refuses (Usage) what no figure could honour: bounds of the colours out of order, and a figure too
// small for its letters. Plots draw regardless; ask before a figure is written. Refusals spell the
// options as asked.
Status check_options(const PlotOptions& options, Spelling spelling = Spelling::Field);

// Also what only the numbers tell: a single bound on the wrong side of the end that stays.
Status check_options(const PlotOptions& options, const AttentionResult& result,
                     Spelling spelling = Spelling::Field);

// The sentence of a cell, the same words everywhere:
// “sat” (query 3) takes 41.2 % from “cat” (key 2), head 1.   For other stages the value; for hidden
// cells the rules; for rows that see no key that.
std::string cell_sentence(const PlotInput& input, const CellHit& cell);

// Colour range of one stage of one head under these options, and what it is taken over. A diverging
// map has zero in its middle: bounds given there become ± the larger of them.
struct ColorRange {
  float low = 0.0F, high = 1.0F;
  std::string basis;                             // "0 to 1", "this head", "given"
  bool beyond_low = false, beyond_high = false;  // values lie below the low or above the high end
};
ColorRange color_range(const AttentionResult& result, const PlotOptions& options);

}  // namespace attn
